"""The dice of games are uniform and independent, and draws have their probabilities."""

from itertools import islice

import numba
import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from scipy import stats

import bearoff
from bearoff import PositionError
from bearoff.sim.play import dice_kernels, kernels, replay, tally
from bearoff.sim.play.draws import uniforms, weighted_choice
from bearoff.sim.play.replay import philox, throws_of_game
from tests.refusals import refused

# Published outputs of the random number generator philox4x32 with 10 rounds, from Random123
# 1.14.0 (tests/kat_vectors). Each row has the counter, the key and the output words.
KNOWN_ANSWERS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000",
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip


def words(text):
    return tuple(int(word, 16) for word in text.split())


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_published_answers(counter, key, answer):
    assert philox(words(counter), words(key)) == words(answer)
    compiled = numba.njit(dice_kernels.philox.py_func)
    arguments = [np.uint64(word) for word in (*words(counter), *words(key))]
    assert compiled(*arguments) == words(answer)


def test_kernels_share_the_constants_of_their_faces():
    assert dice_kernels.THROWS_PER_DRAW == replay.THROWS_PER_DRAW
    assert kernels.WIDTH == tally.WIDTH
    assert tally.ROLLER_AHEAD.stop - tally.ROLLER_AHEAD.start == kernels.AHEAD_BINS


@given(*(st.integers(0, 2**bits - 1) for bits in (64, 32, 32, 40)))
def test_throws_are_the_digits_of_the_fraction(seed, roller, opponent, game):
    """Six throws of the dice are the first six digits of a random fraction in base 36.

    Of the 2^64 fractions, 2^64 / 36^6, rounded down or up, give each sequence of six
    throws. The relative error of the probability of a sequence is at most 36^6 / 2^64.
    """
    throws = list(islice(throws_of_game(seed, roller, opponent, game), 12))
    for draw in (0, 1):
        counter = game % 2**32, game // 2**32 + 2**8 * draw, roller, opponent
        a, b, c, d = philox(counter, (seed % 2**32, seed // 2**32))
        for side, fraction in enumerate((a * 2**32 + b, c * 2**32 + d)):
            digits = 0
            for throw in throws[6 * draw : 6 * draw + 6]:
                digits = 36 * digits + throw[side]
            assert digits == fraction * 36**6 // 2**64


@numba.njit
def throws_of_games(seed, roller, opponent, games, throws):
    """Fill an array with the first throws of games."""
    for game in range(games):
        for turn in range(throws.shape[2]):
            if turn % 6 == 0:
                x, y = dice_kernels.words(
                    seed, roller, opponent, np.uint64(game), np.uint64(turn // 6)
                )
            throws[0, game, turn], x = dice_kernels.next_throw(x)
            throws[1, game, turn], y = dice_kernels.next_throw(y)


def test_lanes_split_every_three_throws():
    threes = np.arange(36**3, dtype=np.uint32)
    halves = threes, threes[::-1]
    found = np.empty((2, len(threes)), dtype=np.uint16)
    split = numba.njit(dice_kernels.lane_rolls.py_func)
    split(halves[0] * np.uint32(36**3) + halves[1], len(threes), found)
    for half, turn in np.ndindex(2, 3):
        throws = halves[half].astype(int) // 36 ** (2 - turn) % 36
        rolls = found[half] >> (5 * turn) & 31
        assert np.array_equal(rolls, bearoff.rolls.ROLL_OF_THROW[throws])


def chi_square_chance(*indices):
    """Return the p-value of the hypothesis that all combinations are equally likely."""
    cells = 36 ** len(indices)
    code = np.zeros(indices[0].size, dtype=np.int64)
    for index in indices:
        code = 36 * code + index.ravel()
    found = np.bincount(code, minlength=cells)
    assert found.size == cells
    return stats.chisquare(found).pvalue


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_throws_are_even_and_independent(seed):
    games, turns = 100_000, 12
    throws = np.empty((2, games, turns), dtype=np.uint8)
    throws_of_games(np.uint64(seed), np.uint64(8887), np.uint64(54263), games, throws)
    tables = {
        "all throws": [throws],
        "a throw and that side's next": [throws[:, :, :-1], throws[:, :, 1:]],
        "a throw and the other side's": [throws[0], throws[1]],
        "a throw and that of the game after": [throws[:, :-1], throws[:, 1:]],
        "last of a draw and first of the next": [throws[:, :, 5], throws[:, :, 6]],
        **{f"throw {turn}": [throws[:, :, turn]] for turn in range(turns)},
    }
    for name, table in tables.items():
        # Fair dice give a smaller chance only once in thousands of runs. A larger chance
        # would mean frequencies that are too even.
        assert 1e-5 < chi_square_chance(*table) < 1 - 1e-5, name


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((-1, 1, 1, 0), ("seed", "2**64", -1)),
        ((2**64, 1, 1, 0), ("seed", "2**64", 2**64)),
        ((1, 2**32, 1, 0), ("roller", "2**32", 2**32)),
        ((1, 1, -3, 0), ("opponent", "2**32", -3)),
        ((1, 1, 1, 2**40), ("game", "2**40", 2**40)),
    ],
)  # fmt: skip
def test_what_has_no_dice_is_refused(arguments, named):
    with refused(PositionError, *named):
        next(throws_of_game(*arguments))


@pytest.mark.parametrize(
    ("seed", "stream", "first", "ninth"),
    [
        (0, 0, 213000021201967259, 4682203132107789405),
        (20261121, 7, 15339471717931592496, 9164863526446441597),
        (2**64 - 1, 2**34 + 3, 12009517058786468639, 15278758298442202741),
    ],
)
def test_draws_are_the_first_53_bits_of_philox(seed, stream, first, ninth):
    # The words were computed in plain Python, as Salmon et al. define Philox4x64-10. Each
    # counter gives four words; the first counter is 1, because numpy increments it before
    # the first draw.
    draws = uniforms(seed, stream, 12)
    assert [draws[0], draws[8]] == [(word >> 11) / 2**53 for word in (first, ninth)]


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=30).filter(any),
    st.floats(0, 1, exclude_max=True),
)
@example([0.0, *[0.1] * 10, 0.0, 0.0], 0.0)
@example([0.0, *[0.1] * 10, 0.0, 0.0], float(np.nextafter(1, 0)))
def test_a_draw_falls_where_its_weight_lies(weights, draw):
    index = weighted_choice(np.array(weights, dtype=float), np.array([draw]))[0]
    assert weights[index] > 0
    total = sum(weights)
    slack = 1e-12 * total
    assert sum(weights[:index]) <= draw * total + slack
    assert draw * total < sum(weights[: index + 1]) + slack


def test_races_whose_numbers_share_their_lower_32_bits_have_other_dice():
    last = bearoff.position_count(24) - 1
    numbers = last % 2**32, last
    assert numbers[0] < last
    assert len({replay.race_key(1, x, y) for x in numbers for y in numbers}) == 4
    with refused(PositionError, str(last)):
        next(throws_of_game(1, *numbers[::-1], 0))
