# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples as PyTorch exports them: many samples of an entry in one archive, kept in a cache.

An archive's graph calls the op once per sample, so exporting and compiling cost once what they would cost for each.
What torch.export cannot take as a group is exported one by one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import torch

from entries import Sample

FORMAT = 2  # of the cache; counted up when archives of the same samples would come out otherwise


class Call(torch.nn.Module):
    """One sample's: a module, so that the archive's nodes say which sample they are of."""

    def __init__(self, sample: Sample):
        super().__init__()
        self.sample = sample

    def forward(self, *tensors: torch.Tensor):
        return self.sample.call(list(tensors))


class Calls(torch.nn.Module):
    """The samples' calls, one after the other, on their tensors one after the other."""

    def __init__(self, samples: list[Sample]):
        super().__init__()
        self.samples = samples
        for i, sample in enumerate(samples):
            self.add_module(f"sample_{i}", Call(sample))

    def forward(self, *tensors: torch.Tensor):
        results, at = [], 0
        for sample, call in zip(self.samples, self.children()):
            n = len(sample.tensors)
            results += call(*tensors[at:at + n])
            at += n
        return results


def sample_of(module: str) -> int | None:
    """The place of the sample in its archive, from a node's module path."""
    found = re.match(r"sample_(\d+)", module)
    return int(found[1]) if found else None


@dataclass
class Archive:
    """Some samples of an entry, by number, in each dialect that differs."""

    samples: list[int]
    paths: dict[str, Path] = field(default_factory=dict)  # composite, and decomposed where its graph is another
    error: str = ""                                       # torch.export's, if it did not take them


def export(samples: list[Sample], dynamic: bool) -> torch.export.ExportedProgram:
    tensors = tuple(tensor for sample in samples for tensor in sample.tensors)
    shapes = None
    if dynamic:
        shapes = (tuple({d: torch.export.Dim.AUTO for d in range(t.dim())} for t in tensors),)
    return torch.export.export(Calls(samples), tensors, dynamic_shapes=shapes, strict=False)


def check_assertions(program: torch.export.ExportedProgram, samples: list[Sample]) -> None:
    """Raises what the exported program says of the samples that it was made from. PyTorch states a range of each size that
    data tell, and not all ranges are right: masked_select's forgets that the mask may be the larger one."""
    if any("_assert_scalar" in str(node.target) for node in program.graph.nodes):
        program.module()(*(tensor.clone() for sample in samples for tensor in sample.tensors))


def write(path: Path, program: torch.export.ExportedProgram) -> None:
    temporary = path.with_suffix(f".{os.getpid()}.pt2")  # torch.export.save asks for the ending
    torch.export.save(program, temporary)
    temporary.rename(path)


class Cache:
    """Archives by content: the samples, the mode, PyTorch's version."""

    def __init__(self, folder: Path):
        self.folder = folder

    def archive(self, name: str, samples: list[Sample], numbers: list[int], dynamic: bool,
                dialects: list[str]) -> Archive:
        text = "\n".join([torch.__version__, str(FORMAT), str(dynamic), name, *(samples[i].text() for i in numbers)])
        stem = self.folder / name / hashlib.sha256(text.encode()).hexdigest()[:20]
        note = stem.with_suffix(".json")
        known = json.loads(note.read_text()) if note.exists() else {}
        if "error" not in known and not set(dialects) <= set(known):
            stem.parent.mkdir(parents=True, exist_ok=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                known = self.make(stem, [samples[i] for i in numbers], dynamic, dialects)
            temporary = note.with_suffix(f".{os.getpid()}")
            temporary.write_text(json.dumps(known))
            temporary.rename(note)
        if "error" in known:
            return Archive(numbers, error=known["error"])
        return Archive(numbers, {dialect: stem.parent / known[dialect] for dialect in dialects})

    def make(self, stem: Path, samples: list[Sample], dynamic: bool, dialects: list[str]) -> dict[str, str]:
        """What was written, by dialect; a dialect whose graph is the composite one's shares its archive."""
        path = stem.with_suffix(".composite.pt2")
        try:
            program = export(samples, dynamic)
            check_assertions(program, samples)
            write(path, program)
            known = {"composite": path.name}
            if "decomposed" in dialects:
                decomposed = program.run_decompositions()
                known["decomposed"] = path.name
                if str(decomposed.graph) != str(program.graph):
                    known["decomposed"] = stem.with_suffix(".decomposed.pt2").name
                    write(stem.with_suffix(".decomposed.pt2"), decomposed)
            return known
        except Exception as error:  # whatever an op of OpInfo or torch.export raises is the reason that is told
            first = str(error).strip().splitlines() or [""]
            return {"error": f"{type(error).__name__}: {first[0]}"[:500]}
