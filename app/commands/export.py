"""`bearoff tables export`: tables as files for other programs."""

import re
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bearoff.app.interruption import interruptible
from bearoff.app.options import DEFAULT_POINTS, Json, Points
from bearoff.app.output import amount, duration, note, say, say_json

if TYPE_CHECKING:
    from bearoff import TwoSidedTable
    from bearoff.app.exports.pairs import Pairs

Format = Literal["parquet", "csv", "sqlite", "gnubg"]

_FORMATS: dict[str, Format] = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".sqlite": "sqlite",
    ".db": "sqlite",
    ".bd": "gnubg",
}
"""By the end of the file's name."""

MANY_ROWS = 10_000_000
"""Rows, beyond which --all is needed."""


def export(
    path: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The file to write.", show_default=False),
    ],
    kind: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="By default as the name ends: .parquet, .csv, .sqlite, or .bd for GNU "
            "Backgammon.",
            show_default=False,
        ),
    ] = None,
    points: Points = DEFAULT_POINTS,
    checkers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Most checkers of a side; any table of as many or more will do. By "
            "default the most that are built.",
            show_default=False,
        ),
    ] = None,
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
    every: Annotated[
        bool,
        typer.Option("--all", help=f"Also more than {MANY_ROWS:,} rows."),
    ] = False,
    two_sided: Annotated[
        bool,
        typer.Option("--two-sided", help="For gnubg: all pairs; else the one-sided table."),
    ] = False,
    cubeless: Annotated[
        bool, typer.Option("--cubeless", help="For gnubg: pairs without the cube.")
    ] = False,
    uncompressed: Annotated[
        bool, typer.Option("--uncompressed", help="For gnubg: rows of one length.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a table as rows or for GNU Backgammon.

    A row has every plane that is built; values are the roller's, before the roll, and
    counts stand beside the numbers. GNU Backgammon reads one-sided files of 15 checkers
    and two-sided ones of up to 12 with the cube, 14 without (6 points). What is written,
    and about how long it takes, is said first.

    \b
    bearoff tables export pairs.parquet --checkers 8 --rollers 1-100
    bearoff tables export mine.csv --pairs mine-pairs.csv
    bearoff tables export gnubg_os.bd --points 8
    bearoff tables export gnubg_ts.bd --two-sided --checkers 8
    """
    from bearoff.app.exports.pairs import refuse_other_than_file

    kind = kind or _FORMATS.get(path.suffix.lower())
    if kind is None:
        raise typer.BadParameter(
            f"a file's name ends in {', '.join(_FORMATS)}, or --format says what it is; "
            f"got {path.name!r}"
        )
    refuse_other_than_file(path)
    start = perf_counter()
    with interruptible(f"{path} is as it was"):
        if kind == "gnubg":
            if rollers or opponents or pairs:
                raise typer.BadParameter(
                    "a file for GNU Backgammon holds all pairs: leave --rollers, "
                    "--opponents and --pairs out, or name another format"
                )
            unit, count = _export_gnubg(
                path,
                points,
                checkers,
                two_sided=two_sided,
                cubeless=cubeless,
                uncompressed=uncompressed,
            )
        else:
            if cubeless or uncompressed:
                raise typer.BadParameter("--cubeless and --uncompressed are for .bd files")
            table, chosen = _chosen(points, checkers, rollers, opponents, pairs)
            _export_rows(path, kind, table, chosen, every=every)
            unit, count = "pairs", len(chosen)
    size = path.stat().st_size
    if json:
        say_json({"path": str(path), unit: count, "bytes": size})
        return
    seconds = perf_counter() - start
    say(f"{path}: {amount(count, unit)}, {size:,} bytes, {seconds:.1f} s")
    if kind == "gnubg":
        name = "gnubg_ts.bd" if two_sided else "gnubg_os.bd"
        say(
            f"GNU Backgammon reads it as {name} in its data folder, Debian's "
            f"/var/lib/gnubg; its command 'show engine' names what it has read"
        )


def _export_gnubg(
    path: Path,
    points: int,
    checkers: int | None,
    *,
    two_sided: bool,
    cubeless: bool,
    uncompressed: bool,
) -> tuple[str, int]:
    """Write GNU Backgammon's file; return what it holds, and how many."""
    from bearoff.app.exports.gnubg import header_of, seconds_for, write_file
    from bearoff.runtime import format_bytes
    from bearoff.sim.engine import PassProgress

    header = header_of(
        points,
        checkers,
        two_sided=two_sided,
        cubeless=cubeless,
        uncompressed=uncompressed,
    )
    least = "at least " if header.compressed else ""
    size = f"{least}{format_bytes(header.file_bytes)}"
    note(f"{header.describe()}: {size}, about {duration(seconds_for(header))}")
    progress = PassProgress()
    write_file(path, header, lambda done: progress("writing", done))
    if two_sided:
        return "pairs", header.positions**2
    return "positions", header.positions


def _chosen(
    points: int,
    checkers: int | None,
    rollers: str | None,
    opponents: str | None,
    file: Path | None,
) -> "tuple[TwoSidedTable, Pairs]":
    """Open the table, and say which of its pairs are asked for."""
    from bearoff import position_count
    from bearoff.app.exports.pairs import pairs_of_file, pairs_of_ranges, table_of

    if file is not None and (rollers or opponents):
        raise typer.BadParameter("--pairs takes the place of --rollers and --opponents")
    table = table_of(points, checkers)
    checkers = checkers or table.checkers
    if file is not None:
        return table, pairs_of_file(file, points, checkers)
    size = position_count(points, checkers)
    return table, pairs_of_ranges(_range(rollers, size), _range(opponents, size))


def _export_rows(
    path: Path,
    kind: Literal["parquet", "csv", "sqlite"],
    table: "TwoSidedTable",
    pairs: "Pairs",
    *,
    every: bool,
) -> None:
    from bearoff.app.exports.rows import BYTES_OF_A_ROW, ROWS_A_SECOND, write_rows
    from bearoff.runtime import format_bytes
    from bearoff.sim.engine import PassProgress

    rows = len(pairs)
    size = format_bytes(rows * BYTES_OF_A_ROW[kind])
    takes = f"{amount(rows, 'rows')}: about {size}, {duration(rows / ROWS_A_SECOND[kind])}"
    if rows > MANY_ROWS and not every:
        raise typer.BadParameter(
            f"{takes}; --all writes them, --rollers, --opponents, --pairs or fewer "
            "--checkers choose some"
        )
    note(takes)
    progress = PassProgress()
    write_rows(path, kind, table, pairs, lambda done: progress("writing", done))


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
