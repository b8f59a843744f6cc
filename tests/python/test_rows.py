# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose rows are independent, and programs whose rows look at each other: what is proved of them, and that sessions
stepped together give the numbers of each alone."""

import pytest
import torch
import torch.nn.functional as F
from torch.export import Dim, export

import buddy

WIDTH, MOST = 12, 8


def own_rows(x, cache, numbers=None, accumulate=False):
    rows = torch.arange(x.shape[0]) if numbers is None else numbers
    at = (x[:, 0] > 0).long()
    cache.index_put_((rows, at), x, accumulate)
    return cache.sum(1)


def written(name):
    """What a module does with its cache [b, 2, WIDTH], which it writes to."""
    return {
        "rows": lambda x, c: own_rows(x, c),
        "rows, added to": lambda x, c: own_rows(x, c, accumulate=True),
        "whole": lambda x, c: c.copy_(c * 0.5 + x[:, None]).sum(1),
        "one place": lambda x, c: c.index_copy_(1, torch.tensor([1]), x[:, None]).sum(1),
        "another's row": lambda x, c: own_rows(x, c, (torch.arange(x.shape[0]) + 1) % x.shape[0]),
        "a row that data tell": lambda x, c: own_rows(x, c, (x[:, 1] > 0).long() * (x.shape[0] - 1)),
        "the first row": lambda x, c: c[:1].add_(x[:1, None]).sum(1) + x,
    }[name]  # fmt: skip


class Plain(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
        torch.manual_seed(0)
        self.linear, self.table = torch.nn.Linear(WIDTH, WIDTH), torch.nn.Embedding(5, WIDTH)
        self.norm = torch.nn.BatchNorm1d(WIDTH, track_running_stats=False)

    def forward(self, x):
        return self.function(self, x)


class Writes(Plain):
    def forward(self, x, past_key_values):
        return self.function(x, past_key_values)


def attend(x):
    q = x.view(-1, 1, 3, 4)
    return F.scaled_dot_product_attention(q, q * 2, q + 1, is_causal=True).flatten(1)


def repeated(x):
    """Grouped heads, with the batch a part of a larger dim meanwhile."""
    k = x.view(-1, 3, 1, 4).expand(-1, 3, 2, 4).reshape(x.shape[0], 6, 4)
    return (k.flatten(0, 1) * 2).view(x.shape[0], 24)


def places(x):
    return (x[:, :3] > 0).long()


INDEPENDENT = {
    "linear": lambda m, x: m.linear(x).relu(),
    "by hand": lambda m, x: x @ m.linear.weight.T + m.linear.bias,
    "norm": lambda m, x: F.layer_norm(x, (WIDTH,), m.linear.bias),
    "softmax": lambda m, x: x.softmax(1) + x.sum(-1, keepdim=True) - x.amax(1)[:, None],
    "attention": lambda m, x: attend(x),
    "grouped": lambda m, x: repeated(x),
    "embedding": lambda m, x: m.table(places(x)).flatten(1),
    "table": lambda m, x: m.linear.weight[places(x)].sum(1),
    "gather": lambda m, x: x.gather(1, places(x)),
    "scatter": lambda m, x: x.scatter(1, places(x), x[:, :3] * 2),
    "parts": lambda m, x: torch.cat([x[:, 6:], torch.zeros_like(x), x[:, :6]], 1),
    "stacked": lambda m, x: torch.stack([x, x * 2], 1).transpose(1, 2).flatten(1),
    "batches": lambda m, x: (x.view(-1, 3, 4) @ x.view(-1, 4, 3)).flatten(1),
    "same for all": lambda m, x: x + torch.full((x.shape[0], 1), 3.0) + m.linear.bias.expand(x.shape[0], -1),
    "running": lambda m, x: x.cumsum(1) + x.var(1, keepdim=True),
    "masked": lambda m, x: torch.where(torch.arange(WIDTH) < 4, x, x.masked_fill(x > 0, 0.0)),
    "moved": lambda m, x: (x.t() + 1).t(),
    "in dtype": lambda m, x: m.linear(x.double().float()).to(torch.bfloat16).float(),
}
MEETING = {
    "mean": lambda m, x: x - x.mean(0),
    "mean of all": lambda m, x: x - x.mean(),
    "running": lambda m, x: x.cumsum(0),
    "sorted": lambda m, x: x.sort(0)[0],
    "softmax": lambda m, x: x.softmax(0),
    "flip": lambda m, x: x.flip(0),
    "roll": lambda m, x: x.roll(1, 0),
    "batch norm": lambda m, x: F.batch_norm(x, None, None, training=True),
    "number of rows": lambda m, x: x / x.shape[0],
    "own number": lambda m, x: x * torch.arange(x.shape[0])[:, None],
    "row of a table by number": lambda m, x: x + F.pad(m.linear.weight, (0, 0, 0, 0))[torch.arange(x.shape[0])],
    "random": lambda m, x: x + torch.rand_like(x),
    "dropout": lambda m, x: F.dropout(x, 0.5, training=True),
    "all pairs": lambda m, x: (x @ x.T).softmax(1) @ x,
    "attention over rows": lambda m, x: F.scaled_dot_product_attention(x[None], x[None], x[None])[0],
    "another order": lambda m, x: x[x.sum(1).argsort()],
    "gather": lambda m, x: x.gather(0, (x > 0).long() * (x.shape[0] - 1)),
    "first": lambda m, x: x + x[:1],
    "last": lambda m, x: x + x[-1],
    "largest": lambda m, x: x / x.norm(),
    "over rows and more": lambda m, x: x - x.amax((0, 1)),
    "einsum": lambda m, x: torch.einsum("bi,ci->bc", x, x).sum(1, keepdim=True) + x,
    "convolution": lambda m, x: F.conv1d(x.t()[None], torch.ones(WIDTH, WIDTH, 3) / 9, padding=1)[0].t(),
    "scattered": lambda m, x: torch.zeros_like(x).scatter(0, (x > 0).long() * (x.shape[0] - 1), x),
    "added up": lambda m, x: torch.zeros_like(x).index_add(0, torch.zeros(x.shape[0], dtype=torch.int64), x),
}  # fmt: skip


def load(module, inputs, tmp_path, dynamic):
    with torch.no_grad():
        exported = export(module.eval(), inputs, dynamic_shapes=dynamic, strict=False)
    torch.export.save(exported, tmp_path / "rows.pt2")
    return buddy.load(tmp_path / "rows.pt2", threads=1)


def together_as_alone(model, n_steps, is_random=False):
    """Steps of five sessions at once, and of five others in turn. Sums of products may be added up in another order."""
    generator = torch.Generator().manual_seed(1)
    some, others = ([buddy.Session(model, batches=batches) for _ in range(5)] for batches in (True, False))
    for _ in range(n_steps):
        inputs = [(torch.randn(1, WIDTH, generator=generator),) for _ in some]
        results = [buddy.step_all(sessions, inputs) for sessions in (some, others)]
        if not is_random:
            for one, other in zip(*results, strict=True):
                torch.testing.assert_close(one, other, equal_nan=True)
        for one, other in zip(some, others):
            for name in one.states:
                torch.testing.assert_close(one[name], other[name])
    return some[0].most_rows()


@pytest.mark.parametrize("name", INDEPENDENT)
def test_rows_that_are_independent(name, tmp_path):
    model = load(Plain(INDEPENDENT[name]), (torch.randn(3, WIDTH),), tmp_path, ({0: Dim("b", min=1, max=MOST)},))
    assert together_as_alone(model, 2) == MOST


@pytest.mark.parametrize("name", MEETING)
def test_rows_that_look_at_each_other(name, tmp_path):
    model = load(Plain(MEETING[name]), (torch.randn(3, WIDTH),), tmp_path, ({0: Dim("b", min=1, max=MOST)},))
    assert together_as_alone(model, 2, name in ("random", "dropout")) == 1


@pytest.mark.parametrize("name, is_proved", [("rows", True), ("rows, added to", True), ("whole", True), ("one place", True),
                                             ("another's row", False), ("a row that data tell", False), ("the first row", False)])  # fmt: skip
def test_states_that_are_written(name, is_proved, tmp_path):
    b = {0: Dim("b", min=1, max=MOST)}
    model = load(Writes(written(name)), (torch.randn(3, WIDTH), torch.zeros(3, 2, WIDTH)), tmp_path, (b, b))
    assert (together_as_alone(model, 4) > 1) == is_proved
