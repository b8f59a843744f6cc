"""``python -m buddy`` is the ``buddy`` command; ``golden``, which needs PyTorch, is a verb of its own."""

import os
import sys

from buddy._paths import command


def main() -> None:
    """Becomes the command, with the arguments of this process, unless PyTorch is to run."""
    if sys.argv[1:2] == ["golden"]:
        from buddy._golden import main as golden

        golden(sys.argv[2:])
        return
    program = command()
    if program is None:
        sys.exit("buddy: the command is not part of this installation")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
