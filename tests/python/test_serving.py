# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of servers: many clients at the same time, and eager's numbers; skipped where a server is not installed."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
from torch.export import Dim

FOLDER = Path(__file__).resolve().parent.parent.parent / "examples" / "serve"


@pytest.fixture
def module(tmp_path):
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(16, 64), torch.nn.GELU(), torch.nn.Linear(64, 8)).eval()
    exported = torch.export.export(module, (torch.randn(4, 16),), dynamic_shapes=({0: Dim("batch", min=1, max=64)},))
    torch.export.save(exported, tmp_path / "model.pt2")
    return module


def ask(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return torch.tensor(json.loads(answer.read())["y"])


def wait_for(url, body, process):
    deadline = time.monotonic() + 120
    while True:
        assert process.poll() is None and time.monotonic() < deadline, "the server did not start"
        try:
            return ask(url, body)
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.5)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def hammer(url, module, inputs):
    """Eight clients; each answer is that of its own request."""
    with ThreadPoolExecutor(8) as pool, torch.no_grad():
        for x, y in zip(inputs, pool.map(lambda x: ask(url, {"x": x.tolist()}), inputs)):
            torch.testing.assert_close(y, module(x), rtol=1e-5, atol=1e-5)


def test_litserve(module, tmp_path):
    pytest.importorskip("litserve")
    port = free_port()
    process = subprocess.Popen([sys.executable, FOLDER / "litserve_api.py", tmp_path / "model.pt2", str(port)], cwd=tmp_path)
    try:
        url = f"http://127.0.0.1:{port}/predict"
        wait_for(url, {"x": [0.0] * 16}, process)
        hammer(url, module, [torch.randn(16) for _ in range(100)])
        with pytest.raises(urllib.error.HTTPError):
            ask(url, {"x": [0.0] * 15})
        hammer(url, module, [torch.randn(16)])
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def sockets():
    """A folder whose name is short enough for the names of Ray's sockets."""
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        yield folder


def test_ray_serve(module, tmp_path, sockets):
    pytest.importorskip("ray.serve")
    shutil.copy(FOLDER / "ray_serve.py", tmp_path)
    script = tmp_path / "start.py"
    port = free_port()
    script.write_text(
        f"import ray, time\nfrom ray import serve\nimport ray_serve\n"
        f"ray.init(num_cpus=2, include_dashboard=False, _temp_dir={sockets!r})\n"
        f"serve.start(http_options={{'host': '127.0.0.1', 'port': {port}}})\n"
        f"serve.run(ray_serve.app({{'model': {str(tmp_path / 'model.pt2')!r}}}))\n"
        f"time.sleep(600)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]),
                                "RAY_USAGE_STATS_ENABLED": "0"}  # fmt: skip
    process = subprocess.Popen([sys.executable, script], cwd=tmp_path, env=environment)
    try:
        url = f"http://127.0.0.1:{port}/"
        wait_for(url, {"x": [[0.0] * 16]}, process)
        hammer(url, module, [torch.randn(1 + i % 3, 16) for i in range(100)])
    finally:
        process.terminate()
        process.wait(30)
