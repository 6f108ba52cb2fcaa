"""Flashcards: an Anki package of decisions, with pictures of the positions."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bearoff.analysis.review.decision import UNIT, Decision
from bearoff.analysis.review.svg import STYLE, position_svg
from bearoff.storage import atomic_path

_MODEL = 1_730_415_921
"""Identifier of the note type in Anki, which must never change."""

_QUESTIONS = {
    "double": "On roll. {cube}ouble?",
    "take": "You are doubled. Take?",
    "play": "How do you play {roll}?",
}


@dataclass(frozen=True)
class Card:
    """Flashcard for Anki.

    Attributes
    ----------
    key : str
        Identifier of the card. If Anki already has a card with this identifier, it keeps
        the learning progress.
    question, source : str
        Plain text of the question, and of the source of the position.
    board, answer : str
        HTML of the board and of the answer.
    """

    key: str
    question: str
    board: str
    answer: str
    source: str


def write_cards(path: Path, cards: Iterable[Card], deck: str) -> int:
    """Write flashcards to an Anki package.

    Parameters
    ----------
    path : Path
        Path of the ``.apkg`` file; an existing file is replaced.
    cards : iterable of Card
        Cards in the order in which Anki presents them.
    deck : str
        Name of the deck.

    Returns
    -------
    int
        Number of cards written.
    """
    import genanki

    model = genanki.Model(
        _MODEL,
        "Race decision",
        fields=[{"name": name} for name in ("Question", "Board", "Answer", "Source")],
        templates=[
            {
                "name": "Decision",
                "qfmt": "{{Board}}<p>{{Question}}</p>",
                "afmt": "{{FrontSide}}<hr id=answer>{{Answer}}<p>{{Source}}</p>",
            }
        ],
        css=f".card{{font:18px sans-serif;text-align:center}}table{{margin:auto}}{STYLE}",
    )
    package = genanki.Deck(_number(deck), deck)
    for one in cards:
        fields = [escape(one.question), one.board, one.answer, escape(one.source)]
        package.add_note(genanki.Note(model=model, fields=fields, guid=_number(one.key)))
    with atomic_path(path) as unfinished:
        genanki.Package(package).write_to_file(unfinished)
    return len(package.notes)


def _number(text: str) -> int:
    """Return a hash of a text, an integer below 2**50."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "little")


def table_of(rows: Iterable[tuple[str, str]], head: str = "") -> str:
    """Return rows of names and values as an HTML table."""
    first = f"<tr><td></td><th>{escape(head)}</th></tr>" if head else ""
    cells = (f"<tr><td>{escape(a)}</td><td>{escape(b)}</td></tr>" for a, b in rows)
    return f"<table>{first}{''.join(cells)}</table>"


def choice_rows(one: Decision) -> list[tuple[str, str]]:
    """Return the name and the equity as text, for each choice of the deciding player."""
    return [(each.name, f"{each.equity:+.{one.digits}f}") for each in one.alternatives]


def card_of(one: Decision) -> Card:
    """Return a flashcard that asks for a decision and shows the right choice."""
    position = one.position
    roll = "" if position.dice is None else "{}-{}".format(*position.dice)
    question = _QUESTIONS[one.kind].format(
        roll=roll, cube="Red" if position.cube == "owned" else "D"
    )
    score = "" if position.score is None else f" {position.score}."
    answer = f"<b>{escape(one.best)}</b>{table_of(choice_rows(one), head=UNIT)}"
    if one.reason:
        answer += f"<p>{escape(one.reason)}</p>"
    if one.formula:
        answer += f"<p>The formula says {escape(one.formula)}.</p>"
    if one.file is not None:
        answer += f"<p>{escape(one.file.program)} says {escape(one.file.best)}.</p>"
    if one.comment:
        answer += f"<p>{escape(one.comment)}</p>"
    chose = f"{one.player} chose {one.done}" if one.player else f"{one.done} loses"
    source = f"{chose}: {one.cost:.{one.digits}f} {UNIT}{_estimated(one)}. {one.source}"
    key, board = f"{position.xgid} {one.kind}", position_svg(position)
    return Card(key, question + score, board, answer, source)


def _estimated(one: Decision) -> str:
    return "" if one.in_race else f" ± {one.error:.{one.digits}f}, an estimate"
