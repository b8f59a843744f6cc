"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import os
import tempfile


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes to a temporary name in the same folder, and renames it."""
    folder, name = os.path.split(os.path.abspath(os.fspath(path)))
    handle, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
