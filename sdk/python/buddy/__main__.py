# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``python -m buddy`` is the ``buddy`` command; ``golden``, which needs PyTorch, is a verb of its own, and so is the reference
``eager`` of ``bisect``.
"""

import os
import sys

from buddy._paths import command


def main() -> None:
    """Becomes the command, with the arguments of this process, unless PyTorch is to run."""
    if sys.argv[1:2] == ["golden"]:
        from buddy._golden import main as golden

        golden(sys.argv[2:])
        return
    words = sys.argv[2:]
    if sys.argv[1:2] == ["bisect"] and ("--against=eager" in words or ("--against", "eager") in zip(words, words[1:])):
        from buddy._bisect import main as bisect

        sys.exit(bisect(words))
    program = command()
    if program is None:
        sys.exit("buddy: the command is not part of this installation")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
