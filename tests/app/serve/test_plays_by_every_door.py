"""The plays of a roll have the same costs in all interfaces: commands, files, HTTP and
Python.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any

import pytest

from bearoff.answers import Judge, answer_rolls, read_question
from bearoff.plays import legal_plays
from tests.app.conftest import rows_answered
from tests.two_sided_tables import built

ASKED: list[dict[str, Any]] = [
    {"roller": "0,1,2,2,0,0", "opponent": "2,0,0,1,0,1", "dice": "6-1"},
    {"roller": "2,2,1,0,0,0", "opponent": "2,0,0,1,2,0", "dice": "1-1", "cube": "owned"},
    # In the next race, all plays are equal, because the opponent bears off with any roll.
    {"roller": "0,0,3,0,0,2", "opponent": "1,0,0,0,0,0", "dice": "2-1"},
    {"roller": "0,1,1,0,0,0", "opponent": "2,0,0,0,0,0", "dice": "2-1", "score": "2-4"},
    # The next race is evaluated by the fast model, with gammons.
    {"roller": "3,3,3,3,2,0,1", "opponent": "2,2,2,2,2,5,0", "dice": "4-1", "jacoby": True},
    {"roller": "2,2,2,2,2,2,1,1,1", "opponent": "3,3,3,3,3", "dice": "6-5", "score": "3-5"},
]
NUMBERS = "equity", "cost", "error"
ROUNDED = "best_equity", *NUMBERS
"""Names of the fields that files of answers store with twelve decimals."""


@dataclass(frozen=True)
class Told:
    """Values that one interface gives for the best play and for the play in question."""

    best: str
    best_equity: float
    equity: float
    cost: float
    error: float


def of_answer(found):
    return Told(
        found["best_play"],
        found["best_equity"],
        *(found[f"played_{name}"] for name in NUMBERS),
    )


@pytest.fixture(scope="module")
def judge():
    return Judge([built(5)])


@pytest.fixture(scope="module")
def plays():
    """Return a question for each legal play in each of the races."""
    found = []
    for asked in ASKED:
        race = read_question(asked).race
        assert race.dice is not None
        for play in legal_plays(race.roller, race.dice):
            found.append(asked | {"played": str(play)})
    assert len(found) > 20
    return found


@pytest.fixture(scope="module")
def alone(judge, plays):
    """Return the answers of `race`, from a judge of one race."""
    told = []
    for asked in plays:
        question = read_question(asked)
        answer, after = judge.answer(question.race), question.after()
        assert answer.best_play is not None
        assert after is not None
        played = answer.played(after)
        told.append(
            Told(
                answer.best_play.name,
                answer.best_play.equity,
                *(getattr(played, name) for name in NUMBERS),
            )
        )
    return told


def test_equal_plays_cost_nothing(plays, alone):
    for asked, told in zip(plays, alone, strict=True):
        assert told.cost >= 0
        assert told.error >= 0
        if asked["opponent"] == "1,0,0,0,0,0":
            assert (told.cost, told.error) == (0, 0)
        if told.best == asked["played"]:
            assert told.cost == 0


def test_the_best_play_is_wrong_by_what_another_may_be_better(plays, alone):
    for one in ASKED:
        told_of = {
            asked["played"]: told
            for asked, told in zip(plays, alone, strict=True)
            if asked | one == asked
        }
        error = told_of.pop(next(iter(told_of.values())).best).error
        others = told_of.values()
        better = max(0.0, *(other.error - other.cost for other in others))
        assert error == pytest.approx(better, abs=1e-15)


def test_a_file_says_the_same(bearoff, tmp_path, plays, alone):
    rows = rows_answered(bearoff, tmp_path, plays)
    written = [
        replace(told, **{name: round(getattr(told, name), 12) for name in ROUNDED})
        for told in alone
    ]
    assert [of_answer(row) for row in rows] == written


def test_http_says_the_same(client, plays, alone):
    wait = {"patience": 5}
    one_by_one = [client.post("/api/v1/race", json=one | wait).json() for one in plays]
    many = client.post("/api/v1/races", json={"races": plays} | wait).json()["answers"]
    for rows in (one_by_one, many):
        named = [
            row | {"best_play": best["name"] if isinstance(best, dict) else best}
            for row in rows
            for best in [row["best_play"]]
        ]
        assert [of_answer(row) for row in named] == alone


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked["dice"])
def test_the_roll_among_all_21_says_the_same(judge, asked):
    race = read_question(asked).race
    plays = {one.name: asdict(one) for one in judge.answer(race).plays}
    ranked = list(plays)
    (roll,) = (one for one in answer_rolls(judge, race) if one.dice == race.dice)
    assert asdict(roll.best) == plays[ranked[0]]
    if len(ranked) > 1:
        assert roll.second is not None
        assert asdict(roll.second) == plays[ranked[1]]
    assert asdict(roll.most_wins) == plays[roll.most_wins.name]
