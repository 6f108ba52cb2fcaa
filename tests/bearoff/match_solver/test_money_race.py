"""Races solved for money, compared with exact fractions."""

import numpy as np
import pytest

import bearoff
from bearoff import MatchTable
from bearoff.answers import Judge
from bearoff.match_solver import money_race
from bearoff.match_solver.sides import every_position
from bearoff.match_solver.solver import MatchSolver
from bearoff.scores import MoneyPayoffs
from bearoff.stakes import Money
from tests.refusals import refused
from tests.two_sided_tables import exact_planes


def solved(checkers, start, *, jacoby):
    side = every_position(checkers, start)
    return MatchTable(Money(jacoby), MatchSolver(side, side, MoneyPayoffs(jacoby)))


@pytest.mark.parametrize(("start", "jacoby"), [(2, False), (2, True), (15, False)])
def test_every_pair_is_worth_what_fractions_say(start, jacoby):
    table, (pairs, right) = solved(2, start, jacoby=jacoby), exact_planes(start)
    centred = "jacoby" if jacoby else "centred"
    for found, plane in (
        (table.value(*pairs), centred),
        (table.value(*pairs, 1, "owned"), "owned"),
        (table.value(*pairs, 1, "opponent"), "opponent"),
        (table.no_double(*pairs), f"{centred}_kept"),
        (table.double_take(*pairs) / 2, "opponent"),
    ):
        np.testing.assert_allclose(found, right[plane], rtol=0, atol=1e-12)
    assert (right["jacoby"] != right["centred"]).any() == (start == 2)


def test_what_does_not_fit_is_left_to_others(monkeypatch):
    race = bearoff.Race("0,2,2,1,1,1", "1,2,1,1,1,1")
    monkeypatch.setattr("bearoff.match_solver.opening.memory_available", lambda: 1000)
    with refused(bearoff.TableError, "tables build"):
        money_race(race)
    assert Judge([]).answer(race).kind == "model"


def test_a_table_for_money_has_no_score():
    table = solved(2, 15, jacoby=False)
    for name in ("score", "equities"):
        with refused(bearoff.ScoreError, "money"):
            getattr(table, name)
