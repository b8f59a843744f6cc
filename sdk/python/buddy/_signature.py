# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an archive says of a program's arguments and results that are no tensors: torch.export made constants of them."""

from __future__ import annotations

import functools
import json
import math
import os
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from buddy.errors import InvalidArgumentError


class Signature:
    """The user's arguments and results in their order, as far as they are constants.

    path: an archive; program: one of its programs (None: the only one, or the one called "model"). It is read when it is first
    needed, if it is the file that it was then. What is no archive says nothing.
    """

    def __init__(self, path: str, program: str | None) -> None:
        self.path, self.program = os.path.abspath(path), program
        self.stamp = _stamp(self.path)

    @functools.cached_property
    def _said(self) -> tuple[Any, list[Any], list[Any]]:
        module = _read(self.path, self.program) if _stamp(self.path) == self.stamp else {}
        said = module.get("signature", {})
        arguments = [spec["constant_input"] if "constant_input" in spec else None for spec in said.get("input_specs", ())
                     if "constant_input" in spec or "user_input" in spec]  # fmt: skip
        results = [_constant(spec["user_output"]["arg"]) for spec in said.get("output_specs", ()) if "user_output" in spec]
        return _nesting(module), arguments, results

    @property
    def nesting(self) -> Any:
        """Of the arguments."""
        return self._said[0]

    @property
    def arguments(self) -> list[Any]:
        """Constants, and None for all others."""
        return self._said[1]

    @property
    def results(self) -> list[Any]:
        """Likewise."""
        return self._said[2]

    def tensors(self, inputs: Sequence[Any], named: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments without the constants, where all are there; each constant must be that of the export."""
        if len(inputs) + len(named) != len(self.arguments):
            return list(inputs), dict(named)
        left = dict(named)
        for one, value in zip(self.arguments, inputs):
            _check(one, value)
        for one in self.arguments[len(inputs) :]:
            if one and one["name"] in left:
                _check(one, left.pop(one["name"]))
        return [value for one, value in zip(self.arguments, inputs) if one is None], left

    def flattened(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Arguments as the module took them become flat, in the order of the export: keys of a dictionary may come in any other.
        Those that nest otherwise are flattened as they are, if they have no keys, whose order the export alone can tell.
        """
        if not any(isinstance(value, (Mapping, tuple, list)) for value in (*args, *kwargs.values())):
            return list(args), dict(kwargs)
        try:
            return _leaves(self.nesting, (args, kwargs)), {}
        except _OtherNesting:
            if any(_has_keys(value) for value in (*args, *kwargs.values())):
                raise InvalidArgumentError("a dictionary is given, but the arguments do not nest as those that the program was exported "
                                           "with, or the file does not tell how they did: give tensors, flat or by name",
                                           "INVALID_ARGUMENT") from None  # fmt: skip
            return torch.utils._pytree.tree_leaves(args), dict(kwargs)

    def with_constants(self, results: Sequence[Any]) -> list[Any]:
        """The results with the texts that no tensor holds."""
        if len(results) != len(self.results):
            return list(results)
        return [known if result is None and isinstance(known, str) else result for result, known in zip(results, self.results)]


def _check(one: Mapping[str, Any] | None, value: Any) -> None:
    if one is None:
        return
    known = _constant(one["value"])
    if is_constant(value, known):
        return
    raise InvalidArgumentError(f"the program was exported for {one['name']}={known!r}, which is a constant of it; "
                               f"{value!r} was given", "INVALID_ARGUMENT")  # fmt: skip


def is_constant(value: Any, known: Any) -> bool:
    """Whether an argument is what the program was exported with; NaN is itself."""
    if isinstance(value, float) and isinstance(known, float) and math.isnan(known):
        return math.isnan(value)
    return (value is None or isinstance(value, (bool, int, float, str))) and value == known


def _has_keys(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, (tuple, list)) and any(_has_keys(one) for one in value))


def _constant(value: Mapping[str, Any]) -> Any:
    """A text, number, truth, or None; None for all else."""
    kind, held = next(iter(value.items()))
    if kind == "as_float":
        return float(held)  # "Infinity", "-Infinity" and "NaN" are texts in JSON
    return held if kind in ("as_int", "as_bool", "as_string") else None


class _OtherNesting(Exception):
    """Arguments are not what a program was exported with, or nobody says what that was."""


def _nesting(module: Mapping[str, Any]) -> Any:
    """How the module's arguments nest, as PyTorch writes it (a "treespec"); None: nobody says it. It is read here, and not by PyTorch,
    which imports the classes that it names.
    """
    try:
        (said,) = (call["signature"]["in_spec"] for call in module["module_call_graph"] if call["fqn"] == "")
        version, nesting = json.loads(said)
        return nesting if version == 1 else None
    except (KeyError, TypeError, ValueError):
        return None


def _keys(kind: str, context: Any) -> list[Any]:
    """Of a dictionary."""
    said = json.loads(context) if isinstance(context, str) else context
    return list(said["dict_context"] if kind == "collections.defaultdict" else said)


def _leaves(nesting: Any, value: Any) -> list[Any]:
    """What nests so, flat."""
    try:
        kind, parts = nesting["type"], nesting["children_spec"]
        if kind is None and not isinstance(value, (Mapping, tuple, list)):
            return [value]
        if kind in ("builtins.tuple", "builtins.list", "collections.namedtuple") and isinstance(value, (tuple, list)):
            children = list(value)
        elif kind in ("builtins.dict", "collections.OrderedDict", "collections.defaultdict") and isinstance(value, Mapping):
            keys = _keys(kind, nesting["context"])
            children = [value[key] for key in keys] if len(keys) == len(value) else []
        else:
            raise _OtherNesting
        if len(children) != len(parts):
            raise _OtherNesting
        return [leaf for part, child in zip(parts, children) for leaf in _leaves(part, child)]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise _OtherNesting from None


def _stamp(path: str) -> tuple[int, ...] | None:
    """What tells a file from others that come to its name."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _read(path: str, program: str | None) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".json") and name.split("/")[-2:-1] == ["models"]]
            if program is not None or len(names) > 1:
                names = [name for name in names if name.endswith(f"/models/{program or 'model'}.json")]
            return dict(json.loads(archive.read(names[0]))["graph_module"]) if len(names) == 1 else {}
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
        return {}
