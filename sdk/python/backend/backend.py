# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The build backend: scikit-build-core over the tree's own CMakeLists.txt, wherever it lies.

In a checkout the tree is two folders up. An sdist carries it below ``tree/``, copied there while it is made.
"""

from __future__ import annotations

import re
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

from scikit_build_core import build as _build

PROJECT = Path(__file__).resolve().parent.parent
PARTS = ["CMakeLists.txt", "README.md", "core", "examples", "include", "plugins", "sdk"]


def _tree() -> Path:
    inner = PROJECT / "tree"
    return inner if (inner / "CMakeLists.txt").is_file() else PROJECT.parent.parent


def dynamic_metadata(field: str, settings: dict | None = None) -> str:
    """The version is CMake's, and stands nowhere else."""
    text = (_tree() / "CMakeLists.txt").read_text()
    found = re.search(r"project\(buddy\s+VERSION\s+(\d+\.\d+\.\d+)", text)
    if field != "version" or found is None:
        raise RuntimeError("CMakeLists.txt does not say project(buddy VERSION …)")
    return found[1]


def _settings(given: dict | None) -> dict:
    return {"cmake.source-dir": str(_tree()), **(given or {})}


@contextmanager
def _told_what_is_needed():
    """CMake says which file it misses; where that comes from is said here."""
    try:
        yield
    except SystemExit:
        script = _tree() / "examples" / "packages.sh"
        print(f"buddy is compiled from C, and needs LLVM, MLIR and other packages: `sh {script} python3-dev` installs "
              "those that are missing (Debian 12; as root, or by sudo). A wheel needs none.", file=sys.stderr)  # fmt: skip
        raise


def build_wheel(folder, config_settings=None, metadata_directory=None):
    with _told_what_is_needed():
        return _build.build_wheel(folder, _settings(config_settings), metadata_directory)


def build_editable(folder, config_settings=None, metadata_directory=None):
    with _told_what_is_needed():
        return _build.build_editable(folder, _settings(config_settings), metadata_directory)


@contextmanager
def _copied_tree():
    inner = PROJECT / "tree"
    if _tree() == inner:
        yield
        return
    outer = _tree()
    made = {PROJECT / name for name in ("tree", "dist", "_skbuild")}  # plugins/dist is a source
    def ignore(folder, names):
        return [name for name in names if name == "__pycache__" or Path(folder, name) in made]

    try:
        inner.mkdir()
        for part in PARTS:
            source = outer / part
            if source.is_dir():
                shutil.copytree(source, inner / part, ignore=ignore)
            else:
                shutil.copy2(source, inner / part)
        yield
    finally:
        shutil.rmtree(inner, ignore_errors=True)


def build_sdist(folder, config_settings=None):
    with _copied_tree():
        return _build.build_sdist(folder, {"cmake.source-dir": "tree", **(config_settings or {})})


def get_requires_for_build_wheel(config_settings=None):
    return _build.get_requires_for_build_wheel(_settings(config_settings))


def get_requires_for_build_editable(config_settings=None):
    return _build.get_requires_for_build_editable(_settings(config_settings))


def get_requires_for_build_sdist(config_settings=None):
    return _build.get_requires_for_build_sdist(_settings(config_settings))
