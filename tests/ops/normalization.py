# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmaxes and normalisations, composite and native forms."""

import torch
import torch.nn.functional as F

from case import FLOATS, Family, short

FAMILY = Family("normalization")
t = FAMILY.tensor
LOOSE = {torch.float16: (3e-3, 2e-3), torch.bfloat16: (2e-2, 2e-2)}
aten = torch.ops.aten


def ready(*sizes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return t(*sizes, dtype=dtype, low=0.5, high=2)


for dtype in FLOATS:
    name, loose = short(dtype), LOOSE.get(dtype)
    x = t(3, 4, 5, dtype=dtype)
    FAMILY.add(f"softmax {name}", lambda x: (x.softmax(-1), x.softmax(0), F.softmin(x, 1)), x, tolerance=loose)
    FAMILY.add(f"log_softmax {name}", lambda x: (x.log_softmax(-1), x.log_softmax(1)), x, tolerance=loose)
    FAMILY.add(f"softmax to f64 {name}", lambda x: (x.softmax(1, dtype=torch.float64), x.log_softmax(1, torch.float64)), x)
    FAMILY.add(f"logsumexp {name}", lambda x: (x.logsumexp(1), x.logsumexp((0, 2)), x.logsumexp(-1, keepdim=True)), x,
               tolerance=loose)
    FAMILY.add(f"layer_norm {name}", lambda x, w, b: (
        F.layer_norm(x, (5,)), F.layer_norm(x, (5,), w, b), F.layer_norm(x, (5,), w), F.layer_norm(x, (5,), None, b, 0.1)),
        x, ready(5, dtype=dtype), t(5, dtype=dtype), tolerance=loose)
    FAMILY.add(f"layer_norm of two dims {name}", lambda x, w: F.layer_norm(x, (4, 5), w), x, ready(4, 5, dtype=dtype),
               tolerance=loose)
    FAMILY.add(f"rms_norm {name}", lambda x, w: (F.rms_norm(x, (5,)), F.rms_norm(x, (5,), w, 1e-3), F.rms_norm(x, (4, 5))),
               x, ready(5, dtype=dtype), tolerance=loose)
    for sizes in ((2, 4), (2, 4, 5), (2, 4, 3, 5), (2, 4, 2, 3, 2)):
        FAMILY.add(f"batch_norm {len(sizes)}d {name}", lambda x, m, v, w, b: (
            F.batch_norm(x, m, v), F.batch_norm(x, m, v, w, b), F.batch_norm(x, m, v, w, None, eps=0.1)),
            t(*sizes, dtype=dtype), t(4, dtype=dtype), ready(4, dtype=dtype), ready(4, dtype=dtype), t(4, dtype=dtype),
            tolerance=loose)
        if len(sizes) > 2 or dtype == torch.float32:
            FAMILY.add(f"group_norm {len(sizes)}d {name}", lambda x, w, b: (
                F.group_norm(x, 2), F.group_norm(x, 1, w, b), F.group_norm(x, 4, w), F.group_norm(x, 2, None, b, 0.1)),
                t(2, 4, 3, *sizes[3:], dtype=dtype), ready(4, dtype=dtype), t(4, dtype=dtype), tolerance=loose)
    FAMILY.add(f"instance_norm {name}", lambda x, w, b: (F.instance_norm(x), F.instance_norm(x, weight=w, bias=b)),
               t(2, 4, 3, 5, dtype=dtype), ready(4, dtype=dtype), t(4, dtype=dtype), tolerance=loose)
    FAMILY.add(f"native_layer_norm {name}", lambda x, w, b: aten.native_layer_norm(x, [5], w, b, 1e-5), x,
               ready(5, dtype=dtype), t(5, dtype=dtype), tolerance=loose)
    FAMILY.add(f"native_group_norm {name}", lambda x, w, b: aten.native_group_norm(x, w, b, 2, 4, 15, 2, 1e-5),
               t(2, 4, 3, 5, dtype=dtype), ready(4, dtype=dtype), t(4, dtype=dtype), tolerance=loose)

wide = torch.float32
for dtype in (torch.float16, torch.bfloat16):
    FAMILY.add(f"half_to_float {short(dtype)}", lambda x: (x.softmax(-1, dtype=wide), x.log_softmax(-1, dtype=wide)),
               t(3, 5, dtype=dtype))
    FAMILY.add(f"batch_norm of mixed dtypes {short(dtype)}", lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b),
               t(2, 4, 5, dtype=dtype), t(4), ready(4), ready(4), t(4), tolerance=LOOSE[dtype])
rows = torch.tensor([[float("nan"), 1.0, 2.0], [float("inf"), 1.0, 2.0], [-float("inf"), 1.0, 2.0],
                     [-float("inf")] * 3, [1e4, -1e4, 0.0], [-0.0, 0.0, 1e-30]])
FAMILY.add("softmax numbers", lambda x: (x.softmax(1), x.log_softmax(1), x.logsumexp(1)), rows)
FAMILY.add("safe softmax numbers", lambda x: aten._safe_softmax(x, 1), rows)
FAMILY.add("safe softmax", lambda x: (aten._safe_softmax(x, 1), aten._safe_softmax(x, -1, dtype=torch.float64)), t(3, 4, 5))
FAMILY.add("softmax 0-d", lambda x: (x.softmax(0), x.log_softmax(0), x.softmax(-1), x.logsumexp(0)), t())
FAMILY.add("softmax empty", lambda x: (x.softmax(1), x.log_softmax(1), x.logsumexp(1)), t(0, 4))
FAMILY.add("softmax of integers", lambda x: (x.softmax(1, dtype=wide), x.log_softmax(1, dtype=wide)), t(3, 4, dtype=torch.int32))
FAMILY.add("softmax of one", lambda x: (x.softmax(1), x.log_softmax(1)), t(3, 1))
FAMILY.add("softmax long", lambda x: (x.softmax(1), x.log_softmax(1)), t(2, 1000))
FAMILY.add("axes of one number", lambda x, y: (x.softmax(3), y.softmax(1), x.log_softmax(-1), F.layer_norm(x, (1,)), F.layer_norm(y, (1, 3))),
           t(12, 5, 9, 1), t(4, 1, 3))
FAMILY.add("logsumexp of integers", lambda x: x.logsumexp(1), t(3, 4, dtype=torch.int64))
FAMILY.add("layer_norm empty", lambda x: F.layer_norm(x, (4,)), t(0, 4))
FAMILY.add("layer_norm long", lambda x, w, b: F.layer_norm(x, (768,), w, b), t(2, 3, 768), ready(768), t(768))
FAMILY.add("layer_norm of far numbers", lambda x: F.layer_norm(x, (64,)), t(4, 64) + 1000, tolerance=(1e-4, 1e-4))
FAMILY.add("batch_norm no training", lambda x, w, b, m, v: aten._native_batch_norm_legit_no_training(
    x, w, b, m, v, 0.1, 1e-5)[0], t(2, 4, 5), ready(4), t(4), t(4), ready(4))
FAMILY.add("batch_norm in training", lambda x: F.batch_norm(x, None, None, training=True), t(2, 4, 5))
FAMILY.add("batch_norm in training, functional", lambda x, w, b, m, v: aten._native_batch_norm_legit_functional(
    x, w, b, m, v, True, 0.2, 1e-5), t(6, 4, 5), ready(4), t(4), t(4), ready(4))
FAMILY.add("batch_norm in training, functional, dynamic", lambda x, w, b, m, v: aten._native_batch_norm_legit_functional(
    x, w, b, m, v, True, 0.2, 1e-5)[3:], t(6, 4, 5), ready(4), t(4), t(4), ready(4), others=(t(3, 4, 7), *(ready(4) for _ in "wbmv")))
FAMILY.add("local_response_norm", lambda x: F.local_response_norm(x, 3), t(2, 4, 5, 6))
FAMILY.add("normalize", lambda x: (F.normalize(x), F.normalize(x, p=1, dim=0), F.normalize(x, dim=-1, eps=1e-2)), t(3, 4, 5))
FAMILY.sizes("softmax", lambda x: (x.softmax(-1), x.log_softmax(0), x.logsumexp(1)), (3, 4, 5))
FAMILY.sizes("layer_norm", lambda x: F.layer_norm(x, x.shape[-1:]), (3, 4))
weight, bias = ready(8), t(8)
for name, function in {
    "layer_norm with weight": lambda x: F.layer_norm(x, (8,), weight, bias),
    "rms_norm": lambda x: F.rms_norm(x, (8,), weight),
}.items():
    FAMILY.add(f"{name}, dynamic", function, t(3, 4, 8), others=(t(5, 6, 8),))
    FAMILY.add(name, function, t(3, 4, 8))
for name, function in {
    "group_norm": lambda x: F.group_norm(x, 2, weight, bias),
    "batch_norm": lambda x: F.batch_norm(x, bias, weight, weight, bias),
    "instance_norm": lambda x: F.instance_norm(x, weight=weight, bias=bias),
}.items():
    FAMILY.add(f"{name}, dynamic", function, t(3, 8, 4, 5), others=(t(2, 8, 6, 3),))


def trained(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, m: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, ...]:
    mean, variance = m * 1, v * 1
    first = aten.native_batch_norm(x, w, b, mean, variance, True, 0.1, 1e-5)
    functional = aten._batch_norm_with_update_functional(x, w, b, m, v, 0.2, 1e-5)
    return *first, mean, variance, *functional[:3], *functional[4:]


FAMILY.add("batch_norm that writes silently", trained, t(4, 3, 5), t(3), t(3), t(3), t(3, low=0.5, high=2))


def trained_by_instance(x: torch.Tensor, w: torch.Tensor | None, m: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, ...]:
    mean, variance = m * 1, v * 1
    return F.instance_norm(x, mean, variance, w, w, True, 0.2), mean, variance


for dtype in FLOATS:
    FAMILY.add(f"instance_norm in training {short(dtype)}", trained_by_instance, t(4, 3, 5, dtype=dtype), t(3, dtype=dtype),
               t(3, dtype=dtype), t(3, low=0.5, high=2, dtype=dtype), tolerance=LOOSE.get(dtype))
FAMILY.add("instance_norm in training, dynamic", lambda x, m, v: trained_by_instance(x, None, m, v), t(4, 3, 5), t(3),
           t(3, low=0.5, high=2), others=(t(2, 3, 7), t(3), t(3, low=0.5, high=2)))

moments = {"native": aten.native_batch_norm, "legit, functional": aten._native_batch_norm_legit_functional, "whole": lambda *args: aten.batch_norm(*args, False)}
for name, function in moments.items():
    for training in (True, False):
        FAMILY.add(f"batch_norm that may be of nothing, {name}, {training}", lambda x, m, v, f=function, on=training: f(x, None, None, m * 1, v * 1, on, 0.1, 1e-5),
                   t(4, 3, 5), t(3), t(3, low=0.5, high=2), others=(t(0, 3, 5), t(3), t(3, low=0.5, high=2)), is_whole=True)
for dtype in FLOATS:
    FAMILY.add(f"moments of nothing {short(dtype)}", lambda x, y: (
        *aten.native_layer_norm(x, [0], None, None, 1e-5), *aten.native_group_norm(y, None, None, 2, 4, 0, 2, 1e-5)), t(3, 0, dtype=dtype), t(2, 4, 0, dtype=dtype))
FAMILY.add("moments that may be of nothing", lambda y: aten.native_group_norm(y, None, None, y.shape[0], 4, y.shape[2], 2, 1e-5), t(2, 4, 3),
           others=(t(3, 4, 5),), more=((t(2, 4, 0),), (t(0, 4, 2),)))
weighted = lambda x, w: F.instance_norm(x, weight=w)  # noqa: E731
FAMILY.add("instance_norm of no images", weighted, t(2, 3, 5), t(3), others=(t(0, 3, 5), t(3)))
