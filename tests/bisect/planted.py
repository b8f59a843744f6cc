# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buddy bisect` on BERT and ResNet-18 with planted faults: which it names, and what that takes.

    python3 tests/bisect/planted.py --build build --models DIR [--only FAULT…] [--real] [--sound | --reduce]

DIR has what tests/models/export.py writes. Each fault (planted.c) is in all nodes of an op, or in those with a weight of
one size; of `cache:`, in code that was compiled before, and is in the cache, alone. Named right: nodes of that op, alone or as an end of what is
off together alone, an option that is right for the kind of fault, and the whole is
confirmed to be right with the first option. Times are processor time, as parts of what `buddy run --no-cache` of the same
model in the same order takes, compiling included (the median of three); so is the most memory, but of a fault of later runs of
two runs without it: weights are kept from the second on, and so they are in the whole that is right. --sound: all models of DIR instead, none of which
may be accused. --reduce: `buddy reduce` instead, which must bring each fault to three nodes at most, and whose folder must fail
where it is put, and without the fault must not. --real: in BERT-base and ResNet-18 at 224, in which the kernels of linear
and conv2d take their time. The last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from archive import rewrite  # noqa: E402

MOST_RUNS, MOST_MEMORY, MOST_NODES = 20, 1.5, 3

# A fault, the archive, the op, and what the option must be.
GAMMA = "aten._standard_gamma_grad.default"  # which the planted registry alone has
BERT, SPLIT, RESNET, PLAIN = "bert_tiny.composite", "bert_tiny.decomposed", "resnet18_tiny.composite", "resnet18_tiny.decomposed"
SYMBOLIC = "bert_tiny_dynamic.composite"
PIN = r"--pin {}=(?!planted)"
FAULTS = (
    *((f"linear.{kind}", BERT, "aten.linear.default", PIN) for kind in ("bias", "turned", "bf16", "tail", "key", "stale")),
    ("linear.threads", BERT, "aten.linear.default", "--threads 1"), ("linear.fold", BERT, "aten.linear.default", "--folding never"),
    ("gelu.fused", BERT, "aten.gelu.default", "--fusion never"), ("gelu.fma", BERT, "aten.gelu.default", r"--without \S*avx"),
    *((f"layer.{kind}", BERT, "aten.layer_norm.default", PIN) for kind in ("mean", "swapped", "sample", "epsilon")),
    ("gelu.sigmoid", BERT, "aten.gelu.default", PIN), ("gelu.option", BERT, "aten.gelu.default", "--optimize 0"),
    ("tanh.bf16", BERT, "aten.tanh.default", PIN), ("add.bf16", BERT, "aten.add.Tensor", PIN),
    ("add.alpha", BERT, "aten.add.Tensor", PIN), ("softmax.sum", SPLIT, "aten._softmax.default", PIN),
    ("softmax.base", SPLIT, "aten._softmax.default", PIN), ("native.mean", SPLIT, "aten.native_layer_norm.default", PIN),
    ("layer.mean", SYMBOLIC, "aten.layer_norm.default", PIN), ("tanh.bf16", SYMBOLIC, "aten.tanh.default", PIN),
    *((f"linear.{kind}", SYMBOLIC, "aten.linear.default", PIN) for kind in ("tail", "key", "stale")),
    ("linear.threads", SYMBOLIC, "aten.linear.default", "--threads 1"), ("gelu.fused", SYMBOLIC, "aten.gelu.default", "--fusion never"),
    *((f"conv.{kind}", RESNET, "aten.conv2d.default", PIN) for kind in ("shifted", "turned", "bf16", "tail", "one", "key", "stale")),
    ("conv.threads", RESNET, "aten.conv2d.default", "--threads 1"),
    ("conv.winograd", RESNET, "aten.conv2d.default", "--winograd never"),
    ("tanh.pairs", BERT, "aten.tanh.default", r"--without \S*avx512bf16"),
    *((f"batch.{kind}", RESNET, "aten.batch_norm.default", PIN) for kind in ("root", "swapped", "momentum")),
    ("pool.count", RESNET, "aten.adaptive_avg_pool2d.default", PIN), ("relu.leaky", PLAIN, "aten.relu.default", PIN),
    ("relu.option", PLAIN, "aten.relu.default", "--optimize 0"), ("relu.fused", PLAIN, "aten.relu.default", "--fusion never"),
    ("relu.fma", PLAIN, "aten.relu.default", r"--without \S*avx"),
    ("cache:linear.turned", BERT, "", "--no-cache"), ("cache:conv.bf16", RESNET, "", "--no-cache"),
    ("gamma.two", BERT, GAMMA, r"--folding never --threads 1|--threads 1 --folding never"),
)


OPTIONS = {"conv.winograd": ("--winograd", "always")}  # with which the fault is there
NEEDS = {"gelu.fma": "fma", "relu.fma": "fma", "tanh.pairs": "avx512_bf16"}  # of the processor
REAL = {BERT: "bert_base.composite", SPLIT: "bert_base.decomposed", RESNET: "resnet18.composite", PLAIN: "resnet18.decomposed"}
CACHE = tempfile.TemporaryDirectory()


def measured(*words: object, fault: str = "") -> tuple[int, str, float, int]:
    """Exit status, output, seconds of processor time, KiB."""
    environment = os.environ | {"BUDDY_TEST_FAULT": fault, "BUDDY_THREADS": "2", "BUDDY_CACHE_DIR": CACHE.name}
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def run_twice(buddy: Path, models: Path, name: str, *options: object) -> int:
    """KiB, without a fault."""
    files = sorted((models / name).glob("input_*.npy"))
    inputs = [word for file in files for word in ("--input", file)]
    return measured(buddy, "run", "--no-cache", *options, *inputs, *inputs, models / f"{name}.pt2")[3]


def model_of(models: Path, name: str, op: str, folder: Path) -> Path:
    """The archive; with GAMMA in place of gelu where that is the op."""
    path, changed = models / f"{name}.pt2", folder / f"{name}.pt2"
    if op != GAMMA:
        return path

    def edit(entry: str, data: bytes) -> bytes:
        if not entry.endswith("models/model.json"):
            return data
        program = json.loads(data)
        nodes = program["graph_module"]["graph"]["nodes"]
        for linear, node in zip(nodes, nodes[1:]):
            if node["target"] == "torch.ops.aten.gelu.default":  # after a linear, whose bias is as long as its rows
                node["target"] = "torch.ops." + GAMMA
                node["inputs"] = [node["inputs"][0] | {"name": "self"}, linear["inputs"][2] | {"name": "output"}]
        return json.dumps(program).encode()

    rewrite(path, changed, edit)
    return changed


def complaint(found: dict, fault: str, op: str, option: str) -> str:
    """What is wrong with the answer; "": nothing."""
    option = option.format(re.escape(op))
    if not op:  # it is in none
        ways = [way["option"] for way in found["avoided_by"]]
        return "" if (found["findings"], ways, found["is_confirmed"]) == ([], [option], True) else f"avoided by {ways}"
    if not found["findings"]:
        return f"no node is named; avoided by {[way['option'] for way in found['avoided_by']]}"
    for finding in found["findings"]:
        named = {node["op"] for node in finding["nodes"][:1] + finding["nodes"][-1:]}  # several are off together alone
        if op not in named:
            return f"{finding['nodes'][0]['node']} to {finding['nodes'][-1]['node']} ({', '.join(named)}) is named"
    ways = [way["option"] for finding in found["findings"] for way in finding["avoided_by"]]
    if not any(re.search(option, way) for way in ways):
        return f"{option} is not among {sorted(set(ways))}"
    if found["is_in_later_runs_alone"] != fault.endswith(".stale"):
        return "a later run is taken for the first, or the first for a later one"
    return "" if found["is_confirmed"] else "the whole is not right with the options"


def plant(buddy: Path, plugins: Path, models: Path, only: list[str], faults: tuple) -> list[bool]:
    order = ("--plugin-dir", plugins, "--registries", "planted:linalg:*")
    print(f"{'fault':<20}{'model':<26}{'nodes':>6}{'runs':>7}{'memory':>8}  verdict")
    good = []
    for fault, model, op, option in faults:
        if only and fault not in only:
            continue
        if NEEDS.get(fault, "") not in Path("/proc/cpuinfo").read_text():
            print(f"{fault:<20}{model:<26}  this processor has no {NEEDS[fault]}", flush=True)
            continue
        path = model_of(models, model, op, Path(CACHE.name))
        planted = fault.removeprefix("cache:")  # whose rows take their time
        if planted != fault:
            measured(buddy, "run", *order, path, fault=planted)
        given = (*order, *OPTIONS.get(fault, ()))
        runs = [measured(buddy, "run", "--no-cache", *given, path, fault=planted) for _ in range(3)]
        seconds, memory = (sorted(run[k] for run in runs)[1] for k in (2, 3))
        if fault.endswith(".stale"):
            memory = max(memory, run_twice(buddy, models, model, *given))
        _, text, own, most = measured(buddy, "bisect", "--json", *given, path, fault=fault)
        found = json.loads(text) if text.startswith("{") else None
        wrong = complaint(found, fault, op, option) if found else text.strip().splitlines()[0]
        if not wrong and (own > MOST_RUNS * seconds or most > MOST_MEMORY * memory):
            wrong = f"takes more than {MOST_RUNS} runs or {MOST_MEMORY} of a run's memory"
        n = sum(len(finding["nodes"]) for finding in found["findings"]) if found else 0
        print(f"{fault:<20}{model:<26}{n:>6}{own / seconds:>7.1f}{most / memory:>8.2f}  {wrong or 'right'}", flush=True)
        good.append(not wrong)
    return good


def accuse_none(buddy: Path, models: Path, only: list[str]) -> list[bool]:
    good = []
    for path in sorted(models.glob("*.pt2")):
        if only and path.stem not in only:
            continue
        status, text, _, _ = measured(buddy, "run", "--no-cache", path)
        if status != 0:
            print(f"{path.stem}: does not run with random inputs: {text.strip().splitlines()[0]}")
            continue
        status, text, _, _ = measured(buddy, "bisect", path)
        good.append(status == 0)
        if status != 0:
            print(f"{path.stem}: {text.strip()}", flush=True)
    return good


def script(folder: Path, fault: str) -> int:
    """What check.sh says, of nothing but the folder and the command that it names."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
    environment = clean | {"BUDDY_TEST_FAULT": fault, "BUDDY_CACHE_DIR": CACHE.name, "BUDDY_THREADS": "2"}
    return subprocess.run([folder / "check.sh"], cwd="/", env=environment, capture_output=True, check=False).returncode


def reduce(buddy: Path, plugins: Path, models: Path, only: list[str], faults: tuple) -> list[bool]:
    print(f"{'fault':<20}{'model':<26}{'nodes':>6}{'of':>5}{'runs':>6}{'seconds':>9}  verdict")
    good = []
    for fault, model, op, _ in faults:
        if not op or (only and fault not in only):
            continue
        words = (buddy, "bisect", "--whole", "--no-cache", "--plugin-dir", plugins, "--registries", "planted:linalg:*", *OPTIONS.get(fault, ()))
        check = shlex.join(map(str, words))
        with tempfile.TemporaryDirectory() as folder:
            made, moved, begin = Path(folder) / "made", Path(folder) / "moved", time.monotonic()
            path = model_of(models, model, op, Path(folder))
            _, text, _, _ = measured(buddy, "reduce", "--json", path, "--check", check, "-o", made, fault=fault)
            seconds = time.monotonic() - begin
            if not text.startswith("{"):
                print(f"{fault:<20}{model:<26}  {text.strip().splitlines()[0]}", flush=True)
                good.append(False)
                continue
            found = json.loads(text)
            made.rename(moved)
            is_there, is_there_anyway = script(moved, fault), script(moved, "")
            wrong = "" if len(found["nodes"]) <= MOST_NODES else f"more than {MOST_NODES} nodes"
            wrong = wrong or ("" if (is_there, is_there_anyway) == (1, 0) else f"check.sh says {is_there}, and {is_there_anyway} of a sound one")
            print(f"{fault:<20}{model:<26}{len(found['nodes']):>6}{found['of']:>5}{found['runs']:>6}{seconds:>9.1f}  {wrong or 'right'}", flush=True)
            good.append(not wrong)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--sound", action="store_true")
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--real", action="store_true")
    args = parser.parse_args()
    args.build = args.build.resolve()
    buddy = args.build / "bin" / "buddy"
    planting = reduce if args.reduce else plant
    faults = tuple((fault, REAL[model], *rest) for fault, model, *rest in FAULTS if model in REAL) if args.real else FAULTS
    good = accuse_none(buddy, args.models, args.only) if args.sound else \
        planting(buddy, args.build / "tests" / "bisect" / "plugins", args.models, args.only, faults)
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return len(good) > sum(good)


if __name__ == "__main__":
    sys.exit(main())
