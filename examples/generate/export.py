# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a language model of transformers as an archive of two programs, prefill and decode, that generate.c and
generate.py run.

    python examples/generate/export.py model.pt2 [--from WHERE] [--rows N]

Both programs take token ids [1, n] and their positions [n], give logits [1, n, vocabulary], and write their caches to
buffers. prefill takes any number of tokens from two on (a recurrent model's takes four: its loop over them is written
out), decode one. WHERE: a folder that `save_pretrained` wrote, or a GGUF file (accelerate and gguf read those), with a
tokenizer, whose files go along; without it, a small LLaMA with random weights is written. --rows: decode takes up to N
conversations at once, ids [b, 1] and positions [b], so that sessions step as one batch; the caches are inputs then, which
both programs write to. Not for recurrent models.
"""

import argparse
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.export import Dim, ExportedProgram, export
from torch.export.pt2_archive._package import package_pt2
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    Cache,
    DynamicCache,
    LlamaConfig,
    LlamaForCausalLM,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.cache_utils import CacheLayerMixin
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


class Layer(CacheLayerMixin):
    """The caches [b, heads, length, size] of one layer, each row of which is written at its own positions [b, n]."""

    def __init__(self, keys: torch.Tensor, values: torch.Tensor, positions: torch.Tensor):
        super().__init__()
        self.keys, self.values, self.positions, self.is_initialized = keys, values, positions, True

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        pass

    def update(self, key_states: torch.Tensor, value_states: torch.Tensor, *args, **kwargs) -> tuple[torch.Tensor, torch.Tensor]:
        rows = torch.arange(key_states.shape[0])[:, None]
        self.keys[rows, :, self.positions] = key_states.transpose(1, 2)
        self.values[rows, :, self.positions] = value_states.transpose(1, 2)
        return self.keys, self.values

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.keys.shape[2], 0

    def get_seq_length(self) -> int:
        return 0

    def get_max_length(self) -> int:
        return self.keys.shape[2]


def masks(config: PretrainedConfig, positions: torch.Tensor, length: int) -> torch.Tensor | dict[str, torch.Tensor]:
    """What the queries at positions [b, n] see of a cache: by kind of layer, where there are several."""
    columns, kinds = torch.arange(length), set(getattr(config, "layer_types", None) or ())
    if not kinds <= {"full_attention", "sliding_attention"}:
        raise ValueError(f"--rows knows no masks of {', '.join(sorted(kinds))}")
    at, window = positions[:, None, :, None], getattr(config, "sliding_window", None)
    seen = columns <= at
    if not window or (kinds and "sliding_attention" not in kinds):
        return seen
    near = seen & (columns > at - window)
    return {"full_attention": seen, "sliding_attention": near} if kinds else near


class Together(nn.Module):
    """A model of attention whose conversations are rows, each as far as it is."""

    def __init__(self, model: PreTrainedModel):
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, cache_position: torch.Tensor, past_key_values: list[torch.Tensor]) -> torch.Tensor:
        positions = cache_position.view(input_ids.shape)
        cache = Cache(layers=[Layer(*pair, positions) for pair in zip(past_key_values[::2], past_key_values[1::2])])
        mask = masks(self.model.config, positions, past_key_values[0].shape[2])
        how = {"attention_mask": mask, "position_ids": positions, "past_key_values": cache, "use_cache": True}
        return self.model(input_ids, **how).logits


def caches(model: PreTrainedModel, length: int, rows: int) -> list[torch.Tensor]:
    cache = DynamicCache(config=model.config)
    model(torch.zeros(1, 1, dtype=torch.int64), past_key_values=cache, use_cache=True)
    shapes = [tensor.shape for layer in cache.layers for tensor in (layer.keys, layer.values)]
    return [torch.zeros(rows, heads, length, size) for _, heads, _, size in shapes]


def programs_of_rows(model: PreTrainedModel, length: int, rows: int) -> dict[str, ExportedProgram]:
    """rows: the most of decode."""
    n, b, together = Dim("n", min=2, max=length - 1), Dim("b", min=1, max=rows), Together(model.eval())
    exported = {}
    with torch.no_grad():
        for name, size, tokens in (("prefill", 1, 4), ("decode", 3, 1)):
            given = caches(model, length, size)
            inputs = torch.ones(size, tokens, dtype=torch.int64), torch.arange(size * tokens), given
            shapes = ({1: n}, {0: n}, [{}] * len(given)) if tokens > 1 else ({0: b}, {0: b}, [{0: b}] * len(given))
            exported[name] = export(together, inputs, dynamic_shapes=shapes, strict=False)
    return exported


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


def write(model: PreTrainedModel, path: Path, length: int, extra: dict[str, str] | None = None, rows: int = 1) -> None:
    exported = programs(model, length) if rows == 1 else programs_of_rows(model, length, rows)
    package_pt2(str(path), exported_programs=exported, extra_files=extra or {})


def tokenizer_files(tokenizer: PreTrainedTokenizerBase) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_pretrained(folder)
        return {file.name: file.read_text() for file in Path(folder).iterdir()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--from", type=Path, dest="source", metavar="WHERE", help="what save_pretrained wrote, or a GGUF file")
    parser.add_argument("--length", type=int, default=256, help="of the cache, in tokens")
    parser.add_argument("--rows", type=int, default=1, help="the most conversations in one step of decode")
    args = parser.parse_args()
    torch.manual_seed(0)
    extra = {}
    if args.source:
        is_file = args.source.is_file()
        source = {"pretrained_model_name_or_path": args.source.parent if is_file else args.source, "local_files_only": True}
        source |= {"gguf_file": args.source.name} if is_file else {}
        model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
        if is_file or (args.source / "tokenizer_config.json").exists():
            extra = tokenizer_files(AutoTokenizer.from_pretrained(**source))
    else:
        model = LlamaForCausalLM(LlamaConfig(vocab_size=512, hidden_size=128, intermediate_size=256, num_hidden_layers=4,
                                             num_attention_heads=8, num_key_value_heads=4))  # fmt: skip
    write(model, args.output, args.length, extra, args.rows)


if __name__ == "__main__":
    main()
