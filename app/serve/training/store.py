"""What was answered, in one SQLite file of the user's data folder.

The file is marked as ours. One that is damaged, of another program or of a later version is
refused in one sentence and left as it is: nothing is ever overwritten.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from bearoff import BearoffError

MARK = 0x6265_6F66
"""SQLite's number of the program that a file belongs to."""

VERSION = 1
"""Of the tables; raised with them."""

_WAIT = 5.0
"""Seconds that one process waits for another to write."""

_TABLES = f"""
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
CREATE TABLE cards (key TEXT PRIMARY KEY, due TEXT NOT NULL, card TEXT NOT NULL) STRICT;
PRAGMA application_id = {MARK};
PRAGMA user_version = {VERSION};
"""


def store_path() -> Path:
    """Return the file of this user: in ``$BEAROFF_DATA`` or the user's data folder."""
    chosen = os.environ.get("BEAROFF_DATA")
    return (Path(chosen) if chosen else user_data_path("bearoff")) / "training.sqlite"


class StoreError(BearoffError):
    """A file of the trainer that cannot be read or written."""


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
        Of a choice: points lost.
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
        self.path = path

    def keep(self, answered: Answered, card: dict[str, Any] | None) -> None:
        """Keep an answer and, if the question is to be asked again, its card."""
        with self._open(write=True) as connection:
            values = (_text(answered.at), *astuple(answered)[1:])
            marks = ", ".join("?" for _ in values)
            connection.execute(
                f"INSERT INTO answers ({', '.join(COLUMNS)}) VALUES ({marks})", values
            )
            if card is not None:
                connection.execute(
                    "INSERT OR REPLACE INTO cards VALUES (?, ?, ?)",
                    (
                        answered.key,
                        _text(card["due"]),
                        json.dumps(card),
                    ),
                )

    def answers(self) -> list[Answered]:
        """Return all answers, the oldest first."""
        with self._open() as connection:
            rows = connection.execute(
                f"SELECT {', '.join(COLUMNS)} FROM answers ORDER BY id"
            ).fetchall()
        return [_answered(row) for row in rows]

    def card(self, key: str) -> dict[str, Any] | None:
        """Return the card of a question, if it has one."""
        with self._open() as connection:
            row = connection.execute(
                "SELECT card FROM cards WHERE key = ?", (key,)
            ).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def due(self, now: datetime) -> list[str]:
        """Return the keys of the questions that are due, the longest due first."""
        with self._open() as connection:
            return [
                key
                for (key,) in connection.execute(
                    "SELECT key FROM cards WHERE due <= ? ORDER BY due, key", (_text(now),)
                )
            ]

    def asked(self, keys: Sequence[str]) -> set[str]:
        """Return which of these were ever answered."""
        with self._open() as connection:
            marks = ", ".join("?" for _ in keys)
            found = connection.execute(
                f"SELECT DISTINCT key FROM answers WHERE key IN ({marks})", keys
            )
            return {key for (key,) in found}

    def count(self) -> int:
        """Return how many answers there are."""
        with self._open() as connection:
            (found,) = connection.execute("SELECT count(*) FROM answers").fetchone()
            return int(found)

    @contextmanager
    def _open(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """Open the file for one piece of work, which is done whole or not at all."""
        there = self.path.exists()
        try:
            if write:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            place = str(self.path) if there or write else ":memory:"
            connection = sqlite3.connect(place, timeout=_WAIT)
            try:
                connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                self._check(connection)
                connection.commit()
                if write:
                    connection.execute("PRAGMA journal_mode = WAL")
                with connection:
                    yield connection
            finally:
                connection.close()
        except (sqlite3.Error, OSError, ValueError, TypeError) as error:
            if isinstance(error, BearoffError):
                raise
            # What SQLite could not do is about the file's place, all else about the file.
            outside = isinstance(error, OSError | sqlite3.OperationalError)
            hint = "" if outside else "; move it away to begin anew"
            raise StoreError(
                f"the trainer cannot use {self.path}: {error}{hint}"
            ) from error

    def _check(self, connection: sqlite3.Connection) -> None:
        """Make the tables in a new file; refuse a file that is not ours."""
        mark, version, tables = (
            connection.execute(question).fetchone()[0]
            for question in (
                "PRAGMA application_id",
                "PRAGMA user_version",
                "SELECT count(*) FROM sqlite_master",
            )
        )
        if (mark, version, tables) == (0, 0, 0):
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            return
        if mark != MARK:
            raise StoreError(
                f"{self.path} is of another program; the trainer leaves it as it is, move "
                "it away to begin anew"
            )
        if version != VERSION:
            raise StoreError(
                f"{self.path} has version {version} and this program knows {VERSION}; "
                "update bearoff"
            )


def _answered(row: Sequence[Any]) -> Answered:
    values = dict(zip(COLUMNS, row, strict=True))
    values["at"] = datetime.fromisoformat(values["at"])
    values["right"] = bool(values["right"])
    return Answered(**values)


def _text(at: datetime | str) -> str:
    """Write a time so that texts sort as times do."""
    if isinstance(at, str):
        at = datetime.fromisoformat(at)
    return at.astimezone(UTC).isoformat(timespec="microseconds")
