"""Conversion of one or many positions in any form to position numbers.

=======================  ===========================================================
form                     meaning
=======================  ===========================================================
``8887``                 position number
numpy array              position numbers, or texts in any notation of one side
``Position``             this position
``(3, 3, 2, 0, 2, 1)``   tuple: the number of checkers on each point of one side
``"3,3,2,0,2,1"``        text in any notation of one side
list or pandas series    many positions, each in one of these forms
=======================  ===========================================================

A list such as ``[3, 3, 2, 0, 2, 1]`` is rejected, because it could be six position numbers
or the checkers of one side. Two-dimensional arrays whose rows could be counts of checkers
are also rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import PositionError
from bearoff.positions.notation import is_two_sided
from bearoff.positions.numbering import (
    CHECKERS,
    POINTS,
    position_count,
    rank_counts,
    rank_one,
)
from bearoff.positions.position import Position

Int64Array = NDArray[np.int64]

_ONE = "one side's checkers"

Sides = ArrayLike | Position | Sequence[Position | str | tuple[int, ...]]
"""All forms in which `numbers` accepts positions: position numbers, texts, tuples with the
checkers on each point, and `Position` objects."""


def numbers(sides: Sides, points: int = POINTS, checkers: int = CHECKERS) -> Int64Array:
    """Return the Benjamin-Ross numbers of positions that are given in any form.

    Raises `PositionError` if a position is invalid, not in the table, or ambiguous.

    Examples
    --------
    >>> numbers([8887, "3,3,2,0,2,1", (3, 3, 2, 0, 2, 1), Position((1, 0, 0, 0, 0, 0))])
    array([8887, 8887, 8887,    1])
    >>> numbers([3, 3, 2, 0, 2, 1])
    Traceback (most recent call last):
    bearoff.errors.PositionError: [3, 3, 2, 0, 2, 1] is ambiguous: ...
    """
    if not isinstance(sides, int | np.ndarray | Position | str | tuple | list):
        sides = np.asarray(sides)
    if isinstance(sides, np.ndarray) and sides.dtype.kind in checks.NOT_NUMBERS:
        each = [_number(side, points, checkers) for side in sides.ravel().tolist()]
        return np.array(each, dtype=np.int64).reshape(sides.shape)
    if type(sides) is int or type(sides) is np.ndarray:
        size = position_count(points, checkers)
        found = checks.numbers_below(sides, size)
        if found.ndim > 1 and found.shape[-1] == points and found.size:
            could = found.max() <= checkers and found.sum(axis=-1).max() <= checkers
            if could:
                raise PositionError(
                    f"an array of shape {found.shape} is ambiguous: its rows could be "
                    "checkers by point; pass rank(counts) for checkers, or another shape "
                    "for position numbers"
                )
        return found
    if isinstance(sides, Position | str | tuple):
        return np.array(_number(sides, points, checkers), dtype=np.int64)
    if isinstance(sides, list):
        if any(isinstance(side, Position | str | tuple) for side in sides):
            each = [_number(side, points, checkers) for side in sides]
            return np.array(each, dtype=np.int64)
        _check_meaning(sides, points, checkers)
    return checks.numbers_below(_plain(sides), position_count(points, checkers))


def rank(counts: Sides, checkers: int = CHECKERS) -> Int64Array:
    """Return the Benjamin-Ross numbers of positions given as counts, objects or texts.

    Parameters
    ----------
    counts : array_like of int, shape (..., points)
        Number of checkers on the 1 point, 2 point, ... of each position; all other checkers
        are off. Positions on six points may also be `Position` objects or texts.
    checkers : int
        Maximum number of checkers of a position, 1 to 15.

    Returns
    -------
    ndarray of int64, shape (...)
        Position numbers from 0 to ``position_count(points, checkers) - 1``.

    Raises
    ------
    PositionError
        If a count is not an integer or is negative, or a row has more than `checkers`
        checkers.

    Examples
    --------
    >>> rank([3, 3, 2, 0, 2, 1])
    array(8887)
    >>> rank([[0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 15]])
    array([    0,     1, 54263])
    >>> rank(["3,3,2,0,2,1", "[1,1,6]"])
    array([8887,   33])
    """
    if _are_texts(counts):
        for text in np.asarray(counts).ravel().tolist():
            if isinstance(text, str) and text.strip().isdigit():
                raise PositionError(
                    f"{text!r} is ambiguous: it could be a position number or the "
                    "checkers on one point; pass integers instead of text"
                )
        return numbers(counts, POINTS, checkers)
    return rank_counts(_plain(counts), checkers)


def _are_texts(counts: Sides) -> bool:
    """Return whether positions are given as texts or `Position` objects."""
    try:
        return np.asarray(counts).dtype.kind in checks.NOT_NUMBERS
    except ValueError:  # `rank_counts` rejects rows of unequal length.
        return False


def pairs(
    rollers: Sides, opponents: Sides, points: int = POINTS, checkers: int = CHECKERS
) -> tuple[Int64Array, Int64Array]:
    """Return the position numbers of rollers and opponents, as arrays of equal shape."""
    x, y = checks.broadcast(
        rollers=numbers(rollers, points, checkers),
        opponents=numbers(opponents, points, checkers),
    )
    return x, y


def _plain(sides: Any) -> ArrayLike:
    return sides  # type: ignore[no-any-return]


def _number(side: object, points: int, checkers: int) -> int:
    if isinstance(side, str):
        if is_two_sided(side):
            raise PositionError(
                f"{side[:100]!r} describes both sides, but only one is expected; read it "
                "with Race.parse"
            )
        side = Position.parse(side, points, checkers)
    if isinstance(side, tuple):
        if len(side) != points:
            raise PositionError(
                f"a tuple must contain the checkers of one side on {points} points, got "
                f"{side!r}; pass several sides as a list or an array"
            )
        side = Position(side, checkers)
    if not isinstance(side, Position):
        return int(checks.numbers_below(_plain(side), position_count(points, checkers)))
    if side.highest > points or side.on_board > checkers:
        raise PositionError(
            f"the position {side} is not in the table for {points} points and {checkers} "
            "checkers"
        )
    return rank_one((side.counts + (0,) * points)[:points])


def _check_meaning(sides: list[Any], points: int, checkers: int) -> None:
    """Raise an error for a list that could mean checker counts or position numbers."""
    rows = sides if sides and all(isinstance(row, list) for row in sides) else [sides]
    if all(_could_be_counts(row, points, checkers) for row in rows):
        many = f"the checkers of {len(rows)} sides"
        raise PositionError(
            f"{repr(sides)[:60]} is ambiguous: {len(rows) * points} position numbers or "
            f"{many if rows is sides else _ONE}; pass checkers as a tuple or a Position, "
            "and numbers as a numpy array"
        )


def _could_be_counts(row: list[Any], points: int, checkers: int) -> bool:
    if len(row) != points or points == 1:
        return False
    whole = all(isinstance(n, int | np.integer) and n >= 0 for n in row)
    return whole and sum(map(int, row)) <= checkers
