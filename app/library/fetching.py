"""Rows of the library as what they stand for."""

from collections.abc import Sequence
from typing import Any

from app.library.kept import KeptDecision, KeptMatch, KeptNote, decision_of
from app.library.records import record_of
from app.library.sealed import Connection, StoreError, rows
from app.library.tables import decision_number, reference
from game.records import MatchRecord


class NothingThere(StoreError):
    """A match, a decision or a note that the library does not have."""


def row_of(connection: Connection, table: str, number: int) -> dict[str, Any]:
    """Return a row by its number; refuse one that is not there."""
    query = f"SELECT * FROM {table} WHERE id = ?"
    row = next(rows(connection, query, table, (number,)), None)
    if row is None:
        what = {"matches": "match", "decisions": "decision", "notes": "note"}[table]
        named = reference(number) if table == "decisions" else str(number)
        raise NothingThere(
            f"the library has no {what} {named}; bearoff library list shows what there is"
        )
    return row


def details_of(connection: Connection, number: int) -> dict[str, Any] | None:
    """Return what is not searched for of a decision; None if there is none."""
    query = "SELECT * FROM details WHERE id = ?"
    return next(rows(connection, query, "details", (number,)), None)


def stored_record(connection: Connection, match: int) -> MatchRecord:
    """Return a match as it was read from its file."""
    row = row_of(connection, "matches", match)
    if row["record"] is None:
        raise StoreError(f"{match} is a list of positions, no match")
    return record_of(row["record"])


def decisions_of(connection: Connection, match: int) -> list[KeptDecision]:
    """Return the decisions of a match, in order."""
    query = "SELECT id FROM decisions WHERE id >= ? AND id < ? ORDER BY id"
    span = decision_number(match, 0), decision_number(match + 1, 0)
    numbers = [number for (number,) in connection.execute(query, span).fetchall()]
    return decisions_by(connection, numbers)


def decisions_by(connection: Connection, numbers: Sequence[int]) -> list[KeptDecision]:
    """Return decisions in the order of their numbers."""
    found = []
    sources: dict[int, str] = {}
    for number in numbers:
        row = row_of(connection, "decisions", number)
        details = details_of(connection, number)
        if details is None:
            raise StoreError(f"decision {reference(number)} is damaged; restore a backup")
        match = row["match"]
        if match not in sources:
            sources[match] = row_of(connection, "matches", match)["source"]
        found.append(decision_of(row, details, sources[match]))
    return found


def match_of(connection: Connection, row: dict[str, Any]) -> KeptMatch:
    """Return a match from its row, with the sums of its decisions."""
    span = decision_number(row["id"], 0), decision_number(row["id"] + 1, 0)
    decisions, mistakes, lost = connection.execute(
        "SELECT count(*), coalesce(sum(mistake), 0), coalesce(sum(cost), 0) "
        "FROM decisions WHERE id >= ? AND id < ?",
        span,
    ).fetchone()
    return KeptMatch(
        row["id"],
        row["source"],
        row["format"],
        (row["player0"], row["player1"]),
        row["length"],
        (row["won0"], row["won1"]),
        row["day"],
        bool(row["dated"]),
        row["event"],
        row["place"],
        row["comment"],
        row["kept"],
        decisions,
        mistakes,
        lost,
    )


def note_of(row: dict[str, Any]) -> KeptNote:
    """Return a note from its row."""
    match, decision = row["match"], row["decision"]
    about = "" if match is None else str(match) if decision is None else reference(decision)
    return KeptNote(
        row["id"], about, row["xgid"], row["at"], row["text"], tuple(row["tags"].split())
    )
