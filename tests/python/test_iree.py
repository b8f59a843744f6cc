# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""buddy.backends.iree: programs imported by buddy, compiled and run by IREE; and what is said where IREE is absent."""

import subprocess
import sys

import pytest
import torch
from conftest import close

from buddy.errors import InvalidArgumentError, UnsupportedError


def test_without_iree_the_import_says_what_to_install():
    code = "import sys; sys.modules['iree.compiler'] = None; from buddy.backends import iree"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "ImportError: buddy.backends.iree needs IREE" in done.stderr and "pip install iree-base-compiler" in done.stderr


@pytest.fixture
def backend():
    pytest.importorskip("iree.compiler", reason="pip install iree-base-compiler iree-base-runtime")
    pytest.importorskip("iree.runtime")
    from buddy.backends import iree

    return iree


class Block(torch.nn.Module):
    """A convolution, hard-swish, squeeze and excitation: what MobileNetV3 is made of."""

    def __init__(self):
        super().__init__()
        self.wide, self.norm = torch.nn.Conv2d(3, 8, 3, 2, 1, bias=False), torch.nn.BatchNorm2d(8)
        self.deep = torch.nn.Conv2d(8, 8, 5, padding=2, groups=8)
        self.squeeze, self.excite = torch.nn.Conv2d(8, 4, 1), torch.nn.Conv2d(4, 8, 1)
        self.head = torch.nn.Linear(8, 5)

    def forward(self, x):
        x = torch.nn.functional.hardswish(self.norm(self.wide(x)))
        x = self.deep(x)
        weight = self.excite(self.squeeze(x.mean((2, 3), keepdim=True)).relu())
        x = x * torch.nn.functional.hardsigmoid(weight)
        return {"classes": self.head(x.mean((2, 3))), "features": x}


@pytest.mark.parametrize("order", [None, "linalg:*", "tosa:composite:func"])
def test_programs_run_as_in_pytorch(backend, order):
    torch.manual_seed(1)
    model = Block().eval()
    x = torch.randn(2, 3, 12, 12)
    run = backend.compile(torch.export.export(model, (x,)), registries=order)
    for other in (x, torch.randn(2, 3, 12, 12), torch.zeros_like(x)):
        result = run(other)
        with torch.no_grad():
            expected = model(other)
        assert list(result) == list(expected)
        close(list(result.values()), list(expected.values()), 1e-5)


def test_archives_and_keywords(backend, tmp_path):
    class Model(torch.nn.Module):
        def forward(self, x, *, y):
            return x.sort(dim=1).values, None, x.cumsum(1) * y

    x, y = torch.randn(3, 9), torch.randn(3, 9)
    torch.export.save(torch.export.export(Model(), (x,), {"y": y}), tmp_path / "model.pt2")
    run = backend.compile(tmp_path / "model.pt2")
    ordered, nothing, sums = run(x, y=y)
    assert nothing is None
    close([ordered, sums], [x.sort(dim=1).values, x.cumsum(1) * y], 1e-5)
    with pytest.raises(InvalidArgumentError, match="the program takes"):
        run(x, y)


def test_what_it_cannot_is_said(backend):
    class Counts(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("n", torch.zeros(2))

        def forward(self, x):
            self.n.add_(1)
            return x + self.n

    with pytest.raises(UnsupportedError, match="writes to n"):
        backend.compile(torch.export.export(Counts(), (torch.ones(2),)))

    class Special(torch.nn.Module):
        def forward(self, x):
            return torch.special.bessel_j0(x)

    with pytest.raises(UnsupportedError, match="IREE does not compile it"):
        backend.compile(torch.export.export(Special(), (torch.ones(2),)))
