"""One decision: what could be done, what each choice costs, and what was done.

A decision is worked out once, from the values of its race or board. Reviews, the library,
the trainer, Play, cards, files, tools and the page show what it says and work out nothing.

What a choice loses is the cost of `Values.decision` and `PlayValues.cost_and_error`: never
below 0, and 0 of what counts as equal there. Four rules are added here, once for all:

- A cost is written with `Decision.digits` decimals: four in a race, three where a search
  estimates it.
- A decision is a *mistake* if its cost is above its error, and not 0 as it is written.
- What was done is right if its cost is 0 as it is written.
- Where nothing was done, or that is wrong, what costs least is right. Of equal choices
  that is the first play, and with the cube to double and to take, as in `Values.action`.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from bearoff import BearoffError, Race
from bearoff.analysis.review.file_says import FileSays, in_words
from bearoff.game.state import GameState
from bearoff.stakes import DIGITS, Values, is_mistake

UNIT = "EMG"
"""Unit of every equity and cost: points divided by the value of the cube."""

SHOWN_PLAYS = 5
"""Plays of a roll that are kept, and the one that was made."""

LENGTHS = ((40, "up to 40 pips"), (70, "41 to 70 pips"), (10**9, "over 70 pips"))
"""Classes of races, by the pips of the side on roll."""

CONTACT = "with contact"
"""Class of decisions before the race, beside `LENGTHS`."""

Kind = Literal["double", "take", "play", "resign"]

Method = Literal["exact", "rollout", "model", "search"]

DIGITS_OF_A_SEARCH = 3
"""Decimals of costs that a search estimates, whose errors are some thousandths."""

MATTERS = 0.001
"""EMG between the best choice and the worst from which on a choice counts for a rating."""

CLOSE = 0.2
"""EMG between doubling and waiting below which waiting counts for a rating."""

_FIRST_OF_EQUAL = ("beaver", "take", "pass")
"""Replies in the order in which the first of equal ones is right."""


@dataclass(frozen=True)
class Alternative:
    """A choice: what it is worth, and what it costs.

    Attributes
    ----------
    name : str
        A play; ``no double``, or ``double, take`` and so on with the reply; who owns the
        cube redoubles.
    equity : float
        Equity of the side on roll, EMG.
    cost : float or None
        What is lost against what is right, EMG: if the cube is turned wrongly and answered
        wrongly, by both sides together. None of what is not decided any more.
    error : float or None
        Most by which the cost may differ from the truth; of rollouts and models two
        standard errors and what is known of their bias.
    """

    name: str
    equity: float
    cost: float | None
    error: float | None


@dataclass(frozen=True)
class Decision:
    """A decision in a race or on a whole board, and what was done.

    Attributes
    ----------
    kind : {"double", "take", "play", "resign"}
        Whether to double, whether to take, how to play a roll, whether to give up.
    position : Race or GameState
        With cube, score and dice, from the side on roll; of a take as before the double.
    alternatives : tuple of Alternative
        Plays, the best first; of the cube no double, then each reply to a double.
    decided : str
        What was done: one of the plays, or ``no double``, ``double``, ``take``, ``pass``
        or ``beaver``. Empty if nobody says.
    method : {"exact", "rollout", "model", "search"}
        How the values were found.
    formula : str
        What the recommended formula says of a double or a take; empty of plays.
    reason : str
        What tells the choice from the best one, of a board; may be empty.
    source : str
        The file it is from.
    game, line : int
        Number of the game, and line of the file.
    player : str
        Name of the player who decided.
    file : FileSays or None
        What the file's own analysis says, if it has one of this.
    comment : str
        What somebody wrote of it in the file.
    depth : int
        Rolls that a search looked ahead; 0 is the net at once. 0 of other methods.
    worst : float
        Most that a play costs which the alternatives leave out, EMG.
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
        """The race that it is in.

        Raises
        ------
        BearoffError
            If there is contact.
        """
        if isinstance(self.position, Race):
            return self.position
        raise BearoffError(f"{self.position.xgid} is not a race: there is contact")

    @property
    def in_race(self) -> bool:
        """Whether contact is over."""
        return isinstance(self.position, Race)

    @property
    def digits(self) -> int:
        """Decimals with which its costs are written."""
        return DIGITS_OF_A_SEARCH if self.method == "search" else DIGITS

    @cached_property
    def made(self) -> int | None:
        """Place among the alternatives of what was done; None if nobody says."""
        return self.place_of(self.decided) if self.decided else None

    @property
    def cost(self) -> float:
        """What was lost by what was done, EMG; 0 if it is right, or nobody says."""
        return 0.0 if self.made is None else self.alternatives[self.made].cost or 0.0

    @property
    def error(self) -> float:
        """Most by which `cost` may differ from the truth."""
        return 0.0 if self.made is None else self.alternatives[self.made].error or 0.0

    @property
    def is_mistake(self) -> bool:
        """Whether it costs more than its error, and is seen as written."""
        return is_mistake(self.cost, self.error, self.digits)

    @property
    def is_seen(self) -> bool:
        """Whether the cost is not 0 as it is written, be it within its error."""
        return is_mistake(self.cost, digits=self.digits)

    @property
    def is_counted(self) -> bool:
        """Whether a rating counts it, by the rule of eXtreme Gammon.

        A play counts if there is another by which something is lost. A double, and every
        answer to one, counts; to wait counts if doubling is right, or is nearly so.
        """
        if self.kind == "resign":
            return False
        if self.kind == "take" or self.decided == "double":
            return True
        between = max(self.worst, *(self.cost_of(choice) for choice in self.choices))
        if between < MATTERS:
            return False
        return self.kind == "play" or self.cost > 0 or between < CLOSE

    @cached_property
    def right(self) -> int:
        """Place among the alternatives of what is right."""
        if self.made is not None and not self.is_seen:
            return self.made
        return self._least(range(len(self.alternatives)))

    @property
    def best(self) -> str:
        """What is right: a play, a reply, or what to do with the cube.

        Such as ``double, take`` or ``too good to double``.
        """
        one = self.alternatives[self.right]
        if self.kind == "take":
            return _reply(one)
        if self.kind != "double" or _reply(one):
            return one.name
        passed = next(each for each in self.alternatives if _reply(each) == "pass")
        return (
            one.name if one.equity <= passed.equity else self.worded("too good to double")
        )

    @property
    def choices(self) -> tuple[str, ...]:
        """What whoever decides may do: plays, replies, or to double or not."""
        if self.kind == "double":
            return "no double", "double"
        if self.kind == "take":
            return tuple(_reply(one) for one in self.alternatives if _reply(one))
        return tuple(one.name for one in self.alternatives)

    @property
    def right_choice(self) -> str:
        """Which of the choices is right."""
        return next(one for one in self.choices if self.place_of(one) == self.right)

    @property
    def next_best(self) -> Alternative | None:
        """The best of the other choices; None if there is no other."""
        places = {self.place_of(one) for one in self.choices} - {self.right}
        return self.alternatives[self._least(places)] if places else None

    def worded(self, text: str) -> str:
        """Return what is done with the cube as players say it: who owns it redoubles."""
        return in_words(text, self.position.cube)

    @property
    def done(self) -> str:
        """What was done, as `best` words it."""
        return self.worded(self.decided) if self.kind == "double" else self.decided

    @property
    def equity(self) -> float:
        """What the side on roll has if all is decided rightly from here on, EMG."""
        return self.alternatives[self._least(range(len(self.alternatives)))].equity

    @property
    def length(self) -> str:
        """Class of `LENGTHS` of the race, or `CONTACT`."""
        if not self.in_race:
            return CONTACT
        pips = self.race.roller.pips
        return next(name for most, name in LENGTHS if pips <= most)

    def place_of(self, decided: str) -> int:
        """Return the place among the alternatives of something that may be decided.

        Of a double that is the one with the right reply.

        Raises
        ------
        BearoffError
            If it is no alternative.
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
        raise BearoffError(f"a choice is one of {', '.join(self.choices)}, got {decided!r}")

    def choosing(self, choice: str) -> "Decision":
        """Return the decision as if this had been done, however that is worded.

        Raises
        ------
        BearoffError
            If it is no alternative.
        """
        named = {self.worded(one): one for one in self.choices}
        decided = named.get(choice, choice)
        self.place_of(decided)
        return replace(self, decided=decided)

    def shortened(self, most: int = SHOWN_PLAYS) -> "Decision":
        """Return it with the best plays alone, and the one that was made."""
        kept = [
            one
            for place, one in enumerate(self.alternatives)
            if place < most or place == self.made
        ]
        worst = max((one.cost or 0.0 for one in self.alternatives), default=0.0)
        return replace(self, alternatives=tuple(kept), worst=max(worst, self.worst))

    def cost_of(self, decided: str) -> float:
        """Return what something that may be decided would have lost, EMG.

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
        """Return which of some alternatives costs least; of equal ones see the module."""

        def order(place: int) -> tuple[float, int]:
            one = self.alternatives[place]
            reply = _reply(one)
            first = _FIRST_OF_EQUAL.index(reply) if reply else len(_FIRST_OF_EQUAL)
            return math.inf if one.cost is None else one.cost, first

        return min(places, key=order)


def _reply(one: Alternative) -> str:
    """Return what is replied where the cube is turned; empty of other choices."""
    return one.name.partition(", ")[2]


def cube_alternatives(
    kind: Literal["double", "take"], values: Values, place: int = 0, spread: float = 1.0
) -> tuple[Alternative, ...]:
    """Return what may be done with the cube: no double, and a double with each reply.

    Parameters
    ----------
    kind : {"double", "take"}
        What is decided: of a take the double is made, and costs nothing any more.
    values : Values
        Of who is on roll and may double.
    place : int
        Which of the races.
    spread : float
        Half-width of an interval, in errors.
    """
    waits, early, unsure = values.decision("no double", place)
    lost, off = (None, None) if kind == "take" else (early, spread * unsure)
    double = in_words("double", "owned" if values.owners[place] > 0 else "centred")
    found = [Alternative(f"no {double}", waits, lost, off)]
    _, early, unsure = values.decision("double", place)
    replies = ["take", "pass"] + ["beaver"] * values.terms.stakes.beavers
    for reply in replies:
        equity, cost, error = values.decision(reply, place)
        if kind == "double":  # A right reply adds nothing.
            cost, error = early + cost, unsure + (error if cost else 0.0)
        found.append(Alternative(f"{double}, {reply}", equity, cost, spread * error))
    return tuple(found)


def rated_alternatives(
    worth: Mapping[str, float] | Sequence[tuple[str, float]],
    error: float,
    *,
    least: bool = False,
) -> tuple[Alternative, ...]:
    """Return choices of which equities alone are known, as a search or a file has them.

    Parameters
    ----------
    worth : mapping of str to float
        Equities of the side on roll, EMG.
    error : float
        Of the cost of each but the best.
    least : bool
        Whether the side that is not on roll decides, for which the least is best.

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
