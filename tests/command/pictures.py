"""What other viewers open: modules in Netron's own parser."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import unittest
from pathlib import Path

from harness import MODEL, CommandTest, buddy

BYTECODE_4 = b"ML\xefR" + bytes([4 << 1 | 1])
OPEN = Path(__file__).with_name("netron.mjs")


def netron() -> Path | None:
    """The folder of PyPI's package `netron`, which has the parser as JavaScript: BUDDY_NETRON, else where Python finds it."""
    found = importlib.util.find_spec("netron")
    folder = Path(os.environ.get("BUDDY_NETRON") or (found and found.origin and Path(found.origin).parent) or "")
    return folder.resolve() if (folder / "mlir.js").exists() else None


class PicturesTest(CommandTest):
    def modules(self) -> list[Path]:
        files = []
        for order in ("linalg:*", "tosa:*"):
            for emit in ("mlir", "generic", "bytecode"):
                files.append(self.folder / f"{order[0]}_{emit}.mlir")
                self.check(buddy("import", MODEL, "--registries", order, "--emit", emit, "-o", files[-1]), 0)
        return files

    def test_bytecode_is_of_a_version_that_others_read(self) -> None:
        """It names properties: from version 5 on they are in the order of an op's definition, which readers get wrong."""
        for path in self.modules():
            if path.stem.endswith("bytecode"):
                self.assertEqual(path.read_bytes()[:5], BYTECODE_4)

    @unittest.skipUnless(netron() and shutil.which("node"), "PyPI's netron (BUDDY_NETRON names its folder) and node are needed")
    def test_netron_opens_text_and_bytecode(self) -> None:
        files, parser = self.modules(), self.folder / "parser"
        parser.mkdir()
        for name in ("base.js", "text.js", "mlir.js", "mlir-metadata.json"):
            shutil.copy(netron() / name, parser)
        (parser / "package.json").write_text('{"type": "module"}')  # the package leaves it to the browser
        result = subprocess.run(["node", OPEN, parser, *files], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        nodes = [int(line.split()[-2]) for line in result.stdout.splitlines()]
        self.assertEqual(len(nodes), len(files))
        self.assertEqual((len(set(nodes[:3])), len(set(nodes[3:]))), (1, 1), result.stdout)
        self.assertGreater(min(nodes), 10)
