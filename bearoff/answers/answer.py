"""The answer to one race: what is right, and what each alternative costs."""

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
"""Numbers of an alternative."""

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
"""Numbers of an answer that follow from its values."""

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
    *(f"{what}_{name}" for what in ("played", "decided") for name in CHOICE),
)
"""Fields of an answer: columns of files, keys of JSON, attributes in Python."""

NUMBERS = tuple(
    name
    for name in FIELDS
    if name not in ("kind", "action", "too_close", "cube_dead", "best_play")
)
"""Those that are numbers."""

_STANDARD_ERRORS = 2.0
"""Half-width of a rollout's interval, in standard errors."""


def intervals(kind: str) -> float:
    """Return how many times an error is the half-width of an interval."""
    return _STANDARD_ERRORS if kind == "rollout" else 1.0


def kinds_of(kind: Kind, values: Values) -> list[Kind]:
    """Return what values of a source are: exact where the fast model knows no error."""
    if kind != "model":
        return [kind] * len(values.owners)
    errors = np.fmax(values.no_double_error, values.double_take_error)
    return ["model" if error else "exact" for error in errors.tolist()]


def why_not_judged(decision: str, values: Values, place: int) -> str:
    """Say why a decision of a race has no cost; empty if it has one."""
    if not values.may_double[place]:
        return f"{decision!r} cannot be judged: the roller may not turn the cube"
    if decision == "beaver" and not values.terms.stakes.beavers:
        return "'beaver' cannot be judged: the race is not played with beavers"
    return ""


def rules_left_out(race: Race) -> Iterator[str]:
    """Say which rules a race carries that answers do not know, and what they assume."""
    limit, settled = race.cube_limit, _SETTLED * race.cube_value
    if race.score is not None:
        settled = 1 << (max(race.score.away) - 1).bit_length()
    if limit is not None and limit < settled and not race.cube_at_limit:
        yield (
            f"the limit of the cube, {limit}: it is taken to have none as long as it may "
            "be turned"
        )
    full = CHECKERS in (race.roller.on_board, race.opponent.on_board)
    if race.beavers and race.jacoby and race.cube == "centred" and full:
        yield "beavers after later doubles: only a double now may be doubled back"


_SETTLED = 1 << 6
"""Times the cube from which a limit makes no difference for money: each turn brings take
points four times as near to where they settle."""


@dataclass(frozen=True)
class Choice:
    """An alternative, and what it costs who chooses it.

    Attributes
    ----------
    name : str
        Such as ``no double`` or ``take``, or a play.
    equity : float
        Of the roller, in points at a cube of 1; normalised at a score.
    cost : float
        What it loses against the best alternative; 0 of the best.
    error : float
        Most by which the cost is wrong, of a rollout its root mean square.
    """

    name: str
    equity: float
    cost: float
    error: float


@dataclass(frozen=True)
class PlayChoice(Choice):
    """A play of the roll.

    Attributes
    ----------
    play : Play
        With the moves and the position after it.
    equity_error : float
        Most by which its equity is wrong, of a rollout its root mean square.
    wins : float
        Cubeless chance of the roller to win after it.
    gammons : float
        Cubeless chance that a gammon is won or lost after it.
    kind : {"exact", "model", "rollout"}
        What its equity is; a rollout leaves plays that the model finds far worse to it.
    """

    play: Play
    equity_error: float
    wins: float
    gammons: float
    kind: Kind


@dataclass(frozen=True)
class Side:
    """A side in numbers.

    Attributes
    ----------
    pips : int
        Raw pip count.
    epc : float
        Effective pip count.
    epc_error : float
        Of it, root mean square: 0 with all checkers home, where it is exact.
    std_rolls : float
        Standard deviation of the rolls that it takes.
    """

    pips: int
    epc: float
    epc_error: float
    std_rolls: float

    @property
    def wastage(self) -> float:
        """EPC less the raw pip count."""
        return self.epc - self.pips

    @property
    def mean_rolls(self) -> float:
        """Mean of the rolls that it takes."""
        return self.epc / PIPS_PER_ROLL


def decisions_of(values: Values) -> tuple[Choice, ...]:
    """Return what may be decided with the cube in the first of some races, as `Answer`."""
    if not values.may_double[0]:
        return ()
    double = "redouble" if values.owners[0] > 0 else "double"
    beaver = ("beaver",) if values.terms.stakes.beavers else ()
    names = f"no {double}", double, "take", "pass", *beaver
    named = zip(DECISIONS, names, strict=False)
    return tuple(Choice(name, *values.decision(one, 0)) for one, name in named)


class _Numbers:
    """Numbers of an answer that `Answer` reads off its values."""

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
    """What is right in a race.

    Fields are named alike here, in `Answers`, in files, JSON and HTTP: see `NUMBERS`,
    each of which is an attribute, None where it is not known. Equities are the roller's
    in points at a cube of 1; at a score they are normalised, so that a passed double is
    worth 1 and losing the cube as it stands -1.

    Attributes
    ----------
    race : Race
    kind : {"exact", "model", "rollout"}
        What the values are.
    roller, opponent : Side
    values : Values
        One entry: equities before the roll, and the decisions that follow.
    plays : tuple of PlayChoice
        Of the dice, the best first; none without dice.
    market : Market or None
        What an exchange of rolls does to a cube not turned, if asked for.
    window : DoublingWindow or None
        Where the action of a roller who may double changes, if asked for.
    """

    race: Race
    kind: Kind
    roller: Side
    opponent: Side
    values: Values
    plays: tuple[PlayChoice, ...] = ()
    market: Market | None = None
    window: DoublingWindow | None = None

    def __getattr__(self, name: str) -> float | None:
        """Return a number of the answer."""
        if name in OF_VALUES:
            number: float | None = self.numbers[name]
            return number
        raise AttributeError(f"an answer has no {name!r}")

    def __str__(self) -> str:
        """Return the board and the tables that `bearoff race` prints."""
        # A higher layer, looked up where it is needed.
        text: str = import_module("bearoff.app.race_answers.text").answer_text(self)
        return text

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """What follows from its values by name, None where it is not known."""
        row = self.values.row(0, intervals(self.kind))
        return {name: None if number != number else number for name, number in row.items()}

    @property
    def chance_per_equity(self) -> float | None:
        """At a score, the chance to win the match that an equity of 1 is worth."""
        return self.values.terms.unit

    @property
    def match_chance(self) -> float | None:
        """At a score, the chance to win the match, the cube used rightly."""
        return None if self.race.score is None else self.chance(self.equity)

    def chance(self, equity: float) -> float:
        """Turn an equity at a score into a chance to win the match."""
        return float(self.values.terms.chance(equity))

    @property
    def may_double(self) -> bool:
        """Whether the roller may turn the cube."""
        return bool(self.numbers["action"])

    @property
    def action(self) -> str | None:
        """The right cube action, as of `Values`; None where the roller may not double."""
        return self.numbers["action"] or None

    @property
    def too_close(self) -> bool:
        """Whether the errors leave the action open."""
        return bool(self.numbers["too_close"])

    @property
    def cube_dead(self) -> bool:
        """Whether nobody who may turn the cube gains by it, or nobody may."""
        return self.values.terms.cube_dead(self.values.owners.item(0))

    @property
    def has_market(self) -> bool:
        """Whether the roller may double and can gain by it: a market that can be lost."""
        return self.may_double and self.values.terms.can_gain(self.values.owners.item(0))

    @property
    def best_play(self) -> "PlayChoice | None":
        """The best play of the dice; None without dice."""
        return self.plays[0] if self.plays else None

    @property
    def best_equity(self) -> float | None:
        """Equity of the best play; None without dice."""
        return self.plays[0].equity if self.plays else None

    @property
    def best_error(self) -> float | None:
        """Error of that equity."""
        return self.plays[0].equity_error if self.plays else None

    @property
    def take_points(self) -> tuple[float, float] | None:
        """What the opponent needs to take for money, the cube dead and perfectly live.

        Chances to win, with this race's gammons; the true take point lies about between.
        None at a score, where the roller may not double, and if no gammons are told.
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
        """No double, double, take and pass; none where the roller may not double.

        By stakes with beavers that, too.
        """
        return decisions_of(self.values)

    @property
    def double_beaver(self) -> float | None:
        """Equity of a double that is doubled back; None where that may not be."""
        taken = self.double_take
        allowed = taken is not None and self.values.terms.stakes.beavers
        return 2 * taken if allowed and taken is not None else None

    @property
    def left_out(self) -> tuple[str, ...]:
        """Rules that the race says and the answer leaves out, a sentence each."""
        return tuple(rules_left_out(self.race))

    def decided(self, action: str) -> Choice:
        """Return what a cube decision is worth, and what it costs who makes it.

        Parameters
        ----------
        action : str
            ``double``, ``no double``, ``take``, ``pass`` or ``beaver``.

        Raises
        ------
        BearoffError
            If it is none of these, or the roller may not double.
        """
        decision = decision_named(action)
        if problem := why_not_judged(decision, self.values, 0):
            raise BearoffError(problem)
        return self.decisions[list(DECISIONS).index(decision)]

    def played(self, play: str | Play | Position) -> PlayChoice:
        """Return what a play of the dice is worth and costs.

        Parameters
        ----------
        play : str, Play or Position
            As players write it, or the position that it leads to.

        Raises
        ------
        BearoffError
            If there are no dice, or it is no legal play of them.
        """
        if self.race.dice is None:
            raise BearoffError("a play needs dice; give them with the position")
        if isinstance(play, str):
            play = Play.parse(play, self.race.roller, self.race.dice)
        after = play.after if isinstance(play, Play) else play
        points = self.race.roller.points
        counts = (after.counts + (0,) * points)[:points]
        for choice in self.plays:
            if choice.play.after.counts == counts and not any(after.counts[points:]):
                return choice
        raise BearoffError(f"no play of the dice leads to {after}")
