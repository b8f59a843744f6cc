# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The other roads in: TorchScript modules and archives, make_fx traces; and programs that TorchDynamo does not take."""

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

    with pytest.raises(buddy.UnsupportedError, match="cannot be run once for all"):
        DynamoCompiler().importer_by_torchscript(loops, torch.ones(3))


class Loops(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.n = 3

    def forward(self, x, scale: float = 1.0):
        for i in range(self.n):
            x = torch.relu(self.linear(x)) * scale + i
        row = 0
        while row < x.size(0):
            x = x + x[row]
            row += 1
        return x, x.sum()


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_torchscript_with_loops(rows):
    module = torch.jit.script(Loops().eval())
    compiler = DynamoCompiler()
    compiler.importer_by_torchscript(module, torch.randn(rows, 4), scale=0.5)
    for _ in range(3):
        x = torch.randn(rows, 4)
        with torch.no_grad():
            close(compiler.compiled()(x, 0.5), module(x, 0.5))


def test_an_import_leaves_the_script_as_it_was():
    """Its optimizer would keep what it sees while it is imported: tensors without numbers, too."""

    @torch.jit.script
    def added_up(x):
        total = torch.zeros(3)
        for i in range(x.shape[0]):
            total = total + x[i]
        return total

    x = torch.randn(4, 3)
    compiler = DynamoCompiler()
    for _ in range(2):
        compiler.importer_by_torchscript(added_up, x)
        assert type(added_up(x)) is torch.Tensor
        close(compiler.compiled()(x), added_up(x))
        close(added_up(x), x.sum(0))


def test_symbolic_trace():
    model = torch.nn.Sequential(torch.nn.Conv2d(2, 3, 3), torch.nn.BatchNorm2d(3), torch.nn.ReLU(), torch.nn.Flatten()).eval()
    compiler = DynamoCompiler()
    x = torch.randn(2, 2, 6, 6)
    graph = compiler.importer_by_fx(torch.fx.symbolic_trace(model), x)[0]
    own = {tensor.data_ptr() for tensor in [*model.parameters(), *model.buffers()]}
    assert graph.tensors and all(tensor.data_ptr() in own for tensor in graph.tensors)
    for _ in range(3):
        x = torch.randn(2, 2, 6, 6)
        with torch.no_grad():
            close(compiler.compiled()(x), model(x))


def test_symbolic_trace_of_functions():
    """Of PyTorch's functions, of operators, of methods, and of ops whose results are taken apart; without values."""
    taken_apart = torch.ops.aten.topk.default
    for function in (lambda x: torch.relu(x) * 2, lambda x: x[0] + x[1:], lambda x: -x.sin().t(), lambda x: torch.add(x, 1).max(),
                     lambda x: taken_apart(x, 2)[0] - taken_apart(x, 2)[1], lambda x: torch.ops.aten.relu.default(x)[1]):
        compiler, x = DynamoCompiler(), torch.randn(3, 4)
        compiler.importer_by_fx(torch.fx.symbolic_trace(function), x)
        close(compiler.compiled()(x), function(x))


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
    assert graph.tensors and graph.tensors[0].data_ptr() == table.data_ptr()
    close(compiler.compiled()(x), function(x))


def add_into(x, y, *, out):
    return torch.add(x, y, out=out) * 2


def sorted_into(x, outs):
    torch.sort(x, dim=0, out=outs)
    return outs[0] + 1


def empty(dtype=torch.float32):
    return torch.empty(0, dtype=dtype)


def test_an_out_without_elements_grows(recwarn):
    """TorchDynamo does not trace it; PyTorch makes it grow first."""
    compiler, out = DynamoCompiler(), empty()
    compiler.importer(add_into, torch.ones(3), torch.ones(3), out=out)
    assert len(compiler.imported_graphs) == 1 and torch.equal(out, torch.full((3,), 2.0))
    for sizes in ((3,), (3,), (5,), (1,), (0,), (2, 3)):
        x, y, out = torch.randn(sizes), torch.randn(sizes), empty()
        close(compiler.compiled()(x, y, out=out), (x + y) * 2)
        close(out, x + y)
    out = torch.empty(3)
    compiler.compiled()(x := torch.randn(3), x, out=out)  # of the right size from the beginning
    close(out, x + x)
    assert not [warning for warning in recwarn if issubclass(warning.category, buddy.GraphBreakWarning)]


def test_several_outs_grow():
    compiler, outs = DynamoCompiler(), (empty(), empty(torch.int64))
    assert len(compiler.importer(sorted_into, torch.randn(4), outs)) == 1
    for n in (4, 7, 1):
        x, outs = torch.randn(n), (empty(), empty(torch.int64))
        close(compiler.compiled()(x, outs), x.sort().values + 1)
        assert torch.equal(outs[1], x.sort().indices)


def test_an_import_with_an_empty_tensor_runs_the_function_once():
    """A cache that has nothing in it yet is no `out`."""
    calls = []

    def append(cache, x):
        calls.append(1) if not torch.compiler.is_compiling() else None
        cache_and_x = torch.cat([cache, x])
        x.add_(1)
        return cache_and_x

    compiler, x = DynamoCompiler(), torch.ones(1, 2)
    compiler.importer(append, torch.empty(0, 2), x)
    assert torch.equal(x, torch.full((1, 2), 2.0)) and calls == []


def test_an_out_that_others_see_is_not_lost():
    """torch.export's programs have it as it was; a compiled program cannot make its caller's tensor grow."""
    with pytest.raises(buddy.UnsupportedError, match="write to a tensor of the size of the result"):
        DynamoCompiler().importer_by_export(lambda x, out: torch.add(x, x, out=out), torch.ones(3), empty())


@pytest.mark.parametrize("function", [lambda x: x, lambda x: (x, 3), lambda x: x.shape[0], lambda x: None], ids=range(4))
def test_programs_without_ops(function):
    compiler = DynamoCompiler()
    assert len(compiler.importer(function, torch.ones(3, 2))) == 1
    for _ in range(2):
        x = torch.randn(3, 2)
        assert str(compiler.compiled()(x)) == str(function(x))


@pytest.mark.parametrize("name", ["Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor"])
def test_decompositions_that_fail_are_left_out(name):
    from torch._inductor.decomposition import decompositions

    def function(start, end):
        start = 1.5 if name == "Scalar_Tensor" else start
        return getattr(torch.ops.aten.linspace, name)(start, 9.0 if name == "Tensor_Scalar" else end, 5)

    compiler = DynamoCompiler(aot_autograd_decomposition=decompositions)
    compiler.importer(function, torch.tensor(0.0), torch.tensor(4.0))
    for _ in range(3):
        start, end = torch.randn(()), torch.randn(())
        close(compiler.compiled()(start, end), function(start, end))


class Recurrent(torch.nn.Module):
    """Layers over time, in both directions and without biases, and a head."""

    def __init__(self, kind, **options):
        super().__init__()
        self.layer = kind(5, 7, **options)
        self.head = torch.nn.Linear(14 if options.get("bidirectional") else 7, 3)

    def forward(self, x):
        y, state = self.layer(x)
        return self.head(y), state


@pytest.mark.parametrize("decomposed", [False, True])
@pytest.mark.parametrize(("kind", "options"), [
    (torch.nn.LSTM, {"num_layers": 2, "bidirectional": True, "batch_first": True}), (torch.nn.LSTM, {"bias": False}),
    (torch.nn.GRU, {"num_layers": 2}), (torch.nn.RNN, {"nonlinearity": "relu", "bidirectional": True})])  # fmt: skip
def test_recurrent_layers_by_torchdynamo(kind, options, decomposed):
    """TorchDynamo takes them on demand, and PyTorch chooses a kernel for an LSTM while it traces."""
    from torch._inductor.decomposition import decompositions

    model = Recurrent(kind, **options).eval()
    compiler = DynamoCompiler(primary_registry="tosa", aot_autograd_decomposition=decompositions if decomposed else None)
    assert len(compiler.importer(model, torch.randn(2, 6, 5))) == 1
    for sizes in ((2, 6, 5), (2, 6, 5), (3, 4, 5)):
        x = torch.randn(sizes)
        close(compiler.compiled()(x), model(x), 1e-5)
