"""The unit of work: a block of games that one worker plays and that adds to the rest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff import PositionError, position_count
from sim.counts import WIDTH, Counts
from sim.optimal import OPTIMAL, play_optimal
from sim.plan import Block
from sim.players import player

Int64Array = NDArray[np.int64]

MOST_GAMES = 1 << 40
"""Games of a pair that have dice of their own; see `sim.dice`."""


@dataclass(frozen=True)
class Match:
    """Who plays whom on which table with which dice; the same for all blocks of a run.

    Attributes
    ----------
    points, checkers : int
        Size of the table.
    roller, opponent : str
        Names of the players; see `sim.players.PLAYERS` and `sim.optimal`.
    seed : int
        Seed of the dice, 0 to 2**64 - 1.
    """

    points: int
    checkers: int
    roller: str
    opponent: str
    seed: int


def play(
    match: Match,
    rollers: Int64Array,
    opponents: Int64Array,
    firsts: Int64Array,
    games: Int64Array,
) -> Counts:
    """Play games ``firsts[k]`` to ``firsts[k] + games[k] - 1`` of each pair ``k``.

    Parameters
    ----------
    match : Match
        Players, table and dice.
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers, each with a checker on the board.
    firsts, games : ndarray of int64, shape (n,)
        Number of the first game of each pair, and how many to play; games are numbered
        from 0 to 2**40 - 1.

    Returns
    -------
    ndarray of int64, shape (n, WIDTH)
        Counts of each pair's games; columns as `sim.counts` names them. They depend on
        the arguments alone, and those of disjoint ranges of games add.

    Raises
    ------
    PositionError
        If a side of a pair has no checker on the board or no such position exists, or
        games lie outside their range.

    Examples
    --------
    >>> import bearoff
    >>> start = bearoff.rank([[0, 0, 0, 5, 5, 5]])
    >>> match = Match(6, 15, "fewest-rolls", "fewest-rolls", seed=1)
    >>> counts = play(match, start, start, np.array([0]), np.array([100_000]))
    >>> bool(abs(counts[0, 1] / 100_000 - 0.59605) < 5 * 0.00155)
    True
    """
    from sim import kernels  # Compiled code is loaded only where games are played.

    size = position_count(match.points, match.checkers)
    for side in (rollers, opponents):
        if not np.all((side > 0) & (side < size)):
            raise PositionError(
                f"a race needs a checker on the board on both sides: position numbers from "
                f"1 to {size - 1}"
            )
    if not np.all((firsts >= 0) & (games >= 0) & (firsts + games <= MOST_GAMES)):
        raise PositionError("games of a pair are numbered from 0 to 2**40 - 1")
    counts = np.zeros((len(rollers), WIDTH), dtype=np.int64)
    pairs = (np.uint64(match.seed), rollers, opponents, firsts, games, counts)
    names = match.roller, match.opponent
    if OPTIMAL in names:
        play_optimal(names, match.points, match.checkers, pairs)
        return counts
    roller, opponent = (player(name, match.points, match.checkers) for name in names)
    if roller.policy is not None and opponent.policy is not None:
        kernels.play_policies(roller.places, opponent.places, *pairs)
    else:
        kernels.play_choices(
            roller.choices.offsets,
            roller.choices.numbers,
            opponent.choices.offsets,
            opponent.choices.numbers,
            *pairs,
        )
    return counts


def play_block(
    match: Match, block: Block, rollers: Int64Array, opponents: Int64Array
) -> tuple[Block, Counts]:
    """Play a block, given the positions of its pairs; what a worker is sent to do."""
    return block, play(match, rollers, opponents, block.firsts, block.games)
