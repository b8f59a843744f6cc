# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who is measured: each loads an artifact of the same model, and runs it on the same arrays.

A contender is used in a process of its own (worker.py). Its libraries are imported by `start`, so that a process pays
only for what it measures. All compute in float32: OpenVINO, which takes bfloat16 by itself where the CPU has it, is
told so.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

Arrays = list[Any]  # numpy arrays, in the order of the model's flattened inputs and outputs

ROOT = Path(__file__).resolve().parent.parent.parent.parent


class Contender:
    """What worker.py times, in this order: start, read, compile, run."""

    artifact = ".pt2"
    packages: tuple[str, ...] = ()  # what has to be installed beside the artifact, for its size on disk
    role = "peer"  # or "buddy", or "floor": no run can be faster

    def __init__(self, stem: Path, threads: int, options: dict[str, Any]) -> None:
        self.path = stem.with_name(stem.name + self.artifact)
        self.threads = threads
        self.options = options

    def start(self) -> None:
        """Imports the library."""

    def read(self) -> None:
        """Reads the artifact."""

    def compile(self, inputs: Arrays) -> None:
        """Makes ready to run; `inputs` are those of the runs to come."""

    def run(self) -> Any:
        """One inference; what comes out is in the library's own form."""

    def arrays(self, results: Any) -> Arrays:
        """The outputs of `run` as numpy arrays."""
        raise NotImplementedError


class Eager(Contender):
    packages = ("torch",)

    def start(self) -> None:
        import torch

        self.torch = torch
        torch.set_num_threads(self.threads)
        torch.set_grad_enabled(False)

    def read(self) -> None:
        program = self.torch.export.load(self.path)
        self.is_dynamic = bool(program.range_constraints)
        self.call = program.module()

    def compile(self, inputs: Arrays) -> None:
        self.args = [self.torch.from_numpy(array) for array in inputs]

    def run(self) -> Any:
        return self.call(*self.args)

    def arrays(self, results: Any) -> Arrays:
        return [tensor.numpy() for tensor in results]


class Inductor(Eager):
    mode: str | None = None
    freezing = False

    def compile(self, inputs: Arrays) -> None:
        super().compile(inputs)
        from torch._inductor import config

        config.freezing = self.freezing
        self.call = self.torch.compile(self.call, mode=self.mode, dynamic=self.is_dynamic or None)
        self.run()  # compiles at the first call
        self.run()  # frozen graphs settle their layouts at the second


class InductorTuned(Inductor):
    mode = "max-autotune"
    freezing = True


class OpenVino(Contender):
    artifact = ".xml"
    packages = ("openvino",)

    def start(self) -> None:
        import openvino

        self.openvino = openvino
        self.core = openvino.Core()

    def read(self) -> None:
        self.model = self.core.read_model(self.path)

    def compile(self, inputs: Arrays) -> None:
        config = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": self.threads,
            "INFERENCE_PRECISION_HINT": "f32",
        }
        if "cache" in self.options:
            config["CACHE_DIR"] = self.options["cache"]
        self.inputs = inputs  # the request borrows them
        self.request = self.core.compile_model(self.model, "CPU", config).create_infer_request()
        for k, array in enumerate(inputs):
            self.request.set_input_tensor(k, self.openvino.Tensor(array, shared_memory=True))

    def run(self) -> Any:
        self.request.infer()

    def arrays(self, results: Any) -> Arrays:
        return [self.request.get_output_tensor(k).data.copy() for k in range(len(self.model.outputs))]


class OnnxRuntime(Contender):
    artifact = ".onnx"
    packages = ("onnxruntime",)

    def start(self) -> None:
        import onnxruntime

        self.onnxruntime = onnxruntime

    def compile(self, inputs: Arrays) -> None:
        # Reading and compiling are one call here.
        options = self.onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        self.session = self.onnxruntime.InferenceSession(self.path, options, providers=["CPUExecutionProvider"])
        self.feed = {node.name: array for node, array in zip(self.session.get_inputs(), inputs, strict=True)}

    def run(self) -> Any:
        return self.session.run(None, self.feed)

    def arrays(self, results: Any) -> Arrays:
        return results


class Buddy(Contender):
    """The C library through ctypes: neither PyTorch nor the Python package."""

    role = "buddy"
    order = "tosa:*"

    def start(self) -> None:
        sys.path.insert(0, str(ROOT / "tests"))
        import capi

        self.capi = capi
        self.library = capi.Library(Path(self.options["build"]))

    def compile(self, inputs: Arrays) -> None:
        # Reading and compiling are one call here.
        self.model = self.capi.Model(self.library, self.path, self.order, use_cache=True)
        self.inputs = [
            self.capi.Memory(a, a.ctypes.data, a.dtype.name, a.shape, self.capi.dense_strides(a.shape)) for a in inputs
        ]

    def run(self) -> Any:
        self.model.run(self.inputs).release()

    def arrays(self, results: Any) -> Arrays:
        import numpy

        arrays = []
        results = self.model.run(self.inputs)
        for tensor in results.tensors:
            shape = tensor.sizes[: tensor.rank]
            array = numpy.empty(shape, self.capi.NAMES[tensor.dtype])
            ctypes.memmove(array.ctypes.data, tensor.bytes, array.nbytes)
            arrays.append(array)
        results.release()
        return arrays


class BuddyGenerated(Buddy):
    order = "tosa:linalg:math:func:composite"


class BuddyVendor(Buddy):
    order = "vendor:tosa:*"


class Reading(Eager):
    """Reads as much memory as the model's weights take, once: what a run of a batch of one is bound by."""

    role = "floor"

    def read(self) -> None:
        self.weights = self.torch.ones(self.path.stat().st_size // 4)

    def compile(self, inputs: Arrays) -> None:
        pass

    def run(self) -> Any:
        return self.weights.sum()


CONTENDERS: dict[str, type[Contender]] = {
    "eager": Eager,
    "inductor": Inductor,
    "inductor-tuned": InductorTuned,
    "openvino": OpenVino,
    "onnxruntime": OnnxRuntime,
    "buddy": Buddy,
    "buddy-generated": BuddyGenerated,
    "buddy-vendor": BuddyVendor,
    "reading": Reading,
}
ANCHOR = "eager"  # every latency is measured beside it


def environment(threads: int, caches: Path) -> dict[str, str]:
    """The environment of a measured process: so many threads, and nothing kept outside `caches`."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("BUDDY_", "TORCH", "MALLOC_"))}
    number = str(threads)
    return kept | {
        "OMP_NUM_THREADS": number,
        "MKL_NUM_THREADS": number,
        "BUDDY_THREADS": number,
        "HOME": str(caches),
        "XDG_CACHE_HOME": str(caches / "cache"),
        "TORCHINDUCTOR_CACHE_DIR": str(caches / "inductor"),
        "TMPDIR": str(caches / "tmp"),
    }
