"""Races as they arise: games of backgammon, played from the opening until contact is over.

Both sides play alike. A play is scored in quarter pips by what players look at: the
difference of the pip counts, points made and adjacent, blots within reach of a shot,
stacks, checkers on the bar against a strong board, rear checkers where the side leads.
Each turn the player does not see differences below a slack of ``MOST_SLACK u^2`` with
``u`` uniform in [0, 1): of the plays within it of the best, one is chosen by lot. So good
plays are usual, odd ones happen, and the positions that come of it are varied. Nobody
doubles, so games run on that a double would have ended.

Game ``g`` of a seed throws the dice of `sim.play` under its own key; its lots are draws of
`sim.play.draws`. It depends on nothing but the seed and its number.
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
"""Games of a block, whose lots are drawn together."""

MOST_SLACK = 24
"""Quarter pips by which a play may seem worse than the best and still be chosen."""

DICE_OF_CONTACT = 1
"""Name of these dice for `sim.play.replay.race_key`; a race's own are others."""

MOST_DRAWS = 64
"""Six turns each; a game that is still in contact after them is left out."""


@dataclass(frozen=True, eq=False)
class Starts:
    """Races at the moment contact is over, one for each game that comes to it.

    Attributes
    ----------
    games : ndarray of int64, shape (n,)
        Numbers of the games, ascending.
    rollers, opponents : ndarray of int8, shape (n, 24)
        Checkers on the ace, deuce, ... of the side on roll and of the other; what is
        missing to 15 is borne off. The two rearmost checkers have passed each other.
    """

    games: Int64Array
    rollers: Int8Array
    opponents: Int8Array


def race_starts(seed: int, block: int) -> Starts:
    """Play the games ``BLOCK * block`` and on of a seed until their contact is over.

    Parameters
    ----------
    seed : int
        0 to 2**64 - 1.
    block : int
        Number of the block of `BLOCK` games, 0 to 2**40 - 1.

    Returns
    -------
    Starts
        Of the games that become a race; a side may also bear off while the other still
        holds it in contact.

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
    """Return how much each side of a block's games wants to run, shape (2, BLOCK)."""
    from bearoff.game.contact import kernels

    draws = uniforms(seed, 1 << 63 | block << 20 | MOST_DRAWS, 2 * BLOCK)
    return np.floor(kernels.MOST_URGE * draws.reshape(2, BLOCK)).astype(np.int64)


def lots_of(seed: int, block: int, draw: int) -> tuple[Int64Array, NDArray[np.float64]]:
    """Return the slacks and lots of six turns of a block's games.

    Returns
    -------
    slacks : ndarray of int64, shape (2, 6, BLOCK)
        In quarter pips, by side, turn and game.
    lots : ndarray of float64, shape (2, 6, BLOCK)
        From [0, 1).
    """
    stream = 1 << 63 | block << 20 | draw
    draws = uniforms(seed, stream, 2 * 2 * 6 * BLOCK).reshape(2, 2, 6, BLOCK)
    return np.floor(MOST_SLACK * draws[0] * draws[0]).astype(np.int64), draws[1]
