# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command's tests stand on: the example's archive, a way to call the command, a folder that goes away."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from archive import rewrite  # noqa: E402

MODEL = ROOT / "examples" / "models" / "lenet5.pt2"
INPUT = ROOT / "examples" / "models" / "lenet5_input.npy"


class Build:
    """The build folder under test, and more archives to test it with."""

    folder = Path()
    models: Path | None = None


CACHE = tempfile.TemporaryDirectory()  # nobody's own cache is touched


def buddy(*words: object, env: dict[str, str] | None = None, seconds: int = 120) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
    return subprocess.run([str(Build.folder / "bin" / "buddy"), *map(str, words)], capture_output=True, text=True,
                          env=clean | {"BUDDY_CACHE_DIR": CACHE.name} | (env or {}), timeout=seconds, errors="replace", check=False)


def floats(path: Path) -> list[float]:
    """The float32 numbers of a .npy file."""
    data = path.read_bytes()
    start = 10 + int.from_bytes(data[8:10], "little")
    return list(struct.unpack(f"<{(len(data) - start) // 4}f", data[start:]))


class CommandTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def check(self, result: subprocess.CompletedProcess[str], status: int, *patterns: str) -> None:
        text = result.stdout + result.stderr
        self.assertEqual(result.returncode, status, text[-2000:])
        for pattern in patterns:
            self.assertRegex(text, re.compile(pattern, re.IGNORECASE))

    def rewrite(self, edit) -> Path:
        """The example's archive with its program changed by `edit`."""
        out = self.folder / "edited.pt2"
        rewrite(MODEL, out, lambda name, data: edit(data) if name.endswith("models/model.json") else data)
        return out

    def rewrite_json(self, edit) -> Path:
        def change(data: bytes) -> bytes:
            program = json.loads(data)
            edit(program)
            return json.dumps(program).encode()

        return self.rewrite(change)


def main() -> int:
    """Runs the tests of the script that was started."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--models", type=Path)
    args, rest = parser.parse_known_args()
    Build.folder, Build.models = args.build.resolve(), args.models
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 1 if failed else 0
