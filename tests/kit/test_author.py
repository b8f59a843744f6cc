# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An author's way: install, move the tree, write a registry from the template, build, check, drop in, use.

    python3 tests/kit/test_author.py --build build
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MODEL = ROOT / "examples" / "models" / "lenet5.pt2"
BUILD = Path()


class AuthorTest(unittest.TestCase):
    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        installed = cls.folder / "installed"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", installed], check=True, stdout=subprocess.DEVNULL)
        cls.prefix = cls.folder / "moved" / "here"
        cls.prefix.parent.mkdir()
        installed.rename(cls.prefix)  # nothing in it may know where it was

    def run_in(self, folder: Path, *words: object, env: dict[str, str] | None = None) -> str:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
        result = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False,
                                env=clean | {"HOME": str(self.folder / "home")} | (env or {}), timeout=280)
        self.assertEqual(result.returncode, 0, f"{words}\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
        return result.stdout

    def buddy(self, *words: object, **options) -> str:
        return self.run_in(self.folder, self.prefix / "bin" / "buddy", *words, **options)

    def test_the_moved_tree_works(self) -> None:
        listing = json.loads(self.buddy("registries", "--json"))
        first_party = [row for row in listing["registries"] if row["path"].startswith(str(self.prefix))]
        self.assertGreaterEqual(len(first_party), 5)
        self.assertTrue(all(row["usable"] for row in first_party), listing)
        self.assertIn("func.func @forward", self.buddy("import", MODEL))
        strings = subprocess.run(["grep", "-rl", str(self.folder / "installed"), self.prefix], capture_output=True,
                                 text=True, check=False).stdout
        self.assertEqual(strings, "", "files that name the folder they were installed to")

    def test_pkg_config(self) -> None:
        if not shutil.which("pkg-config"):
            self.skipTest("no pkg-config")
        env = {"PKG_CONFIG_PATH": str(self.prefix / "lib" / "pkgconfig")}
        flags = self.run_in(self.folder, "pkg-config", "--cflags", "buddy", env=env).split()
        include = next(flag for flag in flags if flag.startswith("-I"))[2:]
        self.assertTrue((Path(include) / "buddy" / "registry.h").exists())
        self.assertEqual(self.run_in(self.folder, "pkg-config", "--variable=abi_version", "buddy", env=env).strip(), "1.0")

    def template(self, name: str, language: str, tier: str) -> Path:
        self.buddy("new-registry", name, "--language", language, "--tier", tier, "--vendor", "Tester & Sons", "--license",
                   "LicenseRef-Test")
        project = self.folder / f"buddy_{name}"
        self.assertEqual(sorted(path.name for path in project.iterdir()),
                         [".gitignore", "CMakeLists.txt", "README.md", "src", "tests"])
        self.run_in(project, "cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                    "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON")
        self.run_in(project, "cmake", "--build", "build")
        self.run_in(project, "ctest", "--test-dir", "build", "--output-on-failure")
        file = project / "build" / f"buddy_{name}.so"
        symbols = self.run_in(project, "nm", "-D", "--defined-only", file).split("\n")
        self.assertEqual([line.split()[-1] for line in symbols if line], ["buddy_registry_query"])
        needed = self.run_in(project, "readelf", "-d", file)
        self.assertEqual("libbuddy" in needed, tier == "native", needed)
        return project

    def test_c_portable(self) -> None:
        project = self.template("mine", "c", "portable")
        data = self.folder / "home" / ".local" / "share" / "buddy"
        self.run_in(project, "strip", project / "build" / "buddy_mine.so")
        self.run_in(project, "cmake", "--install", "build", "--prefix", data)
        self.assertIn("Tester & Sons", self.buddy("registries"))
        self.assertIn("taken by mine", self.buddy("explain", MODEL, "--registries", "mine:*"))

    def test_c_native(self) -> None:
        self.template("mine_native", "c", "native")

    def test_cxx_portable(self) -> None:
        self.template("mine_cxx", "c++", "portable")

    def test_cxx_native(self) -> None:
        self.template("mine_cxx_native", "c++", "native")

    def test_acme_ships_a_closed_file(self) -> None:
        project, built, data = self.folder / "acme", self.folder / "acme_built", self.folder / "acme_data"
        shutil.copytree(ROOT / "examples" / "acme", project)
        self.run_in(project, "cmake", "-S", ".", "-B", built, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                    "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON")
        self.run_in(project, "cmake", "--build", built)
        self.run_in(project, "ctest", "--test-dir", built, "--output-on-failure")
        self.run_in(project, "cmake", "--install", built, "--prefix", data / "buddy")
        shutil.rmtree(project)
        shutil.rmtree(built)
        self.assertEqual(sorted(path.name for path in (data / "buddy" / "plugins-1").iterdir()),
                         ["buddy_acme.so", "libacme_rt.so"])
        file = data / "buddy" / "plugins-1" / "buddy_acme.so"
        self.assertEqual(self.run_in(self.folder, "nm", "-D", "--defined-only", file).split()[2:], ["buddy_registry_query"])
        self.assertIn(".symtab", self.run_in(self.folder, "readelf", "-S", self.prefix / "bin" / "buddy"))
        self.assertNotIn(".symtab", self.run_in(self.folder, "readelf", "-S", file))
        env = {"XDG_DATA_HOME": str(data)}
        self.assertIn("LicenseRef-Acme", self.buddy("registries", env=env))
        self.assertRegex(self.buddy("explain", MODEL, "--registries", "acme:*", env=env), "aten.linear.default +acme")
        out = self.folder / "acme_out"
        self.buddy("run", MODEL, "--registries", "acme:*", "--input", MODEL.with_name("lenet5_input.npy"), "--output-dir", out,
                   env=env)
        self.compile_ahead("acme:*", env)
        got, wanted = ((path.read_bytes()[128:]) for path in (out / "output_0.npy", MODEL.with_name("lenet5_expected.npy")))
        n = len(wanted) // 4
        for a, b in zip(struct.unpack(f"<{n}f", got), struct.unpack(f"<{n}f", wanted)):
            self.assertAlmostEqual(a, b, delta=1e-3)

    def compile_ahead(self, order: str, env: dict[str, str]) -> None:
        """The model as a library, in a program that knows nothing of buddy but the file that it needs."""
        out = self.folder / "ahead"
        out.mkdir()
        self.buddy("compile", MODEL, "--registries", order, "-o", out / "liblenet5.so", env=env)
        self.run_in(out, "cc", "-I", out, ROOT / "examples" / "compiled_model.c", out / "liblenet5.so", "-Wl,-rpath,$ORIGIN",
                    "-o", out / "look")
        self.assertIn("number 7", self.run_in(out, out / "look", MODEL.with_name("lenet5_input.npy")))

    def test_lapack_is_built_from_the_kit(self) -> None:
        if not Path("/usr/include/lapacke.h").exists():
            self.skipTest("no LAPACKE")
        project, built, data = self.folder / "lapack", self.folder / "lapack_built", self.folder / "lapack_data"
        shutil.copytree(ROOT / "examples" / "lapack", project)
        self.run_in(project, "cmake", "-S", ".", "-B", built, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                    "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON")
        self.run_in(project, "cmake", "--build", built)
        self.buddy("plugin", "check", "--only", "aten.linalg_inv.default", "--cases", project / "tests" / "cases.jsonl",
                   built / "buddy_lapack.so")
        self.run_in(project, "cmake", "--install", built, "--prefix", data / "buddy")
        shutil.rmtree(project)
        shutil.rmtree(built)
        listing = json.loads(self.buddy("registries", "--json", env={"XDG_DATA_HOME": str(data)}))
        row = next(row for row in listing["registries"] if row["name"] == "lapack" and row["usable"])
        self.assertEqual(row["path"], str(data / "buddy" / "plugins-1" / "buddy_lapack.so"))

    def test_nothing_is_overwritten(self) -> None:
        taken = self.folder / "buddy_taken"
        taken.mkdir()
        command = [self.prefix / "bin" / "buddy", "new-registry", "taken"]
        result = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("is there already", result.stderr)
        self.assertEqual(list(taken.iterdir()), [])
        for name in ("Big", "a-b", "", "x" * 32):
            result = subprocess.run([*command[:2], name], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 2, name)
        (self.folder / "link").symlink_to("nowhere")
        result = subprocess.run([*command, "--output", "link"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertTrue((self.folder / "link").is_symlink())
        subprocess.run([*command, "--output", "mode/"], cwd=self.folder, capture_output=True, umask=0o027, check=True)
        self.assertEqual((self.folder / "mode").stat().st_mode & 0o777, 0o750)
        self.assertEqual([path.name for path in self.folder.glob(".buddy-writing-*")], [])


def main() -> int:
    global BUILD
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    args, rest = parser.parse_known_args()
    BUILD = args.build.resolve()
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2).result
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
