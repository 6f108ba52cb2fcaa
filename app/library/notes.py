"""Notes on matches and decisions, and saved positions."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from bearoff import BearoffError, Race
from bearoff.app.library.fetching import details_of, note_of, row_of
from bearoff.app.library.keeping import index_words
from bearoff.app.library.kept import KeptNote
from bearoff.app.library.sealed import SealedFile, StoreError, put, rows
from bearoff.app.library.searching import tag_pattern
from bearoff.app.library.tables import is_reference, read_reference
from bearoff.errors import ContactError
from bearoff.game.state import GameState


class Notes:
    """Notes and saved positions in a library.

    Parameters
    ----------
    file : SealedFile
        File of the library.
    now : callable
        Function that returns the current time in UTC.
    """

    def __init__(self, file: SealedFile, now: Callable[[], datetime]) -> None:
        self._file, self._now = file, now

    def add(self, about: str, text: str, tags: Iterable[str] = ()) -> KeptNote:
        """Add a note to a match or a decision."""
        match, decision = read_reference(about)
        return self._note(match, decision, "", text, tags)

    def save(self, position: str, text: str = "", tags: Iterable[str] = ()) -> KeptNote:
        """Save a position with a note and tags."""
        if is_reference(position):
            match, decision = read_reference(position)
            if decision is None:
                raise StoreError(
                    f"only a decision, such as {match}.1, or a position can be saved "
                    f"for the trainer, but {position} is a match"
                )
            xgid = self._position(decision)
            if xgid and GameState.parse(xgid).race is None:
                raise StoreError(
                    f"{position} comes before the race, and only positions of races can be "
                    "saved for the trainer; add a note to the decision instead"
                )
            return self._note(match, decision, xgid, text, tags)
        return self._note(None, None, _race(position).xgid, text, tags)

    def of(self, match: int | None = None) -> list[KeptNote]:
        """Return the notes on a match, or all notes, oldest first."""
        text, values = ("match = ?", [match]) if match is not None else ("1", [])
        return self._notes(text, values)

    def saved(self, tag: str = "", text: str = "") -> list[KeptNote]:
        """Return saved positions with a given tag and words in the note, oldest first."""
        pattern = tag_pattern(tag) if tag else "%"
        return self._notes(
            "xgid != '' AND tags LIKE ? ESCAPE '!' AND instr(lower(text), ?)",
            [pattern, text.lower()],
        )

    def delete(self, number: int) -> KeptNote:
        """Delete a note or a saved position, and return it."""
        with self._file.writing() as connection:
            row = row_of(connection, "notes", number)
            connection.execute("DELETE FROM notes WHERE id = ?", (number,))
            if row["match"] is not None:
                index_words(connection, row["match"])
        return note_of(row)

    def _position(self, decision: int) -> str:
        with self._file.reading() as connection:
            row_of(connection, "decisions", decision)
            details = details_of(connection, decision)
            return "" if details is None else str(details["xgid"])

    def _note(
        self,
        match: int | None,
        decision: int | None,
        xgid: str,
        text: str,
        tags: Iterable[str],
    ) -> KeptNote:
        named = [_tag(tag) for tag in tags]
        if not (text.strip() or named or xgid):
            raise StoreError("a note must have a text or a tag, got neither")
        values = {
            "id": None,
            "match": match,
            "decision": decision,
            "xgid": xgid,
            "at": self._now().isoformat(timespec="seconds"),
            "text": text.strip(),
            "tags": "".join(f" {tag}" for tag in named) + " " if named else "",
        }
        with self._file.writing() as connection:
            if match is not None:
                row_of(connection, "matches", match)
            if decision is not None:
                row_of(connection, "decisions", decision)
            number = put(connection, "notes", values)
            if match is not None:
                index_words(connection, match)
        return note_of(values | {"id": number})

    def _notes(self, text: str, values: Sequence[object]) -> list[KeptNote]:
        query = f"SELECT * FROM notes WHERE {text} ORDER BY id"
        with self._file.reading() as connection:
            return [note_of(row) for row in rows(connection, query, "notes", values)]


def _race(position: str) -> Race:
    """Parse the position of a race; raise `StoreError` if there is contact."""
    try:
        return Race.parse(position)
    except ContactError:
        raise StoreError(
            "only positions of races can be saved for the trainer, but there is contact in "
            f"{position}; to store an estimate of it, review a file that contains it: "
            "bearoff review FILE"
        ) from None


def _tag(text: str) -> str:
    """Return a tag as stored: one word in lower case."""
    tag = text.strip().lower()
    if not tag or len(tag.split()) != 1:
        raise BearoffError(f"a tag must be a single word, got {text!r}")
    return tag
