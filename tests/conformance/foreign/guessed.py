"""All public modules and functions of a package as programs: constructors and calls by the names of their parameters.

Nobody here chose what is called. Of some forms of inputs (images, sequences, vectors, volumes, edges) a case is the first that eager takes.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import pkgutil
from collections.abc import Iterator
from typing import Any

import torch
from foreign import Case

WIDTH = 8
# What a required parameter is, by a part of its name; the first that is found. Everything else numeric is 1.
NUMBERS = {
    "image_size": 16, "img_size": 16, "patch_size": 4, "spatial_dims": 2, "n_dims": 2, "num_heads": 2, "heads": 2, "n_head": 2, "kernel": 3,
    "window": 3, "num_classes": 3, "n_classes": 3, "groups": 2, "depth": 1, "num_layers": 1, "n_layers": 1, "ratio": 0.5, "sigma": 1.5,
    "dim": WIDTH, "channels": WIDTH, "features": WIDTH, "_chs": WIDTH, "hidden": WIDTH, "embed": WIDTH, "size": WIDTH, "in_": WIDTH, "out_": WIDTH,
    "num_tokens": 20, "max_seq_len": 16, "length": 6, "angle": 30.0, "factor": 2.0, "alpha": 0.5, "beta": 0.5, "gamma": 1.5, "threshold": 0.3,
    "freq": 440.0, "rate": 16000, "irreps": "4x0e+2x1o", "n_chans": 3, "n_outputs": 3, "n_times": 200, "sfreq": 100, "input_window": 16, "n_modes": (4, 4),
    "n_": 4, "num": 3, "k": 2, "p": 2,
}
IMAGE, SEQUENCE, VECTOR, SIGNAL, VOLUME, EDGES = range(6)


def tensor(kind: int, name: str, generator: torch.Generator, channels: int) -> torch.Tensor:
    """Of values that most things take: between 0 and 1."""
    sizes = {IMAGE: (2, channels, 16, 16), SEQUENCE: (2, 6, channels), VECTOR: (6, channels), SIGNAL: (2, 160), VOLUME: (2, channels, 8, 8, 8),
             EDGES: (6, channels)}[kind]
    if "edge_index" in name:
        return torch.randint(0, 6, (2, 10), generator=generator)
    if "mask" in name:
        return torch.rand(sizes, generator=generator) > 0.3
    return torch.rand(sizes, generator=generator)


def number(name: str) -> Any:
    return next((value for part, value in NUMBERS.items() if part in name), 1)


def is_needed(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)


def needed(function: Any) -> list[inspect.Parameter]:
    return [one for one in inspect.signature(function).parameters.values() if one.name != "self" and is_needed(one)]


def constructed(cls: type) -> Iterator[torch.nn.Module]:
    """The module with numbers by name, then with pairs for what is a size."""
    names = [one.name for one in needed(cls.__init__)]
    yield cls(**{name: number(name) for name in names})


def tensors_for(function: Any) -> Iterator[tuple[tuple, dict]]:
    parameters = needed(function)
    if any(one.kind is one.VAR_POSITIONAL for one in inspect.signature(function).parameters.values()) and not parameters:
        names = ["x"]
    else:
        names = [one.name for one in parameters]
    if not names:
        names = [next(iter(name for name in inspect.signature(function).parameters if name != "self"))]
    annotations = {one.name: str(one.annotation) for one in parameters}
    for kind, channels, classes in itertools.product((IMAGE, SEQUENCE, VECTOR, SIGNAL, VOLUME, EDGES), (WIDTH, 3, 1), (False, True)):
        generator = torch.Generator().manual_seed(kind)
        args = []
        for name in names:
            if any(word in annotations.get(name, "") for word in ("int", "float")) and "Tensor" not in annotations[name]:
                args.append(number(name))
            elif "bool" in annotations.get(name, ""):
                args.append(True)
            else:
                value = tensor(kind, name, generator, channels)
                args.append((value * 3).long() if classes and (name in ("target", "x", "index", "input_ids", "labels", "preds")) else value)
        yield tuple(args), {}


def refuse_download(url: str, *args: Any, **kwargs: Any) -> None:
    raise ConnectionError(f"no weights from {url}")


def within(namespace: str) -> list[str]:
    """A package and all in it that loads."""
    found = []
    package = importlib.import_module(namespace)
    for name in [namespace, *(one.name for one in pkgutil.walk_packages(package.__path__, namespace + ".", onerror=lambda name: None))]:
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
        problem: Exception = TypeError("nothing fits")
        makers = [lambda: value] if inspect.isfunction(value) else [functools.partial(next, constructed(value))]
        for make in makers:
            call = make()
            if isinstance(call, torch.nn.Module):
                call = call.eval()
            for args, kwargs in tensors_for(call.forward if isinstance(call, torch.nn.Module) else call):
                try:
                    with torch.no_grad():
                        results = call(*[one.clone() if isinstance(one, torch.Tensor) else one for one in args], **kwargs)
                except Exception as error:
                    problem = error
                    continue
                if any(isinstance(one, torch.Tensor) for one in torch.utils._pytree.tree_leaves(results)):
                    return Case(call, args, kwargs)
        raise problem
