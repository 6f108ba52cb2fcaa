"""Random matches are written, read back, and opened by GNU Backgammon."""

import subprocess
from dataclasses import replace

import numpy as np
import pytest

from bearoff.game import Board, format_play, legal_plays
from bearoff.game.records import (
    Action,
    GameRecord,
    MatchRecord,
    moments,
    read_match,
    write_match,
)
from bearoff.game.state import GameState
from oracles import gnubg
from tests.game.records.test_records import DATA

GNUBG = gnubg.find("gnubg")


def random_match(seed, length, games=9, beavers=0):
    """Play a random match with the cube; the last game may be unfinished or resigned."""
    rng = np.random.default_rng(seed)
    state = GameState(length=length, jacoby=length == 0 and seed % 2 == 0, beavers=beavers)
    records: list[GameRecord] = []
    for number in range(1, games + 1):
        actions: list[Action] = []
        breaks = rng.integers(400) if number == games else 10_000
        while state.turn is None:
            state = state.open(*map(int, rng.integers(1, 7, 2)))
        while state.winner is None and len(actions) < breaks:
            player, played = state.to_act, ()
            if state.offers:
                kind = str(rng.choice(["take", "take", "pass", "double"]))
                if kind == "double" and state.offers > state.beavers:
                    kind = "take"
                answers = {"take": state.take, "pass": state.drop, "double": state.beaver}
                state = answers[kind]()
            elif state.may_double and rng.random() < 0.06 and state.cube_value < 64:
                state, kind = state.double(), "double"
            elif rng.random() < 0.003:
                state, kind = state.resign(player, int(rng.integers(1, 4))), "resign"
            else:
                kind = "play"
                if state.dice is None:
                    state = state.roll(*map(int, rng.integers(1, 7, 2)))
                rows = legal_plays(state.board, state.dice)
                after = Board(tuple(rows[rng.integers(len(rows))].tolist()))
                played = state.dice, format_play(state.board, after, state.dice)
                state = state.play(after)
            actions.append(Action(player, kind, 0, *played))
        told = state.won, state.crawford, tuple(actions), state.winner, state.points
        records.append(GameRecord(number, 0, *told))
        if state.winner is None or state.match_winner is not None:
            break
        state = state.next_game()
    return MatchRecord(("Ann B.", "Bob"), length, state.jacoby, tuple(records), "random")


def said(match):
    """Return the content of a match that all file formats contain."""
    games: list[object] = [match.players, match.length, match.jacoby]
    for game in match.games:
        games.append((game.won, game.crawford, game.winner, game.points))
        games += [
            (m.action.kind, m.action.player, m.before, m.after)
            for m in moments(match, game)
            if m.action.kind != "resign"
        ]
    return games


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
@pytest.mark.parametrize(
    ("seed", "length", "beavers"), [(1, 0, 0), (2, 0, 3), (3, 1, 0), (4, 5, 0), (5, 11, 0)]
)
def test_what_is_written_is_read(suffix, seed, length, beavers, tmp_path):
    match = random_match(seed, length, beavers=beavers)
    path = tmp_path / f"match{suffix}"
    write_match(path, match)
    assert said(read_match(path)) == said(match)


@pytest.mark.parametrize("name", ["gnubg_match", "gnubg_session"])
def test_what_gnu_backgammon_wrote_is_written_again(name, tmp_path):
    match = read_match(DATA / f"{name}.sgf")
    for suffix in (".mat", ".sgf"):
        write_match(tmp_path / f"again{suffix}", match)
        assert said(read_match(tmp_path / f"again{suffix}")) == said(match)


@pytest.mark.slow
@pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")
@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
@pytest.mark.parametrize(("seed", "length"), [(7, 0), (8, 5), (9, 9)])
def test_gnu_backgammon_opens_it(suffix, seed, length, tmp_path):
    match = random_match(seed, length, games=4)
    path, back = tmp_path / f"match{suffix}", tmp_path / "back.sgf"
    write_match(path, match)
    load = f'import mat "{path}"' if suffix == ".mat" else f'load match "{path}"'
    subprocess.run(
        [str(GNUBG), "-t", "-q", "-r"], cwd=tmp_path, text=True, check=True, timeout=120,
        input=f'set confirm new off\n{load}\nsave match "{back}"\nexit\ny\n',
        capture_output=True,
    )  # fmt: skip
    # GNU Backgammon reads no rules from .mat files and assumes the Jacoby rule.
    opened = replace(read_match(back), jacoby=match.jacoby)
    assert said(opened) == said(match)
