# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buddy reduce`: planted faults, crashes and refusals, each of which it must bring to one place that still fails.

    python3 tests/bisect/test_reduce.py --build build [--models DIR]

The model is test_bisect.py's. --models: further archives (tests/models/export.py writes them): of each, one op that it
has is what a command looks for. The last line is `N passed, N failed`.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "command"))

from harness import CACHE, INPUT, MODEL, Build, CommandTest, buddy, main, rewrite  # noqa: E402
from test_bisect import chain, symbolic  # noqa: E402

FAULTS = (("size", "relu_3", 1),)  # name, node, inputs; each run of `buddy bisect` takes its time

HAS_CONVOLUTION = ("{run} {{model}} {{inputs}} || exit 0; unzip -p {{model}} '*models/model.json' | grep -q aten.conv2d && exit 1; "
                   "exit 0")


def program_of(archive: Path) -> dict:
    with zipfile.ZipFile(archive) as file:
        return json.loads(file.read(next(name for name in file.namelist() if name.endswith("models/model.json"))))


class Reducing(CommandTest):
    def setUp(self) -> None:
        super().setUp()
        self.model = self.rewrite_json(chain)
        self.out = self.folder / "out"
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()

    def tearDown(self) -> None:
        self.assertEqual(list(self.scratch.iterdir()), [])
        self.assertEqual([entry.name for entry in self.folder.iterdir() if entry.name.startswith(".")], [])

    def words(self, *words: object) -> str:
        return shlex.join(map(str, (Build.folder / "bin" / "buddy", *words)))

    def faulty(self, verb: str) -> str:
        return self.words(verb, "--plugin-dir", Build.folder / "tests" / "bisect" / "plugins", "--registries", "faulty:linalg:*")

    def reduce(self, check: str, *options: object, fault: str = "", model: Path | None = None):
        return buddy("reduce", model or self.model, "--check", check, "-o", self.out, *options, seconds=600,
                     env={"BUDDY_TEST_FAULT": fault, "TMPDIR": str(self.scratch)})

    def reduced(self, check: str, *options: object, fault: str = "", model: Path | None = None) -> dict:
        result = self.reduce(check, "--json", *options, fault=fault, model=model)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        found = json.loads(result.stdout)
        self.assertEqual(self.script(fault), 1)
        return found

    def script(self, fault: str = "") -> int:
        """What `git bisect run` is told, from another folder."""
        clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
        environment = clean | {"BUDDY_TEST_FAULT": fault, "BUDDY_CACHE_DIR": CACHE.name}
        return subprocess.run([self.out / "check.sh"], cwd="/", capture_output=True, env=environment, check=False).returncode

    def test_faults_are_brought_to_a_node(self) -> None:
        for fault, node, n_inputs in FAULTS:
            with self.subTest(fault):
                self.out = self.folder / fault
                found = self.reduced(self.faulty("bisect"), "-i", INPUT, fault=fault)
                self.assertEqual(([one["node"] for one in found["nodes"]], found["inputs"]), ([node], n_inputs))
                self.assertLessEqual(found["runs"], 40)
                self.assertEqual(self.script(), 0)

    def test_planted_faults(self) -> None:
        """Of planted.c, of which planted.py has the rest: folders that fail elsewhere, and not without the fault."""
        def edit(program) -> None:
            nodes = program["graph_module"]["graph"]["nodes"]
            next(node for node in nodes if node["name"] == "relu_2")["target"] = "torch.ops.aten.gelu.default"

        model = self.rewrite_json(edit)
        check = self.words("bisect", "--whole", "--threads", "2", "--plugin-dir", Build.folder / "tests" / "bisect" / "plugins",
                           "--registries", "planted:linalg:*")
        for fault, op in (("linear.stale", "linear"), ("gelu.fused", "gelu"), ("linear.threads", "linear")):
            with self.subTest(fault):
                self.out = self.folder / "made" / fault
                self.out.parent.mkdir(exist_ok=True)
                found = self.reduced(check, fault=fault, model=model)
                self.assertEqual([node["op"] for node in found["nodes"]], [f"torch.ops.aten.{op}.default"])
                self.out = self.out.rename(self.folder / fault)
                self.assertEqual((self.script(fault), self.script()), (1, 0))

    def test_kernels_of_plugins_that_crash_or_hang(self) -> None:
        """While the model runs: in a registry of somebody's own, alone and in front of a vendor's library; of symbolic sizes too."""
        plugins = Build.folder / "tests" / "bisect" / "plugins"
        orders = ["planted:linalg:*"] + ["planted:vendor:tosa:*"] * ('"vendor"' in buddy("registries", "--json").stdout)
        crashes = itertools.product(orders, ("linear.crash",), (None, symbolic))
        for order, fault, edit in (*crashes, (orders[-1], "linear.hang", symbolic)):
            with self.subTest(order=order, fault=fault, edit=edit):
                self.out = self.folder / f"{order[8:9]}{fault}{edit is None}"
                check = self.words("run", "-O0", "--no-cache", "--plugin-dir", plugins, "--registries", order)
                found = self.reduced(check, "--seconds", 5, fault=fault, model=self.rewrite_json(edit) if edit else MODEL)
                self.assertEqual(([node["op"] for node in found["nodes"]], found["status"]),
                                 (["torch.ops.aten.linear.default"], -1 if "hang" in fault else 128 + signal.SIGSEGV))
                self.assertEqual(self.script(), 0)

    def test_several_at_a_time_find_the_same(self) -> None:
        check = "t=$(unzip -p {model} '*models/model.json'); case $t in *aten.exp*aten.neg*) exit 3;; esac"
        found = []
        for jobs in (1, 2, 8):
            self.out = self.folder / str(jobs)
            found.append(self.reduced(check, "--jobs", jobs) | {"folder": ""})
        self.assertEqual(found, found[:1] * 3)
        self.check(self.reduce(check, "--jobs", "0"), 2, "jobs")

    def test_a_crash(self) -> None:
        found = self.reduced(self.faulty("run"), fault="crash")
        self.assertEqual(([one["node"] for one in found["nodes"]], found["status"]), (["c_clamp"], 128 + signal.SIGABRT))

    def test_a_refusal(self) -> None:
        """What the importer does not take is not imported on the way, either."""
        def edit(program) -> None:
            chain(program)
            node = next(node for node in program["graph_module"]["graph"]["nodes"] if node["name"] == "c_tanh")
            node["target"] = "torch.ops.nobody.tanh.default"

        model = self.rewrite_json(edit)
        found = self.reduced(self.words("run"), model=model)
        self.assertEqual([one["node"] for one in found["nodes"]], ["c_tanh"])
        self.assertIn("nobody.tanh", found["message"])

    def test_what_does_not_end(self) -> None:
        check = "unzip -p {model} '*models/model.json' | grep -q aten.sqrt || exit 0; sleep 100"
        found = self.reduced(check, "--seconds", "1")
        self.assertEqual(([one["node"] for one in found["nodes"]], found["status"]), (["c_sqrt"], -1))

    def test_two_nodes_that_fail_together(self) -> None:
        """Whatever lies between them is taken out; both stay."""
        check = "t=$(unzip -p {model} '*models/model.json'); case $t in *aten.exp*aten.neg*) exit 3;; esac"
        found = self.reduced(check)
        self.assertEqual([one["node"] for one in found["nodes"]], ["c_exp", "c_neg"])

    def test_another_failure_is_none(self) -> None:
        """Nodes are needed for a message, and not for a failure: the message counts."""
        check = ("t=$(unzip -p {model} '*models/model.json'); case $t in *aten.exp*) echo 'error: with 7 exp';; "
                 "*) echo 'error: without';; esac; exit 1")
        self.assertEqual([one["node"] for one in self.reduced(check)["nodes"]], ["c_exp"])
        self.out = self.folder / "other"
        self.assertEqual(len(self.reduced(check, "--message", "error:")["nodes"]), 1)

    def test_sizes_become_smaller(self) -> None:
        """Of inputs and of weights, in ways that the convolution takes: it runs with them."""
        (node,) = self.reduced(HAS_CONVOLUTION.format(run=self.words("run", "-O0")), model=MODEL)["nodes"]
        before, after = (program_of(path)["graph_module"]["graph"]["tensor_values"] for path in (MODEL, self.out / "model.pt2"))
        n = {name: math.prod(size["as_int"] for size in meta["sizes"]) for name, meta in after.items()}
        for name, size in n.items():
            self.assertLess(size, math.prod(size["as_int"] for size in before[name]["sizes"]) / 2, name)
        self.assertEqual((self.out / "input_0.npy").stat().st_size, 128 + 4 * n[next(name for name in n if name in ("x", "max_pool2d"))])
        self.check(buddy("run", self.out / "model.pt2", "-i", self.out / "input_0.npy", "-o", self.folder / "results"), 0)
        self.assertIn(node["node"], n)

    @unittest.skipUnless(os.environ.get("BUDDY_PYTHON"), "BUDDY_PYTHON names no Python with PyTorch")
    def test_pytorch_reads_it(self) -> None:
        self.reduced(HAS_CONVOLUTION.format(run=self.words("run", "-O0")), model=MODEL)
        script = ("import sys, torch, numpy; program = torch.export.load(sys.argv[1]);"
                  "print(program.module()(torch.from_numpy(numpy.load(sys.argv[2])))[0].shape)")
        subprocess.run([os.environ["BUDDY_PYTHON"], "-c", script, self.out / "model.pt2", self.out / "input_0.npy"], check=True,
                       capture_output=True)

    def test_interrupted_it_writes_what_it_has(self) -> None:
        log = self.folder / "log"
        check = f"echo >> {log}; sleep 0.1; unzip -p {{model}} '*models/model.json' | grep -q aten.exp && exit 1 || exit 0"
        process = subprocess.Popen([str(Build.folder / "bin" / "buddy"), "reduce", self.model, "--check", check, "-o", self.out],
                                   env=os.environ | {"TMPDIR": str(self.scratch)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while process.poll() is None and not (log.exists() and len(log.read_text()) > 4):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (0, b""), output)
        self.assertIn("aten.exp.default", json.dumps(program_of(self.out / "model.pt2")))

    def test_what_cannot_be_is_said(self) -> None:
        self.check(buddy("reduce", MODEL), 2, "--check")
        self.check(self.reduce("true"), 1, "does not fail on the whole model")
        self.check(self.reduce("exit 125; :"), 1, "does not fail on the whole model")
        self.check(self.reduce("/nobody/command"), 1, "cannot be run")
        self.check(self.reduce("false", "--message", "murder"), 1, "does not say 'murder'")
        self.check(self.reduce("false", "-i", INPUT, "-i", INPUT), 1, "takes 1 inputs, but 2")
        self.check(self.reduce("false", model=self.folder / "none.pt2"), 1, "none.pt2")
        self.assertFalse(self.out.exists())
        self.out.mkdir()
        self.check(self.reduce("false"), 1, "is there already")
        self.assertEqual(list(self.out.iterdir()), [])

    def test_names_lead_nowhere(self) -> None:
        """An input's name is a file's: an archive may name any."""
        for name in ("../../escaped", "/" + str(self.folder / "escaped").strip("/"), "a/b", "..", ".", "", "a\nb", "x" * 3000, "ä\x1b[2J", "%s%n"):
            with self.subTest(name=name):
                self.out = self.folder / "named" / str(len(name))
                self.out.parent.mkdir(exist_ok=True)
                text = json.dumps(name).encode()
                model = self.rewrite(lambda data, text=text: data.replace(b'"x"', text))
                before = {path for folder in (self.folder, self.folder.parent) for path in folder.iterdir()}
                result = self.reduce(HAS_CONVOLUTION.format(run="true"), "-i", INPUT, model=model)
                self.check(result, 0, "aten.conv2d")
                self.assertNotIn("\x1b", result.stdout + result.stderr)
                after = {path for folder in (self.folder, self.folder.parent) for path in folder.iterdir()}
                self.assertEqual([path for path in after - before if "escaped" in path.name], [])
                self.assertEqual({path.name for path in self.out.iterdir()} - {"input_0.npy"}, {"check.sh", "model.pt2"})
                shutil.rmtree(self.out)

    def test_numbers_that_lie(self) -> None:
        """Of stored tensors, whose first elements are taken where sizes become smaller."""
        for sizes, strides, offset in (((6, 1, 5, 5), (25, 25, 5), 0), ((6, 1, 5, 5), (-25, 25, 5, 1), 0), ((6, 1, 5, 5), (2**62, 25, 5, 1), 0),
                                       ((6, 1, 5, 5), (25, 25, 5, 1), 2**62), ((6, 1, 5, 5), (25, 25, 5, 1), -8), ((6, 1, -5, 5), (25, 25, 5, 1), 0),
                                       ((2**40, 2**40, 5, 5), (25, 25, 5, 1), 0), ((6, 1, 5, 5), (), 0), ((6, 1, 5, 5), (25,) * 70, 0)):
            def edit(name: str, data: bytes, meta=(sizes, strides, offset)) -> bytes:
                if not name.endswith("weights_config.json"):
                    return data
                config = json.loads(data)
                for payload in config["config"].values():
                    if len(payload["tensor_meta"]["sizes"]) == 4:
                        for key, numbers in zip(("sizes", "strides"), meta):
                            payload["tensor_meta"][key] = [{"as_int": number} for number in numbers]
                        payload["tensor_meta"]["storage_offset"] = {"as_int": meta[2]}
                return json.dumps(config).encode()

            with self.subTest(sizes=sizes, strides=strides, offset=offset):
                model = self.folder / "lying.pt2"
                rewrite(MODEL, model, edit)
                result = self.reduce(HAS_CONVOLUTION.format(run="true"), "-i", INPUT, model=model)
                self.assertIn(result.returncode, (0, 1), result.stderr)
                shutil.rmtree(self.out, ignore_errors=True)

    def test_signals_that_a_daemon_ignores(self) -> None:
        """Where SIGCHLD is, children end without a word of how, unless it is asked for."""
        line = 'trap "" CHLD ALRM; exec "$0" "$@"'
        words = ["sh", "-c", line, Build.folder / "bin" / "buddy", "reduce", self.model, "--check", self.faulty("run"), "-o", self.out]
        result = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False,
                                env=os.environ | {"BUDDY_TEST_FAULT": "crash", "BUDDY_CACHE_DIR": CACHE.name, "TMPDIR": str(self.scratch)})
        self.check(result, 0, "1 of .* nodes", f"status {128 + signal.SIGABRT}|error")

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_git_bisects_by_it(self) -> None:
        """The first commit of a tool that fails is found by check.sh, over one that cannot be tried."""
        repository = self.folder / "tool"
        tool = repository / "tool.sh"
        nobody = {f"GIT_{who}_{what}": "nobody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

        def git(*words: str) -> str:
            environment = os.environ | nobody | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
            return subprocess.run(["git", "-C", repository, *words], capture_output=True, text=True, check=True, env=environment).stdout

        repository.mkdir()
        git("init", "-q")
        for number, status in enumerate((0, 0, 125, 0, 7, 7)):
            tool.write_text(f"# {number}\nunzip -p $1 '*models/model.json' | grep -q aten.exp || exit 0\nexit {status}\n")
            git("add", "tool.sh")
            git("commit", "-q", "-m", f"number {number}")
        found = self.reduced(f"sh {shlex.quote(str(tool))} {{model}}")
        self.assertEqual([one["node"] for one in found["nodes"]], ["c_exp"])
        git("bisect", "start", "HEAD", "HEAD~5")
        said = git("bisect", "run", str(self.out / "check.sh"))
        self.assertIn("is the first bad commit", said)
        self.assertIn("number 4", git("show", "-s", "--format=%s", "refs/bisect/bad"))

    def test_other_models(self) -> None:
        """Cuts of all kinds of models run: with symbols, graphs within, state."""
        for model in sorted(Build.models.glob("*.pt2")) if Build.models else ():
            nodes = program_of(model)["graph_module"]["graph"]["nodes"]
            ops = sorted({node["target"] for node in nodes if node["target"].startswith("torch.ops.aten.") and node["outputs"]})
            whole = buddy("run", "-O0", model)
            if whole.returncode or not ops:
                continue
            with self.subTest(model.name):
                op, self.out = ops[len(ops) // 2], self.folder / model.stem
                check = f"{self.words('run', '-O0')} {{model}} {{inputs}} || exit 0; unzip -p {{model}} '*models/model.json' | grep -q '\"{op}\"' && exit 1"
                found = self.reduced(check + " || exit 0", model=model)
                self.assertIn(op, [one["op"] for one in found["nodes"]])
                print(f"{model.stem}: {op}: {len(found['nodes'])} of {found['of']} nodes, {found['runs']} runs", flush=True)


if __name__ == "__main__":
    sys.exit(main())
