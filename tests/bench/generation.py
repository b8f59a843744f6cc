# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens per second of a decoder, one token at a time: buddy beside PyTorch eager, TorchInductor, OpenVINO and ONNX Runtime, in turn.

    BUDDY_PYTHON tests/bench/generation.py --build build [--threads 1] [--weights f32 bf16 int8 int4] [--prompt 64] [--tokens 32]
                                           [--width 1024] [--layers 8] [--contenders …] [--out build/generation] [--json FILE]

A LLaMA-style decoder of transformers, random weights (decoders.py). One exported program serves the prompt and each token:
the number of tokens and the length of the cache are symbolic. All contenders start from the same program and are given
the same tokens, those that eager chooses, and their logits are compared; in every step each of them runs once, in turn, so
that load hits all alike. Told are the milliseconds of the prompt (the second time it is run), and the median and spread of a
token's; GB/s: the bytes of the weights that a token has to read, as the archive has them, over its time; the ratio to
eager: the median of that of each step. Who cannot run a program is told with the reason.

In bfloat16 there are buddy and PyTorch alone. Weights of 8 and 4 bits are those of one module, in groups; OpenVINO and ONNX Runtime have tools of their own that
make such weights in forms that they are better at, which are not used here.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from decoders import BITS, Decoder, Tensors
from token_table import show, told

Step = Callable[..., Any]
TOLERANCE = {"f32": 1e-3, "bf16": 5e-2, "int8": 1e-3, "int4": 1e-3}


def eager(decoder: Decoder, args: argparse.Namespace) -> Step:
    return decoder.module


def buddy(decoder: Decoder, args: argparse.Namespace) -> Step:
    sys.path.insert(0, str(args.build.resolve() / "python"))
    from buddy import load

    return load(str(decoder.archive(args.out)), threads=args.threads)


def inductor(decoder: Decoder, args: argparse.Namespace) -> Step:
    torch._dynamo.reset()
    return torch.compile(decoder.module, dynamic=True)


def onnx_of(decoder: Decoder, args: argparse.Namespace) -> Path:
    path = args.out / f"{decoder.name}.onnx"
    if not path.exists():
        torch.onnx.export(decoder.export(), dynamo=True, verbose=False).save(str(path), external_data=True)
    return path


def openvino(decoder: Decoder, args: argparse.Namespace) -> Step:
    import openvino

    if decoder.kind == "bf16":
        raise RuntimeError("numpy has no bfloat16 to ask it with")
    try:
        model = openvino.convert_model(torch.export.load(decoder.archive(args.out)))
    except Exception:  # there are ops that it takes from ONNX only
        model = openvino.convert_model(onnx_of(decoder, args))
    config = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_NUM_THREADS": args.threads,
        "INFERENCE_PRECISION_HINT": "f32",
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0,  # all compute in float32
    }
    request = openvino.Core().compile_model(model, "CPU", config).create_infer_request()

    def step(*inputs: torch.Tensor) -> list[torch.Tensor]:
        request.infer([tensor.numpy() for tensor in inputs], share_inputs=True, share_outputs=True)
        return [torch.from_numpy(request.get_output_tensor(k).data) for k in range(len(inputs))]

    return step


def onnxruntime(decoder: Decoder, args: argparse.Namespace) -> Step:
    import onnxruntime

    if decoder.kind == "bf16":
        raise RuntimeError("it has few operations in bfloat16")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = args.threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(onnx_of(decoder, args), options, providers=["CPUExecutionProvider"])
    names = [node.name for node in session.get_inputs()]

    def step(*inputs: torch.Tensor) -> list[torch.Tensor]:
        feed = {name: tensor.numpy() for name, tensor in zip(names, inputs, strict=True)}
        return [torch.from_numpy(array) for array in session.run(None, feed)]

    return step


CONTENDERS = {make.__name__: make for make in (eager, buddy, inductor, openvino, onnxruntime)}


def timed(step: Step, inputs: Tensors) -> tuple[float, Tensors]:
    start = time.perf_counter()
    results = tuple(step(*inputs))
    ms = 1e3 * (time.perf_counter() - start)
    return ms, tuple(result.clone() for result in results)  # some lend what the next step overwrites


def generate(steps: dict[str, Step], decoder: Decoder, prompt: torch.Tensor, n: int) -> dict[str, list[float]]:
    """Milliseconds of each contender: the prompt, then each token."""
    tokens = prompt
    caches = {name: decoder.cache() for name in steps}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(n + 1):
        expected = None
        for name, step in steps.items():
            ms, (logits, *cache) = timed(step, (tokens, *caches[name]))
            times[name].append(ms)
            caches[name] = tuple(cache)
            expected = logits if expected is None else expected
            error = ((logits.float() - expected.float()).norm() / expected.float().norm()).item()
            if not error < TOLERANCE[decoder.kind]:
                raise SystemExit(f"{name}: logits of {decoder.kind} differ from eager's by {error:.1e} of their size")
        tokens = expected.argmax(-1, keepdim=True)
    return times


def measure(kind: str, args: argparse.Namespace) -> dict[str, Any]:
    decoder = Decoder(kind, args.width, args.layers, args.group)
    steps: dict[str, Step] = {}
    missing = {}
    prompt = torch.randint(decoder.config.vocab_size, (1, args.prompt))
    for name in ["eager", *(name for name in args.contenders if name != "eager")]:
        try:
            step = CONTENDERS[name](decoder, args)
            generate({name: step}, decoder, prompt, 2)  # compiled for both numbers of tokens, weights read
            steps[name] = step
        except Exception as error:  # whatever the others raise is told, and the rest measured
            missing[name] = (str(error).strip().splitlines() or [type(error).__name__])[0][:120]
    generate(steps, decoder, prompt, 2)
    rows = told(generate(steps, decoder, prompt, args.tokens), decoder.bytes_of_token())
    return {"weights": kind, "bytes_of_token": decoder.bytes_of_token(), "contenders": rows, "missing": missing}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="buddy's build tree, with its Python package")
    parser.add_argument("--out", type=Path, help="where programs are kept; default: BUILD/generation")
    parser.add_argument("--json", type=Path, help="where to write the numbers, too")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--weights", nargs="+", choices=list(BITS), default=["f32"])
    parser.add_argument("--contenders", nargs="+", choices=list(CONTENDERS), default=["eager", "buddy", "inductor"])
    parser.add_argument("--group", type=int, default=128, help="weights of 8 and 4 bits that share a scale; divides the width")
    parser.add_argument("--prompt", type=int, default=64, metavar="TOKENS")
    parser.add_argument("--tokens", type=int, default=32)
    parser.add_argument("--width", type=int, default=1024, help="of the decoder; a multiple of 128")
    parser.add_argument("--layers", type=int, default=8)
    args = parser.parse_args()
    args.out = args.out or args.build / "generation"
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.set_grad_enabled(False)
    results = []
    for kind in args.weights:
        results.append(measure(kind, args))
        show(results[-1])
    load = os.getloadavg()[0]
    print(f"{args.threads} thread{'s' if args.threads > 1 else ''}; load {load:.1f}")
    if args.json:
        settings = {key: getattr(args, key) for key in ("threads", "group", "prompt", "tokens", "width", "layers")}
        args.json.write_text(json.dumps({**settings, "load": load, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
