# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models of many architectures of `transformers`, weights drawn at random: name to how one is built and called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
import transformers

# What the configurations call the sizes; a configuration takes those that it knows.
SIZES = {
    "vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48,
    "max_position_embeddings": 64, "hidden_act": "gelu", "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
    "use_cache": False,
}  # fmt: skip
GROUPED = {"num_key_value_heads": 2, "head_dim": 8, "hidden_act": "silu"}
CODER = {
    "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "decoder_start_token_id": 2,
}  # fmt: skip
PICTURE = {"image_size": 32, "patch_size": 8, "num_channels": 3}


@dataclass(frozen=True)
class Architecture:
    """The stem of the classes' names, what its configuration is given, and what a call takes."""

    stem: str
    call: str  #: "text", "both" (encoder and decoder), "picture", "sound", "spectrum", "text and picture"
    config: dict[str, Any] = field(default_factory=dict)
    model: str = ""

    def build(self) -> torch.nn.Module:
        kind = getattr(transformers, f"{self.stem}Config")
        model = getattr(transformers, self.model or f"{self.stem}Model")
        return model(kind(**self.config)).eval()

    def inputs(self, batch: int = 2, length: int = 7) -> dict[str, torch.Tensor]:
        return CALLS[self.call](batch, length)


def _text(batch: int, length: int) -> dict[str, torch.Tensor]:
    return {"input_ids": torch.randint(3, 99, (batch, length)), "attention_mask": torch.ones(batch, length).long()}


def _both(batch: int, length: int) -> dict[str, torch.Tensor]:
    return _text(batch, length) | {"decoder_input_ids": torch.randint(3, 99, (batch, 5))}


CALLS: dict[str, Callable[[int, int], dict[str, torch.Tensor]]] = {
    "text": _text,
    "ids": lambda batch, length: {"input_ids": torch.randint(3, 99, (batch, length))},
    "both": _both,
    "picture": lambda batch, length: {"pixel_values": torch.randn(batch, 3, 32, 32)},
    "large picture": lambda batch, length: {"pixel_values": torch.randn(batch, 3, 64, 64)},
    "sound": lambda batch, length: {"input_values": torch.randn(batch, 800)},
    "spectrum": lambda batch, length: {"input_features": torch.randn(batch, 8, 40),
                                       "decoder_input_ids": torch.randint(3, 99, (batch, 5))},
    "text and picture": lambda batch, length: _text(batch, length) | {"pixel_values": torch.randn(batch, 3, 32, 32)},
}  # fmt: skip


def _encoders() -> dict[str, Architecture]:
    plain = ("Bert", "Roberta", "Camembert", "Electra", "MPNet", "XLMRoberta", "Ernie", "LayoutLM", "RoFormer", "Splinter",
             "MegatronBert", "ConvBert", "Nystromformer", "RemBert", "Data2VecText", "RobertaPreLayerNorm")  # fmt: skip
    found = {stem: Architecture(stem, "text", SIZES) for stem in plain}
    return found | {
        "Albert": Architecture("Albert", "text", SIZES | {"embedding_size": 16}),
        "DistilBert": Architecture("DistilBert", "text", SIZES | {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48}),
        "MobileBert": Architecture("MobileBert", "text", SIZES | {"embedding_size": 16, "true_hidden_size": 16,
                                                                  "intra_bottleneck_size": 16}),
        "DebertaV2": Architecture("DebertaV2", "text", SIZES | {"relative_attention": True, "pos_att_type": ["c2p", "p2c"],
                                                                "position_buckets": 8}),
        "Deberta": Architecture("Deberta", "text", SIZES | {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]}),
        "ModernBert": Architecture("ModernBert", "text", SIZES | {"global_attn_every_n_layers": 2, "local_attention": 4}),
        "FNet": Architecture("FNet", "ids", SIZES | {"use_tpu_fourier_optimizations": False}),
        "Esm": Architecture("Esm", "text", SIZES | {"mask_token_id": 3, "position_embedding_type": "rotary"}),
        "SqueezeBert": Architecture("SqueezeBert", "text", SIZES | {"embedding_size": 32}),
        "Funnel": Architecture("Funnel", "text", {"vocab_size": 99, "block_sizes": [1, 1], "d_model": 32, "n_head": 4,
                                                  "d_head": 8, "d_inner": 48}),
    }  # fmt: skip


def _decoders() -> dict[str, Architecture]:
    grouped = ("Llama", "Mistral", "Qwen2", "Qwen3", "Gemma", "Gemma2", "Olmo", "Olmo2", "StableLm", "Starcoder2", "Cohere",
               "Granite", "Glm", "Helium", "Phi", "Phi3", "Nemotron", "SmolLM3", "Arcee", "Ministral")  # fmt: skip
    found = {stem: Architecture(stem, "text", SIZES | GROUPED) for stem in grouped}
    found["Glm"] = Architecture("Glm", "text", SIZES | GROUPED | {"pad_token_id": 0})
    short = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64, "vocab_size": 99, "use_cache": False}
    experts = {"num_local_experts": 4, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16,
               "shared_expert_intermediate_size": 16, "n_routed_experts": 4, "decoder_sparse_step": 1}  # fmt: skip
    return found | {
        "GPT2": Architecture("GPT2", "text", short),
        "GPTJ": Architecture("GPTJ", "text", short | {"rotary_dim": 4}),
        "CodeGen": Architecture("CodeGen", "text", short | {"rotary_dim": 4}),
        "OpenAIGPT": Architecture("OpenAIGPT", "text", short),
        "CTRL": Architecture("CTRL", "text", short | {"dff": 48}),
        "GPTBigCode": Architecture("GPTBigCode", "text", short),
        "GPTNeo": Architecture("GPTNeo", "text", SIZES | {"num_layers": 2, "num_heads": 4, "window_size": 4,
                                                          "attention_types": [[["global", "local"], 1]]}),
        "GPTNeoX": Architecture("GPTNeoX", "text", SIZES),
        "OPT": Architecture("OPT", "text", SIZES | {"ffn_dim": 48, "word_embed_proj_dim": 32}),
        "Bloom": Architecture("Bloom", "text", SIZES | {"n_layer": 2, "n_head": 4}),
        "Falcon": Architecture("Falcon", "text", SIZES | {"alibi": False}),
        "Mpt": Architecture("Mpt", "text", SIZES | {"d_model": 32, "n_layers": 2, "n_heads": 4, "max_seq_len": 64}),
        "Persimmon": Architecture("Persimmon", "text", SIZES | {"hidden_act": "relu"}),
        "Gemma3": Architecture("Gemma3Text", "text", SIZES | GROUPED | {"sliding_window": 4}),
        "Mixtral": Architecture("Mixtral", "text", SIZES | GROUPED | experts),
        "Qwen2Moe": Architecture("Qwen2Moe", "text", SIZES | GROUPED | experts),
        "Mamba": Architecture("Mamba", "ids", {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "state_size": 4,
                                               "use_cache": False}),
    }  # fmt: skip


def _coders() -> dict[str, Architecture]:
    found = {stem: Architecture(stem, "both", SIZES | CODER) for stem in ("Bart", "MBart", "Pegasus", "Marian", "M2M100",
                                                                          "Blenderbot", "BlenderbotSmall")}  # fmt: skip
    five = {"vocab_size": 99, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4,
            "decoder_start_token_id": 0, "use_cache": False}  # fmt: skip
    return found | {
        "T5": Architecture("T5", "both", five),
        "MT5": Architecture("MT5", "both", five),
        "Whisper": Architecture("Whisper", "spectrum", SIZES | CODER | {"num_mel_bins": 8, "max_source_positions": 20,
                                                                       "max_target_positions": 20}),
    }  # fmt: skip


def _pictures() -> dict[str, Architecture]:
    plain = SIZES | PICTURE
    steps = {"embed_dim": 16, "depths": [1, 1], "num_heads": [2, 4], "window_size": 4, "image_size": 32, "patch_size": 4}
    stages = {"num_channels": 3, "embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1], "layer_type": "basic"}
    found = {stem: Architecture(stem, "picture", plain) for stem in ("ViT", "DeiT", "Beit", "Dinov2", "ViTMSN", "Data2VecVision")}
    return found | {
        "Swin": Architecture("Swin", "picture", steps),
        "Swinv2": Architecture("Swinv2", "picture", steps),
        "ConvNext": Architecture("ConvNext", "picture", {"hidden_sizes": [8, 16], "depths": [1, 1], "num_stages": 2}),
        "ConvNextV2": Architecture("ConvNextV2", "picture", {"hidden_sizes": [8, 16], "depths": [1, 1], "num_stages": 2}),
        "ResNet": Architecture("ResNet", "picture", stages),
        "RegNet": Architecture("RegNet", "picture", stages | {"layer_type": "y", "groups_width": 4}),
        "MobileNetV1": Architecture("MobileNetV1", "picture", {"depth_multiplier": 0.25, "image_size": 32}),
        "MobileNetV2": Architecture("MobileNetV2", "picture", {"depth_multiplier": 0.25, "image_size": 32}),
        "MobileViT": Architecture("MobileViT", "large picture", {"image_size": 64, "hidden_sizes": [16, 24, 32],
                                                                 "neck_hidden_sizes": [8, 8, 16, 16, 24, 24, 32],
                                                                 "num_attention_heads": 4}),
        "PoolFormer": Architecture("PoolFormer", "picture", {"hidden_sizes": [8, 8, 16, 16], "depths": [1, 1, 1, 1]}),
        "Segformer": Architecture("Segformer", "picture", {"hidden_sizes": [8, 8, 16, 16], "depths": [1, 1, 1, 1],
                                                          "num_attention_heads": [1, 1, 2, 2]}),
        "FocalNet": Architecture("FocalNet", "picture", {"image_size": 32, "embed_dim": 8, "depths": [1, 1],
                                                        "hidden_sizes": [8, 16], "focal_levels": [1, 1],
                                                        "focal_windows": [3, 3]}),
        "CLIP": Architecture("CLIP", "text and picture", {"text_config": SIZES | {"projection_dim": 16},
                                                          "vision_config": plain | {"projection_dim": 16},
                                                          "projection_dim": 16}),
    }  # fmt: skip


def _sounds() -> dict[str, Architecture]:
    sound = SIZES | {"conv_dim": (8, 8), "conv_kernel": (8, 3), "conv_stride": (4, 2), "num_conv_pos_embeddings": 8,
                     "num_conv_pos_embedding_groups": 2, "num_feat_extract_layers": 2}  # fmt: skip
    return {stem: Architecture(stem, "sound", sound) for stem in ("Wav2Vec2", "Hubert")}


ARCHITECTURES = _encoders() | _decoders() | _coders() | _pictures() | _sounds()
