# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of torch.export on IREE: imported by buddy, compiled and run by IREE.

    from buddy.backends import iree
    run = iree.compile(torch.export.export(model, args))     # or "model.pt2"
    results = run(*args)

Needs iree-base-compiler and iree-base-runtime, 3.13. The whole road is here, as an example for other compilers: the
archive, `buddy import --for iree`, iree-compile, and calls with NumPy arrays.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import torch
from torch.export.graph_signature import ConstantArgument, OutputKind
from torch.utils import _pytree as pytree

from buddy._paths import command
from buddy.errors import InvalidArgumentError, NotFoundError, UnsupportedError

try:
    import iree.compiler  # type: ignore[import-untyped]
    import iree.runtime  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError(f"buddy.backends.iree needs IREE ({error}): pip install iree-base-compiler iree-base-runtime") from error


class Program:
    """A compiled program, called as the model is."""

    def __init__(self, exported: torch.export.ExportedProgram, binary: bytes) -> None:
        signature = exported.run_decompositions({}).graph_signature  # where writing in place is a result of its own
        kept = [spec for spec in signature.output_specs if spec.kind != OutputKind.USER_OUTPUT]
        if kept:
            raise UnsupportedError(f"the program writes to {kept[0].target}: IREE's module would keep what it writes to itself",
                                   "UNSUPPORTED")  # fmt: skip
        self._outputs = [spec.arg for spec in signature.output_specs]
        self._in_spec, self._out_spec = exported.call_spec.in_spec, exported.call_spec.out_spec
        system = iree.runtime.SystemContext(config=iree.runtime.Config("local-sync"))
        system.add_vm_module(iree.runtime.VmModule.copy_buffer(system.instance, binary))
        self._module = system.modules.module

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values, spec = pytree.tree_flatten((args, kwargs))
        if spec != self._in_spec:
            raise InvalidArgumentError(f"the inputs nest as {spec}; the program takes {self._in_spec}", "INVALID_ARGUMENT")
        results = self._module.forward(*[_array(value) for value in values if isinstance(value, torch.Tensor)])
        results = iter(results if isinstance(results, (list, tuple)) else [results])
        outputs = [out.value if isinstance(out, ConstantArgument) else torch.from_numpy(next(results).to_host().copy())
                   for out in self._outputs]  # fmt: skip
        return pytree.tree_unflatten(outputs, self._out_spec)


def _array(tensor: torch.Tensor) -> Any:
    if tensor.dtype == torch.bfloat16:
        raise UnsupportedError("an input of bfloat16: NumPy, by which IREE is called, has no such dtype", "UNSUPPORTED")
    return tensor.detach().cpu().numpy()


def module_of(archive: str | os.PathLike[str], registries: str | None = None) -> str:
    """What `buddy import --for iree` writes of an archive: MLIR in generic form, the parameters inside."""
    program = command()
    if program is None:
        raise NotFoundError("the buddy command is not part of this installation", "NOT_FOUND")
    order = ["--registries", registries] if registries else []
    done = subprocess.run([program, "import", os.fspath(archive), "--for", "iree", "--params", "resource", *order],
                          capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode != 0:
        raise UnsupportedError(done.stderr.strip().removeprefix("buddy: error: "), "UNSUPPORTED")
    return done.stdout


def compile(program: torch.export.ExportedProgram | str | os.PathLike[str], *, registries: str | None = None,
            target_cpu: str = "generic", extra_args: tuple[str, ...] = ()) -> Program:  # fmt: skip
    """A program of torch.export, or an archive of one, as IREE's code for this machine's CPU.

    ``registries``: the order of registries, "tosa:*" by default. ``target_cpu``: as iree-compile has it; "host" for all that
    this CPU can. ``extra_args``: further options of iree-compile.
    """
    with tempfile.TemporaryDirectory() as place:
        archive = Path(place) / "model.pt2"
        if isinstance(program, torch.export.ExportedProgram):
            torch.export.save(program, archive)
        else:
            archive, program = Path(program), torch.export.load(program)
        text = module_of(archive, registries)
    try:
        binary = iree.compiler.compile_str(text, target_backends=["llvm-cpu"],
                                           extra_args=[f"--iree-llvmcpu-target-cpu={target_cpu}", *extra_args])  # fmt: skip
    except iree.compiler.CompilerToolError as error:
        raise UnsupportedError(f"IREE does not compile it: {error}", "UNSUPPORTED") from error
    return Program(program, binary)
