"""Runs exported models through IREE: `buddy import --for iree`, iree-compile, the local CPU; compared with PyTorch.

    python tests/models/run_iree.py --buddy PATH --models DIR [--only NAME…]

DIR is what export.py wrote; archives of one size are taken, with each of their calls. Prints a line per archive and last
`N passed, N failed`; the exit status is 1 if any failed. Needs iree-base-compiler and iree-base-runtime.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import iree.compiler as compiler
import iree.runtime as runtime
import numpy as np
from compare import compare


def load(binary: bytes):
    """The module's functions, on a device and in a context of their own."""
    system = runtime.SystemContext(config=runtime.Config("local-sync"))
    system.add_vm_module(runtime.VmModule.copy_buffer(system.instance, binary))
    return system.modules.module


def problems_of(buddy: Path, archive: Path, folder: Path, size: dict) -> list[str]:
    with tempfile.TemporaryDirectory() as place:
        module = Path(place) / "model.mlir"
        command = [buddy, "import", "--for", "iree", "--params", "resource", archive, "-o", module]
        imported = subprocess.run(command, capture_output=True, text=True)
        if imported.returncode != 0:
            return [imported.stderr.strip()]
        try:
            binary = compiler.compile_file(str(module), target_backends=["llvm-cpu"],
                                           extra_args=["--iree-llvmcpu-target-cpu=generic"])  # fmt: skip
        except compiler.CompilerToolError as error:
            return [str(error)[:400]]
    model, found = load(binary), []
    for call in [size, *size["further"]]:
        inputs = [np.load(folder / value["file"]) for value in call["inputs"] if "file" in value]
        results = model.forward(*inputs)
        results = results if isinstance(results, (list, tuple)) else [results]
        expected = [value for value in call["outputs"] if "file" in value]
        if len(results) != len(expected):
            return [f"{len(results)} results, {len(expected)} expected"]
        for result, value in zip(results, expected):
            outcome = compare(np.load(folder / value["file"]), result.to_host(), dtype=value["dtype"])
            found += [outcome.problem] if outcome.problem else []
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--buddy", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="NAME")
    args = parser.parse_args()
    passed = failed = 0
    index = json.loads((args.models / "index.json").read_text())
    for name, entry in sorted(index["archives"].items()):
        if len(entry["sizes"]) != 1 or not any(fnmatch.fnmatch(name, glob) for glob in args.only):
            continue
        problems = problems_of(args.buddy, args.models / entry["archive"], args.models / entry["folder"],
                               entry["sizes"][0])
        print(f"{'failed' if problems else 'passed':8} {name}  {'; '.join(problems)[:400]}", flush=True)
        passed, failed = passed + (not problems), failed + bool(problems)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
