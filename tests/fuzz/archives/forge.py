# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forged archives through import, plan, lower, and, a part of them, compile and run: no death, no hang, no memory.

    python3 tests/fuzz/archives/forge.py --build build/sanitizers [--archives N] [--first N] [--seed S] [-j 1] [--run 0.1] [PATH…]

Mutates bytes, zip fields, and the JSON of programs (right checksums): types, sizes, arguments, weights, names, structure.
The build should have ASan and UBSan; each batch is a process of its own with 5 s of processor and 2 GiB for an archive, and
the batches take the orders of registries in turns. What kills one is kept in --keep. PATH: archives to start from, or
folders of them; else those made with PyTorch, if it is there, and the example's. The last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent.parent
sys.path[:0] = [str(FOLDER.parent.parent), str(FOLDER.parent / "programs")]

from archive import ALIGNMENT, program_name  # noqa: E402

BATCH = 100
BATCH_SECONDS = 1200  # the clock's, for a whole batch; each archive has five of the processor's
LIMITS = "detect_leaks=0:hard_rss_limit_mb=2048:allocator_may_return_null=1:abort_on_error=0:handle_sigill=1"
NUMBERS = [0, 1, -1, 2, 3, 7, 255, 2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63), 2**64, 1e308, 0.5, -0.0]
WORDS = ["", "x", "input_1", "aten.relu.default", "torch.ops.aten.view.default", "../../etc/passwd", "\x1b[2J", "s0", "\u0000", "a" * 3000]


@dataclass
class Source:
    name: str
    entries: dict[str, bytes]
    program: str   # the entry
    text: str

    def document(self) -> object:
        """A new one: reading is quicker than copying."""
        return json.loads(self.text)


ORDERS = ["tosa:*", "linalg:*", "vendor:tosa:*"]
BEHIND_IMPORT = ("plan", "lower", "write", "compile", "run")
LARGEST = 300_000  # bytes of an archive to start from: what is larger has the same structure, and takes its time


def read_source(path: Path) -> Source:
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
        program = program_name(archive)
    return Source(path.name, entries, program, entries[program].decode())


def write(entries: dict[str, bytes]) -> bytes:
    """As torch writes them: stored, every entry at a multiple of 64."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in entries.items():
            info = zipfile.ZipInfo(name)
            padding = -(file.tell() + 34 + len(name.encode())) % ALIGNMENT
            info.extra = b"\xff\xff" + padding.to_bytes(2, "little") + bytes(padding)
            archive.writestr(info, data)
    return file.getvalue()


# ---- Mutations -------------------------------------------------------------------------------------------------------
def places(value: object, found: list, depth: int = 0) -> list:
    """(container, key) of everything in a document."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        found.append((value, key))
        if depth < 60:
            places(inner, found, depth + 1)
    return found


def typed_places(found: list) -> list:
    """Those in types, arguments and weights, where what is said must agree with the rest."""
    words = ("sizes", "strides", "dtype", "storage_offset", "as_int", "as_ints", "as_tensor", "as_tensors", "name", "target", "as_sym_int",
             "as_expr", "expr_str", "hint", "min_val", "max_val", "arg", "inputs", "outputs")
    return [(container, key) for container, key in found if key in words]


def other_value(rng: random.Random, value: object, found: list) -> object:
    sort = rng.random()
    if sort < 0.3:  # something that stands elsewhere, of the same kind
        alike = [c[k] for c, k in rng.sample(found, min(60, len(found))) if type(c[k]) is type(value)]
        if alike:
            return copy.deepcopy(rng.choice(alike))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, -value, value * 2, *NUMBERS]) if sort < 0.9 else rng.choice(WORDS)
    if isinstance(value, str):
        return rng.choice([value + "x", value[:-1], value.upper(), *WORDS]) if sort < 0.9 else rng.choice(NUMBERS)
    if isinstance(value, list):
        return rng.choice([[], value + value, value[:-1], value[1:], value[::-1], [value], value * 20])
    if isinstance(value, dict):
        shorter = dict(value)
        if shorter:
            shorter.pop(rng.choice(list(shorter)))
        return rng.choice([shorter, {}, None, [value]])
    return rng.choice([*NUMBERS, *WORDS, None, [], {}])


def change_document(rng: random.Random, document: object) -> object:
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        found = places(document, [])
        chosen = typed_places(found) if rng.random() < 0.7 else found
        if not chosen:
            return document
        container, key = rng.choice(chosen)
        if rng.random() < 0.08:
            del container[key]
        else:
            container[key] = other_value(rng, container[key], found)
    return document


def change_types(rng: random.Random, document: object) -> object:
    """Sizes and dtypes alone: types that contradict what makes them."""
    metas = [c[k] for c, k in places(document, []) if isinstance(c[k], dict) and "sizes" in c[k] and "dtype" in c[k]]
    for meta in rng.sample(metas, min(len(metas), rng.choice([1, 1, 2, 3]))):
        if rng.random() < 0.25:
            meta["dtype"] = rng.randint(1, 30)
            continue
        old = meta["sizes"]
        if rng.random() < 0.5 and isinstance(old, list) and any("as_int" in size for size in old):  # one that may be believed
            size = rng.choice([size for size in old if "as_int" in size])
            size["as_int"] = rng.choice([size["as_int"] + 1, max(size["as_int"] - 1, 0), size["as_int"] * 3 + 2])
        else:
            sizes = [{"as_int": rng.choice([0, 1, 2, 3, 4, 7, 64, 65536, 2**31, 2**62])} for _ in range(rng.randint(0, 5))]
            meta["sizes"] = sizes if rng.random() < 0.6 or not isinstance(old, list) else old[: rng.randint(0, len(old))] + sizes[:1]
            meta["strides"] = [{"as_int": 1} for _ in meta["sizes"]]
    return document


def change_arguments(rng: random.Random, document: object) -> object:
    """What is plausible, so that much of it is imported, compiled and run: small numbers, other flags, other operands."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        found = [(c, k) for c, k in places(document.get("graph_module", document), []) if k in PLAUSIBLE]
        if not found:
            return document
        kind = rng.choice(sorted({k for _, k in found}))
        container, key = rng.choice([(c, k) for c, k in found if k == kind])
        value = container[key]
        if isinstance(value, bool):
            container[key] = not value
        elif isinstance(value, int):
            container[key] = rng.choice([value + 1, value - 1, -value, 0, 1, 2, rng.randint(-4, 8)])
        elif isinstance(value, float):
            container[key] = rng.choice([0.0, -value, value * 2, 1e-30, 1e30, float("inf"), float("nan")])
        elif isinstance(value, list) and value and all(isinstance(n, int) for n in value):
            container[key] = [n if rng.random() < 0.6 else rng.choice([n + 1, -n, 0, 1, 2]) for n in value]
        elif isinstance(value, list):
            rng.shuffle(value)
        elif isinstance(value, str) or isinstance(value, dict):
            container[key] = copy.deepcopy(rng.choice([c[k] for c, k in found if k == kind and type(c[k]) is type(value)]))
    return document


PLAUSIBLE = ("as_int", "as_ints", "as_float", "as_floats", "as_bool", "as_bools", "as_tensors", "target", "as_tensor", "as_scalar_type",
             "as_string")


def change_bytes(rng: random.Random, data: bytes, start: int = 0) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        if len(out) <= start + 8:
            break
        at, sort = rng.randrange(start, len(out)), rng.random()
        if sort < 0.5:
            out[at] = rng.randrange(256)
        elif sort < 0.7:
            out[at:at + 4] = rng.choice([0, 1, 2**32 - 1, 2**31, len(out)]).to_bytes(4, "little")
        elif sort < 0.8:
            del out[at:at + rng.randint(1, 64)]
        elif sort < 0.9:
            out[at:at] = out[at:at + rng.randint(1, 64)]
        else:
            del out[at:]
    return bytes(out)


def change_zip(rng: random.Random, data: bytes) -> bytes:
    """The directory and the end: offsets, sizes, checksums, names."""
    directory = data.rfind(b"PK\x01\x02")
    return change_bytes(rng, data, max(0, data.find(b"PK\x01\x02") if rng.random() < 0.7 else directory))


def forge(rng: random.Random, source: Source) -> bytes:
    sort = rng.random()
    entries = dict(source.entries)
    if sort < 0.3:
        entries[source.program] = json.dumps(change_document(rng, source.document())).encode()
    elif sort < 0.6:
        entries[source.program] = json.dumps(change_arguments(rng, source.document())).encode()
    elif sort < 0.75:
        entries[source.program] = json.dumps(change_types(rng, source.document())).encode()
    elif sort < 0.85:
        name = rng.choice(list(entries))
        entries[name] = change_bytes(rng, entries[name])
    elif sort < 0.9:
        name = rng.choice(list(entries))
        entries[name + rng.choice(["", "x"])] = entries.pop(name) if rng.random() < 0.5 else entries[rng.choice(list(entries))]
    else:
        data = write(entries)
        return change_zip(rng, data) if rng.random() < 0.6 else change_bytes(rng, data)
    return write(entries)


# ---- Batches ---------------------------------------------------------------------------------------------------------
class Forging:
    def __init__(self, args: argparse.Namespace, sources: list[Source]):
        self.args, self.sources = args, sources
        self.ends, self.failures, self.reasons = Counter(), Counter(), Counter()
        self.n_runs = self.most_memory = 0
        self.start = time.monotonic()
        args.keep.mkdir(parents=True, exist_ok=True)

    def batch(self, first: int) -> None:
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            tasks = []
            for n in range(first, min(first + BATCH, self.args.first + self.args.archives)):
                rng = random.Random(self.args.seed * 1_000_003 + n)
                path = Path(folder) / f"{n}.pt2"
                path.write_bytes(forge(rng, rng.choice(self.sources)))
                tasks.append(f"{'run' if rng.random() < self.args.run else 'import'} {path}")
            while tasks:
                tasks = self.drive(tasks, ORDERS[first // BATCH % len(ORDERS)])
        if (first // BATCH) % 10 == 9:
            self.say()

    def drive(self, tasks: list[str], order: str) -> list[str]:
        """What is left when a process dies."""
        command = [self.args.build / "bin" / "forged_archives"]
        environment = os.environ | {"ASAN_OPTIONS": LIMITS, "UBSAN_OPTIONS": "print_stacktrace=1", "OMP_NUM_THREADS": "1",
                                    "BUDDY_REGISTRIES": order}
        try:
            done = subprocess.run(command, input="\n".join(tasks) + "\n", capture_output=True, text=True, errors="replace",
                                  timeout=BATCH_SECONDS, env=environment, check=False)
            status, out, said = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            status, out, said = "hung", (late.stdout or b"").decode(errors="replace"), ""
        begun = [line for line in out.splitlines() if line.startswith("begin ")]
        ends = [line.split(" ", 6) for line in out.splitlines() if line.startswith("end ")]
        for _, _, _, stage, n_runs, memory, text in ends:
            self.ends[stage] += 1
            self.reasons[f"{stage}: {re.sub(r'[0-9]+', '#', text)[:160]}"] += stage in BEHIND_IMPORT
            self.n_runs += int(n_runs)
            self.most_memory = max(self.most_memory, int(memory))
        if status == 0 and len(ends) == len(tasks):
            return []
        if not begun:
            raise SystemExit(f"{command[0]} does not begin: {status} {said[-2000:]}")
        self.tell(tasks[len(ends)] if len(ends) < len(tasks) else tasks[-1], order, status, said)
        return tasks[len(ends) + 1:]

    def say(self) -> None:
        passed, failed = sum(self.ends.values()), sum(self.failures.values())
        print(f"{passed + failed} archives in {time.monotonic() - self.start:.0f} s; ended at {dict(self.ends.most_common())}; "
              f"{self.n_runs} runs gave numbers; at most {self.most_memory} MB; {dict(self.failures)}", flush=True)

    def tell(self, task: str, order: str, status: object, said: str) -> None:
        how, path = task.split(" ", 1)
        kind = "hung" if status in ("hung", -signal.SIGPROF) else "memory" if "rss limit" in said else "died"
        lines = [line.strip() for line in said.splitlines() if "ERROR" in line or "runtime error" in line or line.strip().startswith(("#0", "#1", "#2", "#3", "#4"))]
        self.failures[kind] += 1
        kept = self.args.keep / Path(path).name
        kept.write_bytes(Path(path).read_bytes())
        print(f"{kind.upper()} ({how}, {order}) {kept}: status {status}\n    " + "\n    ".join(lines[:7]), flush=True)


def calls_of_ops(folder: Path, n: int, decomposed: bool = False) -> list[Path]:
    """Archives of one call each, of ops of PyTorch's OpInfo database; and, where they are others, of what the calls decompose into."""
    import torch
    from judge import silence
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.utils import _pytree as pytree

    class Call(torch.nn.Module):
        def __init__(self, op: object, leaves: list, tree: object):
            super().__init__()
            self.op, self.leaves, self.tree = op, leaves, tree

        def forward(self, *given: torch.Tensor) -> object:
            left = iter(given)
            leaves = [next(left) if isinstance(leaf, torch.Tensor) else leaf for leaf in self.leaves]
            first, args, kwargs = pytree.tree_unflatten(leaves, self.tree)
            return self.op(first, *args, **kwargs)

    def save(exported: torch.export.ExportedProgram, path: Path) -> None:
        torch.export.save(exported, path)
        with zipfile.ZipFile(path) as archive:
            program_name(archive)
        paths.append(path)

    def targets(exported: torch.export.ExportedProgram) -> list[object]:
        return [node.target for node in exported.graph.nodes if node.op == "call_function"]

    paths: list[Path] = []
    for op in random.Random(1).sample(op_db, min(n, len(op_db))):
        try:
            sample = next(iter(op.sample_inputs("cpu", torch.float32 if torch.float32 in op.dtypes else torch.int64)))
            leaves, tree = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
            with silence():
                given = tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))
                exported = torch.export.export(Call(op.op, leaves, tree), given)
                save(exported, folder / f"{op.formatted_name}.pt2")
                core = exported.run_decompositions() if decomposed else exported
                if targets(core) != targets(exported):
                    save(core, folder / f"{op.formatted_name}_decomposed.pt2")
        except Exception:  # what torch.export does not take, or writes half
            continue
    return paths


def made_with_torch(folder: Path, n: int) -> list[Path]:
    """Archives of random programs, and of as many calls of ops; none without PyTorch."""
    try:
        import torch
        from generate import generate
        from judge import silence
    except ImportError:
        print("PyTorch is not there: only the example's archive is mutated")
        return []
    paths = []
    for seed in range(1, n + 1):
        path = folder / f"program{seed}.pt2"
        try:
            program = generate(seed)
            with silence():
                torch.export.save(program.export(program.module()), path)
            paths.append(path)
        except Exception:  # what torch.export does not take
            continue
    return paths + calls_of_ops(folder, n)


def given(paths: list[Path]) -> list[Path]:
    found = [inner for path in paths for inner in (sorted(path.rglob("*.pt2")) if path.is_dir() else [path])]
    return [path for path in found if path.stat().st_size <= LARGEST]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="of the sanitizers")
    parser.add_argument("--archives", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--run", type=float, default=0.1, help="the part that is compiled and run")
    parser.add_argument("--sources", type=int, default=60, help="programs of PyTorch to start from")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "forged")
    parser.add_argument("--reasons", type=int, default=20, help="how many reasons of refusals after import are told")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("path", nargs="*", type=Path)
    args = parser.parse_args()
    args.build = args.build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        paths = given(args.path) or [ROOT / "examples" / "models" / "lenet5.pt2", *made_with_torch(Path(folder), args.sources)]
        sources = [read_source(path) for path in paths]
    print(f"seed {args.seed}, {len(sources)} archives to start from", flush=True)
    forging = Forging(args, sources)
    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(forging.batch, range(args.first, args.first + args.archives, BATCH)))
    passed, failed = sum(forging.ends.values()), sum(forging.failures.values())
    forging.say()
    for reason, n in forging.reasons.most_common(args.reasons):
        print(f"{n:6} {reason}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
