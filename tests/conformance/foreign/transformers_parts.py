# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules that the models of transformers are made of, and the models, each with its own configuration made small."""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from foreign import Case
from guessed import first_taken, needed, value_of

# A number of a configuration, by a part of its name, where it is larger; the first that is found.
SMALL = {
    "token_id": 1, "_id": None, "key_value_heads": 2, "kv_heads": 2, "heads": 4, "n_head": 4, "head_dim": 8, "qk_": 8, "v_head": 8, "layers": 2,
    "n_layer": 2, "depth": 2, "vocab": 64, "position": 64, "image_size": 32, "patch_size": 8, "intermediate": 48, "ffn": 48, "inner": 48,
    "mlp_dim": 48, "per_tok": 2, "experts": 4, "hidden_size": 32, "d_model": 32, "n_embd": 32, "dim": 32, "embedding": 32, "embed": 32, "width": 32,
    "rank": 8, "state_size": 8, "window": 16, "queries": 6, "labels": 3, "frames": 4, "num_mel_bins": 16, "channels": 16, "channel": 16, "size": 32,
}
WIDTH = 32
LISTS = {"depth": lambda n: min(n, 1), "layer": lambda n: min(n, 2), "size": lambda n: n if n < 16 else max(8, n // 8),
         "dim": lambda n: n if n < 16 else max(8, n // 8), "channel": lambda n: n if n < 16 else max(8, n // 8)}


def smaller(name: str, value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        least = next((small for part, small in SMALL.items() if part in name), None)
        return value if least is None else min(value, least)
    if isinstance(value, (list, tuple)) and value and all(type(one) is int for one in value):
        change = next((change for part, change in LISTS.items() if part in name), lambda n: n)
        return type(value)(change(one) for one in value)
    return value


def configured(cls: type) -> Any:
    """A configuration of the class with small numbers, and small ones for the models that it is put together of."""
    fields = {name: one.default for name, one in inspect.signature(cls.__init__).parameters.items() if one.default is not one.empty}
    values = {name: smaller(name, value) for name, value in fields.items()}
    values = {name: value for name, value in values.items() if value != fields[name]}
    for name, part in getattr(cls, "sub_configs", {}).items():
        if name in fields and part.__name__ != "AutoConfig":
            values[name] = configured(part)
    if "use_cache" in fields:
        values["use_cache"] = False
    return cls(**values)


def rotation(width: int) -> tuple[torch.Tensor, torch.Tensor]:
    angle = torch.arange(6)[:, None] * 0.1 ** torch.arange(width // 2).repeat(2)
    return angle.cos()[None], angle.sin()[None]


class Parts:
    """is_whole: the models, which take a minute each, and not what they are made of."""

    def __init__(self, is_whole: bool):
        self.is_whole = is_whole

    @functools.cache
    def found(self) -> dict[str, tuple[str, str]]:
        """By file and name; classes whose text is another's but for the model's name are one."""
        folder, found, seen = Path(importlib.import_module("transformers.models").__file__).parent, {}, set()
        for path in sorted(folder.glob("*/modeling_*.py")):
            text = path.read_text()
            for match in re.finditer(r"^class (\w+)\((nn\.Module|\w*PreTrainedModel)\):\n(.*?)(?=^class |^def |^@|^__all__|\Z)", text, re.S | re.M):
                model = path.parent.name.replace("_", "")
                plain = re.sub(model, "", match[3].replace("_", ""), flags=re.I)
                digest = hashlib.sha256(plain.encode()).digest()
                if digest not in seen and "def forward" in match[3] and (match[2] != "nn.Module") == self.is_whole:
                    found[f"{path.parent.name}.{match[1]}"] = (f"transformers.models.{path.parent.name}.{path.stem}", match[1])
                seen.add(digest)
        return found

    def names(self) -> list[str]:
        return list(self.found())

    def make(self, name: str) -> Case:
        module, class_name = self.found()[name]
        home = importlib.import_module(module)
        problem: Exception = TypeError("nothing fits")
        for config in self.configurations(home, getattr(home, class_name)):
            try:
                made = self.constructed(getattr(home, class_name), config)
                if not isinstance(made, torch.nn.Module):
                    continue
                for one in made.parameters():  # many are zeros at first
                    torch.nn.init.uniform_(one, -0.2, 0.2)
                widths = tuple(dict.fromkeys(value for key in ("hidden_size", "d_model", "embed_dim", "num_channels", "intermediate_size", "head_dim")
                                             if isinstance(value := getattr(config, key, None), int)))
                head = getattr(config, "head_dim", None) or WIDTH // (getattr(config, "num_attention_heads", None) or 4)
                known = {"position_embeddings": rotation(head), "position_ids": torch.arange(6)[None], "attention_mask": None, "dtype": torch.float32}
                return first_taken(made.eval(), widths or (WIDTH,), known)
            except Exception as error:
                problem = error
        raise problem

    def configurations(self, home: Any, cls: type) -> Iterator[Any]:
        from transformers import PreTrainedConfig
        every = [value for value in vars(home).values() if isinstance(value, type) and issubclass(value, PreTrainedConfig) and value is not PreTrainedConfig]
        wanted = str(getattr(inspect.signature(cls.__init__).parameters.get("config"), "annotation", ""))
        every.sort(key=lambda one: (not re.search(rf"\b{one.__name__}\b", wanted), len(one.__name__)))
        problem: Exception = TypeError("no configuration")
        for one in every:
            try:
                yield configured(one)
            except Exception as error:
                problem = error
        if not every:
            yield None
        elif isinstance(problem, Exception) and len(every) == 1 and not isinstance(problem, TypeError):
            raise problem

    def constructed(self, cls: type, config: Any) -> torch.nn.Module:
        values = {}
        for one in needed(cls.__init__):
            same = getattr(config, one.name, None)
            values[one.name] = config if "config" in one.name else 0 if one.name in ("layer_idx", "layer_id", "stage_idx") else \
                same if same is not None else WIDTH if "dim" in one.name or "size" in one.name and "kernel" not in one.name else value_of(one)
        return cls(**values)
