"""Export of library decisions as CSV, Parquet, flashcards or drawn boards."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bearoff import POINTS, BearoffError, Race
from bearoff.analysis.review import (
    COLUMNS,
    UNIT,
    Decision,
    FileSays,
    as_row,
    card_of,
    sides_of,
    write_cards,
    write_table,
)
from bearoff.app.board import draw_board, draw_race
from bearoff.app.library.kept import KeptDecision, KeptNote
from bearoff.app.library.tables import COUNTED
from bearoff.game.state import GameState
from bearoff.storage import write_atomic

SUFFIXES = (".csv", ".parquet", ".apkg", ".txt")

DECK = "Race library"

_COLUMNS: dict[str, type] = (
    dict.fromkeys(("reference", "day", "opponent"), str)
    | COLUMNS
    | {"stakes": str, "pips": int, "lead": int, "formula_cost": float}
    | dict.fromkeys(COUNTED, int)
    | dict.fromkeys(("comment", "notes", "tags"), str)
)
"""Python type of each column in an exported table of decisions."""

Notes = dict[str, list[KeptNote]]
"""Notes on each match or decision, keyed by its reference, such as ``12`` or ``12.3``."""


def export(
    path: Path, decisions: Sequence[KeptDecision], notes: Sequence[KeptNote]
) -> None:
    """Write decisions to a file in the format of its extension."""
    refuse_other_than(path)
    about: Notes = {}
    for note in notes:
        about.setdefault(note.about, []).append(note)
    if path.suffix == ".apkg":
        write_cards(path, [card_of(one.judged) for one in decisions], DECK)
    elif path.suffix == ".txt":
        texts = [board_text(one, about.get(one.reference, [])) for one in decisions]
        write_atomic(path, ("\n\n".join(texts) + "\n").encode())
    else:
        write_table(path, [row_of(one, about) for one in decisions], _COLUMNS)


def export_bytes(
    ending: str, decisions: Sequence[KeptDecision], notes: Sequence[KeptNote]
) -> bytes:
    """Return the content that `export` writes to a file with a given extension."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"decisions.{ending}"
        export(path, decisions, notes)
        return path.read_bytes()


def refuse_other_than(path: Path) -> None:
    """Raise an error for a file with an unknown extension or a missing folder."""
    if path.suffix not in SUFFIXES:
        raise BearoffError(
            f"the file name must end in {', '.join(SUFFIXES)}, got {path.name!r}"
        )
    if not path.parent.is_dir():
        raise BearoffError(
            f"the folder {path.parent} for {path.name} does not exist; create it first"
        )


def row_of(one: KeptDecision, about: Notes) -> dict[str, Any]:
    """Return a decision as a row of a table."""
    noted = about.get(one.reference, [])
    return (
        {"reference": one.reference, "day": one.day, "opponent": one.opponent}
        | as_row(one.judged)
        | {
            "stakes": one.stakes,
            "pips": one.pips,
            "lead": one.lead,
            "formula_cost": one.formula_cost,
        }
        | one.counted
        | {
            "comment": one.comment,
            "notes": "\n".join(note.text for note in noted if note.text),
            "tags": " ".join(tag for note in noted for tag in note.tags),
        }
    )


def board_text(one: KeptDecision, notes: Sequence[KeptNote] = ()) -> str:
    """Return a decision as text: the board, the choice, and the correct choice."""
    judged = one.judged
    race = judged.position
    roller, opponent = sides_of(race)
    roll = "" if race.dice is None else ", to play {}-{}".format(*race.dice)
    where = f"{judged.source}, game {judged.game}, line {judged.line}"
    lines = [
        f"{one.reference}  {one.day}  {judged.player} - {one.opponent}"
        if judged.player
        else f"{one.reference}  {one.day}",
        where if judged.game else f"{judged.source}, line {judged.line}",
        "",
        board_of(race),
        f" {roller.pips} pips on roll, {opponent.pips} opponent{roll}",
        f" cube {race.cube} at {race.cube_value}, {race.score or 'money play'}",
        f" {race.xgid}",
        "",
    ]
    lines += _alternatives(judged)
    lines.append("")
    chosen = f"chosen: {judged.done}; " if judged.decided else ""
    lines.append(f" {chosen}best: {judged.best} ({judged.method})")
    if judged.decided:
        lines.append(f" lost: {_lost(judged)}")
    if judged.file is not None:
        lines.append(f" analysis in the match file: {_in_file(judged.file)}")
    if one.comment:
        lines.append(f" comment: {one.comment}")
    for note in notes:
        tags = "".join(f" #{tag}" for tag in note.tags)
        lines.append(f" note {note.id}: {note.text}{tags}")
    return "\n".join(lines)


def _lost(judged: Decision) -> str:
    """Format a cost and its error, with as many decimals as the error justifies."""
    cost = f"{judged.cost:.{judged.digits}f} {UNIT}"
    if not judged.error:
        return cost
    within = ", within the error" if judged.is_seen and not judged.is_mistake else ", error"
    return f"{cost}{within} {judged.error:.{judged.digits}f}"


def _alternatives(judged: Decision) -> list[str]:
    """Format the equity of each choice, as judged here and by the match file's analysis."""
    width = max(len(one.name) for one in judged.alternatives)
    shown = [
        (one.name, f" {one.name:{width}}  {one.equity:+.4f}") for one in judged.alternatives
    ]
    if judged.file is None:
        return [line for _, line in shown]
    said = dict(judged.file.equities)
    lines = [f" {'':{width}}  {'here':>7}  in the file"]
    for name, line in shown:
        theirs = f"{said[name]:+.4f}" if name in said else "-"
        lines.append(f"{line}  {theirs:>11}")
    return lines


def _in_file(said: FileSays) -> str:
    """Return the correct choice and the cost according to the match file's analysis."""
    by = f"{said.program}, {said.level}" if said.level else said.program
    lost = "" if said.cost is None else f", lost: {said.cost:.4f} {UNIT}"
    return f"best: {said.best} ({by}){lost}"


def board_of(race: Race | GameState) -> str:
    if isinstance(race, GameState):
        return draw_board(race.board)
    farthest = max(race.roller.highest, race.opponent.highest, POINTS)
    narrow = race.on_points(farthest)
    return draw_race(narrow.roller, narrow.opponent)
