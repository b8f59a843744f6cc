# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text generation from an archive of two programs (export.py): one session for the prompt and all that follows.

    python examples/generate/generate.py model.pt2 [--ids 1,15,7 | --prompt "Once upon"] [--new 32] [--temperature 0.8]
                                                   [--top-k 40] [--top-p 0.95] [--seed 1] [--samples 1]

--prompt needs the tokenizer that export.py put into the archive. Several samples are forks of one session: the prompt is
read once.
"""

import argparse
from collections.abc import Iterator

import torch

import buddy


def choose(logits: torch.Tensor, temperature: float, top_k: int, top_p: float, generator: torch.Generator) -> int:
    """A token: the likeliest one, or one drawn from the top k, and from those that together have a probability of p."""
    if temperature <= 0:
        return int(logits.argmax())
    weights, tokens = (logits / temperature).softmax(-1).sort(descending=True, stable=True)
    if top_k:
        weights, tokens = weights[:top_k], tokens[:top_k]
    before = weights.cumsum(-1) - weights
    weights = torch.where(before < top_p * weights.sum(), weights, 0.0)
    return int(tokens[torch.multinomial(weights, 1, generator=generator)])


def prefill(session: buddy.Session, ids: list[int]) -> torch.Tensor:
    """The logits after the prompt, which is read at once as far as prefill takes it, the rest one by one."""
    most = session.inputs("prefill")[0].sizes[1]  # -1: any number
    at = most if 0 < most <= len(ids) else len(ids) if most < 0 and len(ids) > 1 else 0
    if at:
        logits = session.step(torch.tensor([ids[:at]]), torch.arange(at), model="prefill")
    for i in range(at, len(ids)):
        logits = session.step(torch.tensor([[ids[i]]]), torch.tensor([i]), model="decode")
    return logits[0, -1]


def generate(session: buddy.Session, logits: torch.Tensor, at: int, n: int, **how) -> Iterator[int]:
    """n tokens, from position `at` on, as they come."""
    for i in range(n):
        if i:
            logits = session.step(torch.tensor([[token]]), torch.tensor([at + i - 1]), model="decode")[0, -1]
        token = choose(logits, **how)
        yield token


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--ids", default="1,2,3")
    parser.add_argument("--prompt")
    parser.add_argument("--new", type=int, default=32)
    parser.add_argument("--temperature", type=float, default=0)
    parser.add_argument("--top-k", type=int, default=0)
    parser.add_argument("--top-p", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--samples", type=int, default=1)
    args = parser.parse_args()
    ids, tokenizer = [int(token) for token in args.ids.split(",")], None
    if args.prompt:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(buddy.extra_files(args.model)["tokenizer.json"].decode())
        ids = tokenizer.encode(args.prompt).ids
    root = buddy.Session(buddy.load_programs(args.model, ["prefill", "decode"]))
    logits = prefill(root, ids)
    generator = torch.Generator().manual_seed(args.seed)
    for _ in range(args.samples):
        how = {"temperature": args.temperature, "top_k": args.top_k, "top_p": args.top_p, "generator": generator}
        tokens = list(generate(root.fork(), logits, len(ids), args.new, **how))
        print(tokenizer.decode(tokens) if tokenizer else ",".join(map(str, tokens)), flush=True)


if __name__ == "__main__":
    main()
