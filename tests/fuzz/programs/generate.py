# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the random program of a seed."""

from __future__ import annotations

import random

import torch

from builder import FLOATS, INTS, LARGEST, Builder, NothingFits
from program import Input, Program
from statements import FAMILIES, IN_PLACE

SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 31, 33]
OTHER_SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 65]
RARE = ["bool", "bool", "complex64", "complex64", "complex128", "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2"]
LARGEST_RUN = 300_000  # elements of all inputs; what is larger takes long, and shows nothing else
TRIES = 12  # to find a statement that PyTorch takes


def generate(seed: int) -> Program:
    rng = random.Random(seed)
    program = Program(seed=seed, is_strided=rng.random() < 0.15)
    if rng.random() < 0.5:
        make_symbols(rng, program)
    program.runs = program.runs or [{}] * 3
    make_inputs(rng, program)
    g = Grower(rng, program)
    for _ in range(rng.randint(3, 14)):
        g.grow()
    choose_outputs(rng, g)
    program.runs = [sizes for run, sizes in enumerate(program.runs) if run == 0 or elements(program, run) <= LARGEST_RUN]
    return program


def elements(program: Program, run: int) -> int:
    return sum(torch.Size(program.sizes(one, run)).numel() for one in program.inputs)


class Grower(Builder):
    def __init__(self, rng: random.Random, program: Program):
        super().__init__(rng, program)
        self.values.update(zip([one.name for one in program.inputs], program.make_inputs(0)))
        self.name = ""

    def pick(self, fits) -> str:
        self.name = super().pick(fits)
        return self.name

    def other_of(self, name: str) -> str:
        return self.other()

    def other_value(self) -> str:
        text = self.other()
        return text if text in self.values or text.startswith(("self", "torch")) else f"torch.tensor({text})"

    def last_weight(self) -> list:
        return list(getattr(self.module, self.program.state[-1].name))

    def condition(self) -> str:
        """For torch.cond: of data, or of sizes."""
        if self.chance(0.2):
            return f"{self.size_expression()} > {self.int(2, 6)}"
        return f"{self.f()}.{self.one('sum', 'mean', 'amax')}() > {self.float()}"

    def grow(self) -> None:
        """One more statement."""
        for _ in range(TRIES):
            family = self.rng.choices([one for one, _ in FAMILIES], [weight for _, weight in FAMILIES])[0]
            n_inputs, n_state = len(self.program.inputs), len(self.program.state)
            try:
                text = self.rng.choice(family)(self)
            except (NothingFits, IndexError, ValueError, TypeError, AttributeError, StopIteration, KeyError):
                text = None
            if text:
                is_write = family in IN_PLACE
                statement = text if is_write else f"v{self.n} = {text}"
                if self.run(statement):
                    self.n += not is_write
                    self.program.body.append(statement)
                    return
            self.forget(n_inputs, n_state)

    def forget(self, n_inputs: int, n_state: int) -> None:
        for one in self.program.inputs[n_inputs:]:
            self.values.pop(one.name, None)
        del self.program.inputs[n_inputs:]
        del self.program.state[n_state:]


def make_symbols(rng: random.Random, program: Program) -> None:
    names = [f"s{k}" for k in range(rng.randint(1, 2))]
    for name in names:
        program.symbols[name] = rng.choice(["AUTO", "AUTO", "AUTO", "min=0", "min=1", "min=2, max=64", "min=0, max=40"])
    sizes = [{name: rng.choice([4, 5, 6, 8, 9, 12]) for name in names}]
    sizes.append({name: rng.choice(OTHER_SIZES) for name in names})
    sizes.append({name: rng.choice([7, 11, 13, 17, 33]) for name in names})
    sizes.append({name: rng.choice([0, 1]) for name in names})
    sizes.append({name: 1 for name in names})
    sizes.append(dict(sizes[0]))
    program.runs = sizes


def make_inputs(rng: random.Random, program: Program) -> None:
    names = list(program.symbols)
    shape = [str(rng.choice(SIZES[:10])) for _ in range(rng.randint(0, 4))]
    for k in range(rng.randint(1, 3)):
        if rng.random() < 0.4:  # else the sizes of the one before: what is alike goes together
            shape = [str(rng.choice(SIZES)) for _ in range(rng.choice([0, 1, 2, 2, 2, 3, 3, 4, 4, 5]))]
        sizes = list(shape)
        for d in range(len(sizes)):
            if names and rng.random() < 0.5:
                name = rng.choice(names)
                derived = f"{rng.choice([2, 3])}*{name}" if rng.random() < 0.1 else f"{name}+1" if rng.random() < 0.1 else name
                sizes[d] = derived
        dtype = rng.choice(FLOATS * 4 + INTS + RARE) if rng.random() < 0.6 else "float32"
        one = Input(f"x{k}", dtype, sizes)
        program.inputs.append(one)
        while torch.Size(program.sizes(one, 0)).numel() > LARGEST // 8:
            one.sizes.pop()
        shape = one.sizes


def choose_outputs(rng: random.Random, g: Grower) -> None:
    """What no statement reads; and, now and then, something twice, an input, a size, a buffer."""
    program = g.program
    names = [name for name in g.values if name.startswith("v")]
    text = "\n".join(program.body)
    leaves = [name for name in names if text.count(f"{name}") == 1 or f"{name}" not in g.used]
    chosen = leaves + [name for name in names if name not in leaves and rng.random() < 0.25]
    if rng.random() < 0.08 and chosen:
        chosen.append(rng.choice(chosen))
    if rng.random() < 0.06:
        chosen.append(program.inputs[0].name)
    if rng.random() < 0.1 and program.state and not program.state[0].is_parameter:
        chosen.append(f"self.{program.state[0].name}")
    if rng.random() < 0.08 and program.symbols:
        try:
            chosen.append(g.size_expression())
        except NothingFits:
            pass
    program.outputs = chosen[:12] or [program.inputs[0].name]

