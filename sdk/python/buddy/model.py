# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models from files: ``buddy.load("model.pt2")``, and libraries that ``buddy compile`` wrote."""

from __future__ import annotations

import ctypes
import json
import operator
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from buddy import _buddy
from buddy._program import TORCH_DTYPES
from buddy._run import Arguments, Executable, checked_threads
from buddy._signature import Signature
from buddy.errors import BuddyError, InvalidArgumentError, UnsupportedError, progress_or_log

_WHY_SIZE = 1000


@dataclass(frozen=True)
class Port:
    """An input or output of a model."""

    name: str
    dtype: torch.dtype | None  #: None: the output is None
    sizes: tuple[int, ...]  #: -1: any

    @classmethod
    def read(cls, data: tuple[Any, ...]) -> Port:
        """From what the extension gives."""
        name, _, _, dtype, sizes = data
        return cls(name, TORCH_DTYPES.get(dtype), sizes)


class Model:
    """A model from a file: called with its inputs, flat, by position or by name; gives one result, or a tuple of all.

    Arguments may also nest as those of the export did; keys of a dictionary come in any order (a library has forgotten them).
    Arrays of NumPy are taken as they lie, or copied where no tensor can lie so; what the program writes is in them afterwards.
    Arguments of which torch.export made constants (None, numbers, texts) are left out, or are all there and as they were.
    Any number of threads may call it at once, and the GIL is not held while it runs; calls of a model that changes its
    own buffers take turns.
    """

    def __init__(self, path: str, runner: Executable | _TypedFunctions, program: str | None = None) -> None:
        self.path = path
        self._runner, self._signature = runner, Signature(path, program)
        self.inputs = [Port.read(data) for data in runner.program.inputs()]
        self.outputs = [Port.read(data) for data in runner.program.outputs()]
        if any(port.dtype is None for port in self.outputs):
            _ = self._signature.results  # read now: the file may go

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        inputs = list(args)
        if not all(isinstance(value, torch.Tensor) for value in (*args, *kwargs.values())):
            inputs, kwargs = self._signature.flattened(args, kwargs)
        if len(inputs) + len(kwargs) != len(self.inputs):
            inputs, kwargs = self._signature.tensors(inputs, kwargs)
        for port in self.inputs[len(inputs) :]:
            if port.name in kwargs:
                inputs.append(kwargs.pop(port.name))
        if kwargs:
            raise InvalidArgumentError(f"no inputs are called {sorted(kwargs)}; the model's are {self._names()}", "INVALID_ARGUMENT")
        if len(inputs) != len(self.inputs):
            constants = any(value is None or isinstance(value, (bool, int, float, str)) for value in inputs)
            hint = "; arguments that torch.export made constants (None, numbers, strings) are all given, or none" if constants else ""
            raise InvalidArgumentError(f"the model takes {len(self.inputs)} inputs ({self._names()}), {len(inputs)} were given{hint}",
                                       "INVALID_ARGUMENT")  # fmt: skip
        results = self._runner(inputs)
        if any(result is None for result in results):
            results = self._signature.with_constants(results)
        return results[0] if len(results) == 1 else tuple(results)

    def _names(self) -> str:
        return ", ".join(port.name for port in self.inputs)

    def set_threads(self, number: int) -> None:
        """On how many threads later runs go; 0: BUDDY_THREADS, else OMP_NUM_THREADS, else all CPUs."""
        self._runner.set_threads(checked_threads(number))

    def set_time_limit(self, seconds: float) -> None:
        """How long later runs may go on; 0: as long as they do. One whose loops go on longer raises LimitError."""
        self._runner.set_time_limit(seconds)

    def __repr__(self) -> str:
        return f"<model {self.path}: {len(self.inputs)} inputs, {len(self.outputs)} outputs>"


def load(path: str | os.PathLike[str], *, program: str | None = None, registries: str | None = None, opt_level: int = -1,
         cache: bool = True, threads: int = 0, progress: Callable[[str, float], Any] | None = None, tensor_parallel: int = 0,
         rank: int = 0, plan: Mapping[str, str] | None = None, weights: str | os.PathLike[str] | None = None,
         weight_names: Mapping[str, str] | None = None, pairs_in_place: bool = False,
         sizes: Mapping[str, Sequence[int | None]] | None = None) -> Model:  # fmt: skip
    """A model that runs.

    path: a ``.pt2`` file, which is compiled, or whose code is found in the cache (``python -m buddy cache --help``); or a
    ``.so`` that ``python -m buddy compile`` wrote, with its ``.weights`` beside it. Loading a library runs code of it with
    your rights: it and its folder must belong to you or to root, and nobody else may write to them. program: which one of
    an archive or a library that holds several (``programs`` lists an archive's). registries, opt_level, cache: for archives; see
    ``python -m buddy run --help``. threads: as ``Model.set_threads`` takes it. progress: called with a stage and a fraction
    while an archive is compiled; without it, they go to the log, at INFO. tensor_parallel: for how many ranks an archive is
    cut, all of which load it; rank: which of them this process is; plan: what is cut, as transformers' ``base_model_tp_plan`` (without it, that is found).
    weights: a file of safetensors or GGUF that has an archive's parameters; weight_names: what that file calls those that it
    calls otherwise, ``{"model.layers.*.mlp.up_proj.weight": "blk.*.ffn_up.weight"}``; see ``buddy_archive_take_weights``.
    pairs_in_place: for ``Session``: where an output is ``cat([input, new], dim)`` of an archive's input of symbolic length, as
    ``past_key_values`` go in and out, the input is the longer tensor, dim first, which the program writes to.
    sizes: those that inputs of an archive have in every run, ``{"x": (8, 3, None, None)}``, where None stays symbolic: the model
    is then as fast as one that was exported with these sizes, and takes no others.
    """
    for name, number in (("tensor_parallel", tensor_parallel), ("rank", rank)):
        if not isinstance(number, int) or number < 0:
            raise InvalidArgumentError(f"{name}={number!r}: a whole number from 0 on is needed", "INVALID_ARGUMENT")
    model = _open(path, program, registries, opt_level, cache, progress_or_log(progress),
                  (tensor_parallel, rank, None if plan is None else json.dumps(dict(plan))),
                  weights=None if weights is None else os.fsdecode(weights), weight_names=_table(weight_names),
                  pairs_in_place=pairs_in_place, sizes=_sizes(sizes))  # fmt: skip
    model.set_threads(threads)
    return model


def load_programs(path: str | os.PathLike[str], names: Sequence[str] | None = None, **options: Any) -> dict[str, Model]:
    """Programs of one archive by their names, or all of them, with equal weights once in memory. options: as of ``load``."""
    names = programs(path) if names is None else names
    models = {name: load(path, program=name, **options) for name in names}
    runners = [model._runner.program for model in models.values()]
    _buddy.share_models([runner for runner in runners if isinstance(runner, _buddy.Program)])
    return models


def programs(path: str | os.PathLike[str]) -> list[str]:
    """The names of an archive's programs."""
    return _buddy.read_archive(os.fsdecode(path))[0]


def extra_files(path: str | os.PathLike[str]) -> dict[str, bytes]:
    """The files that were put into an archive with its programs (``extra_files=`` of torch.export)."""
    return _buddy.read_archive(os.fsdecode(path))[1]


def _table(names: Mapping[str, str] | None) -> str | None:
    return None if names is None else "".join(f"{ours} {theirs}\n" for ours, theirs in names.items())


def _sizes(sizes: Mapping[str, Sequence[int | None]] | None) -> str | None:
    if sizes is None:
        return None
    try:
        return ",".join(
            f"{name}={'x'.join('?' if size is None else str(operator.index(size)) for size in each)}" for name, each in sizes.items()
        )
    except (AttributeError, TypeError):
        raise InvalidArgumentError(f"sizes={sizes!r}: sizes by the names of inputs are needed, {{'x': (8, 3, None)}}",
                                   "INVALID_ARGUMENT") from None  # fmt: skip


def _open(path: str | os.PathLike[str], program: str | None, registries: str | None, opt_level: int, cache: bool,
          progress: Callable[[str, float], Any] | None, cut: tuple[int, int, str | None],
          **rest: Any) -> Model:  # fmt: skip
    name = os.fsdecode(path)
    os.stat(name)  # FileNotFoundError is what Python's users expect
    if name.endswith(".so"):  # what a file holds does not make it a library
        library = _buddy.open_library(os.path.abspath(name), program)
        if library.has_own_runtime():
            if cut[0] > 1 or any(rest.values()):
                raise InvalidArgumentError(f"{name}: other weights, chosen sizes, a cut for several ranks and pairs in place cannot be had of a "
                                           "library, which is compiled (load the archive with it)", "INVALID_ARGUMENT")  # fmt: skip
            return Model(name, _TypedFunctions(os.path.abspath(name), library))
    return Model(name, Executable(_buddy.load_model(name, registries, opt_level, cache, progress, program, *cut, **rest), {}), program)


class _TypedFunctions:
    """A library with a runtime of its own, which only its own functions can use: those that its C header declares."""

    def __init__(self, path: str, library: _buddy.Library) -> None:
        self.program = library
        self.dtypes = [TORCH_DTYPES.get(dtype) for _, _, _, dtype, _ in library.outputs()]
        self.written = set(library.written())
        self.ranks = [len(sizes) for _, _, _, _, sizes in library.outputs()]
        functions, name = ctypes.CDLL(library.path()), library.name()
        create, destroy = functions[f"{name}_load"], functions[f"{name}_destroy"]
        create.restype, create.argtypes = ctypes.c_void_p, (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
        destroy.restype, destroy.argtypes = None, (ctypes.c_void_p,)
        self.threads = functions[f"{name}_set_threads"]
        self.threads.restype, self.threads.argtypes = None, (ctypes.c_void_p, ctypes.c_int32)
        self.run = functions[f"{name}_run"]
        self.run.restype = ctypes.c_int32
        why = ctypes.create_string_buffer(_WHY_SIZE)
        self.model = create(None, why, _WHY_SIZE)
        if not self.model:
            raise BuddyError(f"{path}: {why.value.decode(errors='replace')}")
        weakref.finalize(self, destroy, self.model)

    def set_threads(self, number: int) -> None:
        self.threads(self.model, number)

    def set_time_limit(self, seconds: float) -> None:
        raise UnsupportedError("a library with a runtime of its own has no time limit: compile it with the shared one", "UNSUPPORTED")

    def __call__(self, inputs: Sequence[Any]) -> list[torch.Tensor | None]:
        given = Arguments()
        for value, (name, *_) in zip(inputs, self.program.inputs()):
            given.add(value, name, name in self.written, is_dense=True)  # the typed functions take no strides
        symbols, passing = self.program.prepare(given.read)
        passed: list[Any] = [ctypes.c_int64(symbol) for symbol in symbols]
        passed += [ctypes.c_void_p(address) for address, *_ in given.read]
        results: list[Any] = []
        for how, dtype, rank in zip(passing, self.dtypes, self.ranks):
            result = None if how is None else _Allocated(rank) if how is True else torch.empty(how, dtype=dtype)
            results.append(result)
            if isinstance(result, _Allocated):
                passed += [ctypes.byref(result.address), result.sizes]
            elif result is not None:
                passed.append(ctypes.c_void_p(result.data_ptr()))
        why = ctypes.create_string_buffer(_WHY_SIZE)
        code = self.run(ctypes.c_void_p(self.model), *passed, why, ctypes.c_size_t(_WHY_SIZE))
        tensors = [result.take(dtype) if isinstance(result, _Allocated) else result
                   for result, dtype in zip(results, self.dtypes)]  # fmt: skip
        if code != 0:
            raise BuddyError(why.value.decode(errors="replace"))
        given.put_back()
        return tensors


class _Allocated:
    """An output whose memory the function allocates."""

    def __init__(self, rank: int) -> None:
        self.address = ctypes.c_void_p()
        self.sizes = (ctypes.c_int64 * max(rank, 1))()
        self.rank = rank

    def take(self, dtype: torch.dtype | None) -> torch.Tensor | None:
        """A tensor over the memory, which is freed with it; none after a failure."""
        if not self.address.value or dtype is None:
            return None
        sizes = tuple(self.sizes)[: self.rank]
        n_bytes = torch.Size(sizes).numel() * dtype.itemsize
        memory = (ctypes.c_char * n_bytes).from_address(self.address.value)
        weakref.finalize(memory, _free, self.address.value)
        return torch.frombuffer(memory, dtype=dtype).view(sizes) if n_bytes else torch.empty(sizes, dtype=dtype)


_free = ctypes.CDLL(None).free
_free.restype, _free.argtypes = None, (ctypes.c_void_p,)
