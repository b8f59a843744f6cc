# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that a program computes of its sizes, and conditions on them: where the exported program refuses its inputs so do we, and
a whole number beyond 64 bits, where Python's have no end, is an error of the run and never another number."""

import itertools
import math

import pytest
import torch
from conftest import close

import buddy

AUTO = torch.export.Dim.AUTO
# Conditions under which a program is exported at n = 8 and m = 2.
CONDITIONS = {
    "trunc": lambda n, m: math.trunc(n / m) == 4,
    "trunc below 0": lambda n, m: int((m - n) / m) == -3,
    "trunc of a product": lambda n, m: int(n * 0.3) == 2,
    "floor": lambda n, m: math.floor(n / m) == 4,
    "ceil": lambda n, m: math.ceil(n / m) == 4,
    "round": lambda n, m: round(n / m) == 4,
    "round of a product": lambda n, m: round(n * 0.3) == 2,
    "quotient": lambda n, m: n / m == 4.0,
    "quotient above": lambda n, m: n / m > 3.3,
    "thirds": lambda n, m: n / 3 < 2.7,
    "float": lambda n, m: n * 0.3 < 2.7,
    "max": lambda n, m: torch.sym_max(n, m) == 8,
    "min": lambda n, m: torch.sym_min(n, m + 1) == 3,
    "mod": lambda n, m: n % m == 0,
    "mod below 0": lambda n, m: (m - n) % 4 == 2,
    "mod of a negative": lambda n, m: n % -3 == -1,
    "floordiv of a negative": lambda n, m: n // -3 == -3,
    "float mod": lambda n, m: (n / 3) % 2 > 0.6,
    "float floordiv": lambda n, m: n / 1.5 // 2 == 2,
    "whole": lambda n, m: (n / 4).is_integer(),
    "square": lambda n, m: n**2 > 50,
    "power of 2": lambda n, m: 2**n > 50,
    "power": lambda n, m: n**m == 64,
    "root": lambda n, m: n**0.5 > 2.5,
    "shift": lambda n, m: n >> m == 2,
    "and": lambda n, m: n & 3 == 0,
    "or": lambda n, m: n | 3 == 11,
    "xor": lambda n, m: n ^ 3 == 11,
    "choice": lambda n, m: torch.sym_ite(n > 4, n, m) == 8,
    "abs": lambda n, m: abs(m - n) == 6,
    "chain": lambda n, m: m < n < 12,
    "either": lambda n, m: n > 9 or m < 3,
}


class Numbers(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x, y):
        return self.function(x, y)


def loaded(tmp_path, function, *inputs):
    dims = tuple({0: AUTO} for _ in inputs)
    exported = torch.export.export(Numbers(function), inputs, dynamic_shapes={"x": dims[0], "y": dims[1]}, strict=False)
    torch.export.save(exported, tmp_path / "numbers.pt2")
    return buddy.load(tmp_path / "numbers.pt2", cache=False, opt_level=0), exported.module()


def called(function, *inputs):
    try:
        return function(*inputs)
    except Exception:
        return None


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions(tmp_path, name):
    def branches(x, y):
        return x * 2 if CONDITIONS[name](x.shape[0], y.shape[0]) else x * 3

    model, exported = loaded(tmp_path, branches, torch.zeros(8, 2), torch.zeros(2))
    refused = 0
    for n, m in itertools.product([2, 3, 7, 8, 9, 10, 12, 16], [2, 3, 4]):
        inputs = torch.ones(n, 2), torch.ones(m)
        expected = called(exported, *inputs)
        refused += expected is None
        if expected is None:
            with pytest.raises(buddy.InvalidArgumentError, match="the program holds only where|expected f32"):
                model(*inputs)
        else:
            close(model(*inputs), expected)
    assert 0 < refused < 24


GROWING = {
    "power": lambda n, k: n**20,
    "negated": lambda n, k: -(n**20),
    "difference": lambda n, k: 10 - n**20,
    "power of 2": lambda n, k: 2**n,
    "shift": lambda n, k: 1 << n,
    "shift by much": lambda n, k: n << 58,
    "product": lambda n, k: n * 2**58,
    "sum": lambda n, k: 2**n + 2**n,
    "product of data": lambda n, k: k * 2**40 * 2**20,
    "sum of data": lambda n, k: k * 2**56 + k * 2**56,
}


@pytest.mark.parametrize("in_branch", [False, True])
@pytest.mark.parametrize("name", GROWING)
def test_numbers_do_not_wrap(tmp_path, name, in_branch):
    def multiplied(x, y):
        def by(x):
            return x * GROWING[name](x.shape[0], y.sum().item() if "data" in name else None)
        return torch.cond(x.sum() > 0, by, lambda x: x + 1, (x,)) if in_branch else by(x)

    if in_branch and "data" in name:
        pytest.skip("a branch of torch.cond takes no numbers of data")
    model, exported = loaded(tmp_path, multiplied, torch.ones(2), torch.ones(2, dtype=torch.int64))
    runs = 0
    for n in (2, 3, 5, 20, 61, 62, 63, 64, 65, 100):
        inputs = torch.ones(n), torch.arange(n) % 7 + 1
        got, expected = called(model, *inputs), called(exported, *inputs)
        runs += got is not None
        if got is not None:  # else: Python's numbers go on, to what is no number of 64 bits
            assert expected is not None, f"runs at {n}, where PyTorch raises"
            close(got, expected)
    assert 0 < runs < 10


@pytest.mark.parametrize("n", [2, 3, 17, 40])
@pytest.mark.parametrize("function", ["svdvals", "svd", "pinv", "eigvals"])
def test_decompositions_of_infinities_end_and_print_nothing(tmp_path, capfd, function, n):
    """LAPACKs iterate for ever, or print; PyTorch's own do both."""

    class Decomposed(torch.nn.Module):
        def forward(self, x):
            result = getattr(torch.linalg, function)(x)
            return result if isinstance(result, torch.Tensor) else result[1]

    x = torch.eye(n) + 0.1
    torch.export.save(torch.export.export(Decomposed(), (x,)), tmp_path / "m.pt2")
    model = buddy.load(tmp_path / "m.pt2", cache=False)
    for at in [(0, 0), (n - 1, 0)]:
        bad = x.index_put(tuple(map(torch.tensor, at)), torch.tensor(torch.inf))
        assert model(bad).isnan().all() and capfd.readouterr() == ("", "")
    torch.testing.assert_close(model(x).abs().sort().values, Decomposed()(x).abs().sort().values, rtol=1e-4, atol=1e-4)
