# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decoders of step_models.py as their peers' own tools write them: ONNX by onnxruntime-genai's builder, with an operator that keeps
caches in place; OpenVINO's as OpenVINO GenAI wants models, with states.

Both need packages of PyPI: onnxruntime-genai, onnx and onnx-ir; openvino."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch.export import Dim, export
from transformers import Cache, LlamaForCausalLM, PreTrainedTokenizerFast

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "examples" / "generate"))

from export import Layer  # noqa: E402


def _tokenizer(module: LlamaForCausalLM) -> PreTrainedTokenizerFast:
    """Of single bytes; both ask for one, though they are given numbers."""
    words = {letter: i for i, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab={**words, "end": len(words)}, merges=[]))
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="end")


def write_onnx(module: LlamaForCausalLM, folder: Path) -> None:
    """model.onnx in the folder: input_ids, attention_mask, past_key_values.N.key and .value to logits, present.N.key and .value."""
    source = folder / "transformers"
    module.save_pretrained(source)
    _tokenizer(module).save_pretrained(source)
    subprocess.run([sys.executable, "-m", "onnxruntime_genai.models.builder", "-i", source, "-o", folder, "-p", "fp32", "-e", "cpu"], check=True)


class _Growing(Layer):
    def update(self, key_states: torch.Tensor, value_states: torch.Tensor, *args, **kwargs) -> tuple[torch.Tensor, torch.Tensor]:
        self.keys, self.values = torch.cat([self.keys, key_states], 2), torch.cat([self.values, value_states], 2)
        return self.keys, self.values


class _Decoder(torch.nn.Module):
    """Caches come in and go out longer; queries see what is before them and not masked."""

    def __init__(self, model: LlamaForCausalLM) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, position_ids: torch.Tensor,
                past: list[torch.Tensor]) -> tuple[torch.Tensor, list[torch.Tensor]]:  # fmt: skip
        cache = Cache(layers=[_Growing(*pair, position_ids) for pair in zip(past[::2], past[1::2], strict=True)])
        seen = (torch.arange(attention_mask.shape[1]) <= position_ids[:, None, :, None]) & attention_mask[:, None, None, :].bool()
        logits = self.model(input_ids, attention_mask=seen, position_ids=position_ids, past_key_values=cache, use_cache=True).logits
        return logits, [part for layer in cache.layers for part in (layer.keys, layer.values)]


def _exported(module: LlamaForCausalLM, heads: int, size: int) -> torch.export.ExportedProgram:
    batch, tokens, behind = Dim("b", max=64), Dim("n", max=4096), Dim("p", max=8192)
    past = [torch.zeros(2, heads, 5, size) for _ in range(2 * module.config.num_hidden_layers)]
    inputs = torch.ones(2, 3, dtype=torch.int64), torch.ones(2, 8, dtype=torch.int64), torch.arange(5, 8).repeat(2, 1), past
    shapes = {0: batch, 1: tokens}, {0: batch, 1: Dim.DYNAMIC}, {0: batch, 1: tokens}, [{0: batch, 2: behind}] * len(past)
    return export(_Decoder(module), inputs, dynamic_shapes=shapes, strict=False)


def write_openvino(module: LlamaForCausalLM, path: Path) -> None:
    """The caches are states "past.Npresent.N", empty at first; input beam_idx says which row each row goes on from."""
    import openvino
    from openvino import opset13 as ops
    from openvino._offline_transformations import apply_make_stateful_transformation
    from openvino_tokenizers import convert_tokenizer

    config = module.config
    heads, size = config.num_key_value_heads, config.hidden_size // config.num_attention_heads
    model = openvino.convert_model(_exported(module, heads, size))
    for port, name in zip(model.inputs, ("input_ids", "attention_mask", "position_ids"), strict=False):
        port.get_tensor().set_names({name})
    model.outputs[0].get_tensor().set_names({"logits"})
    model.reshape({port: [-1, -1] if i < 3 else [-1, heads, -1, size] for i, port in enumerate(model.inputs)})
    rows = ops.parameter([-1], np.int32, name="beam_idx")
    rows.output(0).get_tensor().set_names({"beam_idx"})
    for i, (past, present) in enumerate(zip(model.inputs[3:], model.outputs[1:], strict=True)):
        past.get_tensor().set_names({f"past.{i}"})
        present.get_tensor().set_names({f"present.{i}"})
        readers = past.get_target_inputs()
        chosen = ops.gather(past.get_node(), rows, ops.constant(0, np.int64))
        for reader in readers:
            reader.replace_source_output(chosen.output(0))
    model.add_parameters([rows])
    n = len(model.outputs) - 1
    apply_make_stateful_transformation(model, {f"past.{i}": f"present.{i}" for i in range(n)})
    batch = ops.gather(ops.shape_of(model.input("input_ids"), output_type="i64"), ops.constant([0], np.int64), ops.constant(0, np.int64))
    empty = ops.broadcast(ops.constant(0.0, np.float32), ops.concat([batch, ops.constant(np.array([heads, 0, size]), np.int64)], 0))
    for op in model.get_ops():
        if op.get_type_name() == "ReadValue":
            op.set_arguments([empty])
    model.validate_nodes_and_infer_types()
    path.parent.mkdir(exist_ok=True)
    openvino.save_model(model, path, compress_to_fp16=False)
    for name, part in zip(("tokenizer", "detokenizer"), convert_tokenizer(_tokenizer(module), with_detokenizer=True), strict=True):
        openvino.save_model(part, path.with_name(f"openvino_{name}.xml"))
    path.with_name("config.json").write_text(config.to_json_string())
