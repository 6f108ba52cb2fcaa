"""Matches, decisions and notes as returned by the library."""

import json
from dataclasses import dataclass
from itertools import starmap
from typing import Any

from bearoff import Race
from bearoff.analysis.review import Alternative, Decision, FileSays
from bearoff.app.library.tables import COUNTED, MOST_DECISIONS, reference
from bearoff.game.state import GameState


@dataclass(frozen=True)
class KeptMatch:
    """Match, money session or list of positions in the library.

    Attributes
    ----------
    id : int
        Number of the match.
    source, format : str
        Name and format of the file; the format of a list of positions is ``positions``.
    players : tuple of str
    length : int
        Match length in points; 0 for money.
    won : tuple of int
        Final score of both players.
    day : str
        Date of play, or date of storage if the file has no date.
    dated : bool
        Whether the match file states the date of play.
    event, place, comment, kept : str
    decisions, mistakes : int
    lost : float
        Total cost of both players' decisions in races, in EMG.
    estimates : int
        Number of decisions made while there was contact.
    estimated : float
        Estimated total cost of both players' decisions made while there was contact, in
        EMG.
    ratings : tuple of float or None
        Performance rating (PR) of each player in the whole match. None if only races are
        judged, or if no decision counts.
    race_ratings : tuple of float or None
        Performance rating (PR) of each player in the races of the match; None if no
        decision counts.
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
    estimates: int
    estimated: float
    ratings: tuple[float | None, float | None]
    race_ratings: tuple[float | None, float | None]


@dataclass(frozen=True)
class KeptNote:
    """Note on a match or a decision, or a saved position.

    Attributes
    ----------
    id : int
    about : str
        Reference of the match or decision to which the note belongs, such as ``12`` or
        ``12.3``; empty for a position that was saved on its own.
    xgid : str
        XGID of the saved position; empty for a note without a position.
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
    """Decision in the library, with the date and opponent of its match.

    Attributes
    ----------
    id : int
        Number of the decision; `reference` formats it.
    day, opponent : str
    stakes : str
        Class of the match score or money play, as `analysis.progress.stakes_of` returns it.
    pips, lead : int
        Pip count of the side on roll, and lead in pips of the player who decides.
    counted : dict of str to int
        Value of each board feature of both sides, such as the number of gaps.
    judged : Decision
        Judged decision, with the player's choice, the right choice and the cost.
    formula_cost : float or None
        Cost of the cube action that the recommended formula chooses, in EMG; None for
        plays.
    comment : str
        Comment on the decision in the match file.
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
        """Reference such as ``12.3`` for the third decision of match 12."""
        return reference(self.id)

    @property
    def place(self) -> int:
        """Number of the decision within its match."""
        return self.id % MOST_DECISIONS


def decision_of(row: dict[str, Any], details: dict[str, Any], source: str) -> KeptDecision:
    """Return the decision that two database rows store."""
    judged = Decision(
        source=source,
        game=details["game"],
        line=details["line"],
        player=row["player"],
        kind=row["kind"],
        position=position_of(details["xgid"], contact=bool(row["contact"])),
        decided=row["decided"],
        alternatives=tuple(starmap(Alternative, json.loads(details["alternatives"]))),
        method=details["method"],
        formula=details["formula"],
        file=_file_says(details["file"]),
        comment=details["comment"],
        depth=details["depth"],
        worst=details["worst"],
        reason=details["reason"],
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


def position_of(xgid: str, *, contact: bool) -> Race | GameState:
    """Parse an XGID: a race or, if there is contact, a state of a game."""
    return GameState.parse(xgid) if contact else Race.parse(xgid)


def _file_says(text: str) -> FileSays | None:
    """Return the match file's own analysis of a decision, from its stored text."""
    if not text:
        return None
    said = json.loads(text)
    said["equities"] = tuple((name, value) for name, value in said["equities"])
    return FileSays(**said)
