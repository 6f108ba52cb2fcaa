"""Decisions drawn from a population, beside the table that valued it."""

import pytest

from analysis import formulas
from analysis.review import Judged, card_of, draw_decisions
from analysis.review.drawn import DIFFICULTIES
from bearoff import BearoffError, cube_action
from tests.analysis.made_population import CHECKERS, made_population
from tests.two_sided_tables import built

KEITH = formulas.get("keith")


def draw(difficulty: str, count: int = 30, seed: int = 0) -> list[Judged]:
    return draw_decisions(made_population(), KEITH, difficulty, count, seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_each_costs_what_it_is_said_to(difficulty: str) -> None:
    least, most = DIFFICULTIES[difficulty]  # type: ignore[index]
    table = built(CHECKERS)
    drawn = draw(difficulty)
    assert [(one.kind, one.race.cube) for one in drawn] == (
        10 * [("double", "centred")]
        + 10 * [("double", "owned")]
        + 10 * [("take", "centred")]
    )
    for one in drawn:
        known = cube_action(table, one.race.on_points(6), one.race.cube)  # type: ignore[arg-type]
        costs = {
            "no double": known.missed_double,
            "double": known.wrong_double,
            "take": known.wrong_take,
            "pass": known.wrong_pass,
        }
        right, _, answer = one.best.partition(", ")
        assert costs[right] == 0
        assert not answer or costs[answer] == 0
        assert one.cost == pytest.approx(costs[one.decided], abs=1e-9)
        assert least < one.cost <= most
        assert dict(one.equities)["no double"] == pytest.approx(known.no_double, abs=1e-9)
    assert len({(one.race.xgid, one.kind) for one in drawn}) == 30


def test_the_seed_decides() -> None:
    assert draw("easy", seed=1) == draw("easy", seed=1) != draw("easy", seed=2)


def test_a_card_of_one() -> None:
    double, redouble = draw("medium", 3)[:2]
    assert card_of(double).question == "On roll. Double?"
    assert card_of(redouble).question == "On roll. Redouble?"
    assert card_of(double).source == (
        f"{double.decided} loses: {double.cost:.4f} EMG. made"
    )


def test_more_than_there_are() -> None:
    with pytest.raises(BearoffError, match="has 1,195 medium decisions to take, got 3,333"):
        draw("medium", 10_000)
