# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the parts of the installation lie: in a wheel below this package, in a build tree beside it."""

from __future__ import annotations

import os
from pathlib import Path


def command() -> str | None:
    """Path of the ``buddy`` program."""
    package = Path(os.path.abspath(__file__)).parent  # not resolved: a build tree links the sources
    for folder in (package / "bin", package.parent.parent / "bin"):
        if (folder / "buddy").is_file():
            return str(folder / "buddy")
    return None
