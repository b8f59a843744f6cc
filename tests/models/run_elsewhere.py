# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives exported models to others than buddy's own compiler: these have to take what `buddy import` writes.

    python tests/models/run_elsewhere.py --config CONFIG --buddy PATH --models DIR [--only NAME…] [--llvm BIN]

  iree  `import --for iree`, iree-compile, the local CPU; results compared with PyTorch's. Needs iree-base-compiler and
        iree-base-runtime.
  mlir  MLIR's own passes down to LLVM in mlir-opt, run by mlir-runner; results compared with PyTorch's, as far as they are
        printed.
  tosa  the order tosa:composite:func, which has to give TOSA alone, and mlir-opt's tosa-validate: of TOSA 1.0 where no
        64-bit integers are in it, else of 1.1.draft with these; results of buddy's own compiler compared with PyTorch's.

DIR is what export.py wrote; archives of one size are taken, with each of their calls. Prints a line per archive and last
`N passed, N failed`; the exit status is 1 if any failed. What a configuration needs and is not installed is told, and
nothing is run.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from compare import compare

LIMIT = 600  # seconds for one step
# From tensors to LLVM with MLIR's passes alone, in the order of its own documentation.
TO_LLVM = """builtin.module(inline, func.func(tosa-to-linalg-named), canonicalize,
  func.func(tosa-to-linalg, tosa-to-arith, tosa-to-tensor, tosa-to-scf), canonicalize, convert-tensor-to-linalg,
  convert-elementwise-to-linalg, linalg-fuse-elementwise-ops, linalg-generalize-named-ops, empty-tensor-to-alloc-tensor,
  one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},
  convert-linalg-to-loops, convert-scf-to-cf, expand-strided-metadata, lower-affine, convert-math-to-llvm, convert-math-to-libm,
  convert-to-llvm, finalize-memref-to-llvm, convert-func-to-llvm, reconcile-unrealized-casts)"""
PRINTED = 1e-4  # mlir-runner prints six digits


@dataclass(frozen=True)
class Tools:
    buddy: Path
    llvm: Path

    def call(self, *command: object) -> str:
        """What the command prints; raises what it says where it fails."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=LIMIT, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"{command[0]} ended with {done.returncode}")
        return done.stdout

    def imported(self, archive: Path, *options: str) -> str:
        return self.call(self.buddy, "import", archive, *options)


def inputs_of(folder: Path, call: dict) -> list[np.ndarray]:
    return [np.load(folder / value["file"]) for value in call["inputs"] if "file" in value]


def problems_of(results: list[np.ndarray], folder: Path, call: dict, tolerance: float | None) -> list[str]:
    expected = [value for value in call["outputs"] if "file" in value]
    if len(results) != len(expected):
        return [f"{len(results)} results, {len(expected)} expected"]
    outcomes = [compare(np.load(folder / value["file"]), result, dtype=value["dtype"], tolerance=tolerance)
                for result, value in zip(results, expected)]  # fmt: skip
    return [outcome.problem for outcome in outcomes if outcome.problem]


# ---- IREE ----
def on_iree(tools: Tools, archive: Path, folder: Path, size: dict, tolerance: float | None) -> list[str]:
    import iree.compiler as compiler
    import iree.runtime as runtime

    text = tools.imported(archive, "--for", "iree", "--params", "resource")
    binary = compiler.compile_str(text, target_backends=["llvm-cpu"], extra_args=["--iree-llvmcpu-target-cpu=generic"])
    found = []
    for call in [size, *size["further"]]:
        system = runtime.SystemContext(config=runtime.Config("local-sync"))
        system.add_vm_module(runtime.VmModule.copy_buffer(system.instance, binary))
        results = system.modules.module.forward(*inputs_of(folder, call))
        results = results if isinstance(results, (list, tuple)) else [results]
        found += problems_of([result.to_host() for result in results], folder, call, tolerance)
    return found


# ---- mlir-opt and mlir-runner ----
ELEMENTS = {"float32": "f32", "float64": "f64", "int64": "i64", "int32": "i32", "bool": "i1"}
PRINTERS = {"f32": ("printMemrefF32", np.float32), "f64": ("printMemrefF64", np.float64),
            "i64": ("printMemrefI64", np.int64), "i32": ("printMemrefI32", np.int32)}  # fmt: skip


def tensor_type(array: np.ndarray) -> str:
    return f"tensor<{''.join(f'{n}x' for n in array.shape)}{ELEMENTS[array.dtype.name]}>"


def dense(array: np.ndarray) -> str:
    if array.dtype == bool:
        return f"dense<{json.dumps(array.tolist())}>" if array.size else "dense<>"
    return f'dense<"0x{np.ascontiguousarray(array).tobytes().hex().upper()}">'


def with_main(text: str, inputs: list[np.ndarray]) -> tuple[str, list[str]]:
    """The module with a @main that calls @forward on the inputs and prints each result; the results' element types."""
    header = re.search(r"func\.func @forward\((.*?)\)(?: -> (.*?))? \{\n", text)
    assert header and header[2]
    results = re.findall(r"tensor<[^>]*>", header[2])
    elements = [re.split("x", result[7:-1])[-1] for result in results]
    lines = [f"    %i{k} = arith.constant {dense(array)} : {tensor_type(array)}" for k, array in enumerate(inputs)]
    names = ", ".join(f"%i{k}" for k in range(len(inputs)))
    types = ", ".join(tensor_type(array) for array in inputs)
    many = f":{len(results)}" if len(results) > 1 else ""
    lines.append(f"    %r{many} = call @forward({names}) : ({types}) -> ({', '.join(results)})")
    for k, (result, element) in enumerate(zip(results, elements)):
        name = f"%r#{k}" if many else "%r"
        lines += [f"    %u{k} = tensor.cast {name} : {result} to tensor<*x{element}>",
                  f"    call @{PRINTERS[element][0]}(%u{k}) : (tensor<*x{element}>) -> ()"]  # fmt: skip
    printers = [f"  func.func private @{PRINTERS[element][0]}(tensor<*x{element}>) attributes {{llvm.emit_c_interface}}"
                for element in dict.fromkeys(elements)]  # fmt: skip
    main = "\n".join([*printers, "  func.func @main() {", *lines, "    return", "  }"])
    before, line, after = text.partition("  func.func @forward(")
    return f"{before}{main}\n{line}{after}", elements


def printed_numbers(output: str, elements: list[str]) -> list[np.ndarray]:
    """The arrays that the printers of MLIR's runner library wrote."""
    arrays = []
    for part, element in zip(output.split("Unranked Memref")[1:], elements):
        sizes = [int(n) for n in re.search(r"sizes = \[(.*?)\]", part)[1].split(",") if n.strip()]  # type: ignore[index]
        numbers = re.findall(r"-?(?:nan|inf|[0-9][0-9.e+-]*)", part.partition("data =")[2])
        arrays.append(np.array([float(n) for n in numbers]).astype(PRINTERS[element][1]).reshape(sizes))
    return arrays


def on_mlir(tools: Tools, archive: Path, folder: Path, size: dict, tolerance: float | None) -> list[str]:
    library = tools.llvm.parent / "lib"
    text, found = tools.imported(archive, "--params", "resource"), []
    with tempfile.TemporaryDirectory() as place:
        for call in [size, *size["further"]]:
            module, lowered = Path(place) / "model.mlir", Path(place) / "lowered.mlir"
            whole, elements = with_main(text, inputs_of(folder, call))
            module.write_text(whole)
            tools.call(tools.llvm / "mlir-opt", module, f"--pass-pipeline={TO_LLVM}", "-o", lowered)
            output = tools.call(tools.llvm / "mlir-runner", lowered, "-e", "main", "-entry-point-result=void",
                                f"-shared-libs={library}/libmlir_runner_utils.so,{library}/libmlir_c_runner_utils.so")
            found += problems_of(printed_numbers(output, elements), folder, call, PRINTED)
    return found


# ---- TOSA alone ----
def is_tosa(tools: Tools, archive: Path, folder: Path, size: dict, tolerance: float | None) -> list[str]:
    order = ("--registries", "tosa:composite:func")
    text, found = tools.imported(archive, *order), []
    others = sorted(set(re.findall(r"^ *(?:%[^=]* = )?\"?((?!tosa|func|module)[a-z_]+\.[a-z_.]+)", text, re.MULTILINE)))
    if others:
        return [f"not TOSA: {', '.join(others)}"]
    version = "1.1.draft" if re.search(r"[x<]i64>", text) else "1.0"
    target = f"specification_version={version} profiles=pro_int,pro_fp extensions=bf16" + (",int64" if version != "1.0" else "")
    with tempfile.TemporaryDirectory() as place:
        module = Path(place) / "model.mlir"
        module.write_text(text)
        tools.call(tools.llvm / "mlir-opt", module, f"--tosa-attach-target={target}",
                   "--tosa-validate=strict-op-spec-alignment", "-o", "/dev/null")
        for call in [size, *size["further"]]:
            files = [word for value in call["inputs"] if "file" in value for word in ("--input", folder / value["file"])]
            tools.call(tools.buddy, "run", archive, *order, *files, "--output-dir", place)
            outputs = [k for k, value in enumerate(call["outputs"]) if "file" in value]
            results = [np.load(Path(place) / f"output_{k}.npy") for k in outputs]
            found += problems_of(results, folder, call, tolerance)
    return found


Check = Callable[[Tools, Path, Path, dict, "float | None"], list[str]]
CONFIGS: dict[str, Check] = {"iree": on_iree, "mlir": on_mlir, "tosa": is_tosa}


def is_missing(config: str, tools: Tools) -> str:
    if config == "iree":
        packages = [name for name in ("iree.compiler", "iree.runtime")
                    if importlib.util.find_spec("iree") is None or importlib.util.find_spec(name) is None]  # fmt: skip
        return f"{' and '.join(packages)} cannot be imported: pip install iree-base-compiler iree-base-runtime" if packages else ""
    programs = ["mlir-opt", *(["mlir-runner"] if config == "mlir" else [])]
    absent = [name for name in programs if not (tools.llvm / name).exists()]
    return f"{' and '.join(absent)} not in {tools.llvm}: Debian has them in mlir-22-tools" if absent else ""


def outcome(config: str, tools: Tools, models: Path, entry: dict) -> list[str]:
    try:
        return CONFIGS[config](tools, models / entry["archive"], models / entry["folder"], entry["sizes"][0], entry["tolerance"])
    except Exception as error:  # noqa: BLE001: whatever another compiler throws is its answer
        return [f"{type(error).__name__}: {error}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", choices=list(CONFIGS), required=True)
    parser.add_argument("--buddy", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="NAME")
    parser.add_argument("--llvm", type=Path, default=Path("/usr/lib/llvm-22/bin"), metavar="BIN")
    args = parser.parse_args()
    tools = Tools(args.buddy, args.llvm)
    missing = is_missing(args.config, tools)
    if missing:
        print(f"SKIPPED: {missing}")
        return 0
    passed = failed = 0
    index = json.loads((args.models / "index.json").read_text())
    for name, entry in sorted(index["archives"].items()):
        if len(entry["sizes"]) != 1 or not any(fnmatch.fnmatch(name, glob) for glob in args.only):
            continue
        problems = outcome(args.config, tools, args.models, entry)
        print(f"{'failed' if problems else 'passed':8} {name:40} {args.config}  {'; '.join(problems)[:400]}", flush=True)
        passed, failed = passed + (not problems), failed + bool(problems)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
