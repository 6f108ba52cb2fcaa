"""Open the one-sided table of a size: from the cache, or built and stored there."""

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
"""Raised whenever the arrays of a table change, which makes stored ones stale."""

Float64Array = NDArray[np.float64]


def fewest_rolls_win_probability(
    rollers: sides.Sides,
    opponents: sides.Sides,
    points: int = POINTS,
    checkers: int = CHECKERS,
) -> Float64Array:
    """Chance that the side on roll bears off first, both sides playing for fewest rolls.

    The convolution of the two roll distributions. Not the optimal win probability, which
    it misses by up to 0.014.

    Parameters
    ----------
    rollers, opponents : Sides, broadcast against each other
        The side on roll and the other: position numbers, texts, `Position` or counts as a
        tuple, one or many. Number 0 has borne off.
    points, checkers : int
        Size of the table, which is solved if it is not stored.

    Returns
    -------
    ndarray of float64
        Chances from 0 to 1, before the roll, in the shape of both sides together.

    Raises
    ------
    PositionError
        If a side is not in the table, or the shapes of both do not fit each other.

    Examples
    --------
    Two rolls against two rolls, all on the ace:

    >>> import bearoff
    >>> aces = bearoff.rank([4, 0, 0, 0, 0, 0])
    >>> round(float(bearoff.fewest_rolls_win_probability(aces, aces) * 36), 9)
    31.0
    """
    table = one_sided_table(points, checkers)
    return table.fewest_rolls_win_probability(rollers, opponents)


def one_sided_table(points: int = POINTS, checkers: int = CHECKERS) -> OneSidedTable:
    """Return the one-sided table of this size, from the cache or built and stored there.

    Parameters
    ----------
    points, checkers : int
        Size, as large as memory and disk allow: `estimate_one_sided_build` tells. On two
        cores 6 x 15 (the default) is built in about a second and 10 x 15 in less than a
        minute; 12 x 15 takes minutes and 6 GB.

    Raises
    ------
    PositionError, TableError
        If there is no such size, or it cannot fit in the memory or on the disk.

    Examples
    --------
    Five on the ace and four on the deuce, 4.41 rolls in GNU Backgammon's manual:

    >>> import bearoff
    >>> table = bearoff.one_sided_table()
    >>> round(float(table.mean_rolls[bearoff.rank([5, 4, 0, 0, 0, 0])]), 4)
    4.4101
    """
    return _open_table(*check_size(points, checkers))


@lru_cache(maxsize=4)
def _open_table(points: int, checkers: int) -> OneSidedTable:
    """Open a table once, however its size was passed to `one_sided_table`."""
    return _table(points, checkers, lambda: build_arrays(points, checkers))


def rebuild_one_sided_table(
    points: int = POINTS,
    checkers: int = CHECKERS,
    *,
    workers: int | None = None,
    progress: Progress = lambda done: None,
) -> OneSidedTable:
    """Build the table of this size anew, and store it in place of any other.

    Parameters
    ----------
    points, checkers : int
        Size.
    workers : int, optional
        Threads; every processor if not given. The table does not depend on it.
    progress : callable
        Called with how much is done, 0 to 1.

    Raises
    ------
    PositionError, TableError
        As with `one_sided_table`.
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

    # Refuses impossible sizes. The workers are given, because counting them is slow.
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
