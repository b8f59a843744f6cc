# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs that a program writes to: in place where they lie, and as eager leaves them whatever they share memory with."""

from pathlib import Path

import pytest
import torch
from conftest import close
from torch.export import Dim, export

import buddy


class Writing(torch.nn.Module):
    """Writes a row of a cache, and reads another tensor afterwards."""

    def forward(self, cache, rows, x, other):
        cache[rows] = x
        return other.sum(0) + cache[rows].sum(0)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    n = Dim("n", min=1, max=1 << 20)
    example = (torch.randn(5, 64), torch.tensor([1, 3]), torch.randn(2, 64), torch.randn(3, 64))
    exported = export(Writing(), example, dynamic_shapes=({0: n}, None, None, None))
    path = tmp_path_factory.mktemp("written") / "writing.pt2"
    torch.export.save(exported, path)
    return buddy.load(path, threads=1)


def both(model, make):
    """Results and inputs of ours, and of eager where no input shares memory with another."""
    ours, alone = make(), [tensor.clone() for tensor in make()]
    expected = Writing()(*alone)
    close(model(*ours), expected)
    close(ours[0], alone[0])
    return ours


@pytest.mark.parametrize("rows", [4, 5, 33])
def test_written_as_eager(model, rows):
    torch.manual_seed(rows)
    seed = torch.randn(rows, 64), torch.tensor([rows - 1, 0]), torch.randn(2, 64), torch.randn(3, 64)
    both(model, lambda: [tensor.clone() for tensor in seed])
    both(model, lambda: [seed[0].t().contiguous().t(), *(tensor.clone() for tensor in seed[1:])])  # columns lie together


@pytest.mark.parametrize("begin", [0, 1, 3])
def test_what_shares_memory_is_read_as_it_was(model, begin):
    """`other` and `x` are rows of the cache itself."""
    torch.manual_seed(begin)
    memory = torch.randn(6, 64)

    def make():
        cache = memory.clone()
        return [cache, torch.tensor([1, 4]), cache[begin : begin + 2], cache[begin : begin + 3]]

    ours = both(model, make)
    assert not torch.equal(ours[0], memory)


def test_what_is_refused_writes_nothing(model):
    cache = torch.zeros(4, 64)
    for arguments in [(torch.tensor([0, 1]), torch.ones(2, 63), torch.ones(3, 64)), (torch.tensor([0, 1]), torch.ones(2, 64))]:
        with pytest.raises(buddy.InvalidArgumentError):
            model(cache, *arguments)
    assert not cache.any()


def kibibytes(name):
    return int(next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name)).split()[1])


def test_nothing_is_copied(model):
    cache, others = torch.ones(1 << 18, 64), (torch.randn(2, 64), torch.randn(3, 64))  # 64 MiB
    Path("/proc/self/clear_refs").write_text("5")  # the largest size so far is that of now
    before = kibibytes("VmRSS")
    for row in range(3):
        model(cache, torch.tensor([row, (1 << 18) - 1 - row]), *others)
    assert kibibytes("VmHWM") - before < (64 << 10) / 8
    assert torch.equal(cache[2], others[0][0]) and torch.equal(cache[-3], others[0][1])
