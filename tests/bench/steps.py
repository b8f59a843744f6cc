# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one token costs with many behind it, beside what its bytes need: from an archive of prefill and decode, by kind of weights.

    BUDDY_PYTHON tests/bench/steps.py --build build [--kinds f32 bf16 f16 Q8_0 Q4_0 …] [--contenders buddy llama onnxruntime openvino]
                                      [--kv-heads 8] [--behind 2048] [--threads 1 2] [--steps 24] [--out build/steps] [--json FILE]

A LLaMA of transformers with random weights, as examples/generate/export.py writes it, with static caches; for the kinds that GGUF
names, the same archive with a file of such blocks (PyPI's gguf) as its weights. llama: PyPI's llama-cpp-python with the same file, and caches
of the type that the archive has. onnxruntime: ONNX Runtime GenAI (onnxruntime-genai) with what its builder writes; openvino: the pipeline of
OpenVINO GenAI (openvino-genai, openvino-tokenizers), whose paged caches keep what is behind. All have read the same prompt.

All steps are taken in turns, each contender's in a process of its own, which is stopped while others have theirs: threads that wait by
turning round would take the others' time. --prepare writes the files alone.

memory is no contender: `bandwidth` reads, in its turns, as many bytes of the file with the weights, mapped, on as many threads, in the way that
is fastest.

Told of each: least and median milliseconds of the clock, CPU time, bytes that have to be read (weights but the embedding, and the
caches up to the last token), GB/s of the least time; memory's time as a share of it, of the least and of the median; and how far the logits of a first
token are from buddy's, relative to their size.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import torch
from step_models import BLOCKS, KINDS, NAMES, Model

Step = Callable[[int], np.ndarray]  # a token that follows the prompt, to logits
FIRST = 5  # the first token's number
TOLERANCE = 1e-3  # llama.cpp rounds activations to 8 bits where weights are blocks, and is only told


def buddy(model: Model, threads: int, args: argparse.Namespace) -> Step:
    sys.path.insert(0, str(args.build.resolve() / "python"))
    import buddy

    weights = {"weights": model.gguf(), "weight_names": NAMES} if model.kind in BLOCKS else {}
    session = buddy.Session(buddy.load_programs(model.archive(), ["prefill", "decode"], threads=threads, **weights))
    session.step(torch.tensor([model.prompt()]), torch.arange(model.behind), model="prefill")
    ends = itertools.count(model.behind)
    return lambda token: session.step(torch.tensor([[token]]), torch.tensor([next(ends)]), model="decode").float().numpy()


def llama(model: Model, threads: int, args: argparse.Namespace) -> Step:
    import llama_cpp

    if model.kind == "bf16":
        raise RuntimeError("not asked: its caches would be of another type")
    kind = llama_cpp.GGML_TYPE_F16 if model.kind == "f16" else llama_cpp.GGML_TYPE_F32
    it = llama_cpp.Llama(str(model.gguf()), n_ctx=model.length, n_batch=512, n_threads=threads, n_threads_batch=2, type_k=kind, type_v=kind,
                         logits_all=False, verbose=False)  # fmt: skip
    it.eval(model.prompt())

    def step(token: int) -> np.ndarray:
        it.eval([token])
        return np.ctypeslib.as_array(it._ctx.get_logits(), (model.config.vocab_size,)).copy()

    return step


def onnxruntime(model: Model, threads: int, args: argparse.Namespace) -> Step:
    import onnxruntime_genai as genai

    if model.kind != "f32":
        raise RuntimeError("not asked: its builder writes float32 for processors, else blocks of its own")
    config = genai.Config(str(model.onnx().parent))
    options = {"intra_op_num_threads": threads, "inter_op_num_threads": 1}
    config.overlay(json.dumps({"model": {"decoder": {"session_options": options}}}))
    parameters = genai.GeneratorParams(loaded := genai.Model(config))
    parameters.set_search_options(max_length=model.length, batch_size=1)
    generator = genai.Generator(loaded, parameters)
    generator.append_tokens(np.array([model.prompt()], np.int32))

    def step(token: int) -> np.ndarray:
        generator.append_tokens(np.array([[token]], np.int32))
        return np.asarray(generator.get_logits())

    return step


def openvino(model: Model, threads: int, args: argparse.Namespace) -> Step:
    """Gives no logits but the token that is likeliest. What it has read stays, by blocks of 32 tokens."""
    import openvino
    import openvino_genai as genai

    if model.kind != "f32":
        raise RuntimeError("not asked: it would need a file of its own")
    config = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32"}
    pipeline = genai.LLMPipeline(str(model.openvino().parent), "CPU", ATTENTION_BACKEND="PA", **config)
    one = genai.GenerationConfig(max_new_tokens=1, ignore_eos=True, do_sample=False)
    return lambda token: np.array(pipeline.generate(openvino.Tensor(np.array([[*model.prompt(), token]])), one).tokens[0])


def memory(model: Model, threads: int, args: argparse.Namespace) -> Step:
    """No contender: reads as many bytes as a step has to, of the file with the weights, mapped; as often as it takes where that has less."""
    file, n_bytes = model.gguf() if model.kind in BLOCKS else model.archive(), model.bytes_of_step()
    command = [args.build / "bin" / "bandwidth", file, str(n_bytes), str(threads)]
    reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def step(token: int) -> np.ndarray:
        assert reader.stdin and reader.stdout
        reader.stdin.write("\n")
        return np.array([float(reader.stdout.readline())])

    return step


CONTENDERS = {make.__name__: make for make in (memory, buddy, llama, onnxruntime, openvino)}


def _serve(connection: Connection, name: str, kind: str, threads: int, args: argparse.Namespace) -> None:
    """In a process of its own: logits of a first step, or why there are none; then what each further token took, in milliseconds."""
    try:
        torch.set_grad_enabled(False)
        step = CONTENDERS[name](Model(kind, args), threads, args)
        connection.send(step(FIRST).reshape(-1))
    except Exception as error:  # whatever they raise is told, and the rest measured
        connection.send((str(error).splitlines() or [""])[0][:120])
        return
    while True:
        token = connection.recv()
        start, before = time.perf_counter(), time.process_time()
        step(token)
        connection.send((1e3 * (time.perf_counter() - start), 1e3 * (time.process_time() - before)))


class Contender:
    """A process that steps when it is asked, and is stopped otherwise."""

    def __init__(self, name: str, kind: str, threads: int, args: argparse.Namespace) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, name, kind, threads, args), daemon=True)
        self.process.start()
        theirs.close()
        self.name, self.times = name, []
        self.first = self.receive()

    def receive(self) -> Any:
        try:
            answer = self.connection.recv()
        except EOFError:
            self.process.join()
            raise RuntimeError(f"{self.name} ended with {self.process.exitcode}") from None
        os.kill(self.process.pid, signal.SIGSTOP)
        return answer

    def step(self, token: int) -> None:
        os.kill(self.process.pid, signal.SIGCONT)
        self.connection.send(token)
        self.times.append(self.receive())

    def error(self, expected: np.ndarray) -> float:
        """How far the first step's answer is from buddy's."""
        if self.first.shape == (1,):
            return float(self.first[0] != expected.argmax())
        return float(np.linalg.norm(self.first - expected) / np.linalg.norm(expected))

    def stop(self) -> None:
        self.process.kill()
        self.process.join()

    def numbers(self) -> dict[str, float]:
        clock, cpu = zip(*self.times[2:], strict=True)
        return {"least_ms": min(clock), "median_ms": statistics.median(clock), "cpu_ms": statistics.median(cpu)}


def run(kind: str, threads: int, args: argparse.Namespace) -> list[dict[str, Any]]:
    contenders: dict[str, Contender] = {}
    rows: list[dict[str, Any]] = []
    n_bytes = Model(kind, args).bytes_of_step()
    try:
        for name in ["memory", *args.contenders]:
            contender = Contender(name, kind, threads, args)
            if isinstance(contender.first, str):
                contender.stop()
                rows.append({"kind": kind, "threads": threads, "name": name, "missing": contender.first})
            else:
                contenders[name] = contender
        errors = {name: it.error(contenders["buddy"].first) for name, it in contenders.items() if name != "memory" and "buddy" in contenders}
        for name, error in errors.items():
            if not error < TOLERANCE and name != "llama":
                raise RuntimeError(f"{kind}: {name}'s logits differ from buddy's by {error:.1e} of their size")
        for i in range(args.steps + 2):
            for contender in contenders.values():
                contender.step(FIRST + i)
        bound = contenders["memory"].numbers()
        for name, contender in contenders.items():
            times = contender.numbers()
            rate = n_bytes / times["least_ms"] / 1e6
            rows.append({"kind": kind, "threads": threads, "name": name, **times, "mb": n_bytes / 1e6, "gb_per_s": rate,
                         "share": bound["least_ms"] / times["least_ms"], "median_share": bound["median_ms"] / times["median_ms"],
                         "tokens_per_s": 1e3 / times["least_ms"], "differs": errors.get(name, 0)})  # fmt: skip
    finally:
        for contender in contenders.values():
            contender.stop()
    return rows


COLUMNS = {"least_ms": 1, "median_ms": 1, "cpu_ms": 1, "mb": 1, "gb_per_s": 1, "share": 2, "median_share": 2, "tokens_per_s": 1}


def show(row: dict[str, Any]) -> None:
    head = f"{row['kind']:5} {row['threads']} {row['name']:12}"
    if "missing" in row:
        print(head, "none:", row["missing"])
        return
    numbers = [f"{row[key]:10.{digits}f}" for key, digits in COLUMNS.items()]
    print(head + "".join(numbers) + f"{row['differs']:10.1e}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="where files are kept; default: BUILD/steps")
    parser.add_argument("--json", type=Path, help="where to add the numbers, too")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--contenders", nargs="+", choices=[name for name in CONTENDERS if name != "memory"], default=["buddy"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    for name, number in (("kv-heads", 8), ("behind", 2048), ("steps", 24), ("width", 1024), ("layers", 12)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--prepare", action="store_true")
    args = parser.parse_args()
    args.out = args.out or args.build / "steps"
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_grad_enabled(False)
    results = []
    if not args.prepare:
        heads = ("least ms", "median", "CPU ms", "MB", "GB/s", "share", "of median", "tokens/s", "differs")
        print(f"{args.kv_heads} kv heads, {args.behind} behind" + "".join(f"{head:>10}" for head in heads))
    for kind in args.kinds:
        if args.prepare:
            Model(kind, args).prepare(args.contenders)
            continue
        for threads in args.threads:
            for row in run(kind, threads, args):
                results.append(row)
                show(row)
    print(f"load {os.getloadavg()[0]:.1f}")
    if args.json:
        with args.json.open("a") as file:
            file.writelines(json.dumps({"kv_heads": args.kv_heads, **row}) + "\n" for row in results)


if __name__ == "__main__":
    main()
