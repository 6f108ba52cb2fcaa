"""Comparisons of chances and decisions with GNU Backgammon and with exact values."""

import re

import pytest

import bearoff
from bearoff import cube_actions, match_race
from bearoff.sim.rollouts import Goal, rollout
from oracles import gnubg
from research.comparisons import gammons_gnubg, match_gnubg, match_rollouts, match_tables

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
        table, pair = match_race(race, away), (race.roller.number, race.opponent.number)
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


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_gammons_are_those_of_gnu_backgammon():
    race = gammons_gnubg.race_of(*gammons_gnubg.RACES[-1])
    their = gammons_gnubg.theirs(race, 36)
    our = rollout(race, Goal(0, 7776))
    assert our.gammon_won.value == pytest.approx(their.gammon, abs=0.01)
    row = gammons_gnubg.page([(race, their, our)]).splitlines()[-1].split(" | ")
    assert row[0] == "| 0,2,2"
    found = [100 * our.gammon_won.value, 100 * their.gammon]
    assert list(map(float, row[2:4])) == pytest.approx(found, abs=0.005)


@pytest.mark.parametrize("text", ["3-5", "3-1 Crawford"])
def test_rollouts_are_near_the_exact_values_of_the_score(text):
    score = bearoff.Score.parse(text)
    found = match_rollouts.compare(score, 2, Goal(0, 1), checkers=5, into=3)
    assert found.races == 2
    assert found.no_double < 0.01
    assert found.standard < 0.01
    if score.has_cube:
        assert found.double_take < 0.02
        assert found.lost < 0.001
    else:
        assert found.lost is None


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_is_asked_at_the_score_for_the_roller():
    race = bearoff.Race(*2 * [bearoff.Position.parse("[1]", 24)])
    after = bearoff.match_equities().after
    for away in ((3, 5), (5, 3)):
        score = bearoff.Score(away)
        for doubled in (False, True):
            chance, _ = match_rollouts.gnubg_chances(race, score, doubled=doubled, games=36)
            points = 2 if doubled else 1
            assert chance == pytest.approx(after(score, points), abs=1e-4)


def test_errors_are_below_what_is_stated(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    monkeypatch.setattr(match_tables, "SCORES", match_tables.SCORES[1:5:3])
    match_tables.main(["--checkers", "3"])
    rows = re.findall(r"^\| \d.*$", capsys.readouterr().out, flags=re.MULTILINE)
    assert len(rows) == 2
    for row in rows:
        largest, rms, stated = map(float, row.split("|")[-4:-1])
        assert 0 < rms < largest < stated < 5e-6
