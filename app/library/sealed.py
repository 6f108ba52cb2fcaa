"""SQLite files for the user's data, with a version and a checksum in each row.

An application ID marks the program to which a file belongs. A file that is damaged, belongs
to another program or has a later version is left unchanged, and the error message is one
sentence. After each transaction all data is in the file itself, so that a copy of the file
is complete. The column ``seal`` of a table has the checksums of its rows. The checksum is
verified when a row is read; `SealedFile.check` verifies the whole file.
"""

import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from bearoff import BearoffError
from bearoff.errors import is_machine_fault
from bearoff.storage import atomic_path, make_private

_WAIT = 5.0
"""Time in seconds to wait for another process that is writing."""

_BEGUN = 1.0
"""Time in seconds to wait for another process that is creating the tables of a new file."""

_OWNERS = 0o600
"""File permissions: read and write for the owner only."""

_MAPPED = 1 << 30
"""Size of the memory map, in bytes."""

Connection = sqlite3.Connection
Row = dict[str, Any]
Step = str | Callable[[Connection], object]
"""Migration from one version to the next: SQL statements, or a function."""


class StoreError(BearoffError):
    """Error for a user file that cannot be read or written."""


class SealedFile:
    """SQLite file that is opened for each transaction.

    Parameters
    ----------
    path : Path
        Path of the file, which is created by the first write.
    mark : int
        SQLite application id.
    steps : sequence of Step
        Migrations. The first one creates the tables of version 1, and each further one
        creates the next version.
    owner : str
        Name in error messages of the part of the program that uses the file, such as "the
        trainer".
    """

    def __init__(self, path: Path, mark: int, steps: Sequence[Step], owner: str) -> None:
        self.path = path
        self._mark, self._steps, self._owner, self._looked_at = mark, steps, owner, False

    @property
    def size(self) -> int:
        """Size of the file in bytes; 0 if there is none."""
        return self.path.stat().st_size if self.path.exists() else 0

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open the file for reading in a `with` block; a missing file counts as empty."""
        with self._refused():
            if not self.path.exists():
                with closing(self._fresh()) as connection:
                    yield connection
                return
            self._refuse_empty()
            with closing(_read_only(self.path)) as connection:
                if self._version(connection) == len(self._steps):
                    self._look_at_tables(connection)
                    yield connection
                    return
            with self.writing():
                pass  # A file of an older version is migrated by a transaction.
            with closing(_read_only(self.path)) as connection:
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Context manager that opens the file for one transaction."""
        with self._refused():
            make_private(self.path.parent)
            try:
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _OWNERS))
            except FileExistsError:
                self._refuse_empty()
                if self.path.stat().st_mode & 0o077:
                    self.path.chmod(_OWNERS)
            connection = sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)
            with closing(connection):
                # `_version` raises an error if the file belongs to another program.
                self._version(connection)
                # With a write-ahead log, a copy of the database file alone could lack the
                # latest rows.
                connection.execute("PRAGMA journal_mode = DELETE")
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("BEGIN IMMEDIATE")
                try:
                    self._bring_up_to_date(connection)
                    self._look_at_tables(connection)
                    yield connection
                except BaseException:
                    connection.rollback()
                    raise
                connection.commit()

    def check(self) -> int:
        """Read the whole file and verify all checksums; return the number of checksums."""
        with self.reading() as connection:
            self._check(connection)
            return sum(
                1
                for table in _sealed_tables(connection)
                for _ in rows(connection, f"SELECT * FROM {table}", table)
            )

    def back_up(self, target: Path) -> None:
        """Check the file and write a copy of it."""
        if not self.path.exists():
            raise StoreError(
                f"there is nothing to back up, because {self.path} does not exist"
            )
        self.check()
        with (
            self.reading() as connection,
            atomic_path(target) as unfinished,
            closing(sqlite3.connect(unfinished)) as copy,
        ):
            unfinished.chmod(_OWNERS)
            connection.backup(copy)

    def restore(self, source: Path) -> Path | None:
        """Check a copy and replace the file with it."""
        if not source.is_file():
            raise StoreError(f"the backup {source} does not exist")
        copy = SealedFile(source, self._mark, self._steps, self._owner)
        try:
            with closing(_read_only(source)) as connection:
                # Opening an empty file would turn it into a new library, so the file is
                # rejected.
                if not copy._version(connection):
                    raise sqlite3.DatabaseError("it is empty")
        except sqlite3.Error as error:
            raise StoreError(
                f"{source} is not a backup of {self._owner}: {error}"
            ) from error
        copy.check()
        before = None
        if self.path.exists():
            before = self.path.with_suffix(f".before{self.path.suffix}")
            _copy(self.path, before)
        make_private(self.path.parent)
        _copy(source, self.path)
        return before

    @contextmanager
    def _refused(self) -> Iterator[None]:
        """Context manager that rewrites errors of SQLite and the system as one sentence."""
        try:
            yield
        except (sqlite3.Error, OSError, ValueError, TypeError) as error:
            if isinstance(error, BearoffError):
                raise
            # SQLite's operational errors concern access to the file; all other errors of
            # SQLite concern the content of the file.
            outside = isinstance(error, OSError | sqlite3.OperationalError)
            outside |= is_machine_fault(error)
            hint = "" if outside else "; move it away, or restore a backup"
            why = " ".join(str(error).split())
            told = f"{self._owner} cannot use {self.path}: {why}{hint}"
            raise StoreError(told) from error

    def _refuse_empty(self) -> None:
        """Raise an error if the file is empty, unless another process is filling it."""
        until = time.monotonic() + _BEGUN
        while self.path.stat().st_size == 0:
            if time.monotonic() > until:
                raise StoreError(
                    f"{self.path} is empty, so {self._owner} has lost its content; restore "
                    "a backup, or move the file away to start a new one"
                )
            time.sleep(_BEGUN / 50)

    def _version(self, connection: Connection) -> int:
        # One query reads the application ID, the version and the number of tables, because
        # another process may be creating the tables at this moment.
        mark, version, tables = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if (mark, version, tables) == (0, 0, 0):
            return 0
        if mark != self._mark:
            raise StoreError(
                f"{self.path} belongs to another program and was not changed; move the "
                "file away to create a new one"
            )
        if not 0 < version <= len(self._steps):
            raise StoreError(
                f"{self.path} has version {version}, but this program supports only "
                f"versions up to {len(self._steps)}; update bearoff"
            )
        return int(version)

    def _bring_up_to_date(self, connection: Connection) -> None:
        version = self._version(connection)
        for step in self._steps[version:]:
            if callable(step):
                step(connection)
                continue
            for statement in step.split(";\n"):
                connection.execute(statement)
        if version < len(self._steps):
            connection.execute(f"PRAGMA application_id = {self._mark}")
            connection.execute(f"PRAGMA user_version = {len(self._steps)}")

    def _fresh(self) -> Connection:
        """Return a database in memory with all tables, but without rows."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        self._bring_up_to_date(connection)
        return connection

    def _check(self, connection: Connection) -> None:
        """Raise an error if the pages, indices or tables of a file are damaged."""
        found = [text for (text,) in connection.execute("PRAGMA integrity_check(1)")]
        if found != ["ok"]:
            raise self._damaged(found[0])
        self._looked_at = False
        self._look_at_tables(connection)

    def _look_at_tables(self, connection: Connection) -> None:
        """Raise an error if the tables differ from those that the migrations create."""
        tables = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
        if not self._looked_at:
            with closing(self._fresh()) as fresh:
                made = fresh.execute(tables).fetchall()
            if connection.execute(tables).fetchall() != made:
                raise self._damaged(
                    "the tables in the file differ from those that bearoff creates"
                )
            self._looked_at = True

    def _damaged(self, why: str) -> StoreError:
        return StoreError(
            f"{self._owner} cannot use {self.path}, which is damaged: "
            f"{' '.join(why.split())}; move it away, or restore a backup"
        )


def _copy(source: Path, target: Path) -> None:
    with atomic_path(target) as unfinished:
        unfinished.write_bytes(source.read_bytes())
        unfinished.chmod(_OWNERS)


def _read_only(path: Path) -> Connection:
    if path.with_name(f"{path.name}-journal").exists():
        # A journal file next to the database file belongs to an unfinished transaction. If
        # the database is opened for writing, SQLite undoes this transaction.
        with suppress(sqlite3.OperationalError), closing(_connected(path, "rw")) as writer:
            writer.execute("SELECT count(*) FROM sqlite_master")
    return _connected(path, "ro")


def _connected(path: Path, mode: str) -> Connection:
    place = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(place, timeout=_WAIT, uri=True)
    connection.execute(f"PRAGMA mmap_size = {_MAPPED}")
    return connection


def seal_of(row: Mapping[str, Any]) -> int:
    """Return the checksum of a row; 1 and 1.0 have the same checksum.

    Examples
    --------
    >>> seal_of({"a": 1, "b": None}) == seal_of({"b": None, "a": 1.0})
    True
    >>> seal_of({"a": 1, "b": None}) == seal_of({"a": 1, "b": ""})
    False
    """
    plain = [
        (name, float(value) if isinstance(value, int | float) else value)
        for name, value in sorted(row.items())
        if name != "seal"
    ]
    return zlib.crc32(repr(plain).encode("utf-8", "surrogatepass"))


def put(connection: Connection, table: str, values: Mapping[str, Any]) -> int:
    """Insert a row with its checksum, or replace the row with the same key (first column).

    If the key is None, the row gets the next free number as its key. The key is returned.
    """
    key = next(iter(values))
    row = dict(values)
    if row[key] is None:
        (last,) = connection.execute(f"SELECT max({key}) FROM {table}").fetchone()
        row[key] = (last or 0) + 1
    row["seal"] = seal_of(row)
    written = ", ".join(f"{name} = excluded.{name}" for name in row)
    connection.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' for _ in row)}) "
        f"ON CONFLICT ({key}) DO UPDATE SET {written}",
        list(row.values()),
    )
    return row[key] if isinstance(row[key], int) else 0


def rows(
    connection: Connection, query: str, table: str, values: Sequence[Any] = ()
) -> Iterator[Row]:
    """Yield rows of a table as dictionaries, after verifying their checksums."""
    cursor = connection.execute(query, values)
    names = [column[0] for column in cursor.description]
    for row in cursor:
        found = dict(zip(names, row, strict=True))
        if found.pop("seal") != seal_of(found):
            path = connection.execute("PRAGMA database_list").fetchone()[2]
            raise StoreError(
                f"{path} is damaged: in the table {table}, the checksum of the row with "
                f"{names[0]} {row[0]!r} does not match; move the file away, or restore a "
                "backup"
            )
        yield found


def seal_table(connection: Connection, table: str) -> None:
    """Add a column of checksums, ``seal``, to a database table."""
    connection.execute(f"ALTER TABLE {table} ADD COLUMN seal INTEGER NOT NULL DEFAULT 0")
    cursor = connection.execute(f"SELECT rowid, * FROM {table}")
    names = [column[0] for column in cursor.description][1:]
    for number, *row in cursor.fetchall():
        connection.execute(
            f"UPDATE {table} SET seal = ? WHERE rowid = ?",
            (seal_of(dict(zip(names, row, strict=True))), number),
        )


def _sealed_tables(connection: Connection) -> list[str]:
    sealed = (
        "SELECT m.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c "
        "WHERE m.type = 'table' AND c.name = 'seal' ORDER BY m.name"
    )
    return [table for (table,) in connection.execute(sealed)]
