# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a profile tells of real models: its slices add up to the run. What measuring costs: tests/bench/profile_cost.py."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import buddy
from buddy._paths import command

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "models"))


class Reader(torch.nn.Module):
    """An LSTM over a sequence: steps in a loop."""

    def __init__(self):
        super().__init__()
        self.lstm, self.end = torch.nn.LSTM(32, 64, batch_first=True), torch.nn.Linear(64, 8)

    def forward(self, x):
        return self.end(self.lstm(x)[0])


def sample(name):
    """(module, args, kwargs)"""
    torch.manual_seed(0)
    if name == "lstm":
        return Reader().eval(), (torch.randn(2, 12, 32),), {}
    pytest.importorskip("transformers")
    import language
    import vision

    one = getattr(vision if name.startswith("resnet") else language, name)
    one = getattr(one, "build", one)()
    return one.module.eval(), one.args, one.kwargs


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["bert_tiny", "resnet18_tiny", "lstm", "gpt2_tiny"])
def test_slices_add_up_to_the_run(name, threads, tmp_path):
    module, args, kwargs = sample(name)
    torch.export.save(torch.export.export(module, args, kwargs), tmp_path / "model.pt2")
    words = [command(), "profile", tmp_path / "model.pt2", "--threads", str(threads), "--output", tmp_path / "trace.json"]
    for _ in range(5):  # a machine that takes the processor away at a run's end proves nothing
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        slices = [event for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"] if event["ph"] == "X"]
        (run,) = (event for event in slices if event["cat"] == "run")
        steps = [event for event in slices if event["cat"] == "kernel" and event["tid"] == run["tid"]]
        assert len(steps) > 10
        covered = sum(event["dur"] for event in steps) / run["dur"]
        if abs(covered - 1) <= 0.03:
            break
    assert covered == pytest.approx(1, abs=0.03)
    # Every one of them tells where it comes from, but for copies between nodes.
    assert sum(event["dur"] for event in steps if "op" in event["args"]) > 0.9 * run["dur"]


def test_one_note_tells_what_has_no_kernel(tmp_path, caplog):
    """When a model is loaded: who took its nodes, and which convolutions and products are plain loops."""

    class Net(torch.nn.Module):
        def forward(self, x, weight):
            return torch.nn.functional.conv2d(x, weight), x[0, 0].long() @ x[0, 1].long()

    path = tmp_path / "model.pt2"
    inputs = torch.randn(1, 8, 64, 64, dtype=torch.float16), torch.randn(2, 8, 3, 3, dtype=torch.float16)
    torch.export.save(torch.export.export(Net(), inputs), path)
    with caplog.at_level(logging.INFO, "buddy"):
        buddy.load(path)
    (note,) = (record.getMessage() for record in caplog.records if " nodes: " in record.getMessage())
    assert note.endswith("; 1 convolution and 1 product without a kernel"), note
