# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that torchrun starts, whose models go through torch.compile(backend="buddy"): run_dist.py runs it.

    torchrun --nproc-per-node 2 tests/dist/torchrun_program.py torch

Its argument is who makes the collectives: "torch" (gloo), or "dist" (then the two are started by mpirun, and have no process
group that sends anything). Each rank prints a line for each model, "RANK NAME: ok".
"""

from __future__ import annotations

import os
import sys

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
from torch import nn

import buddy  # noqa: F401
from buddy.backend import statistics

COLLECTIVES = sys.argv[1]


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(16, 32), nn.Linear(32, 16)

    def part(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(torch.relu(self.up(x)))


class Functional(Base):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return funcol.all_reduce(self.part(x), "sum", dist.group.WORLD).sin() + x


class InPlace(Base):
    """What users write."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.part(x)
        dist.all_reduce(y)
        return y.sin() + x


class Several(Base):
    """At the beginning and at the end, two of one list, and sizes that are looked at between them."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        whole = funcol.all_gather_tensor(x, 0, dist.group.WORLD)
        y = self.part(whole)
        a, b = funcol.all_reduce_coalesced([y, y * 2], "max", dist.group.WORLD)
        z = funcol.all_to_all_single((a + b).view(-1, 16), None, None, dist.group.WORLD)
        return z, funcol.reduce_scatter_tensor(a - b, "sum", 0, dist.group.WORLD), x.relu()


MODELS = {"functional": Functional, "in place": InPlace, "several": Several}


def inputs(rank: int, rows: int) -> torch.Tensor:
    return torch.randn(2, rows, 16, generator=torch.Generator().manual_seed(7))[rank]


def check(rank: int, name: str, rows: int, compiled: object, eager: object) -> None:
    x = inputs(rank, rows)
    with torch.no_grad():
        got, wanted = compiled(x.clone()), eager(x.clone())
    got, wanted = (t if isinstance(t, tuple) else (t,) for t in (got, wanted))
    for i, (a, b) in enumerate(zip(got, wanted, strict=True)):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-5, msg=lambda text, i=i: f"{name}, {rows} rows, result {i}: {text}")


def by_gloo() -> None:
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    for name, kind in MODELS.items():
        torch.manual_seed(0)
        model = kind().eval()
        torch._dynamo.reset()
        before = statistics.compiled
        compiled = torch.compile(model, backend="buddy", dynamic=True, fullgraph=True, options={"collectives": COLLECTIVES})
        for rows in (4, 2, 6):
            check(rank, name, rows, compiled, model)
        assert statistics.compiled > before, "buddy has compiled nothing"
        print(f"{rank} {name}: ok", flush=True)
    dist.destroy_process_group()


def by_mpi() -> None:
    """Eager PyTorch has no other rank here: one process computes what both give."""
    from torch.testing._internal.distributed.fake_pg import FakeStore
    rank = int(os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", "0")))
    dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=2)
    for name in ("functional", "in place"):
        torch.manual_seed(0)
        model = MODELS[name]().eval()
        compiled = torch.compile(model, backend="buddy", fullgraph=True, options={"collectives": COLLECTIVES})

        def eager(x: torch.Tensor, model: Base = model) -> torch.Tensor:
            return sum(model.part(inputs(r, len(x))) for r in range(2)).sin() + x

        check(rank, name, 4, compiled, eager)
        print(f"{rank} {name}: ok", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    by_gloo() if COLLECTIVES == "torch" else by_mpi()
