"""Cube actions at a score against the twin's values, and what they are called."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import bearoff
from bearoff import match_actions, match_race, match_table
from tests.bearoff.match import match_twin
from tests.bearoff.match.match_twin import ONE, At
from tests.bearoff.match.test_match_table import PAIRS, number, position


def words(at: At, roller: tuple[int, ...], opponent: tuple[int, ...]) -> str:
    """What a player does who reads the three numbers."""
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
def test_actions_are_the_twins(score: tuple[int, int, Any], cube: int, place: Any) -> None:
    table = match_table(2, score[:2], score[2])
    x, y = np.array([[number(a), number(b)] for a, b in PAIRS]).T
    found = match_actions(table, x, y, cube, place)
    at = At(*score, cube, place)
    assert found.names.tolist() == [words(at, *pair) for pair in PAIRS]
    unit = Fraction(at.won(cube) - at.lost(cube), 2 * ONE)
    for k, pair in enumerate(PAIRS):
        kept = Fraction(match_twin.no_double(at, *pair), ONE)
        taken = Fraction(match_twin.double_take(at, *pair), ONE)
        passed = Fraction(at.won(cube), ONE)
        doubled = min(taken, passed)
        for cost, right in (
            (found.missed_double[k], doubled - kept),
            (found.wrong_double[k], kept - doubled),
            (found.wrong_take[k], taken - passed),
            (found.wrong_pass[k], passed - taken),
            (found.value[k] - found.no_double[k], doubled - kept),
        ):
            assert cost == pytest.approx(float(max(right, Fraction(0))), abs=1e-13)
            assert found.emg(cost) == pytest.approx(
                float(max(right, Fraction(0)) / unit), abs=1e-11
            )


def test_too_good_where_a_gammon_is_likely() -> None:
    """One checker to bear off against two that have not begun: a gammon of two points."""
    race = bearoff.Race(position((1,), 2), position((1, 1), 2))
    table = match_race(race, (4, 4))
    answer = match_actions(table, race.roller.number, race.opponent.number)
    assert answer.names == "too good to double"
    assert float(answer.wrong_double) == pytest.approx(0.66870 - 0.57150, abs=1e-13)
    assert bool(answer.too_good)
    assert not answer.takes


def test_where_doubling_changes_nothing_it_is_called_right() -> None:
    """Double match point: rounding must not make a mistake of it."""
    sides = np.arange(1, 28)
    x, y = (part.ravel() for part in np.meshgrid(sides, sides))
    answer = match_actions(match_table(2, (1, 1)), x, y)
    assert (answer.names == "double, take").all()
    for cost in ("missed_double", "wrong_double", "wrong_take"):
        assert not getattr(answer, cost).any()


def test_bad_questions_are_refused() -> None:
    with pytest.raises(bearoff.ScoreError, match="table must be a MatchTable"):
        match_actions(None, 1, 1)  # type: ignore[arg-type]
    with pytest.raises(bearoff.BearoffError, match="must be centred or owned"):
        match_actions(match_table(2), 1, 1, 2, "opponent")  # type: ignore[arg-type]
    with pytest.raises(bearoff.ScoreError, match="nobody may double in Crawford's game"):
        match_actions(match_table(2, (3, 1), "crawford"), 1, 1)
