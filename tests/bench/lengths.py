# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of symbolic lengths beside that of known ones: the same tensors through both programs, in turns.

    python tests/bench/lengths.py --build build [--threads N] [--rounds N]

A line for each shape: the least time of a run of known lengths and of symbolic ones, in milliseconds, and the speed of the
second over the first. On one thread the time is the CPU's. Needs PyTorch; measures, and judges nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import torch
from torch import nn
from torch.export import Dim

# Batches, heads, elements of a head.
SHAPES = ((1, 12, 64), (4, 12, 32), (1, 6, 128))
LENGTHS = (16, 128, 512)


class Attention(nn.Module):
    def __init__(self, is_causal: bool) -> None:
        super().__init__()
        self.is_causal = is_causal

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.is_causal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    sys.path.insert(0, str(options.build / "python"))
    import buddy

    clock = time.process_time if options.threads == 1 else time.perf_counter

    def loaded(module: nn.Module, length: int, dims: object) -> buddy.Model:
        inputs = tuple(torch.randn(b, h, length, d) for _ in range(3))
        with tempfile.NamedTemporaryFile(suffix=".pt2") as file:
            torch.export.save(torch.export.export(module, inputs, dynamic_shapes=dims), file.name)
            return buddy.load(file.name, threads=options.threads)

    def seconds(model: buddy.Model, inputs: list[torch.Tensor], n: int) -> float:
        begin = clock()
        for _ in range(n):
            model(*inputs)
        return (clock() - begin) / n

    print(f"{'shape':24} {'known':>9} {'symbolic':>9}  speed")
    for is_causal in (False, True):
        for b, h, d in SHAPES:
            module = Attention(is_causal)
            symbolic = loaded(module, 100, ({2: Dim("length", max=4096)},) * 3)
            for length in LENGTHS:
                models = (loaded(module, length, None), symbolic)
                inputs = [torch.randn(b, h, length, d) for _ in range(3)]
                n = max(1, int(0.005 / max(seconds(m, inputs, 2) for m in models)))
                times = [[seconds(m, inputs, n) for m in models] for _ in range(options.rounds)]
                known, any_length = (1e3 * min(column) for column in zip(*times, strict=True))
                shape = f"{b}x{h}x{length}x{d}{' causal' if is_causal else ''}"
                print(f"{shape:24} {known:9.3f} {any_length:9.3f}  {known / any_length:.2f}", flush=True)


if __name__ == "__main__":
    main()
