"""Features of a position that players can see without counting pips.

A feature is either a sum over points or computed from all checkers of a side. To add a
feature, write its function and add it to `FEATURES`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.int16]
"""Array of the checkers of n sides, shape (points, n); the first row is the ace point."""

HOME = 6
QUADRANT = 6


@dataclass(frozen=True)
class Feature:
    """Feature of a position that a player can count, such as gaps.

    Attributes
    ----------
    one, many : str
        Singular and plural noun for an occurrence of the feature.
    on_point : callable
        Function that counts occurrences of the feature on one point. Its arguments are the
        point number, the number of checkers that each of n sides has on the point, and the
        number of checkers to leave out. The result is an array of shape (n,).
    points : tuple of int or None
        Points on which the feature is counted by default; None for all points.
    looks : int
        Number of points to examine if the feature is counted on its default points.
    of_side : callable or None
        Function that counts occurrences of the feature on each of n sides, given all
        checkers by point, shape (points, n). The result is an array of shape (n,). None for
        a feature that is a sum over points.
    stacked : tuple of int, optional
        For features that depend on the height of stacks: number of occurrences on a point
        with one checker, and on a point with several. None for other features.
    """

    one: str
    many: str
    on_point: Callable[[int, Columns, int], Columns]
    points: tuple[int, ...] | None
    looks: int
    of_side: Callable[[Columns], Columns] | None = None
    stacked: tuple[int, int] | None = None

    def on(self, points: Sequence[int] | None, height: int) -> Sequence[int]:
        """Return the points up to `height` on which the feature is counted."""
        wanted = points or self.points or range(1, height + 1)
        return [point for point in wanted if point <= height]

    def count(self, columns: Columns, points: Sequence[int] | None, free: int) -> Columns:
        """Return how often the feature occurs on each side, shape (n,)."""
        if self.of_side is not None:
            seen = self.of_side(columns)
            return np.maximum(seen - np.int16(free), np.int16(0)) if free else seen
        total = np.zeros(columns.shape[1], dtype=np.int16)
        for point in self.on(points, len(columns)):
            total += self.on_point(point, columns[point - 1], free)
        return total


def _beyond(point: int, checkers: Columns, free: int) -> Columns:
    if not free:
        return checkers
    beyond: Columns = np.maximum(checkers - np.int16(free), np.int16(0))
    return beyond


def _beyond_home(point: int, checkers: Columns, free: int) -> Columns:
    return checkers if point > HOME else np.zeros_like(checkers)


def _crossings(point: int, checkers: Columns, free: int) -> Columns:
    crossings: Columns = checkers * np.int16((point - 1) // QUADRANT)
    return crossings


def _empty(point: int, checkers: Columns, free: int) -> Columns:
    return np.asarray(checkers == 0, dtype=np.int16)


def _covered(point: int, checkers: Columns, free: int) -> Columns:
    return np.asarray(checkers > 0, dtype=np.int16)


def _made(point: int, checkers: Columns, free: int) -> Columns:
    return np.asarray(checkers > 1, dtype=np.int16)


def _paired(point: int, checkers: Columns, free: int) -> Columns:
    paired: Columns = np.minimum(checkers, np.int16(2))
    return paired


def _spread(point: int, checkers: Columns, free: int) -> Columns:
    return _covered(point, checkers, free) + _paired(point, checkers, free)


def _tallest(columns: Columns) -> Columns:
    tallest: Columns = columns[:HOME].max(axis=0)
    return tallest


def _rolls(columns: Columns) -> Columns:
    rolls: Columns = (columns.sum(axis=0, dtype=np.int16) + np.int16(1)) // np.int16(2)
    return rolls


def _odd(columns: Columns) -> Columns:
    odd: Columns = columns.sum(axis=0, dtype=np.int16) % np.int16(2)
    return odd


def _inner(columns: Columns) -> Columns:
    behind = np.zeros(columns.shape[1], dtype=np.bool_)
    inner = np.zeros(columns.shape[1], dtype=np.int16)
    for point in range(len(columns), 0, -1):
        if point <= HOME:
            inner += behind & (columns[point - 1] == 0)
        behind |= columns[point - 1] > 0
    return inner


_OUTER = 3  # Quadrants beyond the home board.

FEATURES = {
    "checkers": Feature("checker", "checkers", _beyond, None, HOME),
    "outside": Feature(
        "checker beyond home", "checkers beyond home", _beyond_home, None, _OUTER
    ),
    "crossovers": Feature(
        "crossover to home", "crossovers to home", _crossings, None, _OUTER
    ),
    "gaps": Feature("gap", "gaps", _empty, (4, 5, 6), 3),
    "covered": Feature(
        "home point covered", "home points covered", _covered, tuple(range(1, 7)), HOME
    ),
    "made": Feature("home point made", "home points made", _made, tuple(range(1, 7)), HOME),
    "paired": Feature(
        "home point",
        "home points by their checkers",
        _paired,
        tuple(range(1, 7)),
        HOME,
        stacked=(1, 2),
    ),
    "spread": Feature(
        "home point",
        "home points by their checkers",
        _spread,
        tuple(range(1, 7)),
        HOME,
        stacked=(2, 3),
    ),
    "tallest": Feature(
        "checker of the tallest stack at home",
        "checkers of the tallest stack at home",
        _beyond,
        None,
        HOME,
        _tallest,
    ),
    # A player finds the features `rolls` and `odd` by looking at pairs of checkers.
    "rolls": Feature(
        "pair of checkers, rounded up,",
        "pairs of checkers, rounded up,",
        _beyond,
        None,
        HOME + 1,
        _rolls,
    ),
    "odd": Feature("odd checker", "odd checker", _beyond, None, HOME, _odd),
    "inner": Feature(
        "gap below the rearmost checker",
        "gaps below the rearmost checker",
        _beyond,
        None,
        HOME,
        _inner,
    ),
}
"""Features of a position that formulas can count, by name."""


def columns_of(counts: NDArray[np.integer]) -> Columns:
    """Transpose checkers by side, shape (n, points), to checkers by point, (points, n).

    Examples
    --------
    >>> import numpy as np
    >>> FEATURES["gaps"].count(columns_of(np.array([[0, 0, 0, 5, 5, 0]])), None, 0)
    array([1], dtype=int16)
    """
    columns: Columns = np.ascontiguousarray(np.asarray(counts).T, dtype=np.int16)
    return columns


def pip_count(columns: Columns) -> NDArray[np.int16]:
    total = np.zeros(columns.shape[1], dtype=np.int16)
    for point, checkers in enumerate(columns, start=1):
        total += checkers * np.int16(point)
    return total
