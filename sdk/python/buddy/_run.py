# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running compiled programs on torch tensors, without copies: addresses in, DLPack out."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from buddy import _buddy
from buddy._program import DTYPES, TORCH_DTYPES
from buddy.errors import InvalidArgumentError

_NUMBER_DTYPES = {bool: "i1", int: "i64", float: "f64"}
_USER, _BUFFER_MUTATION, _INPUT_MUTATION = 0, 1, 2


def checked_threads(number: int) -> int:
    """A number of threads, where one is given."""
    if isinstance(number, int) and number >= 0:
        return number
    raise InvalidArgumentError(f"threads={number!r}: a whole number from 0 on is needed", "INVALID_ARGUMENT")


def checked_milliseconds(seconds: float) -> int:
    """Of a time limit; what is above 0 is a millisecond at least."""
    if isinstance(seconds, (int, float)) and 0 <= seconds < 1e9:
        return math.ceil(seconds * 1000)
    raise InvalidArgumentError(f"a time limit of {seconds!r} seconds: a number from 0 on is needed", "INVALID_ARGUMENT")


def as_argument(value: Any, name: str) -> tuple[tuple[Any, ...], Any]:
    """(address, dtype, sizes, strides) of a tensor or number, and what must live as long as it is used."""
    if isinstance(value, torch.Tensor):
        if not value.is_cpu or value.is_conj() or value.is_neg() or value.layout != torch.strided:
            value = value.detach().cpu().resolve_conj().resolve_neg().to_dense()
        dtype = DTYPES.get(value.dtype)
        if dtype is None:
            raise InvalidArgumentError(f"{name}: there are no programs over {value.dtype}", "INVALID_ARGUMENT")
        return (value.data_ptr(), dtype, value.shape, value.stride()), value
    if isinstance(value, torch.SymInt) and value.node.is_nested_int():
        value = value.node.nested_int()  # a length of its own in each row: a name, which nobody computes with
    kind = next((kind for kind in _NUMBER_DTYPES if isinstance(value, kind)), None)
    if kind is not None:
        return as_argument(torch.tensor(value, dtype=TORCH_DTYPES[_NUMBER_DTYPES[kind]]), name)
    if hasattr(value, "__array_interface__"):
        return as_argument(_of_numpy(value, name), name)
    if hasattr(value, "__dlpack__"):  # JAX and others
        try:
            return as_argument(torch.utils.dlpack.from_dlpack(value), name)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise InvalidArgumentError(f"{name}: PyTorch cannot read this {type(value).__name__}: {error}", "INVALID_ARGUMENT") from error
    raise InvalidArgumentError(f"{name}: a tensor is needed, not {type(value).__name__}", "INVALID_ARGUMENT")


def _of_numpy(value: Any, name: str) -> torch.Tensor:
    """A tensor over an array's memory; a copy where no tensor can lie as it does: reversed, with other bytes first, read-only."""
    import numpy

    array = numpy.asarray(value)
    plain = array.flags.writeable and array.flags.aligned and array.dtype.isnative
    if not plain or any(stride < 0 or stride % array.itemsize for stride in array.strides):
        array = array.astype(array.dtype.newbyteorder("="), order="C")
    try:
        return torch.from_numpy(array)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"{name}: an array of {array.dtype} is no tensor: {error}", "INVALID_ARGUMENT") from error


def as_tensor(value: Any, name: str = "input") -> Any:
    """An array of NumPy as a tensor; all else as it is."""
    return _of_numpy(value, name) if hasattr(value, "__array_interface__") and not isinstance(value, (torch.Tensor, float)) else value


def _is_array(value: Any) -> bool:
    """Whether it is NumPy's, and can be written to."""
    return not isinstance(value, torch.Tensor) and hasattr(value, "__array_interface__") and hasattr(value, "__setitem__")


def _put_back(value: Any, written: torch.Tensor) -> None:
    """What a program has written, into the input that it was given: ``written`` is the tensor that it got, or has made."""
    if isinstance(value, torch.Tensor):
        if value is not written:
            with torch.no_grad():
                value.copy_(written)
    elif _is_array(value) and value.__array_interface__["data"][0] != written.data_ptr():
        value[...] = written.numpy()


class Arguments:
    """The inputs of one run as it takes them, whose memory lives as long as this does. Some of them it writes to."""

    def __init__(self) -> None:
        self.read: list[tuple[Any, ...]] = []
        self._kept: list[tuple[Any, torch.Tensor, bool]] = []

    def add(self, value: Any, name: str, is_written: bool = False, is_dense: bool = False) -> None:
        """is_written: the run writes to it; a read-only array is refused. is_dense: it takes no strides."""
        argument, tensor = as_argument(value, name)
        if is_written and _is_array(value) and not value.flags.writeable:
            raise InvalidArgumentError(f"{name}: the program writes to it, and this array is read-only: give a copy", "INVALID_ARGUMENT")
        if is_dense and not tensor.is_contiguous():
            argument, tensor = as_argument(tensor.contiguous(), name)
        self.read.append(argument)
        self._kept.append((value, tensor, is_written))

    def put_back(self) -> None:
        """After the run: what it wrote to copies, into the inputs that these are of."""
        for value, tensor, is_written in self._kept:
            if is_written:
                _put_back(value, tensor)


class _Bound:
    """A parameter: its own tensor's memory. It is looked up in every run, since ``.data`` may have been replaced."""

    def __init__(self, tensor: torch.Tensor, name: str) -> None:
        self.tensor, self.name = tensor, name
        self.known: tuple[Any, ...] | None = None

    def argument(self) -> tuple[Any, ...]:
        tensor, known = self.tensor, self.known
        if (known is not None and tensor.data_ptr() == known[0] and tensor.shape == known[2] and tensor.stride() == known[3]
                and DTYPES.get(tensor.dtype) == known[1]):  # fmt: skip
            return known
        known, self.kept = as_argument(tensor, self.name)
        self.known = known if self.kept is tensor else None
        return known


class Mapped:
    """A parameter whose bytes lie in a mapped archive, which ``owner`` keeps open. It is never written to."""

    def __init__(self, address: int, dtype: str, sizes: Sequence[Any], strides: Sequence[int] | None, owner: Any) -> None:
        self.address, self.dtype, self.sizes, self.owner = address, dtype, tuple(sizes), owner
        self.strides = tuple(strides) if strides is not None else _contiguous(self.sizes)

    def argument(self) -> tuple[Any, ...]:
        return self.address, _buddy.DTYPES[self.dtype], self.sizes, self.strides

    def tensor(self) -> torch.Tensor:
        """A copy of one's own."""
        dtype = TORCH_DTYPES[self.dtype]
        n = 1 + sum((size - 1) * stride for size, stride in zip(self.sizes, self.strides))
        if 0 in self.sizes:
            return torch.empty(self.sizes, dtype=dtype)
        view = (ctypes.c_char * (n * dtype.itemsize)).from_address(self.address)
        return torch.frombuffer(view, dtype=dtype).as_strided(self.sizes, self.strides).clone()


def _contiguous(sizes: Sequence[int]) -> tuple[int, ...]:
    strides = [1]
    for size in reversed(sizes[1:]):
        strides.append(strides[-1] * max(size, 1))
    return tuple(reversed(strides)) if sizes else ()


class Executable:
    """A compiled program with parameters bound: takes the user's inputs, flat, and gives the user's outputs, flat.

    Any number of threads may call it at once; calls of a program that changes buffers take turns. The GIL is not held
    while it runs. ``draws``: it draws random numbers, and each run takes a seed from PyTorch's generator, so that what
    it gets follows ``torch.manual_seed``.
    """

    def __init__(self, program: _buddy.Program, tensors: Mapping[str, torch.Tensor | Mapped], draws: bool = False) -> None:
        self.program, self.draws = program, draws
        self.ports = program.inputs()
        mutated = {target for _, target, kind, _, _ in program.outputs() if kind == _BUFFER_MUTATION}
        self.tensors = {target: tensor.tensor() if isinstance(tensor, Mapped) and target in mutated else tensor
                        for target, tensor in tensors.items()}  # fmt: skip
        self.bound = [None if kind == _USER else self._bind(target) for _, target, kind, _, _ in self.ports]
        self.n_user_inputs = sum(bound is None for bound in self.bound)
        self.outputs = []
        self.is_stateful = False
        for _, target, kind, dtype, _ in program.outputs():
            self.outputs.append((kind, target, TORCH_DTYPES.get(dtype)))
            self.is_stateful |= kind == _BUFFER_MUTATION
        self.written = {target for _, target, kind, _, _ in program.outputs() if kind == _INPUT_MUTATION}
        self.written.update(program.written())
        self.user_names = [name for (name, *_), bound in zip(self.ports, self.bound) if bound is None]
        self.lock = threading.Lock()

    def _bind(self, target: str) -> _Bound | Mapped:
        tensor = self.tensors[target]
        return tensor if isinstance(tensor, Mapped) else _Bound(tensor, target)

    def __repr__(self) -> str:
        takes = ", ".join(f"{name}: {dtype}{list(dims)}" for name, _, kind, dtype, dims in self.ports if kind == _USER)
        return f"<executable of ({takes}), {len(self.outputs)} outputs>"

    def set_threads(self, number: int) -> None:
        """On how many threads later runs go; 0: BUDDY_THREADS, else OMP_NUM_THREADS, else all CPUs."""
        self.program.set_threads(number)

    def set_time_limit(self, seconds: float) -> None:
        """How long later runs may go on; 0: as long as they do. One whose loops go on longer raises LimitError."""
        self.program.set_time_limit(checked_milliseconds(seconds))

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        """Runs it. inputs: the user's, one list; gives a list of the results."""
        if not isinstance(inputs, (list, tuple)):
            raise InvalidArgumentError(f"the inputs are one list: executable([{', '.join(self.user_names)}])", "INVALID_ARGUMENT")
        if len(inputs) != self.n_user_inputs:
            raise InvalidArgumentError(
                f"the program takes {self.n_user_inputs} inputs ({', '.join(self.user_names)}), {len(inputs)} were given",
                "INVALID_ARGUMENT",
            )
        if not self.is_stateful:
            return self._run(inputs)
        with self.lock:
            return self._run(inputs)

    def _run(self, inputs: Sequence[Any]) -> list[Any]:
        values, given, by_name = iter(inputs), Arguments(), {}
        for (name, *_), bound in zip(self.ports, self.bound):
            if bound is None:
                by_name[name] = next(values)
                given.add(by_name[name], name, name in self.written)
            else:
                given.read.append(bound.argument())
        if self.draws:
            self.program.seed(int(torch.randint(2**63 - 1, ())))
        results = self.program.run(given.read)
        given.put_back()
        return self._deliver(results, by_name)

    def _deliver(self, results: list[Any], by_name: Mapping[str, Any]) -> list[Any]:
        outputs: list[Any] = []
        written: list[tuple[Any, Any]] = []
        for capsule, (kind, target, dtype) in zip(results, self.outputs):
            tensor = None if capsule is None else torch._C._from_dlpack(capsule)
            if tensor is not None and dtype is not None and tensor.dtype != dtype:
                tensor = tensor.view(dtype)  # 8-bit floats
            if kind == _USER:
                outputs.append(tensor)
            else:
                into = self.tensors[target] if kind == _BUFFER_MUTATION else by_name[target]
                written.append((into, tensor))
        for into, tensor in written:  # after all results are there: one may be the old contents
            _put_back(into, tensor)
        return outputs
