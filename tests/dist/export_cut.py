# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes whole programs that run_dist.py has cut for several ranks (--tensor-parallel): every rank is given the same archive and the
same inputs, and has to give what PyTorch gives for the whole.

    python tests/dist/export_cut.py FOLDER

A case is a folder with model.pt2, r0/in_0.npy …, r0/out_0.npy …, for each further set of inputs r0/in_1_0.npy …, maybe plan.json, and
cut.json: {"ranks": [2, 4], "products": how many of them are cut by two ranks, by columns, by rows and gathered}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim

WIDTH, HEADS, LENGTH = 96, 12, 6  # by 2, 3 and 4
Op = Callable[[torch.Tensor], torch.Tensor]


def case(folder: Path, model: nn.Module, sets: Sequence[Sequence[torch.Tensor]], products: Sequence[int], ranks: Sequence[int] = (2, 4),
         shapes: object = None, plan: dict[str, str] | None = None) -> None:
    (folder / "r0").mkdir(parents=True, exist_ok=True)
    model = model.eval()
    program = torch.export.export(model, tuple(sets[0]), dynamic_shapes=shapes)
    torch.export.save(program, folder / "model.pt2")
    for k, inputs in enumerate(sets):
        with torch.no_grad():
            outputs = model(*(tensor.clone() for tensor in inputs))
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        for what, tensors in (("in", inputs), ("out", outputs)):
            for i, tensor in enumerate(tensors):
                bits = tensor.view(torch.uint16) if tensor.dtype == torch.bfloat16 else tensor
                numpy.save(folder / "r0" / f"{what}_{k}_{i}.npy", bits.detach().contiguous().numpy())
    (folder / "cut.json").write_text(json.dumps({"ranks": ranks, "products": products}))
    if plan:
        (folder / "plan.json").write_text(json.dumps(plan))


# ---- One op between a product by columns and one by rows ----
def heads(x: torch.Tensor) -> torch.Tensor:
    return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)


def flat(x: torch.Tensor) -> torch.Tensor:
    return x.transpose(1, 2).flatten(2)


MASK = torch.randn(HEADS, LENGTH, LENGTH)
ROW, GRID = torch.randn(WIDTH), torch.randn(LENGTH, 1)
# Those that have a rule, in the dim that is cut and beside it, and those that have none: their operands are gathered.
OPS: list[Op] = [
    lambda x: F.gelu(x), lambda x: x * ROW + GRID, lambda x: torch.where(x > 0, x, ROW), lambda x: x.clamp(-1, 1).to(torch.float64).float(),
    lambda x: F.prelu(x.transpose(1, 2), ROW).transpose(1, 2), lambda x: x.softmax(-1), lambda x: x.softmax(1), lambda x: x.log_softmax(1),
    lambda x: F.layer_norm(x, (WIDTH,), ROW), lambda x: flat(F.layer_norm(heads(x), (WIDTH // HEADS,))),
    lambda x: flat(F.rms_norm(heads(x), (WIDTH // HEADS,))), lambda x: x.permute(2, 0, 1).exp().permute(1, 2, 0),
    lambda x: flat(heads(x)), lambda x: x.reshape(-1, WIDTH).sin().reshape(x.shape), lambda x: x.reshape(-1, 4).cos().reshape(x.shape),
    lambda x: x.unflatten(-1, (4, 24)).transpose(2, 3).flatten(2), lambda x: x.unflatten(-1, (2, 48)).flip(2).flatten(2),
    lambda x: torch.cat([x, x.sin()], 1)[:, ::2], lambda x: torch.cat([x[..., 8:], x[..., :8]], -1), lambda x: torch.stack([x, -x], 1)[:, 1],
    lambda x: torch.stack([x, -x], 3).flatten(2)[..., ::2], lambda x: x.unsqueeze(2).expand(-1, -1, 3, -1).sum(2),
    lambda x: x[:, :1].expand(-1, LENGTH, -1) + x, lambda x: x.split([1, LENGTH - 1], 1)[1].sum(1, keepdim=True) + x,
    lambda x: x.chunk(2, -1)[0].repeat(1, 1, 2), lambda x: torch.unbind(x, 1)[2].unsqueeze(1) - x, lambda x: x.mean(1, keepdim=True) * x,
    lambda x: x - x.mean(-1, keepdim=True), lambda x: x / x.amax(dim=(0, 1)), lambda x: x.cumsum(1), lambda x: x.cumsum(2),
    lambda x: flat(F.scaled_dot_product_attention(heads(x), heads(x.sin()), heads(x), attn_mask=MASK)),
    lambda x: flat(F.scaled_dot_product_attention(heads(x), heads(x), heads(x), is_causal=True)),
    lambda x: flat(heads(x).matmul(heads(x).transpose(-1, -2)).softmax(-1) @ heads(x)),
    lambda x: torch.bmm(x, x.transpose(1, 2)) @ x, lambda x: flat(heads(x)[:, :2].repeat_interleave(HEADS // 2, 1)),
    lambda x: flat(heads(x).unflatten(3, (2, 4))[:, :, :, 1].repeat_interleave(2, 3)),
    lambda x: x.index_select(1, torch.tensor([1, 0, 2, 3, 5, 4])), lambda x: x.index_select(2, torch.arange(WIDTH).flip(0)),
    lambda x: x.index_copy(1, torch.tensor([2]), x[:, :1].sin()), lambda x: x.roll(1, -1), lambda x: x.roll(1, 1),
    lambda x: torch.slice_scatter(x, x[:, :2].cos(), 1, 3, 5), lambda x: x.sort(-1).values, lambda x: x.masked_fill(GRID > 0, 0.5),
    lambda x: F.conv1d(x.transpose(1, 2), torch.ones(WIDTH, 1, 3), padding=1, groups=WIDTH).transpose(1, 2), lambda x: x.tril(),
    lambda x: torch.einsum("bth,bsh->bts", x, x) @ x]


class Between(nn.Module):
    """Each op for itself: linear by columns, the op, linear by rows."""

    def __init__(self, bias: bool) -> None:
        super().__init__()
        self.up = nn.ModuleList(nn.Linear(16, WIDTH, bias=bias) for _ in OPS)
        self.down = nn.ModuleList(nn.Linear(WIDTH, 5, bias=bias) for _ in OPS)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(down(op(up(x))) for up, op, down in zip(self.up, OPS, self.down, strict=True))


# ---- Whole models, whose cut is found ----
class Mlp(nn.Module):
    """Beside it a product that has to stay whole, since nothing divides."""

    def __init__(self, dtype: torch.dtype = torch.float32, hidden: int = 32) -> None:
        super().__init__()
        self.up, self.down, self.odd = nn.Linear(16, hidden), nn.Linear(hidden, 16), nn.Linear(16, 7)
        self.to(dtype)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x + self.down(F.gelu(self.up(x)))
        return self.odd(y).sum(-1, keepdim=True) + y


class Products(nn.Module):
    """The same by mm, addmm, matmul, with weights that are transposed or not."""

    def __init__(self) -> None:
        super().__init__()
        for name, shape in {"a": (16, 32), "b": (32, 16), "c": (32, 16), "d": (16, 32), "e": (16, 32), "f": (32, 16)}.items():
            setattr(self, name, nn.Parameter(torch.randn(shape) / 4))
        self.up, self.down = nn.Parameter(torch.randn(32)), nn.Parameter(torch.randn(16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + torch.mm(torch.mm(x, self.a).relu(), self.b)
        x = x + torch.addmm(self.down, torch.addmm(self.up, x, self.c.t()).relu(), self.d.t())
        return x + torch.matmul(torch.matmul(x, self.e).relu(), self.f)


class Attention(nn.Module):
    """Grouped queries, and a cache that the program writes to: cut as its heads are."""

    def __init__(self, keys: int, enable_gqa: bool) -> None:
        super().__init__()
        self.keys, self.enable_gqa = keys, enable_gqa
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, n, bias=False) for n in (WIDTH, 8 * keys, 8 * keys, WIDTH))
        self.register_buffer("past", torch.randn(1, keys, 12, 8))

    def forward(self, x: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
        q, k, v = (f(x).unflatten(-1, (-1, 8)).transpose(1, 2) for f in (self.q, self.k, self.v))
        self.past.copy_(self.past.index_copy(2, at, k))
        k, v = self.past, torch.cat([v, v.sin()], 2)
        if not self.enable_gqa:
            k, v = (t[:, :, None].expand(-1, -1, HEADS // self.keys, -1, -1).flatten(1, 2) for t in (k, v))
        y = F.scaled_dot_product_attention(q, k, v, enable_gqa=self.enable_gqa)
        return x + self.o(y.transpose(1, 2).flatten(2))


def ids(*shape: int) -> torch.Tensor:
    return torch.randint(0, 512, shape)


class Logits(nn.Module):
    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.model(input_ids=tokens, return_dict=False)[0]


def transformers_models(folder: Path) -> None:
    import transformers as t
    common = {"vocab_size": 8192, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "max_position_embeddings": 128}
    dims = {"tokens": {0: Dim("b", max=64), 1: Dim("s", min=2, max=100)}}
    sets = [[ids(2, 9)], [ids(1, 2)], [ids(3, 17)]]
    for name, keys, tied, products in (("llama", 4, False, [10, 4, 1]), ("llama_tied", 8, True, [10, 4, 1]), ("llama_one_key", 1, False, [6, 4, 1])):
        config = t.LlamaConfig(num_attention_heads=8, num_key_value_heads=keys, tie_word_embeddings=tied, use_cache=False, **common)
        case(folder / name, Logits(t.LlamaForCausalLM(config)), sets, products, shapes=dims)
    plan = {"layers.*.self_attn.q_proj": "colwise", "layers.*.self_attn.k_proj": "colwise", "layers.*.self_attn.v_proj": "colwise",
            "layers.*.self_attn.o_proj": "rowwise", "layers.*.mlp.up_proj": "colwise", "layers.*.mlp.down_proj": "rowwise"}
    case(folder / "llama_plan", Logits(t.LlamaForCausalLM(t.LlamaConfig(num_attention_heads=8, num_key_value_heads=4, use_cache=False, **common))), sets,
         [8, 4, 0], shapes=dims, plan=plan)
    case(folder / "bert", Logits(t.BertModel(t.BertConfig(num_attention_heads=4, **common))), [[ids(2, 8)], [ids(2, 8)]], [8, 4, 0])
    gpt2 = t.GPT2Config(vocab_size=8192, n_positions=64, n_embd=64, n_layer=2, n_head=4, use_cache=False)
    case(folder / "gpt2", Logits(t.GPT2LMHeadModel(gpt2)), [[ids(2, 8)]], [2, 2, 1])


def main() -> None:
    folder = Path(sys.argv[1])
    torch.manual_seed(0)
    for bias in (True, False):
        case(folder / f"between_{bias}", Between(bias), [[torch.randn(2, LENGTH, 16)], [torch.randn(2, LENGTH, 16)]],
             [len(OPS), len(OPS), 0], ranks=(2, 3, 4), plan={"up.*": "colwise", "down.*": "rowwise"})
    sizes = [[torch.randn(n, 16)] for n in (3, 0, 1, 8)]
    case(folder / "mlp", Mlp(), sizes, [1, 1, 0], ranks=(1, 2, 4), shapes={"x": {0: Dim("n", min=0, max=64)}})
    case(folder / "mlp_bfloat16", Mlp(torch.bfloat16), [[torch.randn(3, 16).bfloat16()]], [1, 1, 0])
    case(folder / "mlp_three", Mlp(hidden=33), [[torch.randn(2, 16)]], [1, 1, 0], ranks=(3,))
    case(folder / "products", Products(), [[torch.randn(5, 16)]], [3, 3, 0])
    for keys, products in ((12, [3, 1, 0]), (4, [3, 1, 0]), (2, [3, 1, 0]), (1, [1, 1, 0])):
        for enable_gqa in (False, True):
            inputs = [[torch.randn(1, LENGTH, WIDTH), torch.arange(LENGTH) + k] for k in (0, 6, 3)]
            case(folder / f"attention_{keys}_{enable_gqa}", Attention(keys, enable_gqa), inputs, products, ranks=(2, 3, 4))
    transformers_models(folder)


if __name__ == "__main__":
    main()
