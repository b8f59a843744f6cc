# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""buddy's backend in Triton's server: configurations, numbers, batches, errors, and what loading leaves behind.

    BUDDY_BUILD=build PYTHONPATH=PACKAGES python -m pytest tests/serve

BUDDY_SERVE_CYCLES=1440 is a day of a load a minute.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import re
import threading
import urllib.request
from pathlib import Path

import models
import numpy as np
import pytest
import server
import torch
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http
from conftest import BACKENDS, PARAMETER
from tritonclient.utils import InferenceServerException, np_to_triton_dtype

CYCLES = int(os.environ.get("BUDDY_SERVE_CYCLES", "150"))
# Compiling anew takes seconds, and LLVM's heap some ten loads until it grows no more: by hand alone.
WAYS = ["cache", "library", "jit"] if CYCLES >= 1000 else ["cache", "library"]
torch.set_num_threads(1)
MODULES = {name: module.eval() for name, (module, _, _) in models.modules().items()}


def infer(client, kind, model: str, inputs: dict[str, np.ndarray], outputs: list[str] | None = None) -> dict[str, np.ndarray]:
    """All outputs, by name, or those that are asked for."""
    tensors = []
    for name, array in inputs.items():
        tensor = kind.InferInput(name, array.shape, np_to_triton_dtype(array.dtype))
        tensor.set_data_from_numpy(array)
        tensors.append(tensor)
    wanted = [kind.InferRequestedOutput(name) for name in outputs] if outputs else None
    result = client.infer(model, tensors, outputs=wanted)
    answer = result.get_response(as_json=True) if kind is triton_grpc else result.get_response()
    return {one["name"]: result.as_numpy(one["name"]) for one in answer["outputs"]}


def ask(served: server.Server, model: str, inputs: dict[str, np.ndarray], outputs: list[str] | None = None,
        kind=triton_http) -> dict[str, np.ndarray]:
    with kind.InferenceServerClient(served.http if kind is triton_http else served.grpc) as client:
        return infer(client, kind, model, inputs, outputs)


def eager(name: str, *inputs: np.ndarray) -> list[np.ndarray]:
    with torch.no_grad():
        result = MODULES[name](*(torch.from_numpy(one) for one in inputs))
    return [one.numpy() for one in (result if isinstance(result, tuple) else (result,)) if one is not None]


def config(served: server.Server, model: str) -> dict:
    return json.loads(served.get(f"/v2/models/{model}/config")[1])


def statistics(served: server.Server, model: str) -> dict:
    return json.loads(served.get(f"/v2/models/{model}/stats")[1])["model_stats"][0]


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


def dims(entries: list[dict]) -> list[tuple[str, str, list[int]]]:
    return [(one["name"], one["data_type"], one["dims"]) for one in entries]


# ---- Configurations


def test_a_configuration_is_made_of_the_archive(served: server.Server) -> None:
    made = config(served, "mlp")
    assert made["max_batch_size"] == 4, "the server's own default"
    assert "dynamic_batching" in made
    assert dims(made["input"]) == [("x", "TYPE_FP32", [16])]
    assert [one[1:] for one in dims(made["output"])] == [("TYPE_FP32", [8])]
    assert [(group["kind"], group["count"]) for group in made["instance_group"]] == [("KIND_CPU", 1)]
    words = config(served, "words")
    assert dims(words["input"]) == [("words", "TYPE_INT64", [-1]), ("weights", "TYPE_FP32", [-1])]
    assert [one[1:] for one in dims(words["output"])] == [("TYPE_FP32", [-1, 4]), ("TYPE_FP32", [1])]


def test_what_cannot_be_put_together_has_no_batch(served: server.Server) -> None:
    for name, first in {"fixed": 4, "counter": -1, "gram": -1, "chosen": -1}.items():
        made = config(served, name)
        assert made["max_batch_size"] == 0, name
        assert made["input"][0]["dims"] == [first, 16], name
        assert "dynamic_batching" not in made, name


def test_a_given_configuration_stays(served: server.Server) -> None:
    assert config(served, "numbered")["max_batch_size"] == 8
    assert config(served, "unbatched")["max_batch_size"] == 0
    assert config(served, "unbatched")["output"][0]["dims"] == [-1, 8]
    assert config(served, "many")["instance_group"][0]["count"] == 4


CONTRADICTIONS = {
    "type": ('input { name: "x" data_type: TYPE_FP64 dims: [ -1, 16 ] }', ["input x", "TYPE_FP64", "TYPE_FP32"]),
    "size": ('input { name: "x" data_type: TYPE_FP32 dims: [ -1, 15 ] }', ["input x", "[-1,15]", "[-1,16]"]),
    "rank": ('max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [ -1, 16 ] }',
             ["input x", "[-1,16]", "[16]", "after the batch"]),
    "name": ('input { name: "y" data_type: TYPE_FP32 dims: [ -1, 16 ] }', ["input y", "none of this name", "has x"]),
    "twice": ('input [{ name: "x" data_type: TYPE_FP32 dims: [ -1, 16 ] }, { name: "input_0" data_type: TYPE_FP32 '
              'dims: [ -1, 16 ] }]', ["input_0", "twice"]),
    "output": ('output { name: "logits" data_type: TYPE_FP32 dims: [ -1, 8 ] }', ["output logits", "none of this name"]),
    "batch": ("max_batch_size: 64", ["max_batch_size", "64", "up to 32"]),
    "ragged": ('max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [ 16 ] allow_ragged_batch: true }', ["ragged"]),
    "decoupled": ("model_transaction_policy { decoupled: true }", ["prefill and decode"]),
    "parameter": (PARAMETER.format("thread", "2"), ["'thread'", "threads"]),
    "threads": (PARAMETER.format("threads", "many"), ["threads", "'many'", "0 to 1024"]),
    "optimize": (PARAMETER.format("optimize", "9"), ["optimize", "0 to 3"]),
    "winograd": (PARAMETER.format("winograd", "maybe"), ["never, auto, always"]),
    "registries": (PARAMETER.format("registries", "nothing"), ["nothing"]),
    "program": (PARAMETER.format("program", "third"), ["third"]),
    "folder": ('default_model_filename: "../1/model.pt2"', ["no name of a file"]),
    "file": ('default_model_filename: "other.pt2"', ["no other.pt2"]),
    "gpu": ("instance_group { kind: KIND_GPU }", []),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_a_configuration_that_contradicts_is_told(served: server.Server, archives: Path, case: str) -> None:
    text, words = CONTRADICTIONS[case]
    server.write_model(served.repository, f"bad_{case}", archives / "mlp.pt2", text)
    status, answer = served.load(f"bad_{case}")
    assert status >= 400
    for word in words:
        assert word in json.loads(answer)["error"], answer
    assert served.is_alive()


def test_all_that_contradicts_is_one_message(served: server.Server, archives: Path) -> None:
    server.write_model(served.repository, "bad_all", archives / "words.pt2", """
        input [{ name: "words" data_type: TYPE_INT32 dims: [ -1, -1 ] }, { name: "weights" data_type: TYPE_FP32 dims: [ 7 ] }]
        output { name: "sums" data_type: TYPE_FP32 dims: [ -1 ] }""")
    error = json.loads(served.load("bad_all")[1])["error"]
    for word in ("TYPE_INT32", "input weights", "output sums"):
        assert word in error


def test_files_that_are_no_models_are_told(served: server.Server, archives: Path, tmp_path: Path) -> None:
    whole = (archives / "mlp.pt2").read_bytes()
    files = {"empty.pt2": b"", "cut.pt2": whole[:-100], "text.pt2": b"no archive", "text.so": b"no library",
             "elf.so": (BACKENDS / "buddy" / "libtriton_buddy.so").read_bytes()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        model = "bad_" + name.replace(".", "_")
        server.write_model(served.repository, model, tmp_path / name if name.endswith(".pt2") else None)
        if name.endswith(".so"):
            (served.repository / model / "1" / "model.so").write_bytes(content)
        status, answer = served.load(model)
        assert status >= 400 and "model." in answer, answer
    server.write_model(served.repository, "bad_complex", archives / "complex.pt2")
    assert "c64" in served.load("bad_complex")[1]
    server.write_model(served.repository, "bad_none", None)
    assert "no model.pt2" in served.load("bad_none")[1]
    (server.write_model(served.repository, "bad_both", archives / "mlp.pt2") / "1" / "model.so").write_bytes(b"")
    assert "both" in served.load("bad_both")[1]
    assert served.is_alive()


# ---- Numbers


@pytest.mark.parametrize("kind", [triton_http, triton_grpc])
@pytest.mark.parametrize("model", ["mlp", "ahead", "many", "warm", "numbered", "unbatched", "settled", "renamed"])
def test_numbers_are_those_of_eager(served: server.Server, model: str, kind) -> None:
    name = "input_0" if model == "numbered" else "x"
    for n in (1, 3, 4):
        x = random(n, 16, seed=n)
        (y,) = ask(served, model, {name: x}, kind=kind).values()
        np.testing.assert_allclose(y, eager("mlp", x)[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", [triton_http, triton_grpc])
def test_every_type(served: server.Server, kind) -> None:
    inputs = [one.numpy() for one in models.kinds_inputs()]
    names = [one["name"] for one in config(served, "kinds")["input"]]
    given = dict(zip(names, inputs, strict=True))
    given["scalar"] = given["scalar"].reshape(1)  # the server knows no tensor without dims
    outputs = ask(served, "kinds", given, kind=kind)
    assert len(outputs) == len(inputs)
    for entry, expected in zip(config(served, "kinds")["output"], eager("kinds", *inputs), strict=True):
        one = outputs[entry["name"]]
        assert one.dtype == expected.dtype
        np.testing.assert_array_equal(one.reshape(expected.shape), expected)


def test_models_without_a_batch(served: server.Server) -> None:
    x = random(5, 16)
    for name in ("gram", "chosen"):
        (y,) = ask(served, name, {"x": x}).values()
        np.testing.assert_allclose(y, eager(name, x)[0], rtol=1e-5, atol=1e-5)
    (y,) = ask(served, "second", {"x": x}).values()
    np.testing.assert_allclose(y, x @ x.T, rtol=1e-5, atol=1e-5)
    (y,) = ask(served, "chosen", {"x": -np.abs(x)}).values()
    assert y.shape == (0, 16)


def test_state_goes_from_run_to_run(served: server.Server) -> None:
    x = random(2, 16)
    first, second = (next(iter(ask(served, "counter", {"x": x}).values())) for _ in range(2))
    np.testing.assert_allclose(second - first, np.ones_like(x), rtol=1e-5, atol=1e-5)


def test_outputs_that_are_asked_for(served: server.Server) -> None:
    words, weights = np.array([[1, 2], [3, 4]]), random(2, 2)
    names = [one["name"] for one in config(served, "words")["output"]]
    for name, expected in zip(names, eager("words", words, weights), strict=True):
        answer = ask(served, "words", {"words": words, "weights": weights}, [name])
        assert list(answer) == [name]
        np.testing.assert_allclose(answer[name].reshape(expected.shape), expected, rtol=1e-5, atol=1e-5)


# ---- Batches


def hammer(served: server.Server, model: str, n_requests: int, n_clients: int) -> None:
    """Clients of both protocols at the same time, requests of one to three rows, each answer compared with eager."""
    inputs = [random(1 + seed % 3, 16, seed=seed) for seed in range(n_requests)]
    expected = [eager("mlp", one)[0] for one in inputs]
    counter, lock = iter(range(n_requests)), threading.Lock()

    def work(kind) -> int:
        done = 0
        with kind.InferenceServerClient(served.http if kind is triton_http else served.grpc) as client:
            while True:
                with lock:
                    i = next(counter, None)
                if i is None:
                    return done
                (y,) = infer(client, kind, model, {"x": inputs[i]}).values()
                np.testing.assert_allclose(y, expected[i], rtol=1e-5, atol=1e-5)
                done += 1

    with concurrent.futures.ThreadPoolExecutor(n_clients) as pool:
        done = list(pool.map(work, [triton_http, triton_grpc] * (n_clients // 2)))
    assert sum(done) == n_requests


@pytest.mark.parametrize("model", ["many", "ahead"])
def test_a_thousand_requests_of_sixteen_clients(served: server.Server, model: str) -> None:
    before = statistics(served, model)
    hammer(served, model, 1000, 16)
    after = statistics(served, model)
    assert after["inference_stats"]["success"]["count"] - before["inference_stats"]["success"]["count"] == 1000
    runs = after["execution_count"] - before["execution_count"]
    assert 0 < runs < 1000, "some requests were put together"
    assert after["inference_count"] - before["inference_count"] == sum(1 + seed % 3 for seed in range(1000))


def test_instances_share_one_model(served: server.Server) -> None:
    path = str(served.repository / "many" / "1" / "model.pt2")
    maps = Path(f"/proc/{served.process.pid}/maps").read_text().splitlines()
    assert sum(line.endswith(path) for line in maps) == 1, "four instances"


def test_the_fault_of_one_is_no_fault_of_others(served: server.Server) -> None:
    """Requests wait for one another, and one of them has an index that is out of range."""
    before = statistics(served, "patient")
    weights = np.ones((1, 3), np.float32)
    rows = [np.array([[i % 10, 1, 2]]) for i in range(12)]
    rows[5] = np.array([[3, 99, 2]])

    def work(i: int) -> dict[str, np.ndarray] | str:
        try:
            return ask(served, "patient", {"words": rows[i], "weights": weights}, kind=triton_grpc)
        except InferenceServerException as error:
            return str(error)

    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(work, range(12)))
    assert isinstance(answers[5], str) and "out of range" in answers[5], answers[5]
    for i in set(range(12)) - {5}:
        np.testing.assert_allclose(next(iter(answers[i].values())), eager("words", rows[i], weights)[0], rtol=1e-5, atol=1e-5)
    after = statistics(served, "patient")
    assert after["inference_stats"]["fail"]["count"] - before["inference_stats"]["fail"]["count"] == 1


def test_lengths_that_differ_do_not_mix(served: server.Server) -> None:
    names = [one["name"] for one in config(served, "patient")["output"]]
    rows = [(np.ones((1, 1 + i % 5), np.int64) * (i % 10), random(1, 1 + i % 5, seed=i)) for i in range(40)]

    def work(i: int) -> None:
        answer = ask(served, "patient", {"words": rows[i][0], "weights": rows[i][1]}, kind=triton_grpc)
        for name, expected in zip(names, eager("words", *rows[i]), strict=True):
            one = answer[name]
            np.testing.assert_allclose(one.reshape(expected.shape), expected, rtol=1e-5, atol=1e-5)

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(40)))


# ---- Errors are answers


def tensor(name: str = "x", shape: object = (1, 16), datatype: str = "FP32", data: object = None) -> dict:
    return {"name": name, "shape": shape, "datatype": datatype, "data": [0] * 16 if data is None else data}


BAD = {
    "wrong size": [tensor(shape=[1, 15], data=[0] * 15)],
    "wrong rank": [tensor(shape=[16])],
    "too many dims": [tensor(shape=[1, 1, 16])],
    "wrong type": [tensor(datatype="INT32")],
    "unknown type": [tensor(datatype="FP8")],
    "texts": [tensor(datatype="BYTES", data=["a"] * 16)],
    "no input": [],
    "another input": [tensor(name="y")],
    "twice": [tensor(), tensor()],
    "one more": [tensor(), tensor(name="z")],
    "too few data": [tensor(data=[0] * 15)],
    "too many data": [tensor(data=[0] * 17)],
    "negative": [tensor(shape=[-1, 16])],
    "nothing": [tensor(shape=[0, 16], data=[])],
    "huge": [tensor(shape=[2**62, 16])],
    "overflow": [tensor(shape=[2**60, 2**60])],
    "no number": [tensor(shape=["a", 16])],
    "beyond the batch": [tensor(shape=[5, 16], data=[0] * 80)],
    "null": None,
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_request_is_answered(served: server.Server, case: str) -> None:
    for model in ("mlp", "fixed", "unbatched", "ahead"):
        if (model, case) in {("unbatched", "beyond the batch"), ("unbatched", "nothing")}:
            continue  # those are good there
        status, answer = served.post(f"/v2/models/{model}/infer", {"inputs": BAD[case]})
        assert status >= 400 and "error" in json.loads(answer), (model, answer)
    assert served.is_alive()
    np.testing.assert_allclose(next(iter(ask(served, "mlp", {"x": random(1, 16)}).values())),
                               eager("mlp", random(1, 16))[0], rtol=1e-5, atol=1e-5)


def test_bodies_that_are_no_requests(served: server.Server) -> None:
    for body in (b"", b"{", b"[]", b"\0" * 1000, b'{"inputs": 3}', b'{"inputs": [{}]}', b"[" * 100000):
        assert served.post("/v2/models/mlp/infer", body)[0] >= 400
    assert served.is_alive()


def test_binary_data_of_another_size(served: server.Server) -> None:
    for n_bytes in (0, 1, 63, 65, 128):
        head = json.dumps({"inputs": [{"name": "x", "shape": [1, 16], "datatype": "FP32",
                                       "parameters": {"binary_data_size": n_bytes}}]}).encode()
        request = urllib.request.Request(f"http://{served.http}/v2/models/mlp/infer", data=head + b"\0" * n_bytes,
                                                method="POST", headers={"Inference-Header-Content-Length": str(len(head))})
        assert served.ask(request)[0] >= 400, n_bytes
    assert served.is_alive()


def test_what_the_archive_forbids_is_told(served: server.Server) -> None:
    """More rows than the archive takes, where the configuration lets them through; the sentence is buddy's."""
    status, answer = served.post("/v2/models/unbatched/infer", {"inputs": [tensor(shape=[33, 16], data=[0] * 33 * 16)]})
    assert status == 400 and "≤ 32" in json.loads(answer)["error"], answer
    words = {"inputs": [tensor("words", [1, 1], "INT64", [-11]), tensor("weights", [1, 1], data=[1])]}
    assert "out of range" in served.post("/v2/models/words/infer", words)[1]
    rows = {"inputs": [tensor("words", [1, 2], "INT64", [1, 2]), tensor("weights", [1, 1], data=[1])]}
    assert served.post("/v2/models/words/infer", rows)[0] >= 400


def test_an_output_that_is_not_there(served: server.Server) -> None:
    with pytest.raises(InferenceServerException):
        ask(served, "mlp", {"x": random(1, 16)}, ["logits"])


# ---- What the server tells, and what it keeps


def test_the_log_tells_who_took_the_nodes(served: server.Server) -> None:
    log = served.log()
    assert re.search(r"settled, version 1: 3 nodes: 3 linalg; batches of up to 4; threads: 1", log)
    assert re.search(r"gram, version 1: 2 nodes: .*; no batch", log)
    for name in ("mlp", "many", "warm"):  # one of them was compiled, the others' code comes from the cache
        assert re.search(rf"{name}, version 1: 3 nodes: ", log)
    assert re.search(r"ahead, version 1: compiled ahead of time; batches of up to 4", log)


def test_metrics_count_successes_and_failures(served: server.Server) -> None:
    metrics = served.get("/metrics", served.metrics)[1]
    for name in ("nv_inference_request_success", "nv_inference_exec_count", "nv_inference_compute_infer_duration_us"):
        values = re.findall(rf'^{name}{{model="many",version="1"}} (\S+)', metrics, re.MULTILINE)
        assert len(values) == 1 and float(values[0]) > 0, name


def cycle(running: server.Server, model: str, n: int, x: np.ndarray) -> None:
    for _ in range(n):
        assert running.load(model)[0] == 200
        (y,) = ask(running, model, {"x": x}).values()
        np.testing.assert_allclose(y, eager("mlp", x)[0], rtol=1e-5, atol=1e-5)
        running.unload(model)


@pytest.mark.parametrize("way", WAYS)
def test_loading_and_unloading_leaves_nothing(archives: Path, environment: dict[str, str], tmp_path: Path, way: str) -> None:
    n = CYCLES if way != "jit" else CYCLES // 5
    # The server keeps records; where code is compiled, LLVM's heap goes up and down by some 3 MiB (the page's limits).
    most = 6 << 20 if way == "jit" else (1 << 20) + n * 2048
    file = archives / ("ahead.so" if way == "library" else "mlp.pt2")
    server.write_model(tmp_path / "repository", "mlp", file, PARAMETER.format("no-cache", "true") if way == "jit" else "")
    x = random(2, 16)
    with server.Server(tmp_path / "repository", BACKENDS, tmp_path / "log", "--model-control-mode=explicit",
                       env=environment) as running:
        cycle(running, "mlp", n // 3, x)
        before = running.memory()
        cycle(running, "mlp", n, x)
        grown = running.memory() - before
        maps = Path(f"/proc/{running.process.pid}/maps").read_text()
    assert "/1/model.pt2" not in maps and "/1/model.so" not in maps
    print(f"{way}: {n} loads, {before >> 10} kB before, {grown >> 10} kB more after")
    assert grown < most, f"{grown} bytes more after {n} loads"
    assert running.status == 0
