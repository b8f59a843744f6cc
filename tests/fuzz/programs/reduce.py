# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cuts a program down to the statements that a finding needs, each attempt in a process of its own."""

from __future__ import annotations

import copy
import os
import pickle
import re
import select
import signal
import time
from collections.abc import Callable

import torch

from judge import Verdict
from program import Input, Program

NAME = re.compile(r"\b(?:v|x|self\.[pb])\d+\b")


def probe(judge: Callable, seconds: float) -> Verdict:
    """judge(trying) in a forked process: a crash and a hang are verdicts, too."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

        def tell(verdict: Verdict) -> None:
            data = pickle.dumps(verdict)
            os.write(writer, len(data).to_bytes(4, "little") + data)
        try:
            tell(judge(tell))
        finally:
            os._exit(0)
    os.close(writer)
    data, deadline = b"", time.monotonic() + seconds
    while select.select([reader], [], [], max(0.0, deadline - time.monotonic()))[0]:
        piece = os.read(reader, 1 << 16)
        if not piece:
            break
        data += piece
    else:
        os.kill(child, signal.SIGKILL)
    os.close(reader)
    _, status = os.waitpid(child, 0)
    last = Verdict("crashed", "before it began")
    while data:
        size = int.from_bytes(data[:4], "little")
        last, data = pickle.loads(data[4:4 + size]), data[4 + size:]
    if time.monotonic() >= deadline:
        return Verdict("hung", f"no answer within {seconds:.0f} s", last.order, last.level, last.cpu)
    if os.WIFSIGNALED(status) and last.outcome == "crashed":
        last.text = f"ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return last


def names_in(text: str) -> set[str]:
    return set(NAME.findall(text))


def defined(statement: str) -> str:
    return statement.split(" = ")[0] if re.match(r"v\d+ = ", statement) else ""


def prune(program: Program) -> Program:
    """Without statements whose values nobody reads, and without inputs and state that nobody names."""
    program = copy.deepcopy(program)
    while True:
        text = program.body + program.outputs
        dead = [k for k, statement in enumerate(program.body)
                if defined(statement) and not any(defined(statement) in names_in(other) for i, other in enumerate(text) if i != k)]
        if not dead:
            break
        del program.body[dead[-1]]
    used = set().union(*map(names_in, program.body + program.outputs))
    program.inputs = [one for one in program.inputs if one.name in used] or program.inputs[:1]
    program.state = [one for one in program.state if f"self.{one.name}" in used]
    return program


def values_of(program: Program) -> dict[str, torch.Tensor]:
    """What each statement gives at the sizes of export."""
    found: dict[str, torch.Tensor] = {}
    one = copy.deepcopy(program)
    one.outputs = [defined(statement) for statement in program.body if defined(statement)]
    with torch.no_grad():
        results = one.module()(*one.make_inputs(0))
    found.update((name, value) for name, value in zip(one.outputs, results) if isinstance(value, torch.Tensor))
    return found


def without(program: Program, k: int) -> Program:
    smaller = copy.deepcopy(program)
    del smaller.body[k]
    return smaller


def as_input(program: Program, k: int, values: dict[str, torch.Tensor]) -> Program | None:
    """The value of a statement comes in as an input."""
    name = defined(program.body[k])
    if name not in values or values[name].is_complex() and values[name].dtype != torch.complex64:
        return None
    smaller = without(program, k)
    inlet = f"x{max([int(one.name[1:]) for one in program.inputs], default=-1) + 1}"
    smaller.body = [re.sub(rf"\b{name}\b", inlet, statement) for statement in smaller.body]
    smaller.outputs = [re.sub(rf"\b{name}\b", inlet, output) for output in smaller.outputs]
    value = values[name]
    smaller.inputs.append(Input(inlet, str(value.dtype).removeprefix("torch."), [str(n) for n in value.shape]))
    return smaller


def attempts(program: Program):
    """Smaller programs, the boldest first."""
    if len(program.outputs) > 1:
        for output in program.outputs:
            one = copy.deepcopy(program)
            one.outputs = [output]
            yield prune(one)
        for k in range(len(program.outputs)):
            one = copy.deepcopy(program)
            del one.outputs[k]
            yield prune(one)
    for k in reversed(range(len(program.body))):
        name = defined(program.body[k])
        if not name:
            yield prune(without(program, k))
        elif not any(name in names_in(other) for i, other in enumerate(program.body) if i > k):
            one = without(program, k)
            one.outputs = [output for output in one.outputs if output != name]
            if one.outputs:
                yield prune(one)
    try:
        values = values_of(program)
    except Exception:
        values = {}
    for k in range(len(program.body)):
        one = as_input(program, k, values)
        if one is not None:
            yield prune(one)
    if program.symbols and len(program.runs) > 2:
        for k in range(1, len(program.runs)):
            one = copy.deepcopy(program)
            one.runs = [program.runs[0], program.runs[k]]
            yield one
    if program.is_strided:
        one = copy.deepcopy(program)
        one.is_strided = False
        yield one


def kind(verdict: Verdict) -> str:
    """What must stay the same while a program is cut down."""
    text = re.sub(r"run \d+ (\{[^}]*\})?|code \d+|[\d\"'`]+|at \[.*", "", verdict.text)
    if verdict.outcome == "wrong":
        return verdict.outcome + ("/bits" if "bits" in text else "/type" if "dtype" in text or "torch." in text else "")
    return f"{verdict.outcome}/{text.strip()[:40]}" if verdict.outcome in ("failed", "refused") else verdict.outcome


def reduce(program: Program, verdict: Verdict, judge: Callable[[Program], Verdict], seconds: float) -> tuple[Program, Verdict]:
    """judge() gives the verdict on a smaller program; ends after so many seconds."""
    deadline, wanted = time.monotonic() + seconds, kind(verdict)
    goes_on = True
    while goes_on:
        goes_on = False
        for smaller in attempts(program):
            if time.monotonic() > deadline:
                return program, verdict
            found = judge(smaller)
            if kind(found) == wanted:
                program, verdict, goes_on = smaller, found, True
                break
    return program, verdict
