# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emitted modules with other tools: MLIR's Python bindings of iree-base-compiler read them, IREE runs them.

In generic form, which MLIR keeps readable over its versions; the pretty form of an op may change from one to the next, as
tosa.clamp's has between ours and IREE's.
"""

import pytest
import torch
from conftest import close

from buddy.compiler.frontend import DynamoCompiler

compiler = pytest.importorskip("iree.compiler", reason="pip install iree-base-compiler iree-base-runtime")
runtime = pytest.importorskip("iree.runtime")


class Tosa(torch.nn.Module):
    def forward(self, x, y):
        return torch.tanh(x * y + x).clamp(min=-0.5), x.transpose(0, 1).contiguous()


class Linalg(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 5)

    def forward(self, x, y):
        return torch.softmax(self.linear(x) @ y, dim=-1)


CASES = {
    "tosa": ("tosa:*", Tosa, ((4, 6), (4, 6))),
    "linalg": ("linalg:*", Linalg, ((4, 8), (5, 3))),
}


@pytest.mark.parametrize("name", CASES)
def test_iree_reads_compiles_and_runs(name):
    order, make, shapes = CASES[name]
    model, inputs = make().eval(), [torch.randn(shape) for shape in shapes]
    ours = DynamoCompiler(registries=order)
    graph = ours.importer_by_export(model, *inputs)[0]
    text = graph.lower_to_top_level_ir().text(generic=True)
    from iree.compiler.ir import Context, Module

    with Context() as context:
        context.allow_unregistered_dialects = False
        assert "forward" in str(Module.parse(text).operation)
    binary = compiler.compile_str(text, input_type="auto", target_backends=["llvm-cpu"],
                                  extra_args=["--iree-llvmcpu-target-cpu=generic"])  # fmt: skip
    config = runtime.Config("local-sync")
    system = runtime.SystemContext(config=config)
    system.add_vm_module(runtime.VmModule.copy_buffer(system.instance, binary))
    arguments = [tensor.detach().numpy() for tensor in [*graph.tensors, *inputs]]
    results = system.modules.module.forward(*arguments)
    results = results if isinstance(results, (list, tuple)) else [results]
    with torch.no_grad():
        expected = torch.utils._pytree.tree_leaves(model(*inputs))
    close([torch.tensor(result.to_host()) for result in results], expected, 1e-5)
    close(torch.utils._pytree.tree_leaves(ours.compiled()(*inputs)), expected, 1e-5)
