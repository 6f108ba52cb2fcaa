"""Selection of the two-sided table, and the pairs of positions, that an export writes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import BearoffError, TwoSidedTable
from bearoff.errors import MissingTableError

Int64Array = NDArray[np.int64]

AT_ONCE = 1 << 17
"""Number of pairs of positions in each batch of an export."""


@dataclass(frozen=True)
class ExportPairs:
    """Pairs of position numbers to export: all combinations of two lists, or listed pairs.

    Attributes
    ----------
    rollers, opponents : ndarray of int64
        Position numbers of the rollers, and position numbers of the opponents.
    each : bool
        Whether entries of both arrays with the same index are a pair. If false, every
        roller is combined with every opponent.
    """

    rollers: Int64Array
    opponents: Int64Array
    each: bool = False

    def __len__(self) -> int:
        return len(self.rollers) * (1 if self.each else len(self.opponents))

    def __iter__(self) -> Iterator[tuple[Int64Array, Int64Array]]:
        """Yield batches of pairs: position numbers of the rollers and of the opponents."""
        step = AT_ONCE if self.each else max(1, AT_ONCE // max(len(self.opponents), 1))
        for start in range(0, len(self.rollers), step):
            x = self.rollers[start : start + step]
            if self.each:
                yield x, self.opponents[start : start + step]
            else:
                yield np.repeat(x, len(self.opponents)), np.tile(self.opponents, len(x))


def pairs_of_ranges(rollers: range, opponents: range) -> ExportPairs:
    """Return all pairs of a roller's and an opponent's position from two ranges."""
    x, y = (np.arange(one.start, one.stop) for one in (rollers, opponents))
    return ExportPairs(x, y)


def pairs_of_file(path: Path, points: int, checkers: int) -> ExportPairs:
    """Read pairs of positions from columns roller and opponent of a CSV or Parquet file."""
    from pydantic import ValidationError

    from bearoff.sim.config import pairs as sources
    from bearoff.sim.pairs import read_pairs
    from bearoff.sim.storage import RunError

    try:
        file = sources.PairFile.model_validate({"path": str(path.absolute())})
    except ValidationError as error:
        raise RunError(error.errors()[0]["msg"]) from None
    rows = read_pairs(file, points, checkers)
    return ExportPairs(rows[:, 0], rows[:, 1], each=True)


def table_of(
    points: int, checkers: int | None, *, cube: bool = False, wider: bool = False
) -> TwoSidedTable:
    """Open the smallest stored table with at least `checkers`; for None, the largest table.

    Parameters
    ----------
    points, checkers : int
        Number of points of the table, and number of checkers per side.
    cube : bool
        Whether the table must have equities with the cube. If false, a table with the cube
        is still preferred.
    wider : bool
        Whether a table for a board of more points is acceptable, in which positions have
        other numbers.

    Raises
    ------
    TableError
        If there is no suitable table, or if the table is damaged.
    """
    from bearoff.two_sided import (
        build_command,
        cached_two_sided_tables,
        smallest_table_with,
    )

    if checkers is None:
        built = [
            table.checkers
            for table in cached_two_sided_tables()
            if table.planes and table.points == points and table.score is None
        ]
        checkers = max(built, default=1)
    for with_cube in (True,) if cube else (True, False):
        table = smallest_table_with(checkers, points, cube=with_cube, wider=wider)
        if table is not None:
            return table
    raise MissingTableError(
        f"no two-sided table with {points} points and {checkers} "
        f"{'checkers with the cube' if cube else 'checkers'} has been built; run: "
        f"{build_command(points, checkers, cube=cube)}"
    )


def refuse_other_than_file(path: Path) -> None:
    """Raise `BearoffError` if the path exists and is not a file."""
    if path.exists() and not path.is_file():
        raise BearoffError(
            f"{path} is not a regular file and cannot be replaced; choose another name"
        )
