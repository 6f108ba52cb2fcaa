"""Small two-sided tables for tests, and one way to ask all their planes."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bearoff

PLANES = ("cubeless", "opponent", "owned", "centred")


@cache
def built(checkers: int) -> bearoff.TwoSidedTable:
    bearoff.build_two_sided_table(checkers)
    return bearoff.two_sided_table(checkers)


def stored(table: bearoff.TwoSidedTable, plane: str, x: Any, y: Any) -> NDArray[Any]:
    """The plane's equity: cubeless, twice the win probability less one."""
    if plane == "cubeless":
        return np.asarray(2 * table.win_probability(x, y) - 1)
    return table.equity(x, y, plane)  # type: ignore[arg-type]


def bound(table: bearoff.TwoSidedTable, plane: str) -> float:
    """The stated error of what `stored` gives."""
    return table.error(plane) * (2 if plane == "cubeless" else 1)


def number(*counts: int) -> int:
    """Number of the position with so many checkers on the ace, deuce, ..."""
    return int(bearoff.rank([*counts, *[0] * (6 - len(counts))]))
