"""Arguments and options that several commands share."""

from typing import Annotated, Literal

import typer

PositionText = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="A position in any notation; of one that carries both sides, the roller's.",
        show_default=False,
    ),
]

RollerText = Annotated[
    str,
    typer.Argument(
        metavar="ROLLER",
        help="Position of the side on roll, or a position ID or XGID of both.",
        show_default=False,
    ),
]

OpponentText = Annotated[
    str | None,
    typer.Argument(
        metavar="OPPONENT", help="Position of the other side.", show_default=False
    ),
]

RollersCube = Annotated[
    Literal["centred", "owned"] | None,
    typer.Option(
        help="Where the cube is: centred, or owned by the roller. By default as an XGID "
        "says, else centred.",
        show_default=False,
    ),
]

Jacoby = Annotated[
    bool | None,
    typer.Option(
        help="Whether gammons count only once the cube has been turned. By default as an "
        "XGID says, else they always count.",
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
