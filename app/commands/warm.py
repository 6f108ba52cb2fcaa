"""`bearoff warm`: compile beforehand what the commands run."""

import typer

from bearoff.app.options import Quiet
from bearoff.app.output import note


def warm(quiet: Quiet = False) -> None:
    """Compile what the common commands run.

    Once after an installation, in a minute or two; otherwise each command compiles what
    it needs when it first needs it.

    \b
    bearoff warm
    """
    from bearoff.app import warm as compiling

    if not quiet:
        note("compiles what the common commands run: a minute or two")
    if code := compiling.warm():
        raise typer.Exit(code)
