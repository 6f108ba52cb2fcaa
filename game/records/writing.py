"""Writer of matches in Jellyfish's format ``.mat`` and GNU Backgammon's ``.sgf``.

In both formats, each number of a roll is written as a separate move, as GNU Backgammon
does. Neither format records resignations, only a winner and points. Only .sgf files can
contain positions that were set up.
"""

import os
from os import PathLike
from pathlib import Path

from bearoff.game.records.record import (
    GameRecord,
    MatchRecord,
    RecordError,
    may_be_crawford,
)
from bearoff.game.records.replay import Moment, moments
from bearoff.game.rules import STARTS, Board, play_moves
from bearoff.storage import write_atomic

_LEFT = 27
"""Width of the left player's column in characters."""

SUFFIXES = (".mat", ".sgf")


def refuse_target(path: Path) -> None:
    """Raise an error if no match can be written to a path.

    Raises
    ------
    RecordError
        If the suffix is unknown, the folder does not exist, or the path is not a regular
        file.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise RecordError(f"a match file must end in .mat or .sgf, got {path.name!r}")
    if not path.parent.is_dir():
        raise RecordError(
            f"the folder {path.parent} for {path.name} does not exist; create it first"
        )
    if path.exists() and not path.is_file():
        raise RecordError(f"{path} exists and is not a regular file; choose another name")
    # A new file replaces the old one, so the folder must be writable.
    if not os.access(path.parent, os.W_OK):
        raise RecordError(f"no permission to write to {path}; choose another place")


def write_match(path: str | PathLike[str], match: MatchRecord) -> None:
    """Write a match to a file that GNU Backgammon and `read_match` can read.

    Parameters
    ----------
    path : path-like
        Path that ends in ``.mat`` or ``.sgf``.
    match : MatchRecord
        Match to write. The last game may be unfinished.

    Raises
    ------
    RecordError
        If the path is not valid, a player's name cannot be written, or the match is
        impossible.
    OSError
        If the file cannot be written.
    """
    path = Path(path)
    refuse_target(path)
    write = format_jellyfish if path.suffix.lower() == ".mat" else format_sgf
    write_atomic(path, write(match).encode())


def format_jellyfish(match: MatchRecord) -> str:
    """Format a match as text in Jellyfish's ``.mat`` format; see `write_match`."""
    for name in match.players:
        if not name.strip() or name != " ".join(name.split()) or {":", "["} & set(name):
            raise RecordError(
                "a player's name in a .mat file must not contain ':' or '[', or begin or "
                f"end with a blank, got {name[:40]!r}"
            )
    for game in match.games:
        boards = [game.line] * (not game.opens)
        boards += [action.line for action in game.actions if action.board is not None]
        if boards:
            raise RecordError(
                "a .mat file cannot contain a board that was set up, as in line "
                f"{boards[0]} of game {game.number}; write the match as .sgf"
            )
    variant = _variant(match)
    told = (
        ("Event", match.event),
        ("Site", match.place),
        ("EventDate", match.date),
        ("Variation", variant),
    )
    lines = [f'; [{tag} "{" ".join(text.split())}"]' for tag, text in told if text]
    if match.length:  # Without this tag, gvformat assumes "Off".
        lines.append(f'; [Crawford "{"On" if _crawford_rule(match) else "Off"}"]')
    if match.jacoby:
        lines.append('; [Jacoby "On"]')
    lines += [f" {match.length} point match", ""]
    for game in match.games:
        scores = (
            f"{name} : {points}"
            for name, points in zip(match.players, game.won, strict=True)
        )
        lines += [f" Game {game.number}", f" {next(scores):<31}{next(scores)}"]
        rows: list[list[str]] = []
        for moment in moments(match, game):
            player = moment.action.player
            accepted = moment.action.kind == "take" and moment.before.offers > 1
            if moment.action.kind in ("resign", "question") or accepted:
                continue  # The play after a beaver implies that the beaver was taken.
            if not rows or player == 0 or rows[-1][1]:
                rows.append(["", ""])
            rows[-1][player] = _jellyfish_action(moment)
        wins = ""
        if game.winner is not None:
            wins = f"Wins {game.points} point{'s' * (game.points > 1)}"
            if rows and game.winner == 1 and rows[-1] == [" Drops", ""]:
                # GNU Backgammon writes a pass and the resulting win on the same line.
                rows[-1][1], wins = f" {wins}", ""
        for number, (left, right) in enumerate(rows, start=1):
            lines.append(f"{number:3}) {left:<{_LEFT}} {right}".rstrip())
        if wins:
            lines.append(" " * (34 if game.winner else 6) + wins)
        lines.append("")
    return "\n".join(lines) + "\n"


def _variant(match: MatchRecord) -> str:
    """Return the variant whose starting board all games have; empty for backgammon."""
    boards = {game.board for game in match.games}
    names = (name for name, board in STARTS.items() if boards == {board})
    return next(names, "").capitalize()


def _crawford_rule(match: MatchRecord) -> bool:
    """Return whether the match was played with the Crawford rule; true if unknown."""
    near = [game for game in match.games if may_be_crawford(match.length, game.won)]
    return match.length == 1 or not near or near[0].crawford


def _jellyfish_action(moment: Moment) -> str:
    match moment.action.kind:
        case "double":
            value = moment.cube_value << moment.before.offers + 1
            return f" {'Beavers' if moment.before.offers else 'Doubles'} => {value}"
        case "take":
            return " Takes"
        case "pass":
            return " Drops"
    high, low = _roll(moment)
    match moment.action.kind:
        case "roll" if moment.then.dice is not None:
            return f"{high}{low}: ????"
        case "set":
            return f"{high}{low}: {moment.action.text}"
    moves = (f"{source}/{target}{'*' * hit}" for source, target, hit in _moves(moment))
    return f"{high}{low}: {' '.join(moves)}".rstrip()


def format_sgf(match: MatchRecord) -> str:
    """Format a match as text in Smart Game Format; see `write_match`."""
    return "".join(_sgf_game(match, game) for game in match.games)


def _sgf_game(match: MatchRecord, game: GameRecord) -> str:
    rules = ""
    if match.length > 1 and _crawford_rule(match):
        rules = f"RU[Crawford{':CrawfordGame' * game.crawford}]"
    elif match.jacoby:
        rules = "RU[Jacoby]"
    if variant := _variant(match):
        rules = f"{rules[:-1]}:{variant}]" if rules else f"RU[{variant}]"
    resigned = any(action.kind == "resign" for action in game.actions)
    result = ""
    if game.winner is not None:
        result = f"RE[{'WB'[game.winner]}+{game.points}{'R' * resigned}]"
    names = [_escaped(name) for name in match.players]
    told = "".join(
        f"{name}[{_escaped(text)}]"
        for name, text in (("EV", match.event), ("PC", match.place), ("DT", match.date))
        if text
    )
    nodes = [
        f"FF[4]GM[6]CA[UTF-8]AP[bearoff]MI[length:{match.length}][game:{game.number - 1}]"
        f"[ws:{game.won[0]}][bs:{game.won[1]}]PW[{names[0]}]PB[{names[1]}]{told}{rules}{result}"
    ]
    if game.board is not None and not variant:
        nodes.append(_sgf_board(game.board))
    if game.cube_value > 1:
        owner = "c" if game.cube_owner is None else "wb"[game.cube_owner]
        nodes.append(f"CV[{game.cube_value}]CP[{owner}]")
    for moment in moments(match, game):
        player, dice = "WB"[moment.action.player], moment.then.dice
        match moment.action.kind:
            case "set":
                board = moment.then.board
                nodes.append(_sgf_board(board.turned if moment.then.turn == 1 else board))
            case "roll" | "question" if dice is not None or moment.after is None:
                rolled = f"DI[{dice[0]}{dice[1]}]" if dice else ""
                nodes.append(f"PL[{player}]{rolled}")
            case kind if kind != "resign":
                nodes.append(f"{player}[{_sgf_action(moment)}]")
    return "(;" + "\n;".join(nodes) + ")\n\n"


def _sgf_board(board: Board) -> str:
    """Return the properties that set up a board from White's viewpoint."""
    text = "AE[a:y]"
    for player, side in enumerate((board.roller, board.opponent)):
        letters = [
            _letter(place, player) for place, n in enumerate(side, 1) for _ in range(n)
        ]
        text += f"A{'WB'[player]}" * bool(letters) + "".join(f"[{one}]" for one in letters)
    return text


def _escaped(text: str) -> str:
    return "".join("\\" + c if c in "\\]:" else c for c in " ".join(text.split()))


def _sgf_action(moment: Moment) -> str:
    if moment.action.kind in ("double", "take", "pass"):
        return {"double": "double", "take": "take", "pass": "drop"}[moment.action.kind]
    high, low = _roll(moment)
    letters = (
        _letter(place, moment.roller) for move in _moves(moment) for place in move[:2]
    )
    return f"{high}{low}{''.join(letters)}"


def _letter(place: int, player: int) -> str:
    if place in (0, 25):
        return "yz"[place == 0]
    return chr(ord("a") + (25 - place if player else place) - 1)


def _roll(moment: Moment) -> tuple[int, int]:
    assert moment.action.roll is not None  # The moment is a play.
    return moment.action.roll


def _moves(moment: Moment) -> tuple[tuple[int, int, bool], ...]:
    assert moment.after is not None  # The moment is a play.
    return play_moves(moment.board, moment.after, _roll(moment))
