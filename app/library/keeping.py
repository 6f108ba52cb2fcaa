"""Storage of matches and decisions; of two judgements, the more accurate one is kept."""

import json
from dataclasses import dataclass
from typing import Any

from bearoff.analysis.progress import race_results
from bearoff.analysis.review import Decision
from bearoff.app.library.fetching import (
    decisions_of,
    details_of,
    require_whole,
    row_of,
    stored_record,
)
from bearoff.app.library.records import Digests
from bearoff.app.library.rows import decision_rows
from bearoff.app.library.sealed import Connection, put, rows
from bearoff.app.library.tables import decision_number, decisions_kept

_METHODS = ("search", "model", "rollout", "exact")
"""Methods of judging a decision, from the least to the most accurate."""


@dataclass(frozen=True)
class Kept:
    """Result of storing a match.

    Attributes
    ----------
    match : int
        Number of the match.
    new : bool
        Whether the match is new in the library.
    decisions : int
        Number of decisions that are new, or more accurately judged than before.
    """

    match: int
    new: bool
    decisions: int


def write(
    connection: Connection,
    row: dict[str, Any],
    judged: dict[int, Decision],
    texts: dict[int, str],
    digests: Digests | None = None,
) -> Kept:
    """Store a match with its judged decisions, or improve a stored match.

    With `digests`, a stored match that is the beginning of the given match is extended.
    """
    known = _known(connection, row["digest"])
    if known is not None:
        row = _joined(known, row)
    elif digests and (known := _shorter(connection, row, digests)) is not None:
        row = _joined(known, row) | {name: row[name] for name in _GROWS}
    if known is not None:
        require_whole(connection, known)
    if row != known:
        row["id"] = put(connection, "matches", {"id": None} | row)
    match, players = row["id"], (row["player0"], row["player1"])
    written = 0
    for place, one in judged.items():
        number = decision_number(match, place)
        before = details_of(connection, number)
        if before is not None and _rank(one.method, one.depth, one.error) <= _rank(
            before["method"], before["depth"], before["error"]
        ):
            continue
        text = texts.get(place, "") or (before or {}).get("comment", "")
        found, details = decision_rows(one, match, place, row["day"], players, text)
        put(connection, "decisions", found)
        put(connection, "details", details)
        written += 1
    if written and (count := decisions_kept(connection, match)) != row["decisions"]:
        row["decisions"] = count
        put(connection, "matches", row)
    if known is not None and known["day"] != row["day"]:
        _date(connection, match, row["day"])
    if written or row != known:
        index_words(connection, match)
    return Kept(match, known is None, written)


_GROWS = ("digest", "won0", "won1", "record")
"""Columns of a match's database row that change when the match is continued."""


def _known(connection: Connection, digest: str) -> dict[str, Any] | None:
    query = "SELECT * FROM matches WHERE digest = ?"
    return next(rows(connection, query, "matches", (digest,)), None)


def _shorter(
    connection: Connection, row: dict[str, Any], digests: Digests
) -> dict[str, Any] | None:
    """Return the database row of a stored match that is the beginning of a longer match.

    Complete games are recognised by their dice. If the stored match ends within a game, the
    game may have too few actions for that, so the file name must also be the same.
    """
    query = (
        "SELECT * FROM matches WHERE digest IN (SELECT value FROM json_each(?)) AND "
        "player0 = ? AND player1 = ? AND (source = ? OR ?) ORDER BY id LIMIT 1"
    )
    names = row["player0"], row["player1"], row["source"]
    for begun, any_name in ((digests.games[:-1], True), (digests.actions, False)):
        values = (json.dumps(begun), *names, any_name)
        if known := next(rows(connection, query, "matches", values), None):
            return known
    return None


def write_races(connection: Connection, match: int) -> None:
    """Store the results of a match's races; all their decisions must be judged."""
    judged = [one.judged for one in decisions_of(connection, match)]
    results = race_results(stored_record(connection, match), judged)
    day = row_of(connection, "matches", match)["day"]
    connection.execute("DELETE FROM races WHERE match = ?", (match,))
    for place, one in enumerate(results):
        values = {
            # A match that is reviewed again keeps its number.
            "id": decision_number(match, place),
            "match": match,
            "day": day,
            "player": one.player,
            "opponent": one.opponent,
            "unit": one.unit,
            "start": one.start,
            "result": one.result,
            "lost": one.lost,
            "their_lost": one.their_lost,
        }
        put(connection, "races", values)


def _joined(known: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Fill gaps in the row of a match with information from another file."""
    added = {
        name: row[name]
        for name in ("event", "place", "comment")
        if row[name] and not known[name]
    }
    if row["dated"] and not known["dated"]:
        added |= {"day": row["day"], "dated": 1}
    return known | added


def _rank(method: str, depth: int, error: float) -> tuple[int, int, float]:
    """Return a sort key for judgements, which is larger for a more accurate judgement."""
    return _METHODS.index(method) if method in _METHODS else -1, depth, -error


def _date(connection: Connection, match: int, day: str) -> None:
    query = "SELECT * FROM decisions WHERE match = ?"
    for row in list(rows(connection, query, "decisions", (match,))):
        put(connection, "decisions", row | {"day": day})


def index_words(connection: Connection, match: int) -> None:
    """Update the full-text index of a match and its decisions."""
    low, high = decision_number(match, 0), decision_number(match + 1, 0)
    connection.execute("DELETE FROM words WHERE rowid >= ? AND rowid < ?", (low, high))
    row = row_of(connection, "matches", match)
    names = ("source", "player0", "player1", "event", "place", "comment")
    words = {low: [str(row[name]) for name in names]}
    said = connection.execute(
        "SELECT id, comment FROM details WHERE id >= ? AND id < ? AND comment != ''",
        (low, high),
    )
    for number, comment in said.fetchall():
        words.setdefault(number, []).append(comment)
    noted = connection.execute(
        "SELECT coalesce(decision, ?), text, tags FROM notes WHERE match = ?", (low, match)
    )
    for number, *texts in noted.fetchall():
        words.setdefault(number, []).extend(texts)
    for number, texts in words.items():
        connection.execute(
            "INSERT INTO words (rowid, text) VALUES (?, ?)", (number, "\n".join(texts))
        )
