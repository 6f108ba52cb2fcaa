"""Races solved for money, compared with exact fractions, with tables and with answers of a
judge.
"""

import pytest

import bearoff
from bearoff import MatchTable
from bearoff.answers import Judge
from bearoff.match_solver import money_race
from bearoff.match_solver.sides import every_position
from bearoff.match_solver.solver import MatchSolver
from bearoff.scores import MoneyPayoffs
from bearoff.stakes import Money
from oracles import two_sided_reference as twice
from tests.bearoff.match_solver.test_match_table import number
from tests.refusals import refused

CUBES = ("centred", "owned", "opponent")

ROUNDING = 1e-12
"""Tolerance for the rounding errors of float64, in points."""


def solved(checkers, start, *, jacoby):
    side = every_position(checkers, start)
    return MatchTable(Money(jacoby), MatchSolver(side, side, MoneyPayoffs(jacoby)))


@pytest.mark.parametrize(("start", "jacoby"), [(2, False), (2, True), (15, False)])
def test_every_pair_is_worth_what_fractions_say(start, jacoby):
    """The values of all pairs of positions equal those of a solver in fractions."""
    table = solved(2, start, jacoby=jacoby)
    sides = [(), *((a,) for a in range(1, 7))]
    sides += [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
    met = 0
    for mine in sides[1:]:
        for theirs in sides[1:]:
            pair = [number(side) for side in (mine, theirs)]
            known = twice.exact(mine, theirs, start)
            centred = known.jacoby if jacoby else known.centred
            kept = known.jacoby_kept if jacoby else known.centred_kept
            for cube, worth in zip(
                CUBES, (centred, known.owned, known.opponent), strict=True
            ):
                found = float(table.value(*pair, 1, cube))
                assert found == pytest.approx(worth / twice.ONE, abs=ROUNDING)
            waits = float(table.no_double(*pair))
            assert waits == pytest.approx(kept / twice.ONE, abs=ROUNDING)
            taken = float(table.double_take(*pair))
            assert taken == pytest.approx(2 * known.opponent / twice.ONE, abs=2 * ROUNDING)
            met += known.jacoby != known.centred
    assert bool(met) == (start == 2)


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
