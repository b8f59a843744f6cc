# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that share a compiled model, under ThreadSanitizer: the runtime is built with it, the model's code is not.

    python tests/ahead/run_racing.py --build build

Needs PyTorch, which exports the model. The last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent.parent
TIMES, SECONDS = 3, 300


class Busy(torch.nn.Module):
    """Loops that are worth several threads, weights that are packed once, and what is computed once."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.conv = torch.nn.Linear(256, 256), torch.nn.Conv2d(1, 8, 3)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = torch.softmax(self.linear(x), -1)
        table = torch.arange(256, dtype=torch.float32).sin()
        return y.cumsum(0), self.conv(y.view(1, 1, 64, 256)).relu().sum(1), (y.sin() + table).sum(0), y.sort(1)[0]


def build_runtime(folder: Path) -> None:
    subprocess.run(["cmake", "-S", ROOT / "sdk" / "runtime", "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                    "-DCMAKE_C_FLAGS=-fsanitize=thread"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder], check=True, stdout=subprocess.DEVNULL)


def races(folder: Path) -> bool:
    try:
        done = subprocess.run([folder / "racing", folder / "busy.weights"], cwd=folder, timeout=SECONDS, check=False,
                              env=os.environ | {"TSAN_OPTIONS": "exitcode=66"})
    except subprocess.TimeoutExpired:
        print(f"no end within {SECONDS} s")
        return True
    return done.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runtime = args.build.resolve() / "runtime-threads"
        build_runtime(runtime)
        torch.manual_seed(0)
        torch.export.save(torch.export.export(Busy(), (torch.randn(64, 256),)), folder / "busy.pt2")
        subprocess.run([args.build.resolve() / "bin" / "buddy", "compile", folder / "busy.pt2", "-o", folder / "busy.o"], check=True)
        subprocess.run(["gcc", "-std=gnu17", "-g", "-fsanitize=thread", "-I", folder, ROOT / "tests" / "sdk" / "runtime" / "racing.c",
                        folder / "busy.o", runtime / "libbuddy_math.a", runtime / "libbuddy_runtime.a", "-lm", "-lpthread",
                        "-ldl", "-o", folder / "racing"], check=True)
        for _ in range(TIMES):
            failed += races(folder)
    print(f"{TIMES - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
