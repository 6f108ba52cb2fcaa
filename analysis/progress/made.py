"""A decision as progress sees it: who made it, what it was about, and what it cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from analysis.formulas import WorkedFormula
from analysis.review import Judged, formula_says
from bearoff import Race

NEAR = 4
"""Points away up to which a match is about to be decided."""


@dataclass(frozen=True)
class Made:
    """A decision that was made in a race.

    Attributes
    ----------
    match : int
        Number of its match; decisions of one match are not independent.
    day : str
        When it was played, as ``2026-05-17``.
    player, opponent : str
        Who decided, and against whom.
    kind : str
        ``double``, ``take`` or ``play``.
    stakes : str
        As of `stakes_of`.
    length : str
        Class of the race's length.
    decided, best : str
        What was done, and what is right.
    cost : float
        What it lost, EMG.
    formula_cost : float or None
        What the formula's decision would have lost; None of plays.
    features : mapping of str to int
        What is counted of the side that decided.
    """

    match: int
    day: str
    player: str
    opponent: str
    kind: str
    stakes: str
    length: str
    decided: str
    best: str
    cost: float
    formula_cost: float | None = None
    features: Mapping[str, int] = field(default_factory=dict)


def stakes_of(race: Race) -> str:
    """Name what a race is played for.

    Examples
    --------
    >>> stakes_of(Race.parse("LwAAwC0AAAAAAA"))
    'money'
    >>> stakes_of(Race.parse("XGID=-CBA-------------------ad-:1:1:1:64:2:4:0:7:10"))
    'match, 2 to 4 away'
    """
    score = race.score
    if score is None:
        return "money"
    if score.away == (1, 1):
        return "double match point"
    if score.game != "normal":
        return "Crawford" if score.game == "crawford" else "post-Crawford"
    near = min(score.away) <= NEAR
    return f"match, 2 to {NEAR} away" if near else f"match, {NEAR + 1} away or more"


def formula_cost(one: Judged, formula: WorkedFormula) -> float | None:
    """Return what a formula's decision loses, in the units of `Judged.cost`.

    Returns
    -------
    float or None
        None of a play.
    """
    if one.kind == "play":
        return None
    return one.cost_of(formula_says(one.kind, one.race, formula))
