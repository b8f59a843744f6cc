# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Beam search over an archive of two programs (export.py): a beam is a session, and beams part by forks.

    python examples/generate/beams.py model.pt2 [--ids 1,15,7] [--new 32] [--beams 4]

Writes the sequences, the likeliest first, each after the logarithm of its probability. With an archive of `export.py --rows`
the beams step as one batch.
"""

import argparse

import torch
from generate import prefill

import buddy

Beam = tuple[buddy.Session, list[int], float]  # what it remembers, its tokens, the logarithm of their probability


def grow(beams: list[Beam], logits: list[torch.Tensor], width: int) -> list[Beam]:
    """The likeliest `width` of all that the beams may become by one more token."""
    scores = torch.stack([score + row.log_softmax(-1) for (_, _, score), row in zip(beams, logits)])
    best, places = scores.flatten().topk(min(width, scores.numel()))
    grown = []
    for score, place in zip(best.tolist(), places.tolist()):
        session, tokens, _ = beams[place // scores.shape[1]]
        grown.append((session.fork(), [*tokens, place % scores.shape[1]], score))  # what it shares with others is copied when written
    return grown


def search(session: buddy.Session, ids: list[int], n: int, width: int) -> list[tuple[list[int], float]]:
    """Sequences of n tokens after `ids`, the likeliest first."""
    beams, logits = [(session, [], 0.0)], [prefill(session, ids)]
    for i in range(n):
        beams = grow(beams, logits, width)
        if i + 1 < n:
            inputs = [(torch.tensor([[tokens[-1]]]), torch.tensor([len(ids) + i])) for _, tokens, _ in beams]
            logits = [row[0, -1] for row in buddy.step_all([beam[0] for beam in beams], inputs, model="decode")]
    return [(tokens, score) for _, tokens, score in beams]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--ids", default="1,2,3")
    parser.add_argument("--new", type=int, default=32)
    parser.add_argument("--beams", type=int, default=4)
    args = parser.parse_args()
    session = buddy.Session(buddy.load_programs(args.model, ["prefill", "decode"]))
    for tokens, score in search(session, [int(token) for token in args.ids.split(",")], args.new, args.beams):
        print(f"{score:.4f}", ",".join(map(str, tokens)))


if __name__ == "__main__":
    main()
