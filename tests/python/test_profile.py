"""What a profile tells of real models: its slices add up to the run, and measuring costs next to nothing."""

import json
import logging
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

import buddy
from buddy._paths import command
from buddy.compiler.frontend import DynamoCompiler

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
    subprocess.run([command(), "profile", tmp_path / "model.pt2", "--threads", str(threads), "--output", tmp_path / "trace.json"],
                   check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    slices = [event for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"] if event["ph"] == "X"]
    (run,) = (event for event in slices if event["cat"] == "run")
    steps = [event for event in slices if event["cat"] == "kernel" and event["tid"] == run["tid"]]
    assert len(steps) > 10
    assert sum(event["dur"] for event in steps) == pytest.approx(run["dur"], rel=0.03)
    # Every one of them tells where it comes from, but for copies between nodes.
    assert sum(event["dur"] for event in steps if "op" in event["args"]) > 0.9 * run["dur"]


@pytest.mark.parametrize("name", ["resnet18_tiny", "lstm"])
def test_measuring_costs_little(name):
    """Three percent of a run, by the least of many in turn with runs that do not measure: as many as it takes on a busy machine."""
    module, args, kwargs = sample(name)
    graph = DynamoCompiler().importer_by_export(module, *args, **kwargs)[0]
    plain, measured = (graph._compiled(graph._native, None, profile) for profile in (False, True))
    for executable in (plain, measured):
        executable.set_threads(1)
    least = {plain: float("inf"), measured: float("inf")}
    for _ in range(20):
        for k in range(500):
            for executable in (plain, measured) if k % 2 else (measured, plain):
                begin = time.perf_counter()
                executable(args)
                least[executable] = min(least[executable], time.perf_counter() - begin)
        if least[measured] <= 1.03 * least[plain]:
            return
    pytest.fail(f"{1e6 * least[measured]:.2f} µs instead of {1e6 * least[plain]:.2f}")


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
