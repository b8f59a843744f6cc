# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of bf16 is as near to float64 as eager's, whichever of its kernels PyTorch takes."""

import pytest
import torch
from torch.export import Dim

import buddy

AUTO = Dim.AUTO


class Attention(torch.nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.options = options

    def forward(self, query, key, value, mask=None):
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, mask, **self.options)


# Heads of queries and of keys, widths of keys and values, the mask's leading sizes, and options: PyTorch's fused kernel takes those of
# one width, with a mask for each head or for all; what it does not take is done in float.
FORMS = {
    "fused": (3, 3, 64, 64, None, {}),
    "odd": (2, 2, 33, 33, None, {}),
    "causal": (3, 3, 32, 32, None, {"is_causal": True}),
    "masked": (3, 3, 34, 34, (2, 1), {}),
    "mask_of_all": (3, 3, 34, 34, (), {}),
    "widths": (3, 3, 34, 17, None, {}),
    "grouped": (4, 2, 64, 64, None, {"enable_gqa": True}),
}
SIZES = ((1, 16), (3, 40), (20, 64), (50, 77), (130, 129))


def drawn(form, rows, columns):
    heads, keys, depth, width, leading, _ = form
    tensors = [torch.randn(2, heads, rows, depth), torch.randn(2, keys, columns, depth), torch.randn(2, keys, columns, width)]
    if leading is not None:
        mask = torch.randn(*leading, rows, columns)
        mask[..., : columns // 2] = torch.where(torch.rand(columns // 2) < 0.5, float("-inf"), 0.0)
        tensors.append(mask)
    return [one.bfloat16() for one in tensors]


def distance(tensor, exact):
    return (tensor.double() - exact).square().mean().sqrt().item()


@pytest.mark.parametrize("is_symbolic", [False, True], ids=["known", "symbolic"])
@pytest.mark.parametrize("name", FORMS)
def test_rounds_no_more_than_eager(tmp_path, name, is_symbolic):
    torch.manual_seed(0)
    form = FORMS[name]
    model = Attention(**form[-1]).eval()
    dims = ({2: AUTO}, {2: AUTO}, {2: AUTO}, {len(form[4] or ()): AUTO, len(form[4] or ()) + 1: AUTO})
    for sizes in SIZES if not is_symbolic else [SIZES[-1]]:
        given = drawn(form, *sizes)
        program = torch.export.export(model, tuple(given), dynamic_shapes=dims[: len(given)] if is_symbolic else None)
        torch.export.save(program, tmp_path / "attention.pt2")
        loaded = buddy.load(tmp_path / "attention.pt2")
        for run in [sizes] if not is_symbolic else SIZES:
            ours = theirs = 0.0
            for _ in range(10):
                inputs = drawn(form, *run)
                exact = model(*(one.double() for one in inputs))
                ours += distance(loaded(*inputs), exact)
                theirs += distance(model(*inputs), exact)
            assert ours <= 1.1 * theirs, (run, ours, theirs)


class Weighed(torch.nn.Module):
    """What the sums of rows divide is told by places, too."""

    def forward(self, query, key, value):
        scores = query @ key.transpose(-1, -2)
        weights = torch.exp(scores - scores.amax(-1, keepdim=True))
        rows, columns = torch.arange(scores.shape[-2])[:, None], torch.arange(scores.shape[-1])[None]
        return (weights * (torch.where(rows >= columns, 1.0, 0.5) / weights.sum(-1, keepdim=True))) @ value


@pytest.mark.parametrize("is_symbolic", [False, True], ids=["known", "symbolic"])
@pytest.mark.parametrize("rows", [3, 40])
def test_weights_of_places(tmp_path, rows, is_symbolic):
    torch.manual_seed(0)
    given = (torch.randn(1, 3, rows, 20), torch.randn(1, 3, 70, 20), torch.randn(1, 3, 70, 33))
    program = torch.export.export(Weighed(), given, dynamic_shapes=({2: AUTO},) * 3 if is_symbolic else None)
    torch.export.save(program, tmp_path / "weighed.pt2")
    torch.testing.assert_close(buddy.load(tmp_path / "weighed.pt2")(*given), Weighed()(*given), rtol=1e-5, atol=1e-6)
