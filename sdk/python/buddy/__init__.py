# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""buddy brings PyTorch programs to MLIR, and runs them.

    from buddy.compiler.frontend import DynamoCompiler      # import functions, models, .pt2 files; run them
    torch.compile(model, backend="buddy")                   # needs no import of this package
    buddy.load("model.so")                                  # what `buddy compile` wrote, or a .pt2 file
    python -m buddy explain model.pt2                       # the command

The work is done by the C libraries of buddy; this package is a thin layer over them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from buddy._buddy import __version__
from buddy._config import config
from buddy.errors import (
    BuddyError,
    CorruptError,
    Declined,
    Diagnostic,
    FileError,
    GraphBreakWarning,
    IncompatibleError,
    InvalidArgumentError,
    LimitError,
    LoweringWarning,
    NotFoundError,
    UnsupportedError,
    VerifyError,
)

if TYPE_CHECKING:
    from buddy._bisect import bisect
    from buddy.model import Model, Port, extra_files, load, load_programs, programs
    from buddy.session import Session, step_all

__all__ = [
    "BuddyError",
    "CorruptError",
    "Declined",
    "Diagnostic",
    "FileError",
    "GraphBreakWarning",
    "IncompatibleError",
    "InvalidArgumentError",
    "LimitError",
    "LoweringWarning",
    "Model",
    "NotFoundError",
    "Port",
    "Session",
    "UnsupportedError",
    "VerifyError",
    "__version__",
    "bisect",
    "config",
    "extra_files",
    "load",
    "load_programs",
    "programs",
    "step_all",
]


def __getattr__(name: str) -> Any:
    """What needs PyTorch is imported when it is asked for: the command, ``python -m buddy``, does not."""
    if name in ("Model", "Port", "extra_files", "load", "load_programs", "programs"):
        from buddy import model

        return getattr(model, name)
    if name == "bisect":
        from buddy._bisect import bisect

        return bisect
    if name in ("Session", "step_all"):
        from buddy import session

        return getattr(session, name)
    raise AttributeError(f"module 'buddy' has no attribute {name!r}")
