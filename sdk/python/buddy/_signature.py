# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an archive says of a program's arguments and results that are no tensors: torch.export made constants of them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from buddy.errors import InvalidArgumentError


class Signature:
    """The user's arguments and results in their order, as far as they are constants.

    path: an archive; program: one of its programs (None: the only one). What is no archive says nothing.
    """

    def __init__(self, path: str, program: str | None) -> None:
        said = _read(path, program)
        self.arguments = [spec["constant_input"] if "constant_input" in spec else None for spec in said.get("input_specs", ())
                          if "constant_input" in spec or "user_input" in spec]  # fmt: skip
        self.results = [_constant(spec["user_output"]["arg"]) for spec in said.get("output_specs", ()) if "user_output" in spec]

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

    def with_constants(self, results: Sequence[Any]) -> list[Any]:
        """The results with the texts that no tensor holds."""
        if len(results) != len(self.results):
            return list(results)
        return [known if result is None and isinstance(known, str) else result for result, known in zip(results, self.results)]


def _check(one: Mapping[str, Any] | None, value: Any) -> None:
    if one is None:
        return
    known = _constant(one["value"])
    if (value is None or isinstance(value, (bool, int, float, str))) and value == known:
        return
    raise InvalidArgumentError(f"the program was exported for {one['name']}={known!r}, which is a constant of it; "
                               f"{value!r} was given", "INVALID_ARGUMENT")  # fmt: skip


def _constant(value: Mapping[str, Any]) -> Any:
    """A text, number, truth, or None; None for all else."""
    kind, held = next(iter(value.items()))
    return held if kind in ("as_int", "as_float", "as_bool", "as_string") else None


def _read(path: str, program: str | None) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".json") and name.split("/")[-2:-1] == ["models"]]
            names = [name for name in names if program is None or name.endswith(f"/{program}.json")]
            return dict(json.loads(archive.read(names[0]))["graph_module"]["signature"]) if len(names) == 1 else {}
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
        return {}
