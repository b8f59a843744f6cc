# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Greedy tokens of a large model, which a small one guesses ahead of it: two archives of export.py, of one vocabulary.

    python examples/generate/speculate.py large.pt2 small.pt2 [--ids 1,15,7] [--new 32] [--ahead 4]

The small model runs ahead on a fork of its session, and goes back to where the large one agrees. The large one looks at all
guesses in one step of prefill; what it wrote for a wrong guess is written again later, and not looked at before. (A model
whose state has no positions would step on a fork, too.) Writes the tokens, and how many steps of the large model they took.
"""

import argparse

import torch
from generate import prefill

import buddy


def decode(session: buddy.Session, token: int, at: int) -> int:
    return int(session.step(torch.tensor([[token]]), torch.tensor([at]), model="decode")[0, -1].argmax())


def guess(small: buddy.Session, token: int, at: int, n: int) -> list[int]:
    """n tokens after `token`, on a fork: the session itself stays where it is."""
    ahead, tokens = small.fork(), [token]
    for i in range(n):
        tokens.append(decode(ahead, tokens[-1], at + i))
    return tokens[1:]


def speculate(large: buddy.Session, small: buddy.Session, ids: list[int], n: int, ahead: int) -> tuple[list[int], int]:
    """(n tokens after `ids`, steps of the large model after the prompt)"""
    prefill(small, ids)
    tokens, n_steps = [int(prefill(large, ids).argmax())], 0
    while len(tokens) < n:
        at = len(ids) + len(tokens) - 1  # of the last token, which neither has seen
        guesses = guess(small, tokens[-1], at, min(ahead, n - len(tokens)))
        seen = torch.tensor([[tokens[-1], *guesses]])
        logits = large.step(seen, at + torch.arange(seen.shape[1]), model="prefill")
        n_steps += 1
        right = logits[0].argmax(-1).tolist()
        n_right = next((i for i, token in enumerate(guesses) if token != right[i]), len(guesses))
        for i in range(n_right + 1):  # the small one is to have seen what is certain
            decode(small, int(seen[0, i]), at + i)
        tokens += right[: n_right + 1]
    return tokens[:n], n_steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("large")
    parser.add_argument("small")
    parser.add_argument("--ids", default="1,2,3")
    parser.add_argument("--new", type=int, default=32)
    parser.add_argument("--ahead", type=int, default=4)
    args = parser.parse_args()
    large, small = (buddy.Session(buddy.load_programs(path, ["prefill", "decode"])) for path in (args.large, args.small))
    tokens, n_steps = speculate(large, small, [int(token) for token in args.ids.split(",")], args.new, args.ahead)
    print(",".join(map(str, tokens)), f"({n_steps} steps)")


if __name__ == "__main__":
    main()
