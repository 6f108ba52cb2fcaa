"""The entry point: the command as a process of its own.

0 is success, 2 is bad input, 1 is a fault of the machine, 130 is Ctrl-C, 143 SIGTERM.
"""

import sys

from app.interruption import CTRL_C, Signals


def main() -> int:
    """Run the command `bearoff` as this process, which Ctrl-C and SIGTERM may stop.

    Returns
    -------
    int
        The exit code.
    """
    signals = Signals()
    signals.watch()
    try:
        from app.run import run  # Slow enough to be interrupted.

        return signals.finish(run(sys.argv[1:]))
    except KeyboardInterrupt:  # Before the command began, or while it said how it ended.
        from app.output import note

        note("interrupted")
        return signals.finish(CTRL_C)


if __name__ == "__main__":
    sys.exit(main())
