"""Plays of a roll, and their errors."""

from dataclasses import asdict

import pytest

from bearoff.answers import Judge, answer_rolls, read_question
from tests.two_sided_tables import built

ASKED = [
    {"roller": "0,1,2,2,0,0", "opponent": "2,0,0,1,0,1", "dice": "6-1"},
    {"roller": "2,2,1,0,0,0", "opponent": "2,0,0,1,2,0", "dice": "1-1", "cube": "owned"},
    # In this race, all plays are equal, because every roll bears off the opponent's
    # checker.
    {"roller": "0,0,3,0,0,2", "opponent": "1,0,0,0,0,0", "dice": "2-1"},
    {"roller": "0,1,1,0,0,0", "opponent": "2,0,0,0,0,0", "dice": "2-1", "score": "2-4"},
    # The fast model evaluates this race, with gammons.
    {"roller": "3,3,3,3,2,0,1", "opponent": "2,2,2,2,2,5,0", "dice": "4-1", "jacoby": True},
    {"roller": "2,2,2,2,2,2,1,1,1", "opponent": "3,3,3,3,3", "dice": "6-5", "score": "3-5"},
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked["dice"])
def test_errors_of_plays_and_the_same_plays_among_all_21_rolls(asked):
    judge, race = Judge([built(5)]), read_question(asked).race
    best, *others = plays = judge.answer(race).plays
    assert best.cost == 0
    assert min(play.cost for play in plays) == 0 <= min(play.error for play in plays)
    better = max(0.0, *(other.error - other.cost for other in others))
    assert best.error == pytest.approx(better, abs=1e-15)
    if asked["opponent"] == "1,0,0,0,0,0":
        assert {(play.cost, play.error) for play in plays} == {(0, 0)}
    (roll,) = (one for one in answer_rolls(judge, race) if one.dice == race.dice)
    assert asdict(roll.best) == asdict(best)
    if others:
        assert asdict(roll.second) == asdict(others[0])
    assert asdict(roll.most_wins) in map(asdict, plays)
