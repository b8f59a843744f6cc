# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites .pt2 archives the way torch writes them: stored, and every entry's bytes at a multiple of 64."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

ALIGNMENT = 64


def program_name(archive: zipfile.ZipFile) -> str:
    return next(name for name in archive.namelist() if name.endswith("models/model.json"))


def stored(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Adds an entry."""
    info = zipfile.ZipInfo(name)
    assert archive.fp is not None
    start = archive.fp.tell() + 30 + len(name.encode()) + 4
    padding = -start % ALIGNMENT
    info.extra = struct.pack("<HH", 0xFFFF, padding) + bytes(padding)
    archive.writestr(info, data)


def rewrite(old_path: Path, new_path: Path, edit: Callable[[str, bytes], bytes | None]) -> None:
    """Copies an archive; `edit` gets each entry's name and bytes and returns the new bytes, or None to leave it out."""
    with zipfile.ZipFile(old_path) as old, zipfile.ZipFile(new_path, "w", zipfile.ZIP_STORED) as new:
        for name in old.namelist():
            data = edit(name, old.read(name))
            if data is None:
                continue
            stored(new, name, data)
