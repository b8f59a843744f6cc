# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What most models are made of, one op at a time beside eager, in shapes that nothing here was tuned for and in four dtypes.

    python tests/bench/common_ops.py --build build [--only GLOB] [--symbolic] [--threads N] [--seconds S] [--least RATIO]

A line for each: the least time of a run in milliseconds, eager's and ours, in turns, and the second over the first; sorted by
that at the end, from RATIO (1.2) on. --symbolic: every size is one that only a run knows, as far as torch.export leaves it
so. Needs PyTorch; measures, and judges nothing.
"""

from __future__ import annotations

import argparse
import fnmatch
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

AUTO = torch.export.Dim.AUTO
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "f64": torch.float64}
Case = tuple[str, Callable, tuple[torch.Tensor, ...]]


def products() -> Iterator[Case]:
    for m, k, n in ((1, 512, 512), (2, 1024, 1024), (4, 1024, 1024), (8, 512, 2048), (16, 768, 768), (33, 100, 77), (64, 64, 64), (128, 512, 512),
                    (64, 4096, 64), (1000, 32, 1000), (512, 512, 512), (577, 1024, 4096)):  # fmt: skip
        yield f"product {m} {k} {n}", torch.matmul, (torch.randn(m, k), torch.randn(k, n))
        yield f"turned {m} {k} {n}", lambda a, b: a @ b.T, (torch.randn(m, k), torch.randn(n, k))
        yield f"linear {m} {k} {n}", nn.Linear(k, n), (torch.randn(m, k),)
    for b, m, k, n in ((8, 64, 64, 64), (64, 16, 16, 16), (12, 128, 64, 128), (1000, 4, 4, 4), (32, 197, 32, 197)):
        yield f"products {b} {m} {k} {n}", torch.matmul, (torch.randn(b, m, k), torch.randn(b, k, n))
    for b, h, q, k, d in ((1, 8, 128, 128, 64), (1, 12, 512, 512, 64), (1, 8, 1, 512, 64), (4, 4, 50, 77, 40), (64, 3, 49, 49, 32)):
        heads = torch.randn(b, h, q, d), torch.randn(b, h, k, d), torch.randn(b, h, k, d)
        yield f"attention {b} {h} {q} {k} {d}", F.scaled_dot_product_attention, heads
        yield f"written out {b} {h} {q} {k} {d}", lambda q, k, v: ((q @ k.mT) / 8).softmax(-1) @ v, heads


def convolutions() -> Iterator[Case]:
    for name, layer, sizes in (
        ("1x1", nn.Conv2d(64, 256, 1), (1, 64, 56, 56)), ("3x3", nn.Conv2d(64, 64, 3, 1, 1), (1, 64, 56, 56)),
        ("3x3 of 7x7", nn.Conv2d(512, 512, 3, 1, 1), (1, 512, 7, 7)), ("steps", nn.Conv2d(128, 128, 3, 2, 1), (1, 128, 56, 56)),
        ("7x7", nn.Conv2d(3, 64, 7, 2, 3), (1, 3, 224, 224)), ("patches", nn.Conv2d(3, 768, 16, 16), (1, 3, 224, 224)),
        ("holes", nn.Conv2d(64, 64, 5, 1, 4, 2), (1, 64, 40, 40)), ("one line", nn.Conv2d(64, 64, (1, 7), 1, (0, 3)), (1, 64, 40, 40)),
        ("depthwise", nn.Conv2d(96, 96, 3, 1, 1, groups=96), (1, 96, 56, 56)), ("depthwise 7x7", nn.Conv2d(96, 96, 7, 1, 3, groups=96), (1, 96, 56, 56)),
        ("four groups", nn.Conv2d(64, 64, 3, 1, 1, groups=4), (1, 64, 56, 56)), ("many groups", nn.Conv2d(128, 128, 3, 1, 1, groups=32), (1, 128, 28, 28)),
        ("transposed", nn.ConvTranspose2d(64, 32, 4, 2, 1), (1, 64, 28, 28)), ("1d", nn.Conv1d(64, 64, 3, 1, 1), (1, 64, 1000)),
        ("3d", nn.Conv3d(16, 16, 3, 1, 1), (1, 16, 16, 32, 32)), ("batch", nn.Conv2d(32, 64, 3, 1, 1), (8, 32, 28, 28)),
    ):  # fmt: skip
        yield f"convolution {name}", layer, (torch.randn(sizes),)
    yield "convolution by input", lambda x, w: F.conv2d(x, w, padding=1), (torch.randn(1, 64, 28, 28), torch.randn(64, 64, 3, 3))
    yield "LSTM", nn.LSTM(128, 128), (torch.randn(64, 1, 128),)
    yield "GRU", nn.GRU(128, 128), (torch.randn(64, 8, 128),)


def others() -> Iterator[Case]:
    image = torch.randn(32, 64, 32, 32)
    for dims in ((0,), (1,), (3,), (2, 3), (0, 2, 3)):
        for name in ("sum", "amax", "var", "logsumexp"):
            yield f"{name} {dims}", lambda x, f=getattr(torch, name), d=dims: f(x, d), (image,)
    for dim in range(4):
        for name in ("softmax", "log_softmax", "cumsum", "argmax", "sort"):
            yield f"{name} {dim}", lambda x, f=getattr(torch, name), d=dim: f(x, dim=d), (image,)
    for name, layer in (("batch_norm", nn.BatchNorm2d(64)), ("group_norm", nn.GroupNorm(8, 64)), ("instance_norm", nn.InstanceNorm2d(64)),
                        ("layer_norm", nn.LayerNorm(32)), ("layer_norm of images", nn.LayerNorm([64, 32, 32])), ("rms_norm", nn.RMSNorm(32))):  # fmt: skip
        yield name, layer, (image,)
    for name in "relu sigmoid tanh gelu silu elu softplus hardswish mish leaky_relu".split():
        yield name, getattr(F, name), (image,)
    for name in "exp sqrt sin atan erf log1p square floor".split():
        yield name, getattr(torch, name), (image.abs(),)
    for order in ((0, 2, 3, 1), (3, 2, 1, 0), (0, 2, 1, 3), (0, 1, 3, 2)):
        yield f"permute {order}", lambda x, p=order: x.permute(p).contiguous(), (image,)
    for dim in (0, 1, 3):
        yield f"cat {dim}", lambda x, y, d=dim: torch.cat([x, y], d), (image, image)
    yield "windows", lambda x: x.view(32, 64, 4, 8, 4, 8).permute(0, 2, 4, 3, 5, 1).reshape(-1, 64, 64), (image,)
    yield "max_pool2d", lambda x: F.max_pool2d(x, 3, 2, 1), (image,)
    yield "avg_pool2d", lambda x: F.avg_pool2d(x, 3, 1, 1), (image,)
    yield "bilinear", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), (image[:1],)
    yield "embedding", nn.Embedding(5000, 256), (torch.randint(0, 5000, (512,)),)


class Program(nn.Module):
    def __init__(self, function: Callable) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: torch.Tensor):
        result = self.function(*inputs)
        return tuple(t for t in result if isinstance(t, torch.Tensor)) if isinstance(result, tuple) else result


def in_turns(runs: list[Callable[[], object]], seconds: float) -> list[float]:
    """Milliseconds, the least of each."""
    best = [float("inf")] * len(runs)
    for run in runs:
        run()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for i, run in enumerate(runs):
            start = time.perf_counter()
            run()
            best[i] = min(best[i], (time.perf_counter() - start) * 1e3)
    return best


def parser_of(text: str | None, least: float) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only", default="*", metavar="GLOB", help="of the names that are printed")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--least", type=float, default=least, metavar="RATIO")
    return parser


def measure(cases: Iterable[tuple[Case, torch.dtype | None]], args: argparse.Namespace, is_symbolic: bool) -> None:
    """A line for each, then what is from args.least on; dtype: what floats are cast to."""
    sys.path[:0] = [str(args.build.resolve() / "python")]
    import buddy

    torch.manual_seed(0)
    torch.set_num_threads(args.threads)
    ratios = {}
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        for (name, function, inputs), dtype in cases:
            if not fnmatch.fnmatch(name, args.only):
                continue
            module = Program(function).eval()
            if dtype:
                module, inputs = module.to(dtype), tuple(x.to(dtype) if x.is_floating_point() else x for x in inputs)
            dims = (tuple(dict.fromkeys(range(x.dim()), AUTO) for x in inputs),) if is_symbolic else None
            path = Path(folder) / "op.pt2"
            try:
                torch.export.save(torch.export.export(module, inputs, dynamic_shapes=dims), path)
                model = buddy.load(path, threads=args.threads, cache=False)
            except Exception as error:  # of PyTorch, or a decline that says why
                print(f"{name:<32} {type(error).__name__}: {str(error).splitlines()[0][:90]}", flush=True)
                continue
            eager, ours = in_turns([lambda m=module, x=inputs: m(*x), lambda m=model, x=inputs: m(*x)], args.seconds)
            ratios[name] = ours / eager
            print(f"{name:<32} eager {eager:9.3f}  buddy {ours:9.3f}  {ours / eager:7.2f}", flush=True)
    print()
    for name, ratio in sorted(ratios.items(), key=lambda item: -item[1]):
        if ratio >= args.least:
            print(f"{ratio:7.2f}  {name}")


def main() -> None:
    parser = parser_of(__doc__, 1.2)
    parser.add_argument("--symbolic", action="store_true")
    args = parser.parse_args()
    cases = (((f"{case} {name}", function, inputs), dtype) for name, dtype in DTYPES.items()
             for case, function, inputs in (*products(), *convolutions(), *others()))  # fmt: skip
    measure(cases, args, args.symbolic)


if __name__ == "__main__":
    main()
