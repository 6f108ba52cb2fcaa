"""`bearoff warm`: compile the code of all commands in advance."""

import typer

from bearoff.app.options import Quiet
from bearoff.app.output import note


def warm(quiet: Quiet = False) -> None:
    """Compile all commands now, so that their first use is fast.

    The compilation takes some minutes on all processors, once after the installation.
    Without `bearoff warm`, each command compiles its code when it first runs.

    \b
    bearoff warm
    """
    from bearoff.app import warm as compiling

    count = sum(bool(piece.calls) for piece in compiling.PIECES)
    finished: list[str] = []

    def begun(name: str) -> None:
        if not quiet:
            note(f"compiles {name}")

    def done(name: str, seconds: float) -> None:
        finished.append(name)
        if not quiet:
            note(f"{len(finished)} of {count} done: {name}, {seconds:.0f} s")

    if code := compiling.warm(begun, done):
        raise typer.Exit(code)
