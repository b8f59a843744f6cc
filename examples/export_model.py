# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a small network on drawn digits and exports it: how a .pt2 archive comes about.

    python examples/export_model.py [DIR]          (needs torch and numpy; takes half a minute)

writes, into examples/models unless told otherwise,

    lenet5.pt2             the archive: the program and its weights
    lenet5_input.npy       a drawn 7, as the network takes it: 1 x 1 x 28 x 28, f32
    lenet5_expected.npy    what PyTorch computes for it: one score for each digit

The part that matters for a model of your own is `export` below: three lines.
"""

import math
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

# Each digit is one or two strokes: points in a square, x to the right and y downwards.
# fmt: off
STROKES: list[list[list[tuple[float, float]]]] = [
    [[(0.5, 0.1), (0.75, 0.25), (0.8, 0.5), (0.75, 0.75), (0.5, 0.9), (0.25, 0.75), (0.2, 0.5),
      (0.25, 0.25), (0.5, 0.1)]],
    [[(0.35, 0.25), (0.55, 0.1), (0.55, 0.9)]],
    [[(0.25, 0.25), (0.5, 0.1), (0.75, 0.3), (0.6, 0.55), (0.25, 0.9), (0.8, 0.9)]],
    [[(0.25, 0.15), (0.6, 0.12), (0.72, 0.3), (0.45, 0.48), (0.75, 0.65), (0.62, 0.88), (0.25, 0.85)]],
    [[(0.6, 0.1), (0.2, 0.62), (0.8, 0.62)], [(0.62, 0.4), (0.62, 0.9)]],
    [[(0.75, 0.1), (0.3, 0.1), (0.27, 0.45), (0.6, 0.42), (0.77, 0.65), (0.6, 0.88), (0.25, 0.87)]],
    [[(0.65, 0.1), (0.35, 0.35), (0.25, 0.65), (0.45, 0.9), (0.7, 0.78), (0.65, 0.55), (0.28, 0.6)]],
    [[(0.2, 0.12), (0.8, 0.12), (0.42, 0.9)]],
    [[(0.5, 0.48), (0.27, 0.3), (0.5, 0.1), (0.73, 0.3), (0.5, 0.48), (0.75, 0.7), (0.5, 0.9),
      (0.25, 0.7), (0.5, 0.48)]],
    [[(0.72, 0.38), (0.45, 0.46), (0.3, 0.3), (0.48, 0.1), (0.72, 0.2), (0.72, 0.45), (0.62, 0.9)]],
]
# fmt: on


def draw(digit: int, size: int = 28, wobble: float = 1.0) -> Tensor:
    """A picture of `digit`, white on black, turned, scaled, shifted and bent at random by `wobble`."""
    angle, scale = wobble * torch.randn(()) * 0.15, 0.75 + wobble * torch.rand(()) * 0.2
    turn = torch.tensor([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]) * scale
    shift = 0.5 + wobble * torch.randn(2) * 0.04
    axis = (torch.arange(size) + 0.5) / size
    pixels = torch.stack(torch.meshgrid(axis, axis, indexing="xy"), dim=-1)
    distance = torch.full((size, size), 1.0)
    for stroke in STROKES[digit]:
        points = torch.tensor(stroke) + wobble * torch.randn(len(stroke), 2) * 0.025
        points = (points - 0.5) @ turn.T + shift
        for a, b in zip(points[:-1], points[1:], strict=True):
            along = ((pixels - a) @ (b - a) / (b - a).square().sum()).clamp(0, 1)
            distance = torch.minimum(distance, (pixels - a - along[..., None] * (b - a)).norm(dim=-1))
    pen = 0.045 + wobble * torch.rand(()) * 0.02
    return ((pen - distance) * size + 0.5).clamp(0, 1)


class LeNet5(nn.Module):
    """LeCun's network in its usual modern form: ReLU and max pooling."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


def train(model: nn.Module, steps: int = 250, batch: int = 64) -> None:
    """Shows the model freshly drawn digits until it can read them."""
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    model.train()
    for step in range(1, steps + 1):
        digits = torch.randint(0, 10, (batch,))
        pictures = torch.stack([draw(int(digit)) for digit in digits])[:, None]
        scores = model(pictures)
        loss = F.cross_entropy(scores, digits)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            right = (scores.argmax(1) == digits).float().mean()
            print(f"step {step}: loss {loss:.3f}, {right:.0%} right")


def export(model: nn.Module, example: Tensor, path: Path) -> None:
    """Exports what `model` does with inputs like `example`."""
    model.eval()  # or dropout and batch norm are exported as they behave in training
    program = torch.export.export(model, (example,))
    forget_folders(program)
    torch.export.save(program, path)


def forget_folders(program: torch.export.ExportedProgram) -> None:
    """Shortens the file names that the archive keeps for error messages, so that it is the same on every machine."""
    folders = [Path(__file__).resolve().parent.parent, Path(torch.__file__).parent.parent.parent]
    for node in program.graph.nodes:
        for folder in folders:
            if node.stack_trace:
                node.stack_trace = node.stack_trace.replace(f"{folder}/", "")


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "models"
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(7)
    model = LeNet5()
    train(model)

    picture = draw(7, wobble=0.5)[None, None]
    export(model, picture, folder / "lenet5.pt2")
    with torch.no_grad():
        scores = model(picture)
    np.save(folder / "lenet5_input.npy", picture.numpy())
    np.save(folder / "lenet5_expected.npy", scores.numpy())

    for row in picture[0, 0]:
        print("".join(" .:*#"[int(pixel * 4.99)] * 2 for pixel in row))
    print(f"reads it as {int(scores.argmax())}, sure to {float(scores.softmax(1).max()):.1%}")
    print(f"wrote {folder / 'lenet5.pt2'}, {(folder / 'lenet5.pt2').stat().st_size} bytes")


if __name__ == "__main__":
    main()
