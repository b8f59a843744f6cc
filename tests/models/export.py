# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports the test models to .pt2 archives, each with its inputs and the outputs that PyTorch computes.

    python tests/models/export.py [--out DIR] [--only NAME…] [--dialect composite|decomposed|both] [--tiny]

For every model and dialect this writes

    DIR/NAME.DIALECT.pt2                 the archive, as torch.export.save writes it
    DIR/NAME.DIALECT/input_K.npy         the K-th of the flattened user inputs
    DIR/NAME.DIALECT/expected_K.npy      the K-th of the flattened user outputs
    DIR/NAME.DIALECT/run_R_input_K.npy   and run_R_expected_K.npy: two further calls, with other numbers (redraw.py)
    DIR/NAME.DIALECT/size_S/…            the same for each size of a model with dynamic shapes
    DIR/NAME.DIALECT/entry.json          this archive's entry of
    DIR/index.json                       all archives there are in DIR

`composite` is what torch.export.export gives, `decomposed` what .run_decompositions() makes of it. A None and a value
that export made a constant keep their number K but have no file; the index says what they are. bf16 is stored as its
bit pattern in uint16, a Python number as an array of rank 0. `mutated_input_K.npy` and `mutated_buffer_NAME.npy` are
what a call leaves behind in inputs and buffers.

Archives already there are left alone if the model's source, this file and the packages are the same as when they were
made. A model that fails is reported, the rest are still exported, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import gc
import hashlib
import json
import logging
import os
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from catalog import DIALECTS, Args, Kwargs
from compare import compare
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind
from torch.utils import _pytree as pytree
from redraw import RUNS, redrawn
from zoo import MODELS, Model, Sample, parameter_count

Json = dict[str, Any]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def source_digest(model: Model) -> str:
    """Changes whenever the archives of `model` could."""
    versions = (torch.__version__, transformers.__version__, np.__version__)
    digest = hashlib.sha256(model.source_hash().encode())
    digest.update(Path(__file__).read_bytes())
    digest.update(repr(versions).encode())
    return digest.hexdigest()


def to_array(value: Any) -> np.ndarray:
    """A tensor or a Python number as the array that is stored for it."""
    if isinstance(value, torch.Tensor):
        value = value.detach().contiguous()
        return value.view(torch.uint16).numpy() if value.dtype == torch.bfloat16 else value.numpy()
    return np.asarray(value)


def describe(value: Any) -> Json:
    """The part of an index entry that says what a value is."""
    if value is None:
        return {"kind": "none"}
    if isinstance(value, torch.Tensor):
        return {"kind": "tensor", "dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape)}
    if isinstance(value, (bool, int, float)):
        return {"kind": type(value).__name__, "value": value}
    return {"kind": "constant", "value": repr(value)}


def save_value(folder: Path, stem: str, value: Any) -> Json:
    entry = describe(value)
    if entry["kind"] not in ("none", "constant"):
        np.save(folder / f"{stem}.npy", to_array(value))
        entry["file"] = f"{stem}.npy"
    return entry


def clone(tree: Any) -> Any:
    return pytree.tree_map(lambda v: v.clone() if isinstance(v, torch.Tensor) else v, tree)


def same(a: Any, b: Any) -> bool:
    return a.shape == b.shape and torch.equal(to_bits(a), to_bits(b))


def to_bits(value: torch.Tensor) -> torch.Tensor:
    """Bytes, so that NaNs compare equal to themselves."""
    return value.detach().contiguous().reshape(-1).view(torch.uint8)


@contextlib.contextmanager
def state_restored(module: torch.nn.Module, changed: dict[str, torch.Tensor]) -> Iterator[None]:
    """Puts buffers back as they were; `changed` receives the new value of those that were written to."""
    before = {name: buffer.clone() for name, buffer in module.named_buffers()}
    try:
        yield
    finally:
        for name, buffer in module.named_buffers():
            if not same(buffer, before[name]):
                changed[name] = buffer.clone()
                with torch.no_grad():
                    buffer.copy_(before[name])


@dataclass
class Call:
    """One call of a model: what went in, what came out, what it left changed."""

    inputs: list[Any]
    outputs: list[Any]
    mutated_inputs: dict[int, torch.Tensor]
    mutated_buffers: dict[str, torch.Tensor]


def run(sample: Sample, program: ExportedProgram, args: Args, kwargs: Kwargs) -> Call:
    """Runs the model itself, not the exported program: the truth is what the user's code does."""
    inputs = pytree.tree_leaves((args, reorder_kwargs(kwargs, program)))
    args, kwargs = clone((args, kwargs))
    changed: dict[str, torch.Tensor] = {}
    with torch.no_grad(), state_restored(sample.module, changed):
        outputs = clone(pytree.tree_leaves(sample.module(*args, **kwargs)))
    after = pytree.tree_leaves((args, reorder_kwargs(kwargs, program)))
    mutated = {
        k: new
        for k, (old, new) in enumerate(zip(inputs, after, strict=True))
        if isinstance(old, torch.Tensor) and not same(old, new)
    }
    return Call(inputs, outputs, mutated, changed)


def agree(a: list[Any], b: list[Any], tolerance: float | None) -> bool:
    for x, y in zip(a, b, strict=True):
        if isinstance(x, torch.Tensor):
            if not compare(to_array(x), to_array(y), dtype=describe(x)["dtype"], tolerance=tolerance).ok:
                return False
        elif x != y:
            return False
    return True


def further(sample: Sample, program: ExportedProgram, args: Args, kwargs: Kwargs, tolerance: float | None) -> list[Call]:
    """What the calls after the first give, state carried on; of those with other numbers that the program takes as the
    model does, else with the same."""
    calls = []
    module = program.module()
    with torch.no_grad(), state_restored(sample.module, {}), state_restored(module, {}):
        for one in (sample.module, module):
            one(*clone(args), **clone(kwargs))
        for k in range(RUNS - 1):
            other = pytree.tree_map(lambda v: redrawn(v, k) if isinstance(v, torch.Tensor) else v, (args, kwargs))
            for a, b in (other, (args, kwargs)):
                before = [{n: v.clone() for n, v in one.named_buffers()} for one in (sample.module, module)]
                try:
                    outputs, same_outputs = (clone(pytree.tree_leaves(one(*clone(a), **clone(b))))
                                             for one in (sample.module, module))
                    if agree(outputs, same_outputs, tolerance):
                        calls.append(Call(pytree.tree_leaves((a, reorder_kwargs(b, program))), outputs, {}, {}))
                        break
                except (RuntimeError, IndexError, ValueError, AssertionError):
                    pass
                for one, old in zip((sample.module, module), before):
                    for name, buffer in one.named_buffers():
                        buffer.copy_(old[name])
    return calls


def reorder_kwargs(kwargs: Kwargs, program: ExportedProgram) -> Kwargs:
    """Keyword inputs in the order of the program's signature."""
    in_spec = program.call_spec.in_spec
    assert in_spec is not None
    return {key: kwargs[key] for key in in_spec.child(1).context}


def check(call: Call, program: ExportedProgram, args: Args, kwargs: Kwargs, tolerance: float | None) -> None:
    """An archive whose program disagrees with the model would blame the importer for what export did."""
    module = program.module()
    with torch.no_grad(), state_restored(module, {}):
        outputs = clone(pytree.tree_leaves(module(*clone(args), **clone(kwargs))))
    for k, (expected, actual) in enumerate(zip(call.outputs, outputs, strict=True)):
        if isinstance(expected, torch.Tensor):
            dtype = describe(expected)["dtype"]
            result = compare(to_array(expected), to_array(actual), dtype=dtype, tolerance=tolerance)
            if not result.ok:
                raise AssertionError(f"the exported program computes another output {k}: {result.problem}")
        elif expected != actual:
            raise AssertionError(f"the exported program computes another output {k}: {actual!r}, not {expected!r}")


def save_further(folder: Path, call: Call, program: ExportedProgram, run: int) -> Json:
    stem = f"run_{run}_"
    user_inputs = [s for s in program.graph_signature.input_specs if s.kind == InputKind.USER_INPUT]
    inputs = [describe(None) if isinstance(spec.arg, ConstantArgument) else save_value(folder, f"{stem}input_{k}", value)
              for k, (value, spec) in enumerate(zip(call.inputs, user_inputs, strict=True))]
    outputs = [save_value(folder, f"{stem}expected_{k}", value) for k, value in enumerate(call.outputs)]
    return {"inputs": inputs, "outputs": outputs}


def save_call(folder: Path, call: Call, program: ExportedProgram) -> Json:
    folder.mkdir(parents=True, exist_ok=True)
    user_inputs = [s for s in program.graph_signature.input_specs if s.kind == InputKind.USER_INPUT]
    inputs: list[Json] = []
    for k, (value, spec) in enumerate(zip(call.inputs, user_inputs, strict=True)):
        if isinstance(spec.arg, ConstantArgument):
            inputs.append({"kind": "constant", "value": repr(value)})
        else:
            inputs.append(save_value(folder, f"input_{k}", value) | {"name": spec.arg.name})
    return {
        "inputs": inputs,
        "outputs": [save_value(folder, f"expected_{k}", value) for k, value in enumerate(call.outputs)],
        "mutated_inputs": {str(k): save_value(folder, f"mutated_input_{k}", v) for k, v in call.mutated_inputs.items()},
        "mutated_buffers": {n: save_value(folder, f"mutated_buffer_{n}", v) for n, v in call.mutated_buffers.items()},
    }


def write_json(path: Path, value: Any) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    temporary.replace(path)


def read_json(path: Path) -> Json | None:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def is_current(out: Path, model: Model, dialect: str) -> bool:
    entry = read_json(out / f"{model.name}.{dialect}" / "entry.json")
    archive = out / f"{model.name}.{dialect}.pt2"
    return entry is not None and entry["digest"] == source_digest(model) and archive.is_file()


def publish(scratch: Path, out: Path, stem: str) -> None:
    """Moves a finished archive and its folder into place; the folder with entry.json last, to mark completion."""
    shutil.rmtree(out / stem, ignore_errors=True)
    (scratch / f"{stem}.pt2").replace(out / f"{stem}.pt2")
    (scratch / stem).replace(out / stem)


@dataclass(frozen=True)
class Job:
    """A model with its sample and what the sample's calls gave; `out` is where archives go."""

    model: Model
    sample: Sample
    calls: list[Call]
    out: Path


def export_dialect(job: Job, dialect: str, program: ExportedProgram, seconds: float) -> None:
    """Writes one archive with all that belongs to it."""
    model, sample = job.model, job.sample
    stem = f"{model.name}.{dialect}"
    for call, (args, kwargs) in zip(job.calls, sizes_of(sample), strict=True):
        check(call, program, args, kwargs, model.tolerance)
    # torch.export.save names the archive's top folder after the file, so the temporary file bears the final name.
    with tempfile.TemporaryDirectory(dir=job.out, prefix=".export-") as name:
        scratch = Path(name)
        torch.export.save(program, scratch / f"{stem}.pt2")
        sizes = []
        for index, call in enumerate(job.calls):
            folder = f"size_{index}" if sample.sizes else "."
            saved = save_call(scratch / stem / folder, call, program)
            calls = further(sample, program, *sizes_of(sample)[index], model.tolerance)
            saved["further"] = [save_further(scratch / stem / folder, other, program, run)
                                for run, other in enumerate(calls, 1)]
            sizes.append({"folder": folder} | saved)
        entry = {
            "model": model.name,
            "dialect": dialect,
            "group": model.group,
            "quick": model.quick,
            "archive": f"{stem}.pt2",
            "folder": stem,
            "tolerance": model.tolerance,
            "may_refuse": model.may_refuse,
            "seed": model.seed,
            "dynamic": sample.dynamic_shapes is not None,
            "parameters": parameter_count(sample.module),
            "nodes": sum(node.op == "call_function" for node in program.graph.nodes),
            "archive_bytes": (scratch / f"{stem}.pt2").stat().st_size,
            "export_seconds": round(seconds, 2),
            "digest": source_digest(model),
            "sizes": sizes,
        }
        write_json(scratch / stem / "entry.json", entry)
        publish(scratch, job.out, stem)


def sizes_of(sample: Sample) -> tuple[tuple[Args, Kwargs], ...]:
    return sample.sizes or ((sample.args, sample.kwargs),)


def timed(action: Callable[[], Any]) -> tuple[Any, float]:
    start = time.monotonic()
    return action(), time.monotonic() - start


def export_model(model: Model, dialects: list[str], out: Path) -> dict[str, str]:
    """Exports `model` in the given dialects and returns the reason of failure for each that failed."""
    failures: dict[str, str] = {}
    sample = model.build()
    composite, seconds = timed(
        lambda: torch.export.export(sample.module, sample.args, sample.kwargs, dynamic_shapes=sample.dynamic_shapes)
    )
    job = Job(model, sample, [run(sample, composite, *size) for size in sizes_of(sample)], out)
    for dialect in dialects:
        try:
            program = composite
            if dialect == "decomposed":
                program, more = timed(composite.run_decompositions)
                seconds += more
            export_dialect(job, dialect, program, seconds)
            size = (out / f"{model.name}.{dialect}.pt2").stat().st_size
            say(f"  {dialect:10} {len(program.graph.nodes):6} nodes {size / 1e6:10.1f} MB  export {seconds:.1f} s")
        except Exception as error:
            failures[dialect] = reason(error)
    return failures


def reason(error: Exception) -> str:
    if os.environ.get("EXPORT_TRACEBACK"):
        traceback.print_exception(error)
    return f"{type(error).__name__}: {error}".strip()


def write_index(out: Path) -> int:
    """Gathers the entries of all archives in `out`, but for those of models that are no more."""
    stems = sorted(f"{m.name}.{dialect}" for m in MODELS.values() for dialect in m.dialects)
    entries = {stem: read_json(out / stem / "entry.json") for stem in stems}
    archives = {stem: entry for stem, entry in entries.items() if entry}
    versions = {"torch": torch.__version__, "transformers": transformers.__version__, "numpy": np.__version__}
    write_json(out / "index.json", {"versions": versions, "archives": archives})
    return len(archives)


def quiet() -> None:
    """PyTorch and transformers warn about their own internals here; nothing a reader of this log can act on."""
    warnings.filterwarnings("ignore")
    logging.getLogger("torch").setLevel(logging.CRITICAL)
    transformers.utils.logging.set_verbosity_error()


def selected(only: list[str], tiny: bool) -> list[Model]:
    names = [name for name in MODELS if not only or any(fnmatch.fnmatch(name, pattern) for pattern in only)]
    unmatched = [pattern for pattern in only if not fnmatch.filter(MODELS, pattern)]
    if unmatched:
        raise SystemExit(f"no such model: {' '.join(unmatched)} (there are: {' '.join(MODELS)})")
    return [MODELS[name] for name in names if MODELS[name].quick or not tiny]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Exports the test models to .pt2 archives.")
    parser.add_argument("--out", type=Path, default=Path("models"), metavar="DIR", help="where to (default: models)")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these models; * and ? are wildcards")
    parser.add_argument("--dialect", choices=(*DIALECTS, "both"), default="both")
    parser.add_argument("--tiny", action="store_true", help="only the models quick enough for every CI run")
    parser.add_argument("--force", action="store_true", help="export again what is up to date")
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    quiet()
    options.out.mkdir(parents=True, exist_ok=True)
    dialects = DIALECTS if options.dialect == "both" else (options.dialect,)
    models = selected(options.only, options.tiny)
    failures: dict[str, str] = {}
    skipped = 0
    for number, model in enumerate(models, 1):
        possible = [d for d in dialects if d in model.dialects]
        wanted = [d for d in possible if options.force or not is_current(options.out, model, d)]
        skipped += len(possible) - len(wanted)
        if not wanted:
            continue
        say(f"[{number}/{len(models)}] {model.name} (seed {model.seed:#010x})")
        try:
            failed = export_model(model, wanted, options.out)
        except Exception as error:
            failed = dict.fromkeys(wanted, reason(error))
        for dialect, text in failed.items():
            say(f"  {dialect:10} FAILED: {text.splitlines()[0]}")
            failures[f"{model.name}.{dialect}"] = text
        gc.collect()
        write_index(options.out)
    count = write_index(options.out)
    say(f"{count} archives in {options.out}, {skipped} of them were up to date, {len(failures)} failed")
    for name, text in failures.items():
        say(f"\nFAILED {name}\n{text}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
