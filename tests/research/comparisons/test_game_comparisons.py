"""Interrupted tournaments continue, and comparisons of players give known results."""

import numpy as np
import pytest

from bearoff.game import Board, read_play
from bearoff.game.evaluation import Net
from bearoff.game.search import GameResults
from bearoff.game.state import GameState
from bearoff.sim.populations.net_games import net_starts
from benchmarks.pages import search
from oracles import gnubg
from research import openings
from research.comparisons import (
    cube_decisions,
    cube_efficiency,
    opponents,
    race_starts,
    reasons,
    strength,
)


def test_an_interrupted_tournament_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(strength, "BLOCK", 4)
    whole = strength.tournament(("net", "random"), 8, tmp_path / "whole")
    strength.tournament(("net", "random"), 4, tmp_path / "parts")
    kept = sorted((tmp_path / "parts").iterdir())
    written = [path.stat().st_mtime_ns for path in kept]
    parts = strength.tournament(("net", "random"), 8, tmp_path / "parts")
    assert [path.stat().st_mtime_ns for path in kept] == written
    assert parts.points.tolist() == whole.points.tolist()
    assert parts.luck.tolist() == whole.luck.tolist()
    assert (whole.points > 0).mean() > 0.8


def test_another_net_of_the_same_file_name_begins_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(strength, "BLOCK", 2)
    weights, file = Net.load().weights, tmp_path / "net.npz"
    np.savez(file, **weights._asdict())
    strength.tournament((str(file), "random"), 2, tmp_path / "games")
    np.savez(file, **weights._replace(out=-weights.out)._asdict())
    strength.tournament((str(file), "random"), 2, tmp_path / "games")
    assert len({path.stem for path in (tmp_path / "games").iterdir()}) == 2


def test_standings_losses_of_the_cube_and_shares_of_reasons_by_hand():
    games = GameResults(np.array([1.0, 2.0, -1.0, 2.0]), np.array([0.5, 1.5, -1.5, 1.5]))
    found = strength.standing(games)
    assert (found.games, found.plain, found.points, found.wins) == (4, 1.0, 0.5, 0.75)
    assert found.error == pytest.approx(0.0)
    assert found.plain_error == pytest.approx((6 / 3 / 4) ** 0.5)
    text = strength.page({("net", "random"): found})
    assert "| net, 0 ply | plays by lot | 4 | 75.0% |" in text
    judge = np.array([[0.5, 0.7], [0.5, 0.3], [0.9, 1.2], [0.6, 0.8]])
    said = np.array([[0.5, 0.4], [0.5, 0.6], [0.8, 0.9], [0.7, 1.1]])
    lost, answers = cube_efficiency.losses(judge, said)
    assert lost == pytest.approx([0.2, 0.2, 0.0, 0.0])
    assert answers == pytest.approx([0.0, 0.2, 0.2])
    made = [
        ("points", 0.1, 0.2, 0.2, 0.2),  # no difference remains
        ("points", 0.1, 0.2, 0.1, 0.1),  # half of the difference remains
        ("points", 0.1, 0.2, -0.01, 0.4),  # only one exchange reduces the difference
        ("points", 0.1, -0.2, 0.1, 0.1),  # the net prefers the costly play
        ("", 0.1, 0.2, 0.0, 0.0),
    ]
    text = reasons.page([reasons.JudgedReason(*each) for each in made], "", "")
    assert "80.0 ± 17.9%" in text  # four of five decisions have a reason
    for name in ("all", "points held"):
        row = f"| {name} | 4 | 0.100 | 50.0 ± 25.0 | 75.0 ± 21.7 | 25.0 ± 21.7 |"
        assert row in text
    assert not reasons.JudgedReason("points", 0.1, 0.2, 0.4, -0.01).is_true


def test_luck_takes_out_most_of_the_spread(tmp_path, monkeypatch):
    monkeypatch.setattr(strength, "BLOCK", 60)
    games = strength.tournament(("net", "pubeval"), 60, tmp_path)
    assert (games.points - games.luck).std() < 0.6 * games.points.std()


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_gnubg_plays_its_part(tmp_path, monkeypatch):
    monkeypatch.setattr(strength, "BLOCK", 2)
    games = strength.tournament(("net", "gnubg"), 2, tmp_path)
    assert set(np.abs(games.points)) <= {1, 2, 3}
    starts = race_starts.gnubg_starts(1, 0, 2)
    assert (starts.rollers.sum(axis=1) <= 15).all()


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_cube_decisions_are_judged():
    rows, lives, count = cube_decisions.compared(60, 1, Net.load())
    assert 5 < count < 60
    by_name = {row[0]: row[1:] for row in rows}
    assert "GNU Backgammon, 0 ply" in by_name
    assert "close" in cube_decisions.page(rows, lives, 60, count)


def test_the_efficiency_of_a_half_live_cube_is_recovered():
    states = list(cube_decisions.positions(60, 3))
    chances = np.array([Net.load().chances(state.board) for state in states])
    dead, half_live, live = (
        cube_efficiency.at_once(states, chances, np.full(60, life)) for life in (0, 0.5, 1)
    )
    assert cube_efficiency.fitted(half_live, dead, live) == pytest.approx(0.5)
    assert cube_efficiency.kind(states[0].board) == "other contact"


def test_opening_plays_are_the_accepted_ones():
    for roll, plays in openings.ACCEPTED.items():
        assert len({read_play(Board.start(), play, roll) for play in plays}) == len(plays)
    assert "15 of 15 at depth 0" in openings.page((0,))


def test_race_starts_are_described():
    column = race_starts.column(net_starts(1, 0), 1024)
    rows = dict(zip(race_starts.NAMES, column, strict=True))
    assert rows["games"] == "1,024"
    assert 200 < int(rows["races that start with a limited lead"]) < 500


def test_a_reason_is_true_if_its_feature_makes_the_better_play_better_both_ways():
    start = Board.start()
    best, played = (read_play(start, text, (3, 1)) for text in ("8/5 6/5", "8/4"))
    one = reasons.judge_reason(best, played, 0.2)
    assert (one.feature, one.is_true) == ("points", True)
    # No feature speaks for the worse play.
    other = reasons.judge_reason(played, best, 0.2)
    assert (other.feature, other.is_true) == ("", False)
    assert other.whole == pytest.approx(-one.whole)


def test_the_page_of_the_search():
    text = search.page(quick=True)
    assert text.count("| star2 |") == 4
    assert "14 of the 21 rolls" in text


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_opponents_are_judged(monkeypatch):
    """The web page's opponents are judged: opponents who err more lose more."""
    few = {name: opponents.opponents.OPPONENTS[name] for name in ("net", "level-1")}
    monkeypatch.setattr(opponents.opponents, "OPPONENTS", few)
    lost, off = opponents.losses(12, 1)
    assert len(off) > 12
    assert min(values.min() for values in lost.values()) >= 0.0
    assert lost["net"].mean() < lost["level-1"].mean()
    start = GameState(turn=0, dice=(3, 1))
    good, bad = (start.play(play).board for play in ("8/5 6/5", "13/10 24/23"))
    worth = opponents.judged([good, bad])
    assert 0.15 < worth[good] < 0.3
    assert 0.05 < worth[good] - worth[bad] < 0.3
