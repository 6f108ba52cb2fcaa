"""Compiled kernels for players that choose plays at random or by win probability.

Games are played one after another, with the dice of `sim.play.dice_kernels`. The kernels in
`sim.play.kernels`, for players with one fixed play per position and roll, are a hundred
times as fast.
"""

import numpy as np

from bearoff.pair_planes import code_of
from bearoff.runtime import njit
from bearoff.sim.play.dice_kernels import (
    THROWS_PER_DRAW,
    next_throw,
    philox,
    roll_of,
    words,
)
from bearoff.sim.play.kernels import tally_race

_U = np.uint64
_HALF = _U(32)
_LOW = _U(0xFFFFFFFF)
_CHOICE = _U(1 << 31)
"""Bit of the random generator's counter that is 1 for random numbers that choose plays, and
0 for random numbers that give dice."""


@njit(cache=True, nogil=True)
def next_turn(seed, roller, opponent, game, turn, x_fraction, y_fraction):
    """Draw both sides' rolls of a turn, and random integers that select their plays.

    The throws of the two sides are the leading base-36 digits of the binary fractions
    `x_fraction` and `y_fraction`. The function returns the remaining fractions, which are
    passed to the call for the next turn.
    """
    if turn % THROWS_PER_DRAW == 0:
        x_fraction, y_fraction = words(
            seed, roller, opponent, game, _U(turn // THROWS_PER_DRAW)
        )
    x_word, y_word, _, _ = philox(
        game & _LOW,
        (game >> _HALF) | (_U(turn) << _U(8)) | _CHOICE,
        roller,
        opponent,
        seed & _LOW,
        seed >> _HALF,
    )
    x_throw, x_fraction = next_throw(x_fraction)
    y_throw, y_fraction = next_throw(y_fraction)
    return roll_of(x_throw), roll_of(y_throw), x_word, y_word, x_fraction, y_fraction


@njit(cache=True, inline="always")
def _tally_gammon(roller_rolls, opponent_rolls, roller_full, opponent_full, row):
    """Count a gammon if the loser has not borne off any checker.

    ``roller_full`` and ``opponent_full`` count the rolls before which the roller, or the
    opponent, still had all 15 checkers on the board.
    """
    row[4] += roller_rolls <= opponent_rolls and roller_rolls <= opponent_full
    row[5] += roller_rolls > opponent_rolls and opponent_rolls < roller_full


@njit(cache=True, nogil=True)
def _choose(offsets, numbers, position, roll, word):
    """Return the position after a random play of the roll; all plays are equally likely."""
    start = offsets[position * 21 + np.int64(roll)]
    size = _U(offsets[position * 21 + np.int64(roll) + 1] - start)
    return np.int64(numbers[start + np.int64((word * size) >> _HALF)])


@njit(cache=True, nogil=True)
def play_choices(roller_choices, opponent_choices, pairs, counts):
    """Play races between two players who choose at random among their allowed plays.

    The dice of a game are the same as in `sim.play.kernels.play_policies`.
    """
    x_offsets, x_numbers = roller_choices
    y_offsets, y_numbers = opponent_choices
    seed, rollers, opponents, firsts, games, full = pairs
    for k in range(rollers.size):
        roller, opponent = _U(rollers[k]), _U(opponents[k])
        for g in range(firsts[k], firsts[k] + games[k]):
            x, y = np.int64(rollers[k]), np.int64(opponents[k])
            x_rolls = y_rolls = x_full = y_full = turn = 0
            x_fraction = y_fraction = _U(0)
            while x | y:
                x_roll, y_roll, x_word, y_word, x_fraction, y_fraction = next_turn(
                    seed, roller, opponent, _U(g), turn, x_fraction, y_fraction
                )
                x_rolls += x != 0
                y_rolls += y != 0
                x_full += x >= full
                y_full += y >= full
                x = _choose(x_offsets, x_numbers, x, x_roll, x_word)
                y = _choose(y_offsets, y_numbers, y, y_roll, y_word)
                turn += 1
            tally_race(x_rolls, y_rolls, counts[k])
            _tally_gammon(x_rolls, y_rolls, x_full, y_full, counts[k])


@njit(cache=True, nogil=True)
def _minimise(offsets, numbers, slots, codes, position, roll, other):
    """Return the first position that minimises the opponent's win probability."""
    start = offsets[position * 21 + np.int64(roll)]
    end = offsets[position * 21 + np.int64(roll) + 1]
    rolling = np.int64(slots[other])
    best = np.int64(numbers[start])
    least = np.int64(1 << 20)
    for k in range(start, end):
        code = code_of(codes, rolling, np.int64(slots[numbers[k]]))
        if code < least:
            least = code
            best = np.int64(numbers[k])
    return best


@njit(cache=True, nogil=True)
def play_two_sided(optimal, roller_choices, opponent_choices, table, pairs, counts):
    """Play races in which at least one side minimises the opponent's win probability.

    `optimal` contains a flag for the roller and one for the opponent. A side without the
    flag chooses at random among its allowed plays, as in `play_choices`. A side with the
    flag makes fewest-rolls plays once its opponent has borne off. `table` is a `PairCodes`.
    """
    roller_optimal, opponent_optimal = optimal
    x_offsets, x_numbers = roller_choices
    y_offsets, y_numbers = opponent_choices
    fewest_rolls, slots, codes = table
    seed, rollers, opponents, firsts, games, full = pairs
    for k in range(rollers.size):
        roller, opponent = _U(rollers[k]), _U(opponents[k])
        for g in range(firsts[k], firsts[k] + games[k]):
            x, y = np.int64(rollers[k]), np.int64(opponents[k])
            x_rolls = y_rolls = x_full = y_full = turn = 0
            x_fraction = y_fraction = _U(0)
            while x | y:
                x_roll, y_roll, x_word, y_word, x_fraction, y_fraction = next_turn(
                    seed, roller, opponent, _U(g), turn, x_fraction, y_fraction
                )
                x_rolls += x != 0
                y_rolls += y != 0
                x_full += x >= full
                y_full += y >= full
                if not roller_optimal:
                    x = _choose(x_offsets, x_numbers, x, x_roll, x_word)
                elif y == 0:
                    x = np.int64(fewest_rolls[x, x_roll])
                else:
                    x = _minimise(x_offsets, x_numbers, slots, codes, x, x_roll, y)
                if not opponent_optimal:
                    y = _choose(y_offsets, y_numbers, y, y_roll, y_word)
                elif x == 0:
                    y = np.int64(fewest_rolls[y, y_roll])
                else:
                    y = _minimise(y_offsets, y_numbers, slots, codes, y, y_roll, x)
                turn += 1
            tally_race(x_rolls, y_rolls, counts[k])
            _tally_gammon(x_rolls, y_rolls, x_full, y_full, counts[k])
