"""Entry point of the command as a process.

Exit codes: 0 success, 2 bad input, 1 machine fault, 130 Ctrl-C, 143 SIGTERM.
"""

import gc
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NoReturn

from bearoff.app.interruption import CTRL_C, Signals, came_of_an_interruption

_SPARED = {"scipy", "cffi", "yaml", "colorama"}
"""Optional libraries of numba that this project does not use."""

_OBJECTS = 300_000
"""Number of allocated objects after which Python's garbage collector runs. The number is
large because most objects of a short command come from imports, and stay in use until the
end."""


class _NumbaAlone:
    """Import hook that makes the libraries in `_SPARED` unavailable to numba.

    Importing the libraries in `_SPARED` would take a twentieth of a short command's time.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: ModuleType | None = None) -> None:
        """Raise an error if numba imports one of the libraries in `_SPARED`."""
        if name not in _SPARED:
            return
        frame = sys._getframe(1)
        while frame.f_back and frame.f_globals["__name__"].startswith("importlib."):
            frame = frame.f_back
        if frame.f_globals["__name__"].partition(".")[0] == "numba":
            raise ModuleNotFoundError(
                f"numba must not import {name}, which this program does not need",
                name=name,
            )


def main() -> NoReturn:
    """Run the command `bearoff` as this process, with signal handling."""

    def bearoff(argv: Sequence[str]) -> int:
        from bearoff.app.run import run  # Ctrl-C may interrupt this slow import.

        return run(argv)

    sys.meta_path.insert(0, _NumbaAlone)
    gc.set_threshold(_OBJECTS)
    as_process(bearoff)


def as_process(program: Callable[[Sequence[str]], int]) -> NoReturn:
    """Run a program with this process's arguments, then end the process.

    Ctrl-C and SIGTERM interrupt the program.
    """
    signals = Signals()
    signals.watch()
    signals.leave(_code_of(program, signals))


def _code_of(program: Callable[[Sequence[str]], int], signals: Signals) -> int:
    """Run a program and return its exit code."""
    try:
        return signals.finish(program(sys.argv[1:]))
    except BaseException as error:
        # The interruption came before or after the command, or a library suppressed the
        # interruption and then failed.
        pressed = isinstance(error, KeyboardInterrupt)
        if not pressed and not came_of_an_interruption(error):
            raise
        from bearoff.app.output import note

        note("interrupted")
        return signals.finish(CTRL_C)


if __name__ == "__main__":
    main()
