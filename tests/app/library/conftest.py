"""Reviewed matches for tests, and libraries that contain these matches."""

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bearoff import Judge
from bearoff.analysis import formulas
from bearoff.analysis.review import review
from bearoff.app.library.library import Library
from bearoff.app.library.sealed import SealedFile, put, rows
from bearoff.app.library.steps import STEPS
from bearoff.app.library.tables import MARK
from bearoff.game.records import read_match
from tests.app.conftest import DATA

START = datetime(2026, 1, 5, 12, tzinfo=UTC)


@cache
def reviewed(name, estimates=None):
    """Return a match from the test data, and its review by the fast model."""
    record, judge = read_match(DATA / name), Judge([], patience=0.0)
    return record, review(record, judge, formulas.get("ladder"), estimates=estimates)


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "data" / "library.sqlite", lambda: START)


@cache
def _both_matches():
    """Return the bytes of a library with two matches, which is created only once."""
    with TemporaryDirectory() as folder:
        library = Library(Path(folder) / "library.sqlite", lambda: START)
        for name in ("gnubg_match.mat", "gnubg_session.mat"):
            library.keep(*reviewed(name))
        return library.file.path.read_bytes()


def with_both_matches(path):
    """Write a library in which match 1 is to five points and match 2 is for money."""
    path.write_bytes(_both_matches())
    return Library(path, lambda: START)


@pytest.fixture
def filled(tmp_path):
    return with_both_matches(tmp_path / "library.sqlite")


def as_of(version, library, path, **then):
    """Write the content of a library as a file of an older version, and open it.

    The functions in `then`, by the name of a table, turn a current row into a row of the
    older version.
    """
    with library.file.reading() as connection:
        tables = ("matches", "decisions", "details", "notes")
        kept = [(t, list(rows(connection, f"SELECT * FROM {t}", t))) for t in tables]
        words = list(connection.execute("SELECT rowid, text FROM words"))
    with SealedFile(path, MARK, STEPS[:version], "the library").writing() as connection:
        for table, each in kept:
            known = connection.execute(f"SELECT name FROM pragma_table_info('{table}')")
            names = {name for (name,) in known}
            for row in each:
                if table == "details":  # costs were stored from version seven
                    choices = json.loads(row["alternatives"])
                    row["equities"] = json.dumps([one[:2] for one in choices])
                of_then = {name: row[name] for name in row if name in names}
                put(connection, table, then.get(table, dict)(of_then))
        connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", words)
    return Library(path)
