# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All public modules and functions of a package as programs: constructors and calls by the names of their parameters.

Nobody here chose what is called. Of some forms of inputs (images, sequences, vectors, volumes, edges) a case is the first that eager takes.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import torch
from foreign import Case

WIDTH = 8
# What a required parameter is, by a part of its name; the first that is found. Everything else numeric is 1.
NUMBERS = {
    "dims_in": [(WIDTH,)], "constructor": torch.nn.Linear, "image_size": 16, "img_size": 16, "patch_size": 4, "spatial_dims": 2, "n_dims": 2,
    "num_heads": 2, "heads": 2, "n_head": 2, "kernel": 3,
    "window": 3, "num_classes": 3, "n_classes": 3, "groups": 2, "depth": 1, "num_layers": 1, "n_layers": 1, "ratio": 0.5, "sigma": 1.5,
    "dim": WIDTH, "channels": WIDTH, "features": WIDTH, "_chs": WIDTH, "hidden": WIDTH, "embed": WIDTH, "size": WIDTH, "in_": WIDTH, "out_": WIDTH,
    "num_tokens": 20, "max_seq_len": 16, "length": 6, "angle": 30.0, "factor": 2.0, "alpha": 0.5, "beta": 0.5, "gamma": 1.5, "threshold": 0.3,
    "freq": 440.0, "rate": 16000, "irreps": "4x0e+2x1o", "n_chans": 3, "n_outputs": 3, "n_times": 200, "sfreq": 100, "input_window": 16, "n_modes": (4, 4),
    "n_": 4, "num": 3, "k": 2, "p": 2,
}
WIDTHS = (WIDTH, 3, 1, 64)
WIDE = 8  # times as wide, where heads of 64 or groups of 32 are usual
COUNTS = ("num", "n_")  # a name that ends in "s" and is one number
FORMS: tuple[Callable[[int], tuple], ...] = (  # of the inputs that a call's names do not tell, by their width
    lambda n: (2, n, 16, 16), lambda n: (2, 6, n), lambda n: (6, n), lambda n: (2, 160), lambda n: (2, n, 8, 8, 8), lambda n: (2, 4, n, 8, 8),
    lambda n: (2, n, 32, 32), lambda n: (2, n, 160))
# What an input is, by a part of its name; the others are floats of one of the forms. Each is given the form and a generator.
INPUTS: dict[str, Callable[[tuple, torch.Generator], torch.Tensor]] = {
    "edge_index": lambda form, g: torch.randint(0, 6, (2, 10), generator=g),
    "edge_attr": lambda form, g: torch.rand(10, form[-1], generator=g),
    "edge_weight": lambda form, g: torch.rand(10, generator=g),
    "mask": lambda form, g: torch.rand(form, generator=g) > 0.3,
    "timestep": lambda form, g: torch.tensor([3.0, 7.0])[:form[0]],
    "temb": lambda form, g: torch.rand(form[:2] if len(form) > 3 else (form[0], form[-1]), generator=g),
    "length": lambda form, g: torch.tensor([6, 4]),
    "boxes": lambda form, g: torch.rand(5, 4, generator=g).sort().values * 16,
}
LISTS = ("Iterable[", "Sequence[", "List[", "list[")  # the type of an input that is a list of one tensor
CLASSES = ("target", "x", "index", "input_ids", "labels", "preds", "ids", "tokens", "indices", "src", "y", "label", "text")


def tensor(form: tuple, name: str, generator: torch.Generator) -> torch.Tensor:
    """Of values that most things take: between 0 and 1."""
    make = next((make for part, make in INPUTS.items() if part in name), None)
    return make(form, generator) if make else torch.rand(form, generator=generator)


def number(name: str) -> Any:
    return next((value for part, value in NUMBERS.items() if part in name), 1)


def is_needed(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)


def needed(function: Any) -> list[inspect.Parameter]:
    return [one for one in inspect.signature(function).parameters.values() if one.name != "self" and is_needed(one)]


def value_of(parameter: inspect.Parameter) -> Any:
    """Of a parameter of a constructor, or of a call where its type says that it is no tensor."""
    kind = str(parameter.annotation)
    if "Module" in kind or parameter.name in ("net", "fn", "block", "layer", "module"):
        return torch.nn.Linear(WIDTH, WIDTH) if "type" not in kind.lower() else torch.nn.Identity
    if "norm_layer" in parameter.name:
        return torch.nn.LayerNorm
    if parameter.name in ("act", "activation", "act_layer", "act_fn", "hidden_act", "nonlinearity"):
        return torch.nn.GELU() if "Callable" in kind else "gelu"
    if "bool" in kind:
        return True
    if "None" in kind or "Optional" in kind:
        return None
    value = number(parameter.name)
    return [value] * 2 if any(word in kind.lower() for word in ("list", "sequence")) else (value, value) if "tuple" in kind.lower() else value


def as_list(name: str, value: Any) -> Any:
    return [value] * 4 if isinstance(value, int) and not isinstance(value, bool) and name.endswith("s") and not name.startswith(COUNTS) else value


def constructed(cls: type) -> Iterator[torch.nn.Module]:
    """The module by types and names of its parameters, then by names alone, then with pairs for what is a size."""
    parameters = needed(cls.__init__)
    plain = {one.name: value_of(one) for one in parameters}
    every = {one.name: one for one in inspect.signature(cls.__init__).parameters.values()}
    for values in (plain, {one.name: number(one.name) for one in parameters},
                   {one.name: (number(one.name),) * 2 if "size" in one.name else number(one.name) for one in parameters},
                   {name: as_list(name, value) for name, value in plain.items()},
                   {name: value * WIDE if value == WIDTH else value for name, value in plain.items()},
                   plain | {name: number(name) for name, one in every.items() if one.default is None and any(part in name for part in NUMBERS)}):
        try:
            yield cls(**values)
        except Exception:
            continue
    yield cls(**{one.name: value_of(one) for one in parameters})  # says what is wrong


def tensors_for(function: Any, widths: tuple[int, ...] = WIDTHS, known: dict[str, Any] | None = None) -> Iterator[tuple[tuple, dict]]:
    """Arguments for what the function needs; known: by name, for what is known of it."""
    every = [one for one in inspect.signature(function).parameters.values() if one.name != "self"]
    parameters = needed(function) or every[:1]
    for form, width, kind_of in [*itertools.product(FORMS, widths, ("floats", "classes")), *itertools.product(FORMS, widths[:1], ("complex",))]:
        generator = torch.Generator().manual_seed(len(form(width)))
        args = []
        for one in parameters:
            kind = str(one.annotation)
            if known and one.name in known:
                value = known[one.name]
            elif "Tensor" not in kind and any(word in kind for word in ("int", "float", "bool", "None", "Optional")):
                value = value_of(one)
            elif "Tensor" in kind and ("None" in kind or "Optional" in kind) and "mask" in one.name:
                value = None
            else:
                value = tensor(form(width), one.name, generator)
                if kind_of == "classes" and one.name in CLASSES and value.is_floating_point():
                    value = (value * 3).long()
                if kind_of == "complex" and value.is_floating_point():
                    value = torch.complex(value, value.flip(0))
                if any(word in kind for word in LISTS):
                    value = [value]
            args.append(value)
        positional = [(one, value) for one, value in zip(parameters, args) if one.kind is not one.KEYWORD_ONLY]
        yield tuple(value for _, value in positional), {one.name: value for one, value in zip(parameters, args) if one.kind is one.KEYWORD_ONLY}


def first_taken(call: Any, widths: tuple[int, ...] = WIDTHS, known: dict[str, Any] | None = None) -> Case:
    """The first arguments that eager takes, and gives a tensor for."""
    problem: Exception = TypeError("nothing fits")
    for args, kwargs in tensors_for(call.forward if isinstance(call, torch.nn.Module) else call, widths, known):
        try:
            with torch.no_grad():
                results = call(*torch.utils._pytree.tree_map_only(torch.Tensor, torch.clone, args), **kwargs)
        except Exception as error:
            problem = error
            continue
        if any(isinstance(one, torch.Tensor) for one in torch.utils._pytree.tree_leaves(results)):
            return Case(call, args, kwargs)
    raise problem


def refuse_download(url: str, *args: Any, **kwargs: Any) -> None:
    raise ConnectionError(f"no weights from {url}")


def within(namespace: str) -> list[str]:
    """A package and all in it that loads."""
    found = []
    package = importlib.import_module(namespace)
    for name in [namespace, *(one.name for one in pkgutil.walk_packages(getattr(package, "__path__", []), namespace + ".", onerror=lambda name: None))]:
        try:
            importlib.import_module(name)
        except Exception:  # asks for another package, or is a script
            continue
        found.append(name)
    return found


class Guessed:
    """The modules and functions that the namespaces of a package make public; is_deep: what each of the files below them defines."""

    def __init__(self, *namespaces: str, modules: bool = True, functions: bool = True, is_deep: bool = False):
        self.namespaces, self.modules, self.functions, self.is_deep = namespaces, modules, functions, is_deep

    @functools.cache
    def found(self) -> dict[str, Any]:
        found = {}
        for namespace in self.namespaces if not self.is_deep else [one for name in self.namespaces for one in within(name)]:
            package = importlib.import_module(namespace)
            for name in (getattr(package, "__all__", None) if not self.is_deep else None) or dir(package):
                value = getattr(package, name, None)
                home = str(getattr(value, "__module__", ""))
                if name.startswith("_") or value is None or not (home == namespace if self.is_deep else home.startswith(namespace.split(".")[0])):
                    continue
                is_module = isinstance(value, type) and issubclass(value, torch.nn.Module)
                if is_module and self.modules or inspect.isfunction(value) and self.functions:
                    found[f"{namespace}.{name}"] = value
        return found

    def names(self) -> list[str]:
        return list(self.found())

    def make(self, name: str) -> Case:
        torch.hub.download_url_to_file = refuse_download
        value = self.found()[name]
        if inspect.isfunction(value):
            return first_taken(value)
        problem: Exception = TypeError("nothing fits")
        for module in constructed(value):
            try:
                return first_taken(module.eval())
            except Exception as error:
                problem = error
        raise problem
