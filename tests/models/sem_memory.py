# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs about memory: views and in-place ops, weights and constants, state that outlives a call.

As in all sem_*.py, a program's docstring says what an importer has to get right.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from catalog import Sample, draw_weights
from programs import booleans, module, normal, program
from torch import Tensor, nn

# --------------------------------------------------------------------------------------------------------------------
# Views and in-place ops
# --------------------------------------------------------------------------------------------------------------------


@program(normal(4, 5))
def inplace_select(x: Tensor) -> Tensor:
    """An in-place op on a view changes the base."""
    x = x.clone()
    x[:, 0].add_(1)
    return x


@program(normal(4, 6))
def inplace_view(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """A value read before the mutation keeps its old content; base and view both show the new."""
    x = x.clone()
    before = x + 0
    y = x.view(2, 12)
    y.mul_(2)
    return before, x, y


@program(normal(4, 6), normal(4, 3))
def inplace_slices(x: Tensor, y: Tensor) -> Tensor:
    """Writes through slices with steps and through assignment."""
    x = x.clone()
    x[:, ::2].copy_(y)
    x[1:3, -1] = 7
    x[..., 1].fill_(0.5)
    x[-1] += y[0].repeat(2)
    return x


@program(normal(2, 3, 4))
def inplace_view_chain(x: Tensor) -> tuple[Tensor, Tensor]:
    """A view of a view of a view; an older view of the same base sees the write."""
    x = x.clone()
    flat = x.view(-1)
    narrow = x.transpose(0, 2).narrow(1, 1, 2).unsqueeze(0)[:, ::3]
    narrow.sub_(10)
    flat.relu_()
    return x, narrow


@program(normal(5, 4), normal(4), booleans(5, 4))
def inplace_indexed(x: Tensor, row: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """index_put_ with a tensor index and accumulation, masked_fill_, scatter_, index_add_."""
    a = x.clone()
    a[torch.tensor([3, 0])] = row
    a.masked_fill_(mask, -1.0)
    b = x.clone()
    b.index_add_(0, torch.tensor([1, 1, 4]), torch.stack([row, row, -row]), alpha=2)
    b.scatter_(1, torch.tensor([[0], [1], [2], [3], [0]]), 9.0)
    b.index_put_((torch.tensor([2, 2]), torch.tensor([1, 1])), torch.tensor(1.5), accumulate=True)
    return a, b


@program(normal(3, 4))
def inplace_returned_view(x: Tensor) -> tuple[Tensor, Tensor]:
    """Outputs that alias one another and are not contiguous."""
    x = x * 1
    y = x.t()
    y.add_(1)
    x[0].zero_()
    return y, x


@program(normal(3, 4))
def inplace_expand_copy(x: Tensor) -> Tensor:
    """copy_ broadcasts and converts; out-of-place results are not aliased to what they came from."""
    base = torch.zeros(2, 3, 4, dtype=torch.float64)
    base.copy_(x)
    other = base.clone()
    base.add_(other, alpha=3)
    return base - other.to(torch.float32)


@program(normal(6, 4), normal(3, 4), dialects=("composite",))
def inplace_unannounced_views(x: Tensor, z: Tensor) -> tuple[Tensor, ...]:
    """Ops that give their operand, or a part of it, although their schemas do not say so."""
    y = x * 2
    torch.conj_physical(y).add_(1)
    y.sum_to_size(6, 4).mul_(3)
    y.sum_to_size(1, 4).fill_(7)
    torch.unsafe_split(y, 4)[1].neg_()
    torch.unsafe_chunk(y, 2, 1)[0].add_(2)
    torch.unsafe_split_with_sizes(y, [1, 5])[0].mul_(5)
    torch.vsplit(y, 3)[1].sub_(1)
    torch.linalg.diagonal(y).fill_(0.5)
    torch.cartesian_prod(y[2]).add_(9)
    z.conj_physical().mul_(2)
    torch.complex(z, z).conj_physical().add_(1)
    torch.einsum("ij->i", y).zero_()
    y.as_strided((2, 2), (8, 1), 3)[1].squeeze().mul_(4)
    return y, z + 1


@program(normal(6, 4))
def inplace_split_parts(x: Tensor) -> Tensor:
    """The parts of split and unbind are views: writing to one shows in the whole."""
    x = x.clone()
    first, second = x.split([2, 4])
    first.exp_()
    second.unbind(1)[2].neg_()
    x.chunk(3, dim=1)[0].mul_(first[0, 0] + 1)
    return x


@program(normal(3, 4))
def inplace_maybe_alias(x: Tensor) -> tuple[Tensor, ...]:
    """Ops that return their input, a view of it or a copy, as its strides and dtype have it."""
    a, b, c, d, e = (x.clone() for _ in range(5))
    a.reshape(-1).add_(1)  # a view
    b.t().reshape(-1).add_(1)  # a copy: b stays
    c.to(torch.float32).mul_(2)  # c itself
    c.to(torch.float64).mul_(2)  # a copy
    d.contiguous().mul_(3)  # d itself
    d.t().contiguous().zero_()  # a copy
    e.diagonal(1).fill_(5)
    e.expand(2, 3, 4)[1].sub_(1)
    return a, b, c, d, e


@program(normal(3, 4), dialects=("composite",))
def inplace_after_dropout(x: Tensor) -> Tensor:
    """Dropout outside of training returns its input itself; run_decompositions() makes it a copy, and is wrong here."""
    y = x.clone()
    F.dropout(y, 0.5, training=False).neg_()
    return y


@program(normal(3, 4))
def inplace_metadata(x: Tensor) -> tuple[Tensor, Tensor]:
    """In-place ops that change a tensor's shape and leave its values."""
    y = x.clone()
    flat = y.view(-1)
    y.t_()
    y.unsqueeze_(0)
    y.transpose_(0, 1)
    flat[0] = 100.0
    y.squeeze_(1)
    return y, flat


@program(normal(3), normal(3))
def out_arguments(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Results that are written into a tensor given with out=."""
    z, w = torch.zeros(3), torch.zeros(2, 3)
    torch.add(x, y, out=z)
    torch.mul(z, z, out=z)
    torch.exp(z, out=w[1])
    return z, w


@program(normal(4, 4))
def as_strided(x: Tensor) -> tuple[Tensor, Tensor]:
    """as_strided reads by element offset in the base's storage; here the diagonal and overlapping windows."""
    return torch.as_strided(x, (4,), (5,)), torch.as_strided(x, (3, 4), (2, 1), 3)


# --------------------------------------------------------------------------------------------------------------------
# Parameters, buffers and constants
# --------------------------------------------------------------------------------------------------------------------


class TiedWeights(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.middle = nn.Linear(8, 8)
        self.head = nn.Linear(8, 20, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, ids: Tensor) -> Tensor:
        return self.head(torch.tanh(self.middle(self.embedding(ids))))


@module()
def tied_weights() -> Sample:
    """One parameter under two names."""
    network = TiedWeights()
    draw_weights(network)
    return Sample(network, (torch.randint(0, 20, (2, 5)),))


class StridedParameters(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        store = torch.randn(10, 12)
        self.transposed = nn.Parameter(torch.randn(6, 4).t())
        self.sliced = nn.Parameter(store[2:8, 1:7])
        self.stepped = nn.Parameter(store[::2, 3])
        self.register_buffer("expanded", torch.randn(6, 1).expand(6, 4))
        self.register_buffer("tail", store.view(-1)[-6:])
        self.register_buffer("scalar", torch.tensor([1.0, 2.0, 3.0])[1])

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y = x @ self.transposed @ self.sliced @ self.expanded * self.scalar
        return y, self.stepped.sum() * self.tail


@module()
def strided_parameters() -> Sample:
    """Weights that are transposed, sliced, stepped, expanded (stride 0), and several views of one storage."""
    return Sample(StridedParameters(), (torch.randn(3, 4),))


class Buffers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("kept", torch.randn(4))
        self.register_buffer("table", torch.arange(8, dtype=torch.int64) * 3, persistent=False)
        self.register_buffer("flag", torch.tensor(True), persistent=False)
        self.register_buffer("absent", None)
        self.plain = torch.randn(4)

    def forward(self, x: Tensor, index: Tensor) -> Tensor:
        return torch.where(self.flag, x * self.kept + self.plain, x) + self.table[index]


@module()
def nonpersistent_buffers() -> Sample:
    """Buffers out of the state dict and a tensor attribute lie among the constants, not the weights."""
    return Sample(Buffers(), (torch.randn(4), torch.tensor([0, 7, 3, 3])))


@program(normal(3))
def literal_tensors(x: Tensor) -> tuple[Tensor, Tensor]:
    """torch.tensor in forward becomes a lifted constant after lift_fresh_copy, which may be written to."""
    c = torch.tensor([1.0, 2.0, 3.0])
    c.add_(x)
    return c, torch.tensor(5) + torch.tensor([[True, False, True]])


class NamedTensor(torch.Tensor):
    """A tensor type of the user's own; nothing about it differs."""


class PickledWeight(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4).as_subclass(NamedTensor))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight


@module(may_refuse=True)
def pickled_weight() -> Sample:
    """A weight that the archive holds as a pickle (use_pickle), which no importer may execute."""
    return Sample(PickledWeight(), (torch.randn(2, 3),))


class SharedChild(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.unused = nn.Linear(3, 3)
        self.alias = self.layer

    def forward(self, x: Tensor) -> Tensor:
        return self.alias(F.relu(self.layer(self.layer(x))))


@module()
def shared_module() -> Sample:
    """One submodule called three times and under two names; another never."""
    network = SharedChild()
    draw_weights(network)
    return Sample(network, (torch.randn(2, 4),))


class ChannelsLast(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1).to(memory_format=torch.channels_last)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y = self.conv(x.contiguous(memory_format=torch.channels_last))
        return y, y.permute(0, 2, 3, 1).contiguous().view(1, -1)


@module()
def channels_last() -> Sample:
    """Memory formats change strides, never values; the weight is stored in its strided order."""
    return Sample(ChannelsLast(), (torch.randn(1, 3, 5, 6),))


# --------------------------------------------------------------------------------------------------------------------
# State
# --------------------------------------------------------------------------------------------------------------------


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.tensor(0))
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x: Tensor) -> Tensor:
        self.count.add_(1)
        self.mean.mul_(0.5).add_(x.mean(0), alpha=0.5)
        return (x - self.mean) * self.count


@module()
def mutated_buffer() -> Sample:
    """A counter and a running mean: state that outlives the call."""
    return Sample(Counter(), (torch.randn(5, 3),))


class KvCache(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("cache", torch.zeros(1, 8, 4), persistent=False)

    def forward(self, key: Tensor, position: Tensor) -> Tensor:
        self.cache.index_copy_(1, position, key)
        self.cache[:, -1] = 1.0
        return key @ self.cache.transpose(1, 2)


@module()
def mutated_cache() -> Sample:
    """A cache that is not persistent, written by position and by assignment."""
    return Sample(KvCache(), (torch.randn(1, 2, 4), torch.tensor([3, 4])))


@program(normal(3, 4), normal(4))
def mutated_input(x: Tensor, y: Tensor) -> Tensor:
    """A written input: the caller sees the write."""
    x.add_(y)
    x[0].mul_(2)
    return x.sum(0)
