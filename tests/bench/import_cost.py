# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an import costs: CPU time of the whole process, and its private dirty memory, for archives and for growing graphs.

    python3 tests/bench/import_cost.py --buddy build/bin/buddy [ARCHIVE.pt2]… [--scaling 1000,10000,100000] [--repeat 5]

Time is user + system time as the kernel counts it, the median of the repeats. Memory is read from smaps_rollup while the
process waits to write the module, so graph and module are both alive. `--scaling` makes archives of N additions from the
example's archive and shows the time per node, which stays the same if everything is linear. The first row is `buddy
registries`, which loads no LLVM, the second an archive of one op: what starting costs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from archive import rewrite  # noqa: E402

EXAMPLE = ROOT / "examples" / "models" / "lenet5.pt2"


def cpu_seconds(command: list[str]) -> float:
    """User + system time of one run."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        assert process.stderr is not None
        sys.exit(f"{' '.join(command)}: {process.stderr.read().decode()}")
    return usage.ru_utime + usage.ru_stime


def private_dirty_mb(command: list[str]) -> float:
    """Private dirty memory when the output pipe is full: the module is being written, everything is alive."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    highest = 0.0
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        try:
            rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
            state = Path(f"/proc/{process.pid}/wchan").read_text()
        except OSError:
            break
        dirty = [int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_Dirty")]
        highest = max([highest, *(kb / 1024 for kb in dirty)])
        if "pipe" in state:
            break
        time.sleep(0.002)
    process.kill()
    process.wait()
    return highest


def chain_archive(path: Path, n: int) -> None:
    """The example's archive with its program replaced by x + x + … of n nodes, and no weights."""

    def edit(name: str, data: bytes) -> bytes | None:
        if name.endswith("models/model.json"):
            return chain_program(data, n)
        if name.endswith("_config.json"):
            return json.dumps(json.loads(data) | {"config": {}}).encode()
        return None if "/weight_" in name else data

    rewrite(EXAMPLE, path, edit)


def chain_program(data: bytes, n: int) -> bytes:
    program = json.loads(data)
    graph = program["graph_module"]["graph"]
    signature = program["graph_module"]["signature"]
    user = next(spec["user_input"]["arg"]["as_tensor"]["name"] for spec in signature["input_specs"]
                if "user_input" in spec)
    metadata = graph["nodes"][0]["metadata"]
    meta = graph["tensor_values"][user]
    nodes, last = [], user
    for k in range(n):
        name = f"add_{k}"
        nodes.append({
            "target": "torch.ops.aten.add.Tensor",
            "inputs": [{"name": key, "arg": {"as_tensor": {"name": last}}, "kind": 1} for key in ("self", "other")],
            "outputs": [{"as_tensor": {"name": name}}], "metadata": metadata, "is_hop_single_tensor_return": None,
            "name": name})
        graph["tensor_values"][name] = meta
        last = name
    graph["nodes"] = nodes
    graph["outputs"] = [{"as_tensor": {"name": last}}]
    signature["input_specs"] = [spec for spec in signature["input_specs"] if "user_input" in spec]
    graph["inputs"] = [{"as_tensor": {"name": user}}]
    signature["output_specs"] = [{"user_output": {"arg": {"as_tensor": {"name": last}}}}]
    return json.dumps(program).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--buddy", required=True)
    parser.add_argument("--scaling", default="1000,10000,100000")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("archives", nargs="*")
    args = parser.parse_args()
    print(f"{'':40} {'CPU ms':>8} {'us/node':>8} {'private dirty MB':>17}")

    def row(label: str, command: list[str], nodes: int = 0) -> None:
        milliseconds = statistics.median(cpu_seconds(command) for _ in range(args.repeat)) * 1e3
        each = f"{milliseconds * 1e3 / nodes:8.1f}" if nodes else " " * 8
        print(f"{label:40} {milliseconds:8.1f} {each} {private_dirty_mb(command):17.1f}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        row("buddy registries", [args.buddy, "registries"])
        for n in [1, *(int(word) for word in args.scaling.split(",") if word)]:
            path = Path(folder) / f"chain_{n}.pt2"
            chain_archive(path, n)
            row(f"{n} additions", [args.buddy, "import", str(path)], n if n > 1 else 0)
        for archive in args.archives:
            row(Path(archive).name, [args.buddy, "import", archive])


if __name__ == "__main__":
    main()
