# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a language model of transformers as an archive of two programs, prefill and decode, that generate.c and
generate.py run.

    python examples/generate/export.py model.pt2 [--from FOLDER]

Both programs take token ids [1, n] and their positions [n], give logits [1, n, vocabulary], and write their caches to
buffers. prefill takes any number of tokens from two on (a recurrent model's takes four: its loop over them is written
out), decode one. FOLDER: what `save_pretrained` wrote, with its tokenizer, whose file goes along; without one, a small
LLaMA with random weights is written.
"""

import argparse
from pathlib import Path

import torch
from torch import nn
from torch.export import Dim, ExportedProgram, export
from torch.export.pt2_archive._package import package_pt2
from transformers import AutoModelForCausalLM, DynamicCache, LlamaConfig, LlamaForCausalLM, PreTrainedModel
from transformers.integrations.executorch import TorchExportableModuleWithStaticCache


class Recurrent(nn.Module):
    """A model whose layers keep states of one size each (Mamba), which are buffers here."""

    def __init__(self, model: PreTrainedModel):
        super().__init__()
        self.model, self.continues = model, False
        self.cache = DynamicCache(config=model.config)
        model(torch.zeros(1, 2, dtype=torch.int64), cache_params=self.cache)  # the states have their sizes now
        for i, layer in enumerate(self.cache.layers):
            self.register_buffer(f"conv_state_{i}", torch.zeros_like(layer.conv_states[0]), persistent=False)
            self.register_buffer(f"recurrent_state_{i}", torch.zeros_like(layer.recurrent_states[0]), persistent=False)

    def forward(self, input_ids: torch.Tensor, cache_position: torch.Tensor) -> torch.Tensor:
        for i, layer in enumerate(self.cache.layers):
            layer.conv_states[0], layer.recurrent_states[0] = self.state(i)
            layer.has_previous_state[0] = self.continues
        return self.model(input_ids, cache_params=self.cache, use_cache=True).logits

    def state(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        return getattr(self, f"conv_state_{i}"), getattr(self, f"recurrent_state_{i}")


def wrapped(model: PreTrainedModel, length: int) -> nn.Module:
    if not hasattr(model.config, "num_attention_heads"):
        return Recurrent(model)
    generation = model.generation_config
    generation.use_cache, generation.cache_implementation = True, "static"
    generation.cache_config = {"batch_size": 1, "max_cache_len": length}
    return TorchExportableModuleWithStaticCache(model)


def programs(model: PreTrainedModel, length: int) -> dict[str, ExportedProgram]:
    """length: of the cache, in tokens."""
    exported = {}
    with torch.no_grad():
        module = wrapped(model.eval(), length)
        n, is_recurrent = Dim("n", min=2, max=length - 1), isinstance(module, Recurrent)
        any_length = None if is_recurrent else {"input_ids": {1: n}, "cache_position": {0: n}}
        for name, tokens, shapes in (("prefill", 4, any_length), ("decode", 1, None)):
            inputs = {"input_ids": torch.ones(1, tokens, dtype=torch.int64), "cache_position": torch.arange(tokens)}
            if is_recurrent:
                module.continues = name == "decode"
            exported[name] = export(module, (), inputs, dynamic_shapes=shapes, strict=not is_recurrent)
    return exported


def write(model: PreTrainedModel, path: Path, length: int, extra: dict[str, str] | None = None) -> None:
    package_pt2(str(path), exported_programs=programs(model, length), extra_files=extra or {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--from", type=Path, dest="folder", metavar="FOLDER", help="what save_pretrained wrote")
    parser.add_argument("--length", type=int, default=256, help="of the cache, in tokens")
    args = parser.parse_args()
    torch.manual_seed(0)
    if args.folder:
        model = AutoModelForCausalLM.from_pretrained(args.folder, local_files_only=True, dtype=torch.float32)
    else:
        model = LlamaForCausalLM(LlamaConfig(vocab_size=512, hidden_size=128, intermediate_size=256, num_hidden_layers=4,
                                             num_attention_heads=8, num_key_value_heads=4))  # fmt: skip
    tokenizer = args.folder / "tokenizer.json" if args.folder else Path()
    write(model, args.output, args.length, {"tokenizer.json": tokenizer.read_text()} if tokenizer.is_file() else None)


if __name__ == "__main__":
    main()
