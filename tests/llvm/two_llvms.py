# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One and the same file of a portable registry, on two LLVMs; native files of one are refused by the other.

    python3 tests/llvm/two_llvms.py --build build --other build/llvm-19
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MODEL = ROOT / "tests" / "fuzz" / "corpus" / "pt2_fuzz" / "mul_add.pt2"
# What tests/docs/test_sources.py knows of the older one without having it.
SINCE = ROOT / "tests" / "llvm" / "since_19.txt"
BUILD, OTHER = Path(), Path()


def functions(build: Path) -> set[str]:
    """Those of the C API that the tree is built on."""
    found = re.search(r"^LLVM_ROOT:PATH=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    assert found
    headers = [path for api in ("llvm-c", "mlir-c") for path in (Path(found[1]) / "include" / api).rglob("*.h")]
    return {name for path in headers for name in re.findall(r"\b((?:mlir|LLVM)[A-Z]\w*)\(", path.read_text())}


def buddy(build: Path, *words: object) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
    return subprocess.run([build / "bin" / "buddy", *map(str, words)], capture_output=True, text=True, check=False, env=clean,
                          timeout=600)


def registries(build: Path, folder: Path) -> dict[str, dict]:
    listing = json.loads(buddy(build, "registries", "--json", "--plugin-dir", folder).stdout)
    return {row["name"]: row for row in listing["registries"] if Path(row["path"]).parent == folder}


class TwoLlvmsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def take(self, *files: Path) -> None:
        for file in files:
            shutil.copy(file, self.folder)

    def test_list_of_what_the_older_one_lacks(self) -> None:
        self.assertEqual(SINCE.read_text().splitlines()[1:], sorted(functions(BUILD) - functions(OTHER)))

    def test_portable_files_serve_both(self) -> None:
        tree, kit = BUILD / "lib" / "buddy" / "plugins-1", BUILD / "tests" / "kit" / "plugins"
        self.take(kit / "buddy_portabletosa.so", kit / "buddy_kitrows.so", tree / "buddy_composite.so", tree / "buddy_vendor.so")
        for build in (BUILD, OTHER):
            found = registries(build, self.folder)
            self.assertEqual(sorted(found), ["composite", "kitrows", "portabletosa", "vendor"])
            self.assertTrue(all(row["usable"] and row["llvm"] == "" for row in found.values()), found)

    def test_every_row_emits_what_either_verifies(self) -> None:
        for folder, name in (("tests/kit/plugins", "portabletosa"), ("lib/buddy/plugins-1", "vendor")):
            taken = []
            for build in (BUILD, OTHER):
                file = BUILD / folder / f"buddy_{name}.so"
                report = json.loads(buddy(build, "plugin", "check", "--quick", "--json", file).stdout)
                self.assertEqual([one for one in report["findings"] if one["severity"] == "error"], [])
                taken.append({op["op"]: op["taken"] for op in report["ops"]})
            self.assertEqual(taken[0], taken[1])
            self.assertGreater(sum(taken[0].values()), 30)

    def test_ops_are_spelled_as_each_wants_them(self) -> None:
        self.take(BUILD / "tests" / "kit" / "plugins" / "buddy_portabletosa.so")
        modules = {}
        for build in (BUILD, OTHER):
            result = buddy(build, "import", MODEL, "--plugin-dir", self.folder, "--registries", "portabletosa")
            self.assertEqual(result.returncode, 0, result.stderr)
            modules[build] = result.stdout
        self.assertRegex(modules[BUILD], r"tosa.mul %arg0, %arg1, %0 : \(tensor<10xf32>, tensor<10xf32>, tensor<1xi8>\)")
        self.assertRegex(modules[OTHER], r"tosa.mul %arg0, %arg1 \{shift = 0 : i8\}")

    def test_native_files_are_refused_by_their_note(self) -> None:
        self.take(BUILD / "lib" / "buddy" / "plugins-1" / "buddy_tosa.so")
        row = registries(OTHER, self.folder)["tosa"]
        self.assertFalse(row["usable"])
        self.assertRegex(row["refusal"], "22.1.*19.1")

    def test_native_files_are_refused_by_the_dynamic_linker(self) -> None:
        file = BUILD / "lib" / "buddy" / "plugins-1" / "buddy_tosa.so"
        program = f"import ctypes; ctypes.CDLL({str(file)!r})"
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                                env=os.environ | {"LD_LIBRARY_PATH": str(OTHER / "lib")})
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("version `BUDDY_LLVM_22.1' not found", result.stderr)

    def test_the_older_one_compiles_nothing_and_says_so(self) -> None:
        self.take(BUILD / "tests" / "kit" / "plugins" / "buddy_portabletosa.so")
        result = buddy(OTHER, "run", MODEL, "--no-cache", "--plugin-dir", self.folder, "--registries", "portabletosa")
        self.assertEqual(result.returncode, 1)
        self.assertIn("programs are compiled with LLVM 22", result.stderr)


def main() -> int:
    global BUILD, OTHER
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--other", type=Path, required=True)
    args, rest = parser.parse_known_args()
    BUILD, OTHER = args.build.resolve(), args.other.resolve()
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    failed = len(program.result.failures) + len(program.result.errors)
    print(f"{program.result.testsRun - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
