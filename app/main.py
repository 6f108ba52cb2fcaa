"""The entry point: the command as a process of its own.

0 is success, 2 is bad input, 1 is a fault of the machine, 130 is Ctrl-C, 143 SIGTERM.
"""

import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NoReturn

from bearoff.app.interruption import CTRL_C, Signals, came_of_an_interruption

_SPARED = {"scipy", "cffi", "yaml", "colorama"}
"""Libraries that numba uses where they are installed, and none of our kernels needs."""


class _NumbaAlone:
    """Finds none of the spared libraries for numba, and leaves all else to Python.

    They take a twentieth of the time of a short command.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: ModuleType | None = None) -> None:
        """Refuse a library if it is numba that imports it."""
        if name not in _SPARED:
            return
        frame = sys._getframe(1)
        while frame.f_back and frame.f_globals["__name__"].startswith("importlib."):
            frame = frame.f_back
        if frame.f_globals["__name__"].partition(".")[0] == "numba":
            raise ModuleNotFoundError(f"numba needs no {name} here", name=name)


def main() -> NoReturn:
    """Run the command `bearoff` as this process, which Ctrl-C and SIGTERM may stop."""

    def bearoff(argv: Sequence[str]) -> int:
        from bearoff.app.run import run  # Slow enough to be interrupted.

        return run(argv)

    sys.meta_path.insert(0, _NumbaAlone)
    as_process(bearoff)


def as_process(program: Callable[[Sequence[str]], int]) -> NoReturn:
    """Run a program with this process's arguments, and end the process.

    Ctrl-C and SIGTERM may stop it.

    Parameters
    ----------
    program : callable
        Takes the arguments after the program's name and returns the exit code.
    """
    signals = Signals()
    signals.watch()
    signals.leave(_code_of(program, signals))


def _code_of(program: Callable[[Sequence[str]], int], signals: Signals) -> int:
    """Run a program; return its exit code."""
    try:
        return signals.finish(program(sys.argv[1:]))
    except BaseException as error:
        # Before the command began, while it said how it ended, or in what a library has
        # called back, so that the library went on and failed.
        pressed = isinstance(error, KeyboardInterrupt)
        if not pressed and not came_of_an_interruption(error):
            raise
        from bearoff.app.output import note

        note("interrupted")
        return signals.finish(CTRL_C)


if __name__ == "__main__":
    main()
