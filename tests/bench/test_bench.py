# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of what the benchmarks compute; nothing is measured here.

    python3 tests/bench/test_bench.py
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "peers")]

import instructions  # noqa: E402
import latency  # noqa: E402
import report  # noqa: E402
import token_table  # noqa: E402
from results import Results  # noqa: E402

CALLGRIND = """# callgrind format
events: Ir

ob=(1) /lib/libbuddy.so
fn=(1) main
12 5
cob=(2) /usr/lib/libLLVM.so.22.1
cfn=(2) buddy_compile
calls=1 0
+3 700
cfn=(2)
calls=1 0
* 100
-1 5

ob=(2)
fn=(2)
0 790
"""


class Report(unittest.TestCase):
    TABLE = {"a": {"eager": 1.0, "openvino": 0.5, "buddy": 0.25}, "b": {"eager": 1.0, "openvino": 2.0, "buddy": 2.0}}

    def test_best_peer_is_no_buddy(self) -> None:
        best = report.against_best(self.TABLE)
        self.assertEqual(best["a"], {"eager": 0.5, "openvino": 1.0, "buddy": 2.0})
        self.assertEqual(best["b"], {"eager": 1.0, "openvino": 0.5, "buddy": 0.5})

    def test_means_are_geometric(self) -> None:
        means = report.means(report.against_best(self.TABLE))
        self.assertAlmostEqual(means["buddy"], 1.0)
        self.assertAlmostEqual(means["openvino"], 0.5**0.5)

    def test_means_are_of_the_same_models(self) -> None:
        table = report.against_best(self.TABLE | {"c": {"eager": 1.0, "buddy": 0.001, "reading": 0.0001}})
        self.assertAlmostEqual(report.means(table)["buddy"], 1.0)
        self.assertNotIn("reading", report.means(table))

    def test_wrong_results_are_marked(self) -> None:
        record = {"kind": "start", "model": "m", "contender": "buddy", "threads": 1, "problem": "error 1"}
        self.assertIn("WRONG", report.marks([record])[0])
        self.assertEqual(report.marks([record | {"problem": ""}]), [])

    def test_records_of_other_threads_are_left_out(self) -> None:
        records = [
            {"kind": "latency", "model": "m", "contender": "eager", "threads": n, "wall_ratio": n} for n in (1, 2)
        ]
        self.assertEqual(report.table_of(records, report.LATENCY, 2), {"m": {"eager": 2.0}})


    def test_share_of_bandwidth(self) -> None:
        (table,) = report.bandwidth_tables({"m": {"buddy": 0.5, "reading": 0.4}, "n": {"buddy": 1.0}}, 1)
        self.assertEqual(table["values"], {"m": {"buddy": 0.8}})
        self.assertEqual(report.bandwidth_tables({"n": {"buddy": 1.0}}, 1), [])
        self.assertNotIn("of the best peer", "".join(report.lines_of(table)))


class Rounds(unittest.TestCase):
    def test_ratio_is_of_the_same_round(self) -> None:
        """A machine that is ten times slower in the second round changes nothing."""
        rounds = [
            {name: {"wall": t * k, "least": t * k, "cpu": t * k} for name, t in (("eager", 2.0), ("buddy", 1.0))}
            for k in (1, 10)
        ]
        self.assertEqual(latency.summed(rounds, "buddy")["wall_ratio"], 0.5)

    def test_groups_have_the_anchor_and_everyone_once(self) -> None:
        names = ["eager", "inductor", "openvino", "onnxruntime", "buddy"]
        for size in (10**6, 10**10, 10**12):
            groups = latency.groups(names[1:], size)
            self.assertTrue(all(group[0] == "eager" for group in groups))
            self.assertEqual(sorted(n for g in groups for n in g[1:]), sorted(names[1:]))
        self.assertEqual(len(groups), 4)


class Resume(unittest.TestCase):
    def test_what_is_there_is_not_measured_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.jsonl"
            Results(path, again=False).add("k", {"kind": "start"})
            self.assertIn("k", Results(path, again=False))
            self.assertNotIn("k", Results(path, again=True))
            self.assertIn("k", Results(path, again=True).records)


class Instructions(unittest.TestCase):
    def test_profile_of_callgrind(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "callgrind.out"
            path.write_text(CALLGRIND)
            rows = dict(instructions.Profile(path).rows())
        self.assertEqual(rows, {"all": 800, "of it LLVM and MLIR": 790, "compile": 800})

    def test_losses_count_gains_do_not(self) -> None:
        kept = {("c", part): 1000 for part in ("same", "more", "less")}
        counted = {("c", "same"): 1029, ("c", "more"): 1031, ("c", "less"): 900, ("c", "new"): 1}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(instructions.compare(counted, kept), 1)
        self.assertIn("MORE", out.getvalue())
        self.assertIn("renew", out.getvalue())


class Tokens(unittest.TestCase):
    TIMES = {"eager": [8.0, 2.0, 4.0, 2.0], "buddy": [6.0, 1.0, 1.0, 3.0]}

    def test_ratios_are_of_each_step(self) -> None:
        rows = token_table.told(self.TIMES, 3_000_000)
        self.assertEqual(rows["buddy"]["token_ratio"], 0.5)
        self.assertEqual(rows["buddy"]["prompt_ratio"], 0.75)
        self.assertEqual(rows["eager"]["token_ratio"], 1.0)

    def test_rates_are_of_the_median(self) -> None:
        row = token_table.told(self.TIMES, 3_000_000)["buddy"]
        self.assertEqual((row["prompt_ms"], row["token_ms"], row["least_ms"], row["most_ms"]), (6.0, 1.0, 1.0, 3.0))
        self.assertEqual((row["tokens_per_s"], row["gb_per_s"]), (1000.0, 3.0))

    def test_tells_who_is_missing(self) -> None:
        text = io.StringIO()
        rows = token_table.told(self.TIMES, 1)
        with contextlib.redirect_stdout(text):
            token_table.show({"weights": "f32", "contenders": rows, "missing": {"openvino": "why"}})
        self.assertIn("openvino     none: why", text.getvalue())


if __name__ == "__main__":
    unittest.main()
