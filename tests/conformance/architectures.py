"""Architectures of `transformers`, each shrunk to a toy with random weights: exported, run by buddy, compared with eager.

    python tests/conformance/architectures.py --buddy build/bin/buddy --out DIR [--only NAME…] [--registries LIST]

Every model type that transformers registers for AutoModel is tried. Its default configuration is shrunk by rules on the
names of its fields (two layers, narrow widths), so nothing here is tuned to one architecture. An outcome is

    passed        all outputs agree with eager, dtype and shape included
    declined      buddy refused, with a message
    wrong, crashed, timeout, failed
    inexportable  torch.export itself fails, or disagrees with eager
    unbuilt       the rules do not make a model of it: a fault of this file, not counted

The last lines are a summary; --json keeps all outcomes, and a run with the same file goes on where the last one ended.
"""

from __future__ import annotations

import argparse
import fnmatch
import inspect
import json
import os
import shutil
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))

import torch  # noqa: E402
import transformers  # noqa: E402
from catalog import Model, Sample  # noqa: E402
from export import export_model, quiet  # noqa: E402
from run_models import Case, run_case  # noqa: E402
from torch import nn  # noqa: E402
from torch.utils import _pytree as pytree  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402
from transformers.models.auto.modeling_auto import MODEL_MAPPING, MODEL_MAPPING_NAMES  # noqa: E402

Json = dict[str, Any]

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
    (512, "max_position_embeddings n_positions"),
)
LIMIT_OF = {name: limit for limit, names in LIMITS for name in names.split()}
# Tried in this order until a model comes of one: some fields have to stay as they are for some architectures.
LESS = {"image_size", "img_size", "head_dim", "dim", "embed_dim"}
FEWEST = set(LIMITS[0][1].split()) | {"vocab_size"}
RULES = (set(LIMIT_OF), set(LIMIT_OF) - LESS, FEWEST)


def shrink(config: Any, names: set[str]) -> None:
    """Bounds the fields of a configuration and of those within it, in place."""
    layers_before = getattr(config, "num_hidden_layers", None)
    for key, value in list(vars(config).items()):
        if isinstance(value, transformers.PretrainedConfig):
            shrink(value, names)
        elif key in names and isinstance(value, int) and not isinstance(value, bool):
            setattr(config, key, min(value, LIMIT_OF[key]))
        elif key.endswith("_token_id") and isinstance(value, int):
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


def inputs_of(model: nn.Module, config: Any) -> dict[str, torch.Tensor]:
    """What the model's forward asks for, as far as its names tell."""
    accepted = inspect.signature(model.forward).parameters
    tokens = torch.randint(2, min(VOCABULARY, field(config, "vocab_size", default=VOCABULARY)) - 2, (2, 12))
    size = field(config, "image_size", "img_size", default=32)
    channels = field(config, "num_channels", "in_channels", default=3)
    made: dict[str, torch.Tensor] = {}
    if "input_ids" in accepted:
        made["input_ids"] = tokens
        if "attention_mask" in accepted:
            made["attention_mask"] = torch.ones_like(tokens)
        if "decoder_input_ids" in accepted:
            made["decoder_input_ids"] = tokens.flip(1)
    if "bbox" in accepted:
        made["bbox"] = torch.randint(0, 100, (2, 12, 4)).sort(-1).values
    if "pixel_values" in accepted:
        made["pixel_values"] = torch.randn(2, channels, size, size)
    if "input_values" in accepted:
        made["input_values"] = torch.randn(1, 4000)
    if "input_features" in accepted:
        made["input_features"] = torch.randn(1, field(config, "num_mel_bins", "feature_size", default=80), 100)
    return made


@torch.no_grad()
def draw(model: nn.Module) -> None:
    """Weights that start all alike hide faults, and a router of zeros makes every choice of top k a tie."""
    for parameter in model.parameters():
        if parameter.is_floating_point() and parameter.numel() > 1 and bool((parameter == parameter.flatten()[0]).all()):
            parameter.add_(torch.randn_like(parameter), alpha=0.1)


def build(kind: str) -> Sample:
    """The toy of a model type; tries the full set of rules, then fewer of them."""
    problems = []
    for names in RULES:
        try:
            config = CONFIG_MAPPING[kind]()
            shrink(config, names)
            model = MODEL_MAPPING[type(config)]
            model = (model[0] if isinstance(model, (list, tuple)) else model)(config).eval()
            draw(model)
            inputs = inputs_of(model, config)
            if sum(p.numel() for p in model.parameters()) > 300e6:
                raise ValueError("more than 300 million parameters are left")
            if not inputs:
                raise ValueError(f"no rule makes its inputs: {list(inspect.signature(model.forward).parameters)}")
            sample = Sample(Tensors(model), (), inputs)
            with torch.no_grad():
                if not sample.module(**inputs):
                    raise ValueError("its answer holds no tensor")
            return sample
        except Exception as error:  # noqa: BLE001: whatever a library raises on a configuration of ours
            problems.append(f"{type(error).__name__}: {error}".splitlines()[0])
    raise LookupError(" | ".join(dict.fromkeys(problems)))


def first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:300]


def export(kind: str, out: Path) -> Json:
    """Runs in a process of its own: transformers and torch.export keep state, and some models take minutes."""
    torch.manual_seed(0)
    try:
        sample = build(kind)
    except LookupError as error:
        return {"status": "unbuilt", "why": first_line(str(error))}
    model = Model(kind, lambda: sample, "architectures", False, None, True, ("composite",))
    try:
        failures = export_model(model, ["composite"], out)
    except Exception as error:  # noqa: BLE001
        failures = {"composite": f"{type(error).__name__}: {error}"}
    if failures:
        return {"status": "inexportable", "why": first_line(failures["composite"])}
    return {"status": "exported"}


def in_child(kind: str, out: Path, limit: float) -> Json:
    answer = out / f"{kind}.json"
    answer.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        try:
            answer.write_text(json.dumps(export(kind, out)), encoding="utf-8")
        finally:
            os._exit(0)
    deadline = time.monotonic() + limit
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return {"status": "inexportable", "why": f"not exported within {limit:.0f} s"}
        time.sleep(0.02)
    if not answer.exists():
        return {"status": "inexportable", "why": "the exporting process died"}
    result = json.loads(answer.read_text(encoding="utf-8"))
    answer.unlink()
    return result


def run_one(kind: str, options: argparse.Namespace) -> Json:
    result = in_child(kind, options.out, options.timeout)
    if result["status"] != "exported":
        return result
    stem = f"{kind}.composite"
    entry = json.loads((options.out / stem / "entry.json").read_text(encoding="utf-8"))
    outcome = run_case(Case(stem, entry, entry["sizes"][0], options.registries), options.buddy, options.out, options.timeout)
    if outcome.status == "passed" and not options.keep:
        shutil.rmtree(options.out / stem)
        (options.out / f"{stem}.pt2").unlink()
    status = "declined" if outcome.status == "refused" else outcome.status
    return {"status": status, "why": outcome.detail, "error": outcome.error, "nodes": entry["nodes"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--buddy", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="for archives; those that pass are removed")
    parser.add_argument("--json", type=Path, help="outcomes; those already in it are not tried again")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="* and ? are wildcards")
    parser.add_argument("--again", nargs="+", default=[], metavar="STATUS", help="try those of this status again")
    parser.add_argument("--registries", default="", metavar="LIST")
    parser.add_argument("--timeout", type=float, default=180, metavar="SECONDS")
    parser.add_argument("--keep", action="store_true", help="keep the archives that pass, too")
    options = parser.parse_args()
    quiet()
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    done: dict[str, Json] = {}
    if options.json and options.json.exists():
        done = json.loads(options.json.read_text(encoding="utf-8"))
    kinds = [k for k in MODEL_MAPPING_NAMES if not options.only or any(fnmatch.fnmatch(k, p) for p in options.only)]
    for number, kind in enumerate(kinds, 1):
        if kind in done and done[kind]["status"] not in options.again:
            continue
        done[kind] = run_one(kind, options)
        print(f"[{number}/{len(kinds)}] {done[kind]['status']:12} {kind:32} {done[kind].get('why', '')}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
    counts = Counter(done[kind]["status"] for kind in kinds)
    print(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    bad = sum(counts[s] for s in ("wrong", "crashed", "failed", "timeout", "declined"))
    print(f"{counts['passed']} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
