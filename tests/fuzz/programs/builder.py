# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a statement is made of: tensors that are there, dims, numbers, weights.

The program is run eagerly while it grows, so each statement is written for the sizes and dtypes that are there.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F

from program import Input, Program, State, eagerly

FLOATS = ["float32"] * 8 + ["float64", "float16", "bfloat16"]
INTS = ["int64"] * 4 + ["int32", "int32", "int8", "uint8", "int16"]
LARGEST = 40000  # elements of one value


class NothingFits(Exception):
    pass


def dtype_name(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def literal(tensor: torch.Tensor) -> str:
    return f"torch.tensor({tensor.tolist()!r}, dtype={tensor.dtype})"


class Builder:
    def __init__(self, rng: random.Random, program: Program):
        self.rng, self.program = rng, program
        self.values: dict[str, torch.Tensor] = {}
        self.used: set[str] = set()
        self.t = torch.zeros(())  # what the last pick gave
        self.module = torch.nn.Module()
        self.n = 0

    # ---- Choices -----------------------------------------------------------------------------------------------------
    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def one(self, *choices):
        return self.rng.choice(choices)

    def flag(self) -> str:
        return self.one("True", "False")

    def int(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)

    def float(self, low: float = -2.0, high: float = 2.0) -> str:
        return f"{self.rng.uniform(low, high):.3g}"

    def dtype(self, *kinds: list[str]) -> str:
        return "torch." + self.rng.choice(sum(kinds or (FLOATS, INTS, ["bool"]), []))

    # ---- Values ------------------------------------------------------------------------------------------------------
    def pick(self, fits) -> str:
        """The name of a value, a late one rather; it is the value that dims and others are asked of."""
        names = [name for name, value in self.values.items() if fits(value)]
        if not names:
            raise NothingFits
        name = names[-1 - min(int(self.rng.expovariate(0.3)), len(names) - 1)]
        self.t = self.values[name]
        self.used.add(name)
        return name

    def a(self, low: int = 0, high: int = 6, kind: str = "any") -> str:
        def fits(value: torch.Tensor) -> bool:
            if not low <= value.dim() <= high:
                return False
            return {"any": True, "float": value.is_floating_point(), "bool": value.dtype == torch.bool,
                    "int": not value.is_floating_point() and not value.is_complex() and value.dtype != torch.bool,
                    "number": value.dtype != torch.bool and not value.is_complex(),
                    "real": not value.is_complex(), "complex": value.is_complex()}[kind]
        return self.pick(fits)

    def f(self, low: int = 0, high: int = 6) -> str:
        """A float value; a cast makes one where there is none."""
        try:
            return self.a(low, high, "float")
        except NothingFits:
            name = self.a(low, high, "real")
            self.t = self.t.float()
            return f"{name}.to(torch.float32)"

    def alike(self) -> str:
        """A value of the same sizes, or a function of the one in hand."""
        t = self.t
        names = [name for name, value in self.values.items() if value.shape == t.shape and value.dtype == t.dtype]
        if names and self.chance(0.7):
            return self.rng.choice(names)
        return self.constant(list(t.shape), dtype_name(t))

    def apart(self) -> str:
        """Likewise, in other memory: what an op gives that writes what it reads depends on its loops."""
        name = self.alike()
        value = self.values.get(name)
        shares = value is not None and value.untyped_storage().data_ptr() == self.t.untyped_storage().data_ptr()
        return f"{name}.clone()" if shares else name

    def filled(self, low: int = 0, high: int = 6) -> str:
        """A value that has elements: of one that has none, eager's pixel_unshuffle gives a copy, whatever the export says."""
        name = self.a(low, high)
        if not self.t.numel():
            raise NothingFits
        return name

    def whole(self, low: int = 0, high: int = 6, kind: str = "any") -> str:
        """A value whose elements lie apart: eager's slice_scatter keeps strides and writes an element of others, too, and its
        median of what is expanded is any number."""
        name = self.a(low, high, kind)
        return f"{name}.clone()" if torch._debug_has_internal_overlap(self.t) else name

    def other(self) -> str:
        """What can be broadcast with the value in hand."""
        t, sort = self.t, self.rng.random()
        if sort < 0.2:
            return self.scalar()
        if sort < 0.75:
            names = [name for name, value in self.values.items() if _broadcasts(value, t)]
            if names:
                return self.rng.choice(names)
        sizes = [size if self.chance(0.7) else 1 for size in t.shape][self.int(0, t.dim()):]
        return self.constant(sizes, dtype_name(t))

    def mask(self) -> str:
        t = self.t
        names = [name for name, value in self.values.items() if value.dtype == torch.bool and _broadcasts(value, t)]
        if names and self.chance(0.7):
            return self.rng.choice(names)
        names = [name for name, value in self.values.items() if not value.is_complex() and value.dtype != torch.bool and _broadcasts(value, t)]
        if names:
            return f"({self.rng.choice(names)} {self.one('>', '<', '>=', '<=', '!=')} {self.int(-1, 2)})"
        return self.constant(list(t.shape), "bool")

    def scalar(self) -> str:
        if self.t.dtype == torch.bool:
            return self.one("True", "False", "1")
        if self.program.symbols and self.chance(0.3):
            return self.size_expression()
        whole = not (self.t.is_floating_point() or self.t.is_complex()) and self.chance(0.8)
        return str(self.int(-3, 4)) if whole else self.float()

    def size_expression(self) -> str:
        """Arithmetic on a size."""
        name = self.pick_input()
        size = f"{name}.shape[{self.int(0, self.values[name].dim() - 1)}]"
        return self.one(size, f"({size} + 1)", f"({size} * 2)", f"({size} // 2)", f"max({size}, 3)", f"({size} % 3)", f"({size} - 2)")

    def pick_input(self) -> str:
        names = [one.name for one in self.program.inputs if any(not size.isdigit() for size in one.sizes)]
        if not names:
            raise NothingFits
        return self.rng.choice(names)

    # ---- Dims and sizes ----------------------------------------------------------------------------------------------
    def dim(self) -> int:
        rank = self.t.dim()
        if rank == 0:
            raise NothingFits
        self.d = self.int(0, rank - 1)
        return self.d - rank if self.chance(0.3) else self.d

    def dims(self, low: int = 1) -> list[int]:
        rank = self.t.dim()
        if rank < low:
            raise NothingFits
        chosen = self.rng.sample(range(rank), self.int(min(low, rank), rank))
        return [d - rank if self.chance(0.2) else d for d in chosen]

    def order(self) -> list[int]:
        chosen = list(range(self.t.dim()))
        self.rng.shuffle(chosen)
        return chosen

    def size(self, n: int) -> str:
        """A number, or the size of something that has it."""
        if self.program.symbols and self.chance(0.6):
            found = [f"{name}.shape[{d}]" for name, value in self.values.items() for d, size in enumerate(value.shape)
                     if size == n and name.startswith("x")]
            if found:
                return self.rng.choice(found)
        return str(n)

    def sizes(self, shape) -> str:
        return "[" + ", ".join(self.size(n) for n in shape) + "]"

    def regroup(self) -> str:
        """Sizes for a view of the value in hand."""
        shape, parts = list(self.t.shape), []
        while shape:
            n = shape.pop(0)
            while shape and self.chance(0.4):
                n *= shape.pop(0)
            factors = [k for k in range(2, min(n, 12)) if n % k == 0]
            if factors and self.chance(0.4):
                k = self.rng.choice(factors)
                parts += self.one([str(k), str(n // k)], [str(n // k), str(k)])
            else:
                parts.append(self.size(n))
        if self.chance(0.2):
            parts.insert(self.int(0, len(parts)), "1")
        if parts and self.t.numel() and self.chance(0.5):
            parts[self.int(0, len(parts) - 1)] = "-1"
        return ", ".join(parts) if parts else "[]"

    def bound(self, n: int) -> str:
        """An end of a slice: near, negative, far outside."""
        ends = ["", str(self.int(0, n)), str(-self.int(1, n + 1)), str(self.int(0, n)), str(n + self.int(1, 9)), str(-n - self.int(1, 99))]
        if self.program.symbols and self.chance(0.2):
            try:
                return self.size_expression()
            except NothingFits:
                pass
        return self.rng.choice(ends)

    def slice(self, n: int) -> str:
        step = self.one("", "", "", ":2", ":3")
        return f"{self.bound(n)}:{self.bound(n)}{step}"

    def subscripts(self, kinds: str = "slice") -> str:
        """What stands in brackets after the value in hand."""
        parts, lists = [], self.int(1, 3)
        shape = self.t.shape
        n_shown = self.int(1, len(shape)) if len(shape) else 0
        for n in shape[:n_shown]:
            sort = self.rng.random()
            if sort < 0.25:
                parts.append(":")
            elif sort < 0.6 or n == 0:
                parts.append(self.slice(n))
            elif sort < 0.75:
                parts.append(str(self.int(-n, n - 1)))
            elif kinds == "any":
                parts.append(str([self.int(-n, n - 1) for _ in range(lists)]))
            else:
                parts.append(self.slice(n))
            if self.chance(0.05):
                parts.append("None")
        if not parts or self.chance(0.05):
            parts.append("...")
        return ", ".join(parts)

    # ---- Constants ---------------------------------------------------------------------------------------------------
    def weight(self, sizes: list[int], dtype: str = "float32", value: str = "") -> str:
        """A parameter or buffer."""
        wide = dtype in ("float32", "float64", "float16", "bfloat16")
        is_parameter = wide and self.chance(0.5)
        name = f"p{len(self.program.state)}" if is_parameter else f"b{len(self.program.state)}"
        if not value:
            if wide:
                value = f"torch.randn({sizes}).to(torch.{dtype})"
            elif dtype == "bool":
                value = f"torch.randint(0, 2, {sizes}).bool()"
            elif dtype.startswith("complex"):
                value = f"torch.randn({sizes}, dtype=torch.{dtype})"
            else:
                value = f"torch.randint({0 if dtype.startswith('u') else -9}, 9, {sizes}).to(torch.{dtype})"
        self.program.state.append(State(name, value, is_parameter))
        torch.manual_seed(len(self.program.state))
        tensor = eval(value, {"torch": torch})
        setattr(self.module, name, torch.nn.Parameter(tensor) if is_parameter else tensor)
        return f"self.{name}"

    def constant(self, sizes: list[int], dtype: str) -> str:
        if math.prod(sizes) <= 6 and self.chance(0.3) and not dtype.startswith(("complex", "float8")):
            low, high = (0, 2) if dtype == "bool" else (0 if dtype.startswith("u") else -3, 4)
            return literal(torch.randint(low, high, sizes, generator=torch.Generator().manual_seed(self.int(0, 999))).to(getattr(torch, dtype)))
        if not dtype.startswith(("complex", "bool")) and self.chance(0.2):
            return f"torch.full({self.sizes(sizes)}, {self.int(0, 3)}, dtype=torch.{dtype})"
        return self.weight(sizes, dtype)

    def indices(self, n: int, k: int | None = None, unique: bool = False, low: int = 0) -> list[int]:
        if n == 0:
            raise NothingFits
        if unique:
            return self.rng.sample(range(n), self.int(1, n) if k is None else k)
        return [self.int(low, n - 1) for _ in range(self.int(1, 4) if k is None else k)]

    def index_tensor(self, n: int, sizes: list[int], negative: bool = False) -> str:
        """Constant indices, a buffer of them, or an input."""
        if n == 0:
            raise NothingFits
        sort, total = self.rng.random(), math.prod(sizes)
        if sort < 0.35 or total == 0:
            return self.index_input(sizes, str(n))
        low = -n if negative and self.chance(0.3) else 0
        flat = torch.tensor([self.int(low, n - 1) for _ in range(total)]).reshape(sizes)
        return literal(flat) if sort < 0.6 else self.weight(sizes, "int64", literal(flat))

    def index_input(self, sizes: list[int], bound: str) -> str:
        name = f"x{len(self.program.inputs)}"
        if len(self.program.inputs) > 6:
            raise NothingFits
        one = Input(name, "int64", [str(n) for n in sizes], "index", bound)
        self.program.inputs.append(one)
        self.values[name] = self.program.make_inputs(0)[-1]
        return name

    # ---- Growth ------------------------------------------------------------------------------------------------------
    def run(self, statement: str) -> bool:
        """Runs one statement; its value becomes one of the program's. False: PyTorch does not take it."""
        scope = {"torch": torch, "F": F, "math": math, "self": self.module, **self.values}
        before = set(scope)
        try:
            with eagerly():
                exec(statement, scope)
        except Exception:
            return False
        for name in set(scope) - before - {"__builtins__"}:
            value = scope[name]
            if not isinstance(value, torch.Tensor) or value.numel() > LARGEST or value.dim() > 7:
                return False
            self.values[name] = value
        return True


def _broadcasts(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.dim() <= b.dim() and all(m in (1, n) for m, n in zip(reversed(a.shape), reversed(b.shape)))
