"""External player for GNU Backgammon, which receives boards and returns decisions."""

import re
import socket
from collections.abc import Callable

from bearoff import BearoffError
from bearoff.app.output import note
from bearoff.game.rules import format_play
from bearoff.game.state import GameError, GameState, Player, read_fibs

MOST_BYTES = 4096
"""Maximum length of an input line, in bytes."""


def parse_address(text: str) -> tuple[str, int]:
    """Parse an address of the form ``HOST:PORT``."""
    host, _, port = text.rpartition(":")
    if not host or not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65535:
        raise GameError(
            f"an address must have the form HOST:PORT, such as localhost:4321, got {text!r}"
        )
    return host, int(port)


def serve_external(
    address: tuple[str, int],
    player: Player,
    *,
    jacoby: bool,
    ready: Callable[[str], object],
) -> None:
    """Serve one connection at a time until interrupted."""
    host, port = address
    try:
        server = socket.create_server((host, port))
    except socket.gaierror as error:
        raise GameError(f"the host {host!r} was not found: {error.strerror}") from None
    with server:
        ready(f"{host}:{server.getsockname()[1]}")
        while True:
            connection, _ = server.accept()
            with connection:
                try:
                    _answer_all(connection, player, jacoby)
                except OSError as error:
                    note(f"the connection was lost: {error.strerror or error}")


def _answer_all(connection: socket.socket, player: Player, jacoby: bool) -> None:
    with connection.makefile("rwb") as lines:
        while line := lines.readline(MOST_BYTES):
            if not line.endswith(b"\n"):
                if len(line) == MOST_BYTES:
                    note(f"a line has over {MOST_BYTES:,} bytes; the connection is closed")
                return
            try:
                # GNU Backgammon ends each line with a line feed and a NUL byte. The NUL
                # byte of a line is therefore read at the start of the next line.
                text = line.decode("latin-1").strip("\0\r\n")
                said = answer(read_fibs(text, jacoby=jacoby), player)
            except BearoffError as error:
                note(str(error))
                said = "error"  # A longer reply would crash GNU Backgammon.
            lines.write(said.encode() + b"\n")
            lines.flush()


def answer(state: GameState, player: Player) -> str:
    """Return a player's decision in the format that GNU Backgammon expects.

    Examples
    --------
    >>> from bearoff.game.contact import ContactPlayer
    >>> answer(GameState().open(3, 1), ContactPlayer())
    '8/5 6/5'
    >>> answer(GameState(turn=0), ContactPlayer())
    'roll'
    """
    if state.offers:
        return "take" if player.take(state) else "drop"
    if state.dice is None:
        return "double" if state.may_double and player.double(state) else "roll"
    written = format_play(state.board, player.play(state), state.dice)
    return "" if written == "cannot move" else written
