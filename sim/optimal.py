"""The player who looks at the other side: two-sided best play, without a cube.

He plays so that the opponent is left the least chance to win, which the two-sided table
tells. So he has no roll distribution of his own: what he needs depends on whom he meets.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.two_sided_kept import smallest_table_with
from bearoff.two_sided_layout import layout
from sim.counts import Counts
from sim.players import expected_wins, player

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

OPTIMAL = "optimal"
"""Name of the player."""


def expected(
    names: tuple[str, str],
    points: int,
    checkers: int,
    rollers: Int64Array,
    opponents: Int64Array,
) -> Float64Array:
    """Win probability of the roller that games between two players converge to.

    Parameters
    ----------
    names : (str, str)
        Players of the roller and of the opponent.
    points, checkers : int
        Size of the table.
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers.

    Returns
    -------
    ndarray of float64, shape (n,)
        By convolution, or from the two-sided table if both are optimal; not-a-number
        where one is and the other is not, for which nothing tells it but the games.

    Raises
    ------
    TableError
        If a player is optimal and no two-sided table holds the positions.
    """
    if OPTIMAL not in names:
        roller, opponent = (player(name, points, checkers) for name in names)
        return expected_wins(roller, opponent, rollers, opponents)
    table = optimal_table(points, checkers)
    if names == (OPTIMAL, OPTIMAL):
        return table.win_probability(rollers, opponents)
    return np.full(len(rollers), np.nan)


def play_optimal(
    names: tuple[str, str],
    points: int,
    checkers: int,
    pairs: tuple[np.uint64, Int64Array, Int64Array, Int64Array, Int64Array, Counts],
) -> None:
    """Play games of which at least one player is optimal, and add up their counts.

    Parameters
    ----------
    names, points, checkers
        As for `expected`.
    pairs : tuple
        Seed, rollers, opponents, first games, games and counts; see `sim.blocks.play`.

    Raises
    ------
    TableError
        As for `expected`.
    """
    from sim import kernels

    table = optimal_table(points, checkers)
    places = layout(table.checkers)
    roller, opponent = (
        all_plays(points, checkers)
        if name == OPTIMAL
        else player(name, points, checkers).choices
        for name in names
    )
    kernels.play_two_sided(
        names[0] == OPTIMAL,
        roller.offsets,
        roller.numbers,
        names[1] == OPTIMAL,
        opponent.offsets,
        opponent.numbers,
        bearoff.one_sided_table(points, checkers).policy,
        places.slots,
        places.size,
        table.codes("cubeless"),
        *pairs,
    )


@lru_cache(maxsize=2)
def all_plays(points: int, checkers: int) -> bearoff.Successors:
    """List all plays of positions of this size, once a process."""
    return bearoff.successors(points, checkers)


def table_for(
    what: str, points: int, checkers: int, *, cube: bool
) -> bearoff.TwoSidedTable:
    """Open the smallest two-sided table that holds a side of so many checkers.

    Parameters
    ----------
    what : str
        Who needs it, as the refusal begins.
    points, checkers : int
        Size of the run's positions.
    cube : bool
        Whether all planes are needed.

    Raises
    ------
    TableError
        If there is none.
    """
    if points != bearoff.POINTS:
        raise bearoff.TableError(
            f"{what} a two-sided table, which has {bearoff.POINTS} points, got "
            f"table.points: {points}"
        )
    table = smallest_table_with(checkers, cube=cube)
    if table is None:
        raise bearoff.TableError(
            f"{what} a two-sided table of {checkers} checkers; run: bearoff tables build "
            f"--two-sided --checkers {checkers}{'' if cube else ' --cubeless'}"
        )
    return table


@lru_cache(maxsize=2)
def optimal_table(points: int, checkers: int) -> bearoff.TwoSidedTable:
    """Open the table that the player `OPTIMAL` plays by; see `table_for`."""
    return table_for(f"the player {OPTIMAL} needs", points, checkers, cube=False)
