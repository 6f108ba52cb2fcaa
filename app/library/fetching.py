"""Conversion of the library's database rows to matches, decisions and notes."""

import json
from collections.abc import Collection, Sequence
from typing import Any

from bearoff.analysis.review import performance_rating
from bearoff.app.library.kept import KeptDecision, KeptMatch, KeptNote, decision_of
from bearoff.app.library.records import record_of
from bearoff.app.library.sealed import Connection, StoreError, rows
from bearoff.app.library.tables import (
    MOST_DECISIONS,
    decision_number,
    decisions_kept,
    reference,
)
from bearoff.game.records import MatchRecord


class NothingThere(StoreError):
    """Error for a match, decision or note that is not in the library."""


def row_of(connection: Connection, table: str, number: int) -> dict[str, Any]:
    """Return the row with a given number; raise an error if there is none."""
    query = f"SELECT * FROM {table} WHERE id = ?"
    row = next(rows(connection, query, table, (number,)), None)
    if row is None:
        what = {"matches": "match", "decisions": "decision", "notes": "note"}[table]
        named = reference(number) if table == "decisions" else str(number)
        raise NothingThere(
            f"the library has no {what} {named}; bearoff library list shows all of them"
        )
    return row


def details_of(connection: Connection, number: int) -> dict[str, Any] | None:
    query = "SELECT * FROM details WHERE id = ?"
    return next(rows(connection, query, "details", (number,)), None)


def stored_record(connection: Connection, match: int) -> MatchRecord:
    row = row_of(connection, "matches", match)
    if row["record"] is None:
        raise StoreError(f"{match} is a list of positions, not a match")
    return record_of(row["record"])


def require_all_matches(connection: Connection) -> None:
    """Raise an error if the database index of matches by day does not list all matches."""
    query = (
        "SELECT (SELECT count(*) FROM matches NOT INDEXED), "
        "(SELECT count(*) FROM matches INDEXED BY matches_by_day WHERE day >= '')"
    )
    kept, listed = connection.execute(query).fetchone()
    if kept != listed:
        raise StoreError(
            f"the library is damaged: it has {kept} matches, but its index lists {listed}; "
            "restore a backup of the library"
        )


def require_whole(connection: Connection, row: dict[str, Any]) -> None:
    """Raise an error if decisions of a match are missing because the file is damaged."""
    _require_all(row, decisions_kept(connection, row["id"]))


def _require_all(row: dict[str, Any], found: int) -> None:
    if found != row["decisions"]:
        raise StoreError(
            f"match {row['id']} is damaged: only {found} of its {row['decisions']} "
            "decisions can be read; restore a backup of the library"
        )


def decisions_of(connection: Connection, match: int) -> list[KeptDecision]:
    require_whole(connection, row_of(connection, "matches", match))
    query = "SELECT id FROM decisions WHERE id >= ? AND id < ? ORDER BY id"
    span = decision_number(match, 0), decision_number(match + 1, 0)
    numbers = [number for (number,) in connection.execute(query, span).fetchall()]
    found = decisions_by(connection, numbers)
    # Each line of a match file has one turn of each player, so a race may begin between the
    # two turns. In such a line, the decision before the race comes first.
    return sorted(
        found, key=lambda one: (one.judged.game, one.judged.line, one.judged.in_race)
    )


def decisions_by(connection: Connection, numbers: Sequence[int]) -> list[KeptDecision]:
    """Return the decisions with the given numbers, in the same order."""
    made = _rows_by(connection, "decisions", numbers)
    details = _rows_by(connection, "details", numbers)
    for number in numbers:
        if number not in made or number not in details:
            raise StoreError(
                f"decision {reference(number)} is damaged; restore a backup of the library"
            )
    matches = _rows_by(connection, "matches", {row["match"] for row in made.values()})
    return [
        decision_of(made[number], details[number], matches[made[number]["match"]]["source"])
        for number in numbers
    ]


def _rows_by(
    connection: Connection, table: str, numbers: Collection[int]
) -> dict[int, dict[str, Any]]:
    query = f"SELECT * FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
    found = rows(connection, query, table, (json.dumps(list(numbers)),))
    return {row["id"]: row for row in found}


def matches_of(connection: Connection, found: Sequence[dict[str, Any]]) -> list[KeptMatch]:
    """Return matches with the totals of their decisions, with a single query."""
    counted = ", ".join(
        f"total(cost * ({which})), coalesce(sum({which}), 0)" for which in _COUNTED
    )
    query = (
        "SELECT value, count(made.id), coalesce(sum(contact), 0), "
        "coalesce(sum(mistake AND NOT contact), 0), "
        f"total(cost * (NOT contact)), total(cost * contact), {counted} "
        "FROM json_each(?) JOIN matches ON matches.id = value "
        "LEFT JOIN decisions AS made "
        f"ON made.id >= value * {MOST_DECISIONS} "
        f"AND made.id < (value + 1) * {MOST_DECISIONS} GROUP BY value"
    )
    numbers = json.dumps([row["id"] for row in found])
    sums = {number: rest for number, *rest in connection.execute(query, (numbers,))}
    return [_match_of(row, *sums[row["id"]]) for row in found]


_COUNTED = tuple(
    f"counted AND player = {player}{phase}"
    for phase in ("", " AND NOT contact")
    for player in ("player0", "player1")
)
"""SQL conditions on decisions that count in a player's rating, in matches and in races."""


def _match_of(
    row: dict[str, Any],
    decisions: int,
    estimates: int,
    mistakes: int,
    lost: float,
    estimated: float,
    *counted: Any,
) -> KeptMatch:
    """Return a match with its totals; `counted` has sums of decisions that count for PR."""
    _require_all(row, decisions)
    rated = [
        performance_rating(lost, number)
        for lost, number in zip(counted[::2], counted[1::2], strict=True)
    ]
    whole, alone = rated[:2], rated[2:]
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
        decisions - estimates,
        mistakes,
        lost,
        estimates,
        estimated,
        (whole[0], whole[1]) if estimates else (None, None),
        (alone[0], alone[1]),
    )


def note_of(row: dict[str, Any]) -> KeptNote:
    match, decision = row["match"], row["decision"]
    about = "" if match is None else str(match) if decision is None else reference(decision)
    return KeptNote(
        row["id"], about, row["xgid"], row["at"], row["text"], tuple(row["tags"].split())
    )
