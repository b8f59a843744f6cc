# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DynamoCompiler: the roads in, parameters, running."""

import threading
import warnings

import pytest
import torch
from conftest import close

import buddy
from buddy.compiler.frontend import DynamoCompiler, dynamo_compiler
from buddy.compiler.ops import func, linalg, math, tosa


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(4)
        self.linear = torch.nn.Linear(4 * 8 * 8, 5)

    def forward(self, x, scale=1.0):
        return self.linear(torch.relu(self.norm(self.conv(x))).flatten(1)) * scale


def test_result_serves_as_graphs_and_as_pair():
    compiler = DynamoCompiler()
    result = compiler.importer(lambda x: x + 1, torch.randn(3))
    module, params = result
    assert module is result[0] is result[-1] and params == [] and len(result) == 1 and module in result
    assert result[:] == compiler.imported_graphs and result.pair() == (module, params)
    assert "1 ops" in repr(result) and "1 ops" in result._repr_html_()


def test_importer_runs_modules_on_their_own_parameters():
    model = Net().eval()
    compiler = DynamoCompiler(primary_registry=tosa.ops_registry)
    graphs = compiler.importer(model, torch.randn(2, 3, 8, 8))
    params = compiler.imported_params[graphs[0]]
    own = {tensor.data_ptr() for tensor in [*model.parameters(), *model.buffers()]}
    assert params and all(tensor.data_ptr() in own for tensor in params)
    run = compiler.compiled()
    x = torch.randn(2, 3, 8, 8)
    with torch.no_grad():
        close(run(x), model(x))
        model.linear.weight.mul_(2)  # in place: the program reads the same memory
        close(run(x), model(x))
        model.linear.weight.data = torch.randn(5, 256)  # another memory
        close(run(x), model(x))


@pytest.mark.parametrize("road", ["module", "exported", "archive"])
def test_importer_by_export(road, tmp_path):
    model, x = Net().eval(), torch.randn(2, 3, 8, 8)
    compiler = DynamoCompiler()
    exported = torch.export.export(model, (x,))
    if road == "module":
        compiler.importer_by_export(model, x)
    elif road == "exported":
        compiler.importer_by_export(exported)
    else:
        path = tmp_path / "net.pt2"
        torch.export.save(exported, path)
        compiler.importer_by_export(path)
    with torch.no_grad():
        close(compiler.compiled()(x), model(x))
    first = next(compiler.imported_graphs[0].walk())
    assert first.location.module_path == "conv"
    assert first.location.file == __file__ and "self.conv(x)" in first.location.code


def test_dynamic_shapes():
    model = Net().eval()
    compiler = DynamoCompiler(registries="linalg:*")
    batch = torch.export.Dim("batch", min=1, max=64)
    compiler.importer_by_export(model, torch.randn(2, 3, 8, 8), dynamic_shapes={"x": {0: batch}})
    assert "tensor<?x3x8x8xf32>" in str(compiler.imported_graphs[0])
    for n in (1, 2, 7):
        x = torch.randn(n, 3, 8, 8)
        with torch.no_grad():
            close(compiler.compiled()(x), model(x))


def test_inputs_keep_their_order_and_outputs_their_structure():
    class Pair(torch.nn.Module):
        def forward(self, b, a, *, c):
            return {"difference": a - b, "rest": [c * 2, (a + b, None, 3)]}

    a, b, c = torch.randn(3), torch.randn(3), torch.randn(2)
    compiler = DynamoCompiler()
    compiler.importer_by_export(Pair(), b, a, c=c)
    names = [name for name, kind, *_ in compiler.imported_graphs[0].inputs if kind == "user"]
    assert names == ["b", "a", "c"]
    ours = compiler.compiled()(b, a, c=c)
    assert torch.equal(ours["difference"], a - b) and torch.equal(ours["rest"][0], c * 2)
    assert ours["rest"][1][1:] == (None, 3)


def test_buffers_that_change_are_the_models_own():
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.zeros(2))

        def forward(self, x):
            before = self.count.clone()
            self.count.add_(x)
            return before, self.count * 2

    model = Counter()
    compiler = DynamoCompiler()
    compiler.importer_by_export(model, torch.ones(2))
    run = compiler.compiled()
    model.count.zero_()
    before, doubled = run(torch.ones(2))
    assert before.tolist() == [0, 0] and doubled.tolist() == [2, 2] and model.count.tolist() == [1, 1]
    before, doubled = run(torch.ones(2))
    assert before.tolist() == [1, 1] and doubled.tolist() == [4, 4] and model.count.tolist() == [2, 2]


def test_graph_breaks_give_linked_graphs_and_a_warning():
    def branching(x):
        y = x * 2
        print("between")
        if y.sum() > 0:
            return y + 1
        return y - 1

    compiler = DynamoCompiler()
    with pytest.warns(buddy.GraphBreakWarning, match="graphs"):
        graphs = compiler.importer(branching, torch.ones(4))
    assert len(graphs) >= 2 and len(compiler.imported_graphs) == len(graphs)
    run = compiler.compiled()
    assert run(torch.ones(4)).tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32,
                                   torch.int64, torch.uint8, torch.bool, torch.complex64])  # fmt: skip
def test_dtypes_cross(dtype):
    x = torch.randint(0, 2, (3, 4)).to(dtype)
    compiler = DynamoCompiler(registries="linalg:*")
    compiler.importer(lambda x: (x.t().clone(), torch.stack([x, x])), x)
    close(compiler.compiled()(x), (x.t().clone(), torch.stack([x, x])), 0)


def test_inputs_of_other_makes():
    numpy = pytest.importorskip("numpy")
    compiler = DynamoCompiler()
    compiler.importer_by_export(torch.nn.Identity(), torch.randn(4, 3).t())
    executable = compiler.imported_graphs[0].compile()
    array = numpy.arange(12, dtype=numpy.float32).reshape(4, 3)
    assert numpy.array_equal(executable([array.T])[0].numpy(), array.T)  # strided


def test_threads_run_at_once():
    model, x = Net().eval(), torch.randn(2, 3, 8, 8)
    compiler = DynamoCompiler()
    compiler.importer_by_export(model, x)
    run = compiler.compiled()
    run(x)
    inputs = [torch.randn(2, 3, 8, 8) for _ in range(4)]
    results = [None] * 4

    def work(i):
        with torch.no_grad():
            for _ in range(20):
                results[i] = run(inputs[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with torch.no_grad():
        close(results, [model(x) for x in inputs])


def test_parameters_as_resources_and_packs():
    compiler = DynamoCompiler()
    graph = compiler.importer_by_export(Net().eval(), torch.randn(2, 3, 8, 8))[0]
    assert "dense_resource" in graph.lower_to_top_level_ir(params="resource").text()
    packed = graph.lower_to_top_level_ir(do_params_pack=True).text()
    signature = next(line for line in packed.splitlines() if "func.func @forward" in line)
    assert signature.count("%arg") == 3 and "tensor<1xi64>" in signature  # floats, the count of batches, x
    assert graph.module.bytecode()[:4] == b"ML\xefR"


def test_order_of_registries():
    foo, x = (lambda x: torch.tanh(x) + x), torch.randn(3)
    assert "tosa.tanh" in str(DynamoCompiler(primary_registry=tosa.ops_registry).importer(foo, x)[0])
    assert "math.tanh" in str(DynamoCompiler(primary_registry=math.ops_registry).importer(foo, x)[0])
    assert "linalg.generic" in str(DynamoCompiler(primary_registry=linalg.ops_registry).importer(foo, x)[0])
    assert "tosa.add" not in str(DynamoCompiler(registries="linalg:*").importer(foo, x)[0])


def test_registries_are_mappings():
    assert "aten.add.Tensor" in tosa.ops_registry and len(linalg.ops_registry) > 100
    rows = tosa.ops_registry["aten.add.Tensor"]
    assert rows[0].registry == "tosa" and "self" in rows[0].arguments
    assert set(func.ops_registry) and "no.such.op" not in math.ops_registry


def test_errors_name_the_users_line(nobodys):
    class Unsupported(torch.nn.Module):
        def forward(self, x):
            return nobodys(x)

    with pytest.raises(buddy.UnsupportedError) as caught:
        DynamoCompiler().importer_by_export(Unsupported(), torch.randn(4)).pair()[0].module
    assert "test_frontend.py" in str(caught.value) and "nobodys" in str(caught.value)
    assert caught.value.code == "UNSUPPORTED" and caught.value.diagnostics


def test_wrong_inputs_are_errors():
    compiler = DynamoCompiler()
    compiler.importer_by_export(Net().eval(), torch.randn(2, 3, 8, 8))
    executable = compiler.imported_graphs[0].compile()
    with pytest.raises(buddy.InvalidArgumentError, match="f32\\[2,3,8,8\\]"):
        executable([torch.randn(2, 3, 8, 9)])
    with pytest.raises(buddy.InvalidArgumentError, match="takes 1 inputs"):
        executable([])
    with pytest.raises(ValueError):
        executable([torch.randn(2, 3, 8, 8).double()])
    with pytest.raises(buddy.NotFoundError):
        compiler.importer_by_export("/no/such/file.pt2")
    with pytest.raises(buddy.NotFoundError, match="nonesuch"):
        DynamoCompiler(registries="nonesuch")


class Halves(torch.Tensor):
    """A weight that is kept as two tensors, their sum and their scale, as quantized ones are."""

    @staticmethod
    def __new__(cls, values, scale):
        return torch.Tensor._make_wrapper_subclass(cls, values.shape, dtype=scale.dtype)

    def __init__(self, values, scale):
        self.values, self.scale = values, scale

    def __repr__(self):
        return "halves"

    def __tensor_flatten__(self):
        return ["values", "scale"], None

    @staticmethod
    def __tensor_unflatten__(inner, context, size, stride):
        return Halves(inner["values"], inner["scale"])

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        if function is torch.ops.aten.detach.default:
            return Halves(args[0].values.detach(), args[0].scale.detach())
        plain = torch.utils._pytree.tree_map_only(Halves, lambda x: x.values.to(x.scale.dtype) * x.scale, (args, kwargs or {}))
        return function(*plain[0], **plain[1])


def test_parameters_of_tensor_subclasses():
    model, x = torch.nn.Linear(4, 3), torch.randn(2, 4)
    halves = Halves(torch.randint(-9, 9, (3, 4), dtype=torch.int8), torch.rand(3, 1))
    model.weight = torch.nn.Parameter(halves, requires_grad=False)
    expected = model(x).detach()
    for road in ("importer", "importer_by_export"):
        compiler = DynamoCompiler()
        getattr(compiler, road)(model, x)
        close(compiler.compiled()(x), expected)
    own = {halves.values.data_ptr(), halves.scale.data_ptr()}
    assert own <= {tensor.data_ptr() for tensor in compiler.imported_graphs[0].tensors}

    class Whole(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = model.weight

        def forward(self, x):
            return self.weight.detach(), x

    with pytest.raises(buddy.UnsupportedError, match="subclass"):
        DynamoCompiler().importer_by_export(Whole(), x)


def test_random_numbers_follow_the_seed():
    class Noise(torch.nn.Module):
        def forward(self, x):
            return x + torch.rand_like(x)

    x = torch.zeros(100)
    for road in ("importer", "importer_by_export"):
        compiler = DynamoCompiler()
        getattr(compiler, road)(Noise(), x)
        run, found = compiler.compiled(), []
        for seed in (1, 1, 2):
            torch.manual_seed(seed)
            found.append(run(x))
        assert torch.equal(found[0], found[1]) and not torch.equal(found[0], found[2])


def test_threads_of_a_run():
    compiler = DynamoCompiler(threads=2)
    compiler.importer(lambda x: x + 1, torch.randn(3))
    assert compiler.imported_graphs[0].compile().program.threads() == 2
    with pytest.raises(buddy.InvalidArgumentError, match="threads=-2"):
        DynamoCompiler(threads=-2)


# ---- As the original has it ----


def breaks(x):
    y = torch.relu(x)
    print(end="")
    return y + 1


def test_a_graph_break_is_told_with_its_place_and_once():
    compiler = DynamoCompiler()
    for function, says in ((breaks, 1), (lambda x: (torch._dynamo.graph_break(), x + 1)[1] * 2, 0)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", buddy.GraphBreakWarning)
            compiler.importer(function, torch.randn(3))
        told = [str(one.message) for one in caught if one.category is buddy.GraphBreakWarning]
        assert len(told) == says
        for text in told:
            assert text.count("test_frontend.py:") == 1 and "graph_break()" not in text, text


def test_errors_of_ours_leave_torchdynamo_as_they_are(nobodys):
    with pytest.raises(buddy.UnsupportedError, match="nobodys"):
        torch.compile(lambda x: nobodys(x) + 1, backend=DynamoCompiler())(torch.randn(3))


def test_short_floats():
    codes = torch.arange(255, dtype=torch.uint8)
    scaled = torch.compile(lambda x: (x.float() * 2, x.view(torch.uint8).view(x.dtype)), backend=DynamoCompiler())
    number, same = scaled(codes.view(torch.float8_e8m0fnu))
    assert torch.equal(number, codes.view(torch.float8_e8m0fnu).float() * 2) and torch.equal(same.view(torch.uint8), codes)
    with pytest.raises(buddy.UnsupportedError, match="keep pairs of 4-bit floats as uint8"):
        DynamoCompiler().importer(lambda x: x.view(torch.uint8) + 1, codes.view(torch.float4_e2m1fn_x2))


def test_imports_accumulate_and_every_graph_has_its_parameters():
    compiler = DynamoCompiler()
    models = [torch.nn.Linear(3, n) for n in (1, 2, 3)]
    for i, model in enumerate(models):
        graphs = compiler.importer(model, torch.randn(2, 3))
        assert len(graphs) == i + 1 and graphs[-1] is compiler.imported_graphs[-1]
        assert graphs.pair()[0] is graphs[-1]
    for model, graph in zip(models, compiler.imported_graphs):
        assert [p.data_ptr() for p in compiler.imported_params[graph]] == [p.data_ptr() for p in (model.weight, model.bias)]
    with pytest.raises(KeyError):
        compiler.imported_params[DynamoCompiler().importer(models[0], torch.randn(2, 3))[0]]


def unpacked(graphs):
    first, second = graphs
    return first, second


@pytest.mark.parametrize("unpack", [unpacked, tuple, lambda graphs: [*graphs], lambda graphs: (lambda a, b: (a, b))(*graphs)])
def test_unpacking(unpack):
    """It is the pair, whoever asks, however many graphs the compiler has imported before."""
    compiler = DynamoCompiler()
    for n in (2, 1):
        model = torch.nn.Linear(3, n)
        graphs = compiler.importer(model, torch.randn(1, 3))
        graph, params = unpack(graphs)
        assert graph is graphs[-1] and graph.body and params[0].data_ptr() == model.weight.data_ptr()
    with pytest.raises(TypeError):
        reversed(graphs)


def test_pieces_unpack_into_graphs():
    def broken(x):
        x = x + 1
        torch._dynamo.graph_break()
        return x * 2

    compiler = DynamoCompiler()
    compiler.importer(lambda x: x - 1, torch.randn(3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", buddy.GraphBreakWarning)
        graphs = compiler.importer(broken, torch.randn(3))
    assert [*graphs] == compiler.imported_graphs[1:] and len([*graphs]) == 2
    assert graphs.pair()[0] is graphs[1]


def test_dynamo_run_gives_a_list():
    compiler = DynamoCompiler()
    compiler.importer(lambda x: {"a": (x + 1, x * 2)}, torch.ones(2))
    for x in (torch.randn(2), torch.randn(2), torch.randn(5)):
        ours = compiler.dynamo_run()(x)
        assert isinstance(ours, list) and torch.equal(ours[0], x + 1) and torch.equal(ours[1], x * 2)
        assert torch.equal(compiler.compiled()(x)["a"][1], x * 2)


@pytest.mark.parametrize("road", ["importer", "importer_by_export"])
def test_parameters_come_before_buffers(road):
    class Mixed(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("first", torch.arange(4))
            self.weight = torch.nn.Parameter(torch.ones(4))
            self.register_buffer("last", torch.ones(4))
            self.bias = torch.nn.Parameter(torch.ones(4))

        def forward(self, x):
            return (x + self.first + self.last) * self.weight + self.bias

    graph = getattr(DynamoCompiler(), road)(Mixed(), torch.randn(4))[0]
    kinds = [kind for _, kind, *_ in graph.inputs]
    assert kinds == ["parameter", "parameter", "buffer", "buffer", "user"]


def test_a_compiler_is_a_backend():
    for backend in (DynamoCompiler(primary_registry=tosa), dynamo_compiler):
        compiled = torch.compile(lambda x, y: torch.relu(x @ y) + 1, backend=backend)
        for n in (3, 3, 5, 7):
            x, y = torch.randn(n, 4), torch.randn(4, 2)
            close(compiled(x, y), torch.relu(x @ y) + 1)
        torch._dynamo.reset()


def test_numbers_that_are_read_off_tensors_stay_in_the_graph():
    def scaled(x):
        return x * x.sum().item()

    for captures in (True, False):
        compiler = DynamoCompiler(capture_scalar_outputs=captures)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", buddy.GraphBreakWarning)
            assert (len(compiler.importer(scaled, torch.ones(3))) == 1) is captures
        close(compiler.compiled()(torch.ones(3) * 2), scaled(torch.ones(3) * 2))
    assert torch._dynamo.config.capture_scalar_outputs is False


def test_verbose(tmp_path, capsys):
    x = torch.randn(3)
    for path in (None, tmp_path / "told"):
        DynamoCompiler(verbose=True, verbose_path=path).importer(lambda x: torch.sin(x) * x, x)[0].module
        told = capsys.readouterr().out if path is None else path.read_text()
        assert "call_function  sin" in told and "sin.default" in told
        blocks = told.split("Graph Node")
        assert len(blocks) == 4 and "Key: mul.Tensor (MulOp)" in blocks[2] and '"tosa.mul"' in blocks[2]
        assert "Key: sin.default (SinOp)" in blocks[1] and "Parents: ['sin', 'arg0_1']" in blocks[2]
    DynamoCompiler().importer(lambda x: torch.sin(x) * x, x)[0].module
    assert capsys.readouterr().out == ""


def test_what_things_say_of_themselves():
    compiler = DynamoCompiler()
    graph = compiler.importer(torch.nn.Linear(3, 2), torch.randn(1, 3))[0]
    assert "2 parameters" in repr(graph) and "1 graphs imported" in repr(compiler)
    executable = graph.compile()
    assert "f32[1, 3]" in repr(executable)
    with pytest.raises(buddy.InvalidArgumentError, match="one list"):
        executable(torch.randn(1, 3))
    assert "<iframe" in graph._repr_html_() and "<pre>" in graph.module._repr_html_()
