"""Stored databases: damage is found, nothing is left, old versions are upgraded."""

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from bearoff.app.library.sealed import SealedFile, StoreError, put, rows
from bearoff.app.serve.training.repetition import next_card
from bearoff.app.serve.training.store import MARK, Answered, Store

START = datetime(2026, 1, 5, tzinfo=UTC)
LATE = START + timedelta(days=9)

FLIPS = 60


def answered(place):
    key, at = f"n-rolls centred {place} 4", START + timedelta(minutes=place)
    told = "double, pass", "no double", False, None, 0.25 + place
    return Answered(at, key, "n-rolls", place / 7, *told, key)


def fill(store, count):
    for place in range(count):
        store.keep(answered(place), next_card(None, right=False, now=START), 0)


def seen(path):
    """Return all answers, due dates and cards in a database of the trainer."""
    store = Store(path)
    due = store.due(LATE)
    return store.answers(), due, [store.card(key) for key in due]


def test_a_flipped_bit_changes_nothing_or_is_found(tmp_path):
    path = tmp_path / "training.sqlite"
    fill(Store(path), 20)
    whole, said = path.read_bytes(), seen(path)
    draw, refusals = random.Random(2), []
    for _ in range(FLIPS):
        data = bytearray(whole)
        place = draw.randrange(8 * len(data))
        data[place // 8] ^= 1 << place % 8
        path.write_bytes(data)
        try:
            assert seen(path) == said, f"bit {place}"
        except StoreError as error:
            refusals.append(str(error))
    assert [t for t in refusals if str(path) not in t or "\n" in t] == []
    # Many flipped bits change nothing, because half of the pages of this small database are
    # unused.
    assert len(refusals) > FLIPS / 4
    # A changed value is found that SQLite accepts.
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE answers SET cost = 9 WHERE id = 2")
    with pytest.raises(StoreError, match=r"answers.* 2"):
        Store(path).answers()


def test_stored_rows_are_in_the_file_itself_during_a_read(tmp_path):
    path = tmp_path / "training.sqlite"
    fill(Store(path), 2)
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("SELECT count(*) FROM answers").fetchone()
        Store(path).keep(answered(7), None, 0)
        assert [one.name for one in tmp_path.iterdir()] == [path.name]
        copy = tmp_path / "copy.sqlite"
        copy.write_bytes(path.read_bytes())
    assert len(Store(copy).answers()) == 3


OLD = """
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
"""
"""SQL schema of version 1 of the database."""


def test_an_older_file_is_brought_up_to_date_with_its_log(tmp_path):
    path = tmp_path / "training.sqlite"
    old = sqlite3.connect(path)
    old.execute("PRAGMA journal_mode = WAL")
    old.executescript(OLD)
    old.execute(f"PRAGMA application_id = {MARK}")
    old.execute("PRAGMA user_version = 1")
    old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with old:
        old.execute(
            "INSERT INTO answers VALUES (1, ?, 'k', 'pips', 3, '12', '10', 0, 2, NULL)",
            (START.isoformat(),),
        )
    for beside in ("", "-wal"):  # after a kill, the new row is only in the write-ahead log
        source = path.with_name(path.name + beside)
        (tmp_path / f"killed.sqlite{beside}").write_bytes(source.read_bytes())
    old.close()
    killed = tmp_path / "killed.sqlite"
    (kept,) = Store(killed).answers()
    assert (kept.given, kept.seconds, kept.cost) == ("12", 3.0, None)
    assert not killed.with_name("killed.sqlite-wal").exists()
    with closing(sqlite3.connect(killed)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert Store(killed).answers() == [kept]


STEP = "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT NOT NULL, seal INTEGER) STRICT"


def made(path, count=3):
    file = SealedFile(path, 77, (STEP,), "the test")
    with file.writing() as connection:
        for _ in range(count):
            put(connection, "t", {"id": None, "x": "words " * 200})
    return file


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_a_draft_version_is_refused_and_left_as_it_is(tmp_path, version):
    steps = (STEP, "CREATE INDEX by_x ON t (x)")
    draft = (STEP.replace("seal", "old REAL, seal"), steps[1])[:version]
    path = tmp_path / "draft.sqlite"
    with SealedFile(path, 77, draft, "a draft").writing() as connection:
        put(connection, "t", {"id": None, "x": "words", "old": 1.0})
    before = path.read_bytes()
    file = SealedFile(path, 77, steps, "the test")
    for use in (file.reading, file.writing):
        with pytest.raises(StoreError, match=str(path)), use():
            pass
    assert path.read_bytes() == before


def test_work_that_fails_leaves_nothing(tmp_path):
    file = made(tmp_path / "a.sqlite")
    before = file.path.read_bytes()

    def interrupted():
        with file.writing() as connection:
            put(connection, "t", {"id": None, "x": "more"})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.check() == 3
    assert file.path.read_bytes() == before


KILLED = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = DELETE")
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE t SET x = 'half'")
for _ in range(50):
    connection.execute("INSERT INTO t (x, seal) VALUES (?, 0)", ["large " * 1000])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_is_undone_by_who_reads_next(tmp_path):
    file = made(tmp_path / "a.sqlite")
    subprocess.run([sys.executable, "-c", KILLED, str(file.path)], check=False)
    assert (tmp_path / "a.sqlite-journal").stat().st_size > 0
    assert file.check() == 3
    assert not (tmp_path / "a.sqlite-journal").exists()


def test_a_backup_is_checked_and_put_in_place(tmp_path):
    file = made(tmp_path / "a.sqlite")
    backup = tmp_path / "copy.sqlite"
    file.back_up(backup)
    with file.writing() as connection:
        put(connection, "t", {"id": 1, "x": "other"})
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(backup.read_bytes().replace(b"words", b"wards", 1))
    with pytest.raises(StoreError, match="table t"):
        file.restore(damaged)
    before = file.restore(backup)
    assert before == tmp_path / "a.before.sqlite"
    for path, first in ((file.path, "words"), (before, "other")):
        with SealedFile(path, 77, (STEP,), "the test").reading() as connection:
            assert next(rows(connection, "SELECT * FROM t", "t"))["x"].split()[0] == first
    with pytest.raises(StoreError, match=r"none\.sqlite"):
        file.restore(tmp_path / "none.sqlite")
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE u (x)")
    for junk in (other.read_bytes(), b"a letter" * 99, b""):
        other.write_bytes(junk)
        with pytest.raises(StoreError, match=r"other\.sqlite"):
            file.restore(other)
        assert other.read_bytes() == junk
    assert file.check() == 3


def test_a_damaged_file_is_not_backed_up(tmp_path):
    file = made(tmp_path / "a.sqlite")
    file.path.write_bytes(file.path.read_bytes().replace(b"words", b"wards", 1))
    with pytest.raises(StoreError, match=r"a\.sqlite"):
        file.back_up(tmp_path / "copy.sqlite")
    assert not (tmp_path / "copy.sqlite").exists()
    with pytest.raises(StoreError, match=r"b\.sqlite"):
        SealedFile(tmp_path / "b.sqlite", 77, (STEP,), "the test").back_up(file.path)
