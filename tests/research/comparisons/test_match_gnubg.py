"""The comparison of cube decisions at match scores with GNU Backgammon."""

import pytest

import bearoff
from bearoff import cube_actions, match_race
from oracles import gnubg
from research.comparisons import match_gnubg

ROUNDING = 2e-5
"""Tolerance for the rounding errors of GNU Backgammon's table."""


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_gnubg_agrees_in_the_last_rolls():
    pairs = [*match_gnubg.LAST_ROLL, match_gnubg.TWO_ROLLS[0]]
    cases = [
        (away, bearoff.Race(*map(bearoff.Position.parse, pair)))
        for away in match_gnubg.SCORES
        for pair in pairs
    ]
    for (away, race), theirs in zip(cases, match_gnubg.verdicts(cases), strict=True):
        table = match_race(race, away)
        pair = race.roller.number, race.opponent.number
        ours = cube_actions(table, *pair)
        for name in ("no_double", "double_take", "double_pass"):
            right = float(getattr(table, name)(*pair))
            assert getattr(theirs, name) == pytest.approx(right, abs=ROUNDING)
        called = str(ours.action)
        assert theirs.action.lower() == called + (", take" if called == "no double" else "")
        assert match_gnubg.wrong_by(theirs, ours) == 0.0


def test_what_a_wrong_verdict_costs():
    number = bearoff.Position.parse("0,2,2,0,0,0").number
    table = bearoff.match_table(4, (4, 2))
    ours = cube_actions(table, number, number)
    verdict = match_gnubg.Verdict(0.35244, 0.35227, 0.40053, "No double, take")
    assert match_gnubg.wrong_by(verdict, ours) == pytest.approx(0.00714, abs=5e-6)
    passing = match_gnubg.Verdict(0.35244, 0.35227, 0.40053, "Double, pass")
    assert match_gnubg.wrong_by(passing, ours) == pytest.approx(
        0.40053 - float(table.double_take(number, number)), abs=1e-12
    )
