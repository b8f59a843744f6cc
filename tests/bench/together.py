# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stepping conversations together is worth: CPU time of a token, of one conversation and of several as one batch, in turn.

    BUDDY_PYTHON tests/bench/together.py --build build [--rows 16] [--width 512] [--layers 8] [--heads 8] [--kv-heads 8]
                                         [--length 128] [--threads 1] [--rounds 6] [--out build/together]

A LLaMA of transformers with random weights, by examples/generate/export.py: its decode goes over what the mask shows of the
caches, which have `length` places. The conversations have different lengths. The logits of the batch are compared with those of each alone first.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

ROOT = Path(__file__).resolve().parent.parent.parent
VOCABULARY, TOLERANCE = 4096, 1e-3


def archive(args: argparse.Namespace) -> Path:
    sys.path.insert(0, str(ROOT / "examples" / "generate"))
    import export

    path = args.out / f"{args.width}_{args.layers}_{args.heads}_{args.kv_heads}_{args.length}_{args.rows}.pt2"
    if not path.exists():
        args.out.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(0)
        config = LlamaConfig(vocab_size=VOCABULARY, hidden_size=args.width, intermediate_size=args.width * 11 // 4,
                             num_hidden_layers=args.layers, num_attention_heads=args.heads, num_key_value_heads=args.kv_heads)  # fmt: skip
        export.write(LlamaForCausalLM(config).eval(), path, args.length, rows=args.rows)
    return path


def seconds(work: Callable[[], Any], n: int) -> float:
    before = time.process_time()
    for _ in range(n):
        work()
    return (time.process_time() - before) / n


def measure(args: argparse.Namespace) -> tuple[float, float]:
    """Seconds of CPU time a token: alone, together."""
    sys.path.insert(0, str(args.build.resolve() / "python"))
    import buddy

    sessions = [buddy.Session(buddy.load_programs(archive(args), ["prefill", "decode"], threads=args.threads))]
    sessions += [sessions[0].fork() for _ in range(args.rows - 1)]
    ends = [2 + i for i in range(args.rows)]
    for session, n in zip(sessions, ends):
        session.step(torch.randint(0, VOCABULARY, (1, n)), torch.arange(n), model="prefill")
    inputs = [(torch.randint(0, VOCABULARY, (1, 1)), torch.tensor([n])) for n in ends]

    def together() -> list[Any]:
        return buddy.step_all(sessions, inputs, "decode")

    for (token, at), session, result in zip(inputs, sessions, together()):
        assert (session.fork().step(token, at, model="decode") - result).abs().max() < TOLERANCE
    together()
    alone, batched = 0.0, 0.0
    for _ in range(args.rounds):
        alone += seconds(lambda: sessions[0].step(*inputs[0], model="decode"), 8) / args.rounds
        batched += seconds(together, 4) / args.rows / args.rounds
    return alone, batched


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "together")
    for name, number in (("rows", 16), ("width", 512), ("layers", 8), ("heads", 8), ("kv-heads", 8), ("length", 128),
                         ("threads", 1), ("rounds", 6)):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=number)
    args = parser.parse_args()
    alone, batched = measure(args)
    print(f"alone {alone * 1e3:.3f} ms a token, {args.rows} together {batched * 1e3:.3f}: {alone / batched:.2f} times the tokens")


if __name__ == "__main__":
    main()
