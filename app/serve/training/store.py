"""The user's answers to questions of the trainer, in an SQLite file in the data folder."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bearoff import BearoffError
from bearoff.app.library.sealed import (
    Connection,
    Row,
    SealedFile,
    put,
    rows,
    seal_table,
)
from bearoff.storage import users_folder

MARK = 0x6265_6F66
"""SQLite application id of the file."""

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


_ADDED = """
card TEXT NOT NULL DEFAULT ''
hints INTEGER NOT NULL DEFAULT 0
knew INTEGER NOT NULL DEFAULT 0
rating REAL
deviation REAL
question_rating REAL
question_deviation REAL
before TEXT NOT NULL DEFAULT ''
"""


def _add(connection: Connection) -> None:
    """Add the columns for hints, ratings and undo to the table of answers."""
    # The old answers are read first, which verifies their checksums.
    known = list(rows(connection, "SELECT * FROM answers", "answers"))
    for column in _ADDED.strip().splitlines():
        connection.execute(f"ALTER TABLE answers ADD COLUMN {column}")
    for row in known:
        added = {"card": row["key"], "hints": 0, "knew": 0, "rating": None}
        added |= {"deviation": None, "question_rating": None, "question_deviation": None}
        put(connection, "answers", row | added | {"before": ""})
    connection.execute("CREATE INDEX answers_by_card ON answers (card)")
    connection.execute("CREATE INDEX answers_by_time ON answers (at)")


_STEPS = (_TABLES, _seal, _add)


def store_path() -> Path:
    """Return the path of the user's file of answers."""
    return users_folder("data") / "training.sqlite"


@dataclass(frozen=True)
class Answered:
    """Stored answer of the user to a question.

    Attributes
    ----------
    at : datetime
        Time of the answer, in UTC.
    key, kind : str
        Key and kind of the question.
    seconds : float
        Time taken for the answer, in seconds.
    given, answer : str
        Given answer and correct answer.
    right : bool
    error : float or None
        For a numerical answer: the given number minus the correct number.
    cost : float or None
        For a choice: the equity that the given answer loses, in EMG.
    card : str
        Key of the question that was due for repetition, whose schedule the answer changes.
        The answered question `key` may be a similar question instead.
    hints : int
        Number of hints used before the answer.
    knew : bool
        Whether the user declared the answer mistyped, so that it counts as correct.
    rating, deviation : float or None
        Rating of the user after the answer, with standard error; None if the answer was not
        rated.
    question_rating, question_deviation : float or None
        Rating of the question after the answer, with standard error.
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
    card: str = ""
    hints: int = 0
    knew: bool = False
    rating: float | None = None
    deviation: float | None = None
    question_rating: float | None = None
    question_deviation: float | None = None


Card = dict[str, Any]
"""Schedule for repeating a question, as stored."""


class AnsweredAlready(BearoffError):
    """Error if a question was answered already, or if an answer is not the latest one."""


COLUMNS = tuple(field.name for field in fields(Answered))


class Store:
    """Stored answers, and the schedules of questions.

    Parameters
    ----------
    path : Path
        Path of the file, which is created with the first answer.

    Raises
    ------
    StoreError
        If the file cannot be read or written, or is not a file of the trainer's answers.
        Every method can raise this error.
    """

    def __init__(self, path: Path) -> None:
        self._file = SealedFile(path, MARK, _STEPS, "the trainer")
        self._checked = False

    @property
    def path(self) -> Path:
        return self._file.path

    def keep(
        self, answered: Answered, card: Card | None, times: int, *, instead: bool = False
    ) -> None:
        """Store an answer and the schedule of its question.

        The data is on disk when this method returns.
        """
        self._check()
        with self._file.writing() as connection:
            if instead:
                row = _newest(connection, answered.card, times)
                _forget(connection, row)
            query = "SELECT count(*) FROM answers WHERE card = ?"
            (count,) = connection.execute(query, (answered.card,)).fetchone()
            if count != times:
                raise AnsweredAlready(
                    "this question was already answered, perhaps in another tab, and only "
                    "the first answer counts; continue with the next question"
                )
            before = _card(connection, answered.card)
            values = dict(zip(COLUMNS, astuple(answered), strict=True))
            values |= {"at": _text(answered.at), "before": json.dumps(before)}
            put(connection, "answers", {"id": None} | values)
            _put_card(connection, answered.card, card)

    def take_back(self, card: str, times: int) -> Answered:
        """Delete the latest answer, and restore its question's schedule."""
        self._check()
        with self._file.writing() as connection:
            row = _newest(connection, card, times)
            _forget(connection, row)
            return _answered(row)

    def newest(self, card: str, times: int) -> tuple[Answered, Card | None]:
        """Return the latest answer, and its question's previous schedule."""
        with self._reading() as connection:
            row = _newest(connection, card, times)
            return _answered(row), json.loads(row["before"])

    def answers(self) -> list[Answered]:
        """Return all answers, oldest first."""
        with self._reading() as connection:
            found = rows(connection, "SELECT * FROM answers ORDER BY id", "answers")
            return [_answered(row) for row in found]

    def card(self, key: str) -> Card | None:
        with self._reading() as connection:
            return _card(connection, key)

    def due(self, now: datetime) -> list[str]:
        """Return the keys of the questions that are due, the longest overdue first."""
        query = "SELECT * FROM cards WHERE due <= ? ORDER BY due, key"
        with self._reading() as connection:
            return [row["key"] for row in rows(connection, query, "cards", (_text(now),))]

    def asked(self, keys: Sequence[str]) -> set[str]:
        """Return the subset of `keys` whose questions have been answered at least once."""
        marks = ", ".join("?" for _ in keys)
        query = f"SELECT DISTINCT key FROM answers WHERE key IN ({marks})"
        with self._reading() as connection:
            return {key for (key,) in connection.execute(query, keys)}

    def times(self, card: str) -> int:
        query = "SELECT count(*) FROM answers WHERE card = ?"
        with self._reading() as connection:
            return int(connection.execute(query, (card,)).fetchone()[0])

    def since(self, at: datetime) -> list[Answered]:
        """Return the answers since a time, oldest first."""
        query = "SELECT * FROM answers WHERE at >= ? ORDER BY id"
        with self._reading() as connection:
            found = rows(connection, query, "answers", (_text(at),))
            return [_answered(row) for row in found]

    def all_times(self) -> list[datetime]:
        with self._reading() as connection:
            found = connection.execute("SELECT at FROM answers ORDER BY id").fetchall()
            return [datetime.fromisoformat(at) for (at,) in found]

    def last_rated(self, before: datetime | None = None) -> Answered | None:
        """Return the latest answer that changed the user's rating."""
        query = "SELECT * FROM answers WHERE rating IS NOT NULL AND at < ? "
        values = ("9999" if before is None else _text(before),)
        with self._reading() as connection:
            found = rows(connection, f"{query}ORDER BY id DESC LIMIT 1", "answers", values)
            row = next(found, None)
            return None if row is None else _answered(row)

    def cards(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the times at which scheduled questions are due, by key."""
        with self._reading() as connection:
            found = ((key, _card(connection, key)) for key in dict.fromkeys(keys))
            return {key: card["due"] for key, card in found if card is not None}

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._check()
        with self._file.reading() as connection:
            yield connection

    def _check(self) -> None:
        """Check the checksums of the whole file, once, before its first use."""
        if not self._checked and self.path.exists():
            self._file.check()
        self._checked = True


def _card(connection: Connection, key: str) -> Card | None:
    query = "SELECT * FROM cards WHERE key = ?"
    row = next(rows(connection, query, "cards", (key,)), None)
    return None if row is None else dict(json.loads(row["card"]))


def _put_card(connection: Connection, key: str, card: Card | None) -> None:
    if card is None:
        connection.execute("DELETE FROM cards WHERE key = ?", (key,))
        return
    due, text = _text(card["due"]), json.dumps(card)
    put(connection, "cards", {"key": key, "due": due, "card": text})


def _newest(connection: Connection, card: str, times: int) -> Row:
    """Return the latest answer; raise an error if its question is not `card`."""
    query = "SELECT * FROM answers ORDER BY id DESC LIMIT 1"
    row = next(rows(connection, query, "answers"), None)
    count = "SELECT count(*) FROM answers WHERE card = ?"
    (found,) = connection.execute(count, (card,)).fetchone()
    if row is None or row["card"] != card or found != times + 1 or not row["before"]:
        raise AnsweredAlready(
            "only the newest answer can be changed, but another question has been "
            "answered since"
        )
    return row


def _forget(connection: Connection, row: Row) -> None:
    connection.execute("DELETE FROM answers WHERE id = ?", (row["id"],))
    _put_card(connection, row["card"], json.loads(row["before"]))


def _answered(row: dict[str, Any]) -> Answered:
    values = {name: row[name] for name in COLUMNS}
    values["at"] = datetime.fromisoformat(values["at"])
    values |= {name: bool(values[name]) for name in ("right", "knew")}
    return Answered(**values)


def _text(at: datetime | str) -> str:
    """Format a time so that texts sort chronologically."""
    if isinstance(at, str):
        at = datetime.fromisoformat(at)
    return at.astimezone(UTC).isoformat(timespec="microseconds")
