"""Gammon chances of solved races, compared with an exact recursion."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import bearoff
from bearoff import Race, Score
from bearoff.match_solver import gammons, match_race, money_race
from bearoff.match_solver.sides import reachable
from oracles.reference import THROWS, checkers_of, paper_list, successors
from oracles.two_sided_reference import ONE


@cache
def played(mine, theirs):
    """Return equity with best play, and chances to win and lose a gammon, times `ONE`.

    Of plays with equal points, the one that leads to the lowest position number is chosen.
    """
    if not mine:
        gammon = len(theirs) == 15
        return (1 + gammon) * ONE, gammon * ONE, 0
    if not theirs:
        gammon = len(mine) == 15
        return (-1 - gammon) * ONE, 0, gammon * ONE
    total = [0] * 3
    for throw in THROWS:
        plays = sorted(successors(mine, *throw), key=lambda one: paper_list(one, 15))
        points, lost, won = min((played(theirs, one) for one in plays), key=lambda e: e[0])
        for k, each in enumerate((-points, won, lost)):
            total[k] += each
    return tuple(each // 36 for each in total)


RACES = [("2,1,0,0,0,0", "0,0,0,0,0,15"), ("0,0,0,0,1,0", "0,0,0,0,0,15")]


@pytest.mark.parametrize(("winner", "full"), RACES)
def test_they_are_those_of_an_exact_recursion(winner, full):
    asked = Race(winner, full)
    x, y = asked.roller.number, asked.opponent.number
    sides = asked.roller.counts, asked.opponent.counts
    points, won, _ = played(*map(checkers_of, sides))
    table = money_race(asked)
    found = table.gammon_probability(x, y)
    assert found[0] == pytest.approx(won / ONE, abs=1e-12)  # tolerance for rounding errors
    assert found[1] == 0.0
    found = table.exchanged().gammon_probability(y, x)
    *_, lost = played(*map(checkers_of, sides[::-1]))
    assert found[0] == 0.0
    assert found[1] == pytest.approx(lost / ONE, abs=1e-12)
    assert 0 < lost < won < points


def test_a_score_changes_no_play_for_points():
    asked = Race(*RACES[1])
    pair = asked.roller.number, asked.opponent.number
    at_score = match_race(replace(asked, score=Score((4, 2))))
    won, _ = money_race(asked).gammon_probability(*pair)
    assert at_score.gammon_probability(*pair)[0] == pytest.approx(won, abs=1e-12)


def test_many_at_a_time_are_those_one_by_one():
    table = money_race(Race(*RACES[0]))
    x = bearoff.rank([[2, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]])
    y = bearoff.rank([[0, 0, 0, 0, 0, 15], [0, 0, 0, 1, 1, 13], [0, 0, 0, 1, 0, 13]])
    won, lost = table.gammon_probability(x[:, None], y)
    assert (won[:, 2] == 0).all()
    assert (lost == 0).all()
    for i, j in np.ndindex(2, 2):
        pair = int(x[i]), int(y[j])
        alone = money_race(Race(*pair)).gammon_probability(*pair)[0]
        assert won[i, j] == pytest.approx(alone, abs=1e-12)


def test_too_many_are_not_told(monkeypatch):
    table = money_race(Race(*RACES[0]))
    x, y = (bearoff.rank(one) for one in ([2, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 15]))
    monkeypatch.setattr(gammons, "MOST_PAIRS", 1000)
    assert np.isnan(table.gammon_probability(x, y)[0])
    # `MOST_PAIRS` is one less than the first pair needs, so only the first pair gets no
    # value.
    both = bearoff.rank([[2, 1, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0]])
    each = [reachable((int(one),), 15, 15).size for one in (*both, y)]
    assert each[1] < each[0]
    monkeypatch.setattr(gammons, "MOST_PAIRS", each[0] * each[2] - 1)
    found = table.gammon_probability(both, y)[0]
    assert np.isnan(found[0])
    assert found[1] > 0


def test_two_full_sides_are_not_told():
    number = int(bearoff.rank([15, 0, 0, 0, 0, 0]))
    found = money_race(Race(number, number)).gammon_probability(number, number)
    assert np.isnan(found).all()
