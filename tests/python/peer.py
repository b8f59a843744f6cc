# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests and example scripts of the original, buddy-mlir, on our package, as they are.

    python3 tests/python/peer.py FOLDER [--only files|examples|overloads] [--match TEXT] [--json OUT] [--least KIND=N]…

FOLDER is a checkout of buddy-mlir, or what of it has tests/Python and examples; nothing of it is in this tree. Files are run
one by one, each in a process of its own, and what they print goes through FileCheck; examples run from a copy of their
folder, with small models of the same classes in place of those that a hub would give (peer_models.py), and the modules that
they write go through mlir-opt; overloads are those of tests/Python/AtenOpsCoverage, by its own runner, in graph mode.

Without FOLDER, or the variable BUDDY_PEER_TESTS, it says that it is skipped.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECONDS = 240
# What cannot be, and why.
LEFT_OUT = {
    "test_local_scalar_dense.py": "needs buddy-mlir's own Python bindings of MLIR",
    "dialects/": "needs buddy-mlir's own MLIR dialects and their Python bindings",
    "passes/conv2d.py": "needs buddy-mlir's own MLIR passes and their Python bindings",
    "BuddyTensorParallel/import-deepseek-r1.py": "splits a graph by numbers of the nodes of one model in buddy-mlir",
    "BuddyGemma4/import-gemma4.py": "writes its modules, and then looks for the original's names of values in their text",
}


def warm_up() -> None:
    """What every file does first is done once, for all that are forked off."""
    import torch
    from torch._inductor.decomposition import decompositions

    from buddy.compiler.frontend import DynamoCompiler

    compiler = DynamoCompiler(aot_autograd_decomposition=decompositions)
    str(compiler.importer(torch.sin, torch.ones(2))[0])
    torch._dynamo.reset()


# Why a module has other ops than the original's: by what its test wants first, and by the file; and of which kind that is.
KINDS_OF_REASONS = {
    "order": "TOSA 1.0, or what the order names first, has the op exactly; the original takes another dialect",
    "exact": "the original's ops round twice, lose small numbers beside large ones, or leave infinities, NaN and zeros out",
    "tensors": "the original writes buffers into a module of tensors",
    "fewer": "fewer ops, or one loop that others are merged with, give the same",
}
REASONS = (
    ("", r"test_(std|var)", "exact", "deviations from the mean are added: E[x²] - E[x]² loses what is small beside the mean"),
    (r"memref|bufferization", "", "tensors", "values stay tensors until the whole module is bufferized"),
    (r"arith\.constant", "", "order", "a constant of TOSA, and TOSA's tile of it"),
    (r"arith\.|math\.erf|linalg\.generic|insert_slice|tensor\.empty", "", "order",
     "the ops that the first registry of the order has for it"),
    (r"generate", "", "fewer", "a loop that others are merged with"),
    (r"reciprocal", "", "exact", "a product with a reciprocal is rounded twice"),
    ("", r"argm|(max|min)_dim", "exact", "the argmax of MLIR's TOSA starts at the least finite number: behind -inf it finds none"),
    ("", r"group_norm|no_stats", "exact", "deviations from the mean are added: E[x²] - E[x]² loses what is small beside the mean"),
    ("", r"batch_norm", "fewer", "x·a + b, with a and b by channel: one product and one sum for each element"),
    ("", r"_norm", "fewer", "one sum over all dims, and a square root"),
    ("", r"mean", "exact", "a count that is no power of two divides: a product with its reciprocal is rounded twice"),
    ("", r"avg_pool", "fewer", "one loop adds and divides"),
    ("", r"clone|relu|convolution|embedding\.py", "fewer", "fewer ops give the same"),
    ("", r"arith_|neg|view|unsqueeze", "order", "linalg is the first registry of the order, and has it"),
    ("", r"max_pool2d", "fewer", "the op with indices, which TOSA has not: what nobody reads of it is left out later"),
    ("", r"gqa", "fewer", "attention stays products and a softmax: its kernel is the compiler's"),
    ("", r"erfc|i0|nextafter|copysign|lerp", "exact", "the function itself: signed zeros, infinities and far ends come out right"),
    ("", r"_pad|resize|flip", "fewer", "one loop that reads each element where it lies"),
    ("", r"fft", "fewer", "one function for transforms of all lengths: n log n steps, where the original multiplies by a matrix"),
    ("", r"addmm", "order", "TOSA is the first registry of the order, and has it"),
    ("", r"embedding_bag", "exact", "indices are checked before they are used"),
)


def reason(one: dict) -> tuple[str, str]:
    """Why a file's ops are others: the kind, and in words."""
    found = ((kind, why) for wanted, name, kind, why in REASONS if re.search(wanted, one["wanted"]) and re.search(name, one["name"]))
    return next(found, ("", "not looked into"))


def write_differences(files: list[dict], overloads: list[dict], path: Path) -> None:
    """The page that lists them, and the overloads that are not imported."""
    others = [(one, *reason(one)) for one in files if one["ran"] and not one["filecheck"]]
    counts = Counter(kind for _, kind, _ in others)
    lines = ["# Where modules have other ops than the original's", "",
             "Made by `tests/python/peer.py FOLDER --differences PAGE`: the original's test files whose CHECK lines want",
             "other ops than our modules have. All of them run, and the results are those of PyTorch.", "",
             f"Of {sum(one['ran'] for one in files)} files that run, {sum(one['filecheck'] for one in files)} have the original's ops. The others, by kind:", "",
             "| Kind | Files | Meaning |", "| --- | --- | --- |",
             *(f"| {kind} | {counts[kind]} | {meaning} |" for kind, meaning in KINDS_OF_REASONS.items()), "",
             "| Test | It wants | It gets | Kind | Because |", "| --- | --- | --- | --- | --- |"]  # fmt: skip
    for one, kind, why in others:
        wanted = one["wanted"].replace("%{{.*}} = ", "").replace("|", "")
        lines.append(f"| {one['name']} | `{wanted}` | {', '.join(f'`{op}`' for op in one['ops'][:4])} | {kind} | {why} |")
    path.write_text("\n".join(lines + skipped_overloads(overloads)) + "\n")


def skipped_overloads(overloads: list[dict]) -> list[str]:
    """Those that were not imported, by the reason that the original's runner gives, and TorchDynamo of a break."""
    by_reason: dict[str, list[str]] = {}
    for one in overloads:
        if not one["ran"]:
            by_reason.setdefault(one["broken"] or skip_reason(one["why"]), []).append(one["name"])
    if not by_reason:
        return []
    n = sum(map(len, by_reason.values()))
    return ["", "# Overloads that are not imported", "",
            f"Of {len(overloads)}, in graph mode, {len(overloads) - n} are imported; by the original's runner, whose words the reasons are: `skip`",
            "and `template` are its own lists of what it does not try, `lookup` are overloads that this PyTorch has not: none of them is imported, whatever",
            "the package does. `graph_break` is TorchDynamo's refusal, in its words: of ops on Python's numbers and texts, mostly.", "",
            "| Reason | Overloads |", "| --- | --- |",
            *(f"| {reason} | {len(names)}: {', '.join(names)} |" for reason, names in
              sorted(by_reason.items(), key=lambda item: -len(item[1])))]  # fmt: skip


def skip_reason(why: str) -> str:
    """The runner's reason without what is the overload's own."""
    line = re.sub(r"import_exception:(\w+).*", r"\1", why.partition("\n")[0]).replace("|", "")
    return "lookup" if line.startswith("lookup:") else line.removeprefix("dynamo_uncapturable:")


def break_reasons(where: Path, names: list[str]) -> dict[str, str]:
    """What TorchDynamo says of each overload that it does not trace, by the original's own calls of them."""
    import torch

    sys.path.insert(0, str(where))
    import aten_coverage_runner as runner

    templates, found = {}, {}
    for batch in sorted(where.glob("test_aten_coverage_batch_*.py")):
        templates |= runpy.run_path(str(batch), run_name="__batch__").get("CUSTOM_TEMPLATES") or {}
    entries = runner.load_coverage_map(where / "aten_coverage_catalog.json")
    for name in names:
        torch._dynamo.reset()
        runner.run_aten_op(name, entries[name], runner._make_compiler(), templates)
        reasons = torch._dynamo.graph_break_reasons
        found[name] = f"graph_break: {str(reasons[0].reason).partition(chr(10))[0]}" if reasons else ""
    return found


def tool(name: str) -> str | None:
    return shutil.which(f"{name}-22") or shutil.which(name)


def in_process(script: Path, arguments: list[str], log: Path, folder: Path, with_models: bool) -> bool:
    """Runs a script in a copy of this process; true if it ends well. What it prints is in the log."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setpgid(0, 0)
            os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
            os.dup2(1, 2)
            os.chdir(folder)
            sys.argv = [str(script), *arguments]
            sys.path.insert(0, str(script.parent))
            if with_models:
                import peer_models

                peer_models.install()
            runpy.run_path(str(script), run_name="__main__")
            code = 0
        except SystemExit as end:
            code = 0 if end.code in (None, 0) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
            os._exit(code)
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.1)
    os.killpg(child, 9)
    os.waitpid(child, 0)
    return False


def last_line(log: Path) -> str:
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1][:200] if lines else "nothing was printed"


def why_left_out(path: str) -> str | None:
    return next((why for part, why in LEFT_OUT.items() if part in path), None)


def wanted_op(check: str, path: Path, log: Path) -> str | None:
    """The first text of the file's CHECK lines that was not printed; none: all were."""
    with open(log) as printed:
        done = subprocess.run([check, path, "--allow-empty"], stdin=printed, capture_output=True, text=True)
    if done.returncode == 0:
        return None
    found = re.search(r"CHECK[-A-Z]*: expected .*\n# CHECK[-A-Z]*: *(.*)", done.stderr)
    return found[1].strip() if found else done.stderr.partition("\n")[0]


def ops_in(log: Path) -> list[str]:
    """The ops of the modules that were printed, each once."""
    found = re.findall(r"(?<![\w.])([a-z]+\.[a-z_]\w*)(?=[\" ({])", log.read_text(errors="replace"))
    return [op for op in dict.fromkeys(found) if op not in ("func.func", "linalg.yield", "scf.yield", "arith.constant")]


def run_files(root: Path, match: str, folder: Path) -> list[dict]:
    """The test files, and what FileCheck says of what they print."""
    check = tool("FileCheck")
    files = sorted(path for path in (root / "tests" / "Python").rglob("*.py")
                   if "AtenOpsCoverage" not in path.parts and "# RUN:" in path.read_text(errors="replace"))  # fmt: skip
    found = []
    for path in files:
        name = str(path.relative_to(root / "tests" / "Python"))
        if match not in name:
            continue
        log = folder / "log"
        ran = in_process(path, [], log, folder, False)
        wanted = wanted_op(check, path, log) if ran and check else ""
        checked = ran and wanted is None
        why = "" if ran else why_left_out(name) or last_line(log)
        found.append({"name": name, "ran": ran, "filecheck": checked, "why": why, "wanted": wanted, "ops": ops_in(log)})
        print(f"{'ran' if ran else 'NOT':4} {'same ops' if checked else '':9} {name}  {why}", flush=True)
    return found


def run_examples(root: Path, match: str, folder: Path) -> list[dict]:
    """The scripts that import models."""
    copy = folder / "peer"
    for part in ("examples", "tests/Models"):
        shutil.copytree(root / part, copy / part, dirs_exist_ok=True)
    found = []
    for path in sorted((copy / "examples").rglob("*.py")):
        text, name = path.read_text(), str(path.relative_to(copy / "examples"))
        if "DynamoCompiler(" not in text or match not in name:
            continue
        out, log = folder / "out" / name.replace("/", "_"), folder / "log"
        out.mkdir(parents=True)
        ran = in_process(path, ["--output-dir", str(out)] if "--output-dir" in text else [], log, out, True)
        modules = sorted(out.rglob("*.mlir"))
        wrong = [module.name for module in modules if ran and not verifies(module)]
        why = "" if ran else why_left_out(name) or last_line(log)
        if wrong:
            why = f"mlir-opt refuses {wrong}"
        found.append({"name": name, "ran": ran and not wrong, "modules": len(modules), "why": why})
        print(f"{'ran' if found[-1]['ran'] else 'NOT':4} {len(modules)} modules  {name}  {why}", flush=True)
    return found


def verifies(module: Path) -> bool:
    opt = tool("mlir-opt")
    return opt is None or subprocess.run([opt, module, "-o", os.devnull], capture_output=True).returncode == 0


BEFORE_IMPORT = ("skip", "template", "lookup")  # lists of its own; and overloads that this PyTorch has not


def run_overloads(root: Path, match: str, folder: Path) -> list[dict]:
    """The overloads, by the original's own runner."""
    where, out = root / "tests" / "Python" / "AtenOpsCoverage", folder / "overloads.json"
    command = [sys.executable, where / "run_aten_coverage.py", "--mode", "graph", "--scope", "all", "--out-by-overload", out]
    done = subprocess.run(command, cwd=folder, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True)
    if not out.exists():
        print(done.stderr[-2000:])
        return [{"name": "run_aten_coverage.py", "ran": False, "why": "it wrote no results", "broken": ""}]
    found = [{"name": one["name"], "ran": one["status"] == "pass", "status": one["status"], "why": one["reason"]}
             for one in json.loads(out.read_text()) if match in one["name"]]  # fmt: skip
    broken = break_reasons(where, [one["name"] for one in found if "graph_break" in one["why"]])
    found = [one | {"broken": broken.get(one["name"], "")} for one in found]
    for one in found:
        if one["status"] == "fail":
            print(f"fail {one['name']}  {one['why'][:200]}")
    reasons = Counter(one["why"].partition(":")[0] for one in found if one["status"] == "skip")
    print("skipped:", ", ".join(f"{n} {reason}" for reason, n in reasons.most_common()))
    print(f"left out before anything is imported: {sum(reasons[reason] for reason in BEFORE_IMPORT)}")
    tell_beside_record(found, json.loads((where / "aten_coverage_by_overload_all.json").read_text()))
    return found


def tell_beside_record(found: list[dict], record: list[dict]) -> None:
    """What becomes here of the overloads that the original's own record of itself says to pass, and to fail."""
    here = {one["name"]: one for one in found}
    for status in ("pass", "fail"):
        theirs = [here[one["name"]] for one in record if one["status"] == status and one["name"] in here]
        others = [one for one in theirs if not one["ran"]]
        print(f"of {len(theirs)} of which the original's record says {status}, {len(theirs) - len(others)} are imported; not:",
              ", ".join(f"{one['name']} ({one['why'].partition(chr(10))[0][:80]})" for one in others) or "none")


KINDS = {"files": run_files, "examples": run_examples, "overloads": run_overloads}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("BUDDY_PEER_TESTS"))
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--match", default="")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--differences", type=Path, metavar="PAGE")
    parser.add_argument("--least", action="append", default=[], metavar="KIND=N")
    options = parser.parse_args()
    if not options.folder:
        print("peer: SKIPPED, all of it: no folder of buddy-mlir is given, and BUDDY_PEER_TESTS is not set")
        return 0
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    warm_up()
    results, counts = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, run in KINDS.items():
            if options.only in (None, kind):
                results[kind] = run(Path(options.folder).resolve(), options.match, Path(folder))
                counts[kind] = sum(one["ran"] for one in results[kind])
                print(f"{kind}: {counts[kind]} of {len(results[kind])}", flush=True)
    if "files" in results:
        counts["filecheck"] = sum(one["filecheck"] for one in results["files"])
        print(f"same ops, by FileCheck: {counts['filecheck']} of {counts['files']} that ran")
        if options.differences:
            write_differences(results["files"], results.get("overloads", []), options.differences)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    wanted = {kind: int(n) for kind, n in (one.split("=") for one in options.least)}
    missed = {kind: n for kind, n in wanted.items() if counts.get(kind, 0) < n}
    print(f"{sum(counts.values())} passed, {len(missed)} failed" + (f": fewer than {missed}" if missed else ""))
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
