"""The sources of the tree: what may be called and included where.

    python3 tests/docs/test_sources.py
"""

from __future__ import annotations

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Code that links libbuddy. Registries of the portable tier and what an author's kit compiles into them have the C library
# alone.
HOST = ("core", "sdk")
ALONE = ("sdk/author/",)
HEAP = re.compile(r"(?<![\w\"`>.])(malloc|calloc|realloc|strdup|strndup)\(")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)


def sources(*suffixes: str) -> list[tuple[str, str]]:
    """Paths and texts of the host's code; comments and strings are blank, lines keep their numbers."""
    found = []
    for top in HOST:
        for path in sorted((ROOT / top).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix in suffixes and not name.startswith(ALONE):
                found.append((name, COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), path.read_text())))
    return found


def lines_with(pattern: re.Pattern[str], texts: list[tuple[str, str]]) -> list[str]:
    return [f"{name}:{number}: {line.strip()}" for name, text in texts
            for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)]


class SourcesTest(unittest.TestCase):
    def test_there_are_sources(self) -> None:
        self.assertGreater(len(sources(".c")), 300)

    def test_one_allocator_that_fault_injection_reaches(self) -> None:
        texts = [(name, text) for name, text in sources(".c", ".h") if name != "core/base/memory.c"]
        self.assertEqual(lines_with(HEAP, texts), [], "bd_malloc and its kin, of core/base/memory.h")

    def test_one_hash_table(self) -> None:
        texts = [(name, text) for name, text in sources(".c", ".h") if name != "core/base/hash.h"]
        self.assertEqual(lines_with(re.compile(r"#include <uthash\.h>"), texts), [], "core/base/hash.h")


if __name__ == "__main__":
    unittest.main()
