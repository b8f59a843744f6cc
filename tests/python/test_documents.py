# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python of the two reference documents, letter by letter.

The blocks are kept here as text and executed as they are; only what they download is replaced, since there is no model
hub: BertModel.from_pretrained and BertTokenizer.from_pretrained give a small BERT and a tokenizer of the same classes.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import buddy
from buddy.compiler import dialects, ir
from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.graph import operation
from buddy.compiler.ops import tosa
from buddy.compiler.ops.utils import mlir_element_type_get

DEMO = '''
import torch
import torch._dynamo as dynamo
from torch._inductor.decomposition import decompositions as inductor_decomp

from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.ops import tosa

# Define the target function or model.
def foo(x, y):
    return x * y + x


# Define the input tensors
in1 = torch.randn(10)
in2 = torch.randn(10)

# Initialize the dynamo compiler.
dynamo_compiler = DynamoCompiler(
    primary_registry=tosa.ops_registry,
    aot_autograd_decomposition=inductor_decomp,
)

module, _ = dynamo_compiler.importer(foo, *(in1, in2))

print(module)
'''

MINIMAL = '''
import torch
from torch._inductor.decomposition import decompositions as inductor_decomp
from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.ops import tosa

def foo(x, y):
    return x * y + x

dynamo_compiler = DynamoCompiler(
    primary_registry=tosa.ops_registry,
    aot_autograd_decomposition=inductor_decomp,
)

graphs = dynamo_compiler.importer(foo, torch.randn(10), torch.randn(10))
graph = graphs[0]
graph.lower_to_top_level_ir()  # generate high-level MLIR (TOSA/Linalg/…)
print(graph._imported_module)
'''

BERT = '''
from transformers import BertModel, BertTokenizer
from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.ops import tosa
from torch._inductor.decomposition import decompositions as inductor_decomp

model = BertModel.from_pretrained("bert-base-uncased").eval()
dynamo_compiler = DynamoCompiler(
    primary_registry=tosa.ops_registry,
    aot_autograd_decomposition=inductor_decomp,
)

tokenizer = BertTokenizer.from_pretrained("bert-base-uncased")
encoded = tokenizer("Replace me by any text.", return_tensors="pt")
graphs = dynamo_compiler.importer(model, **encoded)

graph = graphs[0]
params = dynamo_compiler.imported_params[graph]
graph.lower_to_top_level_ir(do_params_pack=True)
print(graph._imported_module)
print(params)
'''

RUN = '''
runner = dynamo_compiler.dynamo_run()
out_tensors = runner(input_tensor_0, input_tensor_1)
'''

CLASS = '''
class MyNewOp(Op):
    def __init__(self) -> None:
        super().__init__()
        self._op_type = OpType.ElementwiseType  # or ReduceType/ReshapeType/...
'''

LOWERING = '''
def my_new_op(node: MyNewOp, symbol_table):
    # 1) Fetch inputs (or constants) from symbol_table
    input1 = symbol_table.get((str(node.args[0]), 0), node.args[0])
    # 2) Read output shape/dtype
    output_shape = list(node.tensor_meta["shape"])
    mlir_dtype = mlir_element_type_get(node.tensor_meta["dtype"])  # utils.py
    # 3) Build MLIR type and op
    tensor_type = ir.RankedTensorType.get(output_shape, mlir_dtype)
    op = tosa.SomeOp(tensor_type, input1, ...)
    return op

ops_registry = {
    # ...
    "MyNewOp": my_new_op,
}
'''

MAP = '''
self._ops_map = {
    # examples:
    "add.Tensor": AddOp,
    "addmm.default": AddMMOp,
    # new:
    "aten_symbol_name": MyNewOp,
}
'''

# TOSA 1.0: the shift of a product is an operand.
EXPECTED = """\
module {
  func.func @forward(%arg0: tensor<10xf32>, %arg1: tensor<10xf32>) -> tensor<10xf32> {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = tosa.mul %arg0, %arg1, %0 : (tensor<10xf32>, tensor<10xf32>, tensor<1xi8>) -> tensor<10xf32>
    %2 = tosa.add %1, %arg0 : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
    return %2 : tensor<10xf32>
  }
}
"""


def execute(text: str, names: dict | None = None) -> tuple[str, dict]:
    """Runs a block; gives what it prints, and its names. TorchDynamo wants a file to read the source from."""
    printed = io.StringIO()
    names = {"__name__": "document"} if names is None else names
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "<document>", "exec"), names)
    return printed.getvalue(), names


def test_demo_of_the_importer():
    assert execute(DEMO)[0] == EXPECTED


def test_minimal_import_and_running():
    printed, names = execute(MINIMAL)
    assert printed == EXPECTED
    names["input_tensor_0"], names["input_tensor_1"] = x, y = torch.randn(10), torch.randn(10)
    execute(RUN, names)
    assert isinstance(names["out_tensors"], list) and torch.equal(names["out_tensors"][0], x * y + x)


def three_steps(op: str, symbol: str) -> tuple[DynamoCompiler, dict]:
    """The guide's steps, with names for those that it leaves open."""
    names = {"Op": operation.Op, "OpType": operation.OpType, "ir": ir, "tosa": dialects.tosa, "AddOp": operation.AddOp,
             "AddMMOp": operation.AddMMOp, "mlir_element_type_get": mlir_element_type_get}  # fmt: skip
    execute(CLASS, names)
    execute(LOWERING.replace("SomeOp(tensor_type, input1, ...)", op), names)
    names["self"] = compiler = DynamoCompiler(primary_registry={**tosa.ops_registry, **names["ops_registry"]})
    execute(MAP.replace("aten_symbol_name", symbol), names)
    return compiler, names


def test_a_new_operator():
    compiler, names = three_steps("TanhOp(tensor_type, input1)", "sin.default")
    graph = compiler.importer(lambda x, y: torch.sin(x) + y, torch.randn(4), torch.randn(4))[0]
    assert [type(op).__name__ for op in graph.walk()] == ["MyNewOp", "AddOp"]
    for _ in range(3):
        x, y = torch.randn(4), torch.randn(4)
        assert torch.allclose(compiler.dynamo_run()(x, y)[0], torch.tanh(x) + y)
    compiler, names = three_steps("SomeOp(tensor_type, input1, ...)", "aten_symbol_name")  # as it stands
    assert compiler._ops_map["aten_symbol_name"] is names["MyNewOp"]
    with pytest.raises(buddy.NotFoundError, match="aten_symbol_name"):
        compiler.importer(torch.sin, torch.randn(4))


# Blocks that are no program of ours: what they say, what they are for, and what of this tree stands in their place.
NOT_OURS = (
    ("tools/mlir/python_packages/mlir_core", "where the bindings of MLIR lie: none are needed", None),
    ("from mlir.ir import Context, Module", "the bindings of MLIR are there: none are needed", None),
    ("-DMLIR_ENABLE_BINDINGS_PYTHON=ON", "builds LLVM with the bindings of MLIR: none are needed", None),
    ("Memref dialect", "a quotation about MLIR's dialects", None),
    ("build_python_wheels.sh", "makes a wheel", "sdk/python/make_wheel.sh"),
    ("python_packages/npcomp_torch", "uses the package of a build tree: PYTHONPATH=build/python", "sdk/python/CMakeLists.txt"),
    ("bash_helpers.sh", "aliases of a shell; here a completion of words", "sdk/cli/completion.c"),
    ("git submodule init", "fetches LLVM, and chooses a compiler: a package of the system is enough", "examples/packages.sh"),
    ("ninja check-frontends-pytorch", "builds with PyTorch, and tests", "tests/run.sh"),
    ("ninja check-npcomp", "configures, builds and tests", "tests/run.sh"),
    ("docker build", "makes a container of another project: packages are installed on the system itself", "examples/packages.sh"),
    ("docker run", "starts that container", None),
    ("target check-npcomp check-frontends-pytorch", "builds and tests in that container", "tests/run.sh"),
    ("npcomp_docker_", "starts, enters and ends that container", None),
    ("pip3 install iree-compiler-snapshot", "tests on IREE: run_models.py --config iree", "tests/models/run_models.py"),
    ("iree-build/bindings/python", "the same on one's own IREE: what PYTHONPATH finds is used", "sdk/python/buddy/backends/iree.py"),
    ("generate_serialized_tests.sh", "writes archives of models, which run_models.py runs", "tests/models/export.py"),
)


def blocks_of(folder: str) -> list[tuple[str, str]]:
    """All code blocks of the documents, with the name of the file."""
    pages = sorted(Path(folder).glob("*.md"))
    return [(page.name, block) for page in pages for block in re.findall(r"^```\w*\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)]


def signature_and_ops(module: str) -> list[str]:
    return [*re.findall(r"func.func @.*", module), *re.findall(r"= (tosa\.\w+)", module)]


def test_every_block_of_the_documents_is_here():
    """BUDDY_REFERENCE is the folder of the four documents. A block is one of those that run here, or the module that the
    first prints, or one of NOT_OURS, of which each is met."""
    folder = os.environ.get("BUDDY_REFERENCE")
    if not folder:
        pytest.skip("BUDDY_REFERENCE does not say where the documents are")
    run = {" ".join(globals()[name].split()): name for name in ("DEMO", "MINIMAL", "BERT", "RUN", "CLASS", "LOWERING", "MAP")}
    met, unknown = set(), []
    for page, block in blocks_of(folder):
        words = " ".join(block.split()).replace("input_tensor_1, ...)", "input_tensor_1)")
        others = [text for text, _, _ in NOT_OURS if text in block]
        if words in run:
            met.add(run[words])
        elif block.startswith("module {"):
            assert signature_and_ops(block) == signature_and_ops(EXPECTED)
            met.add("EXPECTED")
        elif others:
            met.add(others[-1])
        else:
            unknown.append(f"{page}: {block}")
    assert not unknown
    assert met == {*run.values(), "EXPECTED", *(text for text, _, _ in NOT_OURS)}


@pytest.mark.parametrize("path", [path for _, _, path in NOT_OURS if path])
def test_what_stands_in_the_place_of_other_blocks_exists(path):
    assert (Path(__file__).parents[2] / path).exists()


def test_bert(monkeypatch, tmp_path):
    transformers = pytest.importorskip("transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "replace", "me", "by", "any", "text", "."]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    tokenizer = transformers.BertTokenizer(str(tmp_path / "vocab.txt"))
    config = transformers.BertConfig(vocab_size=len(words), num_hidden_layers=2, hidden_size=64, num_attention_heads=4,
                                     intermediate_size=128)  # fmt: skip
    monkeypatch.setattr(transformers.BertModel, "from_pretrained", lambda name: transformers.BertModel(config))
    monkeypatch.setattr(transformers.BertTokenizer, "from_pretrained", lambda name: tokenizer)
    printed, names = execute(BERT)
    assert "func.func @forward(" in printed
    model, params = names["model"], names["params"]
    own = {tensor.data_ptr() for tensor in [*model.parameters(), *model.buffers()]}
    assert len(params) > 30 and all(tensor.data_ptr() in own for tensor in params)
    n_elements = sum(tensor.numel() for tensor in params if tensor.dtype == torch.float32)
    assert f"tensor<{n_elements}xf32>" in printed  # one pack of all
    ours = names["dynamo_compiler"].compiled()(**names["encoded"])
    with torch.no_grad():
        theirs = model(**names["encoded"])
    assert type(ours) is type(theirs)
    assert (ours[0] - theirs[0]).abs().max() < 2e-5


def test_coming_from_torchscript(tmp_path, monkeypatch):
    """The page's own blocks, in its order, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    page = Path(__file__).parents[2] / "sdk" / "docs" / "coming_from_torchscript.md"
    blocks = re.findall(r"```(python|sh)\n(.*?)```", page.read_text(), re.DOTALL)
    assert [kind for kind, _ in blocks] == ["python", "python", "sh"]
    for kind, text in blocks:
        if kind == "python":
            exec(text, {})
        else:
            for line in text.strip().splitlines():
                command = [sys.executable, "-m", *line.split()]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    for archive, sizes in (("model.pt2", (5, 8)), ("converted.pt2", (2, 8))):
        x = torch.randn(*sizes)
        want = torch.export.load(archive).module()(x)
        torch.testing.assert_close(buddy.load(archive)(x), want[0] if isinstance(want, tuple) else want)
