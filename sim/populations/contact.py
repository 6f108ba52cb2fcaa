"""Starting positions of races: games are simulated until contact ends.

Both sides use the same heuristic. It scores a play in quarter pips, by pip difference, made
and adjacent points, exposed blots, stacks, checkers on the bar against a strong board, and
rear checkers of a leading side. At each turn, one of all plays within ``MOST_SLACK u^2`` of
the best is chosen at random, with ``u`` uniform in [0, 1). Good plays are therefore
frequent, unusual plays occur, and positions vary. There is no doubling, so some games
continue that a double and a pass would have ended.

Dice are generated as in `sim.play.dice_kernels`, with a key that only these games use. The
random numbers that choose plays come from `sim.play.draws`. A game depends only on the seed
and on the number of the game.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff import ROLLS
from bearoff.game import Board
from bearoff.sim.play import race_key, uniforms

Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]

BLOCK = 1024
"""Number of games in a block. Random numbers are drawn for a whole block at a time."""

MOST_SLACK = 24
"""Maximum number of quarter pips by which a chosen play may be worse than the best play."""

DICE_OF_CONTACT = 1
"""Number from which the key for dice during contact is derived. Other dice have other
numbers."""

MOST_DRAWS = 64
"""Maximum length of a game with contact, in units of six turns. Longer games are discarded.
"""


@dataclass(frozen=True, eq=False)
class Starts:
    """Positions in which contact ends, one for each game that becomes a race.

    Attributes
    ----------
    games : ndarray of int64, shape (n,)
        Numbers of the games, in ascending order.
    rollers, opponents : ndarray of int8, shape (n, 24)
        Numbers of checkers on the ace point, deuce point, ... of the roller and of the
        opponent. Some of the 15 checkers may be borne off. The sides have no contact.
    """

    games: Int64Array
    rollers: Int8Array
    opponents: Int8Array


def race_starts(seed: int, block: int) -> Starts:
    """Play a block of games until contact ends; return the positions that start a race.

    Examples
    --------
    >>> starts = race_starts(1, 0)
    >>> rear = lambda counts: 24 - (counts[:, ::-1] > 0).argmax(axis=1)
    >>> bool((rear(starts.rollers) + rear(starts.opponents) <= 24).all())
    True
    """
    from bearoff.game.contact import kernels as contact
    from bearoff.sim.play import dice_kernels

    key = np.uint64(race_key(seed, DICE_OF_CONTACT, 0))
    games = np.arange(BLOCK * block, BLOCK * (block + 1), dtype=np.int64)
    boards = np.tile(Board.start().array, (BLOCK, 1))
    outcomes = np.full(BLOCK, contact.UNOPENED, dtype=np.int8)
    dice = np.array(ROLLS, dtype=np.int64)
    rolls = np.empty((2, dice_kernels.THROWS_PER_DRAW, BLOCK), dtype=np.uint8)
    zero = np.uint64(0)
    urges = urges_of(seed, block)
    for draw in range(MOST_DRAWS):
        if not np.isin(outcomes, (contact.IN_CONTACT, contact.UNOPENED)).any():
            break
        dice_kernels.throw_lanes(
            key, zero, zero, games.astype(np.uint64), np.uint64(draw), rolls
        )
        slacks, lots = lots_of(seed, block, draw)
        contact.play_turns(boards, outcomes, dice, urges, rolls, slacks, lots)
    races = np.flatnonzero(outcomes >= 0)
    return Starts(
        games[races],
        np.maximum(boards[races, 1:25], 0),
        np.maximum(-boards[races, 24:0:-1], 0),
    )


def urges_of(seed: int, block: int) -> Int64Array:
    """Return a random bonus for running plays, one per side and game, shape (2, BLOCK)."""
    from bearoff.game.contact import kernels

    draws = uniforms(seed, 1 << 63 | block << 20 | MOST_DRAWS, 2 * BLOCK)
    return np.floor(kernels.MOST_URGE * draws.reshape(2, BLOCK)).astype(np.int64)


def lots_of(seed: int, block: int, draw: int) -> tuple[Int64Array, NDArray[np.float64]]:
    """Return two arrays of random numbers that select plays, shape (2, 6, BLOCK).

    The first array contains slacks in quarter pips: a play may be chosen if it is worse
    than the best play by at most this number. The second array contains uniform random
    numbers from 0 to 1, which choose among these plays.
    """
    stream = 1 << 63 | block << 20 | draw
    draws = uniforms(seed, stream, 2 * 2 * 6 * BLOCK).reshape(2, 2, 6, BLOCK)
    return np.floor(MOST_SLACK * draws[0] * draws[0]).astype(np.int64), draws[1]
