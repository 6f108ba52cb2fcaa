"""Answers as CSV, and mistakes as flashcards for Anki."""

import csv
import io
from collections.abc import Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from analysis.review import Card, board_svg, write_cards
from app.serve.drills.asked import Marked, Question
from app.serve.drills.kinds import drill_of, mark, question_of
from app.serve.training.store import COLUMNS, Answered
from bearoff import BearoffError

DECK = "Race trainer"


def as_csv(answers: Sequence[Answered]) -> str:
    """Return the answers as CSV, the position of each as XGID.

    Parameters
    ----------
    answers : sequence of Answered
        A row each.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*COLUMNS, "xgid"])
    for one in answers:
        values = (getattr(one, name) for name in COLUMNS[1:])
        texts = [int(v) if isinstance(v, bool) else v for v in values]
        writer.writerow([one.at.isoformat(), *texts, _xgid(one.key)])
    return stream.getvalue()


def _xgid(key: str) -> str:
    try:
        drill, rest = drill_of(key)
        race = drill.race(rest)
    except BearoffError:
        return ""  # Of a drill of another version.
    return "" if race is None else race.xgid


def as_cards(answers: Sequence[Answered]) -> bytes:
    """Return an Anki package of the questions that were ever answered wrongly.

    Parameters
    ----------
    answers : sequence of Answered
        In order; a card says the last wrong answer to its question.
    """
    wrong = {one.key: one for one in answers if not one.right}
    cards = []
    for key, one in wrong.items():
        try:
            cards.append(_card(question_of(key), mark(key, one.answer), one))
        except BearoffError:
            continue  # Of a sample that is no longer shipped.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mistakes.apkg"
        write_cards(path, cards, DECK)
        return path.read_bytes()


def _card(question: Question, marked: Marked, answered: Answered) -> Card:
    drill, rest = drill_of(question.key)
    race = drill.race(rest)
    board = ""
    if race is not None:
        board = board_svg(
            race.roller,
            race.opponent,
            cube_value=race.cube_value,
            cube=race.cube,
            dice=race.dice,
        )
    rows = [(line.words, line.arithmetic) for line in marked.steps]
    rows += [(one.name, f"{one.equity:+.4f}") for one in marked.options]
    table = "".join(f"<tr><td>{escape(a)}</td><td>{escape(b)}</td></tr>" for a, b in rows)
    unit = f" {question.unit}" if question.unit else ""
    return Card(
        key=question.key,
        question=question.text,
        board=board,
        answer=f"<b>{escape(marked.answer + unit)}</b><table>{table}</table>",
        source=f"{question.title}. You answered {answered.given}{unit}.",
    )
