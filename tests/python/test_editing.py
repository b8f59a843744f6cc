# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs that are changed: nodes, arguments, outputs; copies of them; parts of them."""

import copy
import pickle
import re
import subprocess

import pytest
import torch
from conftest import close

import buddy
from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.graph import DeviceType, GraphDriver, operation
from buddy.compiler.graph.operation import AddOp, CosOp, MatmulOp, OpType, PlaceholderOp, TanhOp


def function(x, y):
    return torch.sin(x) * y + x


def inputs(n=3):
    return [(torch.randn(5), torch.randn(5)) for _ in range(n)]


@pytest.fixture
def graph():
    return DynamoCompiler().importer(function, *inputs(1)[0])[0]


def find(graph, target):
    return next(op for op in graph.body if op.target == target)


def agrees(graph, expected):
    for x, y in inputs():
        close(graph(x, y)[0], expected(x, y))


def test_nodes_are_what_the_original_calls_them(graph):
    names = [type(op).__name__ for op in graph.body]
    assert names == ["PlaceholderOp", "PlaceholderOp", "SinOp", "MulOp", "AddOp", "OutputOp"]
    add = graph.body[4]
    assert isinstance(add, AddOp) and add._op_type is OpType.BroadcastType and graph.body[2]._op_type is OpType.ElementwiseType
    assert add.args == ["mul", "arg0_1"] and add._parents == ["mul", "arg0_1"] and add._children == ["output"]
    assert graph.node_table["add"] is add and graph._body is graph.body
    assert MatmulOp.target == "aten.mm.default" and {"PowOp", "Conv2dOp", "AddMMOp"} <= set(operation.__all__)


def test_a_node_takes_the_place_of_another(graph):
    agrees(graph, function)
    cosine = CosOp()
    cosine.name = "cosine"
    graph.displace_node(find(graph, "aten.sin.default"), cosine)
    agrees(graph, lambda x, y: torch.cos(x) * y + x)
    assert "math.sin" not in str(graph) and "tosa.sin" not in str(graph)


def test_arguments_by_place_and_by_name(graph):
    add = find(graph, "aten.add.Tensor")
    add.args[1] = graph.body[1].name
    agrees(graph, lambda x, y: torch.sin(x) * y + y)
    add.kwargs["alpha"] = 3
    agrees(graph, lambda x, y: torch.sin(x) * y + 3 * y)
    find(graph, "aten.mul.Tensor").kwargs["other"] = 0.5
    agrees(graph, lambda x, y: torch.sin(x) * 0.5 + 3 * y)


def test_nodes_come_and_go(graph):
    new = TanhOp()
    new.name = "last"
    new.add_argument("add")
    graph.add_node(new)
    graph.body[-1].args[0] = "last"
    agrees(graph, lambda x, y: torch.tanh(function(x, y)))
    graph.body[-1].args[0] = "mul"
    assert graph.check_delete_node(new) and not graph.check_delete_node(graph.node_table["mul"])
    graph.delete_node(new, [graph.node_table["add"]])
    graph.delete_node(graph.node_table["add"], [])
    agrees(graph, lambda x, y: torch.sin(x) * y)
    assert [op.target for op in graph.walk()] == ["aten.sin.default", "aten.mul.Tensor"]


def test_another_op_under_the_same_name_and_order(graph):
    find(graph, "aten.mul.Tensor").target = "aten.sub.Tensor"
    agrees(graph, lambda x, y: (torch.sin(x) - y) + x)
    new = CosOp()
    new.name, new.args, new.tensor_meta = "c", ["arg1_1"], dict(graph.body[0].tensor_meta)
    graph.body.insert(2, new)
    graph.body[4].args[1] = "c"
    agrees(graph, lambda x, y: (torch.sin(x) - torch.cos(y)) + x)
    assert [op.name for op in graph.walk()][0] == "c"


def test_a_chain(graph):
    first, last = CosOp(), TanhOp()
    first.name, last.name, last.args = "c", "t", ["c"]
    graph.displace_node_with_chain(find(graph, "aten.sin.default"), [first, last])
    agrees(graph, lambda x, y: torch.tanh(torch.cos(x)) * y + x)


@pytest.mark.parametrize("change, message", [
    (lambda g: g.body.remove(find(g, "aten.mul.Tensor")), "something uses it"),
    (lambda g: g.body.pop(0), "inputs of a graph stay"),
    (lambda g: g.body.pop(), "the one OutputOp"),
    (lambda g: find(g, "aten.add.Tensor").args.__setitem__(0, "nowhere"), "no value called 'nowhere'"),
    (lambda g: find(g, "aten.add.Tensor").args.extend([1, 2, 3]), "has 3 arguments"),
    (lambda g: find(g, "aten.add.Tensor").kwargs.__setitem__("beta", 1), "no argument called 'beta'"),
    (lambda g: setattr(find(g, "aten.add.Tensor"), "name", "mul"), "'mul'"),
    (lambda g: setattr(find(g, "aten.add.Tensor"), "target", "aten.nothing.default"), "no op that buddy has"),
    (lambda g: g.body.insert(2, g.body.pop(4)), "add"),
])  # fmt: skip
def test_what_cannot_be_is_an_error(graph, change, message):
    change(graph)
    for use in (str, lambda g: g.compile(), lambda g: g.text()):
        with pytest.raises(buddy.BuddyError, match=message):
            use(graph)


def test_fuse_ops_of_ones_own(graph):
    def doubled(graph):
        for op in graph.body:
            if op.target == "aten.sin.default":
                op.target = "aten.cos.default"

    graph.fuse_ops([doubled])
    agrees(graph, lambda x, y: torch.cos(x) * y + x)

    def broken(graph):
        graph.body.pop(0)

    with pytest.raises(buddy.InvalidArgumentError, match="inputs"):
        graph.fuse_ops([broken])


def test_symbolic_sizes():
    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.relu(x.view(x.shape[0] * 2, 3)) + 1

    sizes = {"x": {0: torch.export.Dim("n", max=9)}}
    graph = DynamoCompiler(registries="linalg:*").importer_by_export(Net(), torch.randn(4, 6), dynamic_shapes=sizes)[0]
    view = find(graph, "aten.view.default")
    new = TanhOp()
    new.name = "t"
    graph.displace_node(find(graph, "aten.relu.default"), new)
    for n in (0, 1, 5, 9):
        x = torch.randn(n, 6)
        close(graph(x)[0], torch.tanh(x.view(-1, 3)) + 1)
    assert not isinstance(view.tensor_meta["shape"][0], int)


@pytest.mark.parametrize("way", [copy.deepcopy, lambda graph: pickle.loads(pickle.dumps(graph))])
def test_copies(way, tmp_path):
    model = torch.nn.Linear(5, 5)
    compiler = DynamoCompiler()
    with torch.no_grad():
        graph = compiler.importer(model, torch.randn(2, 5))[0]
        find(graph, "aten.addmm.default").kwargs["beta"] = 2
        twin = way(graph)
        for n in range(3):
            x = torch.randn(2, 5)
            close(twin(x)[0], x @ model.weight.T + 2 * model.bias)
        weight = next(op for op in twin.body if isinstance(op, PlaceholderOp) and op.parameter == "weight")
        assert weight.tensor_meta["shape"] == [5, 5]
        find(twin, "aten.addmm.default").kwargs["beta"] = 0
        close(graph(x)[0], x @ model.weight.T + 2 * model.bias)
        close(twin(x)[0], x @ model.weight.T)
    torch.export.save(torch.export.export(model, (torch.randn(2, 5),)), tmp_path / "m.pt2")
    close(way(compiler.importer_by_export(tmp_path / "m.pt2")[-1])(x)[0], model(x))


# ---- Parts ----


class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(6, 4), torch.nn.Linear(4, 3)
        self.register_buffer("steps", torch.arange(3))

    def forward(self, x):
        top, place = torch.topk(torch.relu(self.a(x)), 2)
        return self.b(torch.cat([top, top], -1)) + self.steps, place


def split(n):
    graph = DynamoCompiler().importer(Two().eval(), torch.randn(2, 6))[0]
    ops = list(graph.walk())
    for i in range(n):
        graph.op_groups[f"part{i}"] = ops[i * len(ops) // n : (i + 1) * len(ops) // n]
        graph.group_map_device[f"part{i}"] = DeviceType.CPU
    return graph


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_parts_make_the_whole(n):
    graph = split(n)
    driver = GraphDriver(graph)
    assert [part._func_name for part in driver.subgraphs] == [f"part{i}" for i in range(n)]
    for _ in range(3):
        x = torch.randn(2, 6)
        values = {name: x for name, kind, *_ in graph.inputs if kind == "user"}
        for part in driver.subgraphs:
            assert f"@{part._func_name}(" in str(part)
            given = [values[name] for name, kind, *_ in part.inputs if kind == "user"]
            values.update(zip([value[1] for _, _, value in part.outputs], part(*given)))
        close([values[value[1]] for _, _, value in graph.outputs], graph(x))


@pytest.mark.parametrize("packs", [False, True])
@pytest.mark.parametrize("n", [1, 3])
def test_the_main_function_fits_its_parts(n, packs, tmp_path, mlir_opt):
    """It declares each part as LLVM's own bufferization makes it."""
    driver = GraphDriver(split(n))
    main = str(driver.construct_main_graph(packs))
    floats = sum(tensor.numel() for tensor in driver._graph.tensors if tensor.is_floating_point())
    assert (f"%arg0: memref<{floats}xf32>, %arg1: memref<3xi64>" in main) is packs
    (tmp_path / "parts.mlir").write_text("\n// -----\n".join(map(str, driver.subgraphs)))
    passes = ("--pass-pipeline=builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),"
              "one-shot-bufferize{bufferize-function-boundaries})")  # fmt: skip
    done = subprocess.run([mlir_opt, "--split-input-file", passes, tmp_path / "parts.mlir"], capture_output=True, text=True,
                          timeout=60)  # fmt: skip
    assert done.returncode == 0, done.stderr
    for part in driver.subgraphs:
        declared = next(line for line in main.splitlines() if f"func.func private @{part._func_name}(" in line)
        made = next(line for line in done.stdout.splitlines() if f"@{part._func_name}(" in line)
        types = [piece.partition(": ")[2] for piece in made.partition("(")[2].partition(") ->")[0].split("%")[1:]]
        wanted = declared.partition("(")[2].partition(") ->")[0]
        assert ", ".join(one.rstrip(", ") for one in types) == re.sub(r"(?<=strided<)[^\]]*\]", _unknown, wanted)


def _unknown(strides):
    """Bufferization leaves strides open, which is the same descriptor."""
    return "[" + ", ".join("?" for _ in strides[0].split(",")) + "]"


def test_groups_that_cannot_be():
    graph = split(2)
    graph.op_groups["part1"].pop()
    with pytest.raises(buddy.InvalidArgumentError, match="no group has"):
        GraphDriver(graph)
    graph = split(2)
    graph.op_groups["part0"].append(graph.op_groups["part1"][0])
    with pytest.raises(buddy.InvalidArgumentError, match="twice"):
        GraphDriver(graph)
    graph = split(1)
    ops = graph.op_groups["part0"]
    graph.op_groups = {"even": ops[::2], "odd": ops[1::2]}
    with pytest.raises(buddy.InvalidArgumentError, match="each other"):
        GraphDriver(graph)


def test_one_group_each():
    graph = DynamoCompiler().importer(function, *inputs(1)[0])[0]
    graph.init_op_group()
    driver = GraphDriver(graph)
    assert len(driver.subgraphs) == 3 and "call @subgraph4" in str(driver.construct_main_graph())
