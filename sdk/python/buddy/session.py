# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions: what programs remember between their runs (caches of keys and values, recurrent states), as objects."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import torch

from buddy import _buddy
from buddy._program import TORCH_DTYPES
from buddy._run import Arguments, as_argument
from buddy.errors import InvalidArgumentError
from buddy.model import Model, Port

Pair = tuple[Any, "int | None", str]


class Session:
    """The state of one model, or of several that share it: ``Session(buddy.load_programs("model.pt2"))``.

    State is every buffer that a model writes to, and every pair: ``(model, output, "input")`` says that this output, by
    number, is the input of that name one step later. Without ``pairs``, inputs that are called ``past_key_values…`` and as
    many outputs at the end are paired, and are state where the model itself writes to them (as a pair: output ``None``).
    Inputs that grow (``load(…, pairs_in_place=True)``) are state, and begin with length 0. Without ``batches``, ``step_all`` takes steps in turn. Models are named by the mapping's keys, or by number. Steps of one
    session take turns; sessions of the same models may step on as many threads as there are, and the GIL is not held
    meanwhile.
    """

    def __init__(
        self,
        models: Model | Sequence[Model] | Mapping[Any, Model],
        pairs: Sequence[Pair] | None = None,
        batches: bool = True,
    ) -> None:
        if isinstance(models, Model):
            models = [models]
        names = list(models) if isinstance(models, Mapping) else range(len(models))
        self._numbers = {name: number for number, name in enumerate(names)}
        self._written, programs = [], []
        for name in names:
            program = models[name]._runner.program
            if not isinstance(program, _buddy.Program):
                raise InvalidArgumentError(f"{models[name].path}: a library with a runtime of its own keeps its state itself; "
                                           "compile it with --runtime libbuddy_runtime.so", "INVALID_ARGUMENT")  # fmt: skip
            programs.append(program)
            self._written.append(frozenset(program.written()))
        given = None if pairs is None else [
            (self._number(model), self._output(output), state) for model, output, state in pairs
        ]  # fmt: skip
        self._take(_buddy.create_session(programs, given, not batches))

    def _take(self, session: _buddy.Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._inputs = {n: [Port.read(port) for port in session.ports(n, True)] for n in self._numbers.values()}
        self._outputs = {n: [Port.read(port) for port in session.ports(n, False)] for n in self._numbers.values()}

    def _number(self, model: Any) -> int:
        if model not in self._numbers:
            raise InvalidArgumentError(f"the session's models are {list(self._numbers)}, and not {model!r}", "INVALID_ARGUMENT")
        return self._numbers[model]

    @staticmethod
    def _output(number: Any) -> int | None:
        if number is None or (isinstance(number, int) and 0 <= number < sys.maxsize):
            return number
        raise InvalidArgumentError(f"the output of a pair is a number from 0 on, or None, and not {number!r}", "INVALID_ARGUMENT")

    def inputs(self, model: Any = 0) -> list[Port]:
        """What a step of the model takes: its inputs without those of pairs."""
        return self._inputs[self._number(model)]

    def outputs(self, model: Any = 0) -> list[Port]:
        """What a step of the model gives."""
        return self._outputs[self._number(model)]

    def most_rows(self, model: Any = 0) -> int:
        """How many sessions ``step_all`` steps in one run at most; 1: it takes them in turn."""
        return self._session.most_rows(self._number(model))

    def _arguments(self, inputs: Sequence[Any], number: int) -> Arguments:
        ports, given = self._inputs[number], Arguments()
        if len(inputs) != len(ports):
            names = ", ".join(port.name for port in ports)
            raise InvalidArgumentError(f"a step takes {len(ports)} inputs ({names}), {len(inputs)} were given", "INVALID_ARGUMENT")
        for value, port in zip(inputs, ports):
            given.add(value, port.name, port.name in self._written[number])
        return given

    def step(self, *inputs: Any, model: Any = 0) -> Any:
        """Runs a model on the state. Gives one result, or a tuple of all."""
        number = self._number(model)
        given = self._arguments(inputs, number)
        with self._lock:
            capsules = self._session.step(number, given.read)
        given.put_back()
        return self._results(capsules, number)

    def _results(self, capsules: Sequence[Any], number: int) -> Any:
        results = [self._result(capsule, port.dtype) for capsule, port in zip(capsules, self._outputs[number])]
        return results[0] if len(results) == 1 else tuple(results)

    @staticmethod
    def _result(capsule: Any, dtype: torch.dtype | None) -> torch.Tensor | None:
        tensor = None if capsule is None else torch._C._from_dlpack(capsule)
        return tensor.view(dtype) if tensor is not None and dtype is not None and tensor.dtype != dtype else tensor

    def fork(self) -> Session:
        """A session with the same state, which costs no copy: what one of the two writes to later is copied then."""
        fork = Session.__new__(Session)
        with self._lock:
            fork._numbers, fork._written = self._numbers, self._written
            fork._take(self._session.fork())
        return fork

    def rewind(self, to: Session | None = None) -> None:
        """Back to the state of a fork, which stays; None: to that of a new session."""
        with _turns([self] if to is None else [self, to]):
            self._session.rewind(None if to is None else to._session)

    @property
    def states(self) -> list[str]:
        """Their names."""
        return self._session.names()

    def __getitem__(self, name: str) -> torch.Tensor | None:
        """A copy of a state; None: it has no value yet."""
        with self._lock:
            found = self._session.state(self._find(name))
            if found is None:
                return None
            address, dtype, sizes, strides = found
            there = torch.empty_strided(sizes, strides, dtype=TORCH_DTYPES[dtype])
            if there.numel() > 0:
                ctypes.memmove(there.data_ptr(), address, there.untyped_storage().nbytes())
        return there.contiguous()

    def __setitem__(self, name: str, tensor: Any) -> None:
        self._find(name)
        argument, owner = as_argument(tensor, name)
        with self._lock:
            self._session.set_state(name, argument)
        del owner

    def _find(self, name: str) -> int:
        names = self.states
        if name not in names:
            raise KeyError(name)
        return names.index(name)

    def address(self, name: str) -> int | None:
        """Where a state lies: the same after a step that wrote it in place."""
        with self._lock:
            found = self._session.state(self._find(name))
        return None if found is None else found[0]

    @property
    def n_bytes(self) -> int:
        """Bytes of all states; those that forks share count for each."""
        with self._lock:
            return self._session.n_bytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the state to a file."""
        with self._lock:
            self._session.save(os.fsdecode(path))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Sets the state from a file that ``save`` wrote for the same programs; any other is refused."""
        with self._lock:
            self._session.load(os.fsdecode(path))


def step_all(sessions: Sequence[Session], inputs: Sequence[Sequence[Any]], model: Any = 0) -> list[Any]:
    """A step of each session, with the inputs in its place of ``inputs``: what ``Session.step`` gives, of each.

    They are one run where the model is proved to work on rows (``Session.most_rows``), and the inputs are one row each, of equal
    sizes; else they are taken in turn. Raises for the first that fails; the others have made their step.
    """
    if len(sessions) != len(inputs):
        raise InvalidArgumentError(f"{len(sessions)} sessions, and inputs for {len(inputs)}", "INVALID_ARGUMENT")
    numbers = [session._number(model) for session in sessions]
    given = [session._arguments(own, number) for session, own, number in zip(sessions, inputs, numbers)]
    calls = [(session._session, number, own.read) for session, number, own in zip(sessions, numbers, given)]
    try:
        with _turns(sessions):
            results = _buddy.step_all(calls)
    finally:  # the others have made their step where one failed
        for own in given:
            own.put_back()
    return [session._results(capsules, number) for session, capsules, number in zip(sessions, results, numbers)]


@contextmanager
def _turns(sessions: Sequence[Session]) -> Iterator[None]:
    """Nobody else uses them meanwhile."""
    with ExitStack() as stack:
        for session in sorted(set(sessions), key=id):  # in one order, so that two threads never wait for each other
            stack.enter_context(session._lock)
        yield
