# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The register of test models: what a model is, and how its weights are drawn.

The models themselves are in vision.py, language.py and sem_*.py; zoo.py gathers them.
"""

from __future__ import annotations

import hashlib
import inspect
import math
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

DIALECTS = ("composite", "decomposed")

Args = tuple[Any, ...]
Kwargs = dict[str, Any]


class Sample(NamedTuple):
    """A model ready to export.

    `args` and `kwargs` are what it is exported with. A model with `dynamic_shapes` also has `sizes`: calls of
    different sizes, each of which the one exported program has to answer.
    """

    module: nn.Module
    args: Args
    kwargs: Kwargs = {}
    dynamic_shapes: Any = None
    sizes: tuple[tuple[Args, Kwargs], ...] = ()


@dataclass(frozen=True)
class Model:
    """A registered model. `build` draws the weights and inputs anew from `seed` on every call."""

    name: str
    function: Callable[[], Sample] = field(repr=False)
    group: str
    quick: bool
    tolerance: float | None
    may_refuse: bool
    dialects: tuple[str, ...]

    @property
    def seed(self) -> int:
        """From the name, so that adding a model does not change the numbers of the others."""
        return zlib.crc32(self.name.encode())

    def build(self) -> Sample:
        torch.manual_seed(self.seed)
        sample = self.function()
        sample.module.eval()
        return sample

    def source_hash(self) -> str:
        """A digest of the files this model comes from."""
        files = (__file__, inspect.getfile(self.function), inspect.getfile(inspect.unwrap(self.function)))
        return hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()


MODELS: dict[str, Model] = {}


def model(
    *,
    group: str,
    quick: bool = False,
    tolerance: float | None = None,
    may_refuse: bool = False,
    dialects: tuple[str, ...] = DIALECTS,
    name: str | None = None,
) -> Callable[[Callable[[], Sample]], Callable[[], Sample]]:
    """Registers the decorated function under its own name.

    `quick` puts it in the set that CI exports and runs on every change. `tolerance` takes the place of compare.py's
    own for the dtype. `may_refuse` says that an importer may decline the archive, if it says why. `dialects` leaves
    one out where PyTorch is at fault.
    """

    def register(function: Callable[[], Sample]) -> Callable[[], Sample]:
        key = name or function.__name__
        if key in MODELS:
            raise ValueError(f"two models are named {key}")
        MODELS[key] = Model(key, function, group, quick, tolerance, may_refuse, dialects)
        return function

    return register


def parameter_count(module: nn.Module) -> int:
    """Elements of all parameters, tied ones counted once."""
    return sum(p.numel() for p in module.parameters())


# With even gains, a dozen layers make all tokens alike: attention takes a little of every token, and what a branch adds
# to all of them in common outweighs what tells them apart. So attention is sharpened and branches are damped.
GAINS = (
    (re.compile(r"\b(query|key|q_proj|k_proj)\.weight$"), 2.0),
    (re.compile(r"\b(output\.dense|o_proj|out_proj|c_proj|down_proj|fc2|wo|SelfAttention\.o)\.weight$"), 0.5),
)


@torch.no_grad()
def draw_weights(module: nn.Module, embedding_std: float = 0.3) -> None:
    """Draws every weight so that activations keep a spread near one from layer to layer.

    The usual start values of a transformer (deviation 0.02, biases zero, norms one) leave attention almost uniform and
    hide a forgotten bias or scale; these do not.
    """
    for name, parameter in module.named_parameters():
        owner = module.get_submodule(name.rpartition(".")[0])
        if isinstance(owner, nn.Embedding):
            parameter.normal_(0.0, embedding_std)
        elif parameter.dim() >= 2:
            fan_in = parameter[0].numel()
            if type(owner).__name__ == "Conv1D":  # GPT-2's linear layer keeps its weight as (in, out)
                fan_in = parameter.shape[0]
            gain = next((gain for pattern, gain in GAINS if pattern.search(name)), 1.0)
            parameter.normal_(0.0, gain / math.sqrt(fan_in))
        elif name.endswith("bias"):
            parameter.normal_(0.0, 0.1)
        else:
            parameter.uniform_(0.8, 1.2)


@torch.no_grad()
def draw_batch_norm_statistics(module: nn.Module, batch: torch.Tensor) -> None:
    """Gives batch norms the statistics of `batch`, then disturbs them, and draws their scale and shift.

    Statistics drawn from nothing would let a deep network's activations grow or die.
    """
    norms = [m for m in module.modules() if isinstance(m, nn.BatchNorm2d)]
    for norm in norms:
        norm.momentum = 1.0
        norm.weight.uniform_(0.8, 1.2)
        norm.bias.normal_(0.0, 0.1)
    module.train()
    module(batch)
    module.eval()
    for norm in norms:
        norm.momentum = 0.1
        norm.running_mean.add_(0.1 * norm.running_var.sqrt() * torch.randn_like(norm.running_mean))
        norm.running_var.mul_(torch.empty_like(norm.running_var).uniform_(0.8, 1.25))
        norm.num_batches_tracked.zero_()


class Pick(nn.Module):
    """Calls a model and returns one named field of its result."""

    def __init__(self, inner: nn.Module, key: str, fixed: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.inner = inner
        self.key = key
        self.fixed = dict(fixed or {})

    def forward(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        return getattr(self.inner(*args, **self.fixed, **kwargs), self.key)
