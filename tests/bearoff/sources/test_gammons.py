"""Gammon chances, and plays chosen where gammons matter."""

import numpy as np
import pytest

import bearoff
from bearoff.answers import Judge
from bearoff.sources.gammons import GAMMON_ERROR, gammon_chances
from research.comparisons.gammon_chances import gammon_lost, plays


def position(points):
    return bearoff.Position(tuple(points.count(point) for point in range(1, 25)))


def counts(points):
    return np.array([position(points).counts], dtype=np.int8)


def best_play(loser, winner, dice):
    race = bearoff.Race(position(loser), position(winner), dice=dice)
    best = Judge(()).answer(race).plays[0].play
    after = best.after.counts
    return tuple(point for point, n in enumerate(after, start=1) for _ in range(n))


STRAGGLER = (1, 1, 2, 2, 3, 3, 3, 6, 6, 6, 6, 8, 8, 8, 17)
SEVEN = (1, 1, 1, 2, 2, 2, 2)


def test_the_play_of_a_match_brings_the_straggler_round():
    """In a position from a match, the best play moves the straggler to save the gammon."""
    after = best_play(STRAGGLER, SEVEN, (5, 4))
    assert after == (1, 1, 2, 2, 3, 3, 3, 4, 6, 6, 6, 6, 8, 8, 12)
    stacked = (1, 1, 2, 2, 3, 3, 3, 6, 6, 6, 6, 8, 8, 8, 8)
    found = [
        float(gammon_chances(counts(SEVEN), counts(side), on_roll=True)[0])
        for side in (after, stacked)
    ]
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
    assert reached is not None
    lost = {after: gammon_lost(after, winner) for after in reached}
    best = min(lost.values())
    assert lost[best_play(loser, winner, dice)] < best + 0.002
    assert max(lost.values()) > best + 0.01
    for after, chance in lost.items():
        found = gammon_chances(counts(winner), counts(after), on_roll=True)
        assert abs(float(found[0]) - chance) < GAMMON_ERROR


def test_who_cannot_lose_a_gammon_loses_none():
    winner, loser = counts(SEVEN), counts(STRAGGLER[:-1])
    assert gammon_chances(winner, loser, on_roll=True).tolist() == [0.0]


def test_at_home_and_beyond_chances_meet():
    """Moving a checker from the 6 point to the 7 point hardly changes the gammon chance."""
    six = counts((3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6))
    seven = counts((3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 7))
    winner = counts((1, 1, 2, 2))
    for on_roll in (True, False):
        near, far = (
            float(gammon_chances(winner, side, on_roll=on_roll)[0]) for side in (six, seven)
        )
        assert near <= far < near + 0.5
    # If the winner has checkers outside the home board, the number of rolls that the winner
    # needs is an estimate.
    beyond = counts((1, 1, 7))
    assert 0 < float(gammon_chances(beyond, seven, on_roll=True)[0]) < 1
