# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text generation: a LLaMA-style decoder with a key-value cache, token by token, printed as it comes.

python examples/python/generate.py [--tokens N]

The model learns one sentence first, letter by letter, in a few seconds, so that what it writes can be read: there is no
model hub here. One compiled program serves the prompt and every later token: the number of tokens and the length of the
cache are symbolic sizes.
"""

import argparse
import math
import sys
import time

import torch
from torch import nn

from buddy.compiler.frontend import DynamoCompiler

TEXT = "the quick brown fox jumps over the lazy dog and runs away from the big bad wolf. "
LETTERS = sorted(set(TEXT))
WIDTH, HEADS, LAYERS, LONGEST = 64, 4, 2, 512


def rotate(x: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
    """Rotary position embedding."""
    half = x.shape[-1] // 2
    angles = position[:, None] * torch.exp(-math.log(10000.0) * torch.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.gate, self.up = nn.Linear(WIDTH, 2 * WIDTH, bias=False), nn.Linear(WIDTH, 2 * WIDTH, bias=False)
        self.down = nn.Linear(2 * WIDTH, WIDTH, bias=False)

    def forward(self, x, keys, values, position, mask):
        n = x.shape[1]
        q, k, v = self.qkv(self.norm1(x)).view(1, n, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        keys = torch.cat([keys, rotate(k, position)], dim=2)
        values = torch.cat([values, v], dim=2)
        scores = rotate(q, position) @ keys.transpose(2, 3) / math.sqrt(WIDTH // HEADS)
        attended = (scores + mask).softmax(-1) @ values
        x = x + self.out(attended.transpose(1, 2).reshape(1, n, WIDTH))
        y = self.norm2(x)
        return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y)), keys, values


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.norm = nn.Embedding(len(LETTERS), WIDTH), nn.RMSNorm(WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, len(LETTERS), bias=False)

    def forward(self, tokens, keys, values):
        """tokens [1, n]; keys and values [layers, 1, heads, past, width of a head]."""
        past, n = keys.shape[3], tokens.shape[1]
        position = torch.arange(n) + past
        mask = torch.where(torch.arange(past + n)[None] <= position[:, None], 0.0, float("-inf"))
        x, new_keys, new_values = self.embedding(tokens), [], []
        for i, layer in enumerate(self.layers):
            x, k, v = layer(x, keys[i], values[i], position, mask)
            new_keys.append(k)
            new_values.append(v)
        return self.head(self.norm(x)), torch.stack(new_keys), torch.stack(new_values)


def empty_cache() -> torch.Tensor:
    return torch.zeros(LAYERS, 1, HEADS, 0, WIDTH // HEADS)


def learn(model: Decoder) -> float:
    """A few hundred steps on the sentence."""
    tokens = torch.tensor([[LETTERS.index(letter) for letter in TEXT * 2]])
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(150):
        logits, _, _ = model(tokens[:, :-1], empty_cache(), empty_cache())
        loss = nn.functional.cross_entropy(logits[0], tokens[0, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def generate(run, prompt: str, n: int):
    """Yields a letter at a time: first the whole prompt goes in, then each new token alone."""
    tokens = torch.tensor([[LETTERS.index(letter) for letter in prompt]])
    keys, values = empty_cache(), empty_cache()
    for _ in range(n):
        logits, keys, values = run(tokens, keys, values)
        tokens = logits[:, -1:].argmax(-1)
        yield LETTERS[int(tokens)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=60)
    n = parser.parse_args().tokens
    torch.manual_seed(0)
    model = Decoder()
    print(f"loss after learning: {learn(model):.3f}")
    model.eval()

    tokens, past = torch.export.Dim("tokens", max=LONGEST), torch.export.Dim("past", max=LONGEST)
    cache = (LAYERS, 1, HEADS, 5, WIDTH // HEADS)
    example = (torch.zeros(1, 3, dtype=torch.int64), torch.zeros(cache), torch.zeros(cache))  # two tensors, not one twice
    compiler = DynamoCompiler(registries="linalg:*")
    compiler.importer_by_export(model, *example, dynamic_shapes=({1: tokens}, {3: past}, {3: past}))
    run = compiler.compiled()

    prompt, letters = "the quick ", []
    sys.stdout.write(prompt)
    start = time.perf_counter()
    for letter in generate(run, prompt, n):
        letters.append(letter)
        sys.stdout.write(letter)
        sys.stdout.flush()
    print(f"\n{n / (time.perf_counter() - start):.0f} tokens a second, compilation included")
    with torch.no_grad():
        assert letters == list(generate(model, prompt, n)), "PyTorch writes another text"
    print("PyTorch writes the same")


if __name__ == "__main__":
    main()
