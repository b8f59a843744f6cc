# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the suite stands on: models, and a server that has all of them. BUDDY_BUILD names the build."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import models  # noqa: E402
import server  # noqa: E402

BUILD = Path(os.environ.get("BUDDY_BUILD", HERE.parent.parent / "build")).resolve()
BACKENDS = BUILD / "lib" / "buddy" / "triton"

try:
    BINARY = server.binary()
except FileNotFoundError:
    pytest.exit("SKIPPED: nvidia-pytriton, which has the server, is not installed: tests/serve/requirements.txt", returncode=0)

PARAMETER = 'parameters {{ key: "{0}" value {{ string_value: "{1}" }} }}'
WARM_UP = """model_warmup [{ name: "zeros" batch_size: 2 inputs { key: "x" value { data_type: TYPE_FP32 dims: [16] zero_data: true } } }]"""


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("archives")
    models.export_all(out)
    models.compile_library(BUILD / "bin" / "buddy", BUILD / "lib" / "libbuddy_runtime.so", out / "mlp.pt2", out / "ahead.so")
    return out


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A cache of the suite's own."""
    return os.environ | {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture(scope="session")
def served(archives: Path, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[server.Server]:
    """Each model under its own name, and the MLP again in other ways of serving it."""
    repository = tmp_path_factory.mktemp("repository")
    for name in models.modules():
        if name != "complex":
            server.write_model(repository, name, archives / f"{name}.pt2")
    mlp = archives / "mlp.pt2"
    server.write_model(repository, "ahead", archives / "ahead.so")
    server.write_model(repository, "many", mlp, "max_batch_size: 32 dynamic_batching {} instance_group { count: 4 kind: KIND_CPU }")
    server.write_model(repository, "patient", archives / "words.pt2",
                       "max_batch_size: 16 dynamic_batching { max_queue_delay_microseconds: 300000 preferred_batch_size: [ 12 ] }")
    server.write_model(repository, "warm", mlp, WARM_UP)
    server.write_model(repository, "numbered", mlp, """
        max_batch_size: 8
        input { name: "input_0" data_type: TYPE_FP32 dims: [ 16 ] }
        output { name: "output_0" data_type: TYPE_FP32 dims: [ 8 ] }""")
    server.write_model(repository, "unbatched", mlp, 'input { name: "x" data_type: TYPE_FP32 dims: [ -1, 16 ] }')
    server.write_model(repository, "second", archives / "two.pt2", PARAMETER.format("program", "second"))
    server.write_model(repository, "settled", mlp, "\n".join(PARAMETER.format(*pair) for pair in [
        ("registries", "linalg:*"), ("threads", "1"), ("optimize", "1"), ("verify", "true"), ("no-cache", "true"),
        ("pin", "aten.linear.default=linalg"), ("winograd", "never"), ("seed", "3")]))
    talks = "model_transaction_policy { decoupled: true }"
    server.write_model(repository, "talker", archives / "talker.pt2", talks)
    server.write_model(repository, "narrow", archives / "talker.pt2", f"""{talks} {PARAMETER.format("sessions", "2")}
        output {{ name: "output_0" data_type: TYPE_INT64 dims: [ 1 ] }}""")
    server.write_model(repository, "renamed", mlp, 'default_model_filename: "net.pt2"', "net.pt2")
    log = tmp_path_factory.mktemp("log") / "server.log"
    with server.Server(repository, BACKENDS, log, "--model-control-mode=explicit", "--load-model=*",
                       env=environment) as running:
        running.repository = repository
        yield running
    assert running.status == 0, running.log()[-3000:]
