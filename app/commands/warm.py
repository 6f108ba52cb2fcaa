"""`bearoff warm`: compile beforehand what the commands run."""

import typer

from app.options import Quiet
from app.output import note


def warm(quiet: Quiet = False) -> None:
    """Compile what the common commands run.

    Once after an installation, in a minute or two; otherwise each command compiles what
    it needs when it first needs it.

    \b
    bearoff warm
    """
    from app import warm as compiling

    if not quiet:
        note("compiles what the common commands run: a minute or two")
    if code := compiling.warm():
        raise typer.Exit(code)
