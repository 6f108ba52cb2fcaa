"""The answer to one race: what is right, and what each alternative costs."""

from dataclasses import dataclass

from bearoff.answers.question import decision_named
from bearoff.answers.values import Kind, Values
from bearoff.cube import Market
from bearoff.errors import BearoffError
from bearoff.plays import Play
from bearoff.positions import Position, Race


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
    kind : {"exact", "model", "rollout"}
        What its equity is; a rollout leaves plays that the model finds far worse to it.
    """

    play: Play
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
    """

    pips: int
    epc: float
    epc_error: float

    @property
    def wastage(self) -> float:
        """EPC less the raw pip count."""
        return self.epc - self.pips


@dataclass(frozen=True)
class Answer:
    """What is right in a race.

    Equities are the roller's in points at a cube of 1; at a score they are normalised, so
    that a passed double is worth 1 and losing the cube as it stands -1.

    Attributes
    ----------
    race : Race
    kind : {"exact", "model", "rollout"}
        What the values are.
    roller, opponent : Side
    win_probability : float
        Of the roller, without a cube.
    gammons_won, gammons_lost : float or None
        Chances of the roller without a cube; None where the source knows none.
    equity, error : float
        Before the roll, the cube used rightly, and the most by which it is wrong; of a
        rollout its root mean square.
    action : str or None
        ``no double``, ``too good to double``, ``double, take`` or ``double, pass``;
        ``redouble`` of an owned cube. None where the roller may not double.
    too_close : bool
        Whether the errors leave the action open.
    no_double, double, take, pass_ : Choice or None
        What each decision is worth and costs; None where the roller may not double.
    plays : tuple of PlayChoice
        Of the dice, the best first; none without dice.
    unit : float or None
        At a score, the chance to win the match that an equity of 1 is worth.
    values : Values
        All this rests on.
    market : Market or None
        What an exchange of rolls does to a cube not turned, if asked for.
    """

    race: Race
    kind: Kind
    roller: Side
    opponent: Side
    win_probability: float
    gammons_won: float | None
    gammons_lost: float | None
    equity: float
    error: float
    action: str | None
    too_close: bool
    no_double: Choice | None
    double: Choice | None
    take: Choice | None
    pass_: Choice | None
    values: Values
    plays: tuple[PlayChoice, ...] = ()
    unit: float | None = None
    market: Market | None = None

    def decided(self, action: str) -> Choice:
        """Return what a cube decision is worth, and what it costs who makes it.

        Parameters
        ----------
        action : str
            ``double``, ``no double``, ``take`` or ``pass``.

        Raises
        ------
        BearoffError
            If it is none of these, or the roller may not double.
        """
        decision = decision_named(action)
        found = {
            "no double": self.no_double,
            "double": self.double,
            "take": self.take,
            "pass": self.pass_,
        }[decision]
        if found is None:
            raise BearoffError(
                f"there is no {decision} to judge: the roller may not turn the cube"
            )
        return found

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
