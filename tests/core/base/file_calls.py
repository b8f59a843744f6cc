# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files are read by core/base/infile.c and written by core/base/outfile.c: no other source calls the system for one.

    python3 tests/core/base/file_calls.py SOURCE_FOLDER
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CALLS = ("fopen", "freopen", "fdopen", "tmpfile", "open", "open64", "openat", "creat", "mkstemp", "mkostemp", "mkdtemp", "rename",
         "renameat", "renameat2", "link", "linkat", "mmap", "memfd_create", "ftruncate", "posix_fallocate", "writeArchive")
CALL = re.compile(r"(?<![\w.>\"'])(?:::)?(" + "|".join(CALLS) + r")\s*\(")
CXX_STREAM = re.compile(r"\b(?:std::[io]?fstream|raw_fd_ostream|FileOutputBuffer)\b")
ALLOWED = {
    "core/base/infile.c": {"fdopen", "openat", "mmap"},
    "core/base/outfile.c": {"open", "openat", "linkat", "renameat", "memfd_create"},
    "core/registry/segments.c": {"fopen"},  # /proc/self/maps, which has no size
    "sdk/cli/check/child.c": {"open", "fdopen"},  # /dev/null and a pipe, in a child
    "sdk/cli/main.c": {"open"},  # /dev/null, for a standard stream that is closed
    "sdk/cli/outfolder.c": {"rename", "renameat2"},  # a folder, which appears when it is whole
    "sdk/cli/reduce.c": {"mkdtemp"},  # a folder of its own
    "sdk/cli/reduce/trial.c": {"open"},  # /dev/null, in a child
    "sdk/model/store.c": {"open", "openat"},  # the folder of the cache
}


def calls_of(text: str) -> list[tuple[int, str]]:
    """Lines and names of the calls, comments and strings left out."""
    blank = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
    code = blank.sub(lambda match: '""' + "\n" * match[0].count("\n"), text)
    found = []
    for number, line in enumerate(code.split("\n"), 1):
        found += [(number, match[1]) for match in CALL.finditer(line)] + [(number, match[0]) for match in CXX_STREAM.finditer(line)]
    return found


def main(root: Path) -> int:
    problems, n_files, used = [], 0, set()
    for folder in ("core", "sdk", "plugins"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".c", ".cc", ".cpp", ".h", ".hpp") or "template" in path.parts:
                continue
            n_files += 1
            name = path.relative_to(root).as_posix()
            for line, call in calls_of(path.read_text()):
                if call in ALLOWED.get(name, ()):
                    used.add((name, call))
                else:
                    problems.append(f"{name}:{line}: {call}: read through core/base/infile.h, write through core/base/outfile.h")
    unused = {(name, call) for name, calls in ALLOWED.items() for call in calls} - used
    problems += [f"{name}: {call} is allowed, and not called any more" for name, call in sorted(unused)]
    if n_files < 100:
        problems.append(f"only {n_files} sources were found")
    print("\n".join(problems) or f"{n_files} sources, no other way to files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
