"""Kinds of users' files that trials damage: match libraries and the trainer's answers."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from verify import ROOT
from verify.damage.files import Kind

_START = datetime(2026, 1, 5, tzinfo=UTC)


def _library(folder: Path) -> Any:
    from bearoff.app.library.library import Library

    return Library(folder / "library.sqlite", lambda: _START)


def _make_library(folder: Path) -> None:
    """Store a money session in the library, with a review by the fast model."""
    from bearoff import Judge
    from bearoff.analysis import formulas
    from bearoff.analysis.review import review
    from bearoff.game.records import read_match

    record = read_match(ROOT / "tests" / "data" / "gnubg_session.mat")
    judged = review(record, Judge([], patience=0.0), formulas.get("ladder"))
    library = _library(folder)
    library.keep(record, judged)
    library.notes.add("1", "a note", ["tag"])


def _kept(folder: Path) -> Any:
    library = _library(folder)
    return [library.matches(), library.search(), library.record(1), library.notes.of()]


def _checked(folder: Path) -> Any:
    return _library(folder).file.check()


def _trainer(folder: Path) -> Any:
    from bearoff.app.serve.training.store import Store

    return Store(folder / "training.sqlite")


def _make_trainer(folder: Path) -> None:
    from bearoff.app.serve.training.repetition import next_card
    from bearoff.app.serve.training.store import Answered

    store = _trainer(folder)
    for place in range(40):
        at, key = _START + timedelta(minutes=place), f"n-rolls centred {place} 4"
        told = at, key, "n-rolls", place / 7, "take", "pass", False, None, 0.25, key
        store.keep(Answered(*told), next_card(None, right=False, now=_START), 0)


def _answers(folder: Path) -> Any:
    store = _trainer(folder)
    due = store.due(_START + timedelta(days=9))
    return [store.answers(), due, [store.card(key) for key in due]]


def _unused(good: Path, damaged: Path, file: str) -> str | None:
    return "bytes outside the rows: all rows are read and verified, and are the same"


def user_kinds() -> Iterator[Kind]:
    """Yield the kinds of the user's files that trials damage."""
    asked = {"what is kept": _kept, "bearoff library backup": _checked}
    pattern = ("*.sqlite",)
    yield Kind("library of matches", _make_library, asked, _unused, pattern, 6)
    yield Kind(
        "answers of the trainer", _make_trainer, {"answers": _answers}, _unused, pattern, 6
    )
