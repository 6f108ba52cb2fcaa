"""Numbers and references of the library's matches and decisions, and the file's path."""

import re
from pathlib import Path

from bearoff.app.library.records import BEFORE_RACES
from bearoff.app.library.sealed import Connection, StoreError
from bearoff.storage import users_folder

MARK = 0x6265_6F6C
"""SQLite application id of the library."""

FEATURES = ("checkers", "outside", "crossovers", "gaps", "stack", "odd", "low")
"""Board features of the side that decides; with the prefix ``their_``, those of the other
side.

Gaps are empty points among the four, five and six point. The stack is the height of the
tallest stack at home. Low checkers are on the ace and deuce point."""

COUNTED = (*FEATURES, *(f"their_{name}" for name in FEATURES))

MOST_DECISIONS = 1 << 20
"""Maximum number of decisions in a match. Decision ``n`` of match ``m`` has the number ``m
* MOST_DECISIONS + n``. For decisions before the race, ``n`` is in the upper half of its
range.
"""


def library_path() -> Path:
    """Return the path of the user's library file."""
    return users_folder("data") / "library.sqlite"


def decision_number(match: int, place: int) -> int:
    """Return a decision's number in the library; `place` is its number in the match."""
    return match * MOST_DECISIONS + place


def reference(number: int) -> str:
    """Format a decision's number as match and number in the match, such as ``12.3``.

    Examples
    --------
    >>> reference(decision_number(12, 3)), reference(decision_number(12, BEFORE_RACES + 3))
    ('12.3', '12.c3')
    """
    match, place = divmod(number, MOST_DECISIONS)
    if place > BEFORE_RACES:
        return f"{match}.c{place - BEFORE_RACES}"
    return f"{match}.{place}"


def is_reference(text: str) -> bool:
    """Return whether a text is the number of a match or of a decision."""
    return re.fullmatch("[0-9]{1,9}([.]c?[0-9]{1,9})?", text) is not None


def read_reference(text: str) -> tuple[int, int | None]:
    """Parse the reference of a match (such as ``12``) or of a decision (``12.3``)."""
    match, _, said = text.partition(".")
    place = int(said.removeprefix("c") or 0) if is_reference(text) else MOST_DECISIONS
    if place >= BEFORE_RACES:
        raise StoreError(
            "a decision must be written as 12.3 (the third one of the race in match 12) "
            f"or 12.c3 (the third one before the race), and a match as 12; got {text!r}"
        )
    place += BEFORE_RACES * said.startswith("c")
    return int(match), decision_number(int(match), place) if said else None


def decisions_kept(connection: Connection, match: int) -> int:
    """Return how many decisions of a match are in the table."""
    query = "SELECT count(*) FROM decisions WHERE id >= ? AND id < ?"
    span = decision_number(match, 0), decision_number(match + 1, 0)
    return int(connection.execute(query, span).fetchone()[0])
