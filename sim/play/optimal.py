"""Player that maximises the win probability against the opponent's actual position.

The player uses the two-sided table without a cube. It has no distribution of the number of
rolls, because this number depends on the opponent.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.sim.play.arguments import PairCodes, PairGames, PlayChoices
from bearoff.sim.play.players import expected_wins, player
from bearoff.sim.play.tally import Counts
from bearoff.two_sided import build_command, smallest_table_with

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

OPTIMAL = "optimal"
"""Name of the player that maximises the win probability."""


def expected(
    names: tuple[str, str],
    points: int,
    checkers: int,
    rollers: Int64Array,
    opponents: Int64Array,
) -> Float64Array:
    """Return the roller's expected win probability for given players, shape (n,)."""
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
    pairs: PairGames,
    counts: Counts,
) -> None:
    """Play games with at least one optimal player; add their statistics to `counts`."""
    from bearoff.sim.play import choice_kernels

    table = optimal_table(points, checkers)
    places = table.places
    roller, opponent = (
        all_plays(points, checkers)
        if name == OPTIMAL
        else player(name, points, checkers).choices
        for name in names
    )
    values = PairCodes(
        bearoff.one_sided_table(points, checkers).policy,
        places.slots,
        table.codes("cubeless"),
    )
    optimal = names[0] == OPTIMAL, names[1] == OPTIMAL
    choice_kernels.play_two_sided(optimal, roller, opponent, values, pairs, counts)


@lru_cache(maxsize=2)
def all_plays(points: int, checkers: int) -> PlayChoices:
    return PlayChoices.of(bearoff.plays.successors(points, checkers))


def table_for(
    user: str, points: int, checkers: int, *, cube: bool
) -> bearoff.TwoSidedTable:
    """Open the smallest two-sided table with enough checkers per side for `user`."""
    try:
        table = smallest_table_with(checkers, points, cube=cube)
        command = build_command(points, checkers, cube=cube)
    except bearoff.PositionError as error:
        raise bearoff.TableError(
            f"{user} requires a two-sided table, but {error}"
        ) from None
    if table is None:
        raise bearoff.TableError(
            f"{user} requires a two-sided table for {checkers} checkers on {points} "
            f"points; run: {command}"
        )
    return table


@lru_cache(maxsize=2)
def optimal_table(points: int, checkers: int) -> bearoff.TwoSidedTable:
    return table_for(f"the player {OPTIMAL}", points, checkers, cube=False)
