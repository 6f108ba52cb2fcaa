"""Cache of exact answers about races at match scores, stored in one file of the user.

Solving a race with ten checkers per side at a match score takes seconds; reading its answer
from the file takes a millisecond.
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
"""Maximum size of the cache file in bytes; beyond it, the least recently used answers are
removed."""

VERSION = 1
"""Version of the answers in the cache, which must increase when a change of the code
changes any answer."""

SHARE = 0.75
"""Fraction of `MOST_BYTES` to which the answers in a full cache file are reduced."""

_TABLE = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, at INTEGER NOT NULL, "
    "crc INTEGER NOT NULL, text BLOB NOT NULL) WITHOUT ROWID"
)

_LATEST = "(SELECT coalesce(max(at), 0) + 1 FROM answers)"


class AnswerCache:
    """Cache of answers in a file; the key of an answer is the text of its request.

    If the file is damaged, locked or not writable, the cache behaves like an empty cache.

    Parameters
    ----------
    path : Path, optional
        File of the cache; by default `answers_path()`.
    most : int
        Maximum total size of the answers, in bytes.
    """

    def __init__(self, path: Path | None = None, most: int = MOST_BYTES) -> None:
        self.path, self.most = path or answers_path(), most

    def get(self, asked: str) -> bytes | None:
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
        """Store an answer; remove the least recently used answers if the cache is full."""
        row = _key(asked), zlib.crc32(answer), answer
        try:
            with self._open() as connection:
                put = f"INSERT OR REPLACE INTO answers VALUES (?, {_LATEST}, ?, ?)"
                connection.execute(put, row)
                self._make_room(connection)
        except sqlite3.DatabaseError:
            self.path.unlink(missing_ok=True)  # Delete a damaged file.
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
    return cache_folder() / "answers.sqlite"


def remove_answers() -> int:
    """Delete the answer cache; return its size in bytes."""
    path = answers_path()
    size = path.stat().st_size if path.exists() else 0
    path.unlink(missing_ok=True)
    return size


def _key(asked: str) -> str:
    text = f"{VERSION} {version('bearoff')} {asked}"
    return sha256(text.encode()).hexdigest()
