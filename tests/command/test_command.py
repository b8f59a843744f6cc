# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `buddy` command as a person uses and misuses it: each outcome has its exit code and its sentence.

    python3 tests/command/test_command.py --build build

Needs nothing but Python: the archive is the example's. The last line is `N passed, N failed`.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from ahead import Ahead, AheadOfRegistries, Crossing  # noqa: F401
from archive import program_name
from caching import Caching  # noqa: F401
from calibrating import Calibrating  # noqa: F401
from checking import Checking  # noqa: F401
from configuring import Configuring, Embedding  # noqa: F401
from memory import Memory  # noqa: F401
from keys import Keys  # noqa: F401
from hostile import Hostile, Outputs  # noqa: F401
from examples import Examples  # noqa: F401
from files import CacheFiles, Libraries, ManyRegistries, Reading, Writing  # noqa: F401
from harness import INPUT, MODEL, ROOT, Build, CommandTest, buddy, floats, main
from pages import PagesTest  # noqa: F401
from pictures import PerfettoTest, PicturesTest, TracesTest  # noqa: F401
from programs import Programs  # noqa: F401
from written import Written  # noqa: F401

LISTEN = """
import ctypes, sys
from ctypes import POINTER, byref, c_char_p, c_int32, c_void_p
class Diag(ctypes.Structure):
    _fields_ = [("severity", c_int32), ("code", c_int32), ("where", c_char_p), ("what", c_char_p), ("todo", c_char_p)]
core, model = (ctypes.CDLL(path) for path in sys.argv[1:3])
diags, loaded = c_void_p(), c_void_p()
hear = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Diag))(lambda user, diag: print(diag[0].severity, diag[0].what.decode()))
core.buddy_diags_create(byref(diags))
core.buddy_diags_listen(diags, hear, None)
assert model.buddy_model_load(sys.argv[3].encode(), None, diags, byref(loaded)) == 0
model.buddy_model_destroy(loaded)
core.buddy_diags_destroy(diags)
"""


class Help(CommandTest):
    def test_help_version_usage(self) -> None:
        self.check(buddy("--help"), 0, "import", "run", "explain", "registries", "ops", "exit status")
        self.check(buddy("--version"), 0, r"buddy \d+\.\d+\.\d+")
        self.check(buddy(), 2, "usage")
        self.check(buddy("frobnicate"), 2, "frobnicate")
        for verb in ("import", "run", "explain", "profile", "bisect", "reduce", "registries", "ops", "completion", "check"):
            self.check(buddy(verb, "--help"), 0, "usage: buddy " + verb)
            self.check(buddy(verb, "--no-such-option"), 2)
        for verb in ("import", "run", "explain", "profile", "bisect", "reduce"):
            self.check(buddy(verb), 2, "which archive")
        self.check(buddy("import", MODEL, "--emit", "poetry"), 2, "poetry")
        self.check(buddy("run", MODEL, "--repeat", "0"), 2, "repeat")
        self.check(buddy("run", MODEL, "--threads", "many"), 2, "threads")
        self.check(buddy("run", MODEL, "--winograd", "sometimes"), 2, "'auto', 'always' or 'never'")
        self.check(buddy("run", MODEL, "--fusion", "always"), 2, "'auto' or 'never'")
        self.check(buddy("run", MODEL, "--folding", ""), 2, "'auto' or 'never'")
        self.check(buddy("run", "--no-cache", MODEL, "--without", "abacus"), 1, "no feature whose name begins so")

    def test_completion_is_a_script(self) -> None:
        script = buddy("completion", "bash")
        self.check(script, 0, "--registries", "complete -F")
        subprocess.run(["bash", "-n"], input=script.stdout, text=True, check=True)
        self.check(buddy("completion", "fish"), 0, "complete -c buddy")
        self.check(buddy("completion", "tcsh"), 2, "tcsh")
        for verb in self.verbs():
            self.assertRegex(script.stdout, rf"(?m)^    {verb}\) words=")

    def verbs(self) -> list[str]:
        return re.findall(r"(?m)^  ([a-z-]+) +\S", buddy("--help").stdout.split("\n\n")[1])

    @unittest.skipUnless(shutil.which("help2man"), "help2man is not installed")
    def test_each_verb_has_a_manual_page(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            command = ["sh", ROOT / "sdk" / "cli" / "man.sh", Build.folder.resolve() / "bin" / "buddy", "1.2.3", f"{folder}/man"]
            subprocess.run(command, check=True)
            pages = {page.stem: page.read_text() for page in (Path(folder) / "man").iterdir()}
        self.assertEqual(sorted(pages), sorted(["buddy", *(f"buddy-{verb}" for verb in self.verbs())]))
        for name, page in pages.items():
            self.assertRegex(page, rf'(?m)^\.TH {name.upper()} "1" .*1\.2\.3')
            self.assertRegex(page, rf"(?m)^{name} \\- \S")
            self.assertTrue(page.isascii() and "???" not in page)


class MainJob(CommandTest):
    def test_import_forms(self) -> None:
        self.check(buddy("import", MODEL), 0, r"func\.func @forward", "tosa")
        self.check(buddy("import", MODEL, "--emit", "generic"), 0, '"func.func"')
        self.check(buddy("import", MODEL, "--emit", "graph"), 0, r"aten\.")
        self.check(buddy("import", MODEL, "--locations"), 0, r"loc\(")
        self.check(buddy("import", MODEL, "--function", "main"), 0, r"@main\(")
        self.check(buddy("import", MODEL, "--params", "pack"), 0, r"tensor<\d+xf32>")
        self.check(buddy("import", MODEL, "--params", "resource"), 0, "dense_resource")
        out = self.folder / "model.mlirbc"
        self.check(buddy("import", MODEL, "--emit", "bytecode", "-o", out), 0)
        self.assertEqual(out.read_bytes()[:4], b"ML\xefR")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["model.mlirbc"])

    def test_import_for_another_compiler(self) -> None:
        """Generic form by default, whatever the order; what is asked for beside it holds; no other words."""
        for options in ((), ("--registries", "linalg:*"), ("--params", "resource"), ("--for", "iree")):
            text = buddy("import", MODEL, "--for", "iree", *options)
            self.check(text, 0, '"func.func"')
            self.assertNotIn("tensor.insert\"", text.stdout)
        out = self.folder / "model.bc"
        self.check(buddy("import", MODEL, "--for", "iree", "--emit", "bytecode", "-o", out), 0)
        self.assertEqual(out.read_bytes()[:4], b"ML\xefR")
        for word in ("", "IREE", "iree,iree", "nobody"):
            self.check(buddy("import", MODEL, "--for", word), 2, "--for", re.escape(word))
        self.check(buddy("run", MODEL, "--for", "iree"), 2, "for")

    def test_profile_tells_ops_and_writes_a_page(self) -> None:
        page = self.folder / "page.html"
        result = buddy("profile", MODEL, "--repeat", "2", "--output", page)
        self.check(result, 0, r"aten\.conv2d\.default", r"aten\.linear\.default", r"\d+ steps, \d+\.\d+ ms")
        shares = [float(share) for share in re.findall(r"^ *(\d+\.\d) %", result.stdout, re.MULTILINE)]
        self.assertAlmostEqual(sum(shares), 100, delta=0.1 * len(shares))
        text = page.read_text()
        self.assertIn("aten.conv2d.default", text)
        self.assertNotRegex(text, "(src|href)=")
        self.check(buddy("profile", MODEL, "--steps"), 0, "KERNEL", "conv2d", r"export_model\.py:72")
        self.check(buddy("profile", MODEL, "--input", INPUT), 0, "conv2d")
        self.check(buddy("profile", MODEL, "--input", INPUT, "--input", INPUT), 1, "takes 1 inputs, but 2 were given")
        self.check(buddy("profile", MODEL, INPUT), 2, "inputs of a run go by --input")
        result = buddy("compile", MODEL, INPUT, "-o", self.folder / "x.so")
        self.check(result, 2, "takes one file")
        self.assertNotIn("--input", result.stderr)  # which it has not

    def test_profile_writes_a_trace(self) -> None:
        """Slices of the run's own thread stand one after the other, within the run. What the format wants: pictures.py."""
        for threads in ("1", "2"):
            path = self.folder / f"trace{threads}.json"
            self.check(buddy("profile", MODEL, "--compile", "--threads", threads, "--output", path), 0, "generating code")
            events = json.loads(path.read_text())["traceEvents"]
            names = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"}
            slices = [event for event in events if event.get("cat") == "kernel"]
            self.assertLessEqual({(event["pid"], event["tid"]) for event in slices}, names)
            (run,) = (event for event in events if event.get("cat") == "run")
            steps = sorted((event for event in slices if event["tid"] == run["tid"]), key=lambda event: event["ts"])
            for before, after in itertools.pairwise(steps):
                self.assertAlmostEqual(before["ts"] + before["dur"], after["ts"], delta=0.01)
            for event in slices:
                self.assertGreaterEqual(event["ts"] - run["ts"], -0.01)
                self.assertLessEqual(event["ts"] + event["dur"], run["ts"] + run["dur"] + 0.01)
            conv = next(event for event in steps if event["args"]["kernel"].startswith("buddy.image_"))["args"]
            self.assertEqual((conv["op"], conv["module"]), ("aten.conv2d.default", "conv1"))
            self.assertRegex(conv["where"], r"export_model\.py:72")
            self.assertIn(conv["registry"], ("linalg", "tosa", "linalg+tosa"))
            self.assertGreater(conv["bytes"], 28 * 28 * 4)
            self.assertEqual(conv["flops"], 2 * 25 * 6 * 28 * 28)
            self.assertGreater(conv["% of the machine's limit"], 0, conv)  # of a limit measured under the same load
            stages = [event for event in events if event.get("cat") == "compile"]
            self.assertEqual(stages[0]["name"], "importing")
            self.assertLessEqual(stages[-1]["ts"] + stages[-1]["dur"], run["ts"] + 0.01)

    def test_compile_tells_passes(self) -> None:
        self.check(buddy("compile", "--passes"), 0, r"(?m)^STAGE +PASS +NEEDS +GIVES", r"(?m)^tensors +fusing loops ",
                   r"(?m)^llvm +lowering to LLVM ")  # fmt: skip
        self.check(buddy("profile", MODEL, "--compile"), 0, r"(?m)^ +[\d.]+ +fusing loops", r"(?m)^ +[\d.]+ +replacing convolutions")

    def test_explain_tells_kernels(self) -> None:
        self.check(buddy("explain", MODEL, "--kernels"), 0, r"(?m)^image +convolution +conv2d +\S+export_model.py:72 +constant weights",
                   "5 products and convolutions, 0 of them slower than they could be")  # fmt: skip
        kernels = json.loads(buddy("explain", MODEL, "--kernels", "--json").stdout)["kernels"]
        self.assertEqual({one["nodes"] for one in kernels}, {"conv2d", "conv2d_1", "linear", "linear_1", "linear_2"})
        self.assertTrue(all(set(one) == {"op", "nodes", "module", "where", "kernel", "why", "slow"} for one in kernels))
        self.assertNotIn("kernels", json.loads(buddy("explain", MODEL, "--json").stdout))
        cut = json.loads(buddy("explain", MODEL, "--kernels", "--json", "--tensor-parallel", "2").stdout)["kernels"]
        self.assertIn("linear_3", {one["nodes"] for one in cut})  # a part of linear_1

    def test_profile_tells_memory(self) -> None:
        self.check(buddy("profile", MODEL, "--memory"), 0, r"BYTES +STEPS +NODES +WHERE",
                   r"(KB|bytes) of intermediate results of known sizes at most, in step \d+ \(\w+, \S+export_model.py:\d+\), in an arena of",
                   "of constants kept")  # fmt: skip
        trace = self.folder / "trace.json"
        self.check(buddy("profile", MODEL, "--output", trace), 0)
        points = [event["args"]["bytes"] for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "C"]
        rows = re.findall(r"(?m)^ *(\d+) +(\d+) to (\d+) ", buddy("profile", MODEL, "--memory").stdout)
        self.assertEqual(max(points), sum(int(size) for size, _, _ in rows))

    def test_graphs_for_model_explorer(self) -> None:
        """Every edge has its two ends; each op tells who took it; profile's numbers are of nodes of that graph."""
        graph, data = self.folder / "graph.json", self.folder / "data.json"
        self.check(buddy("explain", MODEL, "--output", graph), 0, "taken by tosa")
        self.check(buddy("profile", MODEL, "--node-data", data), 0, "steps")
        collection = json.loads(graph.read_text())
        (top,) = collection["graphs"]
        nodes = {node["id"]: node for node in top["nodes"]}
        self.assertEqual(len(nodes), len(top["nodes"]))
        for node in nodes.values():
            self.assertLessEqual(set(node), {"id", "label", "namespace", "subgraphIds", "attrs", "incomingEdges",
                                             "outputsMetadata"})
            for edge in node["incomingEdges"]:
                results = [item["id"] for item in nodes[edge["sourceNodeId"]]["outputsMetadata"]]
                self.assertIn(edge["sourceNodeOutputId"], results)
            attrs = {attr["key"]: attr["value"] for attr in node["attrs"]}
            if "op" in attrs:
                self.assertIn(attrs["registry"], ("tosa", "linalg"))
        attrs = {attr["key"]: attr["value"] for attr in nodes["conv2d"]["attrs"]}
        self.assertEqual((nodes["conv2d"]["namespace"], attrs["op"]), ("conv1", "aten.conv2d.default"))
        self.assertRegex(attrs["where"], r"export_model\.py:72$")
        self.assertEqual([edge["sourceNodeId"] for edge in nodes["conv2d"]["incomingEdges"]],
                         ["x", "p_conv1_weight", "p_conv1_bias"])
        self.assertEqual(nodes["p_conv1_weight"]["namespace"], "conv1")
        (numbers,) = json.loads(data.read_text()).items()
        self.assertEqual(numbers[0], top["id"])
        self.assertLessEqual(set(numbers[1]["results"]), set(nodes))
        self.assertGreater(numbers[1]["results"]["conv2d"]["value"], 0)
        self.check(buddy("explain", MODEL, "--registries", "linalg:tosa", "--output", graph), 0)
        attrs = [attr for node in json.loads(graph.read_text())["graphs"][0]["nodes"] for attr in node["attrs"]]
        self.assertIn({"key": "registry", "value": "linalg"}, attrs)

    @unittest.skipUnless(hasattr(os, "openpty"), "no terminals here")
    def test_who_sits_there_is_told_who_takes_the_nodes(self) -> None:
        """Where the model is compiled, and where its code comes from the cache."""
        program = str(Build.folder / "bin" / "buddy")
        with tempfile.TemporaryDirectory() as cache:
            for options in (["--no-cache"], [], []):
                shown, terminal = os.openpty()
                self.addCleanup(os.close, shown)
                result = subprocess.run([program, "run", str(MODEL), *options], stdout=subprocess.PIPE, stderr=terminal, check=True,
                                        env=os.environ | {"XDG_CACHE_HOME": cache})
                os.close(terminal)
                text = b""
                while True:
                    try:
                        text += (piece := os.read(shown, 65536))
                    except OSError:
                        break
                    if not piece:
                        break
                self.assertEqual(len(re.findall(r"12 nodes: 12 tosa", text.decode(errors="replace"))), 1)
                self.assertIn(b"output 0", result.stdout)
        self.assertEqual(buddy("run", MODEL, "--no-cache").stderr, "")

    def test_a_program_hears_who_takes_the_nodes(self) -> None:
        """By its callback, as the model is loaded."""
        libraries = [str(Build.folder / "lib" / f"lib{name}.so") for name in ("buddy", "buddy_model")]
        with tempfile.TemporaryDirectory() as cache:
            result = subprocess.run([sys.executable, "-c", LISTEN, *libraries, str(MODEL)], capture_output=True, text=True, check=True,
                                    env=os.environ | {"XDG_CACHE_HOME": cache})
        self.assertEqual((result.stdout, result.stderr), ("2 12 nodes: 12 tosa\n", ""))

    def test_what_follows_a_convolution_is_done_with_it(self) -> None:
        """Each convolution is one kernel, and of the four activations only those after products are steps."""
        steps = buddy("profile", MODEL, "--steps").stdout
        self.assertEqual(len(re.findall(r"conv2d(?:_1)? +buddy\.image_", steps)), 2, steps)
        self.assertEqual(set(re.findall(r"[ +](relu\w*) +buddy\.", steps)), {"relu_2", "relu_3"}, steps)

    def test_a_normalisation_is_done_with_its_convolution(self) -> None:
        """What it makes of its constants is computed once, and not in between."""

        def normalize(program) -> None:
            graph = program["graph_module"]["graph"]
            convolution, relu = graph["nodes"][:2]
            numbers = ("weight", "bias", "running_mean", "running_var")
            tensors = {"input": "conv2d", **dict.fromkeys(numbers, "p_conv1_bias")}
            inputs = {name: {"as_tensor": {"name": value}} for name, value in tensors.items()}
            inputs |= {"training": {"as_bool": False}, "momentum": {"as_float": 0.1}, "eps": {"as_float": 1.0},
                       "cudnn_enabled": {"as_bool": False}}
            graph["nodes"].insert(1, {
                **convolution, "target": "torch.ops.aten.batch_norm.default", "name": "norm",
                "inputs": [{"name": name, "arg": arg, "kind": 1} for name, arg in inputs.items()],
                "outputs": [{"as_tensor": {"name": "norm"}}]})
            graph["tensor_values"]["norm"] = graph["tensor_values"]["conv2d"]
            relu["inputs"][0]["arg"]["as_tensor"]["name"] = "norm"

        result = buddy("profile", self.rewrite_json(normalize), "--steps")
        self.check(result, 0, r"conv2d +buddy\.image_")
        self.assertEqual(re.findall(r" (relu|relu_1) +buddy\.", result.stdout), [], result.stdout)

    def test_run_writes_results(self) -> None:
        out = self.folder / "out"
        self.check(buddy("run", MODEL, "--input", INPUT, "--output-dir", out, "--repeat", "3"), 0, "input 0", "output 0",
                   "median")
        expected = (ROOT / "examples" / "models" / "lenet5_expected.npy").read_bytes()
        written = (out / "output_0.npy").read_bytes()
        self.assertEqual(len(written), len(expected))
        n = (len(expected) - 128) // 4
        for got, want in zip(struct.unpack_from(f"<{n}f", written, 128), struct.unpack_from(f"<{n}f", expected, 128)):
            self.assertAlmostEqual(got, want, delta=1e-4 * 20)

    def test_run_runs_again_with_further_inputs(self) -> None:
        other, out = self.folder / "other.npy", self.folder / "out"
        image = INPUT.read_bytes()
        other.write_bytes(image[:128] + b"\0" * (len(image) - 128))
        self.check(buddy("run", MODEL, "--input", INPUT, "--input", other, "--input", INPUT, "--output-dir", out), 0)
        first, second, third = (floats(out / run / "output_0.npy") for run in (".", "run_1", "run_2"))
        self.assertEqual(first, third)
        self.assertNotEqual(first, second)
        alone = self.folder / "alone"
        self.check(buddy("run", MODEL, "--input", other, "--output-dir", alone), 0)
        self.assertEqual(second, floats(alone / "output_0.npy"))

    def test_a_schedule_is_applied(self) -> None:
        outs = [self.folder / name for name in ("plain", "scheduled")]
        schedule = ROOT / "examples" / "schedule.mlir"
        for out, options in zip(outs, ([], ["--schedule", schedule])):
            self.check(buddy("run", MODEL, "--input", INPUT, "--output-dir", out, *options), 0, "output 0")
        plain, scheduled = (floats(out / "output_0.npy") for out in outs)
        self.assertEqual(len(plain), len(scheduled))
        for a, b in zip(plain, scheduled):
            self.assertAlmostEqual(a, b, delta=1e-5)
        wrong = self.folder / "wrong.mlir"
        wrong.write_text(schedule.read_text().replace("@tensors", "@tensor"))
        self.check(buddy("run", MODEL, "--schedule", wrong), 1, "no stage of compiling is called 'tensor'", r"schedule:\d+")
        self.check(buddy("run", MODEL, "--schedule", self.folder / "none.mlir"), 1, "none.mlir")

    def test_results_are_the_same_on_any_number_of_threads(self) -> None:
        results = []
        for threads in (1, 2, 7):
            out = self.folder / f"threads{threads}"
            self.check(buddy("run", MODEL, "--threads", threads, "--output-dir", out), 0)
            results.append((out / "output_0.npy").read_bytes())
        self.assertEqual(results, results[:1] * 3)

    def test_random_inputs_are_seeded(self) -> None:
        outs = []
        for k, seed in enumerate((1, 1, 2)):
            out = self.folder / str(k)
            self.check(buddy("run", MODEL, "--seed", seed, "--output-dir", out), 0)
            outs.append((out / "output_0.npy").read_bytes())
        self.assertEqual(outs[0], outs[1])
        self.assertNotEqual(outs[0], outs[2])

    def test_explain(self) -> None:
        self.check(buddy("explain", MODEL), 0, "taken by tosa", "Order: tosa")
        self.check(buddy("explain", MODEL, "--registries", "linalg:*"), 0, "Order: linalg")
        report = json.loads(buddy("explain", MODEL, "--json").stdout)
        self.assertEqual(report["unsupported"], 0)
        self.assertTrue(all(node["taken_by"] for node in report["nodes"]))
        self.assertTrue(any(node["line"] for node in report["nodes"]))

    def test_registries_and_ops(self) -> None:
        self.check(buddy("registries"), 0, "tosa", "linalg", "math", "func", "composite", "vendor", "Apache-2.0")
        names = [row["name"] for row in json.loads(buddy("registries", "--json").stdout)["registries"]]
        self.assertEqual(names, sorted(names))
        self.check(buddy("ops", "--registry", "tosa"), 0, r"aten\.add\.Tensor")
        self.check(buddy("ops", "--registry", "nobody"), 1, "nobody")


class Archives(CommandTest):
    def test_not_an_archive(self) -> None:
        self.check(buddy("import", self.folder / "none.pt2"), 1, "none.pt2")
        empty = self.folder / "empty.pt2"
        empty.write_bytes(b"")
        self.check(buddy("import", empty), 1, "empty.pt2")
        self.check(buddy("import", self.folder), 1)
        text = self.folder / "text.pt2"
        text.write_text("hello" * 1000)
        self.check(buddy("import", text), 1, "zip")

    def test_truncated_anywhere(self) -> None:
        data = MODEL.read_bytes()
        cut = self.folder / "cut.pt2"
        for part in range(1, 20):
            cut.write_bytes(data[: len(data) * part // 20])
            out = self.folder / "out.mlir"
            self.check(buddy("import", cut, "-o", out), 1, "error: .*cut.pt2")
            self.assertFalse(out.exists())

    def test_json_cut_anywhere(self) -> None:
        with zipfile.ZipFile(MODEL) as archive:
            size = len(archive.read(program_name(archive)))
        for part in range(1, 20):
            self.check(buddy("import", self.rewrite(lambda data, end=size * part // 20: data[:end])), 1, "model.json")

    def test_entries_that_lie(self) -> None:
        data = bytearray(MODEL.read_bytes())
        header = data.rfind(b"PK\x01\x02")
        for offset, value in ((20, 0x7FFFFFFF), (24, 0x7FFFFFFF), (42, 0x7FFFFFF0)):  # sizes, place in the file
            lying = bytearray(data)
            struct.pack_into("<I", lying, header + offset, value)
            path = self.folder / "lying.pt2"
            path.write_bytes(lying)
            self.check(buddy("import", path), 1, "lying.pt2")

    def test_schema_of_another_major_version(self) -> None:
        def edit(program: dict) -> None:
            program["schema_version"]["major"] = 99

        self.check(buddy("import", self.rewrite_json(edit)), 1, "99")

    def test_unknown_ops_are_reported_together(self) -> None:
        def edit(program: dict) -> None:
            count = 0
            for node in program["graph_module"]["graph"]["nodes"]:
                if "relu" in node["target"] or "conv2d" in node["target"]:
                    node["target"] = f"torch.ops.nobody.op_{count % 2}.default"
                    count += 1

        path = self.rewrite_json(edit)
        self.check(buddy("import", path), 1, r"nobody\.op_0", r"nobody\.op_1", r"\.py:\d+")
        self.check(buddy("explain", path), 1, "nobody")


class Inputs(CommandTest):
    def npy(self, descr: str, shape: tuple[int, ...], data: bytes) -> Path:
        header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape!r}, }}".encode()
        header += b" " * (118 - len(header) - 1) + b"\n"
        path = self.folder / "x.npy"
        path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)
        return path

    def test_wrong_inputs(self) -> None:
        self.check(buddy("run", MODEL, "--input", self.folder / "none.npy"), 1, "none.npy")
        self.check(buddy("run", MODEL, "--input", self.npy("<f4", (2, 2), bytes(16))), 1, "expected", "2")
        self.check(buddy("run", MODEL, "--input", self.npy("<f8", (1, 1, 28, 28), bytes(28 * 28 * 8))), 1, "f64")
        self.check(buddy("run", MODEL, "--input", self.npy("<f4", (1, 1, 28, 28), bytes(100))), 1, "x.npy")
        second = self.npy("<f4", (2, 2), bytes(16))
        self.check(buddy("run", MODEL, "--input", INPUT, "--input", second), 1, "expected", "2")


class Registries(CommandTest):
    def plugin(self, name: str) -> Path:
        return Build.folder / "lib" / "buddy" / "plugins-1" / f"buddy_{name}.so"

    def test_orders(self) -> None:
        self.check(buddy("import", MODEL, "--registries", "nobody"), 1, "nobody")
        for order in ("../evil", "a/b", "tosa::linalg", "tosa:tosa", "TOSA", "a\nb", ":".join(["x"] * 1000)):
            self.check(buddy("import", MODEL, "--registries", order), 1, "error")
        self.check(buddy("import", MODEL, env={"BUDDY_REGISTRIES": "linalg:*"}), 0, "linalg")
        self.check(buddy("import", MODEL, env={"BUDDY_REGISTRIES": ""}), 1)
        self.check(buddy("explain", MODEL, "--pin", "aten.relu.default=linalg"), 0, "relu.* linalg")

    def test_truncated_plugins(self) -> None:
        """Refused by reading alone; a file that lacks only its section headers is whole to the loader."""
        data = self.plugin("math").read_bytes()
        refused = 0
        for part in range(0, 16):
            (self.folder / "buddy_math.so").write_bytes(data[: len(data) * part // 16])
            listing = buddy("registries", "--plugin-dir", self.folder)
            self.check(listing, 0)
            if "refused" in listing.stdout:
                refused += 1
                self.check(buddy("import", MODEL, "--plugin-dir", self.folder, "--registries", "math:*"), 1, "math")
            else:
                self.check(buddy("import", MODEL, "--plugin-dir", self.folder, "--registries", "math:*"), 0)
        self.assertGreater(refused, 10)

    def test_other_versions(self) -> None:
        data = self.plugin("math").read_bytes()
        note = data.index(b"buddy\0\0\0")
        for offset, value, word in ((8, 2 << 16, "ABI"), (12, 21 << 16 | 1, "LLVM")):
            changed = bytearray(data)
            struct.pack_into("<I", changed, note + offset, value)
            (self.folder / "buddy_math.so").write_bytes(changed)
            self.check(buddy("registries", "--plugin-dir", self.folder), 0, "refused.*" + word)
            self.check(buddy("import", MODEL, "--plugin-dir", self.folder, "--registries", "math:*"), 1, word)

    def test_shadowing_is_shown(self) -> None:
        shutil.copy(self.plugin("math"), self.folder / "buddy_math.so")
        self.check(buddy("registries", "--plugin-dir", self.folder), 0, "shadowed by")


if __name__ == "__main__":
    sys.exit(main())
