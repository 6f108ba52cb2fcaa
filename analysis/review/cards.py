"""Flashcards: an Anki package of decisions, boards drawn."""

import hashlib
from collections.abc import Iterable
from html import escape
from pathlib import Path

from analysis.review.judged import Judged
from analysis.review.svg import STYLE, board_svg
from bearoff.storage import atomic_path

_MODEL = 1_730_415_921
"""Anki's number of the kind of note; it must never change."""

_QUESTIONS = {
    "double": "On roll. Double?",
    "take": "You are doubled. Take?",
    "play": "How do you play {roll}?",
}


def write_cards(path: Path, judged: Iterable[Judged], deck: str) -> int:
    """Write an Anki package.

    Parameters
    ----------
    path : Path
        The ``.apkg`` file; replaced if it is there.
    judged : iterable of Judged
        A card each, in this order.
    deck : str
        Name of the deck.

    Returns
    -------
    int
        Cards written. A decision written again, to the same deck or another, is the same
        card, so that Anki keeps what was learned.
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
    for one in judged:
        package.add_note(
            genanki.Note(model=model, fields=_fields(one), guid=_number(_key(one)))
        )
    with atomic_path(path) as unfinished:
        genanki.Package(package).write_to_file(unfinished)
    return len(package.notes)


def _number(text: str) -> int:
    """Return a number that depends on a text alone, below 2**50."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "little")


def _key(one: Judged) -> str:
    return f"{one.race.xgid} {one.kind}"


def _fields(one: Judged) -> list[str]:
    race = one.race
    roll = "" if race.dice is None else "{}-{}".format(*race.dice)
    question = _QUESTIONS[one.kind].format(roll=roll)
    score = "" if race.score is None else f" {race.score}."
    board = board_svg(
        race.roller,
        race.opponent,
        cube_value=race.cube_value,
        cube=race.cube,
        dice=race.dice,
    )
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{value:+.4f}</td></tr>"
        for name, value in one.equities
    )
    answer = f"<b>{escape(one.best)}</b><table>{rows}</table>"
    if one.formula:
        answer += f"<p>The formula says {escape(one.formula)}.</p>"
    source = f"{one.player} chose {one.decided}: {one.cost:.4f} {one.unit}. {one.source}"
    return [escape(question + score), board, answer, escape(source)]
