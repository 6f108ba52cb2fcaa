"""Calculations and tables of the page about the speed of rollouts."""

import re
import sys

import pytest

import bearoff
from bearoff.sim.rollouts.results import Estimate
from benchmarks.__main__ import main
from benchmarks.pages import rollouts
from benchmarks.ways import rollout_ways, self_play_ways, time_to_error
from benchmarks.ways.time_to_error import GNUBG, Measured
from oracles import gnubg
from tests.refusals import refused

RECORDED = """\
Rollout seed set to 1.

Current Position:
  0.000000 0.000000 0.000000 - 1.000000 0.000000 0.000000 CL +0.000000 CF +0.000000
 [0.000000 0.000000 0.000000 - 0.000000 0.000000 0.000000 CL  0.000000 CF  0.000000]
Full cubeful rollout with variance reduction
0 games, Mersenne Twister dice gen. with seed 1 and quasi-random dice
Play: 0-ply cubeful prune [expert]
Cube: 0-ply cubeful prune [expert]
Time elapsed 0s Estimated time left 0s

Rollout done. Printing final results.

Current Position:
  0.595251 0.000000 0.000000 - 0.404749 0.000000 0.000000 CL +0.190502 CF +0.273008
 [0.000291 0.000000 0.000000 - 0.000291 0.000000 0.000000 CL  0.000581 CF  0.014456] 1r
Full cubeful rollout with variance reduction
36 games, Mersenne Twister dice gen. with seed 1 and quasi-random dice
Play: 0-ply cubeful prune [expert]
Cube: 0-ply cubeful prune [expert]
Time elapsed 0s Estimated time left 0s
Estimated SE for "Current Position" after 36 trials  0.014456
"""
"""Output of GNU Backgammon 1.07.001 for a rollout of 36 games with the cube."""

CUBELESS = """\
Rollout done. Printing final results.

Current Position:
  0.590248 0.000000 0.000000 - 0.409752 0.000000 0.000000 CL +0.180497
 [0.017051 0.000000 0.000000 - 0.017051 0.000000 0.000000 CL  0.034103] 1r
Full cubeless rollout (truncated at exact bearoff) without variance reduction
432 games, Mersenne Twister dice gen. with seed 3 and quasi-random dice
"""

FIVES = rollout_ways.SUBJECTS[0].race


def test_every_rollout_of_a_process_is_read_unless_it_was_interrupted():
    (printed,) = gnubg.parse(RECORDED.replace("\n", "\r\n"))
    assert printed == gnubg.Printed(36, 0.595251, 0.0002905, 0.273008, 0.014456, 0.0, 0.0)
    printed = gnubg.parse(RECORDED + CUBELESS)
    assert [one.games for one in printed] == [36, 432]
    assert printed[1].win_probability == 0.590248
    # GNU Backgammon prints six digits.
    assert printed[1].win_error == pytest.approx(0.017051, abs=1e-6)
    # The equity is nan, because there is no cube.
    assert printed[1].equity != printed[1].equity
    assert gnubg.parse(RECORDED.partition("Rollout done")[0]) == []


def test_rollouts_are_told_by_their_stated_errors_or_their_spread():
    # The error of both is sqrt(0.3**2 + 0.4**2) / 2.
    assert gnubg.combine([0.5, 0.7], [0.3, 0.4]) == pytest.approx((0.6, 0.25))
    # The error is computed from the spread of the values if the result is smaller than the
    # stated errors.
    for stated, error in ((0.3, (0.2 / 19 / 20) ** 0.5), (0.01, 0.01 / 20**0.5)):
        found = gnubg.combine([0.5, 0.7] * 10, [stated] * 20)
        assert found == pytest.approx((0.6, error))


@pytest.mark.parametrize("cube", ["centred", "opponent"])
@pytest.mark.parametrize("reduced", [False, True])
def test_what_the_peer_is_told(reduced, cube):
    settings = gnubg.Settings(reduced, cubeful=True, cube=cube, threads=3)
    lines = gnubg.commands(FIVES, settings, 1296, rollouts=2)
    assert lines[-4:] == ["set rollout seed 1", "rollout", "set rollout seed 2", "rollout"]
    assert f"set rollout varredn {'on' if reduced else 'off'}" in lines
    assert "set board +L4PAAD4vg8AAA" in lines
    assert "set threads 3" in lines
    assert ("set cube owner 0" in lines) == (cube == "opponent")


@pytest.fixture
def pretender(tmp_path, monkeypatch):
    """Replace GNU Backgammon by a program that prints recorded output to a terminal."""
    program = tmp_path / "gnubg"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "asked = sys.stdin.read().count('\\nrollout\\n')\n"
        f"print({RECORDED!r} * asked * sys.stdout.isatty())\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.usefixtures("pretender")
def test_the_peer_is_given_a_terminal_and_gives_what_was_asked_for():
    done = gnubg.roll_out(FIVES, gnubg.Settings(True, cubeful=True), 36, rollouts=2)
    assert done.games == 72
    assert done.estimate(cubeful=True) == pytest.approx((0.273008, 0.014456 / 2**0.5))
    assert done.estimate(cubeful=False)[0] == pytest.approx(0.595251)
    assert done.seconds >= 0
    assert done.cpu_seconds > 0
    with refused(RuntimeError, 1, 72, 36):
        gnubg.roll_out(FIVES, gnubg.Settings(True, cubeful=True), 72)


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_the_peer_rolls_out_the_race_we_mean():
    subject = rollout_ways.SUBJECTS[1]
    settings = gnubg.Settings(True, cubeful=True, cube=subject.cube)
    done = gnubg.roll_out(subject.race, settings, 36)
    # With the sides exchanged, the win probability would be below 60%.
    assert done.estimate(cubeful=False)[0] == pytest.approx(0.7475, abs=0.01)
    # The opponent owns the cube, so the equity is lower than without a cube.
    assert 0.3 < done.estimate(cubeful=True)[0] < 0.49


def measured(name, players, seconds, found):
    return Measured(name, players, 1000, seconds, 2 * seconds, {"equity": found})


def test_time_to_an_error_in_the_table():
    rows = [
        measured("slow", "ours", 10.0, Estimate(0.3, 4e-4)),
        measured("sure", "ours", 1.0, Estimate(0.3, 1e-8)),
        measured(GNUBG, "theirs", 20.0, Estimate(0.3, 8e-4)),
    ]
    head, rule, *lines = time_to_error.table_lines("equity", 2e-4, rows)
    cells = [re.split(r" ?\| ?", line)[1:-1] for line in (head, rule, *lines)]
    assert len({len(row) for row in cells}) == 1
    # Half the error takes four times as long.
    assert cells[2][-3:] == ["40", "80", "8"]
    assert cells[3][-4:] == ["none"] * 4
    assert cells[4][-3:] == ["320", "640", "1"]
    assert list(time_to_error.table_lines("win probability", 2e-5, rows))[2:] == []


def test_values_of_the_same_players_are_compared():
    rows = [
        measured("one", "ours", 1.0, Estimate(0.30, 0.03)),
        measured("two", "ours", 1.0, Estimate(0.35, 0.04)),
        measured("three", "theirs", 1.0, Estimate(0.5, 0.01)),
    ]
    ours, theirs = time_to_error.agreement("equity", rows)
    (known, _) = time_to_error.agreement("equity", rows, ("ours", 0.29))
    both = "table's 2 estimates of this value differ from it by at most {} standard errors"
    assert "0.300000 (±3.0e-02)" in ours
    assert both.format(1.0) in ours  # 0.05 / sqrt(0.0025)
    assert "table's only estimate of this value differs from it by 0.0 standard" in theirs
    assert "0.290000 (exact)" in known
    assert both.format(1.5) in known  # 0.06 / 0.04


def test_games_with_the_cube_are_reported_with_their_error():
    # Checkers on the 5 and 2 points win 19 of 36 games, and neither player doubles.
    numbers = [int(bearoff.rank([0, 1, 0, 0, 1, 0])), int(bearoff.rank([1, 0, 0, 0, 0, 0]))]
    played = self_play_ways.by_cubeful_self_play(numbers, seconds=0.01, threads=2)
    equity = played.estimates["equity"]
    assert played.games % 2 == 0
    # A mean beyond five standard errors is practically impossible.
    assert abs(equity.value - 2 / 36) < 5 * equity.standard_error
    expected = ((1 - equity.value**2) / played.games) ** 0.5
    assert equity.standard_error == pytest.approx(expected)


def test_the_page_is_measured(capsys, monkeypatch):
    race = bearoff.Race(*map(bearoff.Position.parse, ("0,0,1,0,1,1", "1,1,0,0,0,1")))
    short = rollout_ways.Subject("short", race, "centred", rollout_ways.TARGETS)
    monkeypatch.setattr(rollouts, "SUBJECTS", [short])
    assert main(["--page", "rollouts", "--quick"]) == 0
    shown = capsys.readouterr().out
    for name in rollout_ways.LADDER:
        assert len(re.findall(rf"^\| {name} \|", shown, re.MULTILINE)) == 2
    for words in ("self-play kernel", "cubeful self-play", "With the same dice"):
        assert words in shown
    assert not re.search(r"^\| GNU", shown, re.MULTILINE)
    # Errors beyond 4.5 standard errors occur in about one of ten thousand rollouts of few
    # games.
    distances = re.findall(r"differs? from it by (?:at most )?([\d.]+) standard", shown)
    assert len(distances) == 4
    assert all(float(one) < 4.5 for one in distances)
