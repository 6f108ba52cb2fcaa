"""Evaluated decisions: the possible choices with their costs, and the player's choice.

A decision is evaluated once, from the values of its race or board. All other parts of the
program show this evaluation, and compute no costs themselves.

The cost of an alternative comes from `Values.decision` or `PlayValues.cost_and_error`. A
cost is never negative, and is 0 for alternatives that these methods consider equal. The
whole program also follows these rules:

- Costs are displayed with `Decision.digits` decimal places: four for a race, three for a
  cost that is estimated by a search.
- A decision is a *mistake* if its cost exceeds the error of the cost, and is not displayed
  as 0.
- The player's choice is right if its cost is displayed as 0.
- If the player's choice is wrong or unknown, the alternative with the lowest cost is right.
  If several plays have the lowest cost, the first of these plays is right. If several cube
  actions have the lowest cost, doubling and taking are right, as in `Values.action`.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from bearoff import BearoffError, Race
from bearoff.analysis.review.file_says import FileSays, in_words
from bearoff.bear_in import widen
from bearoff.game.state import GameState
from bearoff.sources import gammon_chances
from bearoff.stakes import DIGITS, Values, is_mistake

UNIT = "EMG"
"""Unit of equities and costs: for money, points divided by the cube value."""

SHOWN_PLAYS = 5
"""Number of best plays that are stored for a roll. If the player's play is not among these
plays, it is stored as well."""

LENGTHS = ((40, "up to 40 pips"), (70, "41 to 70 pips"), (10**9, "over 70 pips"))
"""Categories of race length: maximum pip count of the roller, and name of the category."""

CONTACT = "with contact"
"""Name of the category of decisions during contact."""

Kind = Literal["double", "take", "play", "resign"]

Method = Literal["exact", "rollout", "model", "search"]

DIGITS_OF_A_SEARCH = 3
"""Number of decimal places for costs that are estimated by a search."""

MATTERS = 0.001
"""Smallest difference in EMG between the best and the worst choice with which a play, or a
decision not to double, counts in the performance rating."""

CLOSE = 0.2
"""Loss of a wrong double, in EMG, below which the correct decision not to double counts in
the performance rating."""

GAMMONS = 0.01
"""Gammon probability from which formulas are not applied to a race, because they ignore
gammons."""

_FIRST_OF_EQUAL = ("beaver", "take", "pass")
"""Replies to a double, in order of preference if their equities are equal."""


@dataclass(frozen=True)
class Alternative:
    """One of the possible choices in a decision, with its equity and cost.

    Attributes
    ----------
    name : str
        Name of a play in standard notation, or of a cube action: ``no double``, or a double
        with a reply, such as ``double, take``. If the roller owns the cube, ``redouble``
        replaces ``double``.
    equity : float
        Equity of the roller, in EMG.
    cost : float or None
        Equity lost compared with the right alternative, in EMG. For a wrong double with a
        wrong reply, the cost is the sum of both losses. None if the player can no longer
        make this choice.
    error : float or None
        Upper bound of the error of the cost. For rollouts and models, the bound is two
        standard errors plus the known bias.
    """

    name: str
    equity: float
    cost: float | None
    error: float | None


@dataclass(frozen=True)
class Decision:
    """Evaluated decision: the possible choices with their costs, and the player's choice.

    Attributes
    ----------
    kind : {"double", "take", "play", "resign"}
        Kind of decision: whether to double, whether to take, how to play a roll, or whether
        to resign.
    position : Race or GameState
        Position with cube, match score and dice, from the roller's viewpoint; for a take,
        before the double.
    alternatives : tuple of Alternative
        For a roll, plays in order of decreasing equity. For a cube decision, ``no double``
        and a double with each possible reply, or only ``no double`` if the roller may not
        double.
    decided : str
        The player's choice: a play, ``no double``, ``double``, ``take``, ``pass`` or
        ``beaver``; empty if unknown.
    method : {"exact", "rollout", "model", "search"}
        Source of the equities.
    formula : str
        Cube action according to the recommended formula; empty for checker plays.
    reason : str
        Sentence on why the best play is better than the player's, for decisions during
        contact; may be empty.
    source : str
        Name of the file from which the decision was read.
    game, line : int
        Number of the game, and line number in the file.
    player : str
        Name of the player who decided.
    file : FileSays or None
        Analysis of the decision in the file from which it was read; None without an
        analysis.
    comment : str
        Comment on the decision in the file from which it was read.
    depth : int
        Number of rolls by which the search looked ahead; 0 without a search.
    worst : float
        Largest cost of a play that is not in `alternatives`, in EMG.
    """

    kind: Kind
    position: Race | GameState
    alternatives: tuple[Alternative, ...]
    decided: str = ""
    method: Method = "exact"
    formula: str = ""
    reason: str = ""
    source: str = ""
    game: int = 0
    line: int = 0
    player: str = ""
    file: FileSays | None = None
    comment: str = ""
    depth: int = 0
    worst: float = 0.0

    @property
    def race(self) -> Race:
        """Race in which the decision is made.

        Raises
        ------
        BearoffError
            If the sides are still in contact.
        """
        if isinstance(self.position, Race):
            return self.position
        raise BearoffError(
            f"{self.position.xgid} is not a race, because the sides are still in contact"
        )

    @property
    def in_race(self) -> bool:
        """Whether the position is a race, without contact."""
        return isinstance(self.position, Race)

    @property
    def digits(self) -> int:
        """Number of decimal places of displayed costs."""
        return DIGITS_OF_A_SEARCH if self.method == "search" else DIGITS

    @cached_property
    def made(self) -> int | None:
        """Index of the player's choice in `alternatives`; None if unknown."""
        return self.place_of(self.decided) if self.decided else None

    @property
    def cost(self) -> float:
        """Cost of the player's choice, in EMG; 0 if the choice is right or unknown."""
        return 0.0 if self.made is None else self.alternatives[self.made].cost or 0.0

    @property
    def error(self) -> float:
        """Upper bound of the error of `cost`, in EMG."""
        return 0.0 if self.made is None else self.alternatives[self.made].error or 0.0

    @property
    def is_mistake(self) -> bool:
        """Whether the cost exceeds the error of the cost, and is not displayed as 0."""
        return is_mistake(self.cost, self.error, self.digits)

    @property
    def is_seen(self) -> bool:
        """Whether the cost of the player's choice is displayed as more than 0."""
        return is_mistake(self.cost, digits=self.digits)

    @property
    def is_counted(self) -> bool:
        """Whether the decision counts in the performance rating, as in eXtreme Gammon.

        A play counts if some legal play loses equity. Every double and every reply to a
        double counts. Not doubling counts if doubling is right or nearly right. A double of
        a dead cube changes nothing and does not count. A decision does not count if the
        player's choice is unknown.
        """
        if self.kind == "resign" or not self.decided:
            return False
        between = max(self.worst, *(self.cost_of(choice) for choice in self.choices))
        if self.kind == "take" or (self.decided == "double" and between > 0):
            return True
        if between < MATTERS:
            return False
        return self.kind == "play" or self.cost > 0 or between < CLOSE

    @cached_property
    def has_gammons(self) -> bool:
        """Whether a side wins a gammon with a probability of at least `GAMMONS`."""
        sides = [widen([side.counts]) for side in (self.race.roller, self.race.opponent)]
        won = gammon_chances(*sides, on_roll=True)
        lost = gammon_chances(*reversed(sides), on_roll=False)
        return bool(max(won[0], lost[0]) >= GAMMONS)

    @cached_property
    def right_index(self) -> int:
        """Index of the right choice in `alternatives`."""
        if self.made is not None and not self.is_seen:
            return self.made
        return self._least(range(len(self.alternatives)))

    @property
    def best(self) -> str:
        """The right play, reply to a double, or cube action, as text.

        Examples of the text are ``double, take`` and ``too good to double``.
        """
        one = self.alternatives[self.right_index]
        if self.kind == "take":
            return _reply(one)
        if self.kind != "double" or _reply(one):
            return one.name
        passed = [each for each in self.alternatives if _reply(each) == "pass"]
        if passed and one.equity > passed[0].equity:
            return self.worded("too good to double")
        return one.name

    @property
    def choices(self) -> tuple[str, ...]:
        """Names of the deciding player's choices: plays, replies, or whether to double."""
        if self.kind == "double":
            doubles = any(_reply(one) for one in self.alternatives)
            return ("no double", "double") if doubles else ("no double",)
        if self.kind == "take":
            return tuple(_reply(one) for one in self.alternatives if _reply(one))
        return tuple(one.name for one in self.alternatives)

    @property
    def right_choice(self) -> str:
        """The right choice: one of `choices`."""
        return next(one for one in self.choices if self.place_of(one) == self.right_index)

    @property
    def next_best(self) -> Alternative | None:
        """The second-best choice; None if there is only one choice."""
        places = {self.place_of(one) for one in self.choices} - {self.right_index}
        return self.alternatives[self._least(places)] if places else None

    def worded(self, text: str) -> str:
        """Return a cube action as players say it: redouble if the roller owns the cube."""
        return in_words(text, self.position.cube)

    @property
    def done(self) -> str:
        """The player's choice as text, worded like `best`."""
        return self.worded(self.decided) if self.kind == "double" else self.decided

    @property
    def equity(self) -> float:
        """Equity of the roller after the right choice, in EMG."""
        return self.alternatives[self._least(range(len(self.alternatives)))].equity

    @property
    def length(self) -> str:
        """Name of the race-length category, or `CONTACT` for a decision during contact."""
        if not self.in_race:
            return CONTACT
        pips = self.race.roller.pips
        return next(name for most, name in LENGTHS if pips <= most)

    def place_of(self, decided: str) -> int:
        """Return the index of a given choice in `alternatives`.

        For ``double``, the method returns the index of the double with the right reply.

        Raises
        ------
        BearoffError
            If the choice is not one of `choices`.
        """
        places = range(len(self.alternatives))
        if self.kind == "double" and decided == "double":
            return self._least(
                filter(lambda place: _reply(self.alternatives[place]), places)
            )
        said = self.worded(decided) if self.kind == "double" else decided
        for place, one in enumerate(self.alternatives):
            if said == (_reply(one) if self.kind == "take" else one.name):
                return place
        raise BearoffError(
            f"the decision must be one of {', '.join(self.choices)}, got {decided!r}"
        )

    def choosing(self, choice: str) -> "Decision":
        """Return a copy in which the player made a given choice, worded as in `choices`.

        Raises
        ------
        BearoffError
            If the choice is not one of `choices`.
        """
        named = {self.worded(one): one for one in self.choices}
        decided = named.get(choice, choice)
        self.place_of(decided)
        return replace(self, decided=decided)

    def shortened(self, most: int = SHOWN_PLAYS) -> "Decision":
        """Return a copy with only the best plays and the player's play."""
        kept = [
            one
            for place, one in enumerate(self.alternatives)
            if place < most or place == self.made
        ]
        worst = max((one.cost or 0.0 for one in self.alternatives), default=0.0)
        return replace(self, alternatives=tuple(kept), worst=max(worst, self.worst))

    def cost_of(self, decided: str) -> float:
        """Return the cost of a given choice, in EMG.

        Examples
        --------
        >>> import numpy as np
        >>> from bearoff.stakes import Terms
        >>> values = Values.empty(Terms(), np.zeros(1, np.int8))
        >>> values.no_double[:], values.double_take[:] = 0.5, 0.4
        >>> race = Race.parse("LwAAwC0AAAAAAA")
        >>> one = Decision("take", race, cube_alternatives("take", values))
        >>> one.cost_of("take"), one.cost_of("pass")
        (0.0, 0.6)
        """
        return self.alternatives[self.place_of(decided)].cost or 0.0

    def _least(self, places: Iterable[int]) -> int:
        def order(place: int) -> tuple[float, int]:
            one = self.alternatives[place]
            reply = _reply(one)
            first = _FIRST_OF_EQUAL.index(reply) if reply else len(_FIRST_OF_EQUAL)
            return math.inf if one.cost is None else one.cost, first

        return min(places, key=order)


def _reply(one: Alternative) -> str:
    return one.name.partition(", ")[2]


def cube_alternatives(
    kind: Literal["double", "take"], values: Values, place: int = 0, spread: float = 1.0
) -> tuple[Alternative, ...]:
    """Return the alternatives of a cube decision: no double, and double with each reply.

    Parameters
    ----------
    kind : {"double", "take"}
        Kind of decision. For a take, the roller has already doubled, and the cost of the
        double is ignored.
    values : Values
        Equities of the side that may double.
    place : int
        Index of the race in `values`.
    spread : float
        Factor by which errors in `values` are multiplied to obtain error bounds of costs.
    """
    decisions = values.decisions(place)
    waits, early, unsure = decisions["no double"]
    lost, off = (None, None) if kind == "take" else (early, spread * unsure)
    double = in_words("double", "owned" if values.owners[place] > 0 else "centred")
    found = [Alternative(f"no {double}", waits, lost, off)]
    _, early, unsure = decisions["double"]
    replies = ["take", "pass"] + ["beaver"] * values.terms.stakes.beavers
    for reply in replies:
        equity, cost, error = decisions[reply]
        if kind == "double":  # A right reply adds no error.
            cost, error = early + cost, unsure + (error if cost else 0.0)
        found.append(Alternative(f"{double}, {reply}", equity, cost, spread * error))
    return tuple(found)


def without_double(position: Race | GameState, equity: float, method: Method) -> Decision:
    """Return a cube decision for a roller who may not double; it has one alternative.

    Parameters
    ----------
    position : Race or GameState
        Position before the roll.
    equity : float
        Equity of the side on roll, in EMG.
    method : {"exact", "rollout", "model", "search"}
        Source of the equity.
    """
    only = Alternative(in_words("no double", position.cube), equity, 0.0, 0.0)
    return Decision("double", position, (only,), method=method)


def rated_alternatives(
    worth: Mapping[str, float] | Sequence[tuple[str, float]],
    error: float,
    *,
    least: bool = False,
) -> tuple[Alternative, ...]:
    """Return the alternatives of a decision with their costs, given their equities.

    Parameters
    ----------
    worth : mapping of str to float
        Equity of the roller for each alternative, in EMG.
    error : float
        Error of the cost of each alternative except the best one.
    least : bool
        Whether the opponent decides, and so prefers the lowest equity of the roller.

    Examples
    --------
    >>> [one.cost for one in rated_alternatives({"8/2": 0.5, "8/4 6/4": 0.25}, 0.01)]
    [0.0, 0.25]
    """
    pairs = list(worth.items() if isinstance(worth, Mapping) else worth)
    sign = -1 if least else 1
    ranked = [sign * equity for _, equity in pairs]
    first = ranked.index(max(ranked))
    return tuple(
        Alternative(name, equity, ranked[first] - rank, error if place != first else 0.0)
        for place, ((name, equity), rank) in enumerate(zip(pairs, ranked, strict=True))
    )
