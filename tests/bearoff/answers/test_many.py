"""Answers to many races equal the answers to single races."""

from dataclasses import replace

import numpy as np
import pytest

import bearoff
from bearoff.answers import Judge, Question, answer_many
from bearoff.plays import Play
from bearoff.rolls import ROLLS
from tests.refusals import refused
from tests.two_sided_tables import built


@pytest.fixture(scope="module")
def judge():
    return Judge([built(5)])


def questions(count):
    chance = np.random.default_rng(15)
    asked = []
    for number in range(count):
        points = 9 if number % 3 == 2 else 6
        drawn = chance.integers(0, points, (2, 5))
        sides = [np.bincount(each, minlength=points) for each in drawn]
        cube = ("centred", "owned", "opponent")[int(chance.integers(3))]
        roll = ROLLS[int(chance.integers(21))] if number % 2 else None
        score = bearoff.Score((3, 5)) if number % 10 == 4 else None
        value = 2 if score and cube != "centred" else 1
        rules = {"score": score} if score else {"jacoby": number % 7 == 3}
        race = bearoff.Race(*sides, cube=cube, cube_value=value, dice=roll, **rules)
        played = None
        if roll:
            legal = bearoff.legal_plays(race.roller, roll)
            played = str(legal[int(chance.integers(len(legal)))])
        decided = "take" if cube != "opponent" and number % 4 == 0 else None
        asked.append(Question(race, played, decided))
    return asked


@pytest.mark.parametrize("patience", [0.0, 30.0])
def test_each_is_answered_as_alone(judge, patience):
    judge = Judge([one.table for one in judge.tables], patience=patience)
    asked = questions(45 if patience else 90)
    found = answer_many(judge, asked)
    assert found.problem == len(asked) * [""]
    assert set(found.kind.tolist()) == ({"exact"} if patience else {"exact", "model"})
    for row, question in enumerate(asked):
        alone = judge.answer(question.race)
        assert found.kind[row] == alone.kind
        assert (found.action[row] or None) == alone.action
        assert found.too_close[row] == alone.too_close
        assert found["equity"][row] == pytest.approx(alone.equity, abs=1e-12)
        unit = np.nan if alone.chance_per_equity is None else alone.chance_per_equity
        assert found["chance_per_equity"][row] == pytest.approx(unit, nan_ok=True)
        if alone.plays:
            assert str(found.best_play[row]) == alone.plays[0].name
            assert found["best_equity"][row] == pytest.approx(alone.plays[0].equity)
            played = alone.played(question.played)
            assert found["played_cost"][row] == pytest.approx(played.cost)
            if played.cost > 1e-9:
                assert found["played_error"][row] == pytest.approx(played.error)
        else:
            assert found.best_play[row] is None
            assert np.isnan(found["played_cost"][row])
        if question.decided:
            decided = alone.decided("take")
            assert found["decided_cost"][row] == pytest.approx(decided.cost)


def test_a_problem_is_said_and_the_rest_goes_on(judge):
    race = bearoff.Race.parse("LwAAwC0AAAAAAA")
    over = replace(race, opponent=bearoff.Position((0,) * 6))
    long_one = bearoff.Race.parse("XGID=---BBCDBA-A-----aaadcbba--:0:0:1:00:2:4:0:7:10")
    rolled = replace(race, dice=(2, 1))
    asked = [
        (Question(over), "the opponent"),
        (Question(rolled, "6/off"), "'6/off' is not a legal play of 2-1: point 6"),
        (Question(rolled, "2/off 2/off"), "'2/off 2/off' is not a legal play of 2-1"),
        (
            Question(replace(race, cube="opponent"), decided="double"),
            "may not turn the cube",
        ),
        (Question(long_one), ""),
        (Question(race), ""),
    ]
    found = answer_many(judge, [question for question, _ in asked])
    for problem, (_, words) in zip(found.problem, asked, strict=True):
        assert words in problem
        assert bool(words) == bool(problem)
    assert found.kind.tolist() == ["", "", "", "", "model", "exact"]
    assert found.action[:4].tolist() == 4 * [""]
    assert found.best_play[:4] == 4 * [None]
    assert all(np.isnan(numbers[:4]).all() for numbers in found.numbers.values())


@pytest.mark.parametrize("roll", ROLLS, ids=str)
def test_a_play_between_two_positions_is_the_legal_play(roll):
    chance = np.random.default_rng(sum(roll))
    for points in (6, 6, 6, 9):
        counts = np.bincount(chance.integers(0, points, 8), minlength=points)
        position = bearoff.Position(tuple(counts))
        for play in bearoff.legal_plays(position, roll):
            found = Play.between(position, roll, play.after.counts)
            assert (str(found), found.after) == (str(play), play.after)
    with refused(bearoff.RollError, "no legal play"):
        Play.between(bearoff.Position((1,) * 6), roll, (1,) * 6)
