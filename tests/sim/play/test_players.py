"""Players compared with their definitions, on a small table."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest

import bearoff
from bearoff.plays.pip_levels import most_rolls
from bearoff.sim.config import players
from bearoff.sim.cubeful.checkers import PERFECT
from bearoff.sim.play import dice_kernels
from bearoff.sim.play.arguments import IDLE_ROWS
from bearoff.sim.play.optimal import OPTIMAL
from bearoff.sim.play.players import PLAYERS, expected_wins, player
from oracles import reference
from tests.refusals import refused

POINTS, CHECKERS = 6, 4
POSITIONS = reference.all_positions(POINTS, CHECKERS)
NUMBERS = {position: number for number, position in enumerate(POSITIONS)}

PREFERENCES = {
    "fewest-rolls": reference.mean_rolls,
    "most-checkers-off": lambda after: (len(after), sum(after)),
    "fewest-pips": lambda after: sum(after),
}


@cache
def plays(name, position, throw):
    """Return the positions to which a player moves with this roll, all equally likely."""
    ends = reference.successors(position, *throw)
    if name == "random-play":
        return sorted(ends)
    return [min(ends, key=lambda after: (PREFERENCES[name](after), NUMBERS[after]))]


@cache
def chance_of_rolls(name, position, rolls):
    """Return the chance that a player needs exactly `rolls` rolls."""
    if not position or not rolls:
        return Fraction(int(not position and not rolls))
    total = Fraction(0)
    for throw in reference.THROWS:
        ends = plays(name, position, throw)
        chances = (chance_of_rolls(name, after, rolls - 1) for after in ends)
        total += sum(chances, Fraction(0)) / len(ends)
    return total / 36


@cache
def win_chance(first, second, roller, opponent):
    """Return the win probability of the side on roll, by a recursion over all rolls."""
    if not opponent:
        return Fraction(0)
    total = Fraction(0)
    for throw in reference.THROWS:
        ends = plays(first, roller, throw)
        for after in ends:
            lost = win_chance(second, first, opponent, after) if after else Fraction(0)
            total += (1 - lost) / len(ends)
    return total / 36


@pytest.mark.parametrize("name", PLAYERS)
def test_plays_are_those_of_the_definitions_each_once(name):
    found = player(name, POINTS, CHECKERS)
    assert (found.policy is None) == (name == "random-play")
    starts, numbers = found.choices.offsets.tolist(), found.choices.numbers.tolist()
    for position, number in NUMBERS.items():
        for roll, throw in enumerate(bearoff.ROLLS):
            at = 21 * number + roll
            right = sorted(NUMBERS[end] for end in plays(name, position, throw))
            assert numbers[starts[at] : starts[at + 1]] == right


@pytest.mark.parametrize("name", PLAYERS)
def test_distributions_are_those_of_brute_force(name):
    rows = player(name, POINTS, CHECKERS).distribution
    for position, number in NUMBERS.items():
        exact = [float(chance_of_rolls(name, position, n)) for n in range(rows.shape[1])]
        assert np.allclose(rows[number], exact, rtol=0, atol=1e-14)
        assert sum(exact) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize(("first", "second"), list(pairwise([*PLAYERS, "fewest-rolls"])))
def test_expected_wins_are_those_of_the_game_played_out(first, second):
    # Positions have three checkers, because exact fractions for four would take longer.
    size = bearoff.position_count(POINTS, 3)
    pairs = np.random.default_rng(2).integers(1, size, (2, 15))
    sides = (player(name, POINTS, CHECKERS) for name in (first, second))
    found = expected_wins(*sides, *pairs)
    exact = [
        float(win_chance(first, second, POSITIONS[x], POSITIONS[y])) for x, y in pairs.T
    ]
    assert np.allclose(found, exact, rtol=0, atol=1e-14)


def test_fewest_rolls_is_the_public_one_and_nobody_needs_fewer(table):
    rollers, opponents = np.random.default_rng(4).integers(1, len(table), (2, 5000))
    both = player("fewest-rolls", 6, 15)
    known = bearoff.fewest_rolls_win_probability(rollers, opponents)
    found = expected_wins(both, both, rollers, opponents)
    assert np.allclose(found, known, rtol=0, atol=1e-14)
    for name in PLAYERS:
        rows = player(name, 6, 15).distribution
        mean = rows @ np.arange(rows.shape[1])
        assert (mean > table.mean_rolls - 1e-12).all(), name
        assert (mean > table.mean_rolls + 0.01).any() == (name != "fewest-rolls"), name


def test_players_are_those_of_the_configuration_and_have_rows_for_all_turns():
    most = most_rolls(24 * 15, 15)
    draws = -(-most // dice_kernels.THROWS_PER_DRAW)
    assert dice_kernels.THROWS_PER_DRAW * draws <= IDLE_ROWS
    with refused(ValueError, "random-play"):
        _ = player("random-play", POINTS, CHECKERS).places
    assert {*PLAYERS, OPTIMAL, PERFECT} == set(get_args(players.PlayerName))
