"""Migrations that create and update the tables of the library."""

import json
from collections.abc import Collection
from dataclasses import astuple, replace
from typing import Literal

import numpy as np

from bearoff import Race
from bearoff.analysis.review import (
    Alternative,
    cube_alternatives,
    in_words,
    rated_alternatives,
)
from bearoff.app.library.fetching import decisions_of
from bearoff.app.library.records import digest_of, places_of, record_of
from bearoff.app.library.sealed import Connection, Step, put, rows, seal_of
from bearoff.app.library.tables import COUNTED, decision_number, decisions_kept
from bearoff.stakes import Cube, Terms, Values, is_mistake

_COUNTED = " ".join(f"{name} INTEGER NOT NULL," for name in COUNTED)

_FIRST = f"""
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    format TEXT NOT NULL,
    player0 TEXT NOT NULL COLLATE NOCASE,
    player1 TEXT NOT NULL COLLATE NOCASE,
    length INTEGER NOT NULL,
    won0 INTEGER NOT NULL,
    won1 INTEGER NOT NULL,
    day TEXT NOT NULL,
    dated INTEGER NOT NULL,
    event TEXT NOT NULL,
    place TEXT NOT NULL,
    comment TEXT NOT NULL,
    kept TEXT NOT NULL,
    record BLOB,
    seal INTEGER NOT NULL
) STRICT;
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    day TEXT NOT NULL,
    player TEXT NOT NULL COLLATE NOCASE,
    opponent TEXT NOT NULL COLLATE NOCASE,
    kind TEXT NOT NULL,
    stakes TEXT NOT NULL,
    pips INTEGER NOT NULL,
    lead INTEGER NOT NULL,
    decided TEXT NOT NULL,
    best TEXT NOT NULL,
    cost REAL NOT NULL,
    mistake INTEGER NOT NULL,
    formula_cost REAL,
    home TEXT NOT NULL,
    {_COUNTED}
    seal INTEGER NOT NULL
) STRICT;
CREATE TABLE details (
    id INTEGER PRIMARY KEY REFERENCES decisions ON DELETE CASCADE,
    game INTEGER NOT NULL,
    line INTEGER NOT NULL,
    xgid TEXT NOT NULL,
    equities TEXT NOT NULL,
    error REAL NOT NULL,
    method TEXT NOT NULL,
    formula TEXT NOT NULL,
    file TEXT NOT NULL,
    comment TEXT NOT NULL,
    seal INTEGER NOT NULL
) STRICT;
CREATE TABLE races (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    day TEXT NOT NULL,
    player TEXT NOT NULL COLLATE NOCASE,
    opponent TEXT NOT NULL COLLATE NOCASE,
    unit TEXT NOT NULL,
    start REAL NOT NULL,
    result REAL NOT NULL,
    lost REAL NOT NULL,
    their_lost REAL NOT NULL,
    seal INTEGER NOT NULL
) STRICT;
CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    match INTEGER REFERENCES matches ON DELETE CASCADE,
    decision INTEGER REFERENCES decisions ON DELETE CASCADE,
    xgid TEXT NOT NULL,
    at TEXT NOT NULL,
    text TEXT NOT NULL,
    tags TEXT NOT NULL,
    seal INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE words USING fts5 (text);
CREATE INDEX matches_by_day ON matches (day);
CREATE INDEX matches_by_player0 ON matches (player0);
CREATE INDEX matches_by_player1 ON matches (player1);
CREATE INDEX decisions_by_cost ON decisions (cost);
CREATE INDEX decisions_by_day ON decisions (day);
CREATE INDEX decisions_by_player ON decisions (player, cost);
CREATE INDEX mistakes_by_player ON decisions (player, cost) WHERE mistake;
CREATE INDEX decisions_by_opponent ON decisions (opponent, cost);
CREATE INDEX decisions_by_pips ON decisions (pips, cost);
CREATE INDEX decisions_by_home ON decisions (home, cost);
CREATE INDEX races_by_match ON races (match);
CREATE INDEX notes_by_match ON notes (match);
CREATE INDEX notes_by_decision ON notes (decision)"""

_SECOND = f"""
CREATE INDEX decisions_searched ON decisions (
    cost, player, opponent, day, kind, stakes, pips, lead, mistake, home,
    {", ".join(COUNTED)}
)"""
"""SQL statement that creates an index of decisions, sorted by cost, with searchable
columns."""


def _third(connection: Connection) -> None:
    """Stop calling decisions mistakes whose cost rounds to zero."""
    found = list(rows(connection, "SELECT * FROM decisions WHERE mistake", "decisions"))
    for row in found:
        if not is_mistake(row["cost"]):
            put(connection, "decisions", row | {"mistake": False})


def _fourth(connection: Connection) -> None:
    """Drop the column for the correct choice, because it follows from the equities."""
    seals = [
        (seal_of({name: row[name] for name in row if name != "best"}), row["id"])
        for row in rows(connection, "SELECT * FROM decisions", "decisions")
    ]
    connection.execute("ALTER TABLE decisions DROP COLUMN best")
    connection.executemany("UPDATE decisions SET seal = ? WHERE id = ?", seals)


def _fifth(connection: Connection) -> None:
    """Compute new digests of matches; delete doubling decisions that could gain nothing."""
    kept = "SELECT * FROM matches WHERE record IS NOT NULL"
    matches = list(rows(connection, kept, "matches"))
    digests = {row["digest"] for row in matches}
    for row in matches:
        record = record_of(row["record"])
        digest = digest_of(record)
        # If a match was stored several times from different files, every copy is kept.
        if digest not in digests:
            digests.add(digest)
            put(connection, "matches", row | {"digest": digest})
        _drop_others(connection, row["id"], places_of(record))


def _sixth(connection: Connection) -> None:
    """Add the number of decisions to each match, so that missing decisions are detected."""
    matches = list(rows(connection, "SELECT * FROM matches", "matches"))
    column = "decisions INTEGER NOT NULL DEFAULT 0"
    connection.execute(f"ALTER TABLE matches ADD COLUMN {column}")
    for row in matches:
        count = decisions_kept(connection, row["id"])
        put(connection, "matches", row | {"decisions": count})


def _seventh(connection: Connection) -> None:
    """Add the cost of each alternative; call a double by the cube's owner a redouble."""
    details = list(rows(connection, "SELECT * FROM details", "details"))
    kinds = dict(connection.execute("SELECT id, kind FROM decisions").fetchall())
    connection.execute("ALTER TABLE details RENAME COLUMN equities TO alternatives")
    for row in details:
        equities, cube = json.loads(row.pop("equities")), Race.parse(row["xgid"]).cube
        found = _alternatives(kinds[row["id"]], equities, row["error"], cube)
        chosen = json.dumps([astuple(one) for one in found])
        said = in_words(row["file"], cube)
        put(connection, "details", row | {"alternatives": chosen, "file": said})


def _eighth(connection: Connection) -> None:
    """Add columns for decisions before the races, and for the cost of the worst play."""
    added: dict[str, dict[str, int | float | str]] = {
        "decisions": {"contact": 0},
        "details": {"depth": 0, "worst": 0.0, "reason": ""},
    }
    kinds = {int: "INTEGER", float: "REAL", str: "TEXT"}
    for table, columns in added.items():
        found = list(rows(connection, f"SELECT * FROM {table}", table))
        for name, value in columns.items():
            column = f"{name} {kinds[type(value)]} NOT NULL DEFAULT {value!r}"
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
        for row in found:
            put(connection, table, row | columns)
    connection.execute("DROP INDEX decisions_searched")
    connection.execute(_SECOND.replace("mistake, home", "mistake, contact, home"))


def _ninth(connection: Connection) -> None:
    """Add to each decision whether it counts in the rating, and if its race has gammons."""
    matches = rows(connection, "SELECT * FROM matches", "matches")
    found = []
    for match in [row["id"] for row in matches]:
        made = {one.id: one.judged for one in decisions_of(connection, match)}
        query = "SELECT * FROM decisions WHERE id >= ? AND id < ?"
        span = decision_number(match, 0), decision_number(match + 1, 0)
        for row in rows(connection, query, "decisions", span):
            one = made[row["id"]]
            added = {"counted": int(one.is_counted)}
            added["gammons"] = int(one.in_race and one.has_gammons)
            found.append((*added.values(), seal_of(row | added), row["id"]))
    for name in ("counted", "gammons"):
        column = f"{name} INTEGER NOT NULL DEFAULT 0"
        connection.execute(f"ALTER TABLE decisions ADD COLUMN {column}")
    changed = "UPDATE decisions SET counted = ?, gammons = ?, seal = ? WHERE id = ?"
    connection.executemany(changed, found)


def _alternatives(
    kind: Literal["double", "take", "play"],
    equities: list[tuple[str, float]],
    error: float,
    cube: Cube,
) -> tuple[Alternative, ...]:
    """Return the alternatives with their costs; all equities have the same error."""
    if kind == "play":
        return rated_alternatives(equities, error)
    values = Values.empty(Terms(), np.full(1, cube == "owned", np.int8))
    values.no_double[:], values.double_take[:] = (equity for _, equity in equities[:2])
    return tuple(
        replace(one, error=None if one.cost is None else error)
        for one in cube_alternatives(kind, values)
    )


def _drop_others(connection: Connection, match: int, places: Collection[int]) -> None:
    """Delete a match's decisions except `places`; move their notes to the match."""
    low, high = decision_number(match, 0), decision_number(match + 1, 0)
    kept = {decision_number(match, place) for place in places}
    query = "SELECT id FROM decisions WHERE id >= ? AND id < ?"
    for (number,) in connection.execute(query, (low, high)).fetchall():
        if number in kept:
            continue
        noted = "SELECT * FROM notes WHERE decision = ?"
        for note in list(rows(connection, noted, "notes", (number,))):
            put(connection, "notes", note | {"decision": None})
        words = connection.execute("SELECT text FROM words WHERE rowid = ?", (number,))
        joined = "UPDATE words SET text = text || char(10) || ? WHERE rowid = ?"
        connection.executemany(joined, [(text, low) for (text,) in words.fetchall()])
        connection.execute("DELETE FROM words WHERE rowid = ?", (number,))
        connection.execute("DELETE FROM decisions WHERE id = ?", (number,))


STEPS: tuple[Step, ...] = (
    _FIRST,
    _SECOND,
    _third,
    _fourth,
    _fifth,
    _sixth,
    _seventh,
    _eighth,
    _ninth,
)
"""Migrations of the library's tables, in order of version."""
