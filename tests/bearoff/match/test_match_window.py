"""The doubling window of a roller at a score."""

from dataclasses import astuple

import numpy as np
import pytest

import bearoff
from bearoff import Position, TableError, doubling_window, match_actions, match_table
from bearoff.errors import MissingTableError
from bearoff.match import match_window
from tests.bearoff.match.test_match_table import linear
from tests.two_sided_tables import built


@pytest.mark.parametrize("text", ["0,2,2,0,0,0", "1,0,1,0,0,1", "0,0,0,0,1,0"])
@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_far_from_the_end_it_is_moneys(text: str, cube: str) -> None:
    number = Position.parse(text).number
    table = match_table(4, (60, 60), equities=linear(64))
    value = 1 if cube == "centred" else 2
    found = match_window(table, number, value, cube)  # type: ignore[arg-type]
    money = doubling_window(built(4), number, cube)  # type: ignore[arg-type]
    for name in ("first_double", "last_no_double", "first_pass", "last_take"):
        edges = getattr(found, name), getattr(money, name)
        assert edges[0] == pytest.approx(edges[1], abs=0.01, nan_ok=True), name


def test_edges_are_those_of_single_answers() -> None:
    table = match_table(3, (4, 2))
    number = Position.parse("0,1,1,0,0,1").number
    found = match_window(table, number)
    chances: dict[str, list[float]] = {"double": [], "wait": [], "pass": [], "take": []}
    for opponent in range(1, 84):
        answer = match_actions(table, number, opponent)
        chance = float(table.win_probability(number, opponent))
        chances["double" if answer.doubles else "wait"].append(chance)
        if answer.double_take > answer.double_pass + 1e-12:
            chances["pass"].append(chance)
        if answer.double_take < answer.double_pass - 1e-12:
            chances["take"].append(chance)
    assert found.first_double == min(chances["double"])
    assert found.last_no_double == max(chances["wait"])
    assert found.first_pass == min(chances["pass"])
    assert found.last_take == max(chances["take"])
    assert np.isnan(found.first_too_good)


def test_one_race_has_no_window() -> None:
    race = bearoff.Race(*2 * [Position.parse("0,2,2,0,0,0")])
    table = bearoff.match_race(race, (2, 4))
    with pytest.raises(TableError, match="needs every opponent"):
        match_window(table, race.roller.number)


def test_every_opponent_beside_a_race(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = [Position.parse(text) for text in ("0,2,1,0,0,1", "1,1,1,0,0,1")]
    race = bearoff.Race(*sides)
    right = match_window(match_table(4, (4, 3)), sides[0].number)
    table = bearoff.match_race(race, (4, 3), opponents=4)
    assert (table.checkers, table.opponents) == (1, 4)
    found = match_window(table, sides[0].number)
    np.testing.assert_equal(astuple(found), astuple(right))  # With what is not there, nan.
    # A side with a checker on the 6-point can come to any one checker, and not any two.
    assert table.exchanged().opponents == 1
    monkeypatch.setattr("bearoff.match.opening.MOST_FOR_WINDOWS", 1000)
    assert bearoff.match_race(race, (4, 3), opponents=4).opponents == 1


def test_a_table_that_is_not_built_is_not_solved_unasked() -> None:
    with pytest.raises(MissingTableError, match="--checkers 2 --score 3 8"):
        match_table(2, (3, 8), solve=False)
