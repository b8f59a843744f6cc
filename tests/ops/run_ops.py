# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the op suite: each case is exported by PyTorch, run through the C API, and compared with eager.

    python3 tests/ops/run_ops.py --build build [--registries ORDER]… [--only GLOB] [--each N | --all] [--sizes] [-j 2] [--json FILE]

A case becomes one or two archives: as torch.export writes it, and decomposed to core ATen where that differs. Both
are kept in a cache, under the content of the case's file and PyTorch's version. Each archive is loaded under every
order, and run three times with each of its calls, the second and third with other numbers (redraw.py). Outcomes:

  passed    results of the same number, dtypes, sizes and, within torch.testing's tolerances, numbers; or declined for
            the reason that the case says
  declined  no registry of the order takes the graph; not a failure, but listed with the reason
  failed    anything else
  crashed   the process that ran it died or hung; counted as failed

With --sizes every case is exported with dynamic dims, where torch.export can, with all as they are and with none of each size of its
inputs, and run at sizes 0, 1, 7, 33 and 65, and where one dim alone is another (sizes.py).

Without --all, the families' larger half is thinned out to what two cores run in about two minutes; which cases these
are depends on their names alone. The last lines are `N declined` and `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import fnmatch
import functools
import hashlib
import importlib
import json
import logging
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]

from case import Case  # noqa: E402
from native import INVALID_ARGUMENT, UNSUPPORTED, BuddyError, Library, Model  # noqa: E402
from program import export, flatten  # noqa: E402
from redraw import calls_like  # noqa: E402
from sizes import calls_of, resized  # noqa: E402
from workers import Handlers, serve_all  # noqa: E402

FAMILIES = ["activation", "attention", "backward", "complex_numbers", "constancy", "contraction", "convolution", "core", "creation", "data",
            "direct", "edges", "elementwise", "fft", "float8", "fused", "functions", "images", "indexing", "lists", "long_sums", "loss", "mapped", "mixed",
            "matrix", "memory", "normalization", "order", "pooling", "prims", "quantized", "quantized_products", "random_numbers", "recurrent", "reduce", "run_numbers",
            "refused", "resample", "shape", "signals", "sixteen_bits", "special", "special_numbers", "told", "views", "windows"]
ORDERS = ["tosa:*", "linalg:*", "vendor:tosa:*"]
DIALECTS = ["composite", "decomposed"]
# What PyTorch itself cannot decompose: affine_grid_generator's writes to a constant, views that are no op of ATen.
NOT_DECOMPOSED = ("entirely functional graph", "operator whose output has alias annotations")
DEFECT = "for the author of the registry"  # a row failed rather than declined
CASE_SECONDS = 120  # then its process is ended
EVERY = 4           # without --all: one case in so many


@dataclass
class Result:
    case: str
    dialect: str
    order: str
    outcome: str = "passed"
    text: str = ""
    seconds: float = 0.0


# ---- Archives --------------------------------------------------------------------------------------------------------
@functools.cache
def digest_of(family: str) -> str:
    """Of all that a family's archives depend on, as it was when the family was imported."""
    text = torch.__version__.encode()
    for name in (family, "case", "program", "sizes", "../declared"):
        text += (FOLDER / f"{name}.py").read_bytes()
    return hashlib.sha256(text).hexdigest()[:16]


def save(program: torch.export.ExportedProgram, case: Case, path: Path) -> None:
    """And, beside it, what is to be expected at other sizes."""
    torch.export.save(program, path)
    torch.save(calls_of(program, case), path.with_suffix(".sizes"))


def archives(case: Case, cache: Path) -> dict[str, Path]:
    """The case's archive per dialect; the decomposed one only where its graph is another."""
    family = case.name.split("/")[0]
    stem = cache / f"{family}-{digest_of(family)}" / hashlib.sha256(case.name.encode()).hexdigest()[:16]
    paths = {dialect: stem.with_suffix(f".{dialect}.pt2") for dialect in DIALECTS}
    done = stem.with_suffix(".done")
    if not done.exists():
        stem.parent.mkdir(parents=True, exist_ok=True)
        program = export(case)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            save(program, case, paths["composite"])
            decomposed = program
            if not case.is_whole:
                try:
                    decomposed = program.run_decompositions()
                except (AssertionError, RuntimeError) as error:
                    if not any(text in str(error) for text in NOT_DECOMPOSED):
                        raise
            if str(decomposed.graph) != str(program.graph):
                save(decomposed, case, paths["decomposed"])
        done.touch()
    return {dialect: path for dialect, path in paths.items() if path.exists()}


# ---- One case, in a worker -------------------------------------------------------------------------------------------
def bits(tensor: torch.Tensor) -> torch.Tensor:
    """8-bit floats to the last bit: torch.testing passes over the sign of 0. Which NaN it is depends on how eager's loop is cut."""
    return torch.where(tensor.float().isnan(), 255, tensor.view(torch.uint8))


def compare(case: Case, got: list[torch.Tensor], wanted: list[torch.Tensor]) -> None:
    if len(got) != len(wanted):
        raise AssertionError(f"{len(got)} results, not {len(wanted)}")
    for i, (a, b) in enumerate(zip(got, wanted)):
        if a.dtype == b.dtype and a.dtype.is_floating_point and a.itemsize == 1:
            a, b = bits(a), bits(b)
        rtol, atol = case.tolerance or (None, None)
        torch.testing.assert_close(a, b, rtol=rtol, atol=atol, equal_nan=True, msg=lambda text, i=i: f"result {i}: {text}")


def widened(tensor: torch.Tensor) -> torch.Tensor:
    if not tensor.is_floating_point() and not tensor.is_complex():
        return tensor
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def compare_near(what: str, got: torch.Tensor, wanted: torch.Tensor, exact: torch.Tensor) -> None:
    """As near to the exact numbers as eager's, by the largest of the differences; a few roundings are never too many."""
    if (got.dtype, got.shape) != (wanted.dtype, wanted.shape):
        raise AssertionError(f"{what}: {got.dtype}{list(got.shape)}, not {wanted.dtype}{list(wanted.shape)}")
    if exact.numel() == 0:
        return None
    size = exact.abs().max().item()
    if size != size or size == float("inf"):
        return torch.testing.assert_close(got, wanted, equal_nan=True, msg=lambda text: f"{what}: {text}")
    ours, theirs = ((widened(x) - exact).abs().max().item() for x in (got, wanted))
    few = 1e-12 if exact.dtype == wanted.dtype else 6 * torch.finfo(got.dtype).eps  # float64 is judged by eager's own
    if not ours <= max(2 * theirs, few * size):
        raise AssertionError(f"{what}: off by {ours:.3g} of {size:.3g}, eager by {theirs:.3g}")


def compare_run(case: Case, model: Model, inputs: list[torch.Tensor]) -> None:
    """The numbers of eager PyTorch; an error of the run where it raises one."""
    try:
        wanted = flatten(case.function(*[tensor.clone() for tensor in inputs]))
    except (RuntimeError, IndexError) as error:
        try:
            model.run(inputs)
        except BuddyError as refused:
            if refused.code == INVALID_ARGUMENT:
                return
            raise
        raise AssertionError(f"runs, where PyTorch raises: {error}") from None
    got = model.run(inputs)
    if not case.is_near:
        return compare(case, got, wanted)
    exact = flatten(case.function(*[widened(tensor) for tensor in inputs]))
    if case.tolerance:
        return compare(case, got, [a.to(b.dtype) for a, b in zip(exact, wanted, strict=True)])
    for i, (a, b, c) in enumerate(zip(got, wanted, exact, strict=True)):
        compare_near(f"result {i}", a, b, c)


def compare_either(case: Case, got: list[torch.Tensor], inputs: list[torch.Tensor]) -> None:
    """The numbers of eager, or such as are as near to the exact ones: sizes that nobody chose make some that are sensitive."""
    wanted = flatten(case.function(*[tensor.clone() for tensor in inputs]))
    try:
        return compare(case, got, wanted)
    except AssertionError as error:
        exact = flatten(case.function(*[widened(tensor) for tensor in inputs]))
        if len(got) != len(wanted):
            raise
        for i, (a, b, c) in enumerate(zip(got, wanted, exact, strict=True)):
            try:
                compare_near(f"result {i}", a, b, c) if c.is_floating_point() else compare(case, [a], [b])
            except AssertionError:
                raise error from None


def check_sizes(case: Case, model: Model, path: Path) -> None:
    """At none, one, odd sizes, and such as fill no tile, as PyTorch does."""
    for inputs, expected in torch.load(path.with_suffix(".sizes")):
        at = " ".join(str(list(x.shape)) for x in inputs)
        try:
            got = model.run([x.clone() for x in inputs])
        except BuddyError as refused:
            if case.refused and case.refused in str(refused):
                continue
            if refused.code != INVALID_ARGUMENT or expected == "runs":
                raise AssertionError(f"at {at}: {refused}") from None
            continue
        if expected == "raises" and any(x.numel() for x in got):
            raise AssertionError(f"at {at}: runs, where PyTorch raises")
        if expected == "runs":
            try:
                compare_either(case, got, inputs)
            except AssertionError as error:
                raise AssertionError(f"at {at}: {error}") from None


def check_random(case: Case, model: Model) -> None:
    """Two runs give other numbers, the same seed gives the same, and the numbers are as the case says."""
    inputs = list(case.inputs)
    model.seed(7)
    first, second = model.run(inputs), model.run(inputs)
    model.seed(7)
    again = model.run(inputs)
    model.seed(8)
    other = model.run(inputs)
    wanted = flatten(case.function(*[tensor.clone() for tensor in inputs]))
    if [(x.shape, x.dtype) for x in first] != [(x.shape, x.dtype) for x in wanted]:
        raise AssertionError(f"types {[(x.shape, x.dtype) for x in first]}, not {[(x.shape, x.dtype) for x in wanted]}")
    for i, (a, b, c, d) in enumerate(zip(first, again, second, other)):
        torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True, msg=f"result {i}: another number after the same seed")
        if torch.equal(a, c) or torch.equal(a, d):
            raise AssertionError(f"result {i}: the same numbers in another run")
    case.check(*first)
    case.check(*wanted)  # PyTorch's own numbers pass the same check


def run(library: Library, case: Case, path: Path, result: Result, has_sizes: bool) -> None:
    try:
        model = Model(library, path, result.order, opt_level=-1)
    except BuddyError as error:
        if error.code != UNSUPPORTED or DEFECT in str(error):
            raise
        result.text = str(error)
        if case.declined is None:
            result.outcome = "declined"
        elif case.declined not in result.text:
            result.outcome = "failed"
        return
    if case.declined is not None:
        raise AssertionError(f"was not declined for: {case.declined}")
    if DEFECT in model.warnings:
        raise AssertionError(model.warnings)
    def takes(inputs: list[torch.Tensor]) -> bool:
        try:
            case.function(*[tensor.clone() for tensor in inputs])
        except (RuntimeError, IndexError, ValueError):
            return False
        return True

    try:
        if case.check is not None:
            return check_random(case, model)
        for given in filter(None, [case.inputs, case.others, *case.more]):
            for inputs in calls_like(given, takes):
                compare_run(case, model, inputs)
        if has_sizes:
            check_sizes(case, model, path)
    finally:
        model.close()


def check(library: Library, case: Case, args: argparse.Namespace, send) -> None:
    """Sends one Result per archive and order; before each, what is about to be tried."""
    try:
        paths = archives(case, args.cache)
    except Exception as error:
        if not case.is_grown:
            send("result", Result(case.name, "composite", "", "failed", f"torch.export: {error}"[:2000]))
        return
    for dialect, path in paths.items():
        for order in args.registries:
            result = Result(case.name, dialect, order)
            send("trying", result)
            start = time.monotonic()
            try:
                run(library, case, path, result, args.sizes)
            except Exception as error:
                result.outcome, result.text = "failed", f"{type(error).__name__}: {error}"
            result.seconds = time.monotonic() - start
            result.text = result.text[:4000]
            send("result", result)


def run_all(cases: list[Case], args: argparse.Namespace, report) -> list[Result]:
    results = []

    def setup():
        torch.set_num_threads(1)
        logging.disable(logging.WARNING)  # torch.export's remarks on dynamic dims
        warnings.simplefilter("ignore")
        library = Library(args.build.resolve())
        return lambda i, send: check(library, cases[i], args, send)

    def take(i: int, result: Result) -> None:
        results.append(result)
        report(result)

    def crashed(i: int, trying: Result | None, text: str) -> None:
        result = trying or Result(cases[i].name, "", "")
        result.outcome, result.text = "crashed", text
        take(i, result)

    serve_all(Handlers(setup, take, crashed, CASE_SECONDS), range(len(cases)), args.jobs)
    return results


# ---- What is run, and what came of it --------------------------------------------------------------------------------
def of_any_size(case: Case) -> Iterator[Case]:
    """The case with dims that are dynamic, if its results are told by its inputs, and these have dims; and with none of one of them."""
    if case.check is not None or case.declined is not None or not any(x.dim() for x in case.inputs):
        return
    yield case if case.others else replace(case, name=f"{case.name}, of any size", others=case.inputs, is_grown=True)
    for size in sorted({size for x in case.inputs for size in x.shape if size > 1}):
        inputs = tuple(resized(x, [0 if n == size else n for n in x.shape]) for x in case.inputs)
        yield replace(case, name=f"{case.name}, none of {size}", inputs=inputs, others=inputs, more=(), is_grown=True, is_whole=True)


def select(args: argparse.Namespace) -> list[Case]:
    wanted = [name for name in FAMILIES if not args.only or any(fnmatch.fnmatch(name, glob.split("/")[0]) for glob in args.only)]
    cases = [case for name in wanted if digest_of(name) for case in importlib.import_module(name).FAMILY.cases]
    renamed = [f"{case.name} ({', '.join(names)})" for case in cases if (names := case.renamed())]
    if renamed:
        raise SystemExit(f"names that stand for something else by now than where the case was written: {'; '.join(renamed)}")
    if args.sizes:
        cases = [grown for case in cases for grown in of_any_size(case)]
    names = Counter(case.name for case in cases)
    twice = [name for name, n in names.items() if n > 1]
    if twice:
        raise SystemExit(f"two cases of one name: {', '.join(twice)}")
    if args.only:
        return [case for case in cases if any(fnmatch.fnmatch(case.name, glob) for glob in args.only)]
    return [case for case in cases if int(hashlib.sha256(case.name.encode()).hexdigest(), 16) % args.each == 0]


def show(result: Result, verbose: bool) -> None:
    if result.outcome == "passed" and not verbose:
        return
    lines = [line for line in result.text.strip().splitlines() if line.strip()]
    text = "\n    ".join(lines[:40 if verbose else 6])
    print(f"{result.outcome.upper():8} {result.case} [{result.dialect}, {result.order}] {text}"[:4000], flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--registries", action="append", metavar="ORDER", help=f"default: {' '.join(ORDERS)}")
    parser.add_argument("--only", action="append", metavar="GLOB", help="of case names, as in 'reduce/*i64*'")
    parser.add_argument("--each", type=int, default=EVERY, metavar="N", help=f"one case in N, by its name; default: {EVERY}")
    parser.add_argument("--all", dest="each", action="store_const", const=1, help="every case")
    parser.add_argument("--sizes", action="store_true", help="dynamic dims, also at sizes 0, 1, 7, 33 and 65")
    parser.add_argument("--cache", type=Path, help="folder of the archives; default: ops in the build folder")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path, help="also write every result to a file")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    args.registries = args.registries or ORDERS
    args.cache = args.cache or args.build / "ops"
    start = time.monotonic()
    results = run_all(select(args), args, lambda result: show(result, args.verbose))
    if args.json:
        args.json.write_text(json.dumps([asdict(result) for result in results], indent=1))
    for order in args.registries:
        count = Counter(result.outcome for result in results if result.order == order)
        print(f"{order:16}" + "".join(f"{count[o]:6} {o}" for o in ("passed", "declined", "failed", "crashed")))
    count = Counter(result.outcome for result in results)
    print(f"{time.monotonic() - start:.0f} s")
    print(f"{count['declined']} declined")
    print(f"{count['passed']} passed, {count['failed'] + count['crashed']} failed")
    return 1 if count["failed"] or count["crashed"] or not results else 0


if __name__ == "__main__":
    sys.exit(main())
