"""`bearoff tables import`: compare bear-off files of other programs with the tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bearoff.app.interruption import interruptible
from bearoff.app.options import Json
from bearoff.app.output import note, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff.gnubg import Difference, OneSidedFile, TwoSidedFile


def import_file(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Bear-off file to compare, in GNU Backgammon's .bd format.",
            show_default=False,
        ),
    ],
    json: Json = False,
) -> None:
    """Compare another program's bear-off file with the stored tables.

    The command checks the size of the file and the sums of its probabilities, and compares
    all values in the file with a table. A two-sided file requires a two-sided table with at
    least as many checkers as the file. The command stores nothing.

    \b
    bearoff tables import gnubg_os0.bd
    """
    from bearoff import TableError
    from bearoff.gnubg import open_file

    if not path.is_file():
        raise TableError(f"{path} is not a file")
    file = open_file(path)
    size = path.stat().st_size
    note(f"{path}: {file.header.describe()}, {size:,} bytes")
    with interruptible("nothing was stored"):
        found = _compare(file)
    if json:
        say_json(_as_json(file, size, found))
        return
    say(f"{path}: {file.header.describe()}")
    say()
    say_table(
        ("file minus table", "largest", "rms", "<at"),
        [
            (one.name, f"{one.largest:.2e}", f"{one.rms:.2e}", " ".join(_places(file, one)))
            for one in found
        ],
    )


def _compare(file: "OneSidedFile | TwoSidedFile") -> "list[Difference]":
    from bearoff.app import tables
    from bearoff.app.exports.pairs import table_of
    from bearoff.gnubg import TwoSidedFile, compare_one_sided, compare_two_sided
    from bearoff.sim.engine import PassProgress

    shown = PassProgress()

    def progress(done: float) -> None:
        shown("comparing", done)

    points, checkers = file.header.points, file.header.checkers
    if isinstance(file, TwoSidedFile):
        table = table_of(points, checkers, cube=file.header.cube, wider=True)
        return compare_two_sided(file, table, progress)
    return compare_one_sided(file, tables.one_sided(points, checkers), progress)


def _places(file: "OneSidedFile | TwoSidedFile", difference: "Difference") -> list[str]:
    """Return the positions whose values in file and table differ most, as checkers."""
    from bearoff import unrank

    counts = unrank(list(difference.at), file.header.points, file.header.checkers)
    return [",".join(map(str, one)) for one in counts.tolist()]


def _as_json(
    file: "OneSidedFile | TwoSidedFile", size: int, found: "list[Difference]"
) -> dict[str, Any]:
    header = file.header
    return {
        "path": str(file.path),
        "kind": "two-sided" if header.two_sided else "one-sided",
        "points": header.points,
        "checkers": header.checkers,
        "cube": header.cube,
        "gammons": header.gammons,
        "compressed": header.compressed,
        "normal": header.normal,
        "bytes": size,
        "differences": [
            {
                "of": one.name,
                "largest": one.largest,
                "rms": one.rms,
                "values": one.values,
                "at": _places(file, one),
            }
            for one in found
        ],
    }
