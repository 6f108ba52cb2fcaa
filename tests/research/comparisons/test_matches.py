"""Matches between programs end and can be continued, and luck has a mean of 0."""

import numpy as np
import pytest

from bearoff import ROLLS, WEIGHTS
from bearoff.game import Board
from bearoff.game.search import SearchPlayer, SearchSettings
from bearoff.game.state import GameState
from oracles import gnubg
from oracles.gnubg_mover import GnubgPlayer
from research.comparisons import matches

needs_gnubg = pytest.mark.skipif(
    gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed"
)

STATES = [
    GameState(length=7, turn=0),
    GameState(length=7, won=(6, 2), crawford=True, turn=1),
    GameState(length=7, won=(5, 4), cube_value=2, cube_owner=0, turn=1),
    GameState(length=7, won=(5, 4), cube_value=2, cube_owner=1, turn=1),
    GameState(length=7, won=(2, 6), turn=0),
]


@pytest.mark.parametrize("state", STATES, ids=str)
def test_the_luck_of_all_rolls_is_none(state):
    luck = matches.Luck()
    found = [luck.of_roll(state, roll) for roll in ROLLS]
    assert np.dot(found, WEIGHTS) / 36 == pytest.approx(0.0, abs=1e-12)
    assert (found[ROLLS.index((6, 6))] > 0) == (state.turn == 0)


def test_the_luck_of_all_openings_is_none():
    luck, state = matches.Luck(), GameState(length=7, won=(1, 4))
    pairs = [(a, b) for a in range(1, 7) for b in range(1, 7) if a != b]
    found = {pair: luck.of_opening(state.open(*pair)) for pair in pairs}
    assert sum(found.values()) == pytest.approx(0.0, abs=1e-12)
    assert found[3, 1] > 0 > found[1, 3]


def test_a_match_of_one_with_itself_is_played_to_its_end():
    own = matches.Clocked(SearchPlayer(SearchSettings(depth=0)))
    played = [
        matches.play_match((own, own), 3, np.random.default_rng(seed), matches.Luck())
        for seed in range(9)
    ]
    won, luck = np.array(played, np.float64).T
    assert np.corrcoef(won, luck)[0, 1] > 0.6
    assert own.counts["play"] > own.counts["cube"] > 0


@needs_gnubg
def test_matches_are_kept_and_gone_on_with(tmp_path, monkeypatch):
    monkeypatch.setattr(matches, "BLOCK", 1)
    first = matches.matches("net", 1, tmp_path, 3)
    written = [path.stat().st_mtime_ns for path in tmp_path.iterdir()]
    both = matches.matches("net", 2, tmp_path, 3)
    kept = sorted(tmp_path.iterdir())
    assert kept[0].stat().st_mtime_ns == written[0]
    assert both.luck[0] == first.luck[0]
    assert (both.took[:, 0] > 0).all()
    text = matches.page({"net": both}, 3)
    assert "research.comparisons.matches net=2`" in text
    assert "| the same player, without a search for its plays | 2 |" in text


@needs_gnubg
def test_gnubg_knows_the_cube_and_the_score():
    shut = Board((-1, 2, 2, 2, 2, 2, 2, 3, *(0,) * 11, -3, -3, -2, -2, -2, -2, 0))
    with GnubgPlayer() as peer:
        assert peer.double(GameState(length=7, won=(2, 6), turn=0))
        assert not peer.double(GameState(length=7, won=(6, 2), crawford=True, turn=0))
        assert peer.take(GameState(turn=0)) > peer.take(GameState(turn=0, board=shut))
        opening = GameState(length=7, turn=0, dice=(3, 1))
        assert peer.play(opening) == opening.play("8/5 6/5").board.turned
