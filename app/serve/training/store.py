"""What was answered, in one SQLite file of the user's data folder."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.library.sealed import Connection, SealedFile, data_folder, put, rows, seal_table

MARK = 0x6265_6F66
"""SQLite's number of the program that a file belongs to."""

_TABLES = """
CREATE TABLE answers (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    seconds REAL NOT NULL,
    given TEXT NOT NULL,
    answer TEXT NOT NULL,
    right INTEGER NOT NULL,
    error REAL,
    cost REAL
) STRICT;
CREATE INDEX answers_by_key ON answers (key);
CREATE TABLE cards (key TEXT PRIMARY KEY, due TEXT NOT NULL, card TEXT NOT NULL) STRICT"""


def _seal(connection: Connection) -> None:
    for table in ("answers", "cards"):
        seal_table(connection, table)


_STEPS = (_TABLES, _seal)


def store_path() -> Path:
    """Return the file of this user."""
    return data_folder() / "training.sqlite"


@dataclass(frozen=True)
class Answered:
    """An answer as it is kept.

    Attributes
    ----------
    at : datetime
        When, in UTC.
    key, kind : str
        The question.
    seconds : float
        How long it took.
    given, answer : str
        What was answered, and what is right.
    right : bool
    error : float or None
        Of a number: given less right.
    cost : float or None
        Of a choice: what it loses, EMG.
    """

    at: datetime
    key: str
    kind: str
    seconds: float
    given: str
    answer: str
    right: bool
    error: float | None
    cost: float | None


COLUMNS = tuple(field.name for field in fields(Answered))


class Store:
    """Answers and the questions to be asked again.

    Parameters
    ----------
    path : Path
        The file; it is made when the first answer is kept.

    Raises
    ------
    StoreError
        By every method, if the file is no store, or cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self._file = SealedFile(path, MARK, _STEPS, "the trainer")
        self._checked = False

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    def keep(self, answered: Answered, card: dict[str, Any] | None) -> None:
        """Keep an answer and, if the question is to be asked again, its card."""
        self._check()
        values = dict(zip(COLUMNS, astuple(answered), strict=True))
        with self._file.writing() as connection:
            put(connection, "answers", {"id": None} | values | {"at": _text(answered.at)})
            if card is not None:
                due, text = _text(card["due"]), json.dumps(card)
                put(connection, "cards", {"key": answered.key, "due": due, "card": text})

    def answers(self) -> list[Answered]:
        """Return all answers, the oldest first."""
        with self._reading() as connection:
            found = rows(connection, "SELECT * FROM answers ORDER BY id", "answers")
            return [_answered(row) for row in found]

    def card(self, key: str) -> dict[str, Any] | None:
        """Return the card of a question, if it has one."""
        query = "SELECT * FROM cards WHERE key = ?"
        with self._reading() as connection:
            row = next(rows(connection, query, "cards", (key,)), None)
            return None if row is None else dict(json.loads(row["card"]))

    def due(self, now: datetime) -> list[str]:
        """Return the keys of the questions that are due, the longest due first."""
        query = "SELECT * FROM cards WHERE due <= ? ORDER BY due, key"
        with self._reading() as connection:
            return [row["key"] for row in rows(connection, query, "cards", (_text(now),))]

    def asked(self, keys: Sequence[str]) -> set[str]:
        """Return which of these were ever answered."""
        marks = ", ".join("?" for _ in keys)
        query = f"SELECT DISTINCT key FROM answers WHERE key IN ({marks})"
        with self._reading() as connection:
            return {key for (key,) in connection.execute(query, keys)}

    def count(self) -> int:
        """Return how many answers there are."""
        with self._reading() as connection:
            (found,) = connection.execute("SELECT count(*) FROM answers").fetchone()
            return int(found)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._check()
        with self._file.reading() as connection:
            yield connection

    def _check(self) -> None:
        """Look at the whole file before it is first used."""
        if not self._checked and self.path.exists():
            self._file.check()
        self._checked = True


def _answered(row: dict[str, Any]) -> Answered:
    values = {name: row[name] for name in COLUMNS}
    values["at"] = datetime.fromisoformat(values["at"])
    values["right"] = bool(values["right"])
    return Answered(**values)


def _text(at: datetime | str) -> str:
    """Write a time so that texts sort as times do."""
    if isinstance(at, str):
        at = datetime.fromisoformat(at)
    return at.astimezone(UTC).isoformat(timespec="microseconds")
