# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries a wheel as a new user would: a new virtual environment, the quick start, and no library from outside of it.

    python tests/python/try_wheel.py sdk/python/dist/*.whl
    debootstrap --variant=minbase --include=python3,python3-venv bookworm ROOT
    python tests/python/try_wheel.py sdk/python/dist/*.whl --root ROOT       # without any package of this machine

PyTorch is lent by the interpreter that runs this, so that nothing is downloaded. Prints how long the quick start took and
how large the wheel is; the exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import resource
import shutil
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
import tempfile, buddy, os
with tempfile.TemporaryDirectory() as folder:
    torch.export.save(torch.export.export(model, (x,)), f"{folder}/model.pt2")
    assert os.system(f"{sys.executable} -m buddy compile {folder}/model.pt2 -o {folder}/model.so") == 0
    for name in ("model.so", "model.pt2"):
        assert (buddy.load(f"{folder}/{name}")(x) - model(x)).abs().max() < 1e-5
assert (compiler.compiled()(x) - model(x)).abs().max() < 1e-5
assert torch.allclose(torch.compile(model, backend="buddy")(x), model(x), atol=1e-5)
maps = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
ours = sorted(path for path in maps if any(name in path for name in
              ("buddy", "libLLVM", "libMLIR", "libdnnl", "libminizip", "libsimdjson", "libjansson")))
outside = [path for path in ours if not path.startswith(sys.prefix)]
assert ours and not outside, outside
"""


def create(folder: Path) -> Path:
    """A virtual environment with this interpreter's PyTorch. Gives its Python."""
    venv.create(folder, with_pip=True)
    site = next((folder / "lib").glob("python*")) / "site-packages"
    (site / "lent.pth").write_text(str(Path(torch.__file__).parent.parent) + "\n")
    return folder / "bin" / "python"


def cpu_seconds() -> float:
    """What the processes started so far have used: on a busy machine the time that passes says little."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_root(wheel: Path, root: Path) -> int:
    """Goes on in another root: this script is run there, over PyTorch of this interpreter, by that root's Python."""
    site, inner = Path(torch.__file__).parent.parent, root / "opt" / "trial"
    inner.mkdir(parents=True, exist_ok=True)
    for file in (wheel, QUICK_START, Path(__file__)):
        shutil.copy(file, inner)
    mounts = ((("--bind", site), inner / "lent"), (("-t", "proc", "proc"), root / "proc"))
    done = []
    try:
        for how, where in mounts:
            where.mkdir(exist_ok=True)
            subprocess.run(["mount", *how, where], check=True)
            done.append(where)
        command = ["/usr/bin/env", "-i", "HOME=/root", "PATH=/usr/bin:/bin", "PYTHONPATH=/opt/trial/lent", "python3"]
        script, wheel_there = f"/opt/trial/{Path(__file__).name}", f"/opt/trial/{wheel.name}"
        return subprocess.run(["chroot", root, *command, script, wheel_there]).returncode
    finally:
        for where in reversed(done):
            subprocess.run(["umount", where], check=True)
        shutil.rmtree(inner, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--root", type=Path, help="a bare system's root to try it in, as root: debootstrap makes one")
    options = parser.parse_args()
    wheel = options.wheel.resolve()
    if options.root:
        return in_root(wheel, options.root.resolve())
    beside = Path(__file__).with_name(QUICK_START.name)
    quick_start = beside if beside.exists() else QUICK_START
    with tempfile.TemporaryDirectory() as folder:
        python = create(Path(folder))
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder}
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--disable-pip-version-check", wheel], check=True)
        start, cpu = time.monotonic(), cpu_seconds()
        subprocess.run([python, quick_start], check=True, env=environment, cwd=folder)
        seconds, cpu = time.monotonic() - start, cpu_seconds() - cpu
        subprocess.run([python, "-c", CHECK], check=True, env=environment, cwd=folder)
        subprocess.run([python, "-m", "buddy", "registries"], check=True, env=environment, cwd=folder)
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.0f} MB; quick start {seconds:.1f} s, {cpu:.1f} s of CPU")
    return 0


if __name__ == "__main__":
    sys.exit(main())
