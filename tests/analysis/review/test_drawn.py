"""Cube decisions drawn from simulated games, compared with the table that gave their
values.
"""

import pytest

from bearoff import BearoffError, cube_action
from bearoff.analysis import formulas
from bearoff.analysis.review import card_of, draw_decisions
from bearoff.analysis.review.drawn import DIFFICULTIES
from tests.analysis.made_population import CHECKERS, made_population
from tests.two_sided_tables import built

KEITH = formulas.get("keith")


def draw(difficulty, count=30, seed=0):
    return draw_decisions(made_population(), KEITH, difficulty, count, seed)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_each_costs_what_it_is_said_to(difficulty):
    least, most = DIFFICULTIES[difficulty]
    table = built(CHECKERS)
    drawn = draw(difficulty)
    asked = [(one.kind, one.race.cube) for one in drawn]
    kinds = ("double", "centred"), ("double", "owned"), ("take", "centred")
    assert asked == [kind for kind in kinds for _ in range(10)]
    for one in drawn:
        known = cube_action(table, one.race.on_points(6), one.race.cube)
        costs = {
            "no double": known.missed_double,
            "double": known.wrong_double,
            "take": known.wrong_take,
            "pass": known.wrong_pass,
        }
        right, _, answer = one.best.replace("redouble", "double").partition(", ")
        assert costs[right] == 0
        assert not answer or costs[answer] == 0
        assert one.cost == pytest.approx(costs[one.decided], abs=1e-9)
        assert least < one.cost <= most
        assert one.alternatives[0].equity == pytest.approx(known.no_double, abs=1e-9)
    assert len({(one.race.xgid, one.kind) for one in drawn}) == 30


def test_the_seed_decides_and_a_card_shows_one():
    assert draw("easy", seed=1) == draw("easy", seed=1) != draw("easy", seed=2)
    with pytest.raises(BearoffError, match=r"1,195 medium .* 3,333"):
        draw("medium", 10_000)
    double, redouble = draw("medium", 3)[:2]
    assert "Double" in card_of(double).question
    assert "Redouble" in card_of(redouble).question
    assert f"{double.cost:.4f} EMG" in card_of(double).source
