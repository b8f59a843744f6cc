# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads, asks and unloads a model again and again under Triton, and fits a line to the server's memory: a day of a load a minute is 1440.

    PYTHONPATH=PACKAGES BUDDY_PYTHON tests/bench/serving/cycles.py --build build [--cycles 600] [--ways cache library jit] [--out FOLDER]

After each cycle the server's RssAnon is noted. Told are KiB a cycle by least squares over the second half, what memory was after a tenth
and at the end, and cycles a second; FOLDER gets WAY.csv and WAY.svg. PACKAGES: tests/serve/requirements.txt, installed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import tritonclient.http as triton

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "serve"))

import models  # noqa: E402
import server  # noqa: E402

NO_CACHE = 'parameters { key: "no-cache" value { string_value: "true" } }'


def ask(running: server.Server, x: np.ndarray) -> np.ndarray:
    with triton.InferenceServerClient(running.http) as client:
        tensor = triton.InferInput("x", x.shape, "FP32")
        tensor.set_data_from_numpy(x)
        result = client.infer("mlp", [tensor])
        return result.as_numpy(result.get_response()["outputs"][0]["name"])


def cycle(running: server.Server, n: int, x: np.ndarray, wanted: np.ndarray) -> list[int]:
    kib = []
    for _ in range(n):
        if running.load("mlp")[0] != 200:
            sys.exit(running.log()[-2000:])
        if abs(ask(running, x) - wanted).max() > 1e-5:
            sys.exit("other numbers")
        running.unload("mlp")
        kib.append(running.memory() >> 10)
    return kib


def draw(kib: list[int], path: Path) -> None:
    """Memory over cycles; the scale begins at nothing."""
    points = " ".join(f"{800 * i / len(kib):.1f},{300 - 280 * y / max(kib):.1f}" for i, y in enumerate(kib))
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 320"><rect width="800" height="320" fill="white"/>'
                    f'<polyline points="{points}" fill="none" stroke="black"/><text x="4" y="315" font-size="12">{len(kib)} cycles; '
                    f"the largest RssAnon {max(kib)} KiB</text></svg>\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--cycles", type=int, default=600)
    parser.add_argument("--ways", nargs="+", default=["cache", "library"], choices=["cache", "library", "jit"])
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    build = args.build.resolve()
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        out = args.out or folder
        out.mkdir(parents=True, exist_ok=True)
        models.export_all(folder)
        models.compile_library(build / "bin" / "buddy", build / "lib" / "libbuddy_runtime.so", folder / "mlp.pt2", folder / "ahead.so")
        module, inputs, _ = models.modules()["mlp"]
        x, wanted = inputs[0].numpy(), module.eval()(inputs[0]).detach().numpy()
        for way in args.ways:
            repository = folder / way
            server.write_model(repository, "mlp", folder / ("ahead.so" if way == "library" else "mlp.pt2"), NO_CACHE if way == "jit" else "")
            with server.Server(repository, build / "lib" / "buddy" / "triton", folder / "log", "--model-control-mode=explicit",
                               env=os.environ | {"XDG_CACHE_HOME": str(folder / "cached")}) as running:
                start = time.monotonic()
                kib = cycle(running, args.cycles, x, wanted)
                seconds = time.monotonic() - start
            half = kib[len(kib) // 2:]
            slope = np.polyfit(np.arange(len(half)), half, 1)[0]
            (out / f"{way}.csv").write_text("\n".join(map(str, kib)) + "\n")
            draw(kib, out / f"{way}.svg")
            print(f"{way:<8} {len(kib)} cycles, {len(kib) / seconds:.1f} a second: RssAnon {kib[len(kib) // 10]} KiB after a tenth, {kib[-1]} at the end, "
                  f"{slope:+.3f} KiB a cycle over the second half", flush=True)


if __name__ == "__main__":
    main()
