# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views, permutations, parts, joining, padding and other ops that move elements."""

import torch
import torch.nn.functional as F

from case import Family, short

FAMILY = Family("shape")
t = FAMILY.tensor
x = t(2, 3, 4)

STATIC = {
    "view": lambda x: (x.view(6, 4), x.view(-1), x.view(2, 12), x.view(2, 3, 2, 2), x.reshape(4, 6), x.flatten(1)),
    "view 0-d": lambda x: (x[:1, :1, :1].reshape(()), x.sum().view(1, 1)),
    "squeeze": lambda x: (x.unsqueeze(0), x.unsqueeze(-1), x.unsqueeze(1).squeeze(1), x[:1].squeeze(), x[:1].squeeze(0)),
    "permute": lambda x: (x.permute(2, 0, 1), x.permute(-1, 0, 1), x.transpose(0, 2), x[0].t(), x.mT, x.movedim(0, 2)),
    "expand": lambda x: (x[:, :1].expand(2, 5, 4), x[0, 0].expand(3, 4), x[:1].expand(-1, -1, -1), x[0].expand(2, 3, 4)),
    "repeat": lambda x: (x.repeat(2, 1, 3), x.repeat(2, 1, 1, 1), x[0, 0].repeat(3), x.tile(2), x.repeat(1, 1, 1)),
    "repeat_interleave": lambda x: (x.repeat_interleave(2, 1), x.repeat_interleave(3)),
    "slice": lambda x: (x[:, 1:], x[:, :, ::2], x[:, -2:], x[:, :, 1:3:2], x[0], x[:, -1], x[..., 1], x[:, 5:]),
    "narrow": lambda x: (x.narrow(1, 1, 2), x.select(2, -1)),
    "split": lambda x: (*x.split(2, 1), *x.split([1, 3], 2), *x.chunk(3, 2), *x.unbind(1), *x.tensor_split(2, 1),
                        *x.tensor_split([1, 2], 2)),
    "cat": lambda x: (torch.cat([x, x[:, :1]], 1), torch.cat([x, x, x]), torch.stack([x, x], 1), torch.stack([x], -1),
                      torch.cat([x], -1), torch.hstack([x, x]), torch.vstack([x, x])),
    "cat empty": lambda x: (torch.cat([x[0, 0, :0], x[0, 0]]), torch.cat([x[:, :0], x], 1)),
    "flip": lambda x: (x.flip(0), x.flip(1, 2), x.flip(-1)),
    "roll": lambda x: (x.roll(1), x.roll(2, 1), x.roll((1, -2), (0, 2)), x.roll(-7, 2)),
    "diagonal": lambda x: (x.diagonal(), x.diagonal(1, 1, 2), x.diagonal(-1, 0, 2), torch.diag_embed(x)),
    "diag": lambda x: (torch.diag(x[0, 0]), torch.diag(x[0]), torch.diag(x[0], 1), torch.diag(x[0, 0], -2),
                       torch.diag_embed(x, 1, 0, 2)),
    "triangles": lambda x: (x.tril(), x.triu(), x.tril(-1), x.triu(1), x.tril(2)),
    "unfold": lambda x: (x.unfold(2, 2, 1), x.unfold(1, 2, 1), x.unfold(2, 3, 2)),
    "as_strided": lambda x: (x.as_strided((2, 2), (4, 1), 3), x.as_strided((3,), (5,))),
    "pad": lambda x: (F.pad(x, (1, 2)), F.pad(x, (1, 0, 2, 1), value=1.5), F.pad(x, (-1, 1)), F.pad(x, (0, -2, 1, 0))),
    "pad modes": lambda x: (F.pad(x, (1, 2), mode="reflect"), F.pad(x, (3, 1), mode="replicate"),
                            F.pad(x, (2, 1), mode="circular")),
    "pad 2d": lambda x: (F.pad(x[None], (1, 2, 2, 1), mode="reflect"), F.pad(x[None], (3, 1, 1, 4), mode="replicate"),
                         F.pad(x[None], (2, 1, 1, 1), mode="circular"),
                         F.pad(x[None], (-1, 1, -2, 1), mode="circular")),
    "scatter slices": lambda x: (torch.slice_scatter(x, x[:, :2] * 2, 1, 1), torch.select_scatter(x, x[0] * 2, 0, 1),
                                 torch.slice_scatter(x, x[:, :, :2] * 2, 2, 0, 4, 2),
                                 torch.diagonal_scatter(x[0], x[0, 0, :3] * 0, 1)),
    "scatter what is padded into what is filled": lambda x: (
        x.new_zeros(2, 3, 16).slice_scatter(F.pad(x, (1, 2)), 2, 0, 14, 2), x.new_ones(7, 3, 4).slice_scatter(F.pad(x, (0, 0, 0, 0, 1, 0), value=1), 0, 1, 7, 2),
        x.new_zeros(2, 3, 7).slice_scatter(F.pad(x, (2, 1)), 2)),
    "copies": lambda x: (x.clone(), x.contiguous(), x + 0),
}
for dtype in (torch.float32, torch.int64, torch.bool, torch.bfloat16):
    for name, function in STATIC.items():
        if dtype in (torch.float32, torch.int64) or name in ("view", "slice", "cat", "flip", "expand"):
            if not (dtype == torch.int64 and name == "pad modes"):
                FAMILY.add(f"{name} {short(dtype)}", function, t(2, 3, 4, dtype=dtype))

DYNAMIC = {
    "view": lambda x: (x.view(x.shape[0], -1), x.view(-1), x.flatten(0, 1), x.reshape(x.shape[0], x.shape[1], 2, -1)),
    "split heads": lambda x: x.view(x.shape[0], x.shape[1], 2, 2).transpose(1, 2),
    "permute": lambda x: (x.permute(2, 0, 1), x.transpose(0, 1), x.unsqueeze(1).squeeze(1)),
    "expand": lambda x: (x[:, :1].expand(-1, x.shape[1], -1), x[0].expand(x.shape[0], -1, -1)),
    "slice": lambda x: (x[:, 1:], x[:, :, ::2], x[:, -1], x[0], x[:, : x.shape[1] - 1]),
    "cat": lambda x: (torch.cat([x, x], 1), torch.stack([x, x]), torch.cat([x, x[:, :1]], 1)),
    "flip": lambda x: (x.flip(0), x.roll(1, 1), x.tril(), x.triu(1)),
    "repeat": lambda x: (x.repeat(2, 1, 1), x.repeat(1, 1, 3)),
    "pad": lambda x: (F.pad(x, (1, 2)), F.pad(x, (1, 1), mode="replicate")),
    "diagonal": lambda x: x.diagonal(0, 0, 2),
    "unfold": lambda x: x.unfold(1, 2, 1),
}
for name, function in DYNAMIC.items():
    FAMILY.add(f"{name}, dynamic", function, t(2, 3, 4), others=(t(5, 6, 4),))
LONG = {
    "reflected": lambda x: (F.pad(x, (2, 3, 1, 2), mode="reflect"), F.pad(x[0], (47, 47), mode="reflect"), F.pad(x[0], (-1, 4), mode="reflect") + 1),
    "replicated": lambda x: (F.pad(x, (70, 3, 1, 0), mode="replicate"), F.pad(x[0], (-40, 90), mode="replicate")),
    "circular": lambda x: (F.pad(x, (2, 3, 1, 2), mode="circular"), F.pad(x[0], (48, 48), mode="circular")),
    "padded": lambda x: (F.pad(x, (2, 3, 1, 2)), F.pad(x, (1, 0), value=1.5), F.pad(x, (-3, 9, 0, 7), value=2), F.pad(x, (0, 0, 0, 0, 1, 1))),
    "rolled": lambda x: (x.roll(5), x.roll((-3, 50), (3, 2)), x.roll(1, 1), x.roll(47, 3) * 2, x.roll(4800, 3)),
}
for name, function in LONG.items():
    FAMILY.add(f"long rows, {name}", function, t(2, 3, 40, 48))
    FAMILY.add(f"long rows, {name} bf16", function, t(2, 3, 40, 48, dtype=torch.bfloat16))
    FAMILY.add(f"long rows, {name}, dynamic", function, t(2, 3, 40, 48), others=(t(4, 5, 60, 65),))
FAMILY.add("empty", lambda x: (x.view(0, 12), x.transpose(0, 1), x.flip(1), x.roll((1, 2), (0, 2)), torch.cat([x, x]),
                            x.repeat(2, 1, 1)), t(0, 3, 4))
FAMILY.add("mixed cat", lambda a, b: torch.cat([a, b]), t(2, 3), t(2, 3, dtype=torch.int32))
