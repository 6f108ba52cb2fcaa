"""Export of answers as CSV, and of mistakes as flashcards for Anki."""

import csv
import io
from collections.abc import Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from bearoff import BearoffError, Position
from bearoff.analysis.review import Card, position_svg, table_of, write_cards
from bearoff.app.serve.drills.asked import Marked
from bearoff.app.serve.drills.kinds import Drills
from bearoff.app.serve.training.store import COLUMNS, Answered

DECK = "Race trainer"


def as_csv(answers: Sequence[Answered], drills: Drills) -> str:
    """Return answers as CSV, with their positions as XGID."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*COLUMNS, "xgid"])
    for one in answers:
        values = (getattr(one, name) for name in COLUMNS[1:])
        texts = [int(v) if isinstance(v, bool) else v for v in values]
        writer.writerow([one.at.isoformat(), *texts, drills.xgid(one.key)])
    return stream.getvalue()


def as_cards(answers: Sequence[Answered], drills: Drills) -> bytes:
    """Return an Anki package of the questions that were ever answered wrongly."""
    wrong = {one.key: one for one in answers if not one.right}
    cards = []
    for key, one in wrong.items():
        try:
            cards.append(_card(drills, drills.mark(key, one.answer), one))
        except BearoffError:
            continue  # An older version of the program asked this question.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mistakes.apkg"
        write_cards(path, cards, DECK)
        return path.read_bytes()


def _card(drills: Drills, marked: Marked, answered: Answered) -> Card:
    question = drills.question(marked.key)
    drill, rest = drills.of(marked.key)
    race = drill.race(rest)
    board = ""
    if race is not None:
        # A board's default description states pip counts, which may be the answer, so
        # another description is used.
        sides = f"You: {_points(race.roller)}. Opponent: {_points(race.opponent)}."
        board = position_svg(race, sides)
    rows = [(line.words, line.arithmetic) for line in marked.steps]
    rows += [(one.name, f"{one.equity:+.4f}") for one in marked.options]
    notes = "".join(f"<p>{escape(note)}</p>" for note in marked.notes)
    unit = f" {question.unit}" if question.unit else ""
    said = f"answered {answered.given}{unit}" if answered.given else "ran out of time"
    return Card(
        key=question.key,
        question=question.text,
        board=board,
        answer=f"<b>{escape(marked.answer + unit)}</b>{notes}{table_of(rows)}",
        source=f"{question.title}. You {said}.",
    )


def _points(side: Position) -> str:
    """Describe the points occupied by a side."""
    on = [f"{n} on the {point} point" for point, n in enumerate(side.counts, 1) if n]
    return ", ".join([*on, f"{side.off} off"])
