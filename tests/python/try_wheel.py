"""Tries a wheel as a new user would: a new virtual environment, the quick start, and no library from outside of it.

    python tests/python/try_wheel.py sdk/python/dist/*.whl

PyTorch is lent by the interpreter that runs this, so that nothing is downloaded. Prints how long the quick start took and
how large the wheel is; the exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import torch

QUICK_START = Path(__file__).resolve().parent.parent.parent / "examples" / "python" / "quick_start.py"
CHECK = """
import sys
import torch
from buddy.compiler.frontend import DynamoCompiler
compiler = DynamoCompiler(registries="vendor:tosa:*")
x = torch.randn(4, 8)
model = torch.nn.Linear(8, 3)
compiler.importer(model, x)
assert (compiler.dynamo_run()(x) - model(x)).abs().max() < 1e-5
assert torch.allclose(torch.compile(model, backend="buddy")(x), model(x), atol=1e-5)
maps = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
ours = sorted(path for path in maps if any(name in path for name in
              ("buddy", "libLLVM", "libMLIR", "libdnnl", "libminizip", "libsimdjson", "libjansson")))
outside = [path for path in ours if not path.startswith(sys.prefix)]
assert ours and not outside, outside
"""


def main() -> int:
    wheel = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        site = next((Path(folder) / "lib").glob("python*")) / "site-packages"
        (site / "lent.pth").write_text(str(Path(torch.__file__).parent.parent) + "\n")
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder}
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--disable-pip-version-check", wheel], check=True)
        start = time.monotonic()
        subprocess.run([python, QUICK_START], check=True, env=environment, cwd=folder)
        seconds = time.monotonic() - start
        subprocess.run([python, "-c", CHECK], check=True, env=environment, cwd=folder)
        subprocess.run([python, "-m", "buddy", "registries"], check=True, env=environment, cwd=folder)
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.0f} MB; quick start {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
