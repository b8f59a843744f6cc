# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Requests per second of 16 clients under Triton: buddy's backend beside its Python backend with PyTorch eager, and ONNX Runtime in a C loop.

    PYTHONPATH=PACKAGES python tests/bench/serving/throughput.py --build build [--models encoder resnet] [--requests 1000] [--rounds 3]

One server has both backends' models, with the same dynamic batching; requests are of one row, over gRPC, and every answer is compared
with PyTorch's. `instances`: buddy with as many instances of one thread as there are processors. ONNX Runtime has no server and no
clients: as many rows as there are requests, one at a time and eight at a time, on as many threads as there are processors. All run in
turns. PACKAGES: tests/serve/requirements.txt, installed; beside those onnx, onnxscript and onnxruntime.

On a loaded machine, start it by `chrt -r 5` (root): Triton's threads are nicer than those of its Python backend, and wait for every other
process.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import logging
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import torch
import tritonclient.grpc as triton

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "tests" / "serve")]

import bench_models  # noqa: E402
import server  # noqa: E402

CLIENTS, DISTINCT, ROWS, PROCESSORS = 16, 32, 16, os.cpu_count() or 1
BATCHING = f"max_batch_size: {ROWS} dynamic_batching {{ max_queue_delay_microseconds: 500 }}"
INSTANCES = f"""instance_group {{ count: {PROCESSORS} kind: KIND_CPU }} parameters {{ key: "threads" value {{ string_value: "1" }} }}"""
PORTS = 'input {{ name: "x" data_type: TYPE_FP32 dims: [ {0} ] }} output {{ name: "{1}" data_type: TYPE_FP32 dims: [ {2} ] }}'


# ---- What is served ----
def export(name: str, folder: Path) -> None:
    module = bench_models.make(name)
    x = torch.randn(2, *bench_models.SHAPES[name])
    batch = torch.export.Dim("batch", min=1, max=ROWS)
    torch.export.save(torch.export.export(module, (x,), dynamic_shapes={"x": {0: batch}}), folder / f"{name}.pt2")
    torch.onnx.export(module, (x,), dynamo=True, input_names=["x"], output_names=["y"], dynamic_shapes={"x": {0: batch}},
                      verbose=False).save(str(folder / f"{name}.onnx"))


def repository(names: list[str], folder: Path) -> Path:
    models = folder / "repository"
    for name in names:
        server.write_model(models, f"buddy_{name}", folder / f"{name}.pt2", BATCHING)
        server.write_model(models, f"instances_{name}", folder / f"{name}.pt2", f"{BATCHING} {INSTANCES}")
        eager = server.write_model(models, f"eager_{name}", None)
        shutil.copy(HERE / "eager.py", eager / "1" / "model.py")
        dims = ", ".join(map(str, bench_models.SHAPES[name]))
        parameters = "".join(f'parameters {{ key: "{key}" value {{ string_value: "{value}" }} }}\n' for key, value in (("model", name), ("threads", PROCESSORS)))
        (eager / "config.pbtxt").write_text(f'backend: "python"\n{BATCHING}\n{PORTS.format(dims, "y", bench_models.N_OUT[name])}\n{parameters}')
    return models


def backends(build: Path, folder: Path) -> Path:
    both, triton_server = folder / "backends", server.binary().parent.parent
    (both / "python").mkdir(parents=True)
    (both / "buddy").symlink_to(build / "lib" / "buddy" / "triton" / "buddy")
    stub = triton_server / "python_backend_stubs" / f"{sys.version_info[0]}.{sys.version_info[1]}" / "triton_python_backend_stub"
    for file in (stub, *(triton_server / "backends" / "python").glob("*.*")):
        (both / "python" / file.name).symlink_to(file)
    return both


# ---- Who asks ----
def statistics_of(running: server.Server, model: str) -> tuple[int, int]:
    found = json.loads(running.get(f"/v2/models/{model}/stats")[1])["model_stats"][0]
    return found["inference_count"], found["execution_count"]


def hammer(running: server.Server, model: str, inputs: list[np.ndarray], wanted: np.ndarray, n: int) -> tuple[float, float]:
    """Requests per second, and rows per run."""
    config = json.loads(running.get(f"/v2/models/{model}/config")[1])
    if "output" not in config:
        errors = [line for line in running.log().splitlines() if line.startswith("E")]
        sys.exit("\n".join([f"{model} is not served:", *errors]))
    output = config["output"][0]["name"]
    counter, lock, wrong = iter(range(n)), threading.Lock(), []
    before, gate = statistics_of(running, model), threading.Barrier(CLIENTS + 1)

    def work() -> None:
        with triton.InferenceServerClient(running.grpc) as client:
            tensors = []
            for x in inputs:
                tensors.append(triton.InferInput("x", x.shape, "FP32"))
                tensors[-1].set_data_from_numpy(x)
            gate.wait()
            while True:
                with lock:
                    i = next(counter, None)
                if i is None:
                    return
                got = client.infer(model, [tensors[i % DISTINCT]]).as_numpy(output)[0]
                if abs(got - wanted[i % DISTINCT]).max() > 1e-4 * abs(wanted).max():
                    wrong.append(i)

    crew = [threading.Thread(target=work) for _ in range(CLIENTS)]
    for thread in crew:
        thread.start()
    gate.wait()
    start = time.perf_counter()
    for thread in crew:
        thread.join()
    seconds = time.perf_counter() - start
    if wrong:
        sys.exit(f"{model}: {len(wrong)} of {n} answers are wrong")
    rows, runs = (after - b for after, b in zip(statistics_of(running, model), before, strict=True))
    return n / seconds, rows / runs


def loop(folder: Path, name: str, inputs: list[np.ndarray], wanted: np.ndarray, rows: int, n: int) -> float:
    """Rows per second of ONNX Runtime."""
    library = next((Path(importlib.util.find_spec("onnxruntime").origin).parent / "capi").glob("libonnxruntime.so.*"))
    np.concatenate(inputs[:rows]).tofile(folder / "in.bin")
    words = [folder / "ort_loop", library, folder / f"{name}.onnx", folder / "in.bin", folder / "out.bin", rows * wanted.shape[1], PROCESSORS, n // rows, rows,
             *bench_models.SHAPES[name]]
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    got = np.fromfile(folder / "out.bin", np.float32).reshape(rows, -1)
    if abs(got - wanted[:rows]).max() > 1e-4 * abs(wanted).max():
        sys.exit(f"{name}: ONNX Runtime's numbers are others")
    return n // rows * rows / float(done.stdout)


def measure(running: server.Server, name: str, folder: Path, args: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    rows = torch.randn(DISTINCT, *bench_models.SHAPES[name])
    with torch.inference_mode():
        wanted = bench_models.make(name)(rows).numpy()
    inputs = [row[None].numpy() for row in rows]
    speeds: dict[str, list[float]] = {}
    sizes: dict[str, float] = {}
    for k in range(args.rounds + 1):  # the first is not counted
        for who in ("buddy", "instances", "eager"):
            speed, sizes[who] = hammer(running, f"{who}_{name}", inputs, wanted, args.requests if k else 64)
            speeds.setdefault(who, []).append(speed)
        for n_rows in (1, 8):
            speeds.setdefault(f"ONNX Runtime by {n_rows}", []).append(loop(folder, name, inputs, wanted, n_rows, args.requests if k else 64))
    for who, found in speeds.items():
        ratios = {own: statistics.median(a / b for a, b in zip(speeds[own][1:], found[1:], strict=True)) for own in ("buddy", "instances")}
        print(f"{name:<8} {who:<20} {statistics.median(found[1:]):8.1f} a second ({min(found[1:]):.1f} to {max(found[1:]):.1f})  "
              f"buddy/this {ratios['buddy']:.2f}  instances/this {ratios['instances']:.2f}" + (f"  {sizes[who]:.1f} rows a run" if who in sizes else ""), flush=True)


def main() -> None:
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--models", nargs="+", default=list(bench_models.SHAPES), choices=list(bench_models.SHAPES))
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        subprocess.run(["cc", "-std=c17", "-O2", HERE / "ort_loop.c", "-o", folder / "ort_loop", "-ldl", "-lpthread"], check=True)
        for name in args.models:
            export(name, folder)
        server.Server.patience = 300.0  # PyTorch is imported there
        paths = ":".join([str(HERE), *(path for path in sys.path if path)])
        with server.Server(repository(args.models, folder), backends(args.build.resolve(), folder), folder / "log", env=os.environ | {"PYTHONPATH": paths}) as running:
            for name in args.models:
                measure(running, name, folder, args)


if __name__ == "__main__":
    main()
