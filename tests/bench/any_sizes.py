# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of symbolic sizes beside those of known ones: the same tensors through all of them and through eager, in turns.

    python tests/bench/any_sizes.py --build build [--only NAME…] [--threads N] [--seconds S]

A line for each module: milliseconds of eager and of known sizes, the least of all runs, and how many times as long the
program takes of which only a run knows the batch, the places (lines, lengths), or both. Needs PyTorch; measures, and
judges nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

AUTO = torch.export.Dim.AUTO


class Branches(nn.Module):
    """Down, and up again beside what was there before."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.down, self.deep = block(3, 32), block(32, 64), block(64, 64)
        self.up, self.end, self.last = nn.ConvTranspose2d(64, 32, 2, 2), block(64, 32), nn.Conv2d(32, 4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x)
        y = self.deep(self.down(nn.functional.max_pool2d(x, 2)))
        return self.last(self.end(torch.cat([x, self.up(y)], 1)))


class Attention(nn.Module):
    def __init__(self, heads: int, is_causal: bool) -> None:
        super().__init__()
        self.heads, self.is_causal = heads, is_causal

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in x.chunk(3, -1))
        return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.is_causal)


def block(before: int, after: int, window: int = 3, stride: int = 1, groups: int = 1) -> nn.Module:
    convolution = nn.Conv2d(before, after, window, stride, window // 2, groups=groups, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(after), nn.ReLU())


# By name: the module, the sizes of its input, and which dims are a batch and which are places.
MODULES: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "1x1": (lambda: nn.Sequential(block(64, 256, 1), block(256, 64, 1)), (1, 64, 56, 56), (0,), (2, 3)),
    "3x3": (lambda: nn.Sequential(block(64, 64), block(64, 64)), (1, 64, 56, 56), (0,), (2, 3)),
    "3x3, steps of 2": (lambda: block(64, 128, 3, 2), (1, 64, 56, 56), (0,), (2, 3)),
    "7x7, steps of 2": (lambda: block(3, 64, 7, 2), (1, 3, 224, 224), (0,), (2, 3)),
    "patches of 16x16": (lambda: nn.Conv2d(3, 192, 16, 16), (1, 3, 224, 224), (0,), (2, 3)),
    "depthwise 3x3": (lambda: block(144, 144, 3, 1, 144), (1, 144, 56, 56), (0,), (2, 3)),
    "1x1, depthwise, 1x1": (lambda: nn.Sequential(block(24, 144, 1), block(144, 144, 3, 1, 144), nn.Conv2d(144, 24, 1)),
                            (1, 24, 56, 56), (0,), (2, 3)),
    "groups": (lambda: block(128, 128, 3, 1, 8), (1, 128, 28, 28), (0,), (2, 3)),
    "branches": (Branches, (1, 3, 128, 128), (0,), (2, 3)),
    "transposed": (lambda: nn.ConvTranspose2d(128, 64, 4, 2, 1), (1, 128, 16, 16), (0,), (2, 3)),
    "over one axis": (lambda: nn.Sequential(nn.Conv1d(80, 256, 3, 1, 1), nn.GELU(), nn.Conv1d(256, 256, 3, 2, 1)), (1, 80, 600),
                      (0,), (2,)),
    "of sound": (lambda: nn.Sequential(nn.Conv1d(1, 256, 10, 5), nn.GELU(), nn.Conv1d(256, 256, 3, 2)), (1, 1, 8000), (0,), (2,)),
    "over three axes": (lambda: nn.Conv3d(16, 32, 3, 1, 1), (1, 16, 8, 28, 28), (0,), (2, 3, 4)),
    "largest of 3x3": (lambda: nn.MaxPool2d(3, 2, 1), (1, 64, 112, 112), (0,), (2, 3)),
    "mean of all places": (lambda: nn.AdaptiveAvgPool2d(1), (1, 512, 28, 28), (0,), (2, 3)),
    "group norm": (lambda: nn.GroupNorm(8, 64), (1, 64, 56, 56), (0,), (2, 3)),
    "softmax": (lambda: nn.Softmax(-1), (12, 196, 196), (0,), (1, 2)),
    "encoder layer": (lambda: nn.TransformerEncoderLayer(256, 4, 1024, 0, batch_first=True), (1, 64, 256), (0,), (1,)),
    "LSTM": (lambda: nn.LSTM(128, 128), (32, 4, 128), (1,), (0,)),
    "GRU": (lambda: nn.GRU(128, 128), (32, 4, 128), (1,), (0,)),
    **{f"attention of {n}{' causal' if is_causal else ''}":
       (lambda is_causal=is_causal: Attention(12, is_causal), (1, n, 3 * 12 * 64), (0,), (1,))
       for is_causal in (False, True) for n in (16, 128, 512)},
}  # fmt: skip


def least(runs: list[Callable[[], object]], seconds: float) -> list[float]:
    """Of each, in turns, in milliseconds."""
    times: list[list[float]] = [[] for _ in runs]
    for run in (*runs, *runs):
        run()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for run, of_run in zip(runs, times, strict=True):
            begin = time.perf_counter()
            run()
            of_run.append(time.perf_counter() - begin)
    return [1e3 * min(of_run) for of_run in times]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only", nargs="+", metavar="NAME", default=list(MODULES), choices=list(MODULES))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1)
    options = parser.parse_args()
    sys.path.insert(0, str(options.build / "python"))
    import buddy

    torch.set_num_threads(options.threads)

    def loaded(module: nn.Module, x: torch.Tensor, dims: tuple[int, ...]) -> buddy.Model:
        shapes = ({k: AUTO for k in dims},) if dims else None
        with tempfile.NamedTemporaryFile(suffix=".pt2") as file:
            torch.export.save(torch.export.export(module, (x,), dynamic_shapes=shapes), file.name)
            return buddy.load(file.name, cache=False, threads=options.threads)

    print(f"{'module':24} {'eager':>9} {'known':>9}   batch  places    both")
    for name in options.only:
        make, sizes, batch, places = MODULES[name]
        torch.manual_seed(0)
        module, x = make().eval(), torch.randn(sizes)
        several = torch.randn([max(n, 2) if k in batch else n for k, n in enumerate(sizes)])
        models = [loaded(module, several if set(dims) & set(batch) else x, dims) for dims in ((), batch, places, (*batch, *places))]
        with torch.no_grad():
            eager, known, *any_size = least([lambda: module(x), *(lambda m=m: m(x) for m in models)], options.seconds)
        print(f"{name:24} {eager:9.3f} {known:9.3f} {''.join(f'{t / known:8.2f}' for t in any_size)}", flush=True)


if __name__ == "__main__":
    main()
