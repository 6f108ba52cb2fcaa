"""Starting positions of races, from games that the neural network plays against itself.

The neural network of `game.evaluation` plays both sides and always chooses the play that it
considers best. Dice are generated as in `sim.play.dice_kernels`, with a key that only these
games use. A game depends only on the seed and on the number of the game.
"""

import numpy as np

from bearoff import ROLLS
from bearoff.game import Board
from bearoff.game.evaluation import Net, race_tables
from bearoff.sim.play import race_key
from bearoff.sim.populations.contact import BLOCK, MOST_DRAWS, Starts

DICE_OF_NET = 3
"""Number from which the key for dice in games of the neural network is derived."""


def net_starts(seed: int, block: int) -> Starts:
    """Play a block of games with the neural network until contact ends."""
    from bearoff.game.evaluation import play_kernels
    from bearoff.sim.play import dice_kernels

    key = np.uint64(race_key(seed, DICE_OF_NET, 0))
    games = np.arange(BLOCK * block, BLOCK * (block + 1), dtype=np.int64)
    boards = np.tile(Board.start().array, (BLOCK, 1))
    outcomes = np.full(BLOCK, play_kernels.UNOPENED, dtype=np.int8)
    dice = np.array(ROLLS, dtype=np.int64)
    rolls = np.empty((2, dice_kernels.THROWS_PER_DRAW, BLOCK), dtype=np.uint8)
    weights, zero = Net.load().weights, np.uint64(0)
    table = play_kernels.new_table(len(weights.hidden_bias))
    for draw in range(MOST_DRAWS):
        if not np.isin(outcomes, (play_kernels.IN_CONTACT, play_kernels.UNOPENED)).any():
            break
        dice_kernels.throw_lanes(
            key, zero, zero, games.astype(np.uint64), np.uint64(draw), rolls
        )
        play_kernels.play_turns(
            weights, race_tables(), table, boards, outcomes, dice, rolls
        )
    races = np.flatnonzero(outcomes == play_kernels.RACE)
    return Starts(
        games[races],
        np.maximum(boards[races, 1:25], 0),
        np.maximum(-boards[races, 24:0:-1], 0),
    )
