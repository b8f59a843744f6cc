# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scaled dot product attention: masks, causal, scale, grouped heads, ranks, dtypes; and what models build of it."""

import torch
import torch.nn.functional as F

from case import FLOATS, Family, short

FAMILY = Family("attention")
t = FAMILY.tensor
LOOSE = {torch.float16: (5e-3, 5e-3), torch.bfloat16: (3e-2, 4e-2), torch.float32: (1e-5, 1e-5)}
attend = F.scaled_dot_product_attention


def heads(*sizes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return t(*sizes, dtype=dtype, low=-2, high=2)


for dtype in FLOATS:
    q, k, v = heads(2, 3, 4, 8, dtype=dtype), heads(2, 3, 5, 8, dtype=dtype), heads(2, 3, 5, 6, dtype=dtype)
    loose = LOOSE.get(dtype)
    FAMILY.add(f"plain {short(dtype)}", lambda q, k, v: (attend(q, k, v), attend(q, k, v, scale=0.5)), q, k, v, tolerance=loose)
    FAMILY.add(f"causal {short(dtype)}", lambda q, k, v: attend(q, k, v, is_causal=True), q, k, v, tolerance=loose)
    FAMILY.add(f"causal square {short(dtype)}", lambda q, k, v: attend(q, k, v, is_causal=True), k, k, v, tolerance=loose)
    FAMILY.add(f"bool mask {short(dtype)}", lambda q, k, v, m: (attend(q, k, v, m), attend(q, k, v, m[:, :1])), q, k, v,
               t(2, 3, 4, 5, dtype=torch.bool), tolerance=loose)
    FAMILY.add(f"float mask {short(dtype)}", lambda q, k, v, m: (attend(q, k, v, m), attend(q, k, v, m, scale=2.0)), q, k, v,
               heads(4, 5, dtype=dtype), tolerance=loose)
    FAMILY.add(f"grouped heads {short(dtype)}", lambda q, k, v: (
        attend(q, k, v, enable_gqa=True), attend(q, k, v, is_causal=True, enable_gqa=True)),
        heads(2, 6, 4, 8, dtype=dtype), heads(2, 2, 5, 8, dtype=dtype), heads(2, 2, 5, 8, dtype=dtype), tolerance=loose)
q, k, v = heads(2, 3, 4, 8), heads(2, 3, 5, 8), heads(2, 3, 5, 6)
loose = LOOSE[torch.float32]
for rank in (2, 3, 4, 5):
    def part(x, rank=rank):
        return x[0, 0] if rank == 2 else x[0] if rank == 3 else x if rank == 4 else x[None]
    FAMILY.add(f"rank {rank}", lambda q, k, v: (attend(q, k, v), attend(q, k, v, is_causal=True)),
               *(part(x).clone() for x in (q, k, v)), tolerance=loose)
FAMILY.add("ranks that differ", lambda q, k, v: (attend(q[0], k, v), attend(q, k[0], v), attend(q, k[0, 0], v[0, 0], is_causal=True)),
           q, k, v, tolerance=loose)
empty_row = torch.ones(4, 5, dtype=torch.bool)
empty_row[1] = False
FAMILY.add("fully masked row", lambda q, k, v, m: attend(q, k, v, m), q, k, v, empty_row, tolerance=loose)
FAMILY.add("fully masked row of numbers", lambda q, k, v, m: attend(q, k, v, m), q, k, v,
           torch.zeros(4, 5).masked_fill(~empty_row, float("-inf")), tolerance=loose)
FAMILY.add("lowest numbers as mask", lambda q, k, v, m: attend(q, k, v, m), q, k, v,
           torch.zeros(4, 5).masked_fill(~empty_row, torch.finfo(torch.float32).min), tolerance=loose)
FAMILY.add("nan in a query", lambda q, k, v: attend(q, k, v), q.clone().index_fill(2, torch.tensor([1]), float("nan")), k, v,
           tolerance=loose)
FAMILY.add("grouped heads with a mask", lambda q, k, v, m: attend(q, k, v, m, enable_gqa=True), heads(2, 6, 4, 8),
           heads(2, 2, 5, 8), heads(2, 2, 5, 8), t(2, 1, 4, 5, dtype=torch.bool) | True, tolerance=loose)
FAMILY.add("grouped heads, mask per head", lambda q, k, v, m: attend(q, k, v, m, enable_gqa=True), heads(2, 6, 4, 8),
           heads(2, 2, 5, 8), heads(2, 2, 5, 8), heads(2, 6, 4, 5), tolerance=loose)
FAMILY.add("broadcast batch", lambda q, k, v: attend(q, k, v), q, k[:1].clone(), v[:1].clone(), tolerance=loose)
FAMILY.add("one query", lambda q, k, v: attend(q, k, v), q[:, :, :1].clone(), k, v, tolerance=loose)
FAMILY.add("strided heads", lambda q, k, v: attend(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2),
           heads(2, 4, 3, 8), heads(2, 5, 3, 8), heads(2, 5, 3, 8), tolerance=loose)
FAMILY.add("no keys", lambda q, k, v: attend(q, k, v), q, k[:, :, :0].clone(), v[:, :, :0].clone(), tolerance=loose)
for what, shapes in {
    "no batch": ((0, 2, 3, 4), (0, 2, 5, 4), (0, 2, 7, 6)), "no heads": ((2, 0, 3, 4), (2, 0, 5, 7), (2, 0, 6, 4)),
    "no queries": ((2, 2, 0, 4), (5, 2, 3, 7), (7, 2, 5, 4)), "no values": ((2, 2, 3, 4), (2, 2, 5, 7), (2, 2, 0, 6)),
    "no values of three dims": ((2, 3, 4), (2, 5, 4), (2, 0, 4)), "no batch of values": ((2, 2, 3, 4), (0, 2, 5, 4), (0, 2, 5, 4)),
    "values of no size": ((2, 2, 3, 4), (2, 2, 5, 4), (2, 2, 4, 0))}.items():  # what else is given need not fit then
    FAMILY.add(f"{what}, and others that do not fit", lambda q, k, v: (attend(q, k, v), attend(q, k, v, is_causal=True)), *(heads(*shape) for shape in shapes))
FAMILY.add("no keys, nan in a query", lambda q, k, v: attend(q, k, v), q.clone().index_fill(2, torch.tensor([1]), float("nan")), k[:, :, :0].clone(),
           v[:, :, :0].clone())
FAMILY.add("no values, infinity in a key", lambda q, k, v: attend(q, k, v), q, k.clone().index_fill(2, torch.tensor([1]), float("inf")), v[:, :, :0].clone())
FAMILY.add("no keys, and a mask that does not fit", lambda q, k, v, m: attend(q, k, v, m), q, k[:, :, :0].clone(), v[:, :, :0].clone(), heads(3, 7))
FAMILY.add("heads of no size, dynamic", lambda q, k, v, m: (attend(q, k, v), attend(q, k, v, m)), q, k, v, heads(4, 5),
           others=(q[..., :0].clone(), k[..., :0].clone(), v, heads(4, 5)), tolerance=loose,
           is_whole=True)
longer = (heads(3, 3, 6, 8), heads(3, 3, 7, 8), heads(3, 3, 7, 8))
FAMILY.add("dynamic", lambda q, k, v: attend(q, k, v), q, k, k.clone(), others=longer, tolerance=loose)
FAMILY.add("causal, dynamic", lambda q, k, v: attend(q, k, v, is_causal=True), q, k, k.clone(), others=longer, tolerance=loose)
FAMILY.add("mask, dynamic", lambda q, k, v, m: attend(q, k, v, m), q, k, k.clone(), heads(2, 1, 4, 5),
           others=(*longer, heads(3, 1, 6, 7)), tolerance=loose)
FAMILY.add("grouped heads, dynamic", lambda q, k, v: attend(q, k, v, is_causal=True, enable_gqa=True), heads(2, 6, 4, 8),
           heads(2, 2, 4, 8), heads(2, 2, 4, 8), others=(heads(3, 6, 7, 8), heads(3, 2, 7, 8), heads(3, 2, 7, 8)), tolerance=loose)


def copied(x: torch.Tensor, n: int, dim: int = 2) -> torch.Tensor:
    """repeat_kv of transformers (dim 2): each head of x n times, so that all query heads have one."""
    sizes = list(x[:, :, None].shape if dim == 2 else x[:, None].shape)
    sizes[dim] = n
    return x.unsqueeze(dim).expand(sizes).reshape(x.shape[0], -1, *x.shape[2:])


for many, few in ((6, 2), (3, 1), (15, 5), (5, 5)):
    FAMILY.add(f"heads copied, {many} of {few}", lambda q, k, v, m, n=many // few: (
        attend(q, copied(k, n), copied(v, n)), attend(q, copied(k, n), copied(v, n), is_causal=True), attend(q, copied(k, n), copied(v, n), m, scale=0.3)),
        heads(2, many, 4, 8), heads(2, few, 7, 8), heads(2, few, 7, 6), heads(2, many, 4, 7), tolerance=loose)
FAMILY.add("heads copied, one query", lambda q, k, v, m: (attend(q, copied(k, 3), copied(v, 3), m), copied(v, 3) + 1), heads(2, 6, 1, 8), heads(2, 2, 70, 8),
           heads(2, 2, 70, 8), t(2, 1, 1, 70, dtype=torch.bool) | (torch.arange(70) < 3), tolerance=loose)
FAMILY.add("heads copied otherwise", lambda q, k, v: (
    attend(q, copied(k, 3), copied(v, 3, 1)), attend(q, copied(k, 3, 1), copied(v, 3, 1)), attend(q, copied(k, 3), v.repeat(1, 3, 1, 1)),
    attend(q, copied(k[:, :1], 6), copied(v, 3))), heads(2, 6, 4, 8), heads(2, 2, 5, 8), heads(2, 2, 5, 8), tolerance=loose)
FAMILY.add("heads copied, dynamic", lambda q, k, v: (attend(q, copied(k, 3), copied(v, 3)), attend(q, copied(k, 3), copied(v, 3), is_causal=True)),
           heads(2, 6, 4, 8), heads(2, 2, 4, 8), heads(2, 2, 4, 8), others=(heads(3, 6, 7, 8), heads(3, 2, 7, 8), heads(3, 2, 7, 8)), tolerance=loose)
FAMILY.add("by hand", lambda q, k, v: (q @ k.transpose(-2, -1) / 8**0.5).softmax(-1) @ v, q, k, v, tolerance=loose)
FAMILY.add("by hand, causal", lambda q, k: (q @ k.mT).masked_fill(torch.ones(5, 5).triu(1).bool(), float("-inf")).softmax(-1),
           k, k.clone(), tolerance=loose)
# long enough for the fused loop: rows and columns that fill no block, too
q, k, v = heads(2, 6, 40, 24), heads(2, 6, 70, 24), heads(2, 6, 70, 36)
FAMILY.add("long", lambda q, k, v: (attend(q, k, v), attend(q, k, v, scale=0.5)), q, k, v, tolerance=loose)
FAMILY.add("long, causal", lambda q, k, v: (attend(q, k, v, is_causal=True), attend(k, k, v, is_causal=True)), q, k, v, tolerance=loose)
FAMILY.add("long, bool masks", lambda q, k, v, m: (attend(q, k, v, m), attend(q, k, v, m[:, :1]), attend(q, k, v, m[:1, :, :1])), q, k, v,
           t(2, 6, 40, 70, dtype=torch.bool), tolerance=loose)
FAMILY.add("long, float masks", lambda q, k, v, m: (attend(q, k, v, m), attend(q, k, v, m[:, :, :1]), attend(q, k, v, m[0, 0])), q, k, v,
           heads(2, 6, 40, 70), tolerance=loose)
empty_row = torch.ones(40, 70, dtype=torch.bool)
empty_row[33] = False
FAMILY.add("long, fully masked row", lambda q, k, v, m: (attend(q, k, v, m), attend(q, k, v, torch.zeros(40, 70).masked_fill(~m, float("-inf")))),
           q, k, v, empty_row, tolerance=loose)
FAMILY.add("long, nan in a query", lambda q, k, v: attend(q, k, v, is_causal=True), q.clone().index_fill(2, torch.tensor([17]), float("nan")), k, v,
           tolerance=loose)
FAMILY.add("long, grouped heads", lambda q, k, v, m: (attend(q, k, v, enable_gqa=True), attend(q, k, v, is_causal=True, enable_gqa=True),
           attend(q, k, v, m, enable_gqa=True)), q, k[:, :2].clone(), v[:, :2].clone(), heads(2, 6, 40, 70), tolerance=loose)
FAMILY.add("long, broadcast", lambda q, k, v: (attend(q, k[:1], v[:1]), attend(q[0], k, v)), q, k, v, tolerance=loose)
FAMILY.add("long, strided heads", lambda q, k, v: attend(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True).transpose(1, 2),
           heads(2, 40, 6, 24), heads(2, 70, 6, 24), heads(2, 70, 6, 36), tolerance=loose)
FAMILY.add("long, from one projection", lambda x: attend(*(y.unflatten(-1, (3, 16)).transpose(1, 2) for y in x.chunk(3, -1)), is_causal=True),
           heads(2, 50, 144), tolerance=loose)
FAMILY.add("long, dynamic", lambda q, k, v: (attend(q, k, v), attend(q, k, v, is_causal=True)), q, q.clone(), q.clone(),
           others=(heads(3, 6, 65, 24), heads(3, 6, 65, 24), heads(3, 6, 65, 24)), tolerance=loose)
FAMILY.add("long, by hand", lambda q, k, v: (q @ k.transpose(-2, -1) / 24**0.5).softmax(-1) @ v, q, k, v, tolerance=loose)
FAMILY.add("long, by hand, causal", lambda q, k, v: (
    (q @ k.mT).masked_fill(torch.ones(40, 70).triu(1).bool(), float("-inf")).softmax(-1) @ v,
    ((k @ k.mT) * 0.2 + torch.full((70, 70), float("-inf")).triu(1)).softmax(-1) @ v), q, k, v, tolerance=loose)
FAMILY.add("long, weights too", lambda q, k, v: ((w := (q @ k.mT).softmax(-1)), w @ v), q, k, v, tolerance=loose)
FAMILY.add("long, squared", lambda q: (w := (q @ q.mT).softmax(-1)) @ w, q, tolerance=loose)
FAMILY.add("long, sigmoid", lambda q, k, v: (q @ k.mT).sigmoid() @ v, q, k, v, tolerance=(1e-4, 1e-4))
FAMILY.add("long, normalised", lambda q, k, v: F.layer_norm(q @ k.mT, (70,)) @ v, q, k, v, tolerance=(1e-4, 1e-4))


def cached(way: str):
    """New keys and values are written to caches at `at`; the queries see what is not after them."""
    def write(cache, new, at):
        if way == "index_copy":
            return cache.index_copy(2, at, new)
        if way == "index_put":
            return cache.index_put((torch.tensor([[[0]], [[1]]]), torch.arange(cache.shape[1])[None, :, None], at[None, None]), new)
        if way == "slice_scatter":
            return cache.slice_scatter(new, 2, 30, 30 + new.shape[2])
        return torch.cat([cache, new], 2)

    def run(q, k, v, new_k, new_v, at):
        k, v = write(k, new_k, at), write(v, new_v, at)
        mask = torch.arange(k.shape[2]) <= at[:, None]
        return attend(q, k, v, mask, enable_gqa=True), attend(q, copied(k, q.shape[1] // k.shape[1]), copied(v, q.shape[1] // v.shape[1]), mask), k, v
    return run


# caches of 16 bits are read as they lie: heads of all usual sizes, one query and many
for way, size, new, groups, dtype in (
        ("index_copy", 32, 1, 1, torch.bfloat16), ("index_copy", 64, 1, 2, torch.float16), ("index_copy", 80, 3, 4, torch.bfloat16),
        ("index_put", 128, 1, 4, torch.bfloat16), ("index_put", 64, 20, 2, torch.float16), ("slice_scatter", 64, 1, 3, torch.bfloat16),
        ("slice_scatter", 80, 20, 1, torch.float16), ("cat", 64, 1, 2, torch.bfloat16), ("cat", 32, 1, 1, torch.float16), ("cat", 128, 20, 2, torch.bfloat16)):
    caches = [heads(2, 2, 30 if way == "cat" else 70, size, dtype=dtype) for _ in "kv"]
    given = heads(2, 2 * groups, new, size, dtype=dtype), *caches, *(heads(2, 2, new, size, dtype=dtype) for _ in "kv"), torch.arange(new) + 30
    FAMILY.add(f"{short(dtype)} caches by {way}, {new} of {size}, {groups} share", cached(way), *given, is_near=True)
for dtype in (torch.float16, torch.bfloat16):
    def sized(past, new, dtype=dtype):
        return heads(2, 4, new, 64, dtype=dtype), *(heads(2, 2, n, 64, dtype=dtype) for n in (past, past, new, new)), torch.arange(new) + past
    FAMILY.add(f"{short(dtype)} caches that grow, dynamic", cached("cat"), *sized(40, 3), others=sized(33, 20), is_near=True)
FAMILY.add("long float64", lambda q, k, v: (attend(q, k, v), attend(q, k, v, is_causal=True)), q.double(), k.double(), v.double())
weight, bias, out = heads(24, 8), heads(24), heads(8, 8)
FAMILY.add("multi head", lambda x: F.multi_head_attention_forward(
    x, x, x, 8, 2, weight, bias, None, None, False, 0.0, out, bias[:8], need_weights=True), heads(5, 2, 8), tolerance=(1e-4, 1e-4))
for keys, values in (((12, 0), (12, 0, 3)), ((2, 5, 3), (2, 5, 4))):  # PyTorch does not look at the keys
    FAMILY.add(f"no queries beside keys {list(keys)}", torch.nn.functional.scaled_dot_product_attention, torch.zeros(keys[0], 0, 1), torch.zeros(keys),
               torch.zeros(values))


def special(length: int, keys: int, rank: int, dtype: torch.dtype):
    """NaN and infinities in queries, keys, values and masks, where PyTorch's fused kernel and its plain one agree."""
    nan, inf = float("nan"), float("inf")
    q, k, v = (heads(*(2, 2)[:rank - 2], n, 16, dtype=dtype) for n in (length, keys, keys))
    mask = t(length, keys, dtype=torch.bool) | (torch.arange(keys) == 0)
    mask[1], mask[:, 2] = False, False

    def put(x: torch.Tensor, row: int, number: float) -> torch.Tensor:
        return x.index_fill(-2, torch.tensor([row]), number)

    def run(q, k, v, mask):
        numbers = torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, -inf)
        results = [attend(put(q.abs(), 0, -inf), k.abs(), v), attend(q, k, v, put(numbers, 3, nan)), attend(q, k, v, put(numbers, 3, inf)),
                   attend(q, k, v, put(numbers, 1, -inf))]
        for x in (nan, inf, -inf):
            for given in (mask, numbers):
                results += [attend(put(put(q, 1, x), 2, x), k, v, given), attend(q, put(k, 2, x), v, given), attend(q, put(k, 0, x), v, given),
                            attend(q, k, put(v, 2, x), given), attend(q.abs(), put(k.abs(), 2, x), put(v, 3, x), given)]
            results += [attend(q, put(k, 2, x), v), attend(q, k, put(v, 2, x))]
            if keys < 16:  # of more, the loop leaves out what is hidden
                results += [attend(q, k, put(v, 2, x), is_causal=True)]
            if keys < 16 and rank < 4:
                results += [attend(q, put(k, 2, x), v, is_causal=True), attend(q, put(k, 0, x), v, is_causal=True)]
        return tuple(results)
    return run, q, k, v, mask


for dtype in FLOATS:
    for rank in (3, 4):
        for length, keys in ((5, 6), (20, 70)):
            FAMILY.add(f"NaN and infinities, rank {rank}, {length}x{keys} {short(dtype)}", *special(length, keys, rank, dtype), tolerance=LOOSE.get(dtype))

for case in FAMILY.cases:  # PyTorch's fused kernel does not ask whether there are as many values as keys, and reads beyond the ends
    case.refused = "the program holds only where"


def fused(q, k, v, **how):  # noqa: ANN001, ANN201
    """The kernel for CPUs, with the logarithms of what its weights were divided by."""
    return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, **how)


for dtype in FLOATS:
    q, k, v = (heads(2, 3, n, 16, dtype=dtype) for n in (5, 7, 7))
    mask = heads(5, 7, dtype=dtype).masked_fill(t(5, 7, dtype=torch.bool), -float("inf"))
    mask[1] = -float("inf")
    FAMILY.add(f"kernel's logarithms {short(dtype)}", lambda q, k, v, m: (
        *fused(q, k, v), *fused(q, k, v, is_causal=True, scale=0.3), *fused(q, k, v, attn_mask=m[2:3])), q, k, v, mask, tolerance=LOOSE.get(dtype),
        is_whole=True)


def encoder(dtype: torch.dtype, width: int = 12, inner: int = 20) -> list[torch.Tensor]:
    """Weights and biases of a layer: query, key and value, projection; norms; what feeds forward."""
    sizes = ((3 * width, width), (3 * width,), (width, width), (width,), (width,), (width,), (width,), (width,),
             (inner, width), (inner,), (width, inner), (width,))
    return [t(*size, dtype=dtype, low=-0.4, high=0.4) for size in sizes]


def layer(x, w, mask=None, kind=None, gelu=False, first=False):  # noqa: ANN001, ANN201, PLR0913
    return torch.ops.aten._transformer_encoder_layer_fwd(x, 12, 3, *w[:4], gelu, first, 1e-5, *w[4:], mask, kind)


def many_heads(q, k, v, w, *how):  # noqa: ANN001, ANN201
    return torch.ops.aten._native_multi_head_attention(q, k, v, 12, 3, *w[:4], *how)


# What nn.TransformerEncoderLayer and nn.MultiheadAttention are without gradients.
seen = torch.ones(2, 5, dtype=torch.bool)
seen[0, 3:] = False
later = torch.triu(torch.full((5, 5), float("-inf")), 1)
for dtype in (torch.float32, torch.float64, torch.bfloat16):
    x, w = t(2, 5, 12, dtype=dtype), encoder(dtype)
    loose = LOOSE.get(dtype)
    for gelu in (False, True):
        for first in (False, True):
            FAMILY.add(f"encoder layer{' gelu' * gelu}{' norm first' * first} {short(dtype)}",
                       lambda x, *w, gelu=gelu, first=first: layer(x, w, gelu=gelu, first=first), x, *w, tolerance=loose)
    FAMILY.add(f"encoder layer that sees parts {short(dtype)}", lambda x, m, *w: layer(x, w, m, 1), x, ~seen, *w, tolerance=loose)
    FAMILY.add(f"encoder layer that sees what came before {short(dtype)}", lambda x, m, *w: layer(x, w, m, 0), x, later.to(dtype), *w, tolerance=loose)
    FAMILY.add(f"encoder layer, mask per head {short(dtype)}", lambda x, m, *w: layer(x, w, m, 2), x,
               (~seen)[:, None, None].expand(2, 3, 5, 5).clone(), *w, tolerance=loose)
    FAMILY.add(f"many heads {short(dtype)}", lambda x, *w: many_heads(x, x, x, w, None, True, False), x, *w, tolerance=loose)
    FAMILY.add(f"many heads, means of weights {short(dtype)}", lambda q, k, v, *w: many_heads(q, k, v, w, None, True, True), x, x.flip(1), x * 2, *w,
               tolerance=loose, is_near=dtype == torch.bfloat16)
    FAMILY.add(f"many heads, no weights {short(dtype)}", lambda x, m, *w: many_heads(x, x, x, w, m, False, False, 1)[0], x, ~seen, *w, tolerance=loose)
x, w = t(2, 5, 12), encoder(torch.float32)
loose = LOOSE[torch.float32]
w16 = [one.float() if 4 <= i < 8 else one for i, one in enumerate(encoder(torch.bfloat16))]
FAMILY.add("encoder layer, norms of more digits", lambda x, *w: (layer(x, w), layer(x, w, first=True)), t(2, 5, 12, dtype=torch.bfloat16), *w16,
           tolerance=LOOSE[torch.bfloat16])
FAMILY.add("encoder layer that sees nothing", lambda x, m, *w: layer(x, w, m, 1), x, torch.ones(2, 5, dtype=torch.bool), *w, tolerance=loose)
FAMILY.add("encoder layer, dynamic", lambda x, m, w=w: layer(x, w, m, 1), x, ~seen, others=(t(3, 7, 12), t(3, 7, dtype=torch.bool) & False),
           more=((t(2, 5, 12), torch.zeros(2, 4, dtype=torch.bool)), (t(3, 1, 12), torch.zeros(1, 1, dtype=torch.bool))), tolerance=loose)
FAMILY.add("many heads, dynamic", lambda x, y, w=w: many_heads(x, y, y, w, None, True, False), x, x * 2, others=(t(1, 7, 12), t(1, 7, 12)), tolerance=loose)
