"""Answer to a question about one race, with all alternatives and their costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from bearoff.answers.question import DECISIONS, decision_named
from bearoff.errors import BearoffError
from bearoff.plays import Play
from bearoff.positions import CHECKERS, Position, Race
from bearoff.rolls import PIPS_PER_ROLL
from bearoff.sources import DoublingWindow, Kind, Market
from bearoff.stakes import Values, take_points

CHOICE = ("equity", "cost", "error")
"""Names of the numeric fields of a legal play or of a possible cube decision."""

OF_VALUES = (
    "win_probability",
    "gammons_won",
    "gammons_lost",
    "equity",
    "error",
    "no_double",
    "double_take",
    *Values.COSTS,
    "no_double_error",
    "double_take_error",
    "win_probability_error",
)
"""Names of the numeric fields of an answer that are computed from the equities before the
roll (`Values`)."""

OF_CHOICES = tuple(f"{what}_{name}" for what in ("played", "decided") for name in CHOICE)
"""Names of the numeric fields about the play or the cube decision to be judged."""

FIELDS = (
    "kind",
    *OF_VALUES[:5],
    "chance_per_equity",
    "action",
    "too_close",
    "cube_dead",
    *OF_VALUES[5:],
    "best_play",
    "best_equity",
    "best_error",
    *OF_CHOICES,
)
"""Names of all fields of an answer: columns in files, keys in JSON, and attributes in
Python."""

NUMBERS = tuple(
    name
    for name in FIELDS
    if name not in ("kind", "action", "too_close", "cube_dead", "best_play")
)
"""Names of the numeric fields of an answer."""

_STANDARD_ERRORS = 2.0
"""Half-width of the confidence interval of a rollout, as a multiple of the standard error.
"""


def intervals(kind: str) -> float:
    """Return the half-width of an equity's interval as a multiple of its stated error."""
    return _STANDARD_ERRORS if kind == "rollout" else 1.0


def kinds_of(kind: Kind, values: Values) -> list[Kind]:
    """Return how the values of each race were found: exact, model or rollout."""
    if kind != "model":
        return [kind] * len(values.owners)
    errors = np.fmax(values.no_double_error, values.double_take_error)
    return ["model" if error else "exact" for error in errors.tolist()]


def why_not_judged(decision: str, values: Values, place: int) -> str:
    """Return the reason why a cube decision cannot be judged, or an empty text."""
    if not values.may_double[place]:
        return f"{decision!r} cannot be judged: the roller may not turn the cube"
    if decision == "beaver" and not values.terms.stakes.beavers:
        return "'beaver' cannot be judged: the race is not played with beavers"
    return ""


def rules_left_out(race: Race) -> Iterator[str]:
    """Yield a description of each rule of a race that answers ignore."""
    full = CHECKERS in (race.roller.on_board, race.opponent.on_board)
    if race.beavers and race.jacoby and race.cube == "centred" and full:
        yield "beavers after later doubles; only a double now may be beavered"


@dataclass(frozen=True)
class Choice:
    """Play or cube decision to choose from, with its equity and its cost.

    Attributes
    ----------
    name : str
        Name of the alternative, such as ``no double`` or ``take``, or a play in notation.
    equity : float
        The roller's equity in points at a cube value of 1; at a match score in EMG.
    cost : float
        Equity that this alternative loses compared with the best alternative; 0 for the
        best.
    error : float
        Error of the cost: a bound, a standard error or a model error, as in `Values`.
    """

    name: str
    equity: float
    cost: float
    error: float


@dataclass(frozen=True)
class PlayChoice(Choice):
    """Legal play of the roll, with its equity and its cost.

    Attributes
    ----------
    play : Play
        Moves of the play, and the position after them.
    equity_error : float
        Error of the equity: a bound, a standard error or a model error, as in `Values`.
    wins : float
        The roller's cubeless win probability after the play.
    gammons : float
        Cubeless probability after the play that either side wins a gammon.
    kind : {"exact", "model", "rollout"}
        How the equity was found: exactly, by the fast model or by a rollout. Plays that are
        clearly bad according to the fast model are not rolled out.
    """

    play: Play
    equity_error: float
    wins: float
    gammons: float
    kind: Kind


@dataclass(frozen=True)
class SideSummary:
    """Pip count and EPC of one player, and the standard deviation of the rolls needed.

    Attributes
    ----------
    pips : int
        Pip count of the side.
    epc : float
        Effective pip count of the side, in pips.
    epc_error : float
        Root mean square error of the EPC, in pips. It is 0 if all checkers are in the home
        board.
    std_rolls : float
        Standard deviation of the number of rolls that the side needs to bear off.
    """

    pips: int
    epc: float
    epc_error: float
    std_rolls: float

    @property
    def wastage(self) -> float:
        """Wastage in pips: the effective pip count (EPC) minus the pip count."""
        return self.epc - self.pips

    @property
    def mean_rolls(self) -> float:
        """Mean number of rolls that the side needs to bear off all checkers."""
        return self.epc / PIPS_PER_ROLL


def decisions_of(values: Values) -> tuple[Choice, ...]:
    """Return the possible cube decisions of the first race, with their costs."""
    if not values.may_double[0]:
        return ()
    double = "redouble" if values.owners[0] > 0 else "double"
    return tuple(
        Choice(name.replace("double", double), *numbers)
        for name, numbers in values.decisions(0).items()
    )


class _Numbers:
    """Type declarations of the numeric attributes of `Answer`, for type checkers."""

    if TYPE_CHECKING:
        win_probability: float
        gammons_won: float | None
        gammons_lost: float | None
        equity: float
        error: float
        no_double: float
        double_take: float | None
        missed_double: float | None
        wrong_double: float | None
        wrong_take: float | None
        wrong_pass: float | None
        no_double_error: float
        double_take_error: float | None
        win_probability_error: float


@dataclass(frozen=True)
class Answer(_Numbers):
    """Answer to a question about a race: the right decision, and the costs of alternatives.

    Fields have the same names here, in `Answers`, in files, in JSON and over HTTP. Every
    name in `NUMBERS` is an attribute, which is None if it does not apply. Equities are from
    the roller's viewpoint, in points at a cube value of 1. At a match score, they are in
    EMG: the equity of a passed double is 1, and that of losing a single game at the current
    cube value is -1.

    Attributes
    ----------
    race : Race
    kind : {"exact", "model", "rollout"}
        How the values were found: exactly, by the fast model or by rollouts.
    roller, opponent : SideSummary
    values : Values
        Equities before the roll, and cube decisions, as arrays of length 1.
    plays : tuple of PlayChoice
        Legal plays of the roll, best first; empty if there are no dice.
    market : Market or None
        Outcomes of the next two rolls if the roller does not double, which show the market
        losers. None unless requested.
    window : DoublingWindow or None
        Win probabilities at which the roller's right cube action changes. None unless
        requested.
    """

    race: Race
    kind: Kind
    roller: SideSummary
    opponent: SideSummary
    values: Values
    plays: tuple[PlayChoice, ...] = ()
    market: Market | None = None
    window: DoublingWindow | None = None

    def __getattr__(self, name: str) -> float | None:
        """Return a numeric field of the answer by its name."""
        if name in OF_VALUES:
            number: float | None = self.numbers[name]
            return number
        if name in OF_CHOICES:
            return None  # Only plays and cube decisions have this field.
        raise AttributeError(f"an Answer has no attribute {name!r}")

    def __str__(self) -> str:
        """Return the board and the tables that `bearoff race` prints."""
        # The package `bearoff` must not import `bearoff.app` statically, so the function is
        # imported by name.
        text: str = import_module("bearoff.app.race_answers.text").answer_text(self)
        return text

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """Numeric fields of the answer by name; None for a field that does not apply."""
        row = self.values.row(0, intervals(self.kind))
        return {name: None if number != number else number for name, number in row.items()}

    @property
    def chance_per_equity(self) -> float | None:
        """Match-winning chance per unit of equity; None for money."""
        return self.values.terms.unit

    @property
    def match_chance(self) -> float | None:
        """Match-winning chance after the right cube decisions; None for money."""
        return None if self.race.score is None else self.chance(self.equity)

    def chance(self, equity: float) -> float:
        """Convert an equity at a match score to a match-winning chance."""
        return float(self.values.terms.chance(equity))

    @property
    def may_double(self) -> bool:
        """Whether the roller may double now."""
        return bool(self.numbers["action"])

    @property
    def action(self) -> str | None:
        """Right cube action, as in `Values`; None if the roller may not double."""
        return self.numbers["action"] or None

    @property
    def too_close(self) -> bool:
        """Whether the equities' errors are too large to determine the right cube action."""
        return bool(self.numbers["too_close"])

    @property
    def cube_dead(self) -> bool:
        """Whether neither player can gain by a double, now or later."""
        return self.values.terms.cube_dead(self.values.owners.item(0))

    @property
    def has_market(self) -> bool:
        """Whether the roller may double now, and can gain by a double now or later."""
        return self.may_double and self.values.terms.can_gain(self.values.owners.item(0))

    @property
    def best_play(self) -> PlayChoice | None:
        """Best play of the roll; None if there are no dice."""
        return self.plays[0] if self.plays else None

    @property
    def best_equity(self) -> float | None:
        """Equity of the best play; None if there are no dice."""
        return self.plays[0].equity if self.plays else None

    @property
    def best_error(self) -> float | None:
        """Error of the best play's equity; None if there are no dice."""
        return self.plays[0].equity_error if self.plays else None

    @property
    def take_points(self) -> tuple[float, float] | None:
        """The opponent's take points for money, with a dead cube and with a live cube.

        Each take point is the opponent's win probability, and allows for the gammon chances
        of this race. The actual take point is approximately between the two take points.
        The result is None at a match score, if the gammon chances are unknown, or if the
        roller may not double.
        """
        wins, won, lost = self.win_probability, self.gammons_won, self.gammons_lost
        if self.race.score is not None or not self.may_double or None in (won, lost):
            return None
        assert won is not None
        assert lost is not None
        gains = 1 + (lost / (1 - wins) if wins < 1 else 0.0)
        return take_points(gains, 1 + (won / wins if wins else 0.0))

    @property
    def decisions(self) -> tuple[Choice, ...]:
        """Cube decisions no double, double, take and pass; empty if no double is allowed.

        If beavers are allowed, the beaver is the fifth alternative.
        """
        return decisions_of(self.values)

    @property
    def double_beaver(self) -> float | None:
        """Equity after a double and a beaver; None if a beaver is not possible."""
        taken = self.double_take
        allowed = taken is not None and self.values.terms.stakes.beavers
        return 2 * taken if allowed and taken is not None else None

    @property
    def left_out(self) -> tuple[str, ...]:
        """Descriptions of the rules of the race that the answer ignores."""
        return tuple(rules_left_out(self.race))

    def decided(self, action: str) -> Choice:
        """Return a cube decision with its equity and its cost.

        Parameters
        ----------
        action : str
            Name of the decision: ``double``, ``no double``, ``take``, ``pass`` or
            ``beaver``.

        Raises
        ------
        BearoffError
            If there is no cube decision of this name, or the roller may not double.
        """
        decision = decision_named(action)
        if problem := why_not_judged(decision, self.values, 0):
            raise BearoffError(problem)
        return self.decisions[list(DECISIONS).index(decision)]

    def played(self, play: str | Play | Position) -> PlayChoice:
        """Return a play of the roll with its equity and its cost.

        Parameters
        ----------
        play : str, Play or Position
            Play in notation, or the position after the play.

        Raises
        ------
        BearoffError
            If the question has no dice, or the play is not legal with the dice.
        """
        if self.race.dice is None:
            raise BearoffError("a play requires dice; give the dice with the position")
        if isinstance(play, str):
            play = Play.parse(play, self.race.roller, self.race.dice)
        after = play.after if isinstance(play, Play) else play
        points = self.race.roller.points
        counts = (after.counts + (0,) * points)[:points]
        for choice in self.plays:
            if choice.play.after.counts == counts and not any(after.counts[points:]):
                return choice
        raise BearoffError(f"no legal play of the dice leads to {after}")
