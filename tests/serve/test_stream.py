# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoupled models in Triton's server: tokens that come one by one, conversations that join and leave, and bad requests.

No client cancels its stream: where one does over gRPC, the server of nvidia-pytriton 0.7 (2.51) keeps the model when it is unloaded, or
ends by a signal in its own front end, now and then.
"""

from __future__ import annotations

import json
import queue
import threading
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import models
import numpy as np
import pytest
import server
import tritonclient.grpc as grpc
from tritonclient.utils import InferenceServerException, np_to_triton_dtype

TYPES = {"temperature": np.float32, "top_p": np.float32}
TALKER = models.talker()


class Stream:
    """Answers of one connection, by request, as they come."""

    def __init__(self, served: server.Server, model: str = "talker", output: str = "token") -> None:
        self.model, self.output, self.answers = model, output, queue.Queue()
        self.client = grpc.InferenceServerClient(served.grpc)
        self.client.start_stream(lambda result, error: self.answers.put((result, error)))

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.stop_stream()
        self.client.close()

    def ask(self, name: str, input_ids: list[int] | np.ndarray, **options: Any) -> None:
        tensors = []
        for key, value in {"input_ids": input_ids, **options}.items():
            array = value if isinstance(value, np.ndarray) else np.array(value if isinstance(value, list) else [value],
                                                                         TYPES.get(key, np.int64))  # fmt: skip
            tensor = grpc.InferInput(key, array.shape, np_to_triton_dtype(array.dtype))
            tensor.set_data_from_numpy(array)
            tensors.append(tensor)
        self.client.async_stream_infer(self.model, tensors, request_id=name, enable_empty_final_response=True)

    def read(self) -> Iterator[tuple[str, int | None, bool]]:
        """Request, token or none, and whether it was the last."""
        while True:
            result, error = self.answers.get(timeout=60)
            if error is not None:
                raise error
            response = result.get_response()
            token = result.as_numpy(self.output)
            yield response.id, None if token is None else int(token[0]), response.parameters["triton_final_response"].bool_param

    def tokens(self, *names: str) -> dict[str, list[int]]:
        """All of these requests, which have been asked."""
        got: dict[str, list[int]] = {name: [] for name in names}
        left = set(names)
        for name, token, is_last in self.read():
            if token is not None:
                got[name].append(token)
            if is_last:
                left.remove(name)
            if not left:
                return got
        raise AssertionError


def generate(served: server.Server, input_ids: list[int], model: str = "talker", output: str = "token", **options: Any) -> list[int]:
    with Stream(served, model, output) as stream:
        stream.ask("one", input_ids, **options)
        return stream.tokens("one")["one"]


def test_the_configuration_is_made(served: server.Server) -> None:
    config = json.loads(served.get("/v2/models/talker/config")[1])
    assert [(one["name"], one["dims"], one.get("optional", False)) for one in config["input"]] == [
        ("input_ids", ["-1"], False) if isinstance(config["input"][0]["dims"][0], str) else ("input_ids", [-1], False),
        ("max_tokens", [1], True), ("stop_ids", [-1], True), ("temperature", [1], True), ("top_k", [1], True),
        ("top_p", [1], True), ("seed", [1], True)]  # fmt: skip
    assert [(one["name"], one["data_type"]) for one in config["output"]] == [("token", "TYPE_INT64")]
    assert config["max_batch_size"] == 0
    assert "talker, version 1" in served.log() and "up to 16 conversations" in served.log()


@pytest.mark.parametrize("prompt", [[3], [3, 5], [1, 2, 3, 4, 5, 6, 7], list(range(20))])
def test_tokens_are_those_of_eager(served: server.Server, prompt: list[int]) -> None:
    assert generate(served, prompt, max_tokens=12) == TALKER.tokens(prompt, 12)
    assert generate(served, prompt, "narrow", "output_0", max_tokens=5) == TALKER.tokens(prompt, 5)


def test_how_many_tokens(served: server.Server) -> None:
    wanted = TALKER.tokens([7, 8], 32)
    assert generate(served, [7, 8]) == wanted
    assert generate(served, [7, 8], max_tokens=0) == []
    assert generate(served, [7, 8], max_tokens=1) == wanted[:1]
    stop = next(token for token in wanted if token != wanted[0])
    assert generate(served, [7, 8], stop_ids=[stop, 23]) == wanted[: min(wanted.index(one) for one in (stop, 23) if one in wanted) + 1]
    assert generate(served, [7, 8], stop_ids=np.empty(0, np.int64), max_tokens=3) == wanted[:3]


def test_conversations_join_and_leave(served: server.Server) -> None:
    prompts = {f"r{i}": [i % 24, (5 * i) % 24, (7 * i) % 24][: 1 + i % 3] for i in range(30)}
    lengths = {name: 1 + 7 * i % 30 for i, name in enumerate(prompts)}
    for model, output in (("talker", "token"), ("narrow", "output_0")):
        with Stream(served, model, output) as stream:
            for i, (name, prompt) in enumerate(prompts.items()):
                stream.ask(name, prompt, max_tokens=lengths[name])
                time.sleep(0.002 * (i % 3))
            got = stream.tokens(*prompts)
        assert got == {name: TALKER.tokens(prompt, lengths[name]) for name, prompt in prompts.items()}


def test_clients_do_not_mix(served: server.Server) -> None:
    wrong = []

    def talk(i: int) -> None:
        for k in range(5):
            prompt = [(i + k) % 24, i % 24]
            if generate(served, prompt, max_tokens=9) != TALKER.tokens(prompt, 9):
                wrong.append(prompt)

    threads = [threading.Thread(target=talk, args=(i,)) for i in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong


def test_tokens_are_drawn(served: server.Server) -> None:
    drawn = {"temperature": 5.0, "max_tokens": 20}
    first = generate(served, [1, 2], seed=7, **drawn)
    assert generate(served, [1, 2], seed=7, **drawn) == first
    assert generate(served, [1, 2], seed=8, **drawn) != first
    assert generate(served, [1, 2], **drawn) != generate(served, [1, 2], **drawn)
    assert generate(served, [1, 2], top_k=1, seed=7, **drawn) == TALKER.tokens([1, 2], 20)
    assert generate(served, [1, 2], top_p=0.0, seed=7, **drawn) == TALKER.tokens([1, 2], 20)


BAD = {
    "no token": ({"input_ids": np.empty(0, np.int64)}, "no token to begin with"),
    "another type": ({"input_ids": np.zeros(3, np.int32)}, "INT64"),
    "a matrix": ({"input_ids": np.zeros((1, 3), np.int64)}, "shape"),
    "an id that is none": ({"input_ids": [99]}, "talker"),
    "a negative id": ({"input_ids": [1, 2, -50]}, "talker"),
    "too long a prompt": ({"input_ids": [1] * 60}, "talker"),
    "the cache ends": ({"input_ids": [1, 2], "max_tokens": 50}, "talker"),
    "negative tokens": ({"input_ids": [1], "max_tokens": -1}, "max_tokens: one number from 0"),
    "a hot temperature": ({"input_ids": [1], "temperature": float("inf")}, "temperature: one number"),
    "a temperature that is none": ({"input_ids": [1], "temperature": float("nan")}, "temperature: one number"),
    "two seeds": ({"input_ids": [1], "seed": [1, 2]}, "shape"),
    "top_p above 1": ({"input_ids": [1], "top_p": 1.5}, "top_p: one number from 0 to 1"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_request_is_answered(served: server.Server, case: str) -> None:
    inputs, words = BAD[case]
    with Stream(served) as stream:
        stream.ask("good", [4, 5], max_tokens=30)
        with Stream(served) as other:
            other.ask("bad", **inputs)
            with pytest.raises(InferenceServerException, match=words):
                other.tokens("bad")
        assert stream.tokens("good")["good"] == TALKER.tokens([4, 5], 30)


def test_over_http(served: server.Server) -> None:
    body = json.dumps({"input_ids": [3, 5], "max_tokens": 6}).encode()
    request = urllib.request.Request(f"http://{served.http}/v2/models/talker/generate_stream", data=body, method="POST",
                                     headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        lines = [line for line in answer.read().decode().splitlines() if line.startswith("data:")]
    tokens = [json.loads(line[5:]).get("token") for line in lines]
    assert [token for token in tokens if token is not None] == TALKER.tokens([3, 5], 6)


def test_unloading_ends_nothing(served: server.Server) -> None:
    with Stream(served, "narrow", "output_0") as stream:
        stream.ask("one", [2, 9], max_tokens=38)
        first = next(stream.read())[1]
        served.post("/v2/repository/models/narrow/unload", {})
        assert [first, *stream.tokens("one")["one"]] == TALKER.tokens([2, 9], 38)
    served.unload("narrow")  # the server keeps it while a connection with streams of it is open
    assert served.load("narrow")[0] == 200
    assert generate(served, [2, 9], "narrow", "output_0", max_tokens=3) == TALKER.tokens([2, 9], 3)
