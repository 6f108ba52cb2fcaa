"""Library: storage, search and deletion of reviewed matches."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearoff.analysis.progress import CountedSum, RaceResult
from bearoff.analysis.review import LENGTHS, Decision, Review
from bearoff.app.library.fetching import (
    NothingThere,
    decisions_by,
    decisions_of,
    matches_of,
    require_all_matches,
    row_of,
    stored_record,
)
from bearoff.app.library.keeping import Kept, write, write_races
from bearoff.app.library.kept import KeptDecision, KeptMatch
from bearoff.app.library.names import MyNames
from bearoff.app.library.notes import Notes
from bearoff.app.library.records import digests_of
from bearoff.app.library.rows import comments, list_row, match_row, placed, utc
from bearoff.app.library.sealed import Connection, SealedFile, rows
from bearoff.app.library.searching import SORTS, condition, match_condition
from bearoff.app.library.steps import STEPS
from bearoff.app.library.tables import FEATURES, MARK, decision_number, library_path
from bearoff.app.library.wanted import Wanted
from bearoff.checks import did_you_mean
from bearoff.game.records import MatchRecord

if TYPE_CHECKING:
    from bearoff.analysis.progress import DecisionColumns, Progress

ALL = Wanted()

_MADE = (
    *("match", "day", "player", "opponent", "kind", "stakes", "pips", "decided"),
    *("cost", "mistake", "formula_cost", "gammons"),
)
"""Columns of decisions that statistics read in addition to the columns of board features.
"""

MANY = 2000
"""Number of matching decisions from which a search reads them in the order of a database
index, instead of sorting them."""


def open_library(path: Path | None = None) -> "Library":
    """Return the user's library, or the library in the given file."""
    return Library(path or library_path())


class Library:
    """Matches, decisions, positions and notes in one file.

    Parameters
    ----------
    path : Path
        Path of the file, which is created when something is first stored.
    now : callable
        Function that returns the current time in UTC.

    Raises
    ------
    StoreError
        By every method, if the file is not a library, or cannot be read or written.
    """

    def __init__(self, path: Path, now: Callable[[], datetime] = utc) -> None:
        self.file = SealedFile(path, MARK, STEPS, "the library")
        self._now = now
        self.notes = Notes(self.file, now)
        self.names = MyNames(path.with_name("my-names.txt"))

    def keep(self, record: MatchRecord, review: Review) -> Kept:
        """Store a match with its decisions.

        A match that is already stored is recognised even in another file format. For each
        decision, the more accurate judgement is kept, and additional information from the
        file is added. If the library has only the beginning of the match, the stored match
        is extended; a beginning that ends within a game must also have the same file name.
        """
        digests = digests_of(record)
        row = match_row(record, digests.games[-1], self._now())
        judged = placed(record, review.judged)
        said = comments(record)
        texts = {place: said.get((one.game, one.line), "") for place, one in judged.items()}
        with self.file.writing() as connection:
            kept = write(connection, row, judged, texts, digests)
            write_races(connection, kept.match)
        return kept

    def keep_list(self, source: str, digest: str, judged: dict[int, Decision]) -> Kept:
        """Store a list's judged positions, keyed by number, or improve the stored list."""
        row = list_row(source, digest, self._now())
        with self.file.writing() as connection:
            return write(connection, row, judged, {})

    def matches(self, wanted: Wanted = ALL, most: int = 1000) -> list[KeptMatch]:
        text, values = match_condition(wanted)
        query = f"SELECT * FROM matches WHERE {text} ORDER BY day DESC, id DESC LIMIT ?"
        with self.file.reading() as connection:
            require_all_matches(connection)
            found = list(rows(connection, query, "matches", [*values, most]))
            return matches_of(connection, found)

    def matches_kept(self) -> int:
        """Return the number of matches and lists."""
        with self.file.reading() as connection:
            return int(connection.execute("SELECT count(*) FROM matches").fetchone()[0])

    def match(self, number: int) -> KeptMatch:
        with self.file.reading() as connection:
            return matches_of(connection, [row_of(connection, "matches", number)])[0]

    def record(self, number: int) -> MatchRecord:
        """Return a match as read from its file."""
        with self.file.reading() as connection:
            return stored_record(connection, number)

    def count(self, wanted: Wanted = ALL) -> int:
        with self.file.reading() as connection:
            return _count(connection, wanted)

    def search(
        self, wanted: Wanted = ALL, sort: str = "cost", most: int | None = None
    ) -> list[KeptDecision]:
        return self.find(wanted, sort, most)[0]

    def find(
        self, wanted: Wanted = ALL, sort: str = "cost", most: int | None = None
    ) -> tuple[list[KeptDecision], int]:
        """Return at most `most` decisions that match a search, and the number of all."""
        text, values = condition(wanted)
        limit = MANY if most is None else most
        with self.file.reading() as connection:
            query = f"SELECT id FROM decisions WHERE {text} LIMIT ?"
            found = _numbers(connection, query, [*values, MANY])
            count = len(found)
            if count == MANY:
                # If many decisions match, the first ones in the order of an index are found
                # fast. If few match, most of the index would have to be read.
                count, limit = _count(connection, wanted), -1 if most is None else most
            else:
                text, values = f"id IN ({', '.join(map(str, found))})", []
            query = f"SELECT id FROM decisions WHERE {text} ORDER BY {SORTS[sort]} LIMIT ?"
            ordered = _numbers(connection, query, [*values, limit]) if count else []
            return decisions_by(connection, ordered), count

    def decision(self, number: int) -> KeptDecision:
        with self.file.reading() as connection:
            row_of(connection, "decisions", number)
            return decisions_by(connection, [number])[0]

    def decisions_of(self, match: int) -> list[KeptDecision]:
        with self.file.reading() as connection:
            row_of(connection, "matches", match)
            return decisions_of(connection, match)

    def mine(self) -> tuple[str, ...]:
        """Return the user's names that occur in the library.

        If none of the user's names occurs, the player with the most decisions is returned.
        """
        known = [name for name, _ in self.players()]
        told = {name.casefold() for name in self.names.read()}
        return tuple(name for name in known if name.casefold() in told) or tuple(known[:1])

    def made(
        self, names: Sequence[str], since: str = "", until: str = ""
    ) -> "DecisionColumns":
        """Return columns of the race decisions of a player and of the player's opponents.

        The decisions of a match are in the order of play. The checksums of the many
        database rows are not verified; `SealedFile.check` verifies them.
        """
        from bearoff.analysis.progress import DecisionColumns

        text, values = condition(Wanted(since=since, until=until))
        wanted = (*_MADE, *FEATURES)
        marks = ", ".join("?" * len(names))
        query = (
            f"SELECT {', '.join(wanted)} FROM decisions WHERE decided != '' AND "
            f"NOT contact AND player != '' AND (player IN ({marks}) OR "
            f"opponent IN ({marks})) AND {text} ORDER BY id"
        )
        with self.file.reading() as connection:
            found = connection.execute(query, [*names, *names, *values]).fetchall()
        by_column = zip(*found, strict=True) if found else [()] * len(wanted)
        columns: dict[str, Any] = dict(zip(wanted, by_column, strict=True))
        called = _by_one_name(names)
        for column in ("player", "opponent"):
            columns[column] = [called(name) for name in columns[column]]
        most, lengths = zip(*LENGTHS, strict=True)
        columns["length"] = [lengths[bisect_left(most, pips)] for pips in columns["pips"]]
        return DecisionColumns.of(columns, {name: columns[name] for name in FEATURES})

    def counted(
        self, names: Sequence[str], since: str = "", until: str = ""
    ) -> list[CountedSum]:
        """Sum the costs of a player's decisions that count in the rating, for each match.

        The method `made` has the same parameters. Checksums of database rows are not
        verified.
        """
        text, values = condition(Wanted(since=since, until=until))
        query = (
            "SELECT match, day, NOT contact, sum(cost), count(*) FROM decisions WHERE "
            f"counted AND player IN ({', '.join('?' * len(names))}) AND {text} "
            "GROUP BY match, contact ORDER BY match"
        )
        with self.file.reading() as connection:
            found = connection.execute(query, [*names, *values]).fetchall()
        return [
            CountedSum(match, day, bool(in_race), lost, counted)
            for match, day, in_race, lost, counted in found
        ]

    def races(self, wanted: Wanted = ALL) -> list[RaceResult]:
        """Return the results of the races in matches that a search finds, oldest first."""
        text, values = match_condition(wanted)
        query = (
            f"SELECT * FROM races WHERE match IN (SELECT id FROM matches WHERE {text}) "
            "ORDER BY day, id"
        )
        with self.file.reading() as connection:
            return [
                RaceResult(
                    row["player"],
                    row["opponent"],
                    row["unit"],
                    row["start"],
                    row["result"],
                    row["lost"],
                    row["their_lost"],
                )
                for row in rows(connection, query, "races", values)
            ]

    def players(self) -> list[tuple[str, int]]:
        """Return all players with their numbers of decisions, in decreasing order."""
        query = (
            "SELECT player, count(*) AS made FROM decisions WHERE player != '' "
            "GROUP BY player ORDER BY made DESC, player"
        )
        with self.file.reading() as connection:
            return connection.execute(query).fetchall()

    def progress(self, player: str = "", since: str = "", until: str = "") -> "Progress":
        """Return ratings and statistics of a player and of their opponents."""
        from bearoff.analysis.progress import (
            progress,  # The import of scipy is slow.
        )

        known = [name for name, _ in self.players()]
        if not known:
            raise NothingThere(
                "the library contains no decisions; bearoff review adds those of a match"
            )
        if player and player.casefold() not in (name.casefold() for name in known):
            near = did_you_mean(player, known)
            raise NothingThere(f"the library has no player named {player!r}{near}")
        names = (player,) if player else self.mine()
        made, sums = self.made(names, since, until), self.counted(names, since, until)
        if not len(made) and not sums:
            raise NothingThere(f"{names[0]} has no decisions between the given dates")
        called = _by_one_name(names)
        races = [
            replace(race, player=called(race.player), opponent=called(race.opponent))
            for name in names
            for race in self.races(Wanted(player=name, since=since, until=until))
        ]
        return progress(names[0], made, races, sums)

    def delete(self, match: int) -> KeptMatch:
        """Delete a match with its decisions and notes, and return it."""
        span = decision_number(match, 0), decision_number(match + 1, 0)
        with self.file.writing() as connection:
            found = matches_of(connection, [row_of(connection, "matches", match)])[0]
            connection.execute("DELETE FROM words WHERE rowid >= ? AND rowid < ?", span)
            connection.execute("DELETE FROM matches WHERE id = ?", (match,))
        return found


def _by_one_name(names: Sequence[str]) -> Callable[[str], str]:
    """Return a function that maps all of a player's names to the first, ignoring case."""
    one, every = names[0], {name.casefold() for name in names}
    return lambda name: one if name.casefold() in every else name


def _numbers(connection: Connection, query: str, values: Sequence[object]) -> list[int]:
    return [number for (number,) in connection.execute(query, values)]


def _count(connection: Connection, wanted: Wanted) -> int:
    text, values = condition(wanted)
    query = f"SELECT count(*) FROM decisions WHERE {text}"
    return int(connection.execute(query, values).fetchone()[0])
