"""buddy brings PyTorch programs to MLIR, and runs them.

    from buddy.compiler.frontend import DynamoCompiler      # import functions, models, .pt2 files; run them
    torch.compile(model, backend="buddy")                   # needs no import of this package
    python -m buddy explain model.pt2                       # the command

The work is done by the C libraries of buddy; this package is a thin layer over them.
"""

from buddy._buddy import __version__
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
    NotFoundError,
    UnsupportedError,
    VerifyError,
)

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
    "NotFoundError",
    "UnsupportedError",
    "VerifyError",
    "__version__",
]
