"""``python -m buddy`` is the ``buddy`` command."""

import os
import sys

from buddy._paths import command


def main() -> None:
    """Becomes the command, with the arguments of this process."""
    program = command()
    if program is None:
        sys.exit("buddy: the command is not part of this installation")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
