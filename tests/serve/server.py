# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Triton server over a model repository of the tests."""

from __future__ import annotations

import importlib.util
import json
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path


def binary() -> Path:
    """The server of nvidia-pytriton, whose Python part is not imported: it wants more packages."""
    spec = importlib.util.find_spec("pytriton")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("nvidia-pytriton is not installed")
    return Path(next(iter(spec.submodule_search_locations))) / "tritonserver" / "bin" / "tritonserver"


def free_ports(n: int) -> list[int]:
    sockets = [socket.socket() for _ in range(n)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def write_model(repository: Path, name: str, file: Path | None, config: str = "", as_name: str = "") -> Path:
    """A folder with the model's file, linked, and a configuration that names the backend, and whatever is given besides."""
    folder = repository / name
    (folder / "1").mkdir(parents=True, exist_ok=True)
    if file is not None:
        for part in [file, file.with_suffix(".weights")] if file.suffix == ".so" else [file]:
            target = folder / "1" / (as_name or f"model{file.suffix}" if part == file else part.name)
            target.unlink(missing_ok=True)
            target.hardlink_to(part)
    (folder / "config.pbtxt").write_text(f'backend: "buddy"\n{config}\n')
    return folder


class Server:
    """with Server(repository, backends) as server: server.http is host and port."""

    patience = 60.0  # seconds until it has to be ready

    def __init__(self, repository: Path, backends: Path, log: Path, *options: str, env: dict[str, str] | None = None) -> None:
        http, grpc, metrics = free_ports(3)
        self.http, self.grpc, self.metrics = (f"127.0.0.1:{port}" for port in (http, grpc, metrics))
        self.log_path = log
        addresses = [f"--{kind}-address=127.0.0.1" for kind in ("http", "grpc", "metrics")]
        command = [str(binary()), f"--model-repository={repository}", f"--backend-directory={backends}", f"--http-port={http}",
                   f"--grpc-port={grpc}", f"--metrics-port={metrics}", *addresses, "--exit-on-error=false",
                   "--strict-readiness=false", *options]
        with log.open("w") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=env)

    def __enter__(self) -> Server:
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline and self.is_alive():
            try:
                if self.get("/v2/health/ready")[0] == 200:
                    return self
            except OSError:
                pass
            time.sleep(0.1)
        self.__exit__()
        raise RuntimeError(f"the server did not start:\n{self.log()[-3000:]}")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.status = self.process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.status = self.process.wait()

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def log(self) -> str:
        return self.log_path.read_text(errors="replace")

    def memory(self) -> int:
        """Bytes of the process that no file stands behind."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+) kB", status)[1]) << 10

    def get(self, path: str, port: str = "") -> tuple[int, str]:
        return self.ask(urllib.request.Request(f"http://{port or self.http}{path}"))

    def post(self, path: str, body: object) -> tuple[int, str]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask(urllib.request.Request(f"http://{self.http}{path}", data=data, method="POST"))

    def ask(self, request: urllib.request.Request) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(errors="replace")

    def load(self, name: str) -> tuple[int, str]:
        return self.post(f"/v2/repository/models/{name}/load", {})

    def unload(self, name: str) -> tuple[int, str]:
        """Waits until the model is gone, which the answer does not."""
        answer = self.post(f"/v2/repository/models/{name}/unload", {})
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            index = json.loads(self.post("/v2/repository/index", {})[1])
            states = {one["state"] for one in index if one["name"] == name and "state" in one}
            if states <= {"UNAVAILABLE"} and "UNLOADING" not in states:
                return answer
            time.sleep(0.02)
        raise RuntimeError(f"{name} stays loaded")
