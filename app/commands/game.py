"""`bearoff game`: a match in the terminal, or against another program."""

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.interruption import interruptible
from bearoff.app.output import for_shell, note, say

if TYPE_CHECKING:
    from bearoff.app.game.table import GameTable
    from bearoff.game.state import GameState, Player

YOU = "you"

PLAYERS = ("search", "contact")


def game(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="File of the match, .mat or .sgf, which is updated during play. An "
            "existing match is continued.",
            show_default=False,
        ),
    ] = None,
    length: Annotated[
        int,
        typer.Option(
            metavar="POINTS", min=0, help="Length of the match in points; 0 is money play."
        ),
    ] = 0,
    against: Annotated[
        str, typer.Option(metavar="NAME", help=f"Opponent: {' or '.join(PLAYERS)}.")
    ] = PLAYERS[0],
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, help="Seed of the dice. Default: drawn at random and shown."
        ),
    ] = None,
    jacoby: Annotated[
        bool,
        typer.Option(
            "--jacoby",
            help="For money play: gammons count only after the cube has been turned.",
        ),
    ] = False,
    beavers: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=20,
            help="For money play: maximum number of beavers in a row.",
        ),
    ] = 0,
    external: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Play for GNU Backgammon instead, as an external player at this address.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play backgammon against the computer.

    Enter a play such as 8/5 6/5, or help for the other commands. In a race, each mistake
    is shown at once with its cost.

    \b
    bearoff game match.mat --length 5
    """
    from bearoff.game.state import GameError

    if against not in PLAYERS:
        raise GameError(f"the opponent must be {' or '.join(PLAYERS)}, got {against!r}")
    if external is not None:
        from bearoff.app.game.external import parse_address, serve_external

        if file is not None:
            raise GameError(
                f"the external player does not store matches; omit the file {file}"
            )
        address = parse_address(external)
        serve_external(
            address,
            _player(against),
            jacoby=jacoby,
            ready=lambda place: note(f"{against} is listening at {place}"),
        )
        return
    from bearoff.app.game.costs import Costs
    from bearoff.app.game.terminal import Terminal
    from bearoff.game.records import refuse_target
    from bearoff.game.state import GameState

    if file is not None:
        refuse_target(file)
    start = GameState(length=length, jacoby=jacoby, beavers=beavers)
    if seed is None:
        seed = secrets.randbelow(1_000_000)
    table = _table(file, start, against, seed)
    say(f"The dice can be repeated with --seed {seed}.")
    stored = "nothing is saved"
    if file is not None:
        stored = (
            f"the game is stored in {file}; bearoff game {for_shell(str(file))} "
            "continues it"
        )
    with interruptible(stored):
        Terminal(table, _player(against), Costs(), _read, file).run()


def _table(file: Path | None, start: "GameState", against: str, seed: int) -> "GameTable":
    """Return the state of the match in the file, or of a new match."""
    from bearoff.app.game.table import GameTable
    from bearoff.game.records import read_match

    players = (YOU, against)
    if file is None or not file.exists():
        return GameTable(start, players, seed)
    return GameTable.of_record(read_match(file), players, seed)


def _player(name: str) -> "Player":
    if name == "search":
        from bearoff.game.search import SearchPlayer, SearchSettings

        return SearchPlayer(SearchSettings(depth=1))
    from bearoff.game.contact import ContactPlayer

    return ContactPlayer()


def _read(asked: str) -> str | None:
    print(asked, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        print()
        return None
    if not sys.stdin.isatty():
        say(line.rstrip("\n"))
    return line
