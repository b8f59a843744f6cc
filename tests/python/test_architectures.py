# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="buddy") over small models of many architectures, and over PyTorch's own samples of its modules.

The whole takes long; a run without BUDDY_TEST_ALL=1 takes some of each family.
"""

import os

import pytest
import torch
from conftest import close

pytest.importorskip("transformers")
pytest.importorskip("expecttest")

from architectures import ARCHITECTURES  # noqa: E402
from torch.testing._internal.common_modules import module_db  # noqa: E402

from buddy.backend import statistics  # noqa: E402

ALL = bool(os.environ.get("BUDDY_TEST_ALL"))
FEW = ["Bert", "Llama", "T5", "ResNet"]
MOST = 3  # compilations of one graph: as it is first met, and with each further size symbolic


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("name", ARCHITECTURES if ALL else FEW)
def test_transformers(name):
    architecture = ARCHITECTURES[name]
    model = architecture.build()
    compiled = torch.compile(model, backend="buddy")
    before = statistics.compiled
    graphs = 0
    with torch.no_grad():
        for i, (batch, length) in enumerate([(2, 7), (2, 7), (3, 9), (4, 11)]):
            inputs = architecture.inputs(batch, length)
            close(compiled(**inputs), model(**inputs), 1e-4)
            if i == 0:
                graphs = statistics.compiled - before
            if i == 1:
                assert statistics.compiled - before == graphs, "the same sizes are compiled again"
    assert statistics.fallbacks == 0 and statistics.compiled - before <= MOST * graphs


MANY = 40  # of a module's samples, spread evenly: one loss has 1,040

KNOWN = {
    "nn.MultiLabelMarginLoss": "PyTorch declares a result of shape [1] for one row, and gives one of shape []",
}


def marked(info):
    known = [pytest.mark.xfail(reason=KNOWN[info.name], strict=True)] if ALL and info.name in KNOWN else []
    return pytest.param(info, id=info.name, marks=known)


@pytest.fixture
def no_fast_path():
    """What a mask hides is zero after PyTorch's fast path, which torch.compile does not take: its own backends differ, too."""
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    yield
    torch.backends.mha.set_fastpath_enabled(before)


@pytest.mark.usefixtures("no_fast_path")
@pytest.mark.parametrize("info", [marked(info) for info in module_db[:: 1 if ALL else 12]])
def test_modules(info):
    samples = list(info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False, training=False))
    for sample in samples[:: max(1, len(samples) // MANY)] if ALL else samples[:2]:
        arguments = sample.constructor_input
        module = info.module_cls(*arguments.args, **arguments.kwargs).to(torch.float32).eval()
        call = sample.forward_input
        with torch.no_grad():
            expected = module(*call.args, **call.kwargs)
            torch._dynamo.reset()
            close(torch.compile(module, backend="buddy")(*call.args, **call.kwargs), expected, 1e-4)
