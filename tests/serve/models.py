# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models that the suite serves: archives, what eager computes, and a compiled library.

    python3 tests/serve/models.py --buddy build/bin/buddy --runtime build/lib/libbuddy_runtime.so --out FOLDER
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

import torch
from torch.export import Dim
from torch.export.pt2_archive._package import package_pt2


class Mlp(torch.nn.Module):
    """A batch of up to 32."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(16, 256), torch.nn.ReLU(), torch.nn.Linear(256, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


class Words(torch.nn.Module):
    """A batch and lengths; indices that may be wrong; a result with the batch's dim alone, and None."""

    def __init__(self) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(10, 4)

    def forward(self, words: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, None]:
        embedded = self.table(words) * weights.unsqueeze(-1)
        return embedded, embedded.sum((1, 2)), None


class Kinds(torch.nn.Module):
    """Every type that a request may have, without a batch."""

    def forward(self, flag: torch.Tensor, u8: torch.Tensor, i8: torch.Tensor, i16: torch.Tensor, i32: torch.Tensor,
                i64: torch.Tensor, f16: torch.Tensor, f64: torch.Tensor, scalar: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return ~flag, u8 + 1, -i8, -i16, -i32, -i64, f16 * 2, f64 * 3, scalar * 4


class Counter(torch.nn.Module):
    """A run leaves something to the next."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("n", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.n.add_(1)
        return x + self.n


class Gram(torch.nn.Module):
    """Every size of the result is the batch's: requests cannot be put together."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ x.T


class Chosen(torch.nn.Module):
    """As many rows as the data tell."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x[x[:, 0] > 0]


class Complex(torch.nn.Module):
    """A type that the server has not."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.complex(x, x)


class Talker(torch.nn.Module):
    """A language model, as far as its cache goes: each row writes its tokens at its positions, and sums up what is before."""

    VOCABULARY, LENGTH = 24, 40

    def __init__(self) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(self.VOCABULARY, 16)
        self.head = torch.nn.Linear(16, self.VOCABULARY, bias=False)

    def forward(self, input_ids: torch.Tensor, cache_position: torch.Tensor, past_key_values: torch.Tensor) -> torch.Tensor:
        positions = cache_position.view(input_ids.shape)
        past_key_values[torch.arange(input_ids.shape[0])[:, None], positions] = self.table(input_ids)
        weights = torch.arange(1, self.LENGTH + 1).sin() * (torch.arange(self.LENGTH) <= positions[..., None])
        return self.head((weights @ past_key_values).tanh())

    def tokens(self, prompt: list[int], n: int) -> list[int]:
        """The likeliest that follow."""
        ids = list(prompt)
        with torch.no_grad():
            for _ in range(n):
                cache = torch.zeros(1, self.LENGTH, 16)
                logits = self(torch.tensor([ids]), torch.arange(len(ids)), cache)
                ids.append(int(logits[0, -1].argmax()))
        return ids[len(prompt) :]

    def write(self, path: Path) -> None:
        n, b = Dim("n", min=2, max=self.LENGTH - 1), Dim("b", min=1, max=8)
        exported = {}
        for name, rows, tokens in (("prefill", 1, 4), ("decode", 3, 1)):
            inputs = torch.ones(rows, tokens, dtype=torch.int64), torch.arange(rows * tokens), torch.zeros(rows, self.LENGTH, 16)
            sizes = ({1: n}, {0: n}, None) if tokens > 1 else ({0: b}, {0: b}, {0: b})
            exported[name] = torch.export.export(self, inputs, dynamic_shapes=sizes)
        package_pt2(str(path), exported_programs=exported)


def talker() -> Talker:
    torch.manual_seed(1)
    return Talker().eval()


def kinds_inputs() -> tuple[torch.Tensor, ...]:
    numbers = torch.arange(6).reshape(2, 3)
    integers = [numbers.to(kind) for kind in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)]
    return numbers > 2, *integers, numbers.to(torch.float16), numbers.to(torch.float64), torch.tensor(1.5)


def modules() -> dict[str, tuple[torch.nn.Module, tuple[torch.Tensor, ...], object]]:
    """Name, and module, example and sizes."""
    torch.manual_seed(0)
    batch, length = Dim("batch", min=1, max=32), Dim("length", min=1, max=64)
    x = torch.randn(4, 16)
    return {
        "mlp": (Mlp(), (x,), {"x": {0: batch}}),
        "fixed": (Mlp(), (x,), None),
        "words": (Words(), (torch.ones(3, 5, dtype=torch.int64), torch.ones(3, 5)),
                  {"words": {0: batch, 1: length}, "weights": {0: batch, 1: length}}),
        "kinds": (Kinds(), kinds_inputs(), None),
        "counter": (Counter(), (x,), {"x": {0: batch}}),
        "gram": (Gram(), (x,), {"x": {0: batch}}),
        "chosen": (Chosen(), (x,), {"x": {0: batch}}),
        "complex": (Complex(), (x,), {"x": {0: batch}}),
    }


def export_all(out: Path) -> None:
    exported = {}
    for name, (module, inputs, sizes) in modules().items():
        exported[name] = torch.export.export(module.eval(), inputs, dynamic_shapes=sizes)
        torch.export.save(exported[name], out / f"{name}.pt2")
    talker().write(out / "talker.pt2")
    package_pt2(str(out / "two.pt2"), exported_programs={"first": exported["mlp"], "second": exported["gram"]})


def compile_library(buddy: Path, runtime: Path, archive: Path, out: Path) -> None:
    subprocess.run([buddy, "compile", archive, "-o", out, "--runtime", runtime], check=True, capture_output=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--buddy", "--runtime", "--out"):
        parser.add_argument(name, type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    export_all(args.out)
    compile_library(args.buddy, args.runtime, args.out / "mlp.pt2", args.out / "ahead.so")


if __name__ == "__main__":
    main()
