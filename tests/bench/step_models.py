# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models that steps.py measures: a LLaMA as an archive of two programs, as a GGUF file, and as its peers have it (step_peers.py)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import LlamaConfig, LlamaForCausalLM

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "examples" / "generate"))

import export  # noqa: E402
from gguf_names import NAMES as NAMES  # noqa: E402
from gguf_names import PARTS  # noqa: E402

# Of GGUF: numbers of a block, its bytes, where its scales of 16 bits lie, and what they are for numbers of some 0.02.
BLOCKS = {"Q8_0": (32, 34, (0,), 3e-4), "Q4_0": (32, 18, (0,), 4e-3), "Q4_K": (256, 144, (0, 1), 1e-4),
          "Q5_K": (256, 176, (0, 1), 5e-5), "Q6_K": (256, 210, (104,), 1.5e-5)}  # fmt: skip
KINDS = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, **dict.fromkeys(BLOCKS, torch.float32)}
VOCABULARY = 16128


class Model:
    def __init__(self, kind: str, args: argparse.Namespace) -> None:
        self.kind, self.out, self.behind, self.length = kind, args.out, args.behind, args.behind + 64
        self.config = LlamaConfig(vocab_size=VOCABULARY, hidden_size=args.width, intermediate_size=4 * args.width, num_hidden_layers=args.layers,
                                  num_attention_heads=args.width // 64, num_key_value_heads=args.kv_heads, max_position_embeddings=8192)  # fmt: skip
        self.name = f"{args.width}_{args.layers}_{args.kv_heads}_{args.behind}"
        self.dtype = KINDS[kind]

    def module(self) -> LlamaForCausalLM:
        torch.manual_seed(0)
        return LlamaForCausalLM(self.config).eval().to(self.dtype)

    def path(self, ending: str) -> Path:
        return self.out / f"{self.name}_{ending}"

    def archive(self) -> Path:
        path = self.path(f"{str(self.dtype)[6:]}.pt2")
        if not path.exists():
            export.write(self.module(), path, self.length)
        return path

    def gguf(self) -> Path:
        path = self.path(f"{self.kind}.gguf")
        if not path.exists():
            self._write_gguf(path)
        return path

    def _write_gguf(self, path: Path) -> None:
        import gguf

        config, writer = self.config, gguf.GGUFWriter(path, "llama")
        writer.add_context_length(config.max_position_embeddings)
        writer.add_embedding_length(config.hidden_size)
        writer.add_block_count(config.num_hidden_layers)
        writer.add_feed_forward_length(config.intermediate_size)
        writer.add_head_count(config.num_attention_heads)
        writer.add_head_count_kv(config.num_key_value_heads)
        writer.add_layer_norm_rms_eps(config.rms_norm_eps)
        writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
        writer.add_vocab_size(config.vocab_size)
        writer.add_tokenizer_model("no_vocab")
        for name, parameter in self.module().named_parameters():
            words = name.removeprefix("model.").split(".")
            to = {"embed_tokens": "token_embd", "norm": "output_norm", "lm_head": "output"}.get(words[0])
            to = to or f"blk.{words[1]}.{PARTS['.'.join(words[2:-1])]}"
            data, kind = self._tensor(gguf, to, parameter.detach())
            writer.add_tensor(f"{to}.weight", data, raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()

    def _tensor(self, gguf: Any, name: str, tensor: torch.Tensor) -> tuple[np.ndarray, Any]:
        types = gguf.GGMLQuantizationType
        if tensor.ndim == 1:
            return tensor.float().numpy(), types.F32
        if self.kind in BLOCKS:
            numbers, size, scales, scale = BLOCKS[self.kind]
            data = torch.randint(0, 256, (tensor.shape[0], tensor.shape[1] // numbers, size), dtype=torch.uint8)
            for at in scales:
                data.view(torch.float16)[..., at] = torch.rand(data.shape[:2]).add(0.5).mul(scale if at == scales[0] else 8 * scale).half()
            return data.flatten(1).numpy(), types[self.kind]
        heads = {"attn_q": self.config.num_attention_heads, "attn_k": self.config.num_key_value_heads}.get(name.split(".")[-1])
        if heads:  # rows that are rotated together lie side by side there
            tensor = tensor.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2)
        numbers = tensor.contiguous()
        return (numbers.view(torch.uint8).numpy(), types.BF16) if self.kind == "bf16" else (numbers.numpy(), types[self.kind.upper()])

    def prompt(self) -> list[int]:
        return torch.randint(0, VOCABULARY, (self.behind,), generator=torch.Generator().manual_seed(1)).tolist()

    def onnx(self) -> Path:
        from step_peers import write_onnx

        folder = self.path(f"{self.kind}_onnx")
        if not (folder / "model.onnx").exists():
            write_onnx(self.module(), folder)
        return folder / "model.onnx"

    def openvino(self) -> Path:
        from step_peers import write_openvino

        path = self.path(f"{self.kind}_openvino") / "openvino_model.xml"
        if not path.exists():
            write_openvino(self.module(), path)
        return path

    def prepare(self, contenders: list[str]) -> None:
        self.archive()
        if self.kind in BLOCKS or ("llama" in contenders and self.kind != "bf16"):
            self.gguf()
        if "onnxruntime" in contenders and self.kind == "f32":
            self.onnx()
        if "openvino" in contenders and self.kind == "f32":
            self.openvino()

    def bytes_of_step(self) -> int:
        """Weights but of the embedding, of which one row is read; the caches up to the last token, all."""
        config, (numbers, size, *_) = self.config, BLOCKS.get(self.kind, (1, self.dtype.itemsize))
        width, wide = config.hidden_size, config.intermediate_size
        kv = width // config.num_attention_heads * config.num_key_value_heads
        weights = config.num_hidden_layers * (2 * width * width + 2 * width * kv + 3 * width * wide) + width * config.vocab_size
        caches = 2 * config.num_hidden_layers * (self.behind + 1) * kv
        return weights * size // numbers + caches * self.dtype.itemsize
