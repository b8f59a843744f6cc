# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings of a buddy.toml, which no import of this package reads by itself."""

from __future__ import annotations

import os

from buddy import _buddy


def config(path: str | os.PathLike[str] | None = None) -> None:
    """Takes the settings of a team's ``buddy.toml``, as the ``buddy`` command does, for what this process does from now on.

    ``path`` names the file; without it the nearest one from the current directory upward counts, or what ``BUDDY_CONFIG``
    names. Variables of the environment that are set win. It has to be asked for, since such a file may name plugins, and
    lies wherever a program was started. Call it before there are other threads.
    """
    _buddy.config(None if path is None else os.fspath(path))
