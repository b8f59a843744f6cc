# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch as the reference of ``buddy bisect``: eager, and a live model."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import buddy

PLUGINS = Path(buddy.__file__).absolute().parents[2] / "tests" / "bisect" / "plugins"
PLANTED = ["--plugin-dir", str(PLUGINS), "--registries", "planted:linalg:*"]
needs_plugins = pytest.mark.skipif(not PLUGINS.is_dir(), reason="planted faults are of a build tree")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(8, 16), torch.nn.Linear(16, 3)

    def forward(self, x, *, scale=None):
        y = torch.nn.functional.gelu(self.first(x))
        return {"z": self.second(y if scale is None else y * scale), "y": y}


def named(found):
    return [node["op"] for finding in found["findings"] for node in finding["nodes"]]


def test_a_sound_model_is_not_accused():
    x, batch = torch.randn(4, 8), torch.export.Dim("batch", min=2)
    program = torch.export.export(Model(), (x,))
    for found in (buddy.bisect(Model(), x), buddy.bisect(Model(), x, kwargs={"scale": torch.rand(16)}),
                  buddy.bisect(Model(), x, dynamic_shapes={"x": {0: batch}}),
                  buddy.bisect(program), buddy.bisect(program, torch.ones(4, 8)), buddy.bisect(lambda a, b: (a @ b).sin(), x, x.T),
                  buddy.bisect(Model().bfloat16(), x.bfloat16()), buddy.bisect(Model(), x, options=["--threads", "2"])):  # fmt: skip
        assert not found["is_off"] and found["findings"] == []
        assert found["error"]["elements"] > 0


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        self.total.add_(x)
        return self.total * 2


def doubled(x):
    x.mul_(2)
    return x + 1


def test_what_a_model_writes_to_is_as_it_was():
    """The reference is of the numbers that were given, and so is what the compiled code computes."""
    x, counting = torch.ones(4), Counting()
    program = torch.export.export(torch.nn.Sequential(Counting()), (x,))
    for found in (buddy.bisect(doubled, x), buddy.bisect(counting, x), buddy.bisect(program, x)):
        assert not found["is_off"] and found["findings"] == []
    assert torch.equal(x, torch.ones(4)) and torch.equal(counting.total, torch.zeros(4))


@needs_plugins
def test_a_fault_is_named(monkeypatch):
    monkeypatch.setenv("BUDDY_TEST_FAULT", "gelu.sigmoid")
    found = buddy.bisect(Model(), torch.randn(4, 8), options=PLANTED)
    assert named(found) == ["aten.gelu.default"] and found["is_confirmed"]
    assert not found["findings"][0]["avoided_by"][0]["option"].endswith("planted")


def test_the_live_model_is_right():
    """What export makes of it is another function: the node that gives the result is off by that."""
    found = buddy.bisect(lambda x: x.sin() * (2 if torch.compiler.is_exporting() else 3), torch.randn(5))
    assert found["is_off"] and named(found) == ["aten.mul.Tensor"]
    assert found["findings"][0]["error"]["max_rel"] == pytest.approx(1 / 3, rel=1e-4)


def test_results_of_ops_in_place_are_compared():
    """Though the archive has another name for them than the compiled graph."""
    assert not buddy.bisect(lambda x: torch.nn.functional.dropout(x.clone(), 0.5, False).neg_(), torch.randn(5))["is_off"]
    found = buddy.bisect(lambda x: x.clone().mul_(2 if torch.compiler.is_exporting() else 3), torch.randn(5))
    assert found["is_off"] and named(found) == ["aten.mul.Tensor"]


def test_the_command(tmp_path):
    x, path = torch.randn(4, 8), tmp_path / "model.pt2"
    torch.export.save(torch.export.export(Model(), (x,)), path)
    np.save(tmp_path / "x.npy", torch.ones(4, 8).numpy())
    for words in (["--against", "eager"], ["--against=eager", f"--input={tmp_path / 'x.npy'}", "--whole"]):
        done = subprocess.run([sys.executable, "-m", "buddy", "bisect", path, *words], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("within rounding"), done.stdout


def test_what_cannot_be_is_said():
    with pytest.raises(buddy.BuddyError, match="registry|nobody"):
        buddy.bisect(Model(), torch.randn(4, 8), options=["--registries", "nobody"])
    for wrong in (Path("none.pt2"), torch.export.export(torch.nn.Linear(4, 4), (torch.ones(2, 4),))):
        with pytest.raises(buddy.InvalidArgumentError, match="none.pt2: PyTorch cannot read it|takes 1 inputs, but 2 were given"):
            buddy.bisect(wrong, torch.ones(2, 4), torch.ones(2, 4))
