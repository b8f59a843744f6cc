# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of one image that are added up are one, and only those that can be: eager's numbers, of known and unknown sizes."""

import copy
from collections.abc import Callable
from pathlib import Path

import buddy
import pytest
import torch
from buddy.compiler.frontend import DynamoCompiler
from torch import nn

AUTO = torch.export.Dim.AUTO
KERNELS = ("buddy.image", "buddy.convolution", "buddy.winograd")


def normed(n: int) -> nn.BatchNorm2d:
    norm = nn.BatchNorm2d(n)
    for tensor, low, high in ((norm.running_mean, -1, 1), (norm.running_var, 0.5, 2), (norm.weight.data, 0.5, 1.5), (norm.bias.data, -1, 1)):
        tensor.uniform_(low, high)
    return norm


class Branches(nn.Module):
    """What is added up, and what becomes of the sum; `convolutions` of it are left."""

    def __init__(self, convolutions: int, forward: Callable[..., torch.Tensor], *parts: nn.Module) -> None:
        super().__init__()
        self.convolutions, self.sum, self.parts = convolutions, forward, nn.ModuleList(parts)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.sum(x, *self.parts)


def conv(window: int | tuple[int, int], frame: int | tuple[int, int] = 0, out: int = 24, groups: int = 1, bias: bool = False, **more: int) -> nn.Conv2d:
    return nn.Conv2d(24, out, window, padding=frame, groups=groups, bias=bias, **more)


def vgg(stride: int = 1, out: int = 24, groups: int = 1, window: int = 3) -> Branches:
    parts = [conv(window, window // 2, out, groups, stride=stride), normed(out), conv(1, 0, out, groups, stride=stride), normed(out)]
    if stride == 1 and out == 24:
        return Branches(1, lambda x, a, na, b, nb, n: torch.relu(na(a(x)) + nb(b(x)) + n(x)), *parts, normed(24))
    return Branches(1, lambda x, a, na, b, nb: torch.relu(na(a(x)) + nb(b(x))), *parts)


MODULES: dict[str, Callable[[], Branches]] = {
    "RepVGG": vgg,
    "steps": lambda: vgg(stride=2, out=40),
    "depthwise": lambda: vgg(groups=24),
    "depthwise of 7": lambda: vgg(groups=24, window=7),
    "groups": lambda: Branches(2, lambda x, a, b: torch.relu(a(x) + b(x)), conv(3, 1, groups=4), conv(1, groups=4)),
    "many": lambda: Branches(1, lambda x, *p: torch.relu(sum(n(c(x)) for c, n in zip(p[::2], p[1::2], strict=True))),
                             *(part for _ in range(5) for part in (conv(1), normed(24)))),
    "biases": lambda: Branches(1, lambda x, a, b: nn.functional.silu(a(x) + b(x)), conv(3, 1, bias=True), conv(1, bias=True)),
    "one bias": lambda: Branches(1, lambda x, a, b: a(x) + b(x), conv(3, 1), conv(1, bias=True)),
    "subtracted": lambda: Branches(1, lambda x, a, b, n: n(a(x) - b(x) + 2), conv(3, 1, bias=True), conv(1, bias=True), normed(24)),
    "crosses": lambda: Branches(1, lambda x, a, b, c: a(x) + b(x) + c(x), conv(3, 1), conv((3, 1), (1, 0)), conv((1, 3), (0, 1))),
    "RepViT": lambda: Branches(1, lambda x, a, na, b, n: n(na(a(x)) + b(x) + x), conv(3, 1, groups=24), normed(24), conv(1, groups=24, bias=True), normed(24)),
    "and another tensor": lambda: Branches(1, lambda x, a, b, n: torch.relu(n(a(x) + b(x)) + x.square()), conv(3, 1), conv(1), normed(24)),
    "holes": lambda: Branches(1, lambda x, a, b: a(x) + b(x), conv(3, 2, dilation=2), conv(1)),
    "other holes": lambda: Branches(2, lambda x, a, b: a(x) + b(x), conv(3, 2, dilation=2), conv(3, 1)),
    "of two images": lambda: Branches(2, lambda x, a, b: a(x) + b(torch.relu(x)), conv(3, 1), conv(1)),
    "read twice": lambda: Branches(2, lambda x, a, b: (y := a(x)) + b(x) + torch.sigmoid(y), conv(3, 1), conv(1)),
    "multiplied": lambda: Branches(2, lambda x, a, b: a(x) * b(x), conv(3, 1), conv(1)),
    "numbers of places": lambda: Branches(2, lambda x, a, b: a(x) * x.mean((2, 3), keepdim=True) + b(x), conv(3, 1), conv(1)),
    "beside its window": lambda: Branches(2, lambda x, a, b: a(x) + b(x)[..., :-2, :-2], conv(3), conv(1)),
}
SIZES = ((2, 24, 13, 10), (1, 24, 3, 3), (3, 24, 1, 7), (2, 24, 17, 2), (1, 24, 1, 1), (5, 24, 9, 31))


def check(model: Callable[..., torch.Tensor], module: nn.Module, x: torch.Tensor) -> None:
    with torch.no_grad():
        expected, exact = module(x), copy.deepcopy(module).double()(x.double())
    found = model(x)
    found = found[0] if isinstance(found, (list, tuple)) else found
    assert found.shape == expected.shape and found.dtype == expected.dtype
    of_ours, of_eager = ((y.double() - exact).abs().max() / exact.abs().max() for y in (found, expected))
    assert of_ours <= 4 * of_eager + 1e-6, (tuple(x.shape), float(of_ours), float(of_eager))


@pytest.mark.parametrize("name", MODULES)
def test_branches_are_one(name: str) -> None:
    torch.manual_seed(0)
    module = MODULES[name]().eval()
    x = torch.randn(2, 24, 13, 10)
    graph = DynamoCompiler().importer_by_export(module, x)[0]
    check(graph, module, x)
    profile = graph.profile(x, repeat=1)
    assert sum(step.kernel.startswith(KERNELS) for step in profile.steps) == module.convolutions, str(profile)


@pytest.mark.parametrize("of", [(), (0,), (0, 2, 3)], ids=["none", "batch", "all"])
@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_branches_of_any_size(name: str, of: tuple[int, ...], tmp_path: Path) -> None:
    torch.manual_seed(0)
    module = MODULES[name]().eval()
    like = torch.randn(2, 24, 13, 10)
    program = torch.export.export(module, (like,), dynamic_shapes=({d: AUTO for d in of},) if of else None)
    torch.export.save(program, tmp_path / "model.pt2")
    model = buddy.load(tmp_path / "model.pt2", cache=False)
    for k, sizes in enumerate(SIZES):
        x = torch.randn([n if i in of else m for i, (n, m) in enumerate(zip(sizes, like.shape, strict=True))])
        with torch.no_grad():
            try:
                program.module()(x)
            except (AssertionError, RuntimeError):  # a size that the archive, or the module, refuses
                continue
        model.set_threads(1 + k % 2)
        check(model, module, x)


def test_branches_of_doubles() -> None:
    torch.manual_seed(0)
    module = vgg().eval().double()
    x = torch.randn(1, 24, 9, 8, dtype=torch.float64)
    graph = DynamoCompiler().importer_by_export(module, x)[0]
    assert torch.allclose(graph(x)[0], module(x), rtol=1e-12, atol=1e-12)
