# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sources of the tree: what may be called and included where.

    python3 tests/docs/test_sources.py
"""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Code that links libbuddy. Registries of the portable tier and what an author's kit compiles into them have the C library
# alone.
HOST = ("core", "sdk")
CODE = (*HOST, "plugins")
ALONE = ("sdk/author/",)
# Which folder includes which, without a circle: libbuddy_model, which loads the compiler, calls it through a table of
# its own that the compiler fills (sdk/model/compiler_table.h).
ARROWS = {
    "core/symbols": {"core/base"},
    "core/graph": {"core/base", "core/symbols"},
    "core/registry": {"core/base", "core/graph", "core/symbols"},
    "sdk/runtime": {"core/base", "core/registry"},
    "sdk/config": {"core/base", "core/registry"},
    "sdk/import": {"core/base", "core/graph", "core/symbols"},
    "sdk/lower": {"core/base", "core/graph", "core/registry", "sdk/import", "sdk/runtime"},
    "sdk/compile": {"core/base", "core/registry", "sdk/import", "sdk/llvm", "sdk/lower", "sdk/model", "sdk/runtime"},
    "sdk/model": {"core/base", "core/registry", "sdk/config", "sdk/import", "sdk/runtime"},
    "sdk/cli": {"core/base", "core/graph", "core/registry", "sdk/config", "sdk/import", "sdk/runtime"},
    "sdk/python": {"core/base", "core/graph", "sdk/runtime"},
    "sdk/serve": {"core/base", "sdk/runtime"},
}
# Sources that call one another in a circle, since what they do is recursive: no others may.
CIRCLES = {
    # An expansion's nodes are decided anew, in front of the rest.
    ("core/registry/decide.c", "core/registry/expand.c"),
    # Arguments are graphs of nodes with arguments.
    tuple(f"sdk/import/pt2_{name}.c" for name in ("args", "frames", "names", "nodes", "numbers", "vmap")),
}
# Sources of core whose unit tests are those of another name.
FAMILIES = {
    "core/graph/shapes": "graph/contract_test.cc",
    "core/graph/shapes_joined": "graph/contract_results_test.cc",
    "core/graph/shapes_transforms": "graph/contract_results_test.cc",
    "core/graph/shapes_views": "graph/contract_test.cc",
    "core/graph/shapes_windows": "graph/contract_test.cc",
    "core/registry/create": "registry/registries_test.cc",
    "core/registry/extensions": "registry/plugin_test.cc",
    "core/symbols/contracts": "graph/contract_test.cc",
}
INCLUDE = re.compile(r'#include "((?:core|sdk|plugins)/[^"]+)"')
PUBLIC = re.compile(r'#include "(buddy/[^"]+)"')
LONGEST = 600  # lines of a source
HEAP = re.compile(r"(?<![\w\"`>.])(malloc|calloc|realloc|strdup|strndup)\(")
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SOURCES = {".c", ".h", ".hpp", ".cc", ".cpp", ".inc", ".mjs", ".py", ".pyi", ".sh", ".cmake"}
# What becomes an author's own, and headers as they were.
OTHERS_OWN = ("sdk/author/template/", "tests/abi/v1_0/")
# A struct is defined where its braces are, and one that is opaque is defined once, too.
TYPE = re.compile(r"^(?:typedef )?(?:struct|enum|union) (bd_\w+|buddy_\w+) \{|^typedef [^;{]*\(\*(bd_\w+)\)", re.MULTILINE)
FUNCTION = re.compile(r"^(?!static|typedef|extern)\w[\w *]*?\b(bd_\w+|buddy_\w+)()\([^;{}]*\) \{", re.MULTILINE)
DEFINED = re.compile(r"^(?!static|typedef|extern|return|else)\w[\w *]*?\b(\w+)\([^;{}]*\) \{"
                     r"|^(?!static|typedef|extern)\w[\w *]*?\b(\w+)(?:\[\w*\])*(?: = |;)", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)


# What another language would say otherwise: a truth is bool, and a pointer is asked by !p.
NULL_TEST = re.compile(r"== NULL|(?:if|while) \(!?[\w>.-]+ != NULL\)")
INCREMENT = re.compile(r"(?:^\s*|; |\) )[\w>.-]+(?:\+\+|--)(?:;|\))")
CONSTANT = re.compile(r"\bk[A-Z]\w+")
TRUTH = re.compile(r"^\s*(?:static |const )*int (?:is|has|can|needs)_\w+(?:;|\(| = [^,;]*;)")


# Kernels are written for values: no dtype is told by a letter of its name, no cache has a size but in the machine's table.
SPELT = re.compile(r"\b(?:element|sum|dtype|name)\[\d\] [=!]= '[^\\]")
CACHE = re.compile(r"\b(?:TILE|BLOCK|CACHE|L1|L2)_?(?:BYTES|KB|ROWS|COLUMNS)?\b(?: = \d{3,}|.*<< 1\d)|\bKB\b")


def sources(*suffixes: str, tops: tuple[str, ...] = HOST, without: tuple[str, ...] = ALONE) -> list[tuple[str, str]]:
    """Paths and texts of the host's code; comments and strings are blank, lines keep their numbers."""
    found = []
    for top in tops:
        for path in sorted((ROOT / top).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix in suffixes and not name.startswith(without):
                found.append((name, COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), path.read_text())))
    return found


def lines_with(pattern: re.Pattern[str], texts: list[tuple[str, str]]) -> list[str]:
    return [f"{name}:{number}: {line.strip()}" for name, text in texts
            for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)]


def circles(arrows: dict[str, set[str]]) -> set[tuple[str, ...]]:
    """Those that are reached from one another."""
    reached: dict[str, set[str]] = {}
    for start in arrows:
        seen: set[str] = set()
        ahead = list(arrows[start])
        while ahead:
            one = ahead.pop()
            if one not in seen:
                seen.add(one)
                ahead += arrows[one] - seen
        reached[start] = seen
    return {tuple(sorted(other for other in reached[one] if one in reached[other])) for one in arrows if one in reached[one]}


class SourcesTest(unittest.TestCase):
    def test_there_are_sources(self) -> None:
        self.assertGreater(len(sources(".c")), 300)

    def test_one_allocator_that_fault_injection_reaches(self) -> None:
        texts = [(name, text) for name, text in sources(".c", ".h") if name != "core/base/memory.c"]
        self.assertEqual(lines_with(HEAP, texts), [], "bd_malloc and its kin, of core/base/memory.h")

    def test_one_dialect(self) -> None:
        others = ("plugins/mpi/", "sdk/python/")  # whose libraries write ints
        texts = [(name, text) for name, text in sources(".c", ".h", tops=CODE) if not name.startswith(others)]
        for pattern, instead in ((NULL_TEST, "!p and p"), (INCREMENT, "++i"), (TRUTH, "bool"), (CONSTANT, "BD_MAX or max")):
            self.assertEqual(lines_with(pattern, texts), [], instead)

    def test_comments_are_those_of_c(self) -> None:
        """But for the first line, which tools read."""
        found, n = [], 0
        for path in sorted(path for top in (*CODE, "include") for path in (ROOT / top).rglob("*.[ch]")):
            if str(path.relative_to(ROOT)).startswith(OTHERS_OWN):
                continue
            for match in COMMENT.finditer(path.read_text()):
                n += match[0].startswith("/*")
                if match[0].startswith("//") and LICENCE not in match[0]:
                    found.append(f"{path.relative_to(ROOT)}: {match[0]}")
        self.assertGreater(n, 5000)
        self.assertEqual(found, [], "/* and */")

    def test_files_are_short(self) -> None:
        texts = sources(".c", ".h", ".cc", ".hpp", tops=(*CODE, "include"))
        self.assertEqual([name for name, text in texts if text.count("\n") > LONGEST], [], f"more than {LONGEST} lines")

    def test_kernels_ask_their_values(self) -> None:
        texts = [(name, text) for name, text in sources(".c", ".h", tops=("sdk/compile",)) if not name.endswith("kernels/machine.c")]
        self.assertEqual(lines_with(SPELT, texts), [], "an element type is a bd_element")
        self.assertEqual(lines_with(CACHE, texts), [], "the size of a cache is a field of bd_machine")

    def test_an_older_llvm_has_what_is_called(self) -> None:
        since = set((ROOT / "tests" / "llvm" / "since_19.txt").read_text().splitlines()[1:])
        older = (ROOT / "sdk" / "llvm" / "older.h").read_text()
        texts = [(name, text) for name, text in sources(".c", ".h", ".cc", tops=CODE) if not name.startswith("sdk/llvm/")]
        called = {word for _, text in texts for word in re.findall(r"\b(?:mlir|LLVM)[A-Z]\w*", text)}
        self.assertIn("mlirOperationSetLocation", called & since)
        self.assertEqual([name for name in sorted(called & since) if f"{name}(" not in older], [], "declare it in older.h")

    def test_arrows_are_those_of_the_list(self) -> None:
        found: dict[str, set[str]] = {}
        for path in sorted(path for top in ("core", "sdk", "plugins") for path in (ROOT / top).rglob("*.[ch]*")):
            folder = "/".join(path.relative_to(ROOT).parts[:2])
            if "template" in path.parts or path.suffix not in (".c", ".h", ".cc", ".hpp"):
                continue
            for name in INCLUDE.findall(path.read_text()):
                other = "/".join(name.split("/")[:2])
                if other != folder:
                    found.setdefault(folder, set()).add(other)
        self.assertEqual(found, ARROWS, "a new arrow, or one that is gone")

    def test_arrows_make_no_circle(self) -> None:
        left = dict(ARROWS)
        while ends := [folder for folder, others in left.items() if not others & set(left)]:
            for folder in ends:
                del left[folder]
        self.assertEqual(left, {}, "folders that include one another")

    def test_headers_make_no_circle(self) -> None:
        """Each header can be read from the top, with those before it that it includes."""
        left: dict[str, set[str]] = {}
        for path in sorted(path for top in (*CODE, "include") for path in (ROOT / top).rglob("*.h") if "template" not in path.parts):
            text = path.read_text()
            left[str(path.relative_to(ROOT))] = {*INCLUDE.findall(text), *(f"include/{name}" for name in PUBLIC.findall(text))}
        self.assertGreater(len(left), 200)
        while ends := [name for name, others in left.items() if not others & set(left)]:
            for name in ends:
                del left[name]
        self.assertEqual(left, {}, "headers that include one another, and those that include these")

    def test_sources_make_no_circle(self) -> None:
        """Whoever reads a source can go on to what it calls, and comes back to none that he has read."""
        texts = sources(".c", tops=CODE, without=OTHERS_OWN)
        made: dict[str, set[str]] = {}
        for name, text in texts:
            for match in DEFINED.finditer(text):
                made.setdefault(match[1] or match[2], set()).add(name)
        self.assertGreater(len(made), 2000)
        arrows = {name: {other for word in set(re.findall(r"\w+", text)) if len(made.get(word, ())) == 1 for other in made[word]} - {name}
                  for name, text in texts}
        self.assertGreater(sum(map(len, arrows.values())), 2000)
        new = [circle for circle in circles(arrows) if not any(set(circle) <= set(known) for known in CIRCLES)]
        self.assertEqual(new, [], "sources that call one another in a circle")

    def test_comments_end_where_their_words_do(self) -> None:
        """No line holds an end alone, after a ruler least of all: that is what a formatter leaves that breaks comments."""
        texts = [(str(path.relative_to(ROOT)), path.read_text()) for top in (*CODE, "include", "examples", "tests")
                 for path in sorted((ROOT / top).rglob("*")) if path.suffix in (".c", ".h", ".cc", ".hpp")]
        texts = [(name, text) for name, text in texts if not name.startswith(OTHERS_OWN)]
        self.assertGreater(len(texts), 1000)
        self.assertEqual(lines_with(re.compile(r"^\s*\*/$"), texts), [], "the end goes where the last word is")

    def test_no_name_twice(self) -> None:
        """What is shared between files has one meaning in the tree, whichever library it is of."""
        types: dict[str, set[str]] = {}
        functions: dict[str, set[str]] = {}
        for name, text in sources(".c", ".h", tops=CODE):
            for kind, pattern in ((types, TYPE), (functions, FUNCTION)):
                if kind is types or name.endswith(".c"):
                    for match in pattern.finditer(text):
                        kind.setdefault(match[1] or match[2], set()).add(name)
        self.assertGreater(min(len(types), len(functions)), 300)
        twice = {name: sorted(files) for known in (types, functions) for name, files in known.items() if len(files) > 1}
        self.assertEqual(twice, {}, "give one another name")

    def test_both_kits_have_one_vocabulary(self) -> None:
        """bk_x of the portable tier takes what be_x of the native one takes; what both tiers share has one name."""
        declared = re.compile(r"^(?:static inline )?\w[\w ]*?[ *](?:be|bk)_(\w+)\(([^;{]*?)\)[^();{]*[;{]", re.MULTILINE)
        handles = ((r"MlirValue|buddy_ir_value", "value"), (r"MlirAttribute|buddy_ir_attr", "attribute"), (r"\bb[ek]_", ""), (r"\s+", " "))
        kits: dict[str, dict[str, str]] = {}
        for kit in ("ask", "emit", "kit"):
            text = COMMENT.sub("", (ROOT / "include" / "buddy" / f"{kit}.h").read_text().partition("/* ---- Older names")[0])
            kits[kit] = dict(declared.findall(text))
            for pattern, word in handles:
                kits[kit] = {name: re.sub(pattern, word, words) for name, words in kits[kit].items()}
        self.assertEqual(set(kits["ask"]) & (set(kits["emit"]) | set(kits["kit"])), set(), "a name with two meanings")
        both = set(kits["emit"]) & set(kits["kit"])
        self.assertGreaterEqual(both, {"tensor", "operand", "splat", "index", "op", "attr", "elementwise", "result"})
        text = {"attr", "elementwise"}  # is text where no MLIR is: buddy/kit.h
        self.assertEqual({name for name in both if kits["emit"][name] != kits["kit"][name]}, text, "one name, other arguments")

    def test_code_is_formatted(self) -> None:
        tool = shutil.which("clang-format-22")
        if not tool:
            self.skipTest("clang-format-22 is not installed; other versions format otherwise")
        files = [path for top in ("core", "sdk", "plugins", "include", "examples", "tests") for path in sorted((ROOT / top).rglob("*"))
                 if path.suffix in (".c", ".h", ".cc", ".hpp") and not {"template", "v1_0"} & set(path.parts)]
        done = subprocess.run([tool, "--dry-run", "-Werror", *files], capture_output=True, text=True, check=False)
        self.assertEqual(sorted(set(re.findall(r"^(/[^:\n]+):\d+", done.stderr, re.MULTILINE))), [], "clang-format-22 -i")

    def test_each_source_names_its_licence(self) -> None:
        lost, n = [], 0
        for top in ("core", "sdk", "plugins", "include", "examples", "tests"):
            for path in sorted((ROOT / top).rglob("*")):
                name = str(path.relative_to(ROOT))
                if name.startswith(OTHERS_OWN) or not path.is_file() or path.suffix not in SOURCES and path.name != "CMakeLists.txt":
                    continue
                n += 1
                with path.open() as text:
                    start = [next(text, ""), next(text, "")]  # the second line of what begins with #!
                if LICENCE not in start[start[0].startswith("#!")]:
                    lost.append(name)
        self.assertGreater(n, 1000)
        self.assertEqual(lost, [], f"the first line is {LICENCE}")

    def test_each_source_says_what_it_holds(self) -> None:
        """A reader of x.c has not come for the name of x.h."""
        opening, n, empty = re.compile(r"(?:/\*|//) (?:(\S+\.c): )?(?![Ss]ee [\w/]+\.h\b)\S"), 0, []
        for top in CODE:
            for path in sorted((ROOT / top).rglob("*.c")):
                name = str(path.relative_to(ROOT))
                if name.startswith(OTHERS_OWN):
                    continue
                n += 1
                with path.open() as text:
                    match = opening.match([next(text, ""), next(text, "")][1])
                if not match or match[1] not in (None, name):
                    empty.append(name)
        self.assertGreater(n, 500)
        self.assertEqual(empty, [], "the second line says what the file holds")

    def test_unit_tests_mirror_the_core(self) -> None:
        """x.c has x_test.cc; x_y.c may be among the tests of x.c."""
        tests, lost = ROOT / "tests" / "core", []
        for name, _ in sources(".c", tops=("core",)):
            source = Path(name).with_suffix("")
            stems = [source.name, source.name.partition("_")[0]]
            files = [source.relative_to("core").with_name(f"{stem}_test.cc") for stem in stems] + [Path(FAMILIES.get(str(source), "none"))]
            if not any((tests / file).exists() for file in files):
                lost.append(name)
        self.assertEqual(lost, [], "sources without a unit test")

    def test_own_structures_are_asserted(self) -> None:
        """By one macro, which is live in debug builds, under sanitizers and with BUDDY_PARANOID."""
        texts = [(name, text) for name, text in sources(".c", ".h", tops=CODE) if name != "core/base/assert.h"]
        self.assertEqual(lines_with(re.compile(r"(?<!\w)assert\(|<assert\.h>"), texts), [], "BD_ASSERT, of core/base/assert.h")
        for folder in ("core/base", "core/graph", "core/registry", "sdk/runtime", "sdk/import"):
            self.assertTrue([name for name, text in texts if name.startswith(folder) and "BD_ASSERT(" in text], folder)

    def test_one_hash_table(self) -> None:
        texts = [(name, text) for name, text in sources(".c", ".h") if name != "core/base/hash.h"]
        self.assertEqual(lines_with(re.compile(r"#include <uthash\.h>"), texts), [], "core/base/hash.h")


if __name__ == "__main__":
    unittest.main()
