"""`bearoff tables export`: write tables as files for other programs."""

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
    from bearoff.app.exports.pairs import ExportPairs

Format = Literal["parquet", "csv", "sqlite", "gnubg"]

_FORMATS: dict[str, Format] = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".sqlite": "sqlite",
    ".db": "sqlite",
    ".bd": "gnubg",
}
"""Export format by file extension."""

MANY_ROWS = 10_000_000
"""Number of rows above which an export requires the option --all."""


def export(
    path: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="File to write.", show_default=False),
    ],
    kind: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="Format of the file. Default: according to its extension, .parquet, .csv, "
            ".sqlite, or .bd for GNU Backgammon.",
            show_default=False,
        ),
    ] = None,
    points: Points = DEFAULT_POINTS,
    checkers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Maximum number of checkers per side in the table to export. "
            "Default: that of the largest stored table.",
            show_default=False,
        ),
    ] = None,
    rollers: Annotated[
        str | None,
        typer.Option(
            metavar="A-B",
            help="Position numbers of the side on roll to export, such as 1-100. "
            "Default: all positions.",
        ),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            metavar="A-B",
            help="Position numbers of the opponent to export, such as 1-100. "
            "Default: all positions.",
        ),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV or Parquet file that lists the pairs of positions to export. "
            "Its columns roller and opponent have position numbers, or "
            "positions in any notation.",
        ),
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all", help=f"Export all rows, even if there are more than {MANY_ROWS:,}."
        ),
    ] = False,
    two_sided: Annotated[
        bool,
        typer.Option(
            "--two-sided",
            help="For GNU Backgammon: write the two-sided table "
            "instead of the one-sided one.",
        ),
    ] = False,
    cubeless: Annotated[
        bool,
        typer.Option(
            "--cubeless",
            help="For a two-sided file for GNU Backgammon: leave out the cube.",
        ),
    ] = False,
    uncompressed: Annotated[
        bool,
        typer.Option(
            "--uncompressed",
            help="For a one-sided file for GNU Backgammon: write rows of equal length.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Export a table as Parquet, CSV, SQLite, or for GNU Backgammon.

    Each row of a Parquet, CSV or SQLite file has a pair of positions, as checkers and as
    position numbers, and all values of the pair before the roll. GNU Backgammon reads
    one-sided files of 15 checkers, and two-sided files of 6 points with up to 12 checkers,
    or 14 without the cube.

    \b
    bearoff tables export pairs.parquet --checkers 8 --rollers 1-100
    bearoff tables export gnubg_os.bd --points 8
    """
    from bearoff.app.exports.pairs import refuse_other_than_file

    kind = kind or _FORMATS.get(path.suffix.lower())
    if kind is None:
        raise typer.BadParameter(
            f"the file name must end in {', '.join(_FORMATS)}, or use --format to choose "
            f"the format; got {path.name!r}"
        )
    refuse_other_than_file(path)
    start = perf_counter()
    with interruptible(f"{path} is unchanged"):
        if kind == "gnubg":
            if rollers or opponents or pairs:
                raise typer.BadParameter(
                    "a file for GNU Backgammon contains all pairs of positions; omit "
                    "--rollers, --opponents and --pairs, or choose another format"
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
                raise typer.BadParameter(
                    "--cubeless and --uncompressed apply only to GNU Backgammon's .bd files"
                )
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
            f"to use it, copy it as {name} to GNU Backgammon's data folder (/var/lib/gnubg "
            f"on Debian); its command 'show engine' lists the files that it has read"
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
    """Write a GNU Backgammon file; return what its entries are, and their number."""
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
) -> "tuple[TwoSidedTable, ExportPairs]":
    """Open the table and select the pairs of positions to export."""
    from bearoff import position_count
    from bearoff.app.exports.pairs import pairs_of_file, pairs_of_ranges, table_of

    if file is not None and (rollers or opponents):
        raise typer.BadParameter(
            "--pairs cannot be combined with --rollers and --opponents"
        )
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
    pairs: "ExportPairs",
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
            f"the export would be large ({takes}); use --all to write all rows, or "
            "--rollers, --opponents, --pairs or fewer --checkers to limit them"
        )
    note(takes)
    progress = PassProgress()
    write_rows(path, kind, table, pairs, lambda done: progress("writing", done))


def _range(text: str | None, size: int) -> range:
    """Parse a range of position numbers; both ends belong to the range."""
    if text is None:
        return range(1, size)
    match = re.fullmatch(r"(\d{1,12})(?:-(\d{1,12}))?", text, flags=re.ASCII)
    if match is None:
        raise typer.BadParameter(
            f"a range of position numbers must be written like 1-100, got {text!r}"
        )
    low, high = int(match[1]), int(match[2] or match[1])
    if not 1 <= low <= high < size:
        raise typer.BadParameter(
            f"a range of position numbers must be ascending and within 1 to {size - 1}, "
            f"got {text!r}"
        )
    return range(low, high + 1)
