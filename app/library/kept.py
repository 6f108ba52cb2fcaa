"""What the library gives back: matches, decisions and notes."""

import json
from dataclasses import dataclass
from itertools import starmap
from typing import Any

from bearoff import Race
from bearoff.analysis.review import Alternative, Decision, FileSays
from bearoff.app.library.tables import COUNTED, MOST_DECISIONS, reference


@dataclass(frozen=True)
class KeptMatch:
    """A match, a session or a list of positions.

    Attributes
    ----------
    id : int
        Its number.
    source, format : str
        The file, and what kind of file it was; a list's is ``positions``.
    players : tuple of str
    length : int
        Points of the match; 0 for money.
    won : tuple of int
        Points of both at its end.
    day : str
        When it was played, or kept if the file does not say.
    dated : bool
        Whether the file says.
    event, place, comment, kept : str
    decisions, mistakes : int
    lost : float
        By all its decisions, in the unit of the review.
    """

    id: int
    source: str
    format: str
    players: tuple[str, str]
    length: int
    won: tuple[int, int]
    day: str
    dated: bool
    event: str
    place: str
    comment: str
    kept: str
    decisions: int
    mistakes: int
    lost: float


@dataclass(frozen=True)
class KeptNote:
    """A note to a match, to a decision, or a saved position.

    Attributes
    ----------
    id : int
    about : str
        A match or a decision, such as ``12`` or ``12.3``; empty of a position alone.
    xgid : str
        Of a saved position; empty of a mere note.
    at, text : str
    tags : tuple of str
    """

    id: int
    about: str
    xgid: str
    at: str
    text: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class KeptDecision:
    """A decision with the match it is from.

    Attributes
    ----------
    id : int
        Its number; `reference` writes it.
    day, opponent : str
    stakes : str
        As `analysis.progress.stakes_of` names them.
    pips, lead : int
        Pips of the side on roll; what the side that decides is ahead.
    counted : dict of str to int
        Features of both sides.
    judged : Decision
        What was decided, what is right, and what the choice cost.
    formula_cost : float or None
        Of what the recommended formula says; None of plays.
    comment : str
        As in the file.
    """

    id: int
    day: str
    opponent: str
    stakes: str
    pips: int
    lead: int
    counted: dict[str, int]
    judged: Decision
    formula_cost: float | None
    comment: str

    @property
    def reference(self) -> str:
        """Match and place, such as ``12.3``."""
        return reference(self.id)

    @property
    def place(self) -> int:
        """Its place among the decisions of the match, from 1."""
        return self.id % MOST_DECISIONS


def decision_of(row: dict[str, Any], details: dict[str, Any], source: str) -> KeptDecision:
    """Return a decision from its rows."""
    judged = Decision(
        source=source,
        game=details["game"],
        line=details["line"],
        player=row["player"],
        kind=row["kind"],
        position=Race.parse(details["xgid"]),
        decided=row["decided"],
        alternatives=tuple(starmap(Alternative, json.loads(details["alternatives"]))),
        method=details["method"],
        formula=details["formula"],
        file=_file_says(details["file"]),
        comment=details["comment"],
    )
    return KeptDecision(
        row["id"],
        row["day"],
        row["opponent"],
        row["stakes"],
        row["pips"],
        row["lead"],
        {name: row[name] for name in COUNTED},
        judged,
        row["formula_cost"],
        details["comment"],
    )


def _file_says(text: str) -> FileSays | None:
    """Return what the match's own file says of a decision."""
    if not text:
        return None
    said = json.loads(text)
    said["equities"] = tuple((name, value) for name, value in said["equities"])
    return FileSays(**said)
