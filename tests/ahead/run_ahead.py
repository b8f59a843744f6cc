# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles small programs ahead of time and compares what their typed C functions give with PyTorch eager.

    python tests/ahead/run_ahead.py --build build [--cpu haswell] [--host Nehalem] [--arch aarch64 --arch riscv64:sifive-x280:rv64,v=true]

Each case is exported, compiled, and called, at least three times with other numbers (redraw.py): in this process through
the header's prototype, from several threads; with
--cpu likewise, compiled for a processor whose instructions this one has, too;
--arch in a C program that is written for it, under qemu-user: after the colons LLVM's name of a processor, and qemu's.
Objects for processors that nothing here runs must ask for nothing that a program would lack.
--host compiles on another machine as well, one that qemu-x86_64 plays, and compares the bytes. The headers are also compiled alone, as C and as C++.
Needs PyTorch. The last line is `N passed, N failed`; the seed is 0.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import nn
from torch.export import Dim, export, save

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from redraw import RUNS, calls_like  # noqa: E402

BITS = {torch.bfloat16: torch.int16, torch.float16: torch.int16, torch.complex64: torch.float32}


class Linear(nn.Module):
    """Weights that are dense, transposed, and tied."""

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Linear(6, 5)
        self.b = nn.Parameter(torch.randn(7, 5).t())
        self.tied = self.a.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.a(x)) @ self.b + (x @ self.tied.t()).sum()


class Empty(torch.nn.Module):
    """A weight without elements lies where the next one does."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("none", torch.zeros(0))
        self.register_buffer("places", torch.tensor([2, 0]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([x[:, self.places].flatten(), self.none])


class Counter(nn.Module):
    """A buffer that runs change."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.add_(x)
        return self.count * 2


class Kernels(nn.Module):
    """What has loops written for a processor's registers and caches: each is of other sizes than these, and leaves rests."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 34, 3, padding=1), nn.SiLU(), nn.Conv2d(34, 34, 3, groups=34),
                                    nn.GELU(), nn.Conv2d(34, 40, 1), nn.ReLU6(), nn.Conv2d(40, 36, 3, groups=2, stride=2),
                                    nn.Flatten(), nn.Linear(36 * 25, 130), nn.GELU())
        self.deep = nn.Parameter(torch.randn(700, 130) / 30)

    def forward(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return self.layers(x), torch.softmax(y @ z.mT, -1) @ z, torch.nn.functional.linear(self.layers(x), self.deep)


class Function(nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: torch.Tensor) -> object:
        return self.function(*args)


NAMES = "names"  # no processor: what objects for several of them ask for


def constant(x: torch.Tensor) -> torch.Tensor:
    return x + torch.arange(4096, dtype=torch.float32) * 0.5


def in_place(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x.mul_(2)
    return x + y


@dataclass
class Case:
    name: str
    module: nn.Module
    calls: list[tuple[torch.Tensor, ...]]  # the first is what it is exported with
    dynamic: object = None
    has_state: bool = False
    options: tuple[str, ...] = ()
    calls_of: str = ""  # the file whose functions the model calls; it exists for this machine alone
    outputs: list[list[torch.Tensor]] = field(default_factory=list)


class Attention(nn.Module):
    """Attention as models write it out, which acme fuses; and a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.project = nn.Linear(8, 8)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return self.project(torch.softmax(q @ k.transpose(-2, -1) * 0.25, -1) @ v)


def registry_cases() -> list[Case]:
    """Functions of registries: one that is loaded itself, a library beside one, and a file with a runtime of its own."""
    r = torch.randn
    near = 5 * torch.eye(5)
    return [
        Case("vendor", nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 7)), [(r(2, 3, 6, 6),)],
             options=("--registries", "vendor:tosa:*"), calls_of="libbuddy_vendor.so"),
        Case("lapack", Function(lambda x, y: (torch.linalg.solve(x, y), torch.linalg.svdvals(x))),
             [(r(5, 5) + near, r(5, 2)), (r(5, 5) + near, r(5, 2))], options=("--registries", "lapack:tosa:*"),
             calls_of="libbuddy_lapack.so"),
        Case("acme", Attention(), [(r(2, 3, 8), r(2, 5, 8), r(2, 5, 8))], options=("--registries", "acme:tosa:*"),
             calls_of="buddy_acme.so"),
    ]


def cases() -> list[Case]:
    torch.manual_seed(0)
    r = torch.randn
    batch, length = Dim("batch", min=2, max=64), Dim("length", min=2)
    return [
        Case("linear", Linear(), [(r(3, 6),)]),
        Case("inside", Linear(), [(r(3, 6),)], options=("--weights", "inside")),
        Case("batches", Linear(), [(r(n, 6),) for n in (3, 2, 64)], {"x": {0: batch}}),
        Case("two_sizes", Function(lambda x, y: (x @ y, torch.cat([x, x], 0))),
             [(r(3, 4), r(4, 5)), (r(7, 2), r(2, 5))], (((({0: batch, 1: length}), {0: length})),)),
        Case("attention", Function(lambda *x: nn.functional.scaled_dot_product_attention(*x, is_causal=True)),
             [tuple(r(2, 3, n, 8) for _ in range(3)) for n in (40, 2, 131)], (({2: length},) * 3,)),
        Case("unknown_size", Function(lambda x: (torch.nonzero(x > 0), x.exp())), [(r(9),), (-torch.ones(9),)]),
        Case("counter", Counter(), [(r(3),), (r(3),), (r(3),)], has_state=True),
        Case("empty_buffer", Empty(), [(r(3, 4),), (r(3, 4),), (r(3, 4),)]),
        Case("in_place", Function(in_place), [(r(4, 3), r(4, 3))]),
        Case("constants", Function(constant), [(r(2, 4096),)]),
        Case("halves", Function(lambda x, y: (x * 3 + 1, y.exp())), [(r(8, 9).to(torch.bfloat16), r(8, 9).half())]),
        Case("integers", Function(lambda a, b, c: (a // 3, b ^ c, a.float().sum(), (a > b).any())),
             [(torch.randint(-9, 9, (5,)), torch.randint(-9, 9, (5,)), torch.randint(-9, 9, (5,)))]),
        Case("complexes", Function(lambda x: torch.view_as_complex(x) * (1 + 2j)), [(r(5, 2),)]),
        Case("mathematics", Function(lambda x: (x.tanh() + x.erf() + x.abs().log() + x.sin(), x.pow(3.3))),
             [(r(1000).abs() + 0.1,)]),
        Case("scalar_output", Function(lambda x: (x.shape[0] * 2, x.sum())), [(r(4, 3),), (r(6, 3),)],
             (({0: batch},),)),
        Case("random_numbers", Function(lambda x: x + torch.rand_like(x) * 0), [(r(5, 4),)]),
        Case("shared_loops", Function(lambda x: (x @ x.T).tanh()), [(r(300, 200),)]),
        Case("kernels", Kernels(), [(r(2, 3, 13, 13), r(3, 37, 33), r(3, 37, 33))]),
        Case("doubles", Kernels().double(), [tuple(t.double() for t in (r(2, 3, 13, 13), r(3, 37, 33), r(3, 37, 33)))]),
        Case("any_rows", Function(lambda x, y: (x @ y.mT, y @ x.mT)),
             [(r(n, 70).double(), r(45, 70).double()) for n in (19, 2, 64)], (({0: batch}, None),)),
        Case("nothing", Function(lambda x: (None, x + 1)), [(r(2, 2),)]),
        Case("special", Function(lambda x: (x.erfinv(), x.digamma(), torch.exp(torch.complex(x, x * 2)))), [(r(40).tanh(),)]),
        Case("spectra", Function(lambda x: torch.fft.irfft(torch.fft.rfft(x), n=x.shape[0])), [(r(n),) for n in (40, 37, 64)], (({0: length},),)),
        *registry_cases(),
    ]


# ---- The header, read back ------------------------------------------------------------------------------------------


@dataclass
class Prototype:
    """What the header says of NAME_run: its parameters, and the sizes of each by the comment."""

    parameters: list[tuple[str, str]]  # C type, name
    types: dict[str, list[str]]  # name of an input: sizes as text

    @staticmethod
    def read(header: Path) -> Prototype:
        text = header.read_text()
        inside = re.search(r"_run\((.*?)\);", text, re.DOTALL)
        assert inside, "no prototype"
        plain = re.sub(r"/\*.*?\*/|\[\d+\]", "", inside.group(1))
        parameters = []
        for piece in plain.split(","):
            words = re.fullmatch(r"\s*(.*?)(\w+)\s*", piece, re.DOTALL)
            assert words, piece
            parameters.append((" ".join(words.group(1).split()), words.group(2)))
        found = re.findall(r"^ \*   input   (\S+) +\w+\[(.*?)\]", text, re.MULTILINE)
        return Prototype(parameters[1:-2], {name: sizes.split(",") if sizes else [] for name, sizes in found})

    def symbols(self, inputs: tuple[torch.Tensor, ...]) -> dict[str, int]:
        """Values of the size parameters, from the inputs' sizes that are one of them alone."""
        return {text: size for sizes, tensor in zip(self.types.values(), inputs)
                for text, size in zip(sizes, tensor.shape) if text.isidentifier()}


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor as C sees it: bits of what C lacks, pairs of what is complex."""
    tensor = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    return tensor.view(BITS[tensor.dtype]) if tensor.dtype in (torch.bfloat16, torch.float16) else tensor


def flat(value: object) -> list[torch.Tensor]:
    items = value if isinstance(value, (tuple, list)) else (value,)
    return [torch.as_tensor(item) for item in items if item is not None]


def compare(got: torch.Tensor, want: torch.Tensor) -> None:
    exact = not (want.is_floating_point() or want.is_complex())
    tolerance = 0 if exact else {torch.bfloat16: 2e-2, torch.float16: 2e-3}.get(want.dtype, 2e-5)
    torch.testing.assert_close(got, want, rtol=tolerance, atol=tolerance)


# ---- Calls ----------------------------------------------------------------------------------------------------------


class Model:
    """A library, called as C calls it."""

    def __init__(self, library: Path, name: str) -> None:
        self.library = ctypes.CDLL(str(library))
        self.name, self.prototype = name, Prototype.read(library.with_name(f"{name}.h"))
        load = getattr(self.library, f"{name}_load")
        load.restype = ctypes.c_void_p
        why = ctypes.create_string_buffer(300)
        self.model = load(None, why, ctypes.c_size_t(300))
        assert self.model, why.value
        getattr(self.library, f"{name}_set_threads")(ctypes.c_void_p(self.model), ctypes.c_int32(3))

    def close(self) -> None:
        getattr(self.library, f"{self.name}_destroy")(ctypes.c_void_p(self.model))

    def run(self, inputs: tuple[torch.Tensor, ...], expected: list[torch.Tensor]) -> list[torch.Tensor]:
        symbols = self.prototype.symbols(inputs)
        outputs = [torch.empty_like(tensor).contiguous() for tensor in expected]
        allocated: dict[int, tuple[ctypes.c_void_p, ctypes.Array]] = {}
        words: list[object] = [ctypes.c_void_p(self.model)]
        pending, k, parameters = list(inputs), 0, iter(self.prototype.parameters)
        for kind, name in parameters:
            if kind == "int64_t":
                words.append(ctypes.c_int64(symbols[name]))
            elif pending:
                words.append(ctypes.c_void_p(pending.pop(0).data_ptr()))
            elif kind.endswith("**"):
                allocated[k] = (ctypes.c_void_p(), (ctypes.c_int64 * 8)())
                words += [ctypes.byref(allocated[k][0]), allocated[k][1]]
                next(parameters)
                k += 1
            else:
                words.append(ctypes.c_void_p(outputs[k].data_ptr()))
                k += 1
        assert k == len(expected), f"{k} outputs in the header, {len(expected)} expected"
        why = ctypes.create_string_buffer(300)
        code = getattr(self.library, f"{self.name}_run")(*words, why, ctypes.c_size_t(300))
        assert code == 0, why.value
        for i, (pointer, sizes) in allocated.items():
            shape = list(sizes)[: expected[i].dim()]
            assert shape == list(expected[i].shape), (shape, expected[i].shape)
            n = expected[i].numel() * expected[i].element_size()
            if n:
                ctypes.memmove(outputs[i].data_ptr(), pointer, n)
            ctypes.CDLL(None).free(pointer)
        return outputs


def check_header(header: Path) -> None:
    for language in ("c", "c++"):
        subprocess.run(["cc", "-x", language, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", header],
                       check=True)


def check_here(case: Case, folder: Path, buddy: Path, cpu: str) -> None:
    library = folder / f"{case.name}.so"
    subprocess.run([buddy, "compile", folder / "model.pt2", "-o", library,
                    *(["--target-cpu", cpu] if cpu else []), *case.options], check=True)
    check_header(folder / f"{case.name}.h")
    assert case.calls_of in (folder / f"{case.name}.h").read_text(), f"no function of {case.calls_of} is called"
    model = Model(library, case.name)

    def one(k: int) -> None:
        inputs = tuple(tensor.clone() for tensor in case.calls[k])
        for got, want in zip(model.run(inputs, case.outputs[k]), case.outputs[k]):
            compare(got, want)

    for k in range(len(case.calls)):
        one(k)
    if not case.has_state:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(one, [k % len(case.calls) for k in range(40)]))
    model.close()


def write_program(case: Case, prototype: Prototype, k: int) -> str:
    """A C program that reads the inputs of call k from files and writes its outputs to files."""
    name, symbols = case.name, prototype.symbols(case.calls[k])
    body, words, i, o = [], [], 0, 0
    parameters = iter(prototype.parameters)
    for kind, own in parameters:
        if kind == "int64_t":
            words.append(str(symbols[own]))
        elif i < len(case.calls[k]):
            n = case.calls[k][i].numel() * case.calls[k][i].element_size()
            body.append(f'  static char in{i}[{n + 1}]; read_file("in_{i}", in{i}, {n});')
            words.append(f"(void *)in{i}")
            i += 1
        elif kind.endswith("**"):
            size = case.outputs[k][o].element_size()
            rank = case.outputs[k][o].dim()
            body.append(f"  {kind[:-1]} out{o} = 0; int64_t sizes{o}[8];")
            words += [f"&out{o}", f"sizes{o}"]
            next(parameters)
            n = "*".join([str(size), *(f"(size_t)sizes{o}[{d}]" for d in range(rank))])
            body.append(f"#define OUT{o} {n}")
            o += 1
        else:
            n = case.outputs[k][o].numel() * case.outputs[k][o].element_size()
            body.append(f"  static char out{o}[{n + 1}];\n#define OUT{o} {n}")
            words.append(f"(void *)out{o}")
            o += 1
    ends = "\n".join(f'  write_file("out_{j}", out{j}, OUT{j});' for j in range(o))
    lines = "\n".join(body)
    return f"""#include <stdio.h>
#include <stdlib.h>
#include "{name}.h"
static void read_file(const char *path, void *to, size_t n) {{
  FILE *f = fopen(path, "rb"); if (!f || fread(to, 1, n, f) != n) exit(3); fclose(f); }}
static void write_file(const char *path, const void *from, size_t n) {{
  FILE *f = fopen(path, "wb"); if (!f || fwrite(from, 1, n, f) != n) exit(4); fclose(f); }}
int main(void) {{
  char why[300];
{lines}
  {name} *model = {name}_load(NULL, why, sizeof why);
  if (model) {name}_set_threads(model, 3);
  if (!model || {name}_run(model, {", ".join(words)}, why, sizeof why)) {{ fprintf(stderr, "%s\\n", why); return 1; }}
{ends}
  {name}_destroy(model);
  return 0;
}}
"""


def to_bytes(tensor: torch.Tensor) -> bytes:
    return plain(tensor.contiguous()).numpy().tobytes()


def from_bytes(data: bytes, like: torch.Tensor) -> torch.Tensor:
    if not data:
        return torch.empty_like(like)
    return torch.frombuffer(bytearray(data), dtype=like.dtype).reshape(like.shape)


def check_there(case: Case, folder: Path, buddy: Path, arch: str, runtime: Path) -> None:
    arch, cpu, emulated = (*arch.split(":"), "", "")[:3]
    triple = f"{arch}-linux-gnu"
    there = folder / f"{arch}{cpu}"
    there.mkdir()
    subprocess.run([buddy, "compile", folder / "model.pt2", "-o", there / f"{case.name}.o", "--target-triple", triple,
                    *(["--target-cpu", cpu] if cpu else []), *case.options], check=True)
    prototype = Prototype.read(there / f"{case.name}.h")
    for k in range(1 if case.has_state else len(case.calls) - (RUNS - 1)):  # each in a process of its own
        (there / "main.c").write_text(write_program(case, prototype, k))
        subprocess.run([f"{triple}-gcc", "-I", there, there / "main.c", there / f"{case.name}.o",
                        runtime.with_name("libbuddy_math.a"), runtime, "-lm",
                        "-lpthread", "-o", there / "main"], check=True)
        for i, tensor in enumerate(case.calls[k]):
            (there / f"in_{i}").write_bytes(to_bytes(tensor))
        subprocess.run([f"qemu-{arch}", *(["-cpu", emulated] if emulated else []), "-L", f"/usr/{triple}", there / "main"],
                       cwd=there, check=True, timeout=300)
        for j, want in enumerate(case.outputs[k]):
            compare(from_bytes((there / f"out_{j}").read_bytes(), want), want)


def check_host(host: str, folder: Path, buddy: Path) -> None:
    """What is compiled for a processor is the same wherever it is compiled."""
    for target in (("--target-cpu", "haswell"), ("--target-cpu", "skylake-avx512"), ("--target-triple", "aarch64-linux-gnu")):
        written = []
        for name, words in (("here", []), (f"on_{host}", ["qemu-x86_64", "-cpu", host])):
            there = folder / name / target[1]
            there.mkdir(parents=True)
            subprocess.run([*words, buddy, "compile", ROOT / "examples" / "models" / "lenet5.pt2", "-o", there / "lenet5.o",
                            *target], check=True)
            written.append((there / "lenet5.o").read_bytes())
        assert written[0] == written[1], f"{target[1]}: {host} compiles to other bytes"


def check_names(case: Case, folder: Path, buddy: Path) -> None:
    """For processors that this machine has no linker for: an object asks for nothing that a program would lack."""
    known = set((ROOT / "sdk" / "compile" / "ahead" / "library_names.txt").read_text().split())
    for target in (("--target-cpu", "x86-64"), ("--target-triple", "aarch64-linux-gnu"), ("--target-triple", "riscv64-linux-gnu")):
        out = folder / "names" / target[1] / f"{case.name}.o"
        out.parent.mkdir(parents=True)
        subprocess.run([buddy, "compile", folder / "model.pt2", "-o", out, *target, *case.options], check=True)
        listed = subprocess.run(["nm", "-u", out], check=True, capture_output=True, text=True).stdout
        wanted = {line.split()[-1] for line in listed.splitlines()}
        unknown = [n for n in wanted - known if not n.startswith(("buddy_runtime_", "_mlir_memref_to_llvm_", "_mlir_ciface_buddy_", "__extend", "__trunc"))]
        assert not unknown, f"{target[1]}: nothing is called {' '.join(sorted(unknown))}"


def build_runtime(arch: str, folder: Path) -> Path:
    arch = arch.partition(":")[0]
    out = folder / f"runtime-{arch}"
    for words in (["-S", ROOT / "sdk" / "runtime", "-B", out, "-G", "Ninja", f"-DCMAKE_C_COMPILER={arch}-linux-gnu-gcc"],
                  ["--build", out]):
        subprocess.run(["cmake", *words], check=True, stdout=subprocess.DEVNULL)
    return out / "libbuddy_runtime.a"


def build_acme(build: Path, folder: Path) -> Path:
    """Acme's registry, as its vendor builds it: from the installed kit. The folder that it is shipped in."""
    prefix, out, data = folder / "installed", folder / "acme_built", folder / "acme_data"
    for words in (["--install", build, "--prefix", prefix],
                  ["-S", ROOT / "examples" / "acme", "-B", out, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"],
                  ["--build", out], ["--install", out, "--prefix", data]):
        subprocess.run(["cmake", *words], check=True, stdout=subprocess.DEVNULL)
    return data / "plugins-1"


def prepare(case: Case, folder: Path) -> None:
    folder.mkdir()
    program = export(case.module, tuple(t.clone() for t in case.calls[0]), dynamic_shapes=case.dynamic)
    save(program, str(folder / "model.pt2"))
    case.calls += itertools.islice(map(tuple, calls_like(case.calls[0], lambda inputs: True)), 1, RUNS)
    case.outputs = [[t.clone() for t in flat(case.module(*(t.clone() for t in call)))] for call in case.calls]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--cpu", action="append", default=[])
    parser.add_argument("--host", action="append", default=[])
    parser.add_argument("--arch", action="append", default=[])
    parser.add_argument("--only", action="append", default=[])
    args = parser.parse_args()
    buddy = args.build.resolve() / "bin" / "buddy"
    passed = failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for host in args.host:
            check_host(host, folder, buddy)
            passed += 1
        runtimes = {arch: build_runtime(arch, folder) for arch in args.arch}
        for case in cases():
            if args.only and case.name not in args.only:
                continue
            prepare(case, folder / case.name)
            if case.name == "acme":
                case.options += ("--plugin-dir", str(build_acme(args.build.resolve(), folder)))
            for target in ("", *args.cpu, *((NAMES, *args.arch) if not case.calls_of else ())):
                try:
                    if target == NAMES:
                        check_names(case, folder / case.name, buddy)
                    elif target in runtimes:
                        check_there(case, folder / case.name, buddy, target, runtimes[target])
                    else:
                        check_here(case, folder / case.name, buddy, target)
                    passed += 1
                except Exception:  # the next case is told, too
                    failed += 1
                    traceback.print_exc()
                    print(f"FAILED {case.name} {target}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
