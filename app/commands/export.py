"""`bearoff tables export`: a chosen part of a two-sided table as Parquet."""

import re
from pathlib import Path
from typing import Annotated

import typer

from app.options import DEFAULT_CHECKERS, Checkers, Json
from app.output import say, say_json


def export(
    path: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The Parquet file.", show_default=False),
    ],
    checkers: Checkers = DEFAULT_CHECKERS,
    rollers: Annotated[
        str | None,
        typer.Option(metavar="A-B", help="Numbers of the side on roll; all if not given."),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(metavar="A-B", help="Numbers of the other; all if not given."),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV or Parquet with the columns roller and opponent, numbers or text, "
            "in place of ranges.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write the values of chosen pairs of a two-sided table as Parquet.

    One row a pair, with every plane that is built; values are the roller's, before the
    roll. Position numbers have no meaning to other programs without the counts, so
    those are written too.

    \b
    bearoff tables export pairs.parquet --checkers 8 --rollers 1-100
    bearoff tables export mine.parquet --checkers 8 --pairs mine.csv
    """
    from app.export import pairs_of_file, pairs_of_ranges, write_pairs
    from bearoff import POINTS, position_count, two_sided_table

    table = two_sided_table(checkers)
    if pairs is None:
        size = position_count(POINTS, checkers)
        chosen = pairs_of_ranges(_range(rollers, size), _range(opponents, size))
    else:
        if rollers or opponents:
            raise typer.BadParameter("--pairs takes the place of --rollers and --opponents")
        chosen = pairs_of_file(pairs, checkers)
    rows = write_pairs(path, table, chosen)
    if json:
        say_json({"path": str(path), "pairs": rows, "bytes": path.stat().st_size})
        return
    pairs_written = f"{rows:,} pair{'' if rows == 1 else 's'}"
    say(f"{path}: {pairs_written}, {path.stat().st_size:,} bytes")


def _range(text: str | None, size: int) -> range:
    """Read a range of position numbers, both ends included."""
    if text is None:
        return range(1, size)
    match = re.fullmatch(r"(\d{1,12})(?:-(\d{1,12}))?", text, flags=re.ASCII)
    if match is None:
        raise typer.BadParameter(f"a range of numbers is written 1-100, got {text!r}")
    low, high = int(match[1]), int(match[2] or match[1])
    if not 1 <= low <= high < size:
        raise typer.BadParameter(
            f"numbers of the table run from 1 to {size - 1}, smaller first, got {text!r}"
        )
    return range(low, high + 1)
