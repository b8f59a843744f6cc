# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows written in Python: the guide's three steps, priorities, declining, failing."""

import threading
import warnings

import pytest
import torch
from conftest import close

import buddy
from buddy.compiler import dialects, ir
from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.graph import operation
from buddy.compiler.graph.operation import Op, OpType
from buddy.compiler.ops import linalg, tosa
from buddy.compiler.ops.utils import mlir_element_attr_get, mlir_element_type_get


@pytest.fixture(autouse=True)
def clean():
    yield
    for registry in (tosa.ops_registry, linalg.ops_registry):
        registry.python.clear()


class MyNewOp(Op):
    def __init__(self) -> None:
        super().__init__()
        self._op_type = OpType.ElementwiseType  # or ReduceType/ReshapeType/...


def my_new_op(node: MyNewOp, symbol_table):
    # 1) Fetch inputs (or constants) from symbol_table
    input1 = symbol_table.get((str(node.args[0]), 0), node.args[0])
    # 2) Read output shape/dtype
    output_shape = list(node.tensor_meta["shape"])
    mlir_dtype = mlir_element_type_get(node.tensor_meta["dtype"])  # utils.py
    # 3) Build MLIR type and op
    tensor_type = ir.RankedTensorType.get(output_shape, mlir_dtype)
    op = dialects.tosa.TanhOp(tensor_type, input1)
    return op


def imported(function, *args, **options):
    compiler = DynamoCompiler(**options)
    return compiler, compiler.importer(function, *args)[0]


def test_the_guides_three_steps():
    tosa.ops_registry["MyNewOp"] = my_new_op
    compiler = DynamoCompiler(primary_registry=tosa.ops_registry)
    compiler._ops_map["sin.default"] = MyNewOp
    x = torch.randn(4)
    graph = compiler.importer(torch.sin, x)[0]
    assert "tosa.tanh" in str(graph) and "tosa.sin" not in str(graph)
    close(compiler.compiled()(x), torch.tanh(x))


def test_a_row_stands_in_front_of_its_own_registry_and_behind_those_before():
    linalg.ops_registry["aten.sin.default"] = my_new_op
    x = torch.randn(4)
    assert "tosa.tanh" not in str(imported(torch.sin, x, registries="tosa:*")[1])
    assert "tosa.tanh" in str(imported(torch.sin, x, registries="linalg:*")[1])
    assert "tosa.tanh" not in str(imported(torch.sin, x, registries="math:*")[1])
    assert "tosa.tanh" in str(imported(torch.sin, x, registries="math:*", pins=["aten.sin.default=linalg_python"])[1])
    del linalg.ops_registry["aten.sin.default"]
    assert "tosa.tanh" not in str(imported(torch.sin, x, registries="linalg:*")[1])


def test_declining_asks_the_next_row_and_is_explained():
    @tosa.ops_registry.lowering("aten.sin.default")
    def never(node, symbol_table):
        raise buddy.Declined("today is not the day")

    x = torch.randn(4)
    compiler, graph = imported(torch.sin, x, registries="tosa:*")
    with warnings.catch_warnings():
        warnings.simplefilter("error", buddy.LoweringWarning)  # it has said so itself
        assert "tosa.sin" in str(graph)
    tries = graph.decisions[0].tries
    assert (tries[0].registry, tries[0].reason) == ("tosa_python", "today is not the day")
    assert tries[-1].registry == "tosa" and tries[-1].code == "OK"


@pytest.mark.parametrize("mistake, message", [
    (lambda node, table: undefined_name, "NameError"),  # noqa: F821
    (lambda node, table: None, "has 1 results"),
    (lambda node, table: dialects.tosa.NoSuchOp(node.args[0].type, table[(str(node.args[0]), 0)]), "tosa.no_such"),
    (lambda node, table: dialects.tosa.TanhOp(ir.Type.parse("tensor<"), table[(str(node.args[0]), 0)]), "no type of MLIR"),
    (lambda node, table: my_new_op(node, {}), "operand"),
])  # fmt: skip
def test_a_wrong_lowering_is_an_error_that_says_so(mistake, message):
    tosa.ops_registry["aten.sin.default"] = mistake
    with pytest.raises(buddy.BuddyError, match=message):
        str(imported(torch.sin, torch.randn(4), registries="tosa:*")[1])


def test_ir_that_does_not_verify_is_undone_and_the_next_row_asked():
    @tosa.ops_registry.lowering("aten.sin.default")
    def wrong_shape(node, symbol_table):
        return dialects.tosa.TanhOp(ir.Type.parse("tensor<9xf32>"), symbol_table[(str(node.args[0]), 0)])

    _, graph = imported(torch.sin, torch.randn(4), registries="tosa:*")
    with pytest.warns(buddy.LoweringWarning, match="sin .*tosa took it: .*9xf32"):
        assert "tosa.sin" in str(graph) and "9xf32" not in str(graph)
    first = graph.decisions[0].tries[0]
    assert first.code == "VERIFY_FAILED" and "9xf32" in first.reason


def test_arguments_that_are_not_read_are_not_dropped():
    @tosa.ops_registry.lowering("aten.add.Tensor")
    def forgets_alpha(node, symbol_table):
        a, b = (symbol_table[(str(node.args[i]), 0)] for i in (0, 1))
        return dialects.tosa.AddOp(node.args[0].type, a, b)

    x, y = torch.randn(3), torch.randn(3)
    compiler, graph = imported(lambda x, y: torch.add(x, y, alpha=3), x, y, registries="tosa:*")
    with pytest.warns(buddy.LoweringWarning, match="add .*not used, .* took it: "):
        close(compiler.compiled()(x, y), torch.add(x, y, alpha=3))
    compiler, graph = imported(torch.add, x, y, registries="tosa:*")
    assert graph.module and graph.decisions[0].tries[-1].registry == "tosa_python"


def test_what_outlives_its_call_is_refused():
    kept = []

    @tosa.ops_registry.lowering("aten.sin.default")
    def keeps(node, symbol_table):
        kept.append((node, symbol_table, my_new_op(node, symbol_table)))
        return kept[-1][2]

    str(imported(torch.sin, torch.randn(4), registries="tosa:*")[1])
    node, table, op = kept[0]
    with pytest.raises(RuntimeError, match="over"):
        len(node.args)
    with pytest.raises(RuntimeError, match="inside a lowering"):
        dialects.tosa.TanhOp(op.result.type, op)


def test_custom_op():
    library = torch.library.Library("buddy_test", "DEF")
    library.define("swish(Tensor x, float beta=1.0) -> Tensor")
    library.impl("swish", lambda x, beta=1.0: x * torch.sigmoid(beta * x), "CompositeExplicitAutograd")
    torch.library.register_fake("buddy_test::swish", lambda x, beta=1.0: torch.empty_like(x), lib=library)

    @linalg.ops_registry.expansion("buddy_test.swish.default")
    def swish(node, graph):
        x, beta = node.args
        scaled = graph.node("aten.mul.Scalar", self=x, other=beta)
        return graph.node("aten.mul.Tensor", self=x, other=graph.node("aten.sigmoid.default", self=scaled))

    x = torch.randn(5, 3)
    compiler, graph = imported(lambda x: torch.ops.buddy_test.swish(x, 2.0) + 1, x)
    assert next(graph.walk()).target == "buddy_test.swish.default"
    close(compiler.compiled()(x), x * torch.sigmoid(2 * x) + 1)


def test_several_results_and_symbolic_shapes():
    @linalg.ops_registry.lowering("aten.aminmax.default", arguments=["self", "dim", "keepdim"])
    def not_mine(node, symbol_table):
        raise buddy.Declined("no")

    @linalg.ops_registry.lowering("aten.sin.default")
    def symbolic(node, symbol_table):
        assert node.tensor_meta["shape"][0] < 0
        x = symbol_table[(str(node.args[0]), 0)]
        return dialects.math.SinOp(node.args[0].type, x)

    class Sin(torch.nn.Module):
        def forward(self, x):
            return torch.sin(x)

    compiler = DynamoCompiler(registries="linalg:*")
    compiler.importer_by_export(Sin(), torch.randn(4, 2), dynamic_shapes={"x": {0: torch.export.Dim("n", max=9)}})
    for n in (2, 5):
        x = torch.randn(n, 2)
        close(compiler.compiled()(x), torch.sin(x))


def test_lowering_on_several_threads():
    tosa.ops_registry["aten.sin.default"] = my_new_op
    compilers = [DynamoCompiler(registries="tosa:*") for _ in range(4)]
    graphs = [compiler.importer_by_export(Sine(), torch.randn(4))[0] for compiler in compilers]
    texts = [None] * 4
    threads = [threading.Thread(target=lambda i=i: texts.__setitem__(i, str(graphs[i]))) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("tosa.tanh" in text for text in texts)


class Sine(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x)


def test_a_dictionary_of_ones_own_is_a_primary_registry():
    x = torch.randn(4)
    compiler = DynamoCompiler(primary_registry={"MyNewOp": my_new_op})
    compiler._ops_map["sin.default"] = MyNewOp
    assert "tosa.tanh" in str(compiler.importer(lambda x: torch.sin(x) + x, x)[0])


def test_rows_in_c_stay():
    with pytest.raises(KeyError, match="row in C"):
        del tosa.ops_registry["aten.sin.default"]
    with pytest.raises(ValueError):
        tosa.ops_registry["aten.sin.default"] = 3
    with pytest.raises(buddy.NotFoundError, match="no op"):
        tosa.ops_registry["aten.no_such_op.default"] = my_new_op
        imported(torch.sin, torch.randn(4))


# ---- By the names of classes ----


def subtracts(node, symbol_table):
    a, b = (symbol_table.get((str(node.args[i]), 0), node.args[i]) for i in (0, 1))
    return dialects.tosa.SubOp(node.args[0].type, a, b)


def test_a_class_that_is_there_already_is_lowered_otherwise():
    assert "AddOp" in tosa.ops_registry and {row.op for row in tosa.ops_registry["AddOp"]} == {"aten.add.Tensor"}
    for registry in (tosa.ops_registry, {**tosa.ops_registry, "AddOp": subtracts}):
        if registry is tosa.ops_registry:
            registry["AddOp"] = subtracts
        for _ in range(3):
            x, y = torch.randn(4), torch.randn(4)
            compiler, graph = imported(lambda x, y: torch.sin(x + y), x, y, primary_registry=registry)
            close(compiler.compiled()(x, y), torch.sin(x - y))
            assert graph.decisions[0].taken_by in ("tosa_python", "primary")
        tosa.ops_registry.python.clear()


def test_a_class_that_is_there_already_for_another_op():
    library = torch.library.Library("buddy_reuse", "DEF")
    library.define("myadd(Tensor x, Tensor y) -> Tensor")
    library.impl("myadd", lambda x, y: x + y, "CompositeExplicitAutograd")
    torch.library.register_fake("buddy_reuse::myadd", lambda x, y: torch.empty_like(x), lib=library)
    for op_class in (DynamoCompiler()._ops_map["add.Tensor"], operation.AddOp):
        compiler = DynamoCompiler()
        compiler._ops_map["buddy_reuse.myadd.default"] = op_class
        x, y = torch.randn(4), torch.randn(4)
        graph = compiler.importer(lambda x, y: torch.ops.buddy_reuse.myadd(x, y) * 2, x, y)[0]
        assert type(next(graph.walk())) is operation.AddOp
        for _ in range(3):
            x, y = torch.randn(4), torch.randn(4)
            close(compiler.compiled()(x, y), (x + y) * 2)


def test_the_map_has_the_originals_keys_and_names():
    classes = DynamoCompiler()._ops_map
    expected = {"mm.default": "MatmulOp", "bmm.default": "BatchMatmulOp", "addmm.default": "AddMMOp",
                "convolution.default": "Conv2dOp", "eq.Tensor": "EqTensorOp", "eq.Scalar": "EqualOp", "output": "OutputOp",
                "convert_element_type.default": "ConvertElementTypeOp", "sum.dim_IntList": "SumDimOp", "iota.default": "IotaOp",
                "exponential_.default": "ExponentialOp", "max_pool2d_with_indices.default": "MaxPool2dWithIndicesOp"}
    assert {key: classes[key].__name__ for key in expected} == expected
    assert all(getattr(operation, name) is classes[key] for key, name in expected.items())
    with pytest.raises(KeyError):
        classes["no_such_op.default"]


def test_a_lowering_that_belongs_to_no_op_is_told_of():
    tosa.ops_registry["NobodysOp"] = my_new_op
    with pytest.warns(buddy.LoweringWarning, match="no op is of that class"):
        imported(torch.sin, torch.randn(4))


def test_element_attributes():
    assert str(mlir_element_attr_get(torch.float32, 1)) == "0x3F800000 : f32"
    assert str(mlir_element_attr_get(torch.int64, 7)) == "7 : i64" and str(mlir_element_attr_get(torch.bool, True)) == "1 : i1"
