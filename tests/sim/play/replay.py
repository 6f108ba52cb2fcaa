"""Second implementation of simulated games, in plain Python."""

import itertools
from functools import cache

import numpy as np
import pytest

import bearoff
from bearoff.sim.play import player, tally
from bearoff.sim.play.replay import philox, throws_of_game
from bearoff.sim.storage.schema import ROLLS_AHEAD_BINS

MASK = 0xFFFFFFFF

ROLL_OF_THROW = [roll for roll, weight in enumerate(bearoff.WEIGHTS) for _ in range(weight)]
"""Number of the roll, from 0 to 20, for each of the 36 throws."""


@cache
def chooser(name, points, checkers):
    """Return a function that chooses the plays of a player.

    Arrays are read in place, because Python lists took 500 MB.
    """
    if name == "random-play":
        every = bearoff.plays.successors(points, checkers)
        starts, numbers = memoryview(every.offsets), memoryview(every.numbers)

        def by_lot(position, roll, word):
            at = 21 * position + roll
            plays = numbers[starts[at] : starts[at + 1]]
            return plays[word * len(plays) // 2**32]

        return by_lot
    policy = memoryview(player(name, points, checkers).policy)
    return lambda position, roll, word: policy[position, roll]


@cache
def checkers_on_board(points, checkers):
    """Return the number of checkers on the board of each position."""
    numbers = np.arange(bearoff.position_count(points, checkers))
    return bearoff.unrank(numbers, points, checkers).sum(axis=1).tolist()


def words_of_choice(match, roller, opponent, game):
    """Yield, for every turn, the random numbers with which the two sides choose plays."""
    for turn in itertools.count():
        counter = game & MASK, game >> 32 | turn << 8 | 1 << 31, roller, opponent
        yield philox(counter, (match.seed & MASK, match.seed >> 32))[:2]


def rolls_needed(match, roller, opponent, game):
    """Play a game until both sides have borne off all checkers.

    Returns each side's number of rolls, and the number of rolls before which the side had
    all 15 checkers on the board.
    """
    size, names = (match.points, match.checkers), (match.roller, match.opponent)
    players, on_board = [chooser(name, *size) for name in names], checkers_on_board(*size)
    sides, needed, with_all = [roller, opponent], [0, 0], [0, 0]
    dice = throws_of_game(match.seed, roller, opponent, game)
    lots = words_of_choice(match, roller, opponent, game)
    while any(sides):
        throws, words = next(dice), next(lots)
        for side in (0, 1):
            if sides[side]:
                needed[side] += 1
                with_all[side] += on_board[sides[side]] == 15
                roll = ROLL_OF_THROW[throws[side]]
                sides[side] = players[side](sides[side], roll, words[side])
    return needed, with_all


def count(match, roller, opponent, games):
    """Replay some games; return the counts of their results."""
    row = np.zeros(tally.WIDTH, dtype=np.int64)
    for game in games:
        add(row, *rolls_needed(match, roller, opponent, game))
    return row


def assert_agrees(mean, square_errors, exact, most=5.0, rounding=2e-5):
    """Check that the results of all pairs agree with exact values within their errors.

    `rounding` is for the error of the table, where the result is certain.
    """
    open_ = square_errors > 0
    np.testing.assert_allclose(mean[~open_], exact[~open_], rtol=0, atol=rounding)
    z = (mean - exact)[open_] / np.sqrt(square_errors[open_])
    assert np.abs(z).max() < most
    assert (z**2).sum() == pytest.approx(len(z), abs=5 * np.sqrt(2 * len(z)))


def add(row, needed, with_all=(0, 0)):
    """Add the result of a game to counts, from what `rolls_needed` returns."""
    (mine, theirs), (mine_full, theirs_full) = needed, with_all
    wins = mine <= theirs  # the roller rolls first, so equal numbers of rolls win
    length = 2 * mine - 1 if wins else 2 * theirs
    # `behind` is the number of rolls that the loser still needs when the game ends.
    behind = theirs - (mine - 1) if wins else mine - theirs
    # The game is a gammon if the loser has rolled too few times to bear off a checker.
    row[tally.GAMMONS_WON] += wins and theirs_full > mine - 1
    row[tally.GAMMONS_LOST] += not wins and mine_full > theirs
    row[tally.GAMES] += 1
    row[tally.WINS] += wins
    row[tally.LENGTH] += length
    row[tally.LENGTH_SQUARED] += length**2
    bins = row[tally.ROLLER_AHEAD if wins else tally.OPPONENT_AHEAD]
    bins[min(behind, ROLLS_AHEAD_BINS) - 1] += 1
