"""Solved races with checkers outside home, compared with exact fractions."""

import numpy as np
import pytest

from bearoff import PositionError, Race, TableError
from bearoff.answers import Judge
from bearoff.match_solver import may_be_solved, money_race
from bearoff.plays import legal_plays, reached
from bearoff.positions import Position
from bearoff.rolls import ROLLS
from tests.bearoff.sources import cube_twin

ROUNDING = 1e-12
"""Tolerance for the rounding errors of float64."""

SIDES = (((9, 2), (7,)), ((8,), (12, 3)), ((13, 1, 1), (8, 5)), ((2, 1), (14, 6)))
"""Races, each as the points of the roller's checkers and of the opponent's checkers."""


def race_of(*sides):
    return Race(*(np.bincount(side)[1:] for side in sides))


@pytest.mark.parametrize(("roller", "opponent"), SIDES)
def test_every_value_is_that_of_fractions(roller, opponent):
    race = race_of(roller, opponent)
    table, pair = money_race(race), (race.roller.number, race.opponent.number)
    for cube, worth in cube_twin.BY_OWNER.items():
        found = float(table.value(*pair, 1, cube))
        assert found == pytest.approx(float(worth(roller, opponent)), abs=ROUNDING)
    wins = (1 + cube_twin.cubeless(roller, opponent)) / 2
    assert float(table.win_probability(*pair)) == pytest.approx(float(wins), abs=ROUNDING)
    assert not np.any(table.gammon_probability(*pair))


def test_the_cost_of_a_play_beyond_home_is_that_of_fractions():
    race = Race.parse("XGID=-A------A-A---a-------a---:0:0:1:53:0:0:0:0:10")
    answer = Judge(()).answer(race)
    assert answer.kind == "exact"
    assert answer.plays[0].play.after.counts[:8] == (1, 1, 0, 0, 0, 0, 0, 1)
    assert answer.played("10/7 8/3").cost == pytest.approx(0.07343, abs=5e-6)


def test_positions_reached_are_those_of_the_plays():
    start = Position((1, 0, 2, 0, 0, 0, 0, 1, 1))
    numbers, table = reached(start.number, 9, 5, 10_000)
    for place in (len(numbers) - 1, len(numbers) // 2, len(numbers) // 3):
        position = Position.from_number(int(numbers[place]), 9, 5)
        for roll, dice in enumerate(ROLLS):
            own = slice(*table.offsets[21 * place + roll :][:2])
            found = numbers[table.numbers[own]].tolist()
            plays = {play.after.number for play in legal_plays(position, dice)}
            assert found == sorted(plays)
    with pytest.raises(TableError, match="100"):
        reached(start.number, 9, 5, 100)


def test_a_side_with_all_its_checkers_beyond_home_is_not_solved():
    """A race with checkers outside home is not solved if a side can lose a gammon."""
    full = race_of((7, *(14 * (1,))), (9, 1))
    assert not may_be_solved(full)
    with pytest.raises(PositionError, match="6 points"):
        money_race(full)
    large = race_of((13, 13, *range(1, 7), *range(1, 7)), (11, *range(1, 7)))
    assert may_be_solved(large)
    assert not Judge(()).solving.solves(large)
    assert not Judge(()).holds(large)
