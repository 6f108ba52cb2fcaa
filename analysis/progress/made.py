"""Decisions of players as arrays (columns), for computing statistics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff import Race
from bearoff.analysis.formulas import WorkedFormula
from bearoff.analysis.review import Decision, formula_says
from bearoff.game.state import GameState

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

NEAR = 4
"""Maximum number of points that the leader still needs at a score that counts as near the
end of a match."""


@dataclass(frozen=True)
class MadeDecision:
    """Decision of a player in a race, with its categories, cost and position features.

    Attributes
    ----------
    match : int
        Number of the match; decisions in the same match are not independent.
    day : str
        Date of the match, such as ``2026-05-17``.
    player, opponent : str
        The player who decided, and the opponent.
    kind : str
        Kind of decision: ``double``, ``take`` or ``play``.
    stakes : str
        Category of the stakes, such as ``money`` or ``double match point``; see
        `stakes_of`.
    length : str
        Name of the category of race length.
    decided, best : str
        The player's decision, and the best decision.
    cost : float
        Equity lost, in EMG.
    mistake : bool
        Whether the cost exceeds the error of the cost; see `Decision.is_mistake`.
    formula_cost : float or None
        Cost of the formula's cube decision, in EMG; None for plays.
    gammons : bool
        Whether gammons are likely, which formulas do not take into account; see
        `Decision.has_gammons`.
    features : mapping of str to int
        Number of occurrences of each feature on the deciding player's side.
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
    mistake: bool
    formula_cost: float | None = None
    gammons: bool = False
    features: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Categories:
    """Column of text values, stored as a list of all different texts and indices into it.

    Attributes
    ----------
    codes : ndarray of int64, shape (n,)
    """

    names: list[str]
    codes: Int64Array

    @classmethod
    def of(cls, column: Sequence[str]) -> "Categories":
        names = sorted(set(column))
        place = {name: code for code, name in enumerate(names)}
        codes = np.fromiter(map(place.__getitem__, column), np.int64, len(column))
        return cls(names, codes)

    def are(self, name: str) -> BoolArray:
        """Return a mask of the rows with a given name, ignoring case."""
        wanted = [one.casefold() == name.casefold() for one in self.names]
        return np.array([*wanted, False])[self.codes]

    def counts(self) -> list[tuple[str, int]]:
        """Return each name in the column, and the number of rows with this name."""
        counted = np.bincount(self.codes, minlength=len(self.names)).tolist()
        return [one for one in zip(self.names, counted, strict=True) if one[1]]


@dataclass(frozen=True, eq=False)
class DecisionColumns:
    """Decisions as columns (arrays), named like the attributes of `MadeDecision`.

    Attributes
    ----------
    match : ndarray of int64, shape (n,)
        Match number of each decision, renumbered to 0, 1, 2, ...
    day, player, opponent, kind, stakes, length, decided : Categories
    cost, formula_cost : ndarray of float64, shape (n,)
        Cost of each decision in EMG, and cost of the formula's cube decision in the same
        position (NaN for plays).
    mistake, gammons : ndarray of bool, shape (n,)
    features : dict of str to ndarray of float64, shape (n,)
        Features that are known for every decision, by name.
    """

    match: Int64Array
    day: Categories
    player: Categories
    opponent: Categories
    kind: Categories
    stakes: Categories
    length: Categories
    decided: Categories
    cost: Float64Array
    mistake: BoolArray
    formula_cost: Float64Array
    gammons: BoolArray
    features: Mapping[str, Float64Array]

    @classmethod
    def of(
        cls, columns: Mapping[str, Sequence[Any]], features: Mapping[str, Sequence[int]]
    ) -> "DecisionColumns":
        """Create the table of decisions from its columns.

        Parameters
        ----------
        columns : mapping of str to sequence
            Columns by attribute name. The formula's cost is None for plays.
        features : mapping of str to sequence
        """
        matches = np.array(columns["match"], dtype=np.int64)
        made: dict[str, Any] = {
            one.name: Categories.of(columns[one.name])
            for one in fields(cls)
            if one.type is Categories
        }
        for name in ("cost", "formula_cost"):
            made[name] = np.array(columns[name], dtype=float)
        for name in ("mistake", "gammons"):
            made[name] = np.array(columns[name], dtype=bool)
        counted = {name: np.array(one, dtype=float) for name, one in features.items()}
        return cls(np.unique(matches, return_inverse=True)[1], features=counted, **made)

    @classmethod
    def of_rows(cls, made: Sequence[MadeDecision]) -> "DecisionColumns":
        """Create the table of decisions from its rows."""
        names = [one.name for one in fields(cls) if one.name != "features"]
        counted = [set(one.features) for one in made]
        shared = set.intersection(*counted) if counted else set()
        return cls.of(
            {name: [getattr(one, name) for one in made] for name in names},
            {name: [one.features[name] for one in made] for name in shared},
        )

    def __len__(self) -> int:
        return len(self.match)

    def select(self, rows: BoolArray | Int64Array | slice) -> "DecisionColumns":
        """Return the decisions in the selected rows."""

        def chosen(column: Any) -> Any:
            if isinstance(column, Categories):
                return Categories(column.names, column.codes[rows])
            if isinstance(column, Mapping):
                return {name: one[rows] for name, one in column.items()}
            return column[rows]

        return DecisionColumns(*(chosen(getattr(self, one.name)) for one in fields(self)))

    def of_formula(self, *, gammons: bool) -> "DecisionColumns":
        """Return the cube decisions in races with likely gammons, or in other races."""
        return self.select(~np.isnan(self.formula_cost) & (self.gammons == gammons))


def count_matches(numbers: Int64Array) -> int:
    return int(np.count_nonzero(np.bincount(numbers)))


def stakes_of(race: Race | GameState) -> str:
    """Return the category of the stakes in a race or game.

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


def formula_cost(one: Decision, formula: WorkedFormula) -> float | None:
    """Return the cost of a formula's cube decision; None if no cube decision is made."""
    if one.kind == "play" or len(one.choices) == 1:
        return None
    return one.cost_of(formula_says(one.kind, one.race, formula))
