# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture goes through ResNet-18, and the most likely classes are plotted.

python examples/python/resnet18.py [PICTURE] [--weights FILE] [--plot resnet18.png]

Without --weights, a state dict of transformers' ResNetForImageClassification, the weights are random, and so are the
classes; that buddy finds the same ones as PyTorch is what is shown then. Needs matplotlib for the plot.
"""

import argparse
import sys
from importlib.util import find_spec

import torch
from transformers import ResNetConfig, ResNetForImageClassification

from buddy.compiler.frontend import DynamoCompiler

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("picture", nargs="?", help="any picture that matplotlib reads; a drawn one if left out")
parser.add_argument("--weights", metavar="FILE")
parser.add_argument("--plot", metavar="FILE", default="resnet18.png")
arguments = parser.parse_args()


def drawn_picture() -> torch.Tensor:
    """A red disc on a blue ground that grows lighter: height, width, colour."""
    y, x = torch.meshgrid(torch.linspace(-1, 1, 224), torch.linspace(-1, 1, 224), indexing="ij")
    picture = torch.stack([0.2 + 0 * x, 0.3 + 0.2 * y, 0.6 + 0.3 * x], dim=-1)
    picture[(x**2 + y**2) < 0.3] = torch.tensor([0.9, 0.1, 0.1])
    return picture


def read_picture(path: str) -> torch.Tensor:
    if not find_spec("matplotlib"):
        sys.exit("matplotlib reads the picture, and is missing: pip install matplotlib")
    import matplotlib.image

    picture = torch.tensor(matplotlib.image.imread(path))[..., :3].float()
    return picture / 255 if picture.max() > 1 else picture


torch.manual_seed(0)
config = ResNetConfig(embedding_size=64, hidden_sizes=[64, 128, 256, 512], depths=[2, 2, 2, 2], layer_type="basic")
config.num_labels = 1000
model = ResNetForImageClassification(config).eval()
if arguments.weights:
    model.load_state_dict(torch.load(arguments.weights, weights_only=True))

picture = read_picture(arguments.picture) if arguments.picture else drawn_picture()
mean, deviation = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
pixels = ((picture - mean) / deviation).permute(2, 0, 1)[None]
pixels = torch.nn.functional.interpolate(pixels, (224, 224), mode="bilinear")

compiler = DynamoCompiler()
compiler.importer_by_export(model, pixels)
ours = compiler.compiled()(pixels).logits.softmax(-1)[0]
with torch.no_grad():
    theirs = model(pixels).logits.softmax(-1)[0]

values, classes = ours.topk(5)
assert classes.tolist() == theirs.topk(5).indices.tolist()
for value, number in zip(values, classes):
    print(f"{model.config.id2label[int(number)]:12} {value:.4f}   PyTorch {theirs[number]:.4f}")

if not find_spec("matplotlib"):
    print("the plot is left out, since matplotlib is missing: pip install matplotlib")
    sys.exit()
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
left.imshow(picture.numpy())
left.axis("off")
right.barh([model.config.id2label[int(number)] for number in classes], values.numpy())
right.invert_yaxis()
right.set_xlabel("probability")
figure.tight_layout()
figure.savefig(arguments.plot)
print("plot in", arguments.plot)
