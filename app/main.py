"""The entry point: the command as a process of its own.

0 is success, 2 is bad input, 1 is a fault of the machine, 130 is Ctrl-C, 143 SIGTERM.
"""

import sys
from collections.abc import Callable, Sequence

from app.interruption import CTRL_C, Signals


def main() -> int:
    """Run the command `bearoff` as this process, which Ctrl-C and SIGTERM may stop.

    Returns
    -------
    int
        The exit code.
    """

    def bearoff(argv: Sequence[str]) -> int:
        from app.run import run  # Slow enough to be interrupted.

        return run(argv)

    return as_process(bearoff)


def as_process(program: Callable[[Sequence[str]], int]) -> int:
    """Run a program with this process's arguments; Ctrl-C and SIGTERM may stop it.

    Parameters
    ----------
    program : callable
        Takes the arguments after the program's name and returns the exit code.

    Returns
    -------
    int
        The exit code.
    """
    signals = Signals()
    signals.watch()
    try:
        return signals.finish(program(sys.argv[1:]))
    except KeyboardInterrupt:  # Before the command began, or while it said how it ended.
        from app.output import note

        note("interrupted")
        return signals.finish(CTRL_C)


if __name__ == "__main__":
    sys.exit(main())
