# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What text from two programs costs in memory: private dirty bytes of a process, beside weights and caches, by architecture.

    BUDDY_PYTHON tests/bench/session_memory.py --build build [--only llama,gpt2] [--out build/session_memory]

Models of transformers with random weights of some 30 M parameters, as examples/generate writes them: prefill (or an encoder) and decode
of one archive. A process of its own loads the code from the cache, and makes 9 tokens after 32; counted is what became dirty since
before the models were loaded, after one small model has run. `packed` is what the programs have made of weights and keep, shared ones
once; weights that are read where the file is mapped are nobody's own.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch
import transformers

ROOT = Path(__file__).resolve().parent.parent.parent
LENGTH, PROMPT, NEW = 256, 32, 8
SHAPE = {"vocab_size": 8192, "hidden_size": 512, "intermediate_size": 1408, "num_hidden_layers": 6, "num_attention_heads": 8,
         "num_key_value_heads": 4, "max_position_embeddings": 512}  # fmt: skip
MODELS: dict[str, Any] = {
    "llama": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(**SHAPE)),
    "qwen3": lambda: transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**SHAPE, head_dim=64)),
    "gemma": lambda: transformers.GemmaForCausalLM(transformers.GemmaConfig(**SHAPE, head_dim=64)),
    "gpt2": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=8192, n_positions=512, n_embd=512, n_layer=6, n_head=8, bos_token_id=0, eos_token_id=0)),
    "mamba": lambda: transformers.MambaForCausalLM(transformers.MambaConfig(vocab_size=8192, hidden_size=512, num_hidden_layers=10)),
    "t5": lambda: transformers.T5ForConditionalGeneration(transformers.T5Config(
        vocab_size=8192, d_model=512, d_kv=64, d_ff=1408, num_layers=4, num_heads=8, decoder_start_token_id=0)),
    "whisper": lambda: transformers.WhisperForConditionalGeneration(transformers.WhisperConfig(
        vocab_size=8192, d_model=512, encoder_layers=4, decoder_layers=4, encoder_attention_heads=8, decoder_attention_heads=8,
        encoder_ffn_dim=1408, decoder_ffn_dim=1408, max_source_positions=100, max_target_positions=512, pad_token_id=0,
        bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)),
}  # fmt: skip
ENCODED = {"t5": lambda: torch.randint(3, 8000, (1, 40)), "whisper": lambda: torch.randn(1, 80, 200)}


def private_dirty() -> int:
    gc.collect()
    with open("/proc/self/smaps_rollup") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("Private_Dirty"))


def write(name: str, path: Path) -> None:
    import encoder_decoder
    import export

    torch.manual_seed(0)
    model = MODELS[name]().eval()
    if name in ENCODED:
        encoder_decoder.write(model, path, ENCODED[name](), LENGTH)
    else:
        export.write(model, path, LENGTH)


def warm(buddy: Any, folder: Path) -> None:
    """What the first model of a process costs."""
    path = folder / "first.pt2"
    if not path.exists():
        torch.export.save(torch.export.export(torch.nn.Linear(8, 8), (torch.randn(1, 8),)), path)
    buddy.Session(buddy.load(path, threads=1)).step(torch.randn(1, 8))


def tokens(session: Any, name: str) -> None:
    if name in ENCODED:
        kept = session.step(ENCODED[name](), model="encode")
        for i in range(NEW + 1):
            session.step(torch.tensor([[1]]), torch.tensor([i]), *kept, model="decode")
        return
    n = 4 if name == "mamba" else PROMPT  # as its archive has it
    session.step(torch.randint(3, 8000, (1, n)), torch.arange(n), model="prefill")
    for i in range(NEW):
        session.step(torch.tensor([[5]]), torch.tensor([n + i]), model="decode")


def measure(name: str, folder: Path) -> str:
    import buddy

    path = folder / f"{name}.pt2"
    warm(buddy, folder)
    before = private_dirty()
    models = buddy.load_programs(path, threads=1)
    session = buddy.Session(models)
    tokens(session, name)
    dirty = private_dirty() - before
    packed = max(model._runner.program.kept_bytes() for model in models.values())
    weights = sum(parameter.numel() * 4 for parameter in MODELS[name]().parameters())
    numbers = dirty, packed, session.n_bytes, dirty - packed - session.n_bytes, weights
    share = dirty / (weights + session.n_bytes)
    return f"| {name} | " + " | ".join(f"{number / 1e6:.1f}" for number in numbers) + f" | {share:.3f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "session_memory")
    parser.add_argument("--only", default=",".join(MODELS))
    parser.add_argument("--one", choices=list(MODELS), help=argparse.SUPPRESS)  # in a process of its own
    args = parser.parse_args()
    sys.path[:0] = [str(args.build.resolve() / "python"), str(ROOT / "examples" / "generate")]
    if args.one:
        print(measure(args.one, args.out))
        return
    args.out.mkdir(parents=True, exist_ok=True)
    print("| | private dirty MB | packed MB | caches MB | besides MB | parameters MB | dirty over parameters and caches |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in args.only.split(","):
        if not (args.out / f"{name}.pt2").exists():
            write(name, args.out / f"{name}.pt2")
            os.sync()  # pages of a file that is not yet on its disk count as dirty
        command = [sys.executable, __file__, "--build", args.build, "--out", args.out, "--one", name]
        for _ in range(2):  # the first compiles
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
        print(done.stdout.strip().splitlines()[-1], flush=True)


if __name__ == "__main__":
    main()
