"""Comparison of GNU Backgammon bear-off files with tables: largest and RMS differences."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bearoff.gnubg.header import ROLLS
from bearoff.gnubg.one_sided import AT_ONCE, CERTAIN, OneSidedFile
from bearoff.gnubg.pairs import rows
from bearoff.gnubg.two_sided import TwoSidedFile
from bearoff.one_sided import OneSidedTable, saving_distribution
from bearoff.positions import CHECKERS, position_count
from bearoff.two_sided import TwoSidedTable

Progress = Callable[[float], None]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


@dataclass
class Difference:
    """Differences between a file and a table in one quantity, such as mean rolls.

    Attributes
    ----------
    at : tuple of int
        Position number, or position numbers of roller and opponent, with the largest
        difference.
    """

    name: str
    largest: float = 0.0
    at: tuple[int, ...] = ()
    values: int = 0
    _squares: float = field(default=0.0, repr=False)

    @property
    def rms(self) -> float:
        """Root mean square difference."""
        return float(np.sqrt(self._squares / max(self.values, 1)))

    def add(self, differences: Float64Array, *numbers: Int64Array) -> None:
        """Add an array of differences to the statistics; `numbers` are position numbers."""
        if not differences.size:
            return
        self.values += differences.size
        self._squares += float(np.square(differences).sum())
        place = np.unravel_index(np.abs(differences).argmax(), differences.shape)
        worst = abs(float(differences[place]))
        if worst > self.largest or not self.at:
            self.largest = worst
            self.at = tuple(int(n[k]) for n, k in zip(numbers, place, strict=False))


def compare_one_sided(
    file: OneSidedFile, table: OneSidedTable, progress: Progress = lambda done: None
) -> list[Difference]:
    """Compare all positions of a one-sided file with a table.

    Parameters
    ----------
    file : OneSidedFile
        One-sided bear-off file of GNU Backgammon, which is compared with the table.
    table : OneSidedTable
        One-sided table with the same numbers of points and checkers as the file.
    progress : callable
        Function that is called with the completed fraction, from 0 to 1.

    Returns
    -------
    list of Difference
        Differences between the file and the table, in the mean number of rolls and in the
        probability of bearing off within n rolls. The probabilities may differ if several
        plays have the same mean. A file with gammons has the same two differences for the
        first checker off.

    Raises
    ------
    TableError
        If the file is damaged.
    """
    header = file.header
    kinds = ["all off", "first off"][: 2 if header.gammons else 1]
    means = [Difference(f"mean rolls, {kind}") for kind in kinds]
    chances = [Difference(f"within n rolls, {kind}") for kind in kinds]
    saving = saving_distribution(header.points, header.checkers) if header.gammons else None
    for start in range(0, header.positions, AT_ONCE):
        numbers = np.arange(start, min(start + AT_ONCE, header.positions))
        span = start, int(numbers[-1]) + 1
        ours = [_columns(table.distribution_of(numbers))]
        our_means = [table.mean_rolls_of(numbers)]
        if saving is not None:
            ours.append(_saving_rows(saving, numbers, header.positions))
            our_means.append(ours[1] @ np.arange(ROLLS))
        theirs = file.means(*span)
        for k, difference in enumerate(means):
            difference.add(theirs[:, k] - our_means[k], numbers)
        if not header.normal:
            distributions = file.rows(*span)
            for k, difference in enumerate(chances):
                within = distributions[:, k].cumsum(axis=1) / CERTAIN
                difference.add(within - ours[k].cumsum(axis=1), numbers)
        progress(span[1] / header.positions)
    return means if header.normal else [*means, *chances]


def _columns(rows: Float64Array) -> Float64Array:
    """Cut or pad distributions to the 32 columns of a bear-off file."""
    filled = np.zeros((len(rows), ROLLS))
    width = min(rows.shape[1], ROLLS)
    filled[:, :width] = rows[:, :width]
    return filled


def _saving_rows(
    saving: NDArray[np.float32], numbers: Int64Array, positions: int
) -> Float64Array:
    """Return distributions of the number of rolls until the first checker is off."""
    place = numbers - (positions - len(saving))
    rows = np.zeros((len(numbers), ROLLS))
    rows[place < 0, 0] = 1.0
    rows[place >= 0] = saving[place[place >= 0]]
    return rows


def compare_two_sided(
    file: TwoSidedFile, table: TwoSidedTable, progress: Progress = lambda done: None
) -> list[Difference]:
    """Compare all pairs of a two-sided file with a table.

    Parameters
    ----------
    file : TwoSidedFile
        Two-sided bear-off file of GNU Backgammon, which is compared with the table.
    table : TwoSidedTable
        Two-sided table for at least as many checkers per player as the file.
    progress : callable
        Function that is called with the completed fraction, from 0 to 1.

    Returns
    -------
    list of Difference
        Differences between the file and the table, in the win probability and in each
        cubeful equity. Cubeful equities are not compared if a player has 15 checkers on the
        board, because the table's equities include gammons.

    Raises
    ------
    TableError
        If values of the table have not been built or are damaged.
    """
    header = file.header
    names = ["win probability", *_WITH_CUBE]
    found = [Difference(name) for name in names[: header.planes]]
    everyone = np.arange(header.positions)
    fewer = position_count(header.points, min(header.checkers, CHECKERS - 1))
    done = 0
    for rollers, equities in rows(table, header):
        differences = file.equities(rollers) - equities
        found[0].add(differences[..., 0] / 2, rollers, everyone)
        few = rollers < fewer
        for k, difference in enumerate(found[1:], 1):
            difference.add(differences[few, :fewer, k], rollers[few], everyone)
        done += len(rollers)
        progress(done / header.positions)
    return found


_WITH_CUBE = (
    "equity without a double, cube owned by the roller",
    "equity without a double, centred cube",
    "equity, cube owned by the opponent",
)
