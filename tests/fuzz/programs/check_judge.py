# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the judge tells what is wrong: one number that buddy gave is changed before it is judged.

    python3 tests/fuzz/programs/check_judge.py --build build [--programs N] [--seed S] [--least 0.9]

Programs and roads are those of run_programs.py. In one run of a program, which its seed chooses, one element of one result is

  off       by a thousandth of the largest number (16 bits and less: a sixteenth; whole numbers: by one; truths: the other)
  exchanged with an element that differs as much
  stale     the whole result is that of the run before, where it differs as much

A change that no judge could tell is none: of numbers that are infinite or NaN, of results that noise moves that far. What is changed
and judged right is missed. The last line is `N passed, N failed`; the exit status is 1 if fewer than --least are told.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import warnings
from collections import Counter
from pathlib import Path

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch  # noqa: E402

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent.parent)]

import judge  # noqa: E402
from generate import generate  # noqa: E402
from native import Library  # noqa: E402
from run_programs import roads_of  # noqa: E402

CHANGES = ("off", "exchanged", "stale")


def step(value: torch.Tensor) -> float:
    """How far apart numbers of this result are that differ."""
    if not (value.is_floating_point() or value.is_complex()):
        return 1
    wide = value.to(torch.complex128).abs()
    wide = wide[wide.isfinite()]
    return (1e-3 if value.element_size() >= 4 else 1 / 16) * float(wide.max()) if wide.numel() else 0


def is_far(a: torch.Tensor, b: torch.Tensor, least: float) -> torch.Tensor:
    a, b = (one.to(torch.complex128) for one in (a, b))
    return a.isfinite() & b.isfinite() & ((a - b).abs() >= least)


def moved(one: torch.Tensor, least: float) -> torch.Tensor:
    if one.dtype == torch.bool:
        return ~one
    if one.is_floating_point() or one.is_complex():
        return (one.to(torch.complex128 if one.is_complex() else torch.float64) + least).to(one.dtype)
    return one ^ 1


class Planted:
    """A model one of whose results is changed in one run."""

    def __init__(self, model, program, change: str):
        self.model, self.change, self.random = model, change, torch.Generator().manual_seed(program.seed)
        self.run_changed, self.n_runs = program.seed // len(CHANGES) % len(program.runs), 0
        self.before, self.what = None, ""

    def __getattr__(self, name: str):
        return getattr(self.model, name)

    def run(self, inputs):
        results = self.model.run(inputs)
        before, self.before = self.before, [one.clone() for one in results]
        self.n_runs += 1
        if self.n_runs > self.run_changed and not self.what:
            for i, one in enumerate(results):
                least = step(one)
                if least > 0 and one.numel() > 0 and self.change_one(one, least, before[i] if before else None):
                    self.what = f"{self.change} {list(one.shape)} {one.dtype} in run {self.n_runs - 1}"
                    break
        return results

    def change_one(self, value: torch.Tensor, least: float, before: torch.Tensor | None) -> bool:
        if self.change == "stale":
            if before is None or before.shape != value.shape or before.dtype != value.dtype or not is_far(value, before, least).any():
                return False
            value.copy_(before)
            return True
        at = int(torch.randint(value.numel(), (), generator=self.random))
        flat = value.flatten()  # a copy where it must be
        other = flat.clone()
        if self.change == "exchanged":
            found = is_far(flat, flat[at], least).nonzero()
            if not len(found):
                return False
            other[at], other[found[0]] = flat[found[0]], flat[at]
        else:
            other[at] = moved(flat[at], least)
            if not is_far(flat[at], other[at], least / 2):
                return False
        value.copy_(other.reshape(value.shape))
        return True


def is_in_noise(program, text: str) -> bool:
    """Whether noise moves some number of the run as far as the change did."""
    reference = judge.Reference(program, int(text.rsplit(" ", 1)[1]))
    return any(one.shape != values[0].shape or bool(is_far(one, values[0], step(values[0])).any())
               for values in zip(*reference.noisy()) for one in values)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=3000)
    parser.add_argument("--least", type=float, default=0.9, help="the part that is to be told")
    args = parser.parse_args()
    torch.set_num_threads(1)
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    library, load = Library(args.build.resolve()), judge.load
    told, missed, n_noisy = Counter(), Counter(), 0
    for seed in range(args.seed, args.seed + args.programs):
        program, change, models = generate(seed), CHANGES[seed % len(CHANGES)], []

        def load_planted(*words, program=program, change=change, models=models):
            models.append(Planted(load(*words), program, change))
            return models[-1]
        judge.load = load_planted
        verdict = judge.judge(library, args.build.resolve(), program, roads_of(seed, 0))
        what = next((one.what for one in models if one.what), "")
        if not what:
            continue
        if verdict.outcome != "right":
            told[change] += 1
        elif is_in_noise(program, what):
            n_noisy += 1
        else:
            missed[change] += 1
            print(f"missed, seed {seed}: {what}", flush=True)
    for change in CHANGES:
        print(f"{change:10} {told[change]:6} told {missed[change]:6} missed")
    n, n_missed = sum(told.values()), sum(missed.values())
    is_well = n + n_missed > 0 and n >= args.least * (n + n_missed)
    print(f"{n_noisy} more are moved as far by noise; {n} of {n + n_missed} changes told\n{int(is_well)} passed, {int(not is_well)} failed")
    return not is_well


if __name__ == "__main__":
    sys.exit(main())
