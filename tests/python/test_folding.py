# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of weights with weights: computed in the first run, by whichever thread comes first, and found in later ones."""

import threading

import buddy
import pytest
import torch
from torch.export import Dim, export


class Merged(torch.nn.Module):
    """A weight that is a product, as LoRA's are."""

    def __init__(self) -> None:
        super().__init__()
        self.down = torch.nn.Parameter(torch.randn(6, 96) / 10)
        self.up = torch.nn.Parameter(torch.randn(130, 6))
        self.base = torch.nn.Linear(96, 130)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.linear(x, self.base.weight + self.up @ self.down, self.base.bias)


class Positions(torch.nn.Module):
    """Scores of distances by a layer, as ConViT's and Swin V2's are, and sines of a product, as rotary ones are."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("distances", torch.rand(40, 40, 3))
        self.register_buffer("frequencies", torch.rand(1, 48, 1))
        self.layer = torch.nn.Linear(3, 4)
        self.out = torch.nn.Linear(96, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        angles = (self.frequencies @ torch.arange(40.0)[None, None]).transpose(1, 2)
        scores = self.layer(self.distances).permute(2, 0, 1).softmax(-1)
        table = scores @ torch.cat([angles.sin(), angles.cos()], -1)
        return self.out(x) + table.mean() * table[:, 0, :5].sum(0)


class Deep(torch.nn.Module):
    """Products of what was folded before, of several matrices at once."""

    def __init__(self) -> None:
        super().__init__()
        self.a = torch.nn.Parameter(torch.randn(3, 96, 17) / 5)
        self.b = torch.nn.Parameter(torch.randn(3, 17, 24) / 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        c = torch.relu(self.a @ self.b)
        return torch.softmax(x @ (c @ c.transpose(1, 2)).sum(0), -1) @ c[1]


@pytest.mark.parametrize("is_symbolic", [False, True])
@pytest.mark.parametrize("kind", [Merged, Positions, Deep])
def test_products_of_weights(tmp_path, kind, is_symbolic):
    torch.manual_seed(0)
    model = kind().eval()
    shapes = ({0: Dim("rows", min=1)},) if is_symbolic else None
    torch.export.save(export(model, (torch.randn(7, 96),), dynamic_shapes=shapes), tmp_path / "model.pt2")
    for n_threads in (1, 3):
        loaded = buddy.load(str(tmp_path / "model.pt2"), threads=n_threads)
        inputs = [torch.randn(rows if is_symbolic else 7, 96) for rows in (7, 1, 33, 2)]
        results: dict[int, torch.Tensor] = {}

        def run(i: int, loaded=loaded, inputs=inputs, results=results) -> None:
            results[i] = loaded(inputs[i])

        at_once = [threading.Thread(target=run, args=(i,)) for i in range(2)]
        for thread in at_once:
            thread.start()
        for thread in at_once:
            thread.join()
        for i in (2, 3):
            run(i)
        for i, x in enumerate(inputs):
            torch.testing.assert_close(results[i], model(x), rtol=1e-4, atol=1e-5)
