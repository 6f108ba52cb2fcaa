"""Arguments and options that several commands share."""

from typing import Annotated

import typer

PositionText = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="A position in any notation; of one that carries both sides, the roller's.",
        show_default=False,
    ),
]

Points = Annotated[
    int, typer.Option(metavar="N", help="Points of the table, from the ace.")
]

Checkers = Annotated[int, typer.Option(metavar="N", help="Checkers of a side, at most 15.")]

Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead.")]

DEFAULT_POINTS, DEFAULT_CHECKERS = 6, 15
"""`bearoff.POINTS` and `bearoff.CHECKERS`, which a help text has no time to import."""
