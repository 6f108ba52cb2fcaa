"""A decision with what was right, and sums over decisions."""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bearoff import Race
from bearoff.analysis.review.file_says import FileSays, right_of_cube
from bearoff.stakes import is_mistake

UNIT = "EMG"
"""Of every equity and cost: normalised to the cube as it stands, 1 is what it shows."""

LENGTHS = ((40, "up to 40 pips"), (70, "41 to 70 pips"), (10**9, "over 70 pips"))
"""Classes of races, by the pips of the side on roll."""


@dataclass(frozen=True)
class Judged:
    """A decision, what was right and what the choice cost.

    Attributes
    ----------
    source : str
        The file it is from.
    game, line : int
        Number of the game, and line of the file.
    player : str
        Who decided.
    kind : {"double", "take", "play"}
        Whether to double, whether to take, how to play a roll.
    race : Race
        The race with cube, score and dice, from the side on roll.
    decided : str
        What was done, empty if nobody says.
    equities : tuple of (str, float)
        What each alternative is worth to the side on roll, normalised to the cube as it
        stands (EMG): 1 is what the cube shows. Of plays the best first.
    cost : float
        What the choice loses, EMG; 0 if it is right.
    error : float
        Most by which `cost` may differ from the truth, or, of rollouts and models, two
        standard errors and what is known of their bias.
    method : str
        How it was found: ``exact``, ``rollout`` or ``model``.
    formula : str
        What the recommended formula says of a double or a take; empty of plays.
    file : FileSays or None
        What the file's own analysis says, if it has one of this.
    comment : str
        What somebody wrote of it in the file.
    """

    source: str
    game: int
    line: int
    player: str
    kind: Literal["double", "take", "play"]
    race: Race
    decided: str
    equities: tuple[tuple[str, float], ...]
    cost: float
    error: float
    method: str
    formula: str = ""
    file: FileSays | None = None
    comment: str = ""

    @property
    def is_mistake(self) -> bool:
        """Whether it costs more than the values may be wrong by, and is seen as written."""
        return is_mistake(self.cost, self.error)

    @property
    def best(self) -> str:
        """What is right; what was done where that loses nothing that is seen.

        A play, ``take``, ``pass``, or what `right_of_cube` says of a double.
        """
        right = bool(self.decided) and not is_mistake(self.cost)
        if self.kind == "play":
            return self.decided if right else self.equities[0][0]
        waits, taken, passed = (equity for _, equity in self.equities)
        if right and self.kind == "take":
            return self.decided
        if right:  # Ties go to what was done.
            doubled = self.decided == "double"
            waits = -math.inf if doubled else max(waits, min(taken, passed))
        return right_of_cube(self.kind, waits, taken, passed)

    def cost_of(self, decision: str) -> float:
        """Return what a cube decision would have lost, EMG; not of plays.

        Examples
        --------
        >>> from bearoff import Race
        >>> known = (("no double", 0.5), ("double, take", 0.4), ("double, pass", 1.0))
        >>> race = Race.parse("LwAAwC0AAAAAAA")
        >>> what = "take", race, "pass", known, 0.6, 0.0, "exact"
        >>> one = Judged("file", 1, 1, "player", *what)
        >>> one.cost_of("take"), one.cost_of("pass")
        (0.0, 0.6)
        """
        waits, taken, passed = (equity for _, equity in self.equities)
        if self.kind == "take":
            worse = taken - passed if decision == "take" else passed - taken
        else:
            turned = min(taken, passed)
            worse = waits - turned if decision == "double" else turned - waits
        return max(worse, 0.0)

    @property
    def equity(self) -> float:
        """What the side on roll has if all is decided rightly from here on, EMG."""
        known = dict(self.equities)
        if self.kind == "play":
            return self.equities[0][1]
        doubled = min(known["double, take"], known["double, pass"])
        return doubled if self.kind == "take" else max(known["no double"], doubled)

    @property
    def length(self) -> str:
        """Its class of `LENGTHS`."""
        pips = self.race.roller.pips
        return next(name for most, name in LENGTHS if pips <= most)


@dataclass(frozen=True)
class Total:
    """Sums over some decisions.

    Attributes
    ----------
    name : tuple of str
        What they have in common.
    decisions, mistakes : int
        How many there are, and how many of them cost more than their error.
    lost : float
        What they lost together, EMG.
    formula_differs : int
        Of doubles and takes: how often what the recommended formula says loses something.
    """

    name: tuple[str, ...]
    decisions: int
    mistakes: int
    lost: float
    formula_differs: int


def totals(
    judged: Iterable[Judged], key: Callable[[Judged], tuple[str, ...]]
) -> Sequence[Total]:
    """Sum decisions by what `key` says of them, in the order in which it first says so."""
    groups: dict[Hashable, list[Judged]] = defaultdict(list)
    for one in judged:
        groups[key(one)].append(one)
    return [
        Total(
            key(group[0]),
            len(group),
            sum(one.is_mistake for one in group),
            sum(one.cost for one in group),
            sum(
                bool(one.formula) and is_mistake(one.cost_of(one.formula)) for one in group
            ),
        )
        for group in groups.values()
    ]
