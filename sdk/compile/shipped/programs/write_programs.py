#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the programs beside this file: typical layers, whose kernels come compiled with the library.

    python3 write_programs.py build/bin/buddy [PROGRAM...]        # needs PyTorch; all of them if none is named

Each is what `buddy import` makes of a small network: what a kernel's text says depends on the layers
around it (layouts, what follows a product), so layers stand together as they do in models. Widths are
those of models, too, since they decide how a product is cut. Run it again when the importer or a
registry writes such layers in another way.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import torch
from torch import nn
from torch.nn import functional as F

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / "tests" / "models"))
from quantized import quantize  # noqa: E402


def norm_conv(i, o, k=3, s=1, act=None, groups=1):
    layers = [nn.Conv2d(i, o, k, s, k // 2, groups=groups, bias=False), nn.BatchNorm2d(o)]
    return nn.Sequential(*layers, *([act()] if act else []))


class Residual(nn.Module):
    """relu(body(x) + shortcut(x))"""

    def __init__(self, body, shortcut=None):
        super().__init__()
        self.body, self.shortcut = body, shortcut or nn.Identity()

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


class Add(nn.Module):
    """x + body(x): not the order of Residual, as that of models is not."""

    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        return x + self.body(x)


class Squeeze(nn.Module):
    def __init__(self, c, squeezed, act, gate):
        super().__init__()
        self.down, self.up = nn.Conv2d(c, squeezed, 1), nn.Conv2d(squeezed, c, 1)
        self.act, self.gate = act(), gate()

    def forward(self, x):
        return x * self.gate(self.up(self.act(self.down(F.adaptive_avg_pool2d(x, 1)))))


def basic(i, o, s=1):
    body = nn.Sequential(norm_conv(i, o, 3, s, nn.ReLU), norm_conv(o, o))
    return Residual(body, norm_conv(i, o, 1, s) if s > 1 else None)


def bottleneck(i, width, o, s=1):
    body = nn.Sequential(norm_conv(i, width, 1, 1, nn.ReLU), norm_conv(width, width, 3, s, nn.ReLU),
                         norm_conv(width, o, 1))
    return Residual(body, norm_conv(i, o, 1, s) if i != o else None)


def inverted(i, width, o, k, s, act, gate=None):
    layers = [norm_conv(i, width, 1, 1, act), norm_conv(width, width, k, s, act, groups=width)]
    if gate:
        layers.append(Squeeze(width, 8 * max(1, width // 32), nn.ReLU if act is nn.Hardswish else act, gate))
    body = nn.Sequential(*layers, norm_conv(width, o, 1))
    return Add(body) if i == o and s == 1 else body


def end(c):
    return [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(c, 1000)]


def residual_network():
    return nn.Sequential(norm_conv(3, 64, 7, 2, nn.ReLU), nn.MaxPool2d(3, 2, 1), basic(64, 64), basic(64, 128, 2),
                         basic(128, 128), basic(128, 256, 2), basic(256, 256), basic(256, 512, 2), basic(512, 512), *end(512))


def short_network():
    return nn.Sequential(norm_conv(3, 64, 7, 2, nn.ReLU), nn.MaxPool2d(3, 2, 1), basic(64, 64), basic(64, 128, 2),
                         basic(128, 256, 2), *end(256))


def bottleneck_network():
    return nn.Sequential(norm_conv(3, 64, 7, 2, nn.ReLU), nn.MaxPool2d(3, 2, 1), bottleneck(64, 64, 256),
                         bottleneck(256, 128, 512, 2), bottleneck(512, 256, 1024, 2), bottleneck(1024, 256, 1024),
                         bottleneck(1024, 512, 2048, 2), bottleneck(2048, 512, 2048), *end(2048))


def inverted_network(act, early, gate=None):
    k, c, d = (5, 80, 112) if gate else (3, 64, 96)
    return nn.Sequential(norm_conv(3, 32, 3, 2, act), norm_conv(32, 32, 3, 1, early, groups=32), norm_conv(32, 16, 1),
                         inverted(16, 96, 24, 3, 2, early), inverted(24, 144, 24, 3, 1, early),
                         inverted(24, 144, 40, k, 2, early, gate), inverted(40, 240, 40, k, 1, early, gate),
                         inverted(40, 240, c, 3, 2, act), inverted(c, 6 * c, c, 3, 1, act),
                         inverted(c, 6 * c, d, 3, 1, act), inverted(d, 6 * d, 160, k, 2, act, gate),
                         inverted(160, 960, 160, k, 1, act, gate), inverted(160, 960, 320, 3, 1, act),
                         norm_conv(320, 1280, 1, 1, act), *end(1280))


def plain_network():
    """Convolutions with a bias."""
    layers = []
    for i, o, pools in ((3, 64, 0), (64, 64, 1), (64, 128, 1), (128, 256, 1), (256, 512, 1), (512, 512, 1)):
        layers += [nn.Conv2d(i, o, 3, 1, 1), nn.ReLU(), *([nn.MaxPool2d(2)] if pools else [])]
    return nn.Sequential(*layers, nn.Conv2d(512, 512, 1), nn.Flatten(), nn.Linear(512 * 49, 1000))


class Encoder(nn.Module):
    def __init__(self, width, act):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norms, self.act = nn.ModuleList(nn.LayerNorm(width) for _ in range(2)), act

    def forward(self, x):
        heads = [f(x).unflatten(-1, (-1, 64)).transpose(1, 2) for f in (self.query, self.key, self.value)]
        x = self.norms[0](x + self.out(F.scaled_dot_product_attention(*heads).transpose(1, 2).flatten(2)))
        return self.norms[1](x + self.down(self.act(self.up(x))))


class Decoder(nn.Module):
    """No biases, a gate."""

    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.gate, self.up = (nn.Linear(width, 4 * width, bias=False) for _ in range(2))
        self.down, self.norm = nn.Linear(4 * width, width, bias=False), nn.RMSNorm(width)

    def forward(self, x):
        y = self.norm(x)
        heads = [f(y).unflatten(-1, (-1, 64)).transpose(1, 2) for f in (self.query, self.key, self.value)]
        x = x + self.out(F.scaled_dot_product_attention(*heads, is_causal=True).transpose(1, 2).flatten(2))
        y = self.norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Patches(nn.Module):
    """How a picture becomes rows."""

    def __init__(self):
        super().__init__()
        self.patches, self.encoder = nn.Conv2d(3, 768, 16, 16), Encoder(768, F.gelu)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        return self.encoder(torch.cat([x[:, :1], x], 1))


def of_bytes(make, sizes):
    """The same in eight bits, as PT2E leaves it; norms are part of the convolutions by then."""
    torch.manual_seed(0)
    network = make().eval()
    for module in list(network.modules()):
        if isinstance(module, nn.Sequential) and len(module) > 1 and isinstance(module[1], nn.BatchNorm2d):
            module[0], module[1] = nn.utils.fuse_conv_bn_eval(module[0], module[1]), nn.Identity()
    return quantize(network, torch.rand(sizes)).module


PICTURE = (1, 3, 224, 224)
PROGRAMS = {
    "residual": (residual_network, PICTURE),
    "bottleneck": (bottleneck_network, PICTURE),
    "inverted_relu6": (lambda: inverted_network(nn.ReLU6, nn.ReLU6), PICTURE),
    "inverted_hardswish": (lambda: inverted_network(nn.Hardswish, nn.ReLU, nn.Hardsigmoid), PICTURE),
    "inverted_silu": (lambda: inverted_network(nn.SiLU, nn.SiLU, nn.Sigmoid), PICTURE),
    "plain": (plain_network, PICTURE),
    "patches": (Patches, PICTURE),
    "encoder": (lambda: Encoder(768, F.gelu), (1, 128, 768)),
    "encoder_relu": (lambda: Encoder(512, F.relu), (1, 512, 512)),
    "decoder": (lambda: Decoder(512), (1, 128, 512)),
    "bytes_residual": (lambda: of_bytes(short_network, PICTURE), PICTURE),
    "bytes_encoder": (lambda: of_bytes(lambda: Encoder(768, F.gelu), (1, 128, 768)), (1, 128, 768)),
}


def mark_weights(text):
    """All arguments but the last, the user's."""
    start = text.index("@forward(") + len("@forward(")
    stop = text.index(") -> ", start)
    arguments = re.split(r", (?=%arg)", text[start:stop])
    marked = [a + " {buddy.weight}" for a in arguments[:-1]] + arguments[-1:]
    return text[:start] + ", ".join(marked) + text[stop:]


def main():
    buddy = sys.argv[1]
    for name, (make, sizes) in PROGRAMS.items():
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        torch.manual_seed(0)
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            program = torch.export.export(make().eval(), (torch.zeros(sizes),))
            torch.export.save(program, f"{folder}/p.pt2")
            subprocess.run([buddy, "import", f"{folder}/p.pt2", "-o", f"{folder}/p.mlir"], check=True)
            text = pathlib.Path(f"{folder}/p.mlir").read_text()
        (HERE / f"{name}.mlir").write_text(mark_weights(text))


if __name__ == "__main__":
    main()
