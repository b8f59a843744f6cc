# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one token costs with many behind it, beside what its bytes need: from an archive of prefill and decode, by kind of weights.

    BUDDY_PYTHON tests/bench/steps.py --build build [--kinds f32 bf16 f16 Q8_0 Q4_0 Q4_K Q6_K] [--contenders buddy llama onnxruntime openvino]
                                      [--kv-heads 8] [--behind 2048] [--threads 1 2] [--steps 24] [--out build/steps] [--json FILE]

A LLaMA of transformers with random weights, as examples/generate/export.py writes it, with static caches; for the kinds that GGUF
names, the same archive with a file of such blocks (PyPI's gguf) as its weights. llama: PyPI's llama-cpp-python with the same file, and caches
of the type that the archive has. onnxruntime: what onnxruntime-genai's builder writes, its caches
bound as it binds them; openvino: the decode with states, which OpenVINO GenAI runs.
All steps are taken in turns. Caches hold random numbers, except llama's, which are of a prompt. --prepare writes the files alone;
--check compares a few tokens' logits.

Told of each: least and median milliseconds of the clock, CPU time, bytes that have to be read (weights but the embedding, and the
caches up to the last token), GB/s of the least time, and its share of what `bandwidth` reads on as many threads directly before: of the
archive, mapped, as weights are, and at best.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from step_models import BLOCKS, KINDS, Model

Step = Callable[[int], torch.Tensor]
TOLERANCE = 1e-3


def buddy(model: Model, threads: int, args: argparse.Namespace) -> Step:
    sys.path.insert(0, str(args.build.resolve() / "python"))
    import buddy

    weights = {"weights": model.gguf(), "weight_names": model.names()} if model.kind in BLOCKS else {}
    session = buddy.Session(buddy.load_programs(model.archive(), ["decode"], threads=threads, **weights))
    for name in session.states:
        session[name] = model.state(name, session[name])
    ends = itertools.count(model.behind)
    return lambda token: session.step(torch.tensor([[token]]), torch.tensor([next(ends)]), model="decode")


def llama(model: Model, threads: int, args: argparse.Namespace) -> Step:
    import llama_cpp
    import numpy as np

    if model.kind == "bf16":
        raise RuntimeError("not asked: its caches would be of another type")
    kind = llama_cpp.GGML_TYPE_F16 if model.kind == "f16" else llama_cpp.GGML_TYPE_F32
    it = llama_cpp.Llama(str(model.gguf()), n_ctx=model.length, n_batch=512, n_threads=threads, n_threads_batch=2, type_k=kind, type_v=kind,
                         logits_all=False, verbose=False)  # fmt: skip
    it.eval(model.prompt())

    def step(token: int) -> torch.Tensor:
        it.n_tokens = model.behind
        it._ctx.kv_cache_seq_rm(-1, model.behind, -1)
        it.eval([token])
        return torch.from_numpy(np.ctypeslib.as_array(it._ctx.get_logits(), (model.config.vocab_size,)).copy())

    return step


def onnxruntime(model: Model, threads: int, args: argparse.Namespace) -> Step:
    import numpy as np
    import onnxruntime

    if model.kind != "f32":
        raise RuntimeError("not asked: its builder writes float32 for processors, else blocks of its own")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(str(model.onnx()), options, providers=["CPUExecutionProvider"])
    binding, of = session.io_binding(), onnxruntime.OrtValue.ortvalue_from_numpy
    for i in range(2 * model.config.num_hidden_layers):
        cache, name = of(model.cache(i).numpy()), f"{i // 2}.{'value' if i % 2 else 'key'}"
        binding.bind_ortvalue_input(f"past_key_values.{name}", cache)
        binding.bind_ortvalue_output(f"present.{name}", cache)  # the same memory, as its generator has it
    ends = itertools.count(model.behind)

    def step(token: int) -> torch.Tensor:
        binding.bind_ortvalue_input("input_ids", of(np.array([[token]])))
        binding.bind_ortvalue_input("attention_mask", of(np.ones((1, next(ends) + 1), np.int64)))
        binding.bind_output("logits")
        session.run_with_iobinding(binding)
        return torch.from_numpy(binding.get_outputs()[-1].numpy())

    return step


def openvino(model: Model, threads: int, args: argparse.Namespace) -> Step:
    import numpy as np
    import openvino

    if model.kind != "f32":
        raise RuntimeError("not asked: it would need a file of its own")
    config = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32"}
    request = openvino.Core().compile_model(str(model.openvino()), "CPU", config).create_infer_request()
    for state in request.query_state():
        state.state = openvino.Tensor(model.cache(int(state.name.split(".")[-1]))[:, :, : model.behind].contiguous().numpy())
    ends = itertools.count(model.behind)

    def step(token: int) -> torch.Tensor:
        at = next(ends)
        request.infer({"input_ids": np.array([[token]]), "attention_mask": np.ones((1, at + 1), np.int64), "position_ids": np.array([[at]]),
                       "beam_idx": np.zeros(1, np.int32)})  # fmt: skip
        return torch.from_numpy(request.get_tensor("logits").data)

    return step


CONTENDERS = {make.__name__: make for make in (buddy, llama, onnxruntime, openvino)}


def bandwidth(build: Path, file: Path) -> dict[int, tuple[float, float]]:
    """GB/s that as many threads read, each the best of its streams: from the file, mapped; and from any pages."""
    speeds: dict[int, tuple[float, float]] = {}
    for line in subprocess.run([build / "bin" / "bandwidth", file], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.replace("threads", "thread").split("thread")
        if len(words) == 2:
            n, rate = int(words[0].split()[-1]), max(map(float, words[1].split()))
            speeds[n] = rate, max(rate, *speeds.get(n, (0,)))  # the file comes last
    return speeds


def measure(steps: dict[str, Step], n: int) -> dict[str, dict[str, float]]:
    """Milliseconds of each, all in turns."""
    clock: dict[str, list[float]] = {name: [] for name in steps}
    cpu: dict[str, list[float]] = {name: [] for name in steps}
    for i in range(n + 2):
        for name, step in steps.items():
            start, before = time.perf_counter(), time.process_time()
            step(5 + i)
            if i > 1:
                clock[name].append(1e3 * (time.perf_counter() - start))
                cpu[name].append(1e3 * (time.process_time() - before))
    return {
        name: {"least_ms": min(clock[name]), "median_ms": statistics.median(clock[name]), "cpu_ms": statistics.median(cpu[name])} for name in steps
    }


def run(kind: str, threads: int, speed: tuple[float, float], args: argparse.Namespace) -> list[dict[str, Any]]:
    model = Model(kind, args)
    steps, rows, expected = {}, [], None
    for name in args.contenders:
        try:
            steps[name] = CONTENDERS[name](model, threads, args)
            logits = steps[name](5).flatten().float()
            expected = logits if expected is None else expected
            error = float((logits - expected).norm() / expected.norm())
            if name != "llama" and not error < TOLERANCE:  # whose caches are others
                raise RuntimeError(f"logits differ from buddy's by {error:.1e} of their size")
        except Exception as error:  # whatever they raise is told, and the rest measured
            if name == "buddy":
                raise
            steps.pop(name, None)
            rows.append({"kind": kind, "threads": threads, "name": name, "missing": (str(error).splitlines() or [""])[0][:120]})
    n_bytes = model.bytes_of_step()
    for name, times in measure(steps, args.steps).items():
        rate = n_bytes / times["least_ms"] / 1e6
        rows.append({"kind": kind, "threads": threads, "name": name, **times, "mb": n_bytes / 1e6, "gb_per_s": rate,
                     "file_gb_per_s": speed[0], "share": rate / speed[0], "share_of_best": rate / speed[1], "tokens_per_s": 1e3 / times["least_ms"]})  # fmt: skip
    return rows


def show(row: dict[str, Any]) -> None:
    head = f"{row['kind']:5} {row['threads']} {row['name']:12}"
    if "missing" in row:
        print(head, "none:", row["missing"])
        return
    numbers = [f"{row[key]:10.{2 if 'share' in key else 1}f}" for key in ("least_ms", "median_ms", "cpu_ms", "mb", "gb_per_s", "file_gb_per_s", "share", "share_of_best", "tokens_per_s")]
    print(head + "".join(numbers), flush=True)


def check(kind: str, args: argparse.Namespace) -> None:
    """Logits of one token after a prompt, buddy's and llama's."""
    sys.path.insert(0, str(args.build.resolve() / "python"))
    import buddy as package

    model = Model(kind, args)
    weights = {"weights": model.gguf(), "weight_names": model.names()} if kind in BLOCKS else {}
    session = package.Session(package.load_programs(model.archive(), ["prefill", "decode"], threads=2, **weights))
    prompt = torch.tensor([model.prompt()])
    session.step(prompt, torch.arange(model.behind), model="prefill")
    ours = session.step(torch.tensor([[7]]), torch.tensor([model.behind]), model="decode").flatten().float()
    theirs = llama(model, 2, args)(7)
    print(f"{kind}: differs by {float((ours - theirs).norm() / theirs.norm()):.1e} of the logits' size")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="where files are kept; default: BUILD/steps")
    parser.add_argument("--json", type=Path, help="where to add the numbers, too")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--contenders", nargs="+", choices=list(CONTENDERS), default=["buddy"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    for name, number in (("kv-heads", 8), ("behind", 2048), ("steps", 24), ("width", 1024), ("layers", 12)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    args.out = args.out or args.build / "steps"
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_grad_enabled(False)
    results = []
    if not args.prepare and not args.check:
        speed = bandwidth(args.build, Model("f32", args).archive())
        heads = ("least ms", "median", "CPU ms", "MB", "GB/s", "file's", "share", "of best", "tokens/s")
        print(f"{args.kv_heads} kv heads, {args.behind} behind" + "".join(f"{head:>10}" for head in heads))
    for kind in args.kinds:
        if args.prepare:
            Model(kind, args).prepare(args.contenders)
            continue
        if args.check:
            check(kind, args)
            continue
        for threads in args.threads:
            for row in run(kind, threads, speed[threads], args):
                results.append(row)
                show(row)
    print(f"load {os.getloadavg()[0]:.1f}")
    if args.json:
        with args.json.open("a") as file:
            file.writelines(json.dumps({"kv_heads": args.kv_heads, **row}) + "\n" for row in results)


if __name__ == "__main__":
    main()
