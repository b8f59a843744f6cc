# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``buddy.bisect`` and ``python -m buddy bisect --against eager``: PyTorch itself is the reference."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from buddy import _golden
from buddy._paths import command
from buddy._program import as_module
from buddy._run import as_tensor
from buddy.errors import BuddyError, NotFoundError


def _program() -> str:
    """The command's path."""
    program = command()
    if program is None:
        raise NotFoundError("the buddy command is not part of this installation", "NOT_FOUND")
    return program


def bisect(model: torch.nn.Module | Callable[..., Any] | torch.export.ExportedProgram | str | os.PathLike[str], *args: Any,
           kwargs: dict[str, Any] | None = None, dynamic_shapes: Any = None, options: Sequence[str] = ()) -> dict[str, Any]:  # fmt: skip
    """Which node computes other numbers than PyTorch does, and which option avoids it: what ``buddy bisect --json`` tells.

    model: a live module or function, which is exported with args, kwargs and dynamic_shapes, and whose results are what is
    right; a program of torch.export; or an archive's path. The inputs of these two are args, flat; without any those that
    they were exported with. options: of ``buddy bisect``, such as ``["--registries", "vendor:linalg:*"]``.
    """
    with tempfile.TemporaryDirectory() as name:
        folder, results = Path(name), None
        inputs: list[Any] | None = [as_tensor(value) for value in torch.utils._pytree.tree_leaves((args, kwargs or {}))] or None
        path = folder / "model.pt2"
        if isinstance(model, (str, os.PathLike)):
            path = Path(model)
        elif isinstance(model, torch.export.ExportedProgram):
            torch.export.save(model, path)
        else:
            module = as_module(model)
            torch.export.save(torch.export.export(module, args, kwargs, dynamic_shapes=dynamic_shapes), path)
            results = _results(module, args, kwargs or {})
        return _compared(path, folder / "golden.npz", inputs, results, options)


def _results(module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """Flat. What the module writes to its arguments and buffers is undone."""
    def own(value: Any) -> Any:
        return value.detach().clone() if isinstance(value, torch.Tensor) else value

    tree = torch.utils._pytree
    before = [(buffer, own(buffer)) for buffer in module.buffers()]
    with torch.no_grad():
        try:
            args, kwargs = tree.tree_map(own, (args, kwargs))
            return [own(result) for result in tree.tree_leaves(module(*args, **kwargs))]
        finally:
            for buffer, value in before:
                buffer.copy_(value)


def _compared(path: Path, golden: Path, inputs: list[Any] | None, results: list[Any] | None, options: Sequence[str]) -> dict[str, Any]:
    _golden.write(path, golden, inputs, results=results, program=_program_of(options))
    words = [_program(), "bisect", str(path), "--json", "--against", str(golden), *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        raise BuddyError(done.stderr.strip(), "INTERNAL")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _value_of(word: str, words: list[str], names: tuple[str, ...]) -> str | None:
    """Of an option, which is the first word; it is taken off."""
    name, equals, value = word.partition("=")
    if name in names and (equals or words):
        return value if equals else words.pop(0)
    return None


def _program_of(options: Sequence[str]) -> str | None:
    """What `--program` says."""
    words, name = list(options), None
    while words:
        found = _value_of(words.pop(0), words, ("--program",))
        name = name if found is None else found
    return name


def main(arguments: list[str]) -> int:
    """``buddy bisect`` with the values of PyTorch in place of the word ``eager``; ``--import MODULE`` is as ``golden`` has it."""
    rest, words, inputs, model = [], list(arguments), [], None
    with tempfile.TemporaryDirectory() as folder:
        golden = Path(folder) / "golden.npz"
        while words:
            word = words.pop(0)
            if (against := _value_of(word, words, ("--against",))) is not None:
                rest += ["--against", str(golden) if against == "eager" else against]
            elif (path := _value_of(word, words, ("-i", "--input"))) is not None:
                inputs.append(path)
            elif (module := _value_of(word, words, ("--import",))) is not None:
                importlib.import_module(module)
            else:
                model = word if model is None and word.endswith(".pt2") else model
                rest.append(word)
        if model is not None:  # the command says what else is wrong
            try:
                _golden.write(Path(model), golden, _golden.read_inputs(inputs), program=_program_of(rest))
            except _golden.Refused as error:
                raise SystemExit(f"buddy: error: {error}") from None
        return subprocess.run([_program(), "bisect", *rest], check=False).returncode
