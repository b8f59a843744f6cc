# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One contender, one model, one process: does what measure.py asks for, a line of JSON each way.

    python worker.py CONTENDER STEM THREADS OPTIONS-AS-JSON

It starts by importing, reading, compiling and running once, and tells how long each took; then come requests:

    {"do": "time", "seconds": 0.4, "least": 3}   → {"wall": [s, …], "cpu": s of one run, on all threads}
    {"do": "outputs", "folder": DIR}             → {}, and DIR/output_K.npy
    {"do": "end"}
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from contenders import CONTENDERS, Contender


def reply(channel: int, value: dict[str, Any]) -> None:
    os.write(channel, (json.dumps(value) + "\n").encode())


def load_inputs(stem: Path) -> list[Any]:
    import numpy

    count = len(list(stem.parent.glob("input_*.npy")))
    return [numpy.load(stem.parent / f"input_{k}.npy") for k in range(count)]


def prepare(contender: Contender, stem: Path) -> dict[str, float]:
    """Up to the first result; seconds of each phase."""
    clock = time.perf_counter
    inputs = load_inputs(stem)
    times = [clock()]
    for step in (contender.start, contender.read, lambda: contender.compile(inputs), contender.run):
        step()
        times.append(clock())
    names = ("import", "read", "compile", "first")
    return {name: after - before for name, before, after in zip(names, times, times[1:], strict=False)}


def measure(contender: Contender, seconds: float, least: int) -> dict[str, Any]:
    wall: list[float] = []
    contender.run()  # what others left in the caches of the processor is not this one's
    cpu = time.process_time()
    end = time.perf_counter() + seconds
    while len(wall) < least or time.perf_counter() < end:
        start = time.perf_counter()
        contender.run()
        wall.append(time.perf_counter() - start)
    return {"wall": wall, "cpu": (time.process_time() - cpu) / len(wall)}


def write_outputs(contender: Contender, folder: Path) -> None:
    import numpy

    folder.mkdir(parents=True, exist_ok=True)
    for k, array in enumerate(contender.arrays(contender.run())):
        numpy.save(folder / f"output_{k}.npy", array)


def main() -> None:
    name, stem, threads, options = sys.argv[1:]
    # Libraries print what they like; the answers go elsewhere.
    channel = os.dup(1)
    os.dup2(2, 1)
    contender = CONTENDERS[name](Path(stem), int(threads), json.loads(options))
    reply(channel, {"phases": prepare(contender, Path(stem))})
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "time":
            reply(channel, measure(contender, request["seconds"], request["least"]))
        elif request["do"] == "outputs":
            write_outputs(contender, Path(request["folder"]))
            reply(channel, {})
        else:
            break
    # Leaving tidily is not what is measured, and some libraries take long.
    os._exit(0)


if __name__ == "__main__":
    main()
