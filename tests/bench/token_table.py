# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What generation.py tells of the times that it took. Needs no PyTorch."""

from __future__ import annotations

import statistics
from typing import Any


def told(times: dict[str, list[float]], n_bytes: int) -> dict[str, dict[str, float]]:
    """What is printed of each contender."""
    base = times["eager"]
    rows = {}
    for name, (prompt, *tokens) in times.items():
        ms = statistics.median(tokens)
        rows[name] = {
            "prompt_ms": prompt,
            "token_ms": ms,
            "least_ms": min(tokens),
            "most_ms": max(tokens),
            "tokens_per_s": 1e3 / ms,
            "gb_per_s": n_bytes / ms / 1e6,
            "prompt_ratio": prompt / base[0],
            "token_ratio": statistics.median(t / b for t, b in zip(tokens, base[1:], strict=True)),
        }
    return rows


def show(result: dict[str, Any]) -> None:
    heads = ("prompt ms", "token ms", "least", "most", "tokens/s", "GB/s", "of eager's", "prompt's")
    print(f"{result['weights']:12}" + "".join(f"{head:>11}" for head in heads))
    for name, row in result["contenders"].items():
        numbers = [f"{row[key]:11.1f}" for key in ("prompt_ms", "token_ms", "least_ms", "most_ms", "tokens_per_s", "gb_per_s")]
        print(f"{name:12}" + "".join(numbers) + f"{row['token_ratio']:11.2f}{row['prompt_ratio']:11.2f}")
    for name, why in result["missing"].items():
        print(f"{name:12} none: {why}")
    print(flush=True)
