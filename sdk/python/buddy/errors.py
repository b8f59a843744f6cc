# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions of buddy, and what the library says besides: warnings and notes go to ``logging``, logger ``buddy``."""

from __future__ import annotations

import logging
import os
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

logger = logging.getLogger("buddy")
logger.addHandler(logging.NullHandler())


# As core/base/shown.c has it, but for the ends of lines that a message has itself.
_HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def shown(text: str) -> str:
    """Text for a terminal: names come from archives, and may hold whatever moves a cursor or makes a text read as another."""
    return _HIDDEN.sub(lambda hidden: ascii(hidden[0])[1:-1], text)


@dataclass(frozen=True)
class Diagnostic:
    """One problem: where it is (file, node, the user's Python line), what it is, what to do."""

    severity: str  #: "error", "warning" or "note"
    code: str  #: "UNSUPPORTED", "INVALID_ARGUMENT", …
    where: str
    what: str
    todo: str

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text} ({self.todo})" if self.todo else text


class BuddyError(Exception):
    """Something that buddy could not do. ``diagnostics`` holds all the reasons, ``code`` the kind."""

    def __init__(self, message: str, code: str = "INTERNAL", diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(shown(message))
        self.code = code
        self.diagnostics = diagnostics


class InvalidArgumentError(BuddyError, ValueError):
    """The caller's input breaks a rule: a tensor of the wrong shape or dtype, an unknown option."""


class NotFoundError(BuddyError, LookupError):
    """A file, a registry or an op of that name does not exist."""


class UnsupportedError(BuddyError, NotImplementedError):
    """Well-formed, but beyond what buddy or any of its registries can do."""


class IncompatibleError(BuddyError):
    """Made by or for another version."""


class CorruptError(BuddyError):
    """Bytes that contradict themselves or their format."""


class LimitError(BuddyError):
    """Beyond a stated limit."""


class VerifyError(BuddyError):
    """What was built is not well-formed: a lowering is wrong."""


class FileError(BuddyError, OSError):
    """The operating system could not read or write, or path rules forbid it."""


class Declined(Exception):
    """Raised by a lowering written in Python: not mine; the next row is asked. The reason is kept for explain()."""


class GraphBreakWarning(UserWarning):
    """TorchDynamo split the function into several graphs."""


class LoweringWarning(UserWarning):
    """A lowering written in Python is not used, and another row stands in for it."""


_CLASSES = {
    "INVALID_ARGUMENT": InvalidArgumentError,
    "NOT_FOUND": NotFoundError,
    "UNSUPPORTED": UnsupportedError,
    "DECLINED": UnsupportedError,
    "INCOMPATIBLE": IncompatibleError,
    "PERMISSION": FileError,
    "IO": FileError,
    "CORRUPT": CorruptError,
    "CYCLE": InvalidArgumentError,
    "VERIFY_FAILED": VerifyError,
    "LIMIT": LimitError,
}
_SEVERITIES = ("error", "warning", "note")
_LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "note": logging.INFO}


def progress_or_log(progress: Callable[[str, float], Any] | None) -> Callable[[str, float], Any] | None:
    """What is told how far a compilation is: the function given, or else the log, where somebody listens to it. What it raises is raised
    where the compilation was asked for, once that is through."""
    if progress is not None and not callable(progress):
        raise InvalidArgumentError(f"progress={progress!r}: a function of a stage and a fraction is needed", "INVALID_ARGUMENT")
    if progress is None and logger.isEnabledFor(logging.INFO):
        return lambda stage, fraction: logger.info("compiling: %3.0f %%, %s", 100 * fraction, stage)
    return progress


def _read(items: list[tuple[int, str, str, str, str]]) -> list[Diagnostic]:
    return [Diagnostic(_SEVERITIES[severity], *rest) for severity, *rest in items]


def log_diagnostics(code: str, items: list[tuple[int, str, str, str, str]]) -> None:
    """Called by the extension: what a call that succeeded had to say."""
    for diagnostic in _read(items):
        logger.log(_LEVELS[diagnostic.severity], "%s", diagnostic)


def from_diagnostics(code: str, items: list[tuple[int, str, str, str, str]]) -> Exception:
    """Called by the extension: the exception for a call that failed."""
    if code == "OUT_OF_MEMORY":
        return MemoryError("buddy ran out of memory")
    diagnostics = _read(items)
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
    for diagnostic in diagnostics:
        if diagnostic.severity != "error":
            logger.log(_LEVELS[diagnostic.severity], "%s", diagnostic)
    lines = [str(diagnostic) for diagnostic in errors] or [code.lower().replace("_", " ")]
    message = lines[0] if len(lines) == 1 else f"{len(lines)} problems:\n  " + "\n  ".join(lines)
    return _CLASSES.get(code, BuddyError)(message, code, tuple(diagnostics))


def describe_exception(error: BaseException) -> tuple[bool, str]:
    """Called by the extension: whether a lowering has declined, and what is said of it."""
    if isinstance(error, Declined):
        return True, str(error) or "no reason given"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(os.path.dirname(os.path.abspath(__file__)))]
    place = f" at {own[-1].filename}:{own[-1].lineno} `{own[-1].line}`" if own else ""
    return False, f"{type(error).__name__}: {' '.join(str(error).split())}{place}"
