# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What becomes of a token from 2 to 1,024 ranks: a model of what collectives cost, checked; writes sdk/docs/ranks_scale.md.

    python tests/dist/scale.py --build build [--check] [--output sdk/docs/ranks_scale.md]

The model counts what plugins/dist/call.c sends. It is checked by running programs that buddy cuts for so many ranks over link.c, a
transport that charges and sleeps as long as a link takes (--check does that alone, without sleeping), and beside 2 and 4 real ranks. Needs
PyTorch.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SMALL, HEAD = 1 << 17, 40  # bytes: as plugins/dist/call.c has them
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith(("BUDDY_", "OMPI_", "PMI"))} | {
    "BUDDY_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
RANKS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


@dataclass(frozen=True)
class Link:
    name: str
    latency: float  # seconds for a message
    bandwidth: float  # bytes a second, each way

    def exchange(self, n_messages: int, n_bytes: float) -> float:
        return n_messages * self.latency + (n_bytes + n_messages * HEAD) / self.bandwidth

    def all_reduce(self, n: int, n_bytes: int) -> float:
        if (n - 1) * n_bytes <= SMALL:
            return self.exchange(n - 1, (n - 1) * n_bytes)
        return 2 * self.exchange(n - 1, (n - 1) * 4 * -(-n_bytes // 4 // n))  # slices of floats are rounded up

    def all_gather(self, n: int, n_bytes: int) -> float:
        """n_bytes: of the whole."""
        return self.exchange(n - 1, (n - 1) * n_bytes / n)

    def tree(self, n: int, n_bytes: int) -> float:
        """What an all_reduce by halving and doubling would take, for comparison."""
        return 2 * (n - 1).bit_length() * self.latency + 2 * (n - 1) / n * n_bytes / self.bandwidth


LINKS = (Link("one host, shared memory", 2e-6, 8e9), Link("200 Gb/s InfiniBand", 2e-6, 25e9), Link("25 Gb/s Ethernet, TCP", 30e-6, 3.1e9))
MEMORY = 100e9  # bytes a second that a rank reads of weights


@dataclass(frozen=True)
class Decoder:
    """Of LLaMA's kind, weights of 16 bits, sums of 32."""
    name: str
    width: int
    inner: int
    layers: int
    heads: int
    keys: int
    vocabulary: int = 128256

    def bytes_of(self, n: int) -> float:
        """Weights that a rank reads for a token: what does not divide is whole (sdk/import/shard.c)."""
        head = self.width // self.heads
        is_cut = self.heads % n == 0 and (self.keys % n == 0 or n % self.keys == 0)
        q = 2 * self.width * self.width / (n if is_cut else 1)
        k = 2 * self.width * self.keys * head / (n if is_cut and self.keys % n == 0 else 1)
        mlp = 3 * self.width * self.inner / (n if self.inner % n == 0 else 1)
        return 2 * (self.layers * (q + k + mlp) + self.width * self.vocabulary / (n if self.vocabulary % n == 0 else 1))

    def sums(self, n: int) -> int:
        is_cut = self.heads % n == 0 and (self.keys % n == 0 or n % self.keys == 0)
        return self.layers * (is_cut + (self.inner % n == 0)) if n > 1 else 0

    def network(self, link: Link, n: int) -> float:
        gather = link.all_gather(n, 4 * self.vocabulary) if n > 1 and self.vocabulary % n == 0 else 0
        return self.sums(n) * link.all_reduce(n, 4 * self.width) + gather


DECODERS = (Decoder("1 B", 2048, 8192, 16, 32, 8), Decoder("8 B", 4096, 14336, 32, 32, 8), Decoder("70 B", 8192, 28672, 80, 64, 8))


# ---- Checks ----
def export(path: Path, layers: int, width: int, inner: int, rows: int) -> None:
    import torch

    class Mlp(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.up = torch.nn.ModuleList(torch.nn.Linear(width, inner, bias=False) for _ in range(layers))
            self.down = torch.nn.ModuleList(torch.nn.Linear(inner, width, bias=False) for _ in range(layers))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for up, down in zip(self.up, self.down):
                x = x + down(torch.relu(up(x)))
            return x

    torch.export.save(torch.export.export(Mlp().eval(), (torch.randn(rows, width),)), path)


def median_of(words: list[object], environment: dict[str, str]) -> float:
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, env=CLEAN | environment)
    found = re.search(r"median of \d+ runs ([\d.]+) ms", done.stdout)
    if not found:
        sys.exit(done.stdout + done.stderr)
    return float(found[1]) / 1e3


LAYERS, WIDTH, INNER = 4, 256, 1024


def by_sleeping(build: Path, folder: Path, sleeps: bool) -> list[str]:
    """The programs that buddy cuts, over links so slow that what this machine computes, and when, is little beside them: messages and
    bytes of a sum take about 50 ms each. What the links charge has to be what the model says; what it takes then is told."""
    subprocess.run(["cc", "-std=c17", "-O2", "-fPIC", "-shared", f"-I{ROOT / 'include'}", HERE / "link.c", "-o", folder / "libbuddy_link.so"], check=True)
    lines = []
    for rows in (1, 64):
        export(folder / "mlp.pt2", LAYERS, WIDTH, INNER, rows)
        for n in (2, 4, 16, 128, 1024):
            size = 4 * rows * WIDTH
            one = Link("counts", 0, 1).all_reduce(n, size)  # seconds are bytes
            link = Link("slow", 0.05 / (n - 1), one / 0.05)
            words = [build / "bin" / "buddy", "run", folder / "mlp.pt2", "--tensor-parallel", n, "--repeat", 3, "--transport", folder / "libbuddy_link.so"]
            ranks = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": str(n), "LINK_RANKS": str(n)}
            slow = ranks | {"LINK_LATENCY": str(link.latency), "LINK_BANDWIDTH": str(link.bandwidth)}
            log = folder / f"{rows}_{n}"
            alone = median_of(words, slow | {"LINK_LOG": str(log)})
            charged = sum(float(line) for line in log.read_text().split()) / 3
            expected = LAYERS * link.all_reduce(n, size)
            if abs(charged / expected - 1) > 1e-5:
                sys.exit(f"{n} ranks, sums of {size} bytes: the links took {charged} s, and the model says {expected}")
            measured = f"{1e3 * (median_of(words, slow) - alone):.0f}" if sleeps else ""
            lines.append(f"| {n:,} | {size // 1024} KB | {1e6 * link.latency:.0f} | {link.bandwidth / 1e3:.0f} | {1e3 * expected:.1f} | {1e3 * charged:.1f} | {measured} |")
    return lines


def before_others() -> list[str]:
    """What has a program run before every other process, so that a loaded machine measures as a calm one; nothing, where that is forbidden."""
    words = ["chrt", "-r", "10"]
    try:
        return words if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0 else []
    except FileNotFoundError:
        return []


TAKEN = ((2, 1), (2, 1024), (4, 1))  # ranks, and KB of a sum: what the model's three numbers are taken from


def by_real_ranks(build: Path, folder: Path) -> list[str]:
    """A latency, a bandwidth, and what a turn costs where ranks share processors are taken from three sums; the others are foretold."""
    sys.path.insert(0, str(HERE.parent / "bench"))
    from ranks import IN_A_ROW
    from ranks import export as export_sums
    lines, first, processors = [], before_others(), os.cpu_count() or 1
    for kb in (1, 16, 64, 256, 1024):
        export_sums(folder / f"sums{kb}.pt2", kb << 10)
    for name in ("openmpi", "mpich"):
        if not (shutil.which(f"mpicc.{name}") and shutil.which(f"mpirun.{name}")):
            continue
        plugin = folder / name
        plugin.mkdir()
        subprocess.run([f"mpicc.{name}", "-std=c17", "-O2", "-fPIC", "-shared", f"-I{ROOT / 'include'}", ROOT / "plugins" / "mpi" / "mpi.c", "-o",
                        plugin / "libbuddy_mpi.so"], check=True, stderr=subprocess.DEVNULL)

        def measure(n: int, kb: int, name: str = name, plugin: Path = plugin) -> float:
            words = [f"mpirun.{name}", "-n", n, *first, build / "bin" / "buddy", "run", folder / f"sums{kb}.pt2", "--repeat", 40]
            return min(median_of(words, {"BUDDY_PLUGIN_PATH": str(plugin)}) for _ in range(3)) / IN_A_ROW

        found = {(n, kb): measure(n, kb) for n in (2, 4) for kb in (1, 16, 64, 256, 1024)}
        few, many = found[2, 1], found[2, 1024]
        bandwidth = (1 << 20) / max(many - 2 * few, 1e-9)
        link = Link(name, max(few - (1024 + HEAD) / bandwidth, 0), bandwidth)

        def turns(n: int, kb: int, link: Link = link) -> float:
            """All that the ranks of one processor do, one after the other."""
            return -(-n // processors) * link.all_reduce(n, kb << 10)

        def exchanges(n: int, kb: int) -> int:
            return (1 if (n - 1) * (kb << 10) <= SMALL else 2) * (-(-n // processors) - 1)

        turn = max(found[4, 1] - turns(4, 1), 0) if processors < 4 else 0
        for (n, kb), seconds in found.items():
            expected = turns(n, kb) + exchanges(n, kb) * turn
            is_taken = (n, kb) in TAKEN
            lines.append(f"| {name} | {n} | {kb} KB | {'taken' if is_taken else f'{1e6 * expected:.0f}'} | {1e6 * seconds:.0f} | {'' if is_taken else f'{seconds / expected:.2f}'} |")
        lines.append(f"| {name} | | | a message {1e6 * link.latency:.1f} µs, {bandwidth / 1e9:.2f} GB/s, a turn {1e6 * turn:.0f} µs | | |")
    return lines


# ---- The page ----
def crossing(decoder: Decoder, link: Link) -> str:
    found = [n for n in RANKS if decoder.network(link, n) > decoder.bytes_of(n) / MEMORY]
    return f"{found[0]:,}" if found else "none"


def best(decoder: Decoder, link: Link) -> tuple[int, float]:
    times = {n: decoder.bytes_of(n) / MEMORY + decoder.network(link, n) for n in (1, *RANKS)}
    n = min(times, key=times.__getitem__)
    return n, times[n]


def page(build: Path, folder: Path) -> str:
    sleeping, real = by_sleeping(build, folder, sleeps=True), by_real_ranks(build, folder)
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    processor = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), platform.machine())
    text = [f"""# From 2 to 1,000 ranks

Written by `tests/dist/scale.py` on {datetime.date.today()}, at {commit}, on {os.cpu_count()} processors ({processor}, load {os.getloadavg()[0]:.0f}). It says what
happens to the time of a token when a decoder is cut for more and more ranks ([ranks](ranks.md)): on paper, by a model whose counts of
messages and bytes are checked below. Latencies, bandwidths and the {MEMORY / 1e9:.0f} GB/s at which a rank reads weights are assumptions, not measurements.

## What a collective costs

A rank has one link, both ways at once; a message takes its latency *a*, a byte 1/*b* seconds. Every rank sends to every other one:

| collective of *s* bytes over *n* ranks | messages of a rank | bytes | seconds |
| --- | --- | --- | --- |
| `all_reduce`, (*n* − 1) *s* up to 128 KB | *n* − 1 | (*n* − 1) *s* | (*n* − 1) *a* + (*n* − 1) *s* / *b* |
| `all_reduce`, larger | 2 (*n* − 1) | 2 *s* (*n* − 1) / *n* | 2 (*n* − 1) *a* + 2 *s* (*n* − 1) / (*n* *b*) |
| `reduce_scatter_tensor`, `all_gather_into_tensor`, `all_to_all_single` | *n* − 1 | *s* (*n* − 1) / *n* | (*n* − 1) *a* + *s* (*n* − 1) / (*n* *b*) |
| `broadcast`, of the one that sends | *n* − 1 | (*n* − 1) *s* | (*n* − 1) *a* + (*n* − 1) *s* / *b* |

Bytes are the least that there can be; messages are not: trees have 2 log *n*. That decides from some ten ranks on.

## Where a token becomes bound by the network

Decoders of LLaMA 3's kind, weights of 16 bits, one token: a sum of the width's floats behind attention and MLP of each layer, and the
logits, which are gathered. What does not divide by the ranks stays whole: keys and values beyond 8 ranks, attention beyond its heads.

| decoder | link | network takes more than memory from | fastest at | ms a token there | of one rank | with trees |
| --- | --- | --- | --- | --- | --- | --- |"""]
    for decoder in DECODERS:
        for link in LINKS:
            n, seconds = best(decoder, link)
            alone = decoder.bytes_of(1) / MEMORY
            trees = min(decoder.bytes_of(k) / MEMORY + decoder.sums(k) * link.tree(k, 4 * decoder.width) for k in (1, *RANKS))
            text.append(f"| {decoder.name} | {link.name} | {crossing(decoder, link)} ranks | {n:,} | {1e3 * seconds:.2f} | {1e3 * alone:.1f} | {1e3 * trees:.2f} |")
    text.append("""
Milliseconds a token, memory + network:

| decoder, link | """ + " | ".join(f"{n:,}" for n in RANKS) + " |\n| --- |" + " --- |" * len(RANKS))
    for decoder in DECODERS:
        for link in LINKS[1:]:
            cells = (f"{1e3 * decoder.bytes_of(n) / MEMORY:.2f} + {1e3 * decoder.network(link, n):.2f}" for n in RANKS)
            text.append(f"| {decoder.name}, {link.name.split(',')[0]} | " + " | ".join(cells) + " |")
    text.append(f"""
## Checked by a transport that sleeps

`tests/dist/link.c` is rank 0 of as many as one likes; an exchange takes as long as its messages and bytes would on a link, here
a slow one, beside which the load of the machine is little. `buddy run --tensor-parallel N` cuts a program of {LAYERS} MLPs for N, and runs
rank 0's part over it. What the links charge is what the model says, to the message and the byte (`--check`, a test of the suite `dist`); beside it, how much longer a run took,
by the clock of a machine that others use.

| ranks | each of the {LAYERS} sums | a message, µs | KB a second | model, ms | charged, ms | by the clock, ms |
| --- | --- | --- | --- | --- | --- | --- |""")
    text += sleeping
    text.append(f"""
## Beside real ranks

A sum by two ranks of 1 KB and one of 1 MB give a latency and a bandwidth, reduction included. Where there are more ranks than processors
({os.cpu_count()} here), those of one processor do their part one after the other, and each exchange waits for as many turns; a sum of 1 KB by four ranks
tells what a turn costs. What that says of other sums is beside what was measured (µs; the least of three medians of 40 runs of 8 sums,
{"which ran before the other processes of the machine" if before_others() else "on a machine that others use"}). It is no clock: how MPI sends changes with the size, a guest's
processors move on their host (the same sum of 64 KB takes 18 or 48 µs, and so does MPI_Allreduce: [sums](../../tests/bench/README.md#sums-over-ranks)), and four ranks
on two processors say nothing of four processors.

| MPI | ranks | a sum of | model, µs | measured, µs | measured over model |
| --- | --- | --- | --- | --- | --- |""")
    return "\n".join(text + real) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--check", action="store_true", help="check the model by the transport that sleeps, and write nothing")
    parser.add_argument("--output", type=Path, default=ROOT / "sdk" / "docs" / "ranks_scale.md")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if args.check:
            print("\n".join(by_sleeping(args.build.resolve(), Path(name), sleeps=False)))
        else:
            args.output.write_text(page(args.build.resolve(), Path(name)))


if __name__ == "__main__":
    main()
