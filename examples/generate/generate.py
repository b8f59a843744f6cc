# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text generation from an archive of two programs (export.py): one session for the prompt and all that follows.

    python examples/generate/generate.py model.pt2 [--ids 1,15,7 | --prompt "Once upon" | --chat "Hello" …] [--new 32]
                                                   [--temperature 0.8] [--top-k 40] [--top-p 0.95] [--seed 1] [--samples 1]
                                                   [--weights model.gguf]

--prompt and --chat need the tokenizer that export.py put into the archive; --chat its chat template, too: each one given is
answered in turn. Several samples are forks of one session: the prompt is read once. --weights: a GGUF file of a LLaMA or its
kin, whose blocks are read as they lie.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from gguf_names import NAMES

import buddy

TOKENIZER = "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja"


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


def prefill(session: buddy.Session, ids: list[int], at: int = 0) -> torch.Tensor:
    """The logits after ids, of which the first `at` have been read: at once as far as prefill takes them, the rest one by one."""
    most, n = session.inputs("prefill")[0].sizes[1], len(ids) - at  # -1: any number
    end = at + (most if 0 < most <= n and at == 0 else n if most < 0 and n > 1 else 0)
    if end > at:
        logits = session.step(torch.tensor([ids[at:end]]), torch.arange(at, end), model="prefill")
    for i in range(end, len(ids)):
        logits = session.step(torch.tensor([[ids[i]]]), torch.tensor([i]), model="decode")
    return logits[0, -1]


def generate(session: buddy.Session, logits: torch.Tensor, at: int, n: int, **how) -> Iterator[int]:
    """n tokens, from position `at` on, as they come."""
    for i in range(n):
        if i:
            logits = session.step(torch.tensor([[token]]), torch.tensor([at + i - 1]), model="decode")[0, -1]
        token = choose(logits, **how)
        yield token


def load_tokenizer(model: str) -> Any:
    """transformers' tokenizer, of the archive's files."""
    from transformers import AutoTokenizer

    files = buddy.extra_files(model)
    if "tokenizer.json" not in files:
        raise SystemExit(f"{model} has no tokenizer: export.py puts one in, --from where there is one")
    with tempfile.TemporaryDirectory() as folder:
        for name in TOKENIZER:
            if name in files:
                Path(folder, name).write_bytes(files[name])
        return AutoTokenizer.from_pretrained(folder, local_files_only=True)


def chat(session: buddy.Session, tokenizer: Any, questions: list[str], n: int, **how) -> Iterator[str]:
    """An answer to each, of n tokens at most. What the session has read of the conversation is not read again."""
    messages: list[dict[str, str]] = []
    read: list[int] = []
    for question in questions:
        messages.append({"role": "user", "content": question})
        ids = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=False)
        if session.inputs("prefill")[0].sizes[1] >= 0 or ids[: len(read)] != read:
            session.rewind()
            read = []
        answer: list[int] = []
        for token in generate(session, prefill(session, ids, len(read)), len(ids), n, **how):
            if token == tokenizer.eos_token_id:
                break
            answer.append(token)
        read = ids + answer[:-1]  # the last one may have been chosen alone
        messages.append({"role": "assistant", "content": tokenizer.decode(answer)})
        yield messages[-1]["content"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--ids", default="1,2,3")
    parser.add_argument("--prompt")
    parser.add_argument("--chat", action="append", metavar="TEXT", help="what a user says; again: after the answer")
    parser.add_argument("--weights", metavar="FILE", help="a GGUF file")
    parser.add_argument("--new", type=int, default=32)
    parser.add_argument("--temperature", type=float, default=0)
    parser.add_argument("--top-k", type=int, default=0)
    parser.add_argument("--top-p", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--samples", type=int, default=1)
    args = parser.parse_args()
    tokenizer = load_tokenizer(args.model) if args.prompt or args.chat else None
    weights = {"weights": args.weights, "weight_names": NAMES} if args.weights else {}
    root = buddy.Session(buddy.load_programs(args.model, ["prefill", "decode"], **weights))
    how = {"temperature": args.temperature, "top_k": args.top_k, "top_p": args.top_p, "generator": torch.Generator().manual_seed(args.seed)}
    if args.chat:
        for answer in chat(root, tokenizer, args.chat, args.new, **how):
            print(answer, flush=True)
        return
    ids = tokenizer(args.prompt).input_ids if tokenizer else [int(token) for token in args.ids.split(",")]
    logits = prefill(root, ids)
    for _ in range(args.samples):
        tokens = list(generate(root.fork(), logits, len(ids), args.new, **how))
        print(tokenizer.decode(tokens) if tokenizer else ",".join(map(str, tokens)), flush=True)


if __name__ == "__main__":
    main()
