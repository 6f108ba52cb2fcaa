"""Functions that open a one-sided table from the cache, and build it first if needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.one_sided.build import Progress, build_arrays
from bearoff.one_sided.check import check_arrays
from bearoff.one_sided.estimate import check_room, estimate_one_sided_build, is_small
from bearoff.one_sided.table import OneSidedTable
from bearoff.positions import CHECKERS, POINTS, check_size, sides
from bearoff.storage import Arrays, open_or_build

VERSION = 2
"""Version of the stored arrays in the cache. Tables of older versions are not used."""

Float64Array = NDArray[np.float64]


def fewest_rolls_win_probability(
    rollers: sides.Sides,
    opponents: sides.Sides,
    points: int = POINTS,
    checkers: int = CHECKERS,
) -> Float64Array:
    """Return the roller's win probability if both players make fewest-rolls plays.

    The probability is a convolution of the distributions of both players' numbers of rolls.
    It differs from the optimal win probability by up to 0.014.

    Parameters
    ----------
    rollers, opponents : Sides, broadcast against each other
        Positions of the roller and of the opponent: position numbers, texts, `Position`
        objects, or counts as a tuple; or a sequence of these. Number 0 is the position
        without checkers.
    points, checkers : int
        Number of points, and maximum number of checkers. The table of this size is built if
        the cache has none.

    Returns
    -------
    ndarray of float64
        Probabilities from 0 to 1, before the roll, in the broadcast shape.

    Raises
    ------
    PositionError
        If a position is not in the table, or the shapes cannot be broadcast.

    Examples
    --------
    Both players have all checkers on the 1 point and need two rolls:

    >>> import bearoff
    >>> aces = bearoff.rank([4, 0, 0, 0, 0, 0])
    >>> round(float(bearoff.fewest_rolls_win_probability(aces, aces) * 36), 9)
    31.0
    """
    table = one_sided_table(points, checkers)
    return table.fewest_rolls_win_probability(rollers, opponents)


def one_sided_table(points: int = POINTS, checkers: int = CHECKERS) -> OneSidedTable:
    """Return the one-sided table of a given size, which is built if the cache has none.

    Parameters
    ----------
    points, checkers : int
        Number of points, and maximum number of checkers. Building the default table of 6
        points and 15 checkers takes about a second; larger tables may take minutes. See
        `estimate_one_sided_build`.

    Raises
    ------
    PositionError, TableError
        If the size is impossible, or the table does not fit into memory or on the disk.

    Examples
    --------
    Five checkers on the 1 point and four on the 2 point need 4.41 rolls on average, as in
    GNU Backgammon's manual:

    >>> import bearoff
    >>> table = bearoff.one_sided_table()
    >>> round(float(table.mean_rolls[bearoff.rank([5, 4, 0, 0, 0, 0])]), 4)
    4.4101
    """
    return _open_table(*check_size(points, checkers))


@lru_cache(maxsize=4)
def _open_table(points: int, checkers: int) -> OneSidedTable:
    return _table(points, checkers, lambda: build_arrays(points, checkers))


def rebuild_one_sided_table(
    points: int = POINTS,
    checkers: int = CHECKERS,
    *,
    workers: int | None = None,
    progress: Progress = lambda done: None,
) -> OneSidedTable:
    """Build the table of a given size again, and replace the table in the cache.

    Parameters
    ----------
    points, checkers : int
        Number of points and maximum number of checkers.
    workers : int, optional
        Number of threads, which does not affect the result. By default, the number of
        processors.
    progress : callable
        Function that is called with the completed fraction, from 0 to 1.

    Raises
    ------
    PositionError, TableError
        In the same cases as by `one_sided_table`.
    """
    points, checkers = check_size(points, checkers)
    _open_table.cache_clear()
    return _table(
        points,
        checkers,
        lambda: build_arrays(points, checkers, workers, progress),
        rebuild=True,
    )


def _table(
    points: int, checkers: int, build: Callable[[], Arrays], *, rebuild: bool = False
) -> OneSidedTable:
    def build_if_it_fits() -> Arrays:
        check_room(points, checkers)
        return build()

    # The call raises an error if the size is impossible; the estimate is not used.
    # `workers` is given because counting the processors is slow.
    estimate_one_sided_build(points, checkers, workers=1)
    arrays = open_or_build(
        f"one-sided-{points:02}x{checkers:02}",
        VERSION,
        build_if_it_fits,
        lambda found: check_arrays(points, checkers, found),
        rebuild=rebuild,
        lazily=not is_small(points, checkers),
    )
    return OneSidedTable(points, checkers, arrays)
