# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PyTorch computes as a reference of `buddy bisect`: values of every dtype, as PyTorch keeps them."""

import subprocess
import sys

import numpy
import pytest
import torch

import buddy


class Conjugates(torch.nn.Module):
    """Results with the bits by which PyTorch puts off conjugates and signs."""

    def forward(self, x):
        conjugate = x.conj()
        return conjugate, conjugate.imag, conjugate.t(), conjugate * 2


class Widened(torch.nn.Module):
    def forward(self, x):
        wide = x.float() * 2
        return wide, wide.to(x.dtype)


FLOATS8 = [torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu]
CASES = {
    "conjugates": (Conjugates(), torch.randn(3, 3, dtype=torch.complex64)),
    "bfloat16": (Widened(), torch.ones(3, dtype=torch.bfloat16)),
    "complex32": (torch.nn.Identity(), torch.ones(3, dtype=torch.complex64).to(torch.complex32)),
    **{str(dtype).removeprefix("torch."): (Widened(), torch.ones(3).to(dtype)) for dtype in FLOATS8},
}


@pytest.mark.parametrize("name", CASES)
def test_values_of_every_dtype(name, tmp_path):
    module, x = CASES[name]
    path, golden = tmp_path / "model.pt2", tmp_path / "golden.npz"
    torch.export.save(torch.export.export(module, (x,)), path)
    subprocess.run([sys.executable, "-m", "buddy", "golden", path, "-o", golden], check=True, timeout=120)
    done = subprocess.run([sys.executable, "-m", "buddy", "bisect", path, "--against", golden], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert not buddy.bisect(module, x)["is_off"]


def test_arrays_as_inputs(tmp_path):
    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(torch.nn.Linear(4, 2), (torch.zeros(3, 4),)), path)
    x = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
    for given in (x, x[::-1], numpy.asfortranarray(x)):
        assert not buddy.bisect(path, given)["is_off"]
    with pytest.raises(buddy.InvalidArgumentError, match=r"is float32\[3,4\], but float64\[3,4\] was given"):
        buddy.bisect(path, x.astype(float))
