# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buddy bisect`: planted faults, each of which it must name, and a sound model, which it must not accuse.

    python3 tests/bisect/test_bisect.py --build build [--models DIR]

The model is the example's, with a chain of ops after its first fully connected layer. --models: further archives, all
sound (tests/models/export.py writes them), none of which may be accused. The last line is `N passed, N failed`.
"""

from __future__ import annotations

import copy
import json
import math
import os
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "command"), str(Path(__file__).resolve().parent.parent)]

from archive import rewrite  # noqa: E402
from harness import INPUT, MODEL, Build, CommandTest, buddy, main  # noqa: E402

# name, op, operands, numbers
CHAIN = (("c_sub", "sub.Tensor", "relu_2", "linear"), ("c_clamp", "clamp.default", "linear", {"min": -0.75, "max": 0.75}),
         ("c_tanh", "tanh.default", "c_clamp"), ("c_mul", "mul.Tensor", "c_tanh", "c_sub"),
         ("c_sigmoid", "sigmoid.default", "c_mul"), ("c_sqrt", "sqrt.default", "c_sigmoid"),
         ("c_exp", "exp.default", "c_sqrt"), ("c_div", "div.Tensor", "c_exp", "c_sigmoid"),
         ("c_maximum", "maximum.default", "c_div", "c_tanh"), ("c_neg", "neg.default", "c_maximum"))
RELUS = {"relu", "relu_1", "relu_2", "relu_3"}
FAULTS = (("constant", "relu.default", RELUS), ("size", "relu.default", {"relu_3"}), ("swapped", "sub.Tensor", {"c_sub"}),
          ("rounding", "mul.Tensor", {"c_mul"}), ("nan", "tanh.default", {"c_tanh"}),
          ("sign", "sigmoid.default", {"c_sigmoid"}), ("epsilon", "sqrt.default", {"c_sqrt"}),
          ("function", "exp.default", {"c_exp"}), ("factor", "div.Tensor", {"c_div"}), ("identity", "neg.default", {"c_neg"}),
          ("comparison", "maximum.default", {"c_maximum"}), ("lost", "clamp.default", {"c_clamp"}))


def golden_values(*words: object) -> subprocess.CompletedProcess[str]:
    """`python -m buddy golden`."""
    env = os.environ | {"PYTHONPATH": str(Build.folder / "python")}
    return subprocess.run([os.environ["BUDDY_PYTHON"], "-m", "buddy", "golden", *map(str, words)], capture_output=True, text=True, env=env,
                          check=False)  # fmt: skip


def chain(program, ops: tuple = CHAIN) -> None:
    """Puts them between the first fully connected layer's activation and the second layer."""
    graph = program["graph_module"]["graph"]
    nodes, values = graph["nodes"], graph["tensor_values"]
    at = next(i for i, node in enumerate(nodes) if node["outputs"][0]["as_tensor"]["name"] == "relu_2")
    behind, made = nodes[at + 1], []
    for name, op, *operands in ops:
        tensors = [operand for operand in operands if isinstance(operand, str)]
        node = copy.deepcopy(nodes[at])
        node |= {"target": f"torch.ops.aten.{op}", "name": name, "outputs": [{"as_tensor": {"name": name}}]}
        node["inputs"] = [{"name": arg, "arg": {"as_tensor": {"name": tensor}}, "kind": 1}
                          for arg, tensor in zip(("self", "other"), tensors)]
        numbers = operands[-1] if isinstance(operands[-1], dict) else {}
        node["inputs"] += [{"name": arg, "arg": {"as_float": number}, "kind": 2} for arg, number in numbers.items()]
        values[name] = values["relu_2"]
        made.append(node)
    nodes[at + 1:at + 1] = made
    behind["inputs"][0]["arg"]["as_tensor"]["name"] = ops[-1][0]


def symbolic(program) -> None:
    """The example's batch becomes a symbol."""
    graph = program["graph_module"]["graph"]
    size = {"as_expr": {"expr_str": "Symbol('s0', positive=True, integer=True)", "hint": {"as_int": 1}}}
    for name, meta in graph["tensor_values"].items():
        if not name.startswith(("p_", "b_")):
            meta["sizes"][0] = size
    program["range_constraints"]["s0"] = {"min_val": 1, "max_val": 64}


def two_results(program) -> None:
    """The first activation's mean, the second result of three, is added to it."""
    chain(program, (("c_add", "add.Tensor", "relu_2", "c_mean"),))
    graph = program["graph_module"]["graph"]
    nodes, values = graph["nodes"], graph["tensor_values"]
    at = next(i for i, node in enumerate(nodes) if node["name"] == "c_add")
    args = {"input": {"as_tensor": {"name": "relu_2"}}, "normalized_shape": {"as_ints": [120]}, "weight": {"as_tensor": {"name": "p_fc1_bias"}},
            "bias": {"as_tensor": {"name": "p_fc1_bias"}}, "eps": {"as_float": 1e-5}}
    names = ("c_norm", "c_mean", "c_root")
    nodes.insert(at, nodes[at] | {"target": "torch.ops.aten.native_layer_norm.default", "name": "c_norm",
                                  "inputs": [{"name": name, "arg": arg, "kind": 1} for name, arg in args.items()],
                                  "outputs": [{"as_tensor": {"name": name}} for name in names]})
    values["c_norm"] = values["relu_2"]
    values["c_mean"] = values["c_root"] = values["relu_2"] | {"sizes": [values["relu_2"]["sizes"][0], {"as_int": 1}],
                                                              "strides": [{"as_int": 1}, {"as_int": 1}]}


class Bisecting(CommandTest):
    def setUp(self) -> None:
        super().setUp()
        self.model = self.rewrite_json(chain)
        self.plugins = ("--plugin-dir", Build.folder / "tests" / "bisect" / "plugins", "--registries", "faulty:linalg:*")

    def bisect(self, *options: object, fault: str = "") -> tuple[int, str]:
        result = buddy("bisect", self.model, "-i", INPUT, *options, env={"BUDDY_TEST_FAULT": fault})
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def test_faults_are_named(self) -> None:
        """The node, the line, and an option with which the whole model is right: what the fault sits in, and no other."""
        for fault, op, nodes in FAULTS:
            with self.subTest(fault):
                status, text = self.bisect(*self.plugins, "--json", fault=fault)
                found = json.loads(text)
                self.assertEqual(status, 1, text)
                named = {node["node"] for finding in found["findings"] for node in finding["nodes"]}
                self.assertEqual(named, nodes)
                for finding in found["findings"]:
                    self.assertRegex(finding["avoided_by"][0]["option"], rf"--pin aten\.{op}=(?!faulty)")
                    self.assertEqual(finding["nodes"][0]["op"], f"aten.{op}")
                    self.assertGreater(finding["nodes"][0]["line"], 0)
                searched = max(found["findings"], key=lambda finding: finding["options_tried"])
                self.assertIn(f"--pin aten.{op}=tosa", [way["option"] for way in searched["avoided_by"]])
                self.assertTrue(found["is_confirmed"])
                self.assertLess(found["programs"], 60 + 10 * len(nodes))

    def test_kinds_of_faults(self) -> None:
        """Of planted.c, of which planted.py has the rest: in an op that buddy itself expands, on several threads (the last
        number is not read, which is 0 for the other layers), in what is kept of a first run."""
        def edit(program) -> None:
            nodes = program["graph_module"]["graph"]["nodes"]
            next(node for node in nodes if node["name"] == "relu_2")["target"] = "torch.ops.aten.gelu.default"

        self.model = self.rewrite_json(edit)
        for fault, nodes, option, is_later in (("gelu.sigmoid", {"relu_2"}, "--pin aten.gelu.default=composite", False),
                                               ("linear.threads", {"linear_1"}, "--threads 1", False),
                                               ("linear.stale", {"linear", "linear_1", "linear_2"},
                                                "--pin aten.linear.default=linalg", True)):
            with self.subTest(fault):
                plugins = (*self.plugins[:2], "--registries", "planted:linalg:*", "--threads", "2")
                found = json.loads(self.bisect(*plugins, "--json", fault=fault)[1])
                self.assertEqual({node["node"] for finding in found["findings"] for node in finding["nodes"]}, nodes)
                self.assertIn(option, [way["option"] for finding in found["findings"] for way in finding["avoided_by"]])
                self.assertEqual((found["is_in_later_runs_alone"], found["is_confirmed"]), (is_later, True))

    def test_symbolic_sizes_and_several_results(self) -> None:
        """The batch is a symbol, or the second result of three alone is off, or both; without the fault none is accused."""
        plugins = (*self.plugins[:2], "--registries", "planted:linalg:*", "--threads", "2", "--json")
        linears = {"linear", "linear_1", "linear_2"}

        def both(program) -> None:
            two_results(program)
            symbolic(program)

        for edit, fault, nodes in ((symbolic, "relu.leaky", RELUS), (symbolic, "linear.bf16", linears), (symbolic, "linear.stale", linears),
                                   (two_results, "native.second", {"c_norm"}), (both, "native.second", {"c_norm"})):
            with self.subTest(f"{edit.__name__}: {fault}"):
                self.model = self.rewrite_json(edit)
                found = json.loads(self.bisect(*plugins, fault=fault)[1])
                self.assertEqual({node["node"] for finding in found["findings"] for node in finding["nodes"]}, nodes)
                self.assertRegex(found["findings"][0]["avoided_by"][0]["option"], r"--pin aten\.\w+\.default=(?!planted)")
                self.assertEqual((found["is_in_later_runs_alone"], found["is_confirmed"]), (fault.endswith(".stale"), True))
                self.assertEqual(self.bisect(*plugins)[0], 0)

    def test_choices_of_the_compiler(self) -> None:
        """An option of each kind, which avoids the fault as the op's registry does, and is told of beside it."""
        def edit(program) -> None:
            nodes = program["graph_module"]["graph"]["nodes"]
            next(node for node in nodes if node["name"] == "relu_2")["target"] = "torch.ops.aten.gelu.default"

        self.model = self.rewrite_json(edit)
        planted = (*self.plugins[:2], "--registries", "planted:linalg:*")
        has_fma = " fma " in Path("/proc/cpuinfo").read_text()
        for fault, node, option in (("linear.fold", "linear_1", "--folding never"), ("gelu.fused", "relu_2", "--fusion never"),
                                    ("gelu.fma", "relu_2", r"--without (\w+,)*avx"), ("gelu.option", "relu_2", "--optimize 0")):
            if fault == "gelu.fma" and not has_fma:
                continue
            with self.subTest(fault):
                status, text = self.bisect(*planted, fault=fault)
                self.assertEqual(status, 1, text)
                self.assertRegex(text, rf"node {node} \(.* without: `--pin [^`]*`.* or `{option}`.* avoid it\n")
                self.assertRegex(text, "the whole model with the first option.*within rounding")
                turned = shlex.split(re.search(f"`({option})`", text)[1])
                self.assertEqual(self.bisect(*planted, *turned, fault=fault)[0], 0)

    def test_a_set_of_options_is_found(self) -> None:
        """An op of one registry alone, off where weights are kept or on several threads: neither option helps alone."""
        def edit(program) -> None:
            chain(program)
            node = next(node for node in program["graph_module"]["graph"]["nodes"] if node["name"] == "c_neg")
            node["target"] = "torch.ops.aten._standard_gamma_grad.default"
            node["inputs"].append({"name": "output", "arg": {"as_tensor": {"name": "p_fc1_bias"}}, "kind": 1})

        self.model = self.rewrite_json(edit)
        planted = (*self.plugins[:2], "--registries", "planted:linalg:*", "--threads", "2")
        found = json.loads(self.bisect(*planted, "--json", fault="gamma.two")[1])
        (finding,) = found["findings"]
        self.assertEqual([node["node"] for node in finding["nodes"]], ["c_neg"])
        (way,) = finding["avoided_by"]
        self.assertEqual(sorted(way["option"].split(" --")), ["--threads 1", "folding never"])
        self.assertTrue(found["is_confirmed"])
        self.assertLess(finding["options_tried"], 20)
        for options, status in ((("--folding", "never"), 1), (("--threads", "1"), 1), (("--folding", "never", "--threads", "1"), 0)):
            self.assertEqual(self.bisect(*planted, *options, fault="gamma.two")[0], status, options)

    def test_code_from_the_cache(self) -> None:
        """What was compiled with a fault is off where what is compiled now is not, and is not looked at if that is said."""
        planted = ("--plugin-dir", self.plugins[1], "--registries", "planted:linalg:*")
        with tempfile.TemporaryDirectory() as cache:
            environment = {"BUDDY_CACHE_DIR": cache}
            self.check(buddy("run", self.model, *planted, env=environment | {"BUDDY_TEST_FAULT": "linear.bias"}), 0)
            result = buddy("bisect", self.model, "-i", INPUT, *planted, env=environment)
            self.check(result, 1, "the whole model is off by .* with code from the cache and .* without: `--no-cache` avoids it")
            self.check(buddy("bisect", self.model, "-i", INPUT, *planted, "--no-cache", env=environment), 0, "within rounding")
            self.check(buddy("bisect", self.model, "-i", INPUT, *planted, "--fusion", "never", env=environment), 0)  # another key
            entries = list(Path(cache).rglob("*"))
            self.check(buddy("cache", "clear", env=environment), 0)
            self.check(buddy("bisect", self.model, "-i", INPUT, *planted, env=environment), 0, "within rounding")
            self.assertLess(len(list(Path(cache).rglob("*"))), len(entries))  # and nothing is written into it

    def test_the_whole_alone(self) -> None:
        """Whether it is off, and nothing else."""
        status, text = self.bisect(*self.plugins, "--whole", fault="swapped")
        self.assertEqual((status, text.count("\n"), text[:4]), (1, 1, "off:"))
        self.assertEqual(self.bisect(*self.plugins, "--whole")[0], 0)

    def test_tolerances_and_measures(self) -> None:
        """c_mul is rounded to too few bits: within a tolerance that is wide enough, of its dtype; measures as they are defined."""
        for options, status in (((), 1), (("--tolerance", "0.5"), 0), (("--tolerance", "f32=0.5"), 0), (("--tolerance", "f64=0.5"), 1),
                                (("--tolerance", "0.5", "--tolerance", "f32=1e-5"), 1)):
            self.assertEqual(self.bisect(*self.plugins, "--whole", *options, fault="factor")[0], status, options)
        (finding,) = json.loads(self.bisect(*self.plugins, "--json", fault="factor")[1])["findings"]
        error = finding["error"]  # each number is off by a thousandth of itself
        self.assertAlmostEqual(error["max_rel"], 1e-3, delta=2e-6)
        self.assertAlmostEqual(error["relative"], 1e-3, delta=2e-6)
        self.assertAlmostEqual(error["snr"], 60, delta=0.1)
        self.assertAlmostEqual(error["cosine"], 1, delta=1e-6)
        self.assertTrue(2**23 * 0.5e-3 < error["max_ulp"] < 2**24 * 1.1e-3, error["max_ulp"])
        self.assertRegex(self.bisect(*self.plugins, fault="factor")[1], r"NODE +OP +RESULT +ERROR +MAX ABS +MAX REL +ULP +SNR +COSINE")

    def test_it_is_said_in_a_sentence(self) -> None:
        status, text = self.bisect(*self.plugins, fault="swapped")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"node c_sub \(\S*export_model\.py:75\) is off by \S+ with registry faulty and \S+ "
                               r"without: `--pin aten\.sub\.Tensor=linalg`.* avoid")
        self.assertRegex(text, "the whole model with the first option: .*within rounding")

    def test_sound_models_are_not_accused(self) -> None:
        for options in ((), ("--against", "f64"), ("--against", "tosa:*"), ("--threads", "2", "-O", "0"), self.plugins):
            status, text = self.bisect(*options)
            self.assertEqual(status, 0, text)
            self.assertRegex(text, "within rounding: result linear_2 differs by ")
        for model in sorted(Build.models.glob("*.pt2")) if Build.models else ():
            with self.subTest(model.name):
                self.model = model
                result = buddy("bisect", model)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_rounding_is_not_accused(self) -> None:
        """However small the tolerance, and though options that round otherwise are within it."""
        for against in ((), ("--against", "f64"), ("--against", "tosa:*")):
            for tolerance in (2e-8, 4e-8, 5e-8, 7e-8, 1e-7, 1.5e-7):
                status, text = self.bisect(*against, "--no-cache", "--tolerance", tolerance)
                self.assertEqual(status, 0, f"{against} {tolerance}: {text}")

    def test_float64_is_a_reference(self) -> None:
        status, text = self.bisect(*self.plugins, "--against", "f64", "--json", fault="rounding")
        self.assertEqual(status, 1, text)
        self.assertEqual([finding["nodes"][0]["node"] for finding in json.loads(text)["findings"]], ["c_mul"])

    def test_float64_keeps_what_follows_from_a_dtype(self) -> None:
        """The number next to another, a dtype's largest number and epsilon, random numbers: as the model has them. What is infinite
        in its dtype alone is no error."""
        ops = (("w_log", "log.default", "relu_2"), ("w_num", "nan_to_num.default", "w_log"),
               ("w_low", "clamp.default", "w_num", {"min": -1.0, "max": 1.0}), ("w_next", "nextafter.default", "w_low", "linear"),
               ("w_gap", "sub.Tensor", "w_next", "w_low"), ("w_norm", "rms_norm.default", "w_gap"), ("w_random", "rand_like.default", "w_norm"),
               ("w_add", "add.Tensor", "w_norm", "w_random"), ("w_large", "mul.Scalar", "w_add", {"other": 1e30}),
               ("w_inf", "mul.Tensor", "w_large", "w_large"), ("w_neg", "neg.default", "w_inf"), ("w_exp", "exp.default", "w_neg"),
               ("w_sum", "add.Tensor", "w_exp", "w_add"))

        def edit(program) -> None:
            chain(program, ops)
            norm = next(node for node in program["graph_module"]["graph"]["nodes"] if node["name"] == "w_norm")
            norm["inputs"] = [{"name": "input", "arg": norm["inputs"][0]["arg"], "kind": 1},
                              {"name": "normalized_shape", "arg": {"as_ints": [120]}, "kind": 1}]

        self.model = self.rewrite_json(edit)
        status, text = self.bisect("--against", "f64", "--every-node", "--json")
        self.assertEqual(status, 0, text)
        nodes = {node["node"]: node for node in json.loads(text)["nodes"]}
        self.assertGreater(nodes.keys(), {name for name, *_ in ops} - {"w_random"})
        self.assertEqual([name for name, node in nodes.items() if node["is_off"]], [])

    def test_what_the_whole_alone_has_is_told(self) -> None:
        """An integer that is rounding's, and NaN that float64 has not: no node is accused, and the second is --nan's."""
        ops = (("i_a", "mul.Scalar", "linear", {"other": 3.3}), ("i_b", "mul.Scalar", "i_a", {"other": 10.0}),
               ("i_c", "mul.Scalar", "linear", {"other": 33.0}), ("i_eq", "eq.Tensor", "i_b", "i_c"),
               ("i_float", "mul.Tensor", "i_eq", "relu_2"))
        large = (("n_a", "mul.Scalar", "relu_2", {"other": 1e30}), ("n_b", "mul.Tensor", "n_a", "n_a"), ("n_c", "sub.Tensor", "n_b", "n_b"))

        def integers(program) -> None:
            chain(program, ops)
            graph = program["graph_module"]["graph"]
            graph["tensor_values"]["i_eq"] = graph["tensor_values"]["linear"] | {"dtype": 12}
            graph["outputs"] = [{"as_tensor": {"name": "i_eq"}}]
            program["graph_module"]["signature"]["output_specs"][0]["user_output"]["arg"]["as_tensor"]["name"] = "i_eq"

        for edit, text in ((integers, "which adds up to that"), (lambda program: chain(program, large), "`--nan` follows what is not finite")):
            self.model = self.rewrite_json(edit)
            status, told = self.bisect("--against", "f64")
            self.assertEqual(status, 0, told)
            self.assertRegex(told, f"off: .*\nevery node is within rounding of the reference's.*{text}")

    def golden(self, **values: Path | bytes) -> Path:
        """Values by name as numpy.savez writes them."""
        path = self.folder / "golden.npz"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
            for name, value in values.items():
                archive.writestr(f"{name}.npy", value if isinstance(value, bytes) else value.read_bytes())
        return path

    def test_golden_values_are_a_reference(self) -> None:
        """Those of PyTorch are met; one that is wrong is told of its own node; inputs come with them."""
        self.model = MODEL
        right = MODEL.with_name("lenet5_expected.npy").read_bytes()
        golden = self.golden(x=INPUT, linear_2=right)
        result = buddy("bisect", MODEL, "--against", golden)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertNotIn("differs by 0 of", result.stdout)
        numbers = struct.pack("<10f", *(1.01 * number for number in struct.unpack("<10f", right[-40:])))
        result = buddy("bisect", MODEL, "--json", "--against", self.golden(x=INPUT, linear_2=right[:-40] + numbers))
        self.assertEqual(result.returncode, 1)
        (finding,) = json.loads(result.stdout)["findings"]
        self.assertEqual(finding["nodes"][0]["node"], "linear_2")
        self.assertAlmostEqual(finding["error"]["relative"], 0.01 / 1.01, delta=1e-5)
        self.assertEqual(finding["avoided_by"], [])

    def test_golden_values_that_are_not_of_the_model(self) -> None:
        """Without an input, of other inputs, of nothing in it, of other sizes, with a bit that is another: no node is accused."""
        right = MODEL.with_name("lenet5_expected.npy").read_bytes()
        other = self.folder / "other.npy"
        other.write_bytes(INPUT.read_bytes()[:-4] + struct.pack("<f", 2))
        whole = {"x": INPUT, "linear_2": right}
        for values, given, reason in (({"linear_2": right}, (), "x: the reference's values are of an input that is not among them"),
                                      (whole, ("-i", other), "other.npy: holds other numbers for input x"),
                                      ({"x": INPUT, "nobody": right}, (), "none of its nodes has a value"),
                                      ({"x": right}, (), r"x.npy: has other sizes than the model's value, f32\[1,1,28,28\]"),
                                      (whole | {"linear_2": INPUT}, (), r"linear_2.npy: has other sizes than the model's value, f32\[1,10\]")):
            with self.subTest(reason):
                self.check(buddy("bisect", MODEL, "--against", self.golden(**values), *given), 1, reason)
        path = self.golden(**whole)
        self.check(buddy("bisect", MODEL, "--against", path, "-i", INPUT), 0, "within rounding")
        data = bytearray(path.read_bytes())
        data[data.index(right) + len(right) - 1] ^= 1
        path.write_bytes(data)
        self.check(buddy("bisect", MODEL, "--against", path), 1, "'linear_2.npy' .* does not match its checksum")
        self.check(buddy("bisect", MODEL, "--against", ""), 2, "--against")

    @unittest.skipUnless(os.environ.get("BUDDY_PYTHON"), "BUDDY_PYTHON names no Python with PyTorch")
    def test_python_writes_golden_values(self) -> None:
        golden = self.folder / "values.npz"
        golden_values(MODEL, "-i", INPUT, "-o", golden).check_returncode()
        with zipfile.ZipFile(golden) as archive:
            self.assertIn("conv2d_1.npy", archive.namelist())
        self.assertEqual(buddy("bisect", MODEL, "--against", golden).returncode, 0)
        golden_values(MODEL, "-i", INPUT, "-n", "relu", "-o", golden).check_returncode()
        with zipfile.ZipFile(golden) as archive:
            self.assertEqual(sorted(archive.namelist()), ["program.identity.npy", "relu.npy", "x.npy"])  # of which it is the value
        self.assertEqual(buddy("bisect", MODEL, "--every-node", "--against", golden).returncode, 0)

    @unittest.skipUnless(os.environ.get("BUDDY_PYTHON"), "BUDDY_PYTHON names no Python with PyTorch")
    def test_golden_values_are_of_their_program(self) -> None:
        """Another node, a bit of a weight: refused, whatever the names and sizes are. Where the archive lies, and what else it has, is
        of no account."""
        golden = self.folder / "values.npz"
        golden_values(MODEL, "-i", INPUT, "-o", golden).check_returncode()

        def number(program) -> None:
            chain(program, (("c_clamp", "clamp.default", "relu_2", {"min": 0.0, "max": 1e9}),))

        def weight(name: str, data: bytes) -> bytes:
            return data[:-1] + bytes([data[-1] ^ 1]) if "/data/weights/weight_0" in name else data

        def beside(name: str, data: bytes) -> bytes:
            return data + b" " if "/data/sample_inputs/" in name or name.endswith("/.data/serialization_id") else data

        copied = self.folder / "copy.pt2"
        rewrite(MODEL, copied, weight)
        for other in (self.rewrite_json(number), copied):
            self.check(buddy("bisect", other, "--against", golden), 1, f"{other.name}: is another program than the reference's values are of")
        rewrite(MODEL, copied, beside)
        self.check(buddy("bisect", copied, "--against", golden), 0, "within rounding")

    @unittest.skipUnless(os.environ.get("BUDDY_PYTHON"), "BUDDY_PYTHON names no Python with PyTorch")
    def test_python_tells_what_it_cannot_read(self) -> None:
        """An op that PyTorch lacks, inputs that the program does not take: nothing is written, and what was there stays."""
        def edit(program) -> None:
            next(node for node in program["graph_module"]["graph"]["nodes"] if node["name"] == "relu")["target"] = "torch.ops.nobody.relu.default"

        named = self.folder / "named.pt2"
        with zipfile.ZipFile(MODEL) as old, zipfile.ZipFile(named, "w") as new:
            for entry in old.infolist():
                new.writestr(re.sub("/model(?=[._])", "/\x1b[2J\u202e", entry.filename), old.read(entry))

        golden = self.folder / "values.npz"
        golden.write_bytes(b"before")
        wrong = self.folder / "wrong.npy"
        wrong.write_bytes(MODEL.with_name("lenet5_expected.npy").read_bytes())
        before = sorted(path.name for path in self.folder.iterdir())
        refused = ((self.rewrite_json(edit), ("-i", INPUT), r"edited\.pt2: PyTorch cannot read it: .*--import"),
                   (MODEL, ("-i", wrong), r"lenet5\.pt2: input x is float32\[1,1,28,28\], but float32\[1,10\] was given"),
                   (MODEL, ("-i", INPUT, "-i", INPUT), "takes 1 inputs, but 2 were given"),
                   (MODEL, ("-i", MODEL), r"lenet5\.pt2: cannot be read as an array"),
                   (MODEL, ("-i", self.folder / "none.npy"), r"none\.npy: cannot be read"),
                   (MODEL, ("-i", INPUT, "-n", "nobody"), "has no tensor nobody"),
                   (MODEL, ("-i", INPUT, "-o", self.folder / "none" / "values.npz"), r"values\.npz: cannot be written"),
                   (MODEL, ("-i", INPUT, "--program", "nobody"), r"lenet5\.pt2: has no program 'nobody'; it holds 'model'"),
                   (MODEL, ("-i", INPUT, "-n", "a\x1b[2J\u202eb\u009b"), r"has no tensor a\\x1b\[2J\\u202eb\\x9b among"),
                   (named, ("-i", INPUT, "--program", "\r"), r"named\.pt2: has no program '\\r'; it holds '\\x1b\[2J\\u202e'"))
        for model, given, reason in refused:
            with self.subTest(reason):
                result = golden_values(model, "-o", golden, *given)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr.splitlines()[-1], "^buddy: error: .*" + reason)
                self.assertNotIn("Traceback", result.stderr if model == MODEL else "")
                self.assertEqual(golden.read_bytes(), b"before")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.suffix != ".pt2"), [n for n in before if not n.endswith(".pt2")])

    def test_nan_is_followed(self) -> None:
        """To the node that makes it, with what it is made of; in a few programs, and in one where there is none."""
        status, text = self.bisect(*self.plugins, "--nan", fault="nan")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"NaN in result linear_2 \(10 NaN\)\nnode c_tanh \(\S+:\d+\) makes c_tanh \(.*\d+ NaN\) of c_clamp \(-?0.* to 0.*\)\n$")
        self.assertEqual(self.bisect("--nan"), (0, "no NaN and no infinity in a result\n"))
        found = json.loads(self.bisect("--nan", "--json")[1])
        self.assertEqual((found["result"], found["origins"], found["programs"]), (None, [], 1))

    def test_nan_that_does_not_reach_a_result(self) -> None:
        """n_log's is cleaned away; n_sub's comes from infinities, which n_exp makes."""
        ops = (("n_log", "log.default", "linear"), ("n_clean", "nan_to_num.default", "n_log"),
               ("n_low", "clamp.default", "n_clean", {"min": -1.0, "max": 1.0}), ("n_abs", "abs.default", "n_low"),
               ("n_high", "add.Tensor", "n_abs", "n_abs"), ("n_floor", "clamp.default", "n_high", {"min": 100.0, "max": 200.0}),
               ("n_exp", "exp.default", "n_floor"), ("n_tanh", "tanh.default", "n_exp"), ("n_sub", "sub.Tensor", "n_exp", "n_exp"))
        for n, result in ((6, None), (7, "NaN"), (8, None), (9, "NaN")):
            with self.subTest(n):
                self.model = self.rewrite_json(lambda program, n=n: chain(program, ops[:n]))
                status, text = self.bisect("--nan")
                self.assertEqual(status, result is not None, text)
                if n == 7:
                    self.assertRegex(text, r"node linear_1 .* makes linear_1 \(84 NaN\) of n_exp \(120 infinite\), given p_fc2_weight .*\nnode n_exp ")
                if n == 9:
                    self.assertRegex(text, r"^NaN in result linear_2 .*\nnode n_sub .* of n_exp \(120 infinite\)\nnode n_exp .* of n_floor \(100 to 100\)\n$")
        self.model = MODEL
        header, numbers = INPUT.read_bytes()[:-4], struct.pack("<f", math.nan)
        given = self.folder / "nan.npy"
        given.write_bytes(header + numbers)
        result = buddy("bisect", "--nan", MODEL, "-i", given)
        self.check(result, 1, r"node conv2d .* of given x \(.* 1 NaN\)")

    def test_errors_for_model_explorer(self) -> None:
        data = self.folder / "errors.json"
        self.bisect(*self.plugins, "--node-data", data, fault="factor")
        (numbers,) = json.loads(data.read_text()).values()
        self.assertEqual(list(numbers["results"]), ["c_div"])
        self.assertAlmostEqual(numbers["results"]["c_div"]["value"], 1e-3, delta=1e-5)

    def test_every_node_is_measured(self) -> None:
        """In the graph's order, each on the reference's values: none but the fault's own is off, and after it there is no error."""
        data = self.folder / "errors.json"
        for fault, off in (("factor", ["c_div"]), ("", [])):
            found = json.loads(self.bisect(*self.plugins, "--every-node", "--json", "--node-data", data, fault=fault)[1])
            names = [node["node"] for node in found["nodes"]]
            self.assertEqual(len(set(names)), len(names))
            self.assertEqual([name for name in names if name.startswith("c_")], [name for name, *_ in CHAIN])
            self.assertEqual([node["node"] for node in found["nodes"] if node["is_off"]], off)
            self.assertLess(max(node["error"]["relative"] for node in found["nodes"] if node["node"] not in off), 1e-5)
            (numbers,) = json.loads(data.read_text()).values()
            self.assertEqual(set(numbers["results"]), set(names))
            self.assertLess(found["programs"], 40)
        text = self.bisect("--every-node")[1]
        self.assertRegex(text, r"within rounding: .*\n\nNODE .*\nconv2d +aten\.conv2d\.default(.*\n)+linear_2 +aten\.linear")

    def test_a_crash_is_told(self) -> None:
        """In a kernel, and where the compiler asks a registry: the process ends by its signal, and says what finds the node."""
        planted = (*self.plugins[:2], "--registries", "planted:linalg:*")
        for plugins, fault, number in ((planted, "linear.crash", signal.SIGSEGV), (self.plugins, "crash", signal.SIGABRT)):
            result = buddy("bisect", self.model, *plugins, env={"BUDDY_TEST_FAULT": fault})
            self.assertEqual((result.returncode, result.stdout), (-number, ""))
            self.assertRegex(result.stderr, "^buddy: error: .*crashed.*\n  help: `buddy reduce ")
            self.assertEqual(result.stderr.count("\n"), 2)

    def test_what_cannot_be_is_said(self) -> None:
        self.check(buddy("bisect"), 2, "which archive")
        self.check(buddy("bisect", MODEL, "--tolerance", "0"), 2, "tolerance")
        self.check(buddy("bisect", MODEL, "--tolerance", "i32=1"), 2, "no dtype of floats")
        self.check(buddy("bisect", MODEL, "-i", INPUT, "-i", INPUT), 1, "takes 1 inputs, but 2")
        self.check(buddy("bisect", MODEL, "--against", "nobody"), 1, "nobody")
        self.check(buddy("bisect", MODEL, "--against", self.folder / "none.npz"), 1, "none.npz")
        broken = self.folder / "broken.npz"
        broken.write_bytes(struct.pack("<4s60x", b"PK\x03\x04"))
        self.check(buddy("bisect", MODEL, "--against", broken), 1, "broken.npz")


if __name__ == "__main__":
    sys.exit(main())
