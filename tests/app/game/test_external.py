"""External player for GNU Backgammon: decisions, invalid lines and broken connections."""

import socket
import sys
import threading
from contextlib import suppress
from queue import Queue

import pytest

from bearoff import BearoffError
from bearoff.app.game.external import MOST_BYTES, serve_external
from bearoff.game import Board, read_play
from bearoff.game.contact import ContactPlayer
from bearoff.game.records import moments, read_match
from bearoff.game.state import GameState, read_fibs
from tests.app.conftest import GNUBG, ran, started

# These lines were sent by GNU Backgammon 1.07 in matches against external players 0 and 1.
OPENING = (
    "board:gnubg:root:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:"
    "-1:4:1:4:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
)
SPLIT = (
    "board:gnubg:root:3:0:0:0:-1:0:0:0:-1:5:0:3:0:0:0:-5:6:0:0:0:-3:0:-4:-1:0:0:0:1:0:"
    "-1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
)
DOUBLED = (
    "board:root:gnubg:5:1:3:0:0:4:-1:0:0:2:-1:3:0:0:0:-4:3:0:0:0:-2:-2:-5:1:0:0:0:2:0"
    ":-1:0:0:0:0:2:0:1:1:1:-1:0:25:0:0:0:0:0:0:0:1"
)
TAKEN = (
    "board:gnubg:root:5:3:1:0:0:4:0:0:-1:2:-1:3:0:0:0:-4:3:0:0:0:-2:-2:-3:-2:0:0:0:2:"
    "1:1:0:0:0:0:4:1:0:0:1:-1:0:25:0:0:0:0:0:0:0:1"
)


def test_what_gnu_backgammon_says():
    assert read_fibs(OPENING) == GameState(length=3).open(4, 1)
    split = read_fibs(SPLIT)
    assert split.turn == 0
    assert [split.board.points[p] for p in (24, 20, 6, 5, 1)] == [1, 1, 4, 1, -1]
    doubled = read_fibs(DOUBLED)
    assert (doubled.turn, doubled.to_act, doubled.cube_value) == (1, 0, 2)
    assert (doubled.cube, doubled.won) == ("owned", (1, 3))
    assert doubled.board.turned.points[24] == 2
    taken = read_fibs(TAKEN)
    assert (taken.may_double, taken.cube_value, taken.cube_owner) == (True, 4, 0)
    assert taken.won == (1, 3)
    assert (taken.board.points[25], taken.board.points[24]) == (1, 2)
    crawford = TAKEN.replace(":5:3:1:", ":5:4:1:").replace(":4:1:0:0:1:-1", ":1:1:1:0:1:-1")
    assert read_fibs(crawford.removesuffix("1") + "0").crawford


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("", "52"),
        (OPENING[:-2], "52"),
        (OPENING.replace(":-5:", ":x:"), "number"),
        (OPENING.replace(":-5:", ":-95:"), "15"),
        (OPENING.replace(":4:1:4:1:1:", ":4:1:4:1:3:"), "1, 2, 4"),
        (OPENING.replace(":1:-1:0:25", ":5:-1:0:25"), "1 or -1"),
        (OPENING.replace(":3:0:0:", ":3:3:0:", 1), "3-0"),
    ],
)
def test_lines_that_are_none(line, named):
    with pytest.raises(BearoffError, match=named):
        read_fibs(line)


@pytest.fixture(scope="module")
def server():
    """A server of the external player, listening in a thread."""
    found: Queue[str] = Queue()
    threading.Thread(
        target=serve_external,
        args=(("127.0.0.1", 0), ContactPlayer()),
        kwargs={"jacoby": False, "ready": found.put},
        daemon=True,
    ).start()
    host, _, port = found.get(timeout=30).rpartition(":")
    return host, int(port)


def ask(server, *lines):
    """Send lines to the server, and return its answers until the connection ends."""
    with socket.create_connection(server, 30) as connection, connection.makefile("rb") as f:
        said = []
        with suppress(OSError):  # the rest of an overlong line is not read
            connection.sendall(b"".join(lines))
            connection.shutdown(socket.SHUT_WR)
            said += (line.decode().rstrip("\n") for line in f)
        return said


def test_decisions(server):
    said = ask(server, *(f"{line}\n\0".encode() for line in (OPENING, DOUBLED, TAKEN)))
    assert len(said) == 3
    assert read_play(Board.start(), said[0], (4, 1))
    assert said[1] in ("take", "drop")
    assert said[2] in ("roll", "double")


def test_bad_lines_and_broken_connections_end_nothing(server):
    said = ask(server, b"nonsense\n", b"\xff\x00\n", f"{OPENING}\n".encode())
    assert said[:2] == ["error", "error"]
    assert "/" in said[2]
    assert ask(server, b"x" * (3 * MOST_BYTES)) == []
    assert ask(server, OPENING.encode()) == []  # without a line break, there is no answer
    assert ask(server) == []
    with socket.create_connection(server) as connection:
        linger = (1).to_bytes(4, sys.byteorder) + (0).to_bytes(4, sys.byteorder)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        connection.sendall(f"{OPENING}\n".encode())
    assert len(ask(server, f"{OPENING}\n".encode())) == 1


@pytest.mark.slow
@pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")
@pytest.mark.parametrize("place", [0, 1])
def test_gnu_backgammon_plays_a_match_with_it(place, tmp_path):
    saved, script = tmp_path / "match.sgf", tmp_path / "commands"
    with started("game", "--against", "contact", "--external", "localhost:0") as ours:
        heard = next(line for line in ours.stderr if "listening at" in line)
        port = heard.strip().rpartition(":")[2]
        commands = [
            "set confirm new off",
            f"set player {place} external localhost:{port}",
            f"set player {1 - place} gnubg",
            f"set player {1 - place} chequerplay evaluation plies 0",
            f"set player {1 - place} cubedecision evaluation plies 0",
            "set automatic game on",
            "set seed 7",
            "new match 5",
            f'save match "{saved}"',
            "exit",
            "y",
        ]
        script.write_text("\n".join(commands) + "\n")
        try:
            # GNU Backgammon does not play the whole game if the input is a pipe.
            done = ran("sh", "-c", f"{GNUBG} -t -q -r < '{script}'").good
        finally:
            ours.terminate()
            said = ours.communicate(timeout=60)[1]
    assert "FIBS" not in said
    assert "Illegal" not in done.out + done.err
    match = read_match(saved)
    last = match.games[-1]
    assert last.winner is not None
    assert last.won[last.winner] + last.points >= 5
    plays = [m for game in match.games for m in moments(match, game)]
    assert {m.action.player for m in plays} == {0, 1}
