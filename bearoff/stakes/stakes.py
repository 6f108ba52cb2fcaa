r"""What a game is worth: for money, or at a score of a match.

With m(n) the worth of n points won, negative if they are lost, money is :math:`m(n) = n`
and a match has the chance to win it. Values of both are told as *equities*: on the
straight line that gives 1 for a single game won with the cube at :math:`c`, and -1 for
one lost. Then a double that is passed is worth 1 to whoever doubles, for either player
and at any stakes. For money these are points at a cube of 1; at a score they are
normalised (EMG), and the line is no factor: its middle, :math:`(m(c) + m(-c)) / 2`, is
not the chance of an even game.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import ScoreError
from bearoff.scores import (
    MatchEquities,
    MoneyPayoffs,
    Payoffs,
    Score,
    check_cube_value,
    known_equities,
)

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class Money:
    """Games for money: points are worth what they are.

    Attributes
    ----------
    jacoby : bool
        Whether gammons count only once the cube has been turned.
    beavers : bool
        Whether who is doubled may double back at once and keep the cube.
    has_cube : bool
        Whether the cube may be turned at all: not at its limit.
    """

    jacoby: bool = False
    beavers: bool = False
    has_cube: bool = True
    score: ClassVar[None] = None
    equities: ClassVar[None] = None

    @property
    def label(self) -> str:
        """What they are called: ``money``, or ``money by Jacoby's rule``."""
        return "money by Jacoby's rule" if self.jacoby else "money"

    @property
    def payoffs(self) -> MoneyPayoffs:
        """What the solvers need to know."""
        return MoneyPayoffs(self.jacoby)

    def exchanged(self) -> "Money":
        """Return the stakes as the other player has them: the same."""
        return self

    def line(self, cube_value: int) -> tuple[float, float]:
        """Return what equities of 0 and, beyond that, of 1 are worth, in points."""
        return 0.0, 1.0

    def worth(self, points: ArrayLike, cube_value: int) -> Float64Array:
        """Return the equities of so many times the cube won; lost, if negative."""
        return np.asarray(points, dtype=np.float64)


@dataclass(frozen=True)
class Match:
    """Games at a score: points are worth the chance to win the match that they leave.

    Attributes
    ----------
    score : Score
        As the first player has it.
    equities : MatchEquities
        As the first player has them.

    Raises
    ------
    ScoreError
        If a player is farther away than the match equity table goes.

    Examples
    --------
    At 2-away 4-away a single game moves the leader's chance by 10.7% from 70.7%; of a
    gammon won nothing is left to gain, and one lost costs three times as much as a game:

    >>> stakes = Match(Score((2, 4)))
    >>> [round(part, 3) for part in stakes.line(1)]
    [0.707, 0.107]
    >>> stakes.worth([1, 2, -1, -2], 1).round(2)
    array([ 1.  ,  2.73, -1.  , -1.93])
    """

    score: Score
    equities: MatchEquities = None  # type: ignore[assignment]
    jacoby: ClassVar[bool] = False
    beavers: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "equities", known_equities(self.equities))
        self.equities.chance(self.score)

    @property
    def label(self) -> str:
        """The score in words, and the name of the match equity table."""
        return f"{self.score}, {self.equities.name}"

    @property
    def has_cube(self) -> bool:
        """Whether the cube may be turned at all: not in Crawford's game."""
        return self.score.has_cube

    @cached_property
    def payoffs(self) -> Payoffs:
        """What the solvers need to know."""
        return self.equities.payoffs(self.score)

    def exchanged(self) -> "Match":
        """Return the stakes as the other player has them."""
        return _exchanged(self)

    def line(self, cube_value: int) -> tuple[float, float]:
        """Return what equities of 0 and, beyond that, of 1 are worth: chances to win."""
        won, lost = (self.equities.after(self.score, n * cube_value) for n in (1, -1))
        return (won + lost) / 2, (won - lost) / 2

    def worth(self, points: ArrayLike, cube_value: int) -> Float64Array:
        """Return the equities of so many times the cube won; lost, if negative."""
        counts = np.asarray(points, dtype=np.int64)
        middle, unit = self.line(cube_value)
        each, places = np.unique(counts, return_inverse=True)
        after = [self.equities.after(self.score, int(n) * cube_value) for n in each]
        return np.asarray((np.array(after)[places].reshape(counts.shape) - middle) / unit)


Stakes = Money | Match
"""What games are worth."""

MONEY = Money()


@lru_cache(maxsize=64)
def _exchanged(stakes: Match) -> Match:
    return Match(stakes.score.exchanged(), stakes.equities.exchanged())


@dataclass(frozen=True)
class Terms:
    """What a race is played for: the stakes, what the cube shows, and who is on roll.

    Values may be compared only if they are of the same terms, or of the other player's
    turn.

    Attributes
    ----------
    stakes : Money or Match
        As the first player has them: the one who asks.
    cube_value : int
        What the cube shows before it is turned again. For money 1: equities are told at a
        cube of 1, whatever it shows.
    turned : bool
        Whether the second player is on roll.
    """

    stakes: Stakes = MONEY
    cube_value: int = 1
    turned: bool = False

    def __post_init__(self) -> None:
        checks.instance(self.stakes, "stakes", (Money, Match), ScoreError)
        value = check_cube_value(self.cube_value)
        if self.stakes.score is None and value != 1:
            raise ScoreError(f"equities for money are at a cube of 1, got {value}")
        if not self.stakes.has_cube and value != 1:
            raise ScoreError(f"the cube shows 1 in Crawford's game, got {value}")

    @property
    def seen(self) -> Stakes:
        """The stakes as the player on roll has them."""
        return self.stakes.exchanged() if self.turned else self.stakes

    @property
    def unit(self) -> float | None:
        """Chance to win the match that an equity of 1 is worth; None for money."""
        return None if self.stakes.score is None else self.stakes.line(self.cube_value)[1]

    def cube_dead(self, owner: int) -> bool:
        """Whether nobody who may turn the cube gains by it, or nobody may.

        Parameters
        ----------
        owner : int
            1 if who is on roll owns it, -1 if the other does, 0 if it is centred.
        """
        score = self.seen.score
        if score is None:
            return not self.stakes.has_cube
        mine, theirs = score.away
        needed = {1: mine, -1: theirs, 0: max(mine, theirs)}[owner]
        return not self.stakes.has_cube or needed <= self.cube_value

    def can_gain(self, owner: int) -> bool:
        """Whether the player on roll can gain by turning the cube, if they may.

        Not where it is dead, nor where they need no more than it shows: a win is enough.

        Parameters
        ----------
        owner : int
            As for `cube_dead`.
        """
        score = self.seen.score
        enough = score is not None and score.away[0] <= self.cube_value
        return not enough and not self.cube_dead(owner)

    def next(self) -> "Terms":
        """Return the terms with the other player on roll."""
        return Terms(self.stakes, self.cube_value, not self.turned)

    def worth(self, points: ArrayLike) -> Float64Array:
        """Return equities of the player on roll who wins so many times the cube."""
        return self.seen.worth(points, self.cube_value)

    def chance(self, equity: ArrayLike) -> Float64Array:
        """Turn equities of the player on roll into chances to win the match."""
        middle, unit = self.seen.line(self.cube_value)
        return np.asarray(middle + unit * np.asarray(equity, dtype=np.float64))

    def equity(self, chance: ArrayLike) -> Float64Array:
        """Turn chances of the player on roll to win the match into equities."""
        middle, unit = self.seen.line(self.cube_value)
        return np.asarray((np.asarray(chance, dtype=np.float64) - middle) / unit)
