# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin ABI does not change: what was built with 1.0 goes on working, in both directions.

    python3 tests/abi/test_abi.py --build build [--update]

--update writes the lists of exported symbols anew, and what the C API is measured by (v1_0/api.abi, by abidw): after a
function was added, so that it is held from then on.

  frozen      the header of 1.0 is as it was, and the binary is what make.sh makes of it
  abidiff     today's header has 1.0's types, fields at the same places, new ones at the end alone
  symbols     no function of the public C API has gone
  api         and none has other parameters, nor has a struct other fields, but for new ones at the end of those that know
              their size
  four ways   plugins of 1.0 and of today, in hosts of 1.0 and of today
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = Path()
FROZEN = {"buddy/registry.h": "06d78b08231de204f4d58a31800d565bdb4c1e74f30093ca104d79d3de7be1e9", "fixture.c": "506415c5b4f6f828b8a19e333a3c7a89c0b36db69934419fee21d9312b653c7a", "buddy_v1fixture.so": "060c78b7114623aba70d478c2a849bd1a30ae3fc91eca68f9ccf2d6b7f0a05be"}
LIBRARIES = ["buddy", "buddy_import", "buddy_mlir", "buddy_model", "buddy_runtime"]
IS_X86 = platform.machine() == "x86_64"


def run(*words: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=200,
                          env=clean | (env or {}))


def exported(library: str) -> list[str]:
    """The public names: buddy_ and a letter; bd_ is the libraries' own affair, mlir LLVM's."""
    output = run("nm", "-D", "--defined-only", BUILD / "lib" / f"lib{library}.so").stdout
    return sorted(set(re.findall(r" [TDBRVW] (buddy_[a-z0-9_]+)", output)))


HEADERS = ["base", "graph", "resolve", "import", "tensor", "lower", "compile", "session", "cache", "config", "tune"]


def write_api_probe(include: Path, out: Path) -> None:
    """A C file with a variable of each public function's type: what abidw then knows are the headers, built or not."""
    text = "\n".join((include / "buddy" / f"{name}.h").read_text() for name in HEADERS)
    names = sorted(set(re.findall(r"\b(buddy_[a-z0-9_]+)\(", text)))
    lines = [f"extern __typeof__(&{name}) api_{name};\n__typeof__(&{name}) api_{name};" for name in names]
    out.write_text('#include "buddy/buddy.h"\n' + "\n".join(lines) + "\n")


def api_probe(include: Path, folder: Path, name: str) -> Path:
    source, out = folder / f"{name}.c", folder / f"lib{name}.so"
    write_api_probe(include, source)
    result = run("gcc", "-std=c17", "-g", "-shared", "-fPIC", "-I", include, source, "-o", out)
    assert result.returncode == 0, result.stderr
    return out


def write_api(out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        probe = api_probe(ROOT / "include", Path(folder), "api")
        subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--out-file", out, probe], check=True)
        out.write_text(re.sub(r" path='[^']*'", " path='api.c'", out.read_text()))  # not of the machine that made it


def api_breaks(new: Path) -> str:
    """What abidiff says of today's C API, if it is more than additions."""
    result = run("abidiff", "--no-added-syms", "--harmless", HERE / "v1_0" / "api.abi", new)
    if result.returncode not in (0, 4, 12):
        return result.stdout + result.stderr
    moved = re.search(r"offset changed|member deletion|name changed|entity changed|[1-9]\d* Removed|enumerator (deletion|change)|"
                      r"parameter \d+ of type .* (changed|removed|added)|return type changed:(?!\n\s+in pointed to type)|"
                      r"parameter \d+ .* was (added|removed)",
                      result.stdout)
    text = "\n".join((ROOT / "include" / "buddy" / f"{name}.h").read_text() for name in HEADERS)
    grown = re.findall(r"'struct (\w+)'[^\n]* changed:\n\s+type size changed", result.stdout)
    fixed = [name for name in grown if not re.search(rf"struct {name} {{\s+size_t struct_size;", text) and not is_lent(name, text)]
    return result.stdout if moved or fixed else ""


def is_lent(name: str, headers: str) -> bool:
    """True if callers only read one such struct at a time, through a pointer that a function returns: it may grow."""
    definition = rf"typedef struct {name} {{.*?}} {name};"
    used = re.sub(rf"BUDDY_EXPORT const {name} \*buddy_", "", re.sub(definition, "", headers, flags=re.DOTALL))
    return not re.search(rf"\b{name}\b", used)


class Api(unittest.TestCase):
    """The C API as programs were compiled against it."""

    def setUp(self) -> None:
        if not shutil.which("abidiff"):
            self.skipTest("abidiff is not installed (abigail-tools)")
        if not IS_X86:
            self.skipTest("the record is of x86-64")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_nothing_has_changed(self) -> None:
        self.assertEqual(api_breaks(api_probe(ROOT / "include", self.folder, "now")), "")

    def changed(self, name: str, header: str, before: str, after: str) -> str:
        include = self.folder / name
        shutil.copytree(ROOT / "include", include)
        path = include / "buddy" / f"{header}.h"
        text = path.read_text()
        self.assertIn(before, text)
        path.write_text(text.replace(before, after, 1))
        return api_breaks(api_probe(include, self.folder, name))

    def test_the_alarm_rings(self) -> None:
        for name, *change in (
            ("gone", "compile", "BUDDY_EXPORT void buddy_model_destroy(buddy_model *model);", ""),
            ("retyped", "compile", "buddy_model_seed(buddy_model *model, uint64_t seed)", "buddy_model_seed(buddy_model *model, uint32_t seed)"),
            ("parameter", "compile", "buddy_model_seed(buddy_model *model, uint64_t seed)",
             "buddy_model_seed(buddy_model *model, uint64_t seed, int how)"),
            ("result", "compile", "BUDDY_EXPORT void buddy_model_seed(", "BUDDY_EXPORT int buddy_model_seed("),
            ("moved", "compile", "  int use_cache;", "  int sneaked_in, later, use_cache;"),
            ("field", "compile", "  int opt_level; ", "  float opt_level; "),
            ("fixed", "tensor", "} buddy_tensor;", "  int more;\n} buddy_tensor;"),
        ):
            self.assertNotEqual(self.changed(name, *change), "", name)

    def test_additions_pass(self) -> None:
        for name, *change in (
            ("function", "compile", "BUDDY_EXPORT void buddy_model_destroy(",
             "BUDDY_EXPORT int buddy_model_later(int x);\nBUDDY_EXPORT void buddy_model_destroy("),
            ("option", "compile", "} buddy_model_options;", "  const char *later;\n} buddy_model_options;"),
            ("lent", "compile", "} buddy_step;", "  int more;\n} buddy_step;"),
        ):
            self.assertEqual(self.changed(name, *change), "", name)


class Abi(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_frozen_files_are_as_they_were(self) -> None:
        for name, digest in FROZEN.items():
            self.assertEqual(hashlib.sha256((HERE / "v1_0" / name).read_bytes()).hexdigest(), digest, name)

    def test_the_binary_is_what_its_source_says(self) -> None:
        version = run("gcc", "-dumpfullversion").stdout.strip()
        if not IS_X86 or not version.startswith("12.2"):
            self.skipTest(f"made by gcc 12.2 on x86-64; here is gcc {version} on {platform.machine()}")
        made = self.folder / "buddy_v1fixture.so"
        result = run("sh", HERE / "v1_0" / "make.sh", made)
        self.assertEqual(result.returncode, 0, result.stderr)
        sections = [run("objdump", "-s", "-j", ".text", "-j", ".rodata", "-j", ".data.rel.ro", "-j", ".note.buddy",
                        path).stdout.split("\n", 3)[3] for path in (made, HERE / "v1_0" / "buddy_v1fixture.so")]
        self.assertEqual(sections[0], sections[1])

    def probe(self, include: Path, name: str) -> Path:
        out = self.folder / f"lib{name}.so"
        result = run("gcc", "-std=c17", "-g", "-shared", "-fPIC", "-I", include, HERE / "probe.c", "-o", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        return out

    def breaks(self, old: Path, new: Path) -> str:
        """What abidiff says, if it is more than fields that were appended; libabigail 2.2 has no rule for those that holds."""
        result = run("abidiff", "--no-added-syms", "--harmless", old, new)
        self.assertIn(result.returncode, (0, 4, 12), result.stdout + result.stderr)
        moved = re.search(r"offset changed|deletion|type name changed|entity changed|[1-9]\d* Removed|enumerator", result.stdout)
        return result.stdout if moved else ""

    def test_abidiff(self) -> None:
        if not shutil.which("abidiff"):
            self.skipTest("abidiff is not installed (abigail-tools)")
        old = self.probe(HERE / "v1_0", "old")
        self.assertEqual(self.breaks(old, self.probe(ROOT / "include", "new")), "")

    def test_abidiff_sees_what_it_must(self) -> None:
        """The alarm itself: a moved field, a retyped one, one that is gone; and one at the end, which may be."""
        if not shutil.which("abidiff"):
            self.skipTest("abidiff is not installed (abigail-tools)")
        old = self.probe(HERE / "v1_0", "old")
        text = (HERE / "v1_0" / "buddy" / "registry.h").read_text()
        changes = {
            "moved": ("  uint32_t in_dtypes;  /*", "  uint32_t sneaked_in, in_dtypes;  /*", True),
            "retyped": ("  uint32_t benefit; ", "  float benefit; ", True),
            "gone": ("  void (*close)(void *state);\n", "", True),
            "appended": ("  const void *(*extension)(const char *id);\n} buddy_host;",
                         "  const void *(*extension)(const char *id);\n  void (*later)(void);\n} buddy_host;", False),
        }
        for name, (before, after, is_change) in changes.items():
            include = self.folder / name / "buddy"
            include.mkdir(parents=True)
            self.assertIn(before, text)
            (include / "registry.h").write_text(text.replace(before, after, 1))
            self.assertEqual(self.breaks(old, self.probe(include.parent, name)) != "", is_change, name)

    def test_exported_symbols(self) -> None:
        for library in LIBRARIES:
            listed = (HERE / "symbols" / f"{library}.txt").read_text().split()
            now = exported(library)
            self.assertEqual([name for name in listed if name not in now], [], f"gone from lib{library}.so")
            new = [name for name in now if name not in listed]
            if new:
                print(f"\nlib{library}.so: {len(new)} names not yet in the list (--update): {' '.join(new)}")

    def test_one_major_version(self) -> None:
        """The project, what libraries are called, their version nodes and the plugin ABI say the same."""
        project = re.search(r"project\(buddy VERSION (\d+)\.", (ROOT / "CMakeLists.txt").read_text())
        abi = re.search(r"BUDDY_ABI_MAJOR (\d+)u", (ROOT / "include" / "buddy" / "registry.h").read_text())
        assert project and abi
        self.assertEqual(project[1], abi[1])
        for library in LIBRARIES:
            path = BUILD / "lib" / f"lib{library}.so"
            self.assertIn(f"[lib{library}.so.{project[1]}]", run("readelf", "-d", path).stdout)
            nodes = set(re.findall(r"Name: (BUDDY_\d+)\b", run("readelf", "-V", path).stdout))
            self.assertLessEqual(nodes, {f"BUDDY_{project[1]}"}, library)

    # ---- Four ways
    def check(self, plugin: Path, cases: Path) -> None:
        result = run(BUILD / "bin" / "buddy", "plugin", "check", "--json", "--cases", cases, plugin)
        report = json.loads(result.stdout)
        self.assertEqual(report["findings"], [])
        self.assertTrue(all(op["cases"] > 0 for op in report["ops"]), report["ops"])

    @unittest.skipUnless(IS_X86, "the binary is of x86-64")
    def test_old_plugin_new_host(self) -> None:
        self.check(HERE / "v1_0" / "buddy_v1fixture.so", HERE / "v1_0" / "cases.jsonl")

    def test_old_header_new_host(self) -> None:
        self.check(BUILD / "tests" / "abi" / "plugins" / "buddy_v1fixture.so", HERE / "v1_0" / "cases.jsonl")

    def test_new_plugins_old_host(self) -> None:
        plugins = [BUILD / "tests" / "kit" / "plugins" / f"buddy_{name}.so" for name in ("kitrows", "rogue_good")]
        plugins += sorted((BUILD / "lib" / "buddy" / "plugins-1").glob("buddy_composite.so"))
        result = run(BUILD / "tests" / "abi" / "old_host", *plugins)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), len(plugins), result.stdout)

    def test_old_plugin_old_host(self) -> None:
        result = run(BUILD / "tests" / "abi" / "old_host", BUILD / "tests" / "abi" / "plugins" / "buddy_v1fixture.so")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


def main() -> int:
    global BUILD
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    args, rest = parser.parse_known_args()
    BUILD = args.build.resolve()
    if args.update:
        for library in LIBRARIES:
            (HERE / "symbols" / f"{library}.txt").write_text("\n".join(exported(library)) + "\n")
        write_api(HERE / "v1_0" / "api.abi")
        return 0
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2).result
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
