"""Expected equities of games with the cube, for players whose equities can be computed."""

import numpy as np
from numpy.typing import NDArray

from bearoff.matchup import CubeAt, PerfectCube, RacePlayer, strategy_values
from bearoff.sim.cubeful.at_score import PERFECT, PerfectAtScore, table_for
from bearoff.sim.cubeful.play import CubeMatch
from bearoff.sim.cubeful.sides import CubeSide
from bearoff.sim.pairs import Pairs
from bearoff.sim.play import PLAYERS, player
from bearoff.stakes import CubeOwner

Float64Array = NDArray[np.float64]

MOST_SOLVED = 10_000_000
"""Maximum number of pairs of positions for which expected equities are computed. The
computation for this number takes 250 MB of memory."""

_PLAYERS_VIEW: dict[CubeOwner, CubeAt] = {
    CubeOwner.ROLLER: "A",
    CubeOwner.OPPONENT: "B",
    CubeOwner.NOBODY: "centred",
}


def expected_equity(
    match: CubeMatch, pairs: Pairs, games: int, workers: int
) -> Float64Array:
    """Return the roller's expected equity for each pair of positions.

    For money, equities are in points at a cube value of 1. At a match score, the roller's
    match-winning chance is returned instead of an equity.

    Parameters
    ----------
    match : CubeMatch
        Players, cube strategies and stakes of the games.
    pairs : Pairs
        Pairs of positions from which games start.
    games : int
        Total number of games. For players without two-sided tables, equities are computed
        only if the players can reach at most `games` pairs of positions.
    workers : int
        Number of threads.

    Returns
    -------
    ndarray of float64, shape (pairs,)
        Expected equities: the values of the two-sided table if both sides are perfect; NaN
        where they are unknown.
    """
    unknown = np.full(len(pairs), np.nan)
    names = match.roller, match.opponent
    cubes = match.roller_cube, match.opponent_cube
    size, terms, stakes = (match.points, match.checkers), match.terms, match.terms.stakes
    if names == (PERFECT, PERFECT) and all(map(_is_perfect, cubes)):
        state = stakes.payoffs.state(terms.cube_value, *match.owner.may)
        table = table_for(stakes, *size)
        return terms.chance(table.settled(pairs.rollers, pairs.opponents, state, terms))
    if stakes.score is not None:
        return unknown
    policies = [player(name, *size).policy if name in PLAYERS else None for name in names]
    if policies[0] is None or policies[1] is None:
        return unknown
    reached = (
        _reached(policy, side)
        for policy, side in zip(policies, (pairs.rollers, pairs.opponents), strict=True)
        if policy is not None
    )
    if np.prod(list(reached)) > min(MOST_SOLVED, games):
        return unknown
    values = strategy_values(
        RacePlayer(cubes[0], policies[0]),
        RacePlayer(cubes[1], policies[1]),
        starts=np.stack([pairs.rollers, pairs.opponents], axis=1),
        points=match.points,
        jacoby=stakes.jacoby,
        workers=workers,
    )
    return values.equity(pairs.rollers, pairs.opponents, "A", _PLAYERS_VIEW[match.owner])


def _is_perfect(side: CubeSide) -> bool:
    return all(
        isinstance(strategy, PerfectCube | PerfectAtScore)
        for strategy in (side.centred, side.owned, side.take)
    )


def _reached(policy: NDArray[np.unsignedinteger], starts: NDArray[np.int64]) -> int:
    """Return the number of positions that a player can reach from the starts."""
    seen = np.zeros(len(policy), dtype=np.bool_)
    seen[starts] = True
    for position in range(int(starts.max()), 0, -1):
        # Every play lowers the position number, so in descending order a position precedes
        # all positions that it leads to.
        if seen[position]:
            seen[policy[position]] = True
    return int(seen.sum())
