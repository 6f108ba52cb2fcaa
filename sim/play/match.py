"""Simulation of a block of games without a cube."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.engine import Block
from bearoff.sim.play.arguments import checked_games
from bearoff.sim.play.optimal import OPTIMAL, play_optimal
from bearoff.sim.play.players import player
from bearoff.sim.play.tally import WIDTH, Counts

Int64Array = NDArray[np.int64]


@dataclass(frozen=True)
class RaceMatch:
    """Players, table size and dice of simulated games without a cube.

    Attributes
    ----------
    points, checkers : int
        Maximum numbers of points and of checkers per side.
    roller, opponent : str
        Names of the players; see `sim.play.players.PLAYERS` and `sim.play.optimal`.
    seed : int
        Seed of the dice, from 0 to 2**64 - 1.
    """

    points: int
    checkers: int
    roller: str
    opponent: str
    seed: int


def play_games(
    match: RaceMatch,
    rollers: Int64Array,
    opponents: Int64Array,
    firsts: Int64Array,
    games: Int64Array,
) -> Counts:
    """Play ``games[k]`` games without a cube from each pair of positions ``k``.

    Parameters
    ----------
    match : RaceMatch
        Players, size of the board, and seed of the dice.
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers of sides with a checker on the board.
    firsts, games : ndarray of int64, shape (n,)
        Number of the first game of each pair of positions, and how many games to play from
        there. The games of a pair have numbers from 0 to 2**40 - 1, which determine their
        dice.

    Returns
    -------
    ndarray of int64, shape (n, WIDTH)
        Statistics of the games of each pair, with columns as in `sim.play.tally`. The
        statistics of different games of a pair can be added.

    Raises
    ------
    PositionError
        If a position does not exist or has no checker on the board, or game numbers are out
        of range.

    Examples
    --------
    >>> import bearoff
    >>> start = bearoff.rank([[0, 0, 0, 5, 5, 5]])
    >>> match = RaceMatch(6, 15, "fewest-rolls", "fewest-rolls", seed=1)
    >>> counts = play_games(match, start, start, np.array([0]), np.array([100_000]))
    >>> bool(abs(counts[0, 1] / 100_000 - 0.59605) < 5 * 0.00155)
    True
    """
    from bearoff.sim.play import choice_kernels, kernels

    size = match.points, match.checkers
    pairs = checked_games(size, match.seed, rollers, opponents, firsts, games)
    counts = np.zeros((len(pairs.rollers), WIDTH), dtype=np.int64)
    names = match.roller, match.opponent
    if OPTIMAL in names:
        play_optimal(names, match.points, match.checkers, pairs, counts)
        return counts
    roller, opponent = (player(name, match.points, match.checkers) for name in names)
    if roller.policy is not None and opponent.policy is not None:
        kernels.play_policies(roller.places, opponent.places, pairs, counts)
    else:
        choice_kernels.play_choices(roller.choices, opponent.choices, pairs, counts)
    return counts


def play_block(
    match: RaceMatch, block: Block, rollers: Int64Array, opponents: Int64Array
) -> tuple[Block, Counts]:
    """Play a block of games in a worker; return the block and its statistics."""
    return block, play_games(match, rollers, opponents, block.firsts, block.games)
