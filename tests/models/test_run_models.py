# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of compare.py and run_models.py, with a script in the place of buddy. Needs numpy and pytest."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from compare import compare  # noqa: E402


def f32(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


@pytest.mark.parametrize(
    ("expected", "actual", "problem"),
    [
        (f32(1, 2), f32(1, 2), ""),
        (f32(100, 0), f32(100, 0.009), ""),
        (f32(100, 0), f32(100, 0.011), "error 0.00011 above 0.0001"),
        (f32(0, 0), f32(0, 1e-30), "error inf"),
        (f32(np.nan, np.inf), f32(np.nan, np.inf), ""),
        (f32(np.inf, 1), f32(-np.inf, 1), "NaN or infinite in one only, first at [0]"),
        (f32(1, 2), f32(1, np.nan), "first at [1]: nan instead of 2.0"),
        (f32(1), np.array([1.0]), "dtype is float64, expected float32"),
        (f32(1), np.array(1, dtype=np.float32), "shape is (), expected (1,)"),
        (np.array([1, 2]), np.array([1, 3]), "1 of 2 values differ, first at [1]: 3 instead of 2"),
        (np.array([2**62]), np.array([2**62 + 1]), "1 of 1 values differ"),
        (np.array(True), np.array(False), "1 of 1 values differ, first at []"),
        (np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), ""),
        (np.array([1.0]), np.array([1.0 + 1e-8]), "above 1e-09"),
    ],
)
def test_compare(expected: np.ndarray, actual: np.ndarray, problem: str) -> None:
    result = compare(expected, actual)
    assert result.ok == (not problem)
    assert problem in result.problem


def test_compare_bfloat16_reads_bit_patterns() -> None:
    one, above = np.array([0x3F80], np.uint16), np.array([0x3F82], np.uint16)  # 1 and 1 + 2 * 2^-7
    assert compare(one, above, dtype="bfloat16").ok
    assert not compare(one, above, dtype="bfloat16", tolerance=1e-2).ok
    assert not compare(one, above).ok


def test_compare_command(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", f32(1, 2))
    np.save(tmp_path / "b.npy", f32(1, 2.1))

    def run(*arguments: str) -> int:
        command = [sys.executable, str(HERE / "compare.py"), *arguments]
        return subprocess.run(command, cwd=tmp_path, stdout=subprocess.DEVNULL, check=False).returncode

    assert run("a.npy", "a.npy") == 0
    assert run("a.npy", "b.npy") == 1
    assert run("a.npy", "b.npy", "--tolerance", "0.1") == 0


FAKE_BUDDY = """
    import shutil, sys, os, signal, time
    from pathlib import Path
    archive = next(Path(argument) for argument in sys.argv if argument.endswith(".pt2"))
    name = archive.name.split(".")[0]
    output = Path(sys.argv[sys.argv.index("--output-dir") + 1])
    inputs = [Path(sys.argv[i + 1]) for i, a in enumerate(sys.argv) if a == "--input"]
    assert [p.name for p in inputs] == ["input_0.npy", "input_2.npy", "run_1_input_0.npy", "run_1_input_2.npy"], inputs
    if name == "refuses" or "--registries" in sys.argv and "none" in sys.argv:
        sys.exit("no registry takes aten.foo")
    if name == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    if name == "hangs":
        time.sleep(60)
    if name == "fails":
        sys.exit(2)
    if name != "silent":
        shutil.copy(inputs[1 if name == "wrong" else 0], output / "output_0.npy")
        (output / "run_1").mkdir()
        shutil.copy(inputs[0 if name == "keeps" else 2], output / "run_1" / "output_0.npy")
"""


@pytest.fixture()
def models(tmp_path: Path) -> Path:
    """A folder as export.py writes it; the only output, number 0 of 2, equals the first of two inputs."""
    archives = {}
    for name in ("right", "wrong", "keeps", "silent", "refuses", "crashes", "fails", "hangs", "right_dynamic"):
        folders = ["size_0", "size_1"] if name == "right_dynamic" else ["."]
        for folder in folders:
            place = tmp_path / f"{name}.composite" / folder
            place.mkdir(parents=True)
            np.save(place / "input_0.npy", f32(1, 2))
            np.save(place / "input_2.npy", f32(3, 4))
            np.save(place / "expected_0.npy", f32(1, 2))
            for name_of_file in ("input_0", "input_2", "expected_0"):
                np.save(place / f"run_1_{name_of_file}.npy", f32(5, 6))
        inputs = [{"kind": "tensor", "file": "input_0.npy"}, {"kind": "constant"}]
        inputs.append({"kind": "tensor", "file": "input_2.npy"})
        outputs = [{"kind": "tensor", "file": "expected_0.npy", "dtype": "float32"}, {"kind": "none"}]
        further = {key: [value | {"file": f"run_1_{value['file']}"} if "file" in value else value for value in values]
                   for key, values in (("inputs", inputs), ("outputs", outputs))}
        archives[f"{name}.composite"] = {
            "model": name,
            "dialect": "composite",
            "archive": f"{name}.composite.pt2",
            "folder": f"{name}.composite",
            "tolerance": None,
            "may_refuse": name in ("refuses", "crashes", "fails"),
            "quick": True,
            "sizes": [{"folder": folder, "inputs": inputs, "outputs": outputs, "further": [further]} for folder in folders],
        }
    (tmp_path / "index.json").write_text(json.dumps({"archives": archives}))
    buddy = tmp_path / "buddy"
    buddy.write_text(f"#!{sys.executable}\n{textwrap.dedent(FAKE_BUDDY)}")
    buddy.chmod(0o755)
    return tmp_path


def run_models(models: Path, *arguments: str) -> tuple[int, str, list[dict[str, object]]]:
    command = [sys.executable, str(HERE / "run_models.py"), "--buddy", str(models / "buddy"), "--models", str(models)]
    command += ["--json", str(models / "outcomes.json"), *arguments]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return ended.returncode, ended.stdout.splitlines()[-1], json.loads((models / "outcomes.json").read_text())


def test_run_models_tells_outcomes_apart(models: Path) -> None:
    code, last, outcomes = run_models(models, "--timeout", "3", "-j", "4")
    statuses = {str(o["name"]).split(".")[0]: o["status"] for o in outcomes}
    assert statuses == {
        "right": "passed",
        "right_dynamic": "passed",
        "wrong": "wrong",
        "keeps": "wrong",
        "silent": "wrong",
        "refuses": "refused",
        "crashes": "crashed",
        "fails": "failed",
        "hangs": "timeout",
    }
    assert (code, last) == (1, "4 passed, 6 failed")


def test_run_models_under_several_orders(models: Path) -> None:
    code, last, outcomes = run_models(models, "--only", "right*", "--registries", "tosa:*", "none")
    assert [o["registries"] for o in outcomes] == ["tosa:*", "none"] * 3
    assert (code, last) == (1, "3 passed, 3 failed")
    assert "no registry takes aten.foo" in str(outcomes[1]["detail"])


def test_run_models_passes(models: Path) -> None:
    code, last, _ = run_models(models, "--only", "right*", "--skip", "*dynamic")
    assert (code, last) == (0, "1 passed, 0 failed")
