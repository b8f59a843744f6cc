# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""buddy.config: settings of a buddy.toml, when they are asked for."""

import os
import subprocess
import sys

SCRIPT = """
import ctypes, sys
import buddy
from buddy.errors import BuddyError
try:
    if len(sys.argv) > 1:
        buddy.config(sys.argv[1] or None)
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_char_p
    print(libc.getenv(b"BUDDY_REGISTRIES"))
except BuddyError as error:
    print("refused:", error)
"""


def run(folder, *words, **variables):
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("BUDDY_", "XDG_"))}
    done = subprocess.run([sys.executable, "-c", SCRIPT, *words], cwd=folder, capture_output=True, text=True, check=True,
                          env=clean | {"HOME": str(folder / "home")} | variables, timeout=100)
    return done.stdout.strip()


def test_nothing_happens_unless_asked(tmp_path):
    (tmp_path / "buddy.toml").write_text('registries = ["linalg", "*"]\n')
    assert run(tmp_path) == "None"
    assert run(tmp_path, "") == "b'linalg:*'"
    assert run(tmp_path, "", BUDDY_REGISTRIES="func") == "b'func'"


def test_a_named_file(tmp_path):
    (tmp_path / "own.toml").write_text("registries = 'math'\n")
    assert run(tmp_path, "own.toml") == "b'math'"
    (tmp_path / "own.toml").write_text("registries = 3\n")
    assert "own.toml:1" in run(tmp_path, "own.toml")
