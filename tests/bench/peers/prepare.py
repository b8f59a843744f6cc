# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the artifacts of a model, each in the form that the contenders start from: .pt2, .onnx, .xml.

    python prepare.py DIR MODEL

writes DIR/MODEL/model.pt2 and what is made of it, in float32; input_K.npy, and expected_K.npy as PyTorch computes them;
and last prepared.json, which says how large each form is, or why there is none. Inputs are positional and the output is
a tuple, so that no contender has to import the package that the model's classes come from.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree

ROOT = Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "models"))

from classes import sample_of  # noqa: E402
from zoo import Sample  # noqa: E402


class Flat(torch.nn.Module):
    """A model that takes and gives plain tensors."""

    def __init__(self, sample: Sample) -> None:
        super().__init__()
        self.model = sample.module
        leaves, self.spec = pytree.tree_flatten((sample.args, sample.kwargs))
        self.inputs = tuple(leaves)

    def forward(self, *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        args, kwargs = pytree.tree_unflatten(inputs, self.spec)
        leaves = pytree.tree_leaves(self.model(*args, **kwargs))
        return tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))


def is_shape(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and all(isinstance(key, int) for key in value))


def flat_shapes(sample: Sample) -> dict[str, Any] | None:
    """The symbolic sizes of `Flat`'s inputs."""
    if sample.dynamic_shapes is None:
        return None
    return {"inputs": tuple(pytree.tree_leaves(sample.dynamic_shapes, is_leaf=is_shape))}


def to_onnx(program: Any, path: Path) -> None:
    torch.onnx.export(program, dynamo=True, verbose=False).save(str(path), external_data=True)


def to_openvino(program: Any, path: Path) -> None:
    import openvino

    try:
        model = openvino.convert_model(program)
    except Exception:  # there are ops that it takes from ONNX only
        model = openvino.convert_model(path.with_suffix(".onnx"))
    openvino.save_model(model, path, compress_to_fp16=False)


FORMS: dict[str, Callable[[Any, Path], None]] = {".onnx": to_onnx, ".xml": to_openvino, ".pt2": torch.export.save}
FILES = {".onnx": (".onnx", ".onnx.data"), ".xml": (".xml", ".bin"), ".pt2": (".pt2",)}


def size_of(stem: Path, form: str) -> int:
    files = (stem.with_name(stem.name + suffix) for suffix in FILES[form])
    return sum(file.stat().st_size for file in files if file.exists())


def main() -> None:
    folder = Path(sys.argv[1]) / sys.argv[2]
    if (folder / "prepared.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    warnings.filterwarnings("ignore")
    import numpy

    sample = sample_of(sys.argv[2])
    flat = Flat(sample)
    with torch.no_grad():
        outputs = flat(*flat.inputs)
        program = torch.export.export(flat, flat.inputs, dynamic_shapes=flat_shapes(sample))
    for prefix, tensors in (("input", flat.inputs), ("expected", outputs)):
        for k, tensor in enumerate(tensors):
            numpy.save(folder / f"{prefix}_{k}.npy", tensor.contiguous().numpy())
    forms: dict[str, Any] = {}
    for form, make in FORMS.items():
        try:
            make(program, folder / f"model{form}")
            forms[form] = {"bytes": size_of(folder / "model", form)}
        except Exception as error:  # a peer that cannot take a model is reported, the others go on
            forms[form] = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]}
    (folder / "prepared.json").write_text(json.dumps(forms, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
