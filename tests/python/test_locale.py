# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In a process that writes 1,5 for 1.5 (a desktop program's, in much of Europe), models are imported, compiled and run as anywhere."""

import os
import shutil
import subprocess
import sys

import pytest
import torch
import torch.nn.functional as F

HOST = """
import locale, sys
import torch, buddy
assert locale.setlocale(locale.LC_ALL, sys.argv[1]) and locale.localeconv()["decimal_point"] == ("," if sys.argv[1] == "comma" else ".")
torch.save(buddy.load(sys.argv[2], registries=sys.argv[3], cache=False)(torch.load(sys.argv[4])), sys.argv[5])
"""


class Net(torch.nn.Module):
    """Numbers in attributes, formulas, kernels' texts, and one that is computed of a size."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.convolution, self.linear = torch.nn.Conv2d(3, 8, 3), torch.nn.Linear(8, 5)
        self.recurrence = torch.nn.LSTM(8, 4)

    def forward(self, x):
        y = F.hardswish(F.elu(self.convolution(x), 0.7) * 1.5 + 0.25).flatten(2)
        y = F.scaled_dot_product_attention(y, y, y, scale=0.35).mean(2)
        z = self.recurrence(y[None])[0]
        y = F.layer_norm(F.gelu(self.linear(y) / (x.shape[0] / 3.5)), (5,), eps=1e-3)
        return y, z, torch.special.digamma(y.abs() + 0.3), y.abs() ** 2.3, torch.linspace(0.1, 0.7, 5) * y.sum(), torch.ops.aten.gelu_backward(y, y)


@pytest.fixture(scope="module")
def comma(tmp_path_factory):
    """A folder of locales with one whose decimal point is a comma; no machine need have one."""
    folder = tmp_path_factory.mktemp("locales")
    characters = "\n".join(f"<U{i:04X}> /x{i:02x} C" for i in range(128))
    (folder / "ascii").write_text(f"<code_set_name> ASCII\n<mb_cur_max> 1\n<escape_char> /\nCHARMAP\n{characters}\nEND CHARMAP\n")
    (folder / "source").write_text('LC_NUMERIC\ndecimal_point "<U002C>"\nthousands_sep "<U002E>"\ngrouping 3;3\nEND LC_NUMERIC\n')
    subprocess.run([shutil.which("localedef"), "-c", "-f", "./ascii", "-i", "./source", "./comma"], cwd=folder, capture_output=True)
    assert (folder / "comma" / "LC_NUMERIC").exists()
    return folder


@pytest.mark.parametrize("order", ["tosa:*", "linalg:*", "composite:*", "vendor:tosa:*"])
def test_numbers_are_the_same(order, comma, tmp_path):
    x = torch.rand(2, 3, 6, 6)
    torch.export.save(torch.export.export(Net().eval(), (x,), dynamic_shapes=({0: torch.export.Dim("n", min=1, max=9)},)), tmp_path / "net.pt2")
    torch.save(x, tmp_path / "x.pt")
    results = []
    for name in ("C", "comma"):
        out = tmp_path / f"{name}.pt"
        done = subprocess.run([sys.executable, "-c", HOST, name, tmp_path / "net.pt2", order, tmp_path / "x.pt", out],
                              env=os.environ | {"LOCPATH": str(comma)}, capture_output=True, text=True)
        assert done.returncode == 0 and "buddy" not in done.stderr, done.stderr
        results.append(torch.load(out))
    for a, b, want in zip(*results, Net().eval()(x)):
        assert torch.equal(a, b)
        torch.testing.assert_close(a, want, rtol=1e-4, atol=1e-5)
