# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sound models, none of which `buddy bisect` may accuse: in three types of floats, static and with symbolic sizes, against each
kind of reference.

    BUDDY_PYTHON tests/bisect/sound.py --build build [--only PATTERN…] [--archives DIR] [--most-seconds N]

The models are those of tests/models that are quick, in f32, bf16 and f16, against another order, float64 and eager's values; and the
archives in DIR, against another order alone. What does not export or run is told, and does not count. The last line is `N passed, N
failed`; a pass is an archive that no reference accuses.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "models"))

from zoo import MODELS, Model  # noqa: E402

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}


def cast(tree: Any, dtype: torch.dtype) -> Any:
    def one(value: Any) -> Any:
        return value.to(dtype) if isinstance(value, torch.Tensor) and value.dtype == torch.float32 else value

    return torch.utils._pytree.tree_map(one, tree)


def exported(entry: Model, dtype: torch.dtype, path: Path) -> None:
    sample = entry.build()
    program = torch.export.export(sample.module.to(dtype), cast(sample.args, dtype), cast(sample.kwargs, dtype),
                                  dynamic_shapes=sample.dynamic_shapes)
    torch.export.save(program, path)


def archives(only: list[str], folder: Path) -> Iterator[tuple[str, Path]]:
    """Each is there until the next is asked for."""
    for name, entry in MODELS.items():
        for suffix, dtype in DTYPES.items():
            label, path = f"{name}.{suffix}", folder / f"{name}.{suffix}.pt2"
            if not entry.quick or entry.may_refuse or (only and not any(fnmatch.fnmatch(label, pattern) for pattern in only)):
                continue
            try:
                exported(entry, dtype, path)
            except Exception as error:  # of whatever kind: it is PyTorch's
                print(f"{label}: not exported: {str(error).strip().splitlines()[:1]}", flush=True)
                continue
            yield label, path
            path.unlink()


def complaints(buddy: Path, path: Path, references: dict[str, list[object]], cache: str) -> list[str] | None:
    """What it accuses, by reference, of which eager's values alone have inputs of their own; None: the model does not run."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")} | {"BUDDY_CACHE_DIR": cache}

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment, check=False)

    takes_random = run(buddy, "run", "--no-cache", path).returncode == 0
    usable = {name: options for name, options in references.items() if takes_random or name == "eager"}
    if not usable:
        return None
    found = []
    for name, options in usable.items():
        result = run(buddy, "bisect", "--no-cache", path, *options)
        if result.returncode != 0:
            found.append(f"against {name}: {(result.stdout + result.stderr).strip()}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--archives", type=Path)
    parser.add_argument("--most-seconds", type=float, default=float("inf"))
    args = parser.parse_args()
    build, begin = args.build.resolve(), time.monotonic()
    sys.path.insert(0, str(build / "python"))
    from buddy._golden import Refused, write

    warnings.simplefilter("ignore")
    good: list[bool] = []

    def judge(label: str, path: Path, references: dict[str, list[object]], cache: str) -> None:
        found = complaints(build / "bin" / "buddy", path, references, cache)
        if found is None:
            print(f"{label}: does not run with random inputs", flush=True)
            return
        good.append(not found)
        print("\n".join([f"{label}: {'accused' if found else 'sound'}", *found]), flush=True)

    with tempfile.TemporaryDirectory() as name:
        for label, path in archives(args.only, Path(name)):
            if time.monotonic() - begin > args.most_seconds:
                break
            golden = Path(name) / "golden.npz"
            try:
                write(path, golden)
            except Refused as error:
                print(f"{label}: {error}", flush=True)
                continue
            judge(label, path, {"another order": [], "float64": ["--against", "f64"], "eager": ["--against", golden]}, name)
        for path in sorted(args.archives.glob("*.pt2")) if args.archives else ():
            judge(path.stem, path, {"another order": []}, name)
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return len(good) > sum(good) or not good


if __name__ == "__main__":
    sys.exit(main())
