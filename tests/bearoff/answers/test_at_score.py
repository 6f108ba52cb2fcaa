"""Cube actions at a match score, and their names, compared with an independent solver."""

from fractions import Fraction

import numpy as np
import pytest

import bearoff
from bearoff import cube_actions, match_table
from oracles import match_twin
from oracles.match_twin import ONE, At
from tests.bearoff.match_solver.test_match_table import PAIRS, every_pair, numbers_of
from tests.refusals import refused


def words(at, roller, opponent):
    """Return the name of the cube action by the independent solver."""
    kept = match_twin.no_double(at, roller, opponent)
    taken, passed = match_twin.double_take(at, roller, opponent), at.won(at.cube)
    double = "redouble" if at.place == "owned" else "double"
    if min(taken, passed) >= kept:
        return f"{double}, {'take' if taken <= passed else 'pass'}"
    return f"too good to {double}" if taken > passed else f"no {double}"


@pytest.mark.parametrize(
    ("score", "cube", "place"),
    [
        ((2, 4, "normal"), 1, "centred"),
        ((4, 2, "normal"), 1, "centred"),
        ((3, 5, "normal"), 2, "owned"),
        ((9, 9, "normal"), 2, "owned"),
        ((3, 1, "post-crawford"), 1, "centred"),
    ],
)
def test_actions_are_the_twins(score, cube, place):
    table = match_table(2, score[:2], score[2])
    found = cube_actions(table, *numbers_of(PAIRS), place, cube_value=cube)
    at = At(*score, cube, place)
    assert found.action.tolist() == [words(at, *pair) for pair in PAIRS]
    won, lost = (Fraction(chance, ONE) for chance in (at.won(cube), at.lost(cube)))
    middle, unit = (won + lost) / 2, (won - lost) / 2
    assert found.terms.unit == pytest.approx(float(unit), abs=1e-15)
    kept, taken = (
        [Fraction(ask(at, *pair), ONE) for pair in PAIRS]
        for ask in (match_twin.no_double, match_twin.double_take)
    )
    doubled = [min(one, won) for one in taken]
    for equities, chances in (
        (found.no_double, kept),
        (found.double_take, taken),
        (found.double, doubled),
        (found.equity, list(map(max, kept, doubled))),
    ):
        right = [float((chance - middle) / unit) for chance in chances]
        np.testing.assert_allclose(equities, right, rtol=0, atol=1e-11)
        back = found.terms.chance(equities)
        np.testing.assert_allclose(back, list(map(float, chances)), rtol=0, atol=1e-12)


def test_where_doubling_changes_nothing_it_is_called_right():
    """At double match point, doubling is never wrong."""
    answer = cube_actions(match_table(2, (1, 1)), *every_pair(2))
    assert (answer.action == "double, take").all()
    assert answer.no_matter.all()
    for cost in ("missed_double", "wrong_double", "wrong_take"):
        assert not getattr(answer, cost).any()


def test_bad_questions_are_refused():
    with refused(bearoff.ScoreError, "Crawford"):
        cube_actions(match_table(2, (3, 1), "crawford"), 1, 1)
    for value in 2, 3:  # equities for money are divided by the cube value
        with refused(bearoff.ScoreError, value):
            bearoff.doubling_window(match_table(2, (3, 1), "crawford"), 1, cube_value=value)
