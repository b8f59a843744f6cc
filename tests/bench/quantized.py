# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ResNet-18 at 224 in eight bits, one thread: buddy beside ONNX Runtime and OpenVINO, each also in float32.

    python tests/bench/quantized.py --build build [--peers PYTHON] [--rounds 3]

Needs torch; the peers' Python needs onnxruntime, openvino, onnx and torch. buddy runs the model as PT2E's convert leaves it
(tests/models/quantized.py); the peers run what onnxruntime's static quantization makes of the same layers: bytes by
channel, unsigned activations, QDQ. Prints milliseconds of CPU a run, median of the rounds, so that others on the machine
count little. The peers choose their instructions themselves: OpenVINO takes AMX where there is one, as buddy does.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/models"))
RUNS = 40


def make_buddy(folder: Path) -> None:
    import numpy as np
    import torch
    from quantized import quantize
    from zoo import MODELS

    module, (x,) = MODELS["resnet18"].build()[:2]
    np.save(folder / "x.npy", x.numpy())
    torch.export.save(torch.export.export(module, (x,)), folder / "f32.pt2")
    torch.export.save(torch.export.export(quantize(module, x).module, (x,)), folder / "int8.pt2")


def make_peers(folder: Path) -> None:
    import numpy as np
    import torch
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from zoo import MODELS

    class Once(CalibrationDataReader):
        def __init__(self, x: np.ndarray) -> None:
            self.inputs = iter([{"x": x}])

        def get_next(self) -> dict | None:
            return next(self.inputs, None)

    module, (x,) = MODELS["resnet18"].build()[:2]
    torch.onnx.export(module, (x,), str(folder / "f32.onnx"), dynamo=False, input_names=["x"], opset_version=17)
    quantize_static(folder / "f32.onnx", folder / "int8.onnx", Once(x.numpy()), quant_format=QuantFormat.QDQ, per_channel=True,
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)


def load_onnxruntime(path: Path) -> Callable:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"x": x})


def load_openvino(path: Path) -> Callable:
    import openvino

    options = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    request = openvino.Core().compile_model(path, "CPU", options).create_infer_request()
    return lambda x: request.infer({0: x})


def run_peers(folder: Path) -> None:
    """Prints {name: milliseconds} of one round."""
    import numpy as np

    times = {}
    x = np.load(folder / "x.npy")
    for name, load in (("ONNX Runtime", load_onnxruntime), ("OpenVINO", load_openvino)):
        for kind in ("int8", "f32"):
            infer = load(folder / f"{kind}.onnx")
            for _ in range(5):
                infer(x)
            start = time.process_time()
            for _ in range(RUNS):
                infer(x)
            times[f"{name} {kind}"] = (time.process_time() - start) / RUNS * 1e3
    print(json.dumps(times))


def cpu_of(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_buddy(build: Path, folder: Path) -> dict[str, float]:
    times = {}
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    for kind in ("int8", "f32"):
        def cpu(n: int, kind: str = kind) -> float:
            return cpu_of([str(build / "bin/buddy"), "run", str(folder / f"{kind}.pt2"), "--threads", "1", "--input",
                           str(folder / "x.npy"), "--repeat", str(n)], environment)

        cpu(1)  # compiles; the code is kept
        times[f"buddy {kind}"] = (cpu(RUNS + 5) - cpu(5)) / RUNS * 1e3
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--peers", type=Path, help="a Python with onnxruntime, openvino, onnx and torch")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--in-peers", choices=("make", "run"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.in_peers:
        (make_peers if args.in_peers == "make" else run_peers)(args.folder)
        return
    with tempfile.TemporaryDirectory() as name:
        folder, rounds = Path(name), []
        peers = [str(args.peers), __file__, "--folder", name, "--in-peers"]
        make_buddy(folder)
        if args.peers:
            subprocess.run([*peers, "make"], check=True, capture_output=True)
        for _ in range(args.rounds):
            rounds.append(run_buddy(args.build, folder))
            if args.peers:
                out = subprocess.run([*peers, "run"], check=True, capture_output=True, text=True).stdout
                rounds[-1] |= json.loads(out.splitlines()[-1])
        print(f"load {os.getloadavg()[0]:.1f}; CPU ms a run, one thread")
        for key in rounds[0]:
            print(f"{key:20} {statistics.median(r[key] for r in rounds):7.2f}")


if __name__ == "__main__":
    main()
