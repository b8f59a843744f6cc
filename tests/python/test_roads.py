"""The other roads in: TorchScript modules and archives, make_fx traces."""

import pytest
import torch
from conftest import close
from torch.fx.experimental.proxy_tensor import make_fx

import buddy
from buddy.compiler.frontend import DynamoCompiler


class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x, y):
        return torch.relu(self.linear(x)) + y


@pytest.mark.parametrize("kind", ["trace", "script", "file"])
def test_torchscript(kind, tmp_path):
    model, inputs = Small().eval(), (torch.randn(2, 4), torch.randn(2, 3))
    module = torch.jit.script(model) if kind == "script" else torch.jit.trace(model, inputs)
    if kind == "file":
        module.save(tmp_path / "small.pt")
        module = tmp_path / "small.pt"
    compiler = DynamoCompiler()
    compiler.importer_by_torchscript(module, *inputs)
    with torch.no_grad():
        close(compiler.compiled()(*inputs), model(*inputs))


def test_torchscript_that_cannot_be_converted_says_why():
    @torch.jit.script
    def loops(x):
        total = torch.zeros(1)
        while bool(total.sum() < x.sum()):
            total = total + 1
        return total

    with pytest.raises(buddy.BuddyError):
        DynamoCompiler().importer_by_torchscript(loops, torch.ones(3))


@pytest.mark.parametrize("mode", ["real", "symbolic"])
def test_make_fx(mode):
    def function(x, y):
        a, b = torch.split(x @ y, 2)
        return a.sin() + 1, [b.cos()]

    inputs = torch.randn(4, 3), torch.randn(3, 5)
    traced = make_fx(function, tracing_mode=mode)(*inputs)
    compiler = DynamoCompiler(registries="linalg:*")
    graphs = compiler.importer_by_fx(traced, *inputs)
    assert graphs[0].body
    close(compiler.compiled()(*inputs), function(*inputs))


def test_make_fx_with_constants_and_writes():
    table = torch.arange(6.0)

    def function(x):
        y = x.clone()
        y.add_(table)
        return y[1:3] * 2

    x = torch.randn(6)
    compiler = DynamoCompiler()
    graph = compiler.importer_by_fx(make_fx(function)(x), x)[0]
    assert graph.params and graph.params[0].data_ptr() == table.data_ptr()
    close(compiler.compiled()(x), function(x))
