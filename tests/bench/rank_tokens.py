# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A token of a decoder that is cut for two ranks of one thread each, beside one rank: time, numbers, bits, and memory of weights.

    BUDDY_PYTHON tests/bench/rank_tokens.py --build build [--rounds 4] [--steps 60] [--calm] [--out build/rank_tokens]

A LLaMA-style decoder of 514 M parameters of float32 with random weights and a cache of 256 tokens, which the program writes to. One
rank, and two by each MPI that is installed, run in turns; every step is one token. Told are the least and the median of all steps,
and their ratios to one rank's; how far logits are from PyTorch's; whether both ranks have the same bits; the pages of the archive that a
token reads, by the kernel's marks, and pages that a rank has to itself.

--calm: steps run before every other process of the machine (SCHED_FIFO, root alone), a quarter of a second at a time, and beside one
rank the second processor is kept busy by a process that uses no memory. So a loaded machine measures as a calm one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(("BUDDY_", "OMPI_", "PMI"))} | {
    "BUDDY_THREADS": "1", "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "PYTHONWARNINGS": "ignore"}
BURST, PAUSE = 0.25, 0.4  # seconds
TOKENS = 3  # whose logits are compared


def export(folder: Path) -> None:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM
    from transformers.integrations.executorch import TorchExportableModuleWithStaticCache

    torch.manual_seed(0)
    model = LlamaForCausalLM(LlamaConfig(vocab_size=32000, hidden_size=1536, intermediate_size=6144, num_hidden_layers=12, num_attention_heads=12,
                                         num_key_value_heads=4, max_position_embeddings=2048)).eval()
    generation = model.generation_config
    generation.use_cache, generation.cache_implementation = True, "static"
    generation.cache_config = {"batch_size": 1, "max_cache_len": 256}
    wrapped = TorchExportableModuleWithStaticCache(model)
    with torch.no_grad():
        inputs = {"input_ids": torch.ones(1, 1, dtype=torch.int64), "cache_position": torch.tensor([0])}
        program = torch.export.export(wrapped, (), inputs, strict=False)
        torch.export.save(program, folder / "token.pt2")
        logits = [wrapped(input_ids=torch.tensor([[7 + i]]), cache_position=torch.tensor([i])) for i in range(TOKENS)]
    torch.save(torch.stack(logits), folder / "logits.pt")


# ---- One rank ----
def first_in_line(is_so: bool) -> None:
    os.sched_setscheduler(0, os.SCHED_FIFO if is_so else os.SCHED_OTHER, os.sched_param(10 if is_so else 0))


def pages(model: Path, field: str) -> int:
    """Kilobytes that smaps tells of mappings of the file; of all mappings, if there is none."""
    total, is_in = 0, True
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            is_in = field != "Referenced" or line.endswith(str(model))
        elif is_in and line.startswith(field + ":"):
            total += int(line.split()[1])
    return total


def work(folder: Path, n_ranks: int, steps: int, calm: bool) -> None:
    import torch
    from buddy import load

    rank = int(os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", "0")))
    cut = {"tensor_parallel": n_ranks, "rank": rank} if n_ranks > 1 else {}
    step = load(str(folder / "token.pt2"), threads=1, **cut)

    def token(i: int) -> torch.Tensor:
        result = step(torch.tensor([[7 + i]]), torch.tensor([i]))
        return (result[0] if isinstance(result, (tuple, list)) else result).clone()

    logits = torch.stack([token(i) for i in range(TOKENS)])
    wanted = torch.load(folder / "logits.pt")
    Path("/proc/self/clear_refs").write_text("1")
    token(TOKENS)
    found = {"rank": rank, "error": ((logits - wanted).abs().max() / wanted.abs().max()).item(),
             "bits": hashlib.sha256(logits.numpy().tobytes()).hexdigest(), "read": pages(folder / "token.pt2", "Referenced"),
             "private": pages(folder, "Private_Dirty")}
    times: list[float] = []
    while len(times) < steps:
        if calm:
            time.sleep(PAUSE)
            first_in_line(True)
        token(9)  # ranks meet
        for _ in range(4):
            start = time.perf_counter()
            token(10)
            times.append(time.perf_counter() - start)
        if calm:
            first_in_line(False)
    (folder / f"rank{rank}.json").write_text(json.dumps(found | {"times": times}))


# ---- All ----
def run(build: Path, folder: Path, mpi: str, args: argparse.Namespace) -> list[dict]:
    """mpi: "" is one rank."""
    words = [sys.executable, __file__, "--build", build, "--out", folder, "--work", 2 if mpi else 1, "--steps", args.steps]
    words += ["--calm"] if args.calm else []
    environment = ENVIRONMENT | {"PYTHONPATH": str(build / "python")} | ({"BUDDY_PLUGIN_PATH": str(folder / mpi)} if mpi else {})
    idle = None
    if args.calm and not mpi:
        idle = subprocess.Popen(["chrt", "-f", "1", sys.executable, "-c", "import time\nwhile True:\n  end = time.time() + .8\n  while time.time() < end: pass\n  time.sleep(.2)"])
    try:
        done = subprocess.run([str(w) for w in ([f"mpirun.{mpi}", "-n", 2] if mpi else []) + words], env=environment, capture_output=True, text=True, check=False)
    finally:
        if idle:
            idle.kill()
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return [json.loads((folder / f"rank{rank}.json").read_text()) for rank in range(2 if mpi else 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--calm", action="store_true")
    parser.add_argument("--work", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    build = args.build.resolve()
    folder = (args.out or build / "rank_tokens").resolve()
    if args.work:
        work(folder, args.work, args.steps, args.calm)
        return
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "logits.pt").exists():
        export(folder)
    mpis = [name for name in ("openmpi", "mpich") if shutil.which(f"mpicc.{name}") and shutil.which(f"mpirun.{name}")]
    for name in mpis:
        (folder / name).mkdir(exist_ok=True)
        subprocess.run([f"mpicc.{name}", "-std=c17", "-O2", "-fPIC", "-shared", f"-I{ROOT / 'include'}", ROOT / "plugins" / "mpi" / "mpi.c", "-o",
                        folder / name / "libbuddy_mpi.so"], check=True, stderr=subprocess.DEVNULL)
    found: dict[str, list[list[dict]]] = {}
    for _ in range(args.rounds):
        for mpi in ("", *mpis):
            found.setdefault(mpi, []).append(run(build, folder, mpi, args))
    alone = [t for ranks in found[""] for t in ranks[0]["times"]]
    first = found[""][0][0]
    for mpi, rounds in found.items():
        times = [t for ranks in rounds for t in ranks[0]["times"]]
        ratios = [statistics.median(ranks[0]["times"]) / statistics.median(one[0]["times"]) for ranks, one in zip(rounds, found[""], strict=True)]
        last = rounds[-1]
        print(f"{'two ranks, ' + mpi if mpi else 'one rank':<20} least {1e3 * min(times):6.1f} ms ({min(times) / min(alone):.3f})  "
              f"median {1e3 * statistics.median(times):6.1f} ms ({statistics.median(times) / statistics.median(alone):.3f}; by rounds "
              f"{', '.join(f'{r:.3f}' for r in ratios)})  error {max(r['error'] for r in last):.1e}  "
              f"{'same bits' if len({r['bits'] for r in last}) == 1 else 'OTHER BITS'}  reads {'/'.join(str(r['read'] // 1024) for r in last)} MiB "
              f"({max(r['read'] for r in last) / first['read']:.3f})  private {'/'.join(str(r['private'] // 1024) for r in last)} MiB", flush=True)


if __name__ == "__main__":
    main()
