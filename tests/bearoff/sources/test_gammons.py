"""Gammon chances, and plays chosen where gammons matter."""

import numpy as np
import pytest

import bearoff
from bearoff.answers import Judge
from bearoff.sources.gammons import GAMMON_ERROR, gammon_chances
from oracles.reference import checkers_of, counts_of
from research.comparisons.gammon_chances import gammon_lost, plays


def chance_of(winner, loser, on_roll=True):
    sides = (np.array([counts_of(side, 24)], dtype=np.int8) for side in (winner, loser))
    return gammon_chances(*sides, on_roll=on_roll).item()


def best_play(loser, winner, dice):
    race = bearoff.Race(counts_of(loser, 24), counts_of(winner, 24), dice=dice)
    return checkers_of(Judge(()).answer(race).plays[0].play.after.counts)


STRAGGLER = (1, 1, 2, 2, 3, 3, 3, 6, 6, 6, 6, 8, 8, 8, 17)
SEVEN = (1, 1, 1, 2, 2, 2, 2)


def test_the_play_of_a_match_brings_the_straggler_round():
    """In a position from a match, the best play moves the straggler to save the gammon."""
    after = best_play(STRAGGLER, SEVEN, (5, 4))
    assert after == (1, 1, 2, 2, 3, 3, 3, 4, 6, 6, 6, 6, 8, 8, 12)
    stacked = (1, 1, 2, 2, 3, 3, 3, 6, 6, 6, 6, 8, 8, 8, 8)
    found = [chance_of(SEVEN, side) for side in (after, stacked)]
    assert found == pytest.approx([0.2160, 0.3285], abs=0.015)


@pytest.mark.parametrize(
    ("loser", "winner", "dice"),
    [
        ((2, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 9, 12), (1, 1, 2), (5, 1)),
        ((1, 1, 2, 2, 3, 4, 5, 5, 5, 6, 6, 6, 6, 8, 15), (1, 2, 2), (4, 3)),
    ],
)
def test_the_best_play_saves_what_can_be_saved(loser, winner, dice):
    reached = plays(loser, dice)
    lost = {after: gammon_lost(after, winner) for after in reached}
    best = min(lost.values())
    assert lost[best_play(loser, winner, dice)] < best + 0.002
    assert max(lost.values()) > best + 0.01
    for after, chance in lost.items():
        assert abs(chance_of(winner, after) - chance) < GAMMON_ERROR


def test_who_cannot_lose_a_gammon_loses_none():
    assert chance_of(SEVEN, STRAGGLER[:-1]) == 0


def test_at_home_and_beyond_chances_meet():
    """Moving a checker from the 6 point to the 7 point hardly changes the gammon chance."""
    others = (3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6)
    for on_roll in (True, False):
        near, far = (chance_of((1, 1, 2, 2), (*others, n), on_roll) for n in (6, 7))
        assert near <= far < near + 0.5
    # If the winner has checkers outside the home board, the number of rolls that the winner
    # needs is an estimate.
    assert 0 < chance_of((1, 1, 7), (*others, 7)) < 1
