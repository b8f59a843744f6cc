"""Tokens per second of a decoder: buddy beside PyTorch eager and TorchInductor, in turn, one token at a time.

    BUDDY_PYTHON tests/bench/generation.py --build build [--threads 1] [--prompt 64] [--tokens 32] [--width 1024]
                                           [--layers 8] [--out build/generation] [--no-inductor]

A LLaMA-style decoder of transformers, random weights, float32. One exported program serves the prompt and each token:
the number of tokens and the length of the cache are symbolic. All contenders are given the same tokens, those that
eager chooses, and their logits are compared; in every step each of them runs once, in turn, so that load hits all
alike. Told are the milliseconds of the prompt (the second time it is run), and the median and
spread of a token's; GB/s: the bytes of the parameters that a token has to read, over its time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn
from torch.export import Dim
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM

Tensors = tuple[torch.Tensor, ...]
Step = Callable[..., Tensors]


class Decoding(nn.Module):
    """Tokens, and the keys and values so far of each layer, give the last token's logits and the longer cache."""

    def __init__(self, inner: LlamaForCausalLM) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, tokens: torch.Tensor, *past: torch.Tensor) -> Tensors:
        cache = DynamicCache(list(zip(past[::2], past[1::2], strict=True)))
        logits = self.inner(input_ids=tokens, past_key_values=cache, use_cache=True).logits
        return (logits[:, -1], *(part for layer in cache.layers for part in (layer.keys, layer.values)))


def build_model(args: argparse.Namespace) -> tuple[Decoding, LlamaConfig]:
    config = LlamaConfig(
        vocab_size=16000,
        hidden_size=args.width,
        intermediate_size=4 * args.width,
        num_hidden_layers=args.layers,
        num_attention_heads=args.width // 64,
        num_key_value_heads=args.width // 128,
        max_position_embeddings=4096,
    )
    torch.manual_seed(0)
    return Decoding(LlamaForCausalLM(config)).eval(), config


def empty_cache(config: LlamaConfig, length: int = 0) -> Tensors:
    shape = (1, config.num_key_value_heads, length, config.hidden_size // config.num_attention_heads)
    return tuple(torch.zeros(shape) for _ in range(2 * config.num_hidden_layers))


def archive_of(model: Decoding, config: LlamaConfig, path: Path) -> Path:
    if not path.exists():
        tokens, past = Dim("tokens", max=2048), Dim("past", max=2048)
        example = (torch.zeros(1, 3, dtype=torch.int64), *empty_cache(config, 5))
        shapes = {"tokens": {1: tokens}, "past": tuple({2: past} for _ in example[1:])}
        torch.export.save(torch.export.export(model, example, dynamic_shapes=shapes), path)
    return path


def contenders(args: argparse.Namespace, model: Decoding, config: LlamaConfig) -> dict[str, Step]:
    sys.path.insert(0, str(args.build.resolve() / "python"))
    import buddy

    path = archive_of(model, config, args.out / f"decoder_{args.width}_{args.layers}.pt2")
    steps: dict[str, Step] = {"eager": model, "buddy": buddy.load(str(path), threads=args.threads)}
    if args.inductor:
        steps["inductor"] = torch.compile(model, dynamic=True)
    return steps


def timed(step: Step, tokens: torch.Tensor, cache: Tensors) -> tuple[float, Tensors]:
    start = time.perf_counter()
    results = tuple(step(tokens, *cache))
    return 1e3 * (time.perf_counter() - start), results


def generate(steps: dict[str, Step], prompt: torch.Tensor, config: LlamaConfig, n: int) -> dict[str, list[float]]:
    """Milliseconds of each contender: the prompt, then each token."""
    tokens = prompt
    caches = {name: empty_cache(config) for name in steps}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(n + 1):
        expected = None
        for name, step in steps.items():
            ms, (logits, *cache) = timed(step, tokens, caches[name])
            times[name].append(ms)
            caches[name] = tuple(cache)
            expected = logits if expected is None else expected
            torch.testing.assert_close(logits, expected, rtol=1e-3, atol=1e-4, msg=lambda m, who=name: f"{who}: {m}")
        tokens = expected.argmax(-1, keepdim=True)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="buddy's build tree, with its Python package")
    parser.add_argument("--out", type=Path, help="where the archive is kept; default: BUILD/generation")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--prompt", type=int, default=64, metavar="TOKENS")
    parser.add_argument("--tokens", type=int, default=32)
    parser.add_argument("--width", type=int, default=1024, help="of the decoder; a multiple of 128")
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--no-inductor", dest="inductor", action="store_false")
    args = parser.parse_args()
    args.out = args.out or args.build / "generation"
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.set_grad_enabled(False)
    model, config = build_model(args)
    steps = contenders(args, model, config)
    prompt = torch.randint(config.vocab_size, (1, args.prompt))
    generate(steps, prompt, config, 2)  # compiled for both numbers of tokens, weights read
    times = generate(steps, prompt, config, args.tokens)
    embedding = model.inner.get_input_embeddings().weight  # a token reads one row of it
    n_bytes = 4 * (sum(p.numel() for p in model.parameters()) - embedding.numel())
    print(f"{'':10}{'prompt ms':>11}{'token ms':>11}{'least':>11}{'most':>11}{'tokens/s':>11}{'GB/s':>11}")
    for name, (first, *rest) in times.items():
        ms = statistics.median(rest)
        columns = (first, ms, min(rest), max(rest), 1e3 / ms, n_bytes / ms / 1e6)
        print(f"{name:10}" + "".join(f"{value:11.1f}" for value in columns))


if __name__ == "__main__":
    main()
