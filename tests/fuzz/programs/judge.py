# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports a program, runs it in buddy several times, and judges every number.

  right     every run gives PyTorch's numbers, or refuses what PyTorch refuses
  declined  no registry takes it, with a reason
  export    torch.export does not take the program, or eager and the exported program are of different minds
  wrong     other numbers, sizes or dtypes; other bits on two threads
  accepted  results where PyTorch refuses
  refused   an error where PyTorch gives numbers
  failed    a row failed, or an error that is no refusal of the program
  crashed, hung   told by the process that waits
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.testing._comparison import default_tolerances

from program import Program, eagerly, flatten, widen
from replays import Detour, Forgiving, Rounded, Wide, digits, noise, plain_kernels

sys.path[:0] = [str(Path(__file__).resolve().parent.parent.parent)]

from declared import are_shapes_kept  # noqa: E402
from native import UNSUPPORTED, BuddyError, Library, Model  # noqa: E402

ORDERS = ["tosa:*", "linalg:*", "vendor:tosa:*"]
DEFECT = "for the author of the registry"
NOISY_RUNS = 8
MORE_NOISY_RUNS = 64  # where it is in question whether a number is one: 1 - 0.999… under a logarithm is NaN every second time
INVALID = 2  # BUDDY_INVALID_ARGUMENT
# What PyTorch's kernels refuse though the result is empty, and known.
LENIENT = ["Only zero batch or zero channel inputs", "with optional 0 dim batch size", "Expected .* non-zero size for input",
           "out_spec cannot be None", "MKL FFT error", r"must be divisible by \d+ to view"]
NO_KERNEL = ("not implemented for 'Float8", "not implemented for 'UInt")  # at some sizes: others are copied as bytes
VIEW_OR_COPY = "holds only where .*, so that it is a copy"  # sdk/docs/limits.md


@dataclass
class Verdict:
    outcome: str
    text: str = ""
    order: str = ""
    level: int = 0
    cpu: str = ""  # as the road's


@dataclass
class Road:
    """How a program goes through buddy."""

    order: str
    level: int
    cpu: str = ""  # for which it is compiled ahead of time; "": it is not


class Answer(Exception):
    def __init__(self, outcome: str, text: str):
        super().__init__(text)
        self.verdict = Verdict(outcome, text)


def noise_of(program: Program, k: int):
    is_rounded = k + 1 == MORE_NOISY_RUNS and program.has_short_floats()
    return Rounded() if is_rounded else noise(k)


# ---- Numbers ---------------------------------------------------------------------------------------------------------
class Reference:
    """PyTorch's numbers of one run; float64's, and those of runs with noise, when they are asked for."""

    def __init__(self, program: Program, run: int, is_refused: bool = False):
        self.program, self.run = program, run
        self.is_refused = is_refused  # by eager: there is nothing to replay
        self._exact, self._noisy = None, []

    def replay(self, make, change, mode) -> list[torch.Tensor] | None:
        """This run, after all before it where buffers remember."""
        try:
            module = make()
            for run in range(0 if self.program.state else self.run, self.run + 1):
                inputs = [change(one) for one in self.program.make_inputs(run)]
                try:
                    with eagerly(), mode(run):
                        results = flatten(module(*inputs)) + inputs
                except Exception:
                    if run == self.run:
                        raise
            return results
        except Exception:
            return None

    def exact(self) -> list[torch.Tensor] | None:
        if self._exact is None:
            ways = [lambda run: digits(self.program.has_float64()), lambda run: Wide()]
            found = (self.replay(lambda: self.program.module(wide=True), widen, way) for way in ways)
            self._exact = [next((one for one in found if one is not None), None)]
        return self._exact[0]

    def noisy(self, n: int = NOISY_RUNS) -> list[list[torch.Tensor]]:
        for k in range(len(self._noisy), n):
            self._noisy.append(self.replay(self.program.module, lambda one: one.clone(), lambda run, k=k: noise_of(self.program, k)))
        return [one for one in self._noisy[:n] if one is not None]

    def is_refused_by_a_rounding(self) -> bool:
        """How many are unique may follow from one, and then what sizes fit."""
        return len(self.noisy(MORE_NOISY_RUNS)) < MORE_NOISY_RUNS


def is_near(got: torch.Tensor, want: torch.Tensor) -> bool:
    if got.is_floating_point() and got.itemsize == 1:
        got, want = got.float(), want.float()
    try:
        torch.testing.assert_close(got, want, equal_nan=True, **({} if got.is_floating_point() or got.is_complex() else {"rtol": 0, "atol": 0}))
        return True
    except AssertionError:
        return False


def bytes_of(tensor: torch.Tensor) -> torch.Tensor:
    """One element counts as contiguous whatever its stride is; a view as bytes minds."""
    return tensor.flatten().clone(memory_format=torch.contiguous_format).view(torch.uint8)


def same_bits(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape == b.shape and torch.equal(bytes_of(a), bytes_of(b))


def is_precise(got: torch.Tensor, want: torch.Tensor, exact: torch.Tensor | None) -> bool:
    """As near to float64 as eager, within a factor: small numbers, too."""
    if not got.is_floating_point() or exact is None or exact.shape != got.shape or got.numel() == 0:
        return True
    a, b, c = got.double(), want.double(), exact.double()
    fine = a.isfinite() & b.isfinite() & c.isfinite()
    if not fine.any():
        return True
    a, b, c = a[fine], b[fine], c[fine]
    eps = torch.finfo(got.dtype).eps
    scale = c.abs().max()
    return bool((a - c).abs().max() <= 64 * ((b - c).abs().max() + eps * scale) + 64 * torch.finfo(got.dtype).tiny)


def is_nearer(got: torch.Tensor, want: torch.Tensor, exact: torch.Tensor, is_complex: bool = False) -> bool:
    """No further from float64 than twice what eager is, and a rounding of the largest number; or what float64 rounds to,
    beyond the largest number, too; or near float64 where eager has left all numbers on its way; or near eager's, where all
    are precise. Of complex numbers, whose parts the last dim has, a rounding of one part is as large as the other lets it be."""
    a, b, c = got.double(), want.double(), exact.double()
    near = (a - c).abs() <= max(1e-4, 8 * torch.finfo(got.dtype).eps) * c.abs()
    same = (a == b) | (a == c) | (a == exact.to(got.dtype).double()) | (a.isnan() & (b.isnan() | c.isnan())) | (near & ~b.isfinite())
    if is_precise(got, want, exact):
        same |= torch.isclose(a, b, *default_tolerances(got.dtype))
    if is_complex:
        same = same.all(-1, keepdim=True).expand_as(same)
    if not torch.stack([a, b, c])[:, ~same].isfinite().all():
        return False
    if same.all():
        return True
    a, b, c = a[~same], b[~same], c[~same]
    return bool((a - c).abs().max() <= 2 * (b - c).abs().max() + torch.finfo(got.dtype).eps * c.abs().max())


def sorts_of(value: torch.Tensor) -> torch.Tensor:
    """0: a number."""
    return value.isnan() + 2 * value.isposinf() + 3 * value.isneginf()


def within_noise(got: torch.Tensor, want: torch.Tensor, noisy: list[torch.Tensor], spreads: int) -> torch.Tensor:
    """Which elements may be what they are: those that rounding changes anything near what they were, the others eager's.
    spreads: how many times as far apart as the runs are."""
    noisy = [one for one in noisy if one.shape == want.shape and one.dtype == want.dtype]
    if len(noisy) < 2:
        return torch.zeros(want.shape, dtype=torch.bool)
    every = torch.stack([want, *noisy])
    if not got.is_floating_point() and not got.is_complex():
        return (got == want) | (every != want).any(0)
    every = every.double()
    low, high, fine = every.amin(0), every.amax(0), every.isfinite().all(0)
    sorts = sorts_of(every)
    odd = sorts.amin(0) != sorts.amax(0)
    eps = torch.finfo(got.dtype).eps
    spread = spreads * (high - low) + 16 * eps * torch.maximum(low.abs(), high.abs()) + 64 * torch.finfo(got.dtype).tiny
    a = got.double()
    near = (a >= low - spread) & (a <= high + spread)
    same = (a == want.double()) | (a.isnan() & want.isnan())
    return odd | same | (fine & near)


def compare(got: list[torch.Tensor], want: list[torch.Tensor], reference: Reference, what: str) -> None:
    if len(got) != len(want):
        raise Answer("wrong", f"{what}: {len(got)} results, not {len(want)}")
    for i, (a, b) in enumerate(zip(got, want)):
        a, b = a.detach(), b.detach()
        if a.dtype != b.dtype or a.shape != b.shape:
            if a.dtype == b.dtype and a.dim() == b.dim() and is_size_of_roundings(reference, i, b):
                continue
            raise Answer("wrong", f"{what}: result {i} is {a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}")
        near = is_near(a, b)
        if near and same_bits(a, b):
            continue
        exact = part(reference.exact(), i)
        real = [parts_of(one) for one in (a, b, exact)]
        if near and is_precise(*real):
            continue
        if not near and exact is not None and exact.shape == a.shape and real[0].is_floating_point() and real[2].is_floating_point() and is_nearer(*real, a.is_complex()):
            continue
        if is_within_noise(real[0], where_exact(*real, reference.program), reference.noisy, i):
            continue
        if is_size_of_roundings(reference, i, b):
            continue  # as many by chance: others of them
        if exact is None and reference.is_refused:
            continue  # instance_norm over one element: eager raises, and what it exports gives noise
        raise Answer("wrong", f"{what}: result {i} {difference(a, b, exact)}")


def is_right(got: list[torch.Tensor], want: list[torch.Tensor], reference: Reference) -> bool:
    try:
        compare(got, want, reference, "")
        return True
    except Answer:
        return False


def is_within_noise(got: torch.Tensor, want: torch.Tensor, noisy: Callable[[int], list[list[torch.Tensor]]], i: int) -> bool:
    """Far from a few runs, or between many: one of two bits moves every second time, a remainder just below its end less often."""
    def mask(runs: int, spreads: int) -> torch.Tensor:
        return within_noise(got, want, [parts_of(one[i]) for one in noisy(runs) if len(one) > i], spreads)
    near = mask(NOISY_RUNS, 8)
    return bool(near.all()) or bool((near | mask(MORE_NOISY_RUNS, 1)).all())


def where_exact(got: torch.Tensor, want: torch.Tensor, exact: torch.Tensor | None, program: Program) -> torch.Tensor:
    """Eager's numbers, but where what came out is as near to float64's: a difference that is 0 without a rounding may be 0,
    and a function may have fewer roundings. Not beside floats of 16 bits and less, whose roundings belong to the program."""
    if exact is None or exact.shape != got.shape or program.has_short_floats():
        return want
    if not got.is_floating_point():
        return torch.where(got == exact, exact, want) if exact.dtype == got.dtype else want
    off, known = ((one.double() - exact.double()).abs() for one in (got, want))
    return torch.where(off <= known, got, want)


def is_size_of_roundings(reference: Reference, i: int, want: torch.Tensor) -> bool:
    """How many are not 0, or unique, may follow from a rounding: then eager gives another size with another one, too."""
    return any(len(one) > i and one[i].shape != want.shape for one in reference.noisy(MORE_NOISY_RUNS))


def parts_of(value: torch.Tensor | None) -> torch.Tensor | None:
    """Real and imaginary parts of complex numbers."""
    return torch.view_as_real(value.resolve_conj()) if value is not None and value.is_complex() else value


def part(values: list[torch.Tensor] | None, i: int) -> torch.Tensor | None:
    return values[i] if values is not None and i < len(values) else None


def difference(a: torch.Tensor, b: torch.Tensor, exact: torch.Tensor | None) -> str:
    where = ~((a == b) | ((a != a) & (b != b)))
    if not (a.is_floating_point() or a.is_complex()) or not where.any():
        at = where.nonzero()[0].tolist() if where.any() else []
    else:
        at = list(torch.unravel_index(torch.where(where, (a - b).abs().nan_to_num(torch.inf), 0).float().argmax(), a.shape))
        at = [int(k) for k in at]
    at = tuple(at)
    text = f"at {list(at)} is {a[at].item()!r}, not {b[at].item()!r}"
    if exact is not None and exact.shape == a.shape:
        text += f" (wide: {exact[at].item()!r})"
    return f"{text}; {int(where.sum())} of {a.numel()} elements differ"


def ranks(values: list[torch.Tensor] | None) -> list[int]:
    return [value.dim() for value in values or []]


# ---- Runs ------------------------------------------------------------------------------------------------------------
def called(module, inputs: list[torch.Tensor]) -> tuple[list[torch.Tensor] | None, str]:
    """Results and inputs after the call; or none, and why."""
    try:
        with eagerly():
            return flatten(module(*inputs)), ""
    except Exception as error:
        leave_vmap()
        return None, f"{type(error).__name__}: {error}"


def leave_vmap() -> None:
    """An exported program enters and leaves vmap by nodes of its own: one that fails between them leaves it entered."""
    while torch._C._functorch.peek_interpreter_stack() is not None:
        torch._C._functorch._vmap_decrement_nesting()


class Packaged:
    """A model of the Python package."""

    def __init__(self, build: Path, path: Path, **options):
        sys.path[:0] = [str(build / "python")]
        import buddy
        self.warnings = ""
        self.error = buddy.BuddyError
        self.model = buddy.load(path, **options)

    def run(self, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
        try:
            results = self.model(*inputs)
        except (self.error, ValueError, TypeError, IndexError, MemoryError) as error:
            raise BuddyError(INVALID, str(error)) from None
        return flatten(results if isinstance(results, tuple) else (results,))

    def set_threads(self, n: int) -> None:
        self.model.set_threads(n)

    def close(self) -> None:
        self.model = None


class Ahead(Packaged):
    """The program compiled ahead of time, called through its typed functions."""

    def __init__(self, build: Path, archive: Path, road: Road):
        library = archive.with_suffix(".so")
        command = [build / "bin" / "buddy", "compile", archive, "-o", library, "--registries", road.order, "--target-cpu", road.cpu]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)
        if done.returncode:
            raise BuddyError(0, done.stderr or f"exit status {done.returncode}")
        super().__init__(build, library)
        self.warnings = done.stderr


class InProcess(Model):
    def set_threads(self, n: int) -> None:
        self.library.c.buddy_model_set_threads(self.model, ctypes.c_int32(n))


def load(library: Library, build: Path, archive: Path, road: Road):
    try:
        try:
            model = Ahead(build, archive, road) if road.cpu else InProcess(library, archive, road.order, road.level)
        except BuddyError as error:
            if road.cpu and error.code == 0:  # the library says with a code what the command line says in words
                InProcess(library, archive, road.order, road.level).close()
            raise
    except BuddyError as error:
        text = str(error)
        raise Answer("declined" if error.code == UNSUPPORTED and DEFECT not in text else "failed", text) from None
    if DEFECT in model.warnings:
        raise Answer("failed", model.warnings)
    return model


@contextlib.contextmanager
def silence():
    """torch.export writes graphs to stderr when it refuses."""
    sys.stderr.flush()
    saved, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(saved, 2)
        os.close(saved)
        os.close(null)


def save(program: Program, archive: Path) -> torch.export.ExportedProgram:
    try:
        with silence(), torch.no_grad():
            exported = program.export(program.module())
            torch.export.save(exported, archive)
        return exported
    except Exception as error:
        raise Answer("export", f"{type(error).__name__}: {str(error)[:200]}") from None


def ask_eager(program: Program, exported: torch.export.ExportedProgram) -> None:
    """Shapes that eager refuses get through torch.export where its fake tensors are not asked; a few of these have another dtype."""
    try:
        module = program.module()
    except RuntimeError as error:
        raise Answer("export", f"torch.export left a tensor of its own in the module: {str(error)[:200]}") from None
    direct, why = called(module, program.make_inputs(0))
    if direct is None:
        raise Answer("export", f"eager refuses what was exported: {why[:200]}")
    said = {node.name: node.meta.get("val") for node in exported.graph.nodes}
    for name, value in zip(exported.graph_signature.user_outputs, direct):
        if isinstance(said.get(name), torch.Tensor) and said[name].dtype != value.dtype:
            raise Answer("export", f"the archive says that {name} is {said[name].dtype}, and PyTorch gives {value.dtype}")


def runs_without_failures(exported, program: Program, run: int, got: list, buffers: list) -> bool:
    """What nobody uses is not computed, so that its data are not checked: sdk/docs/limits.md. The results are what they are
    whatever the ops that fail give, but for roundings. buffers: with what they held before the run."""
    def forgiven(seed: int, mode) -> list[torch.Tensor]:
        for one, before in buffers:
            one.copy_(before)
        inputs = [one.clone() for one in program.make_inputs(run)]
        with mode, Forgiving(seed):
            want, _ = called(exported, inputs)
        return [] if want is None else want + inputs

    for seed in range(3):
        @functools.cache
        def noisy(n: int, seed: int = seed) -> list[list[torch.Tensor]]:
            return [one for one in (forgiven(seed, noise_of(program, k)) for k in range(n)) if one]

        want = forgiven(seed, contextlib.nullcontext())
        if len(want) != len(got):
            return False
        for i, (a, b) in enumerate(zip(got, want)):
            if not is_near(a, b) and (a.shape != b.shape or not is_within_noise(parts_of(a), parts_of(b), noisy, i)):
                return False
    return True


def is_below_minimum(program: Program, run: int) -> bool:
    """PyTorch takes a minimum of 2 for none, and runs what may hold by chance."""
    least = {name: re.search(r"min=(\d+)", text) for name, text in program.symbols.items()}
    return any(found and program.runs[run].get(name, 2) < int(found[1]) for name, found in least.items())


def judge_run(program: Program, run: int, eager, exported, model, is_strided_run: bool) -> bool:
    """False: the run was refused, and buffers may be anybody's."""
    inputs = program.make_inputs(run)
    ours, theirs, plain = program.lay_out(run, inputs), [one.clone() for one in inputs], [one.clone() for one in inputs]
    buffers = [(one, one.clone()) for one in exported.buffers()]
    want, why = called(exported, theirs)
    reference, kept = want, theirs
    direct, _ = called(eager, plain)
    if run == 0:
        model.first = reference
    if want is not None and direct is not None and run == 0:
        same = len(want) == len(direct) and all(a.dtype == b.dtype and a.shape == b.shape and is_near(a, b) for a, b in zip(want + theirs, direct + plain))
        if not same:
            raise Answer("export", "eager and the exported program differ")
    try:
        got = model.run(ours)
    except BuddyError as error:
        if DEFECT in str(error):
            raise Answer("failed", f"run {run} {program.runs[run]}: {error}") from None
        if reference is None or ranks(reference) != ranks(model.first):
            return False  # the archive fixes the ranks of results; PyTorch squeezes sizes that happen to be 1
        if error.code == INVALID and (is_below_minimum(program, run) or re.search(VIEW_OR_COPY, str(error))):
            return False
        with eagerly():
            if error.code == INVALID and not are_shapes_kept(exported, program.make_inputs(run)):
                return False
        with plain_kernels():  # the fused attention does not ask whether there are as many values as keys
            if error.code == INVALID and called(exported, program.make_inputs(run))[0] is None:
                return False
        if error.code == INVALID and Reference(program, run).is_refused_by_a_rounding():
            return False
        raise Answer("refused", f"run {run} {program.runs[run]}: {error}") from None
    if reference is None:
        # torch.export drops what copies nothing at the sizes that it saw, and divides by sizes of 0: eager has the last word
        if direct is not None and is_right(got + ours, direct + plain, Reference(program, run)):
            return False
        if any(text in why for text in NO_KERNEL):
            inputs = program.make_inputs(run)
            with Detour():
                want, why = called(exported, inputs)
            if want is not None:
                compare(got + ours, want + inputs, Reference(program, run, direct is None), f"run {run} {program.runs[run] or ''}")
                return False
        if "must be 1 to view" in why and all(one.numel() == 0 for one in got):
            return False  # the strides of nothing: sdk/docs/limits.md
        if any(re.search(text, why) for text in LENIENT) or runs_without_failures(exported, program, run, got + ours, buffers):
            return False
        raise Answer("accepted", f"run {run} {program.runs[run]}: runs, where PyTorch refuses: {why[:300]}")
    if are_others_empty(got, reference) and not are_shapes_kept(exported, program.make_inputs(run)):
        return False  # pixel_unshuffle() of nothing has its input's shape, and another one in the archive
    what = f"run {run} {program.runs[run] or ''}"
    compare(got + ours, reference + kept, Reference(program, run, direct is None), what + (" (strided inputs)" if is_strided_run else ""))
    return True


def are_others_empty(got: list[torch.Tensor], want: list[torch.Tensor]) -> bool:
    """Whether the results that have another shape are some, and have no elements."""
    others = [(a, b) for a, b in zip(got, want) if a.shape != b.shape]
    return bool(others) and all(a.numel() == b.numel() == 0 for a, b in others)


def judge_threads(program: Program, model) -> None:
    """The same bits on one thread and two."""
    results = []
    for threads in (1, 2):
        model.set_threads(threads)
        try:
            results.append(model.run([one.clone() for one in program.make_inputs(0)]))
        except BuddyError:
            return
    model.set_threads(1)
    for i, (a, b) in enumerate(zip(*results)):
        if not same_bits(a, b):
            raise Answer("wrong", f"result {i} has other bits on two threads")


def judge(library: Library, build: Path, program: Program, roads: list[Road], trying=lambda what: None) -> Verdict:
    """The first road that is not right; trying() is told what may end the process."""
    verdict = Verdict("right")
    with tempfile.TemporaryDirectory(prefix="programs-", dir=scratch()) as folder:
        archive = Path(folder) / "program.pt2"
        trying(Verdict("export", "in torch.export"))
        try:
            exported = save(program, archive)
            ask_eager(program, exported)
        except Answer as answer:
            return answer.verdict
        for road in roads:
            trying(Verdict("crashed", "", road.order, road.level, road.cpu))
            try:
                model = load(library, build, archive, road)
                try:
                    right = judge_runs(program, exported, model)
                finally:
                    model.close()
                if program.symbols and not program.state and right:
                    judge_chosen(program, exported, right[program.seed % len(right)], build, archive, road)
            except Answer as answer:
                verdict = answer.verdict
                if verdict.outcome == "failed" and called(exported.module(), program.make_inputs(0))[0] is None:
                    return Verdict("export", f"the exported program refuses what it was exported with; {verdict.text[:100]}")
                verdict.order, verdict.level, verdict.cpu = road.order, road.level, road.cpu
                if verdict.outcome != "declined":
                    return verdict
    return verdict


def judge_chosen(program: Program, exported: torch.export.ExportedProgram, run: int, build: Path, archive: Path, road: Road) -> None:
    """A run that was right is right where its sizes were chosen before it."""
    names = exported.graph_signature.user_inputs
    sizes = {name: tuple(one.shape) for name, one in zip(names, program.make_inputs(run)) if isinstance(name, str)}
    try:
        model = Packaged(build, archive, sizes=sizes, registries=road.order, opt_level=road.level, cache=False)
    except Exception as error:
        raise Answer("refused", f"run {run} {program.runs[run]}, its sizes chosen: {error}") from None
    model.first = called(exported.module(), program.make_inputs(run))[0]
    try:
        judge_run(program, run, program.module(), exported.module(), model, False)
    except Answer as answer:
        raise Answer(answer.verdict.outcome, f"its sizes chosen: {answer.verdict.text}") from None
    finally:
        model.close()


def judge_runs(program: Program, exported: torch.export.ExportedProgram, model) -> list[int]:
    """The runs that gave the right numbers."""
    eager, module, right = program.module(), exported.module(), []
    state, is_kept = [(one, one.clone()) for one in (*module.parameters(), *module.buffers())], True
    model.set_threads(1)
    for run in range(len(program.runs)):
        is_last = program.is_strided and run + 1 == len(program.runs)
        if judge_run(program, run, eager, module, model, is_last):
            right.append(run)
        elif program.state:
            return right
        is_kept = is_kept and all(same_bits(one, before) for one, before in state)  # neg_() twice leaves what was there
    if is_kept:  # else each run gives another number
        judge_threads(program, model)
    return right


def scratch() -> str | None:
    return "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else None
