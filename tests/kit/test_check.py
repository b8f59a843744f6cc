# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buddy plugin check` on registries that misbehave in one way each: it survives, and says what is wrong.

    python3 tests/kit/test_check.py --build build
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path()
GRAPH = """graph @c {
  input %a0 : f32[2,3]
  %r = aten.relu.default(self=%a0) : f32[2,3]
  output %r
}
graph @c {
  symbol s0 [2, inf]
  input %a0 : f64[s0]
  %r = aten.relu.default(self=%a0) : f64[s0]
  output %r
}
"""

# What each does, and what of it must be found: severity, stage, part of the sentence.
ROGUES = {
    "constructor_exits": ("error", "load", "loading the registry: ended the process with exit status 7"),
    "constructor_crashes": ("error", "load", "loading the registry: ended the process by signal 11"),
    "constructor_hangs": ("error", "load", "loading the registry: not done in 8 seconds"),
    "match_crashes": ("error", "rows", "asking the rows of aten.relu.default: ended the process by signal 11"),
    "match_hangs": ("error", "rows", "asking the rows of aten.relu.default: not done in 8 seconds"),
    "match_silent": ("warning", "rows", "declines without a reason"),
    "match_fails": ("error", "rows", "fails with UNSUPPORTED: no such thing here"),
    "match_changes": ("error", "rows", "answers the same question differently the second time"),
    "prints": ("warning", "rows", 'prints: "hello from the plugin'),
    "leaks": ("warning", "leaks", "bytes stay behind each time"),
    "changes_folder": ("error", "process", "changes the current directory to '/'"),
    "changes_signals": ("error", "process", "changes the mask of signal 2"),
    "flushes_to_zero": ("error", "process", "changes the control register of the vector unit"),
    "emit_exits": ("error", "rows", "ended the process with exit status 0"),
    "match_jumps": ("error", "rows", "asking the rows of aten.relu.default: ended the process by signal"),
    "emit_jumps": ("error", "rows", "ended the process by signal"),
    "emit_aborts": ("error", "rows", "ended the process by signal 6"),
    "wrong_numbers": ("error", "rows", "computes something else than the other registries: result 0 element 0"),
    "emit_changes": ("error", "rows", "emits something else the second time"),
    "threads": ("error", "threads", "when several threads ask"),
    "trusts_memory": ("error", "memory", "ended the process by signal 11"),
    "changes_locale": ("error", "process", "changes the locale from 'C' to"),
    "changes_environment": ("error", "process", "adds to the environment: 'BUDDY_REGISTRIES=mine'"),
    "catches_signals": ("error", "process", "installs a handler for signal 11"),
    "leaves_files": ("error", "process", "leaves 1 descriptors open"),
    "close_crashes": ("error", "load", "close() at the end of the process: ended the process by signal 6"),
    "needs_open": ("error", "ahead", "loading buddy_rogue_needs_open.so without open(): ended the process by signal 11"),
    "throws": ("error", "rows", "ended the process by signal 6"),
    "guarded": ("error", "rows", "fails with INTERNAL: a bad day"),
}


class CheckTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.graphs = self.folder / "try.graphs"
        self.graphs.write_text(GRAPH)

    def check(self, *words: object, seconds: int = 60) -> tuple[int, dict]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
        command = [BUILD / "bin" / "buddy", "plugin", "check", "--json", "--seconds", seconds, "--graphs", self.graphs]
        result = subprocess.run([str(word) for word in [*command, *words]], capture_output=True, text=True, check=False,
                                env=clean | {"LC_ALL": "C"}, timeout=200)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(result.returncode, 0 if report["passed"] else 1)
        return result.returncode, report

    def rogue(self, way: str) -> Path:
        return BUILD / "tests" / "kit" / "plugins" / f"buddy_rogue_{way}.so"

    def test_good(self) -> None:
        status, report = self.check(self.rogue("good"))
        self.assertEqual(report["findings"], [])
        self.assertEqual(status, 0)
        self.assertEqual([(op["op"], op["taken"], op["compared"]) for op in report["ops"]], [("aten.relu.default", 2, 4)])

    def test_parts_and_an_end(self) -> None:
        file = BUILD / "tests" / "kit" / "plugins" / "buddy_portabletosa.so"
        parts = [{op["op"] for op in self.check("--quick", "--shard", f"{i}/3", file)[1]["ops"]} for i in (1, 2, 3)]
        self.assertEqual(sum(len(part) for part in parts), len(set.union(*parts)))
        self.assertGreater(len(set.union(*parts)), 25)
        self.assertLess(max(map(len, parts)) - min(map(len, parts)), 2)
        report = self.check("--quick", "--limit", 1, file)[1]
        left = [one for one in report["findings"] if "the time was up" in one["what"]]
        self.assertEqual([one["severity"] for one in left], ["warning"] * len(left))
        for word in ("0/2", "3/2", "1", "1/2x", "-1/2"):
            with self.assertRaises(AssertionError):
                self.check("--shard", word, file)

    def test_own_cases(self) -> None:
        cases = self.folder / "cases.jsonl"
        lines = [
            '{"op": "aten.relu.default", "args": {"self": {"f32": [-1, 2]}}, "results": [{"f32": [0, 2]}]}',
            "// what is wrong with each of these is told with its line",
            '{"op": "aten.relu.default", "args": {"self": {"f32": [-1, 2]}}, "results": [{"f32": [1, 2]}]}',
            '{"op": "aten.relu.default", "args": {"self": {"i64": [-1, 2]}}, "declined": "dtype"}',
            '{"op": "aten.relu.default", "args": {"self": {"f32": [-1, 2]}}, "declined": "because"}',
            '{"op": "aten.relu.default", "args": {"myself": {"f32": [-1, 2]}}}',
            '{"op": "nobody.knows.default", "args": {}}',
            '{"op": "aten.relu.default", "args": {"self": {"f32": [[1], 2]}}}',
            '{"op": ',
            '{"op": "aten.relu.default", "args": {"self": {"f16": [-1, 65504, 1e-7]}}, "results": [{"f16": [0, 65504, 1e-7]}]}',
        ]
        cases.write_text("\n".join(lines))
        status, report = self.check("--cases", cases, self.rogue("good"))
        self.assertEqual(status, 1)
        found = {int(one["what"].split(":")[1]): one["what"] for one in report["findings"]}
        self.assertEqual(sorted(found), [3, 5, 6, 7, 8, 9])
        self.assertIn("element 0 is 0, not 1", found[3])
        self.assertIn("is taken, but should be declined for 'because'", found[5])
        self.assertIn("no argument 'myself'", found[6])
        self.assertIn("there is no op 'nobody.knows.default'", found[7])
        self.assertIn("not all of the same size", found[8])
        self.assertIn("is no JSON", found[9])
        self.assertEqual(report["ops"][0]["cases"], 3)

    def test_taken_and_not_lowered(self) -> None:
        # Nothing says what s0 is: composite expands the op, and linalg finds out when it emits.
        self.graphs.write_text("graph @c {\n  symbol s0 [2, inf]\n  %r = aten.arange.default(end={s0}) : i64[s0]\n"
                               "  output %r\n}\n")
        file = BUILD / "lib" / "buddy" / "plugins-1" / "buddy_composite.so"
        status, report = self.check("--only", "aten.arange.default", file)
        found = [(one["severity"], one["stage"], one["what"]) for one in report["findings"]]
        self.assertEqual([one[:2] for one in found if "is taken, but not lowered (UNSUPPORTED)" in one[2]],
                         [("warning", "rows")], found)
        self.assertEqual([one for one in found if one[1] == "threads"], [])
        self.assertEqual(status, 0)

    def test_files_that_are_no_registries(self) -> None:
        for name, content, part in (("buddy_text.so", b"hello", "CORRUPT"), ("buddy_empty.so", b"", "CORRUPT"),
                                    ("buddy_cut.so", self.rogue("good").read_bytes()[:4096], "CORRUPT"),
                                    ("other.so", b"x", "buddy_<name>.so")):
            path = self.folder / name
            path.write_bytes(content)
            status, report = self.check(path)
            self.assertEqual(status, 1)
            self.assertIn(part, report["findings"][0]["what"])
        status, report = self.check(self.folder / "buddy_none.so")
        self.assertIn("there is no such plugin file", report["findings"][0]["what"])


def add(way: str, severity: str, stage: str, part: str) -> None:
    def test(self: CheckTest) -> None:
        status, report = self.check(self.rogue(way), seconds=8 if way.endswith("hangs") else 60)
        found = [(one["severity"], one["stage"], one["what"]) for one in report["findings"]]
        self.assertTrue(any(s == severity and t == stage and part in what for s, t, what in found), found)
        self.assertEqual(status, 1 if any(s == "error" for s, _, _ in found) else 0)

    setattr(CheckTest, f"test_{way}", test)


for way_name, wanted in ROGUES.items():
    add(way_name, *wanted)


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
