"""Gammon chances of rollouts, compared with enumerations of all rolls and plays."""

from functools import cache

import numpy as np
import pytest

import bearoff
from bearoff.sim.rollouts.estimate import Goal, rollout
from oracles import rollout_twin
from research.comparisons.gammon_chances import plays

OFF = (0,) * 24


def counts_of(points):
    return tuple(points.count(point) for point in range(1, 25))


def mean(values):
    return float(np.dot(values, bearoff.WEIGHTS)) / 36


@cache
def least_lost(winner, loser, winner_rolls=True):
    """Return the mean number of points that gammons cost a loser who plays best.

    `winner` has the number of checkers on each point, and `loser` has the point of each of
    fifteen checkers.
    """
    if winner_rolls:
        lost, ends = 1.0 + (loser[-1] > 18), rollout_twin.plays(winner)[0]
        return mean([lost if end == OFF else least_lost(end, loser, False) for end in ends])
    every = [plays(loser, roll) for roll in bearoff.ROLLS]
    return mean(
        [
            0.0 if ends is None else min(least_lost(winner, e) for e in ends)
            for ends in every
        ]
    )


SIXES = [6] * 13
STRAGGLERS = [1, 1, 2, 2, 3, 3, 3, 6, 6, 6, 6]


@pytest.mark.parametrize(
    ("winner", "loser", "known"),
    [
        ([1, 2, 2, 2], [*SIXES, 8, 9], None),
        ([1, 1, 2, 2, 3], [*SIXES, 8, 20], None),
        ([1, 1, 2, 2], [*SIXES, 19, 20], None),
        # Exact chances of races that would take long to enumerate.
        ([1, 1, 1, 2, 2, 2, 2], [*STRAGGLERS, 4, 8, 8, 12], 0.2160),
        ([1, 1, 1, 2, 2, 2, 2], [*STRAGGLERS, 8, 8, 8, 8], 0.3285),
    ],
)
def test_the_loser_saves_about_all_that_can_be_saved(winner, loser, known):
    """In rollouts, the loser saves nearly as many gammons as with best play.

    With fewest-rolls play, the loser would lose 0.03 to 0.6 points more.
    """
    sides = counts_of(winner), counts_of(loser)
    answer = rollout(bearoff.Race(*map(bearoff.Position, sides)), Goal(0, 7776))
    lost = answer.gammon_won, answer.backgammon_won
    found, error = sum(e.value for e in lost), sum(e.standard_error for e in lost)
    best = known or least_lost(sides[0], tuple(sorted(loser)))
    less, more = (1e-4, 0.004) if known else (1e-6, 5e-4)
    assert best - 4 * error - less < found < best + 4 * error + more


LAST_ROLLS = [
    # In this race, the loser has two rolls to bear a checker off.
    ([1, 1, 4], [4, *10 * [5], 6, 6, 6, 9], False),
    # With 6-1, 14/7 needs more rolls on average than 14/8 5/4, but saves more gammons.
    ([1, 2, 3], [2, *13 * [5], 14], False),
    ([2, 4], [*6 * [2], *6 * [5], 7, 8, 9], False),
    ([1, 2, 6], [*4 * [1], *3 * [4], *6 * [6], 8, 13], True),
    ([2, 2], [*9 * [2], *4 * [6], 8, 10], True),
]
"""Races, each with the winner's and the loser's checkers, and whether the winner is on
roll."""


@pytest.mark.parametrize(("winner", "loser", "winner_rolls"), LAST_ROLLS)
@pytest.mark.parametrize(
    "score", [None, pytest.param((5, 5), marks=pytest.mark.slow), (2, 4)], ids=str
)
def test_last_rolls_are_played_as_well_as_can_be(winner, loser, winner_rolls, score):
    sign, sides = 1 if winner_rolls else -1, [counts_of(winner), counts_of(loser)]
    best = least_lost(sides[0], tuple(sorted(loser)), winner_rolls)
    positions = map(bearoff.Position, sides[::sign])
    race = bearoff.Race(*positions, score=score and bearoff.Score(score))
    answer = rollout(race, Goal(0, 1296))
    single, gammon = answer.terms.worth([sign, 2 * sign]).tolist()
    right = single + (gammon - single) * best
    chance = answer.gammon_won if winner_rolls else answer.gammon_lost
    # Rollouts estimate gammon chances beyond the next two rolls, with hardly any effect.
    for found, exact in ((chance, best), (answer.cubeless, right), (answer.value, right)):
        assert abs(found.value - exact) < 4 * found.standard_error + 2e-4
