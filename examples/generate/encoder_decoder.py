# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of transformers that read a source once and write tokens of it (T5, Whisper): an archive of two programs, and
greedy tokens by it.

    python examples/generate/encoder_decoder.py model.pt2 [--from FOLDER] [--ids 8,15,7] [--new 16]

encode takes the source (token ids, or features of sound) and gives keys and values of it for each layer, which decode
takes with one token [1, 1], its position [1], and caches of what was written, the session's state. FOLDER: what
`save_pretrained` wrote; without one, the archive is there already.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import torch
from export import Layer
from torch import nn
from torch.export import Dim, export
from torch.export.pt2_archive._package import package_pt2
from transformers import AutoModelForSeq2SeqLM, Cache, DynamicCache, EncoderDecoderCache, PreTrainedModel

import buddy


class Written(Layer):
    """A cache that says how much is in it."""

    def get_seq_length(self) -> torch.Tensor:
        return self.positions[0, 0]


class Read(Layer):
    """Keys and values of the source, which stay."""


class Encode(nn.Module):
    def __init__(self, model: PreTrainedModel):
        super().__init__()
        self.model = model

    def forward(self, source: torch.Tensor) -> list[torch.Tensor]:
        hidden, cache = self.model.get_encoder()(source).last_hidden_state, EncoderDecoderCache(DynamicCache(), DynamicCache())
        first = torch.zeros(1, 1, dtype=torch.int64)  # for what the decoder makes of the source: its tokens are dropped
        self.model.get_decoder()(input_ids=first, encoder_hidden_states=hidden, past_key_values=cache, use_cache=True)
        return [tensor for layer in cache.cross_attention_cache.layers for tensor in (layer.keys, layer.values)]


class Decode(nn.Module):
    def __init__(self, model: PreTrainedModel):
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, position: torch.Tensor, source: list[torch.Tensor], past_key_values: list[torch.Tensor]) -> torch.Tensor:
        own = [Written(*pair, position[None]) for pair in zip(past_key_values[::2], past_key_values[1::2])]
        others = [Read(*pair, position[None]) for pair in zip(source[::2], source[1::2])]
        cache = EncoderDecoderCache(Cache(layers=own), Cache(layers=others))
        cache.is_updated = dict.fromkeys(range(len(others)), True)
        seen = torch.arange(past_key_values[0].shape[2]) <= position[:, None, None, None]
        mask = torch.where(seen, 0.0, torch.finfo(torch.float32).min)
        hidden = torch.zeros(1, source[0].shape[2], self.model.config.d_model)  # of which keys and values are known
        return self.model(decoder_input_ids=ids, decoder_attention_mask=mask, encoder_outputs=(hidden,), past_key_values=cache, use_cache=True).logits


def write(model: PreTrainedModel, path: Path, source: torch.Tensor, length: int) -> None:
    """source: an example; ids may be of any number in the program. length: the most tokens that are written."""
    with torch.no_grad():
        kept = Encode(model.eval())(source)
        caches = [torch.zeros(1, tensor.shape[1], length, tensor.shape[3]) for tensor in kept]
        is_text = source.dtype == torch.int64
        n = Dim("n", min=2, max=512) if is_text else None
        programs = {
            "encode": export(Encode(model), (source,), dynamic_shapes=({1: n},) if is_text else None, strict=False),
            "decode": export(
                Decode(model),
                (torch.ones(1, 1, dtype=torch.int64), torch.tensor([1]), kept, caches),
                dynamic_shapes=(None, None, [{2: n}] * len(kept), [None] * len(kept)) if is_text else None,
                strict=False,
            ),
        }
    package_pt2(str(path), exported_programs=programs)


def generate(session: buddy.Session, source: torch.Tensor, first: int, n: int) -> Iterator[int]:
    """n tokens, the likeliest each, after the one that begins all texts."""
    kept, token = session.step(source, model="encode"), first
    for i in range(n):
        logits = session.step(torch.tensor([[token]]), torch.tensor([i]), *kept, model="decode")
        token = int(logits[0, -1].argmax())
        yield token


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--from", type=Path, dest="folder", metavar="FOLDER", help="what save_pretrained wrote: token ids are read")
    parser.add_argument("--ids", default="8,15,7")
    parser.add_argument("--first", type=int, default=0, help="the token that begins all texts")
    parser.add_argument("--length", type=int, default=256, help="the most tokens that are written")
    parser.add_argument("--new", type=int, default=16)
    args = parser.parse_args()
    source = torch.tensor([[int(token) for token in args.ids.split(",")]])
    if args.folder:
        write(AutoModelForSeq2SeqLM.from_pretrained(args.folder, local_files_only=True, dtype=torch.float32), args.model, source, args.length)
    session = buddy.Session(buddy.load_programs(args.model, ["encode", "decode"]))
    print(",".join(map(str, generate(session, source, args.first, args.new))))


if __name__ == "__main__":
    main()
