# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a sum over two ranks takes inside of a run of buddy, beside gloo and MPI_Allreduce, in turns.

    python tests/bench/ranks.py --build build [--rounds 5] [--bytes 65536 33554432]

Each measures IN_A_ROW sums that follow each other, many times, by two processes on one thread each; a round has all of them one
after the other. Printed are the least and the median of one sum, over all rounds. Needs PyTorch, mpicc.openmpi and mpicc.mpich
(either may be missing), and two processors that are free.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
IN_A_ROW = 8
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith(("BUDDY_", "OMPI_", "PMI"))} | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "BUDDY_THREADS": "1",
    "OMP_NUM_THREADS": "1", "BUDDY_DIST_TRANSPORT": "mpi"}


def repeats(n_bytes: int) -> int:
    return max(5, min(200, (1 << 24) // n_bytes))


def export(path: Path, n_bytes: int) -> None:
    import torch
    import torch.distributed as dist
    import torch.distributed._functional_collectives as funcol
    from torch.testing._internal.distributed.fake_pg import FakeStore

    class Sums(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for _ in range(IN_A_ROW):
                x = funcol.all_reduce(x, "sum", "0")
            return x

    if not dist.is_initialized():
        dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=2)
    torch.export.save(torch.export.export(Sums(), (torch.zeros(n_bytes // 4),)), path)


def work_buddy(build: Path, model: Path, n_bytes: int) -> None:
    import numpy
    sys.path.insert(0, str(HERE.parent))
    import capi
    loaded = capi.Model(capi.Library(build), model, "tosa:*")
    x = numpy.zeros(n_bytes // 4, numpy.float32)
    memory = capi.Memory(x, x.ctypes.data, "float32", x.shape, [1])
    for i in range(repeats(n_bytes) + 3):
        start = time.perf_counter()
        results = loaded.run([memory])
        if i >= 3 and os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK")) == "0":
            print(time.perf_counter() - start)
        results.release()


def work_gloo(rank: int, port: int, n_bytes: int) -> None:
    import torch
    import torch.distributed as dist
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    x = torch.zeros(n_bytes // 4)
    for i in range(repeats(n_bytes) + 3):
        start = time.perf_counter()
        for _ in range(IN_A_ROW):
            dist.all_reduce(x)
        if i >= 3 and rank == 0:
            print(time.perf_counter() - start)
    dist.destroy_process_group()


def numbers(done: subprocess.CompletedProcess[str]) -> list[float]:
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return [float(line) / IN_A_ROW for line in done.stdout.split()]


def run(words: list[object], **more: str) -> list[float]:
    return numbers(subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, env=ENVIRONMENT | more))


def run_gloo(n_bytes: int, port: int) -> list[float]:
    crew = [subprocess.Popen([sys.executable, __file__, "--work", "gloo", str(rank), str(port), str(n_bytes)], stdout=subprocess.PIPE, text=True,
                             env=ENVIRONMENT) for rank in range(2)]
    texts = [process.communicate()[0] for process in crew]
    return numbers(subprocess.CompletedProcess([], max(process.returncode for process in crew), texts[0], ""))


def prepare(folder: Path, sizes: list[int]) -> list[str]:
    mpis = [name for name in ("openmpi", "mpich") if shutil.which(f"mpicc.{name}") and shutil.which(f"mpirun.{name}")]
    for name in mpis:
        (folder / name).mkdir()
        compiler = f"mpicc.{name}"
        subprocess.run([compiler, "-std=c17", "-O2", "-fPIC", "-shared", f"-I{ROOT / 'include'}", ROOT / "plugins" / "mpi" / "mpi.c", "-o",
                        folder / name / "libbuddy_mpi.so"], check=True)
        subprocess.run([compiler, "-std=c17", "-O2", HERE / "allreduce.c", "-o", folder / name / "allreduce"], check=True)
    for n_bytes in sizes:
        export(folder / f"{n_bytes}.pt2", n_bytes)
    return mpis


def measure(build: Path, folder: Path, sizes: list[int], rounds: int) -> None:
    mpis = prepare(folder, sizes)
    for n_bytes in sizes:
        found: dict[str, list[float]] = {}
        for k in range(rounds):
            for name in mpis:
                launch = [f"mpirun.{name}", "-n", 2]
                found.setdefault(f"buddy, {name}", []).extend(
                    run([*launch, sys.executable, __file__, "--work", "buddy", build, folder / f"{n_bytes}.pt2", n_bytes], BUDDY_PLUGIN_PATH=str(folder / name)))
                found.setdefault(f"MPI_Allreduce, {name}", []).extend(
                    run([*launch, folder / name / "allreduce", n_bytes, IN_A_ROW, repeats(n_bytes)]))
            found.setdefault("gloo", []).extend(run_gloo(n_bytes, 29500 + os.getpid() % 1000 + k))
        for name, times in found.items():
            print(f"{n_bytes:>9} bytes  {name:<24} least {1e3 * min(times):9.4f} ms  median {1e3 * statistics.median(times):9.4f} ms", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--work"]:
        kind, *rest = sys.argv[2:]
        if kind == "buddy":
            work_buddy(Path(rest[0]), Path(rest[1]), int(rest[2]))
        else:
            work_gloo(*(int(word) for word in rest))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bytes", type=int, nargs="+", default=[1 << 16, 1 << 25])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        measure(args.build.resolve(), Path(name), args.bytes, args.rounds)


if __name__ == "__main__":
    main()
