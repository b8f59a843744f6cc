# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages of the tree: what they link to and name exists, and the first page stays a first page.

    python3 tests/docs/test_pages.py
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TOP = ("core/", "examples/", "include/", "plugins/", "sdk/", "tests/")
FIRST_PAGE = 120  # lines


def pages() -> list[Path]:
    """All but those of the template, whose names are filled in by `buddy new-registry`."""
    return [ROOT / "README.md"] + [path for top in TOP for path in sorted((ROOT / top).rglob("*.md"))
                                   if "template" not in path.parts]


def links(text: str) -> list[str]:
    found = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    return [link for link in found if "://" not in link]


def named_files(text: str) -> list[str]:
    """Words in backticks that are paths; the first word of a command line counts."""
    words = [code.split()[0] for code in re.findall(r"`([^`\n]+)`", text) if code.split()]
    return [word.rstrip("/") for word in words if word.startswith(TOP) and "…" not in word and "NAME" not in word]


class PagesTest(unittest.TestCase):
    def test_there_are_pages(self) -> None:
        self.assertGreater(len(pages()), 10)

    def test_links_lead_somewhere(self) -> None:
        lost = [f"{page.relative_to(ROOT)}: {link}" for page in pages() for link in links(page.read_text())
                if not (page.parent / link).exists()]
        self.assertEqual(lost, [])

    def test_named_files_exist(self) -> None:
        lost = [f"{page.relative_to(ROOT)}: {name}" for page in pages()
                for name in named_files(page.read_text())
                if not any(list(folder.glob(name)) for folder in (ROOT, page.parent))]
        self.assertEqual(lost, [])

    def test_the_walks_name_where_to_change_what(self) -> None:
        """Who knows MLIR and not this project finds each in a paragraph, by files that exist (the test above)."""
        text = (ROOT / "sdk" / "docs" / "architecture.md").read_text()
        section = re.search(r"^## Where to change what$(.*?)^## ", text, re.MULTILINE | re.DOTALL)
        assert section
        walks = dict(re.findall(r"^- \*\*([^*]+)\.\*\*(.*?)(?=^- \*\*|\Z)", section[1], re.MULTILINE | re.DOTALL))
        self.assertEqual(sorted(walks), ["A dtype", "A kernel", "A pass", "A verb", "An op", "The size of a tile"])
        for name, walk in walks.items():
            self.assertGreaterEqual(len(named_files(walk)), 2, name)

    def test_sweeps_add_up_and_the_first_page_tells_the_same(self) -> None:
        text = (ROOT / "tests" / "conformance" / "README.md").read_text()
        table = text[text.index("<!-- sweeps -->"):text.index("<!-- /sweeps -->")]
        rows = re.findall(r"^\| (\S+ \| [^|]*) \| `([^`]*)` \| ([\d,]+) of ([\d,]+) \| (\d+) \| (\d+) \| .+ \|$", table, re.MULTILINE)
        self.assertEqual(len(rows), len(table.splitlines()) - 3, "a row that cannot be read")
        for which, order, passed, of, declined, failed in rows:
            self.assertEqual(int(passed) + int(declined) + int(failed), int(of), f"{which}, {order}")
        whole = {(which, order): (passed, of, declined) for which, order, passed, of, declined, _ in rows}
        passed, of, declined = whole[("natural | static, all", "tosa:*")]
        first = " ".join((ROOT / "README.md").read_text().split())
        self.assertIn(f"[{passed} of the {of} entries](tests/conformance/README.md)", first)
        self.assertIn(f"pass, {declined} are declined", first)

    def test_the_first_page_is_short(self) -> None:
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), FIRST_PAGE)

    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_the_headers_make_a_site(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["doxygen"], cwd=ROOT / "sdk" / "docs", env=os.environ | {"OUT": folder}, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            page = (Path(folder) / "html" / "session_8h.html").read_text()
        self.assertIn("what a program remembers between its runs", page)
        self.assertIn("A new session with the same models and the same state", page)


if __name__ == "__main__":
    unittest.main()
