# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Toys of the architectures of `transformers`: their default configurations, shrunk by rules on the names of fields, and inputs
by the names of what their forward takes. Nothing is tuned to one architecture.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch
import transformers
from catalog import Sample
from torch import nn
from torch.utils import _pytree as pytree
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_MAPPING

Config = Any
Inputs = dict[str, torch.Tensor]

MOST_PARAMETERS = 100e6
LAYERS = 2
VOCABULARY = 128
# What a field may be at most, by its name. Widths keep their ratios: 64 wide, 4 heads of 16, 2 of keys and values.
LIMITS = (
    (
        LAYERS,
        "num_hidden_layers num_layers n_layer n_layers encoder_layers decoder_layers num_encoder_layers depth num_blocks "
        "num_decoder_layers encoder_num_layers decoder_num_layers num_attention_blocks transformer_layers",
    ),
    (
        64,
        "hidden_size d_model n_embd dim embed_dim hidden_dim encoder_hidden_size decoder_hidden_size d_embed emb_dim "
        "embedding_size word_embed_proj_dim conv_dim projection_dim text_embed_dim",
    ),
    (
        4,
        "num_attention_heads n_head n_heads num_heads encoder_attention_heads decoder_attention_heads attention_heads "
        "num_local_experts num_experts n_routed_experts moe_num_experts num_encoder_attention_heads "
        "num_decoder_attention_heads encoder_num_attention_heads",
    ),
    (2, "num_key_value_heads num_kv_heads n_kv_heads num_experts_per_tok top_k_experts moe_top_k multi_query_group_num"),
    (16, "head_dim d_kv attention_head_dim qk_nope_head_dim v_head_dim d_head"),
    (8, "qk_rope_head_dim"),
    (
        128,
        "intermediate_size n_inner ffn_dim encoder_ffn_dim decoder_ffn_dim d_ff d_inner dim_ff ffn_hidden_size "
        "moe_intermediate_size shared_expert_intermediate_size",
    ),
    (VOCABULARY, "vocab_size"),
    (32, "image_size sample_size img_size kv_lora_rank q_lora_rank"),
    (128, "max_length"),
    (512, "max_position_embeddings n_positions"),
)
LIMIT_OF = {name: limit for limit, names in LIMITS for name in names.split()}
# Some fields have to stay as they are for some architectures.
LESS = {"image_size", "img_size", "head_dim", "dim", "embed_dim"}
FEWEST = set(LIMITS[0][1].split()) | {"vocab_size"}


def bound(names: set[str]) -> Callable[[Config], None]:
    """A rule: the fields of these names are at most their limits."""

    def rule(config: Config) -> None:
        for key in names & set(vars(config)):
            value = getattr(config, key)
            if isinstance(value, int) and not isinstance(value, bool):
                setattr(config, key, min(value, LIMIT_OF[key]))

    return rule


WIDE = "hidden size heads d_model inter ffn _dim embd embed experts inner".split()
NARROW = "head_dim d_head image patch window kernel vocab chunk position conv_k".split()


def is_width(key: str) -> bool:
    """Whether the number grows with the width of a model: sizes and counts of heads, not sizes of heads, images or windows."""
    return any(word in key for word in WIDE) and not any(word in key for word in NARROW)


def scale(config: Config) -> None:
    """A rule: all widths are divided by the same number, so that what has to divide what still does; few layers."""
    bound(FEWEST)(config)
    width = field(config, "hidden_size", "d_model", "n_embd", default=0)
    heads = field(config, "num_attention_heads", "n_head", "num_heads", default=1)
    factor = 1
    while width // (2 * factor) >= 128 and width % (2 * factor) == 0 and heads % (2 * factor) == 0:
        factor *= 2
    for key, value in list(vars(config).items()):
        if is_width(key) and isinstance(value, int) and not isinstance(value, bool) and value > 1:
            setattr(config, key, max(value // factor, 1))


RULES = (bound(set(LIMIT_OF)), bound(set(LIMIT_OF) - LESS), scale, bound(FEWEST))


def shrink(config: Config, rule: Callable[[Config], None]) -> None:
    """Shrinks a configuration and those within it, in place."""
    depths = getattr(config, "depths", None)  # of stages, whose number many other fields know
    layers_before = getattr(config, "num_hidden_layers", None) if depths is None else None
    if isinstance(depths, (list, tuple)):
        config.depths = [min(depth, LAYERS) for depth in depths]
    if getattr(config, "prediction_length", 0) is None:  # of a time series: has no default
        config.prediction_length = config.context_length = 4
    if getattr(config, "default_language", "") is None and getattr(config, "languages", None):
        config.default_language = config.languages[0]
    rule(config)
    for key, value in list(vars(config).items()):
        if isinstance(value, transformers.PretrainedConfig):
            shrink(value, rule)
        elif key.endswith("_token_id") and isinstance(value, int):
            setattr(config, key, min(value, VOCABULARY - 1))
        elif key in ("image_token_index", "video_token_index", "audio_token_index") and isinstance(value, int):
            setattr(config, key, min(value, VOCABULARY - 1))
        elif isinstance(value, list) and isinstance(layers_before, int) and len(value) == layers_before:
            setattr(config, key, value[:LAYERS])
    if hasattr(config, "use_cache"):
        config.use_cache = False


class Tensors(nn.Module):
    """Calls a model and returns the tensors of its answer alone."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, **inputs: Any) -> list[torch.Tensor]:
        answer = self.inner(**inputs)
        leaves = pytree.tree_leaves(tuple(answer.values()) if hasattr(answer, "values") else answer)
        return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]


def field(config: Any, *names: str, default: int) -> int:
    for name in names:
        value = getattr(config, name, None)
        if isinstance(value, int) and value > 0:
            return value
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], int):
            return value[0]
    return default


def tokens_of(config: Config) -> torch.Tensor:
    high = min(VOCABULARY, field(config, "vocab_size", default=VOCABULARY)) - 2
    return torch.randint(2, high, (2, 12))


def images_of(config: Config) -> torch.Tensor:
    vision = getattr(config, "vision_config", None) or config
    size = field(vision, "image_size", "img_size", default=32)
    channels = field(vision, "num_channels", "in_channels", "in_chans", default=3)
    frames = [field(vision, "num_frames", default=1)] if hasattr(vision, "num_frames") else []
    return torch.randn(2, *frames, channels, size, size)


def with_places(model: nn.Module, config: Config, inputs: Inputs) -> Inputs:
    """The tokens after as many image tokens as an image has features."""
    token = next((getattr(config, name) for name in ("image_token_id", "image_token_index") if hasattr(config, name)), None)
    if token is None or not hasattr(model, "get_image_features"):
        return inputs
    with torch.no_grad():
        answer = model.get_image_features(pixel_values=inputs["pixel_values"])
    features = pytree.tree_leaves(getattr(answer, "pooler_output", answer))
    width = features[0].shape[-1]
    tokens = inputs["input_ids"]
    count = sum(f.numel() for f in features) // width // len(tokens)
    placed = torch.cat([torch.full((len(tokens), count), token), tokens], dim=1)
    return inputs | {"input_ids": placed, "attention_mask": torch.ones_like(placed)}


def series_of(config: Config) -> Inputs:
    """Time series: values of many channels, or of one with features of the time and lags."""
    length = field(config, "context_length", default=8)
    if not hasattr(config, "lags_sequence"):
        channels = field(config, "num_input_channels", default=1)
        return {"past_values": torch.randn(2, length, channels)}
    ahead, features = config.prediction_length, config.num_time_features
    length += max(config.lags_sequence)
    return {
        "past_values": torch.rand(2, length),
        "past_time_features": torch.randn(2, length, features),
        "past_observed_mask": torch.ones(2, length),
        "future_values": torch.rand(2, ahead),
        "future_time_features": torch.randn(2, ahead, features),
    }


def sounds_of(config: Config, name: str) -> list[torch.Tensor]:
    """Sound in the layouts that models ask for: waves; spectra by bands or by frames."""
    inner = getattr(config, "audio_config", None) or config
    bands = field(inner, "num_mel_bins", "feature_size", "n_mels", "input_feat_per_channel", default=80)
    frames = field(inner, "max_length", default=100)
    if name == "input_values":
        return [torch.randn(*sizes) for sizes in ((1, 4000), (1, 1, 4000), (1, frames, bands), (1, 1, frames, bands))]
    longest = 2 * field(inner, "max_source_positions", default=50)
    return [torch.randn(*sizes) for sizes in ((1, bands, 100), (1, 100, bands), (1, bands, longest), (1, 1, frames, bands), (1, 100, 160))]


def required(accepted: Any, made: Inputs, config: Config) -> Inputs:
    """What forward takes without a default and nothing above makes."""
    width = field(config, "hidden_size", "d_model", default=64)
    more: Inputs = {}
    for name, parameter in accepted.items():
        if name in made or parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        if parameter.default is not parameter.empty and (made or not name.endswith("_embeds")):
            continue
        if "mask" in name:
            more[name] = torch.ones(2, 12, dtype=torch.int64)
        elif name.endswith(("_ids", "input", "codes")):
            more[name] = tokens_of(config)
        elif name.endswith(("_embeds", "_states", "features", "x")):
            more[name] = torch.randn(2, 12, width)
    return more


def inputs_of(model: nn.Module, config: Config) -> Iterator[Callable[[], Inputs]]:
    """What the model's forward asks for, as far as its names tell; where they do not, one after the other."""
    accepted = inspect.signature(model.forward).parameters
    made: Inputs = {}
    if "input_ids" in accepted:
        tokens = tokens_of(getattr(config, "text_config", None) or config)
        made["input_ids"] = tokens
        if "attention_mask" in accepted:
            made["attention_mask"] = torch.ones_like(tokens)
        if "decoder_input_ids" in accepted:
            made["decoder_input_ids"] = tokens.flip(1)
    if "bbox" in accepted:
        made["bbox"] = torch.randint(0, 100, (2, 12, 4)).sort(-1).values
    if "past_values" in accepted:
        made |= {key: value for key, value in series_of(config).items() if key in accepted}
    sounds = [name for name in ("input_values", "input_features") if name in accepted]
    for values in itertools.product(*[sounds_of(config, name) for name in sounds]):
        inputs = made | dict(zip(sounds, values))
        if "pixel_values" in accepted:
            inputs["pixel_values"] = images_of(config)
            if "input_ids" in inputs:
                yield lambda inputs=inputs: with_places(model, config, inputs)
        yield lambda inputs=inputs: inputs | required(accepted, inputs, config)
    if made and ("pixel_values" in accepted or sounds):
        yield lambda: made  # a model of text and something else, asked about text alone


@torch.no_grad()
def draw(model: nn.Module) -> None:
    """Weights that start all alike hide faults, and a router of zeros makes every choice of top k a tie."""
    for parameter in model.parameters():
        if parameter.is_floating_point() and parameter.numel() > 1 and bool((parameter == parameter.flatten()[0]).all()):
            parameter.add_(torch.randn_like(parameter), alpha=0.1)


def made_of(kind: str, rule: Callable[[Config], None]) -> tuple[nn.Module, Config]:
    config = CONFIG_MAPPING[kind]()
    shrink(config, rule)
    cls = MODEL_MAPPING[type(config)]
    cls = cls[0] if isinstance(cls, (list, tuple)) else cls
    try:
        with torch.device("meta"):
            count = sum(p.numel() for p in cls(config).parameters())
    except Exception:  # noqa: BLE001: some constructors compute with their weights
        count = 0
    if count > MOST_PARAMETERS:
        raise ValueError(f"{count / 1e6:.0f} million parameters are left")
    model = cls(config).eval()
    draw(model)
    return model, config


def answered(model: nn.Module, inputs: Inputs) -> Sample:
    if not inputs:
        raise ValueError(f"no rule makes its inputs: {list(inspect.signature(model.forward).parameters)}")
    sample = Sample(Tensors(model), (), inputs)
    with torch.no_grad():
        if not sample.module(**inputs):
            raise ValueError("its answer holds no tensor")
    return sample


def build(kind: str) -> Sample:
    """The toy of a model type: the first rule and inputs that give one."""
    problems = []
    for rule in RULES:
        try:
            model, config = made_of(kind, rule)
        except Exception as error:  # noqa: BLE001: whatever a library raises on a configuration of ours
            problems.append(f"{type(error).__name__}: {error}".splitlines()[0])
            continue
        for inputs in inputs_of(model, config):
            try:
                return answered(model, inputs())
            except Exception as error:  # noqa: BLE001
                problems.append(f"{type(error).__name__}: {error}".splitlines()[0])
    raise LookupError(" | ".join(dict.fromkeys(problems)))
