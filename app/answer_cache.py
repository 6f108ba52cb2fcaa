"""Exact answers at scores, stored in one file of the user's cache across restarts.

Solving a race with ten checkers per side at a score takes seconds, and its answer takes
some kilobytes. A repeated question is answered from the file, in a millisecond.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from bearoff.storage import cache_folder

MOST_BYTES = 1 << 26
"""Maximum size of the file in bytes; the least recently requested answers are removed."""

VERSION = 1
"""Version of the answers; to be increased when the answer to a question may change."""

SHARE = 0.75
"""Fraction of `MOST_BYTES` that remains after answers are removed."""

_TABLE = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, at INTEGER NOT NULL, "
    "crc INTEGER NOT NULL, text BLOB NOT NULL) WITHOUT ROWID"
)

_LATEST = "(SELECT coalesce(max(at), 0) + 1 FROM answers)"


class AnswerCache:
    """Answers by request.

    The file is only a cache: if it is damaged, locked or not writable, no answer is found
    and none is stored.

    Parameters
    ----------
    path : Path, optional
        File of the cache; by default `answers_path`.
    most : int
        Maximum size of all answers in bytes.
    """

    def __init__(self, path: Path | None = None, most: int = MOST_BYTES) -> None:
        self.path, self.most = path or answers_path(), most

    def get(self, asked: str) -> bytes | None:
        """Return the answer to a question, or None."""
        key = _key(asked)
        try:
            with self._open() as connection:
                query = "SELECT crc, text FROM answers WHERE key = ?"
                found = connection.execute(query, [key]).fetchone()
                if found is None or zlib.crc32(found[1]) != found[0]:
                    return None
                moved = f"UPDATE answers SET at = {_LATEST} WHERE key = ?"
                connection.execute(moved, [key])
                return bytes(found[1])
        except (sqlite3.Error, OSError, TypeError):
            return None

    def put(self, asked: str, answer: bytes) -> None:
        """Store an answer; the least recently requested ones are removed if needed."""
        row = _key(asked), zlib.crc32(answer), answer
        try:
            with self._open() as connection:
                put = f"INSERT OR REPLACE INTO answers VALUES (?, {_LATEST}, ?, ?)"
                connection.execute(put, row)
                self._make_room(connection)
        except sqlite3.DatabaseError:
            self.path.unlink(missing_ok=True)  # damaged, or another file
        except OSError:
            return

    def _make_room(self, connection: sqlite3.Connection) -> None:
        total = "SELECT coalesce(sum(length(text)), 0) FROM answers"
        (size,) = connection.execute(total).fetchone()
        if size <= self.most:
            return
        oldest = connection.execute("SELECT key, length(text) FROM answers ORDER BY at")
        gone = []
        for key, length in oldest.fetchall():
            if size <= SHARE * self.most:
                break
            gone.append((key,))
            size -= length
        connection.executemany("DELETE FROM answers WHERE key = ?", gone)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self.path, timeout=1.0)) as connection, connection:
            connection.execute(_TABLE)
            yield connection


def answers_path() -> Path:
    """Return the path of this user's file."""
    return cache_folder() / "answers.sqlite"


def remove_answers() -> int:
    """Delete the file; return its size in bytes."""
    path = answers_path()
    size = path.stat().st_size if path.exists() else 0
    path.unlink(missing_ok=True)
    return size


def _key(asked: str) -> str:
    text = f"{VERSION} {version('bearoff')} {asked}"
    return sha256(text.encode()).hexdigest()
