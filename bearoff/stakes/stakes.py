"""Stakes of a game (money or a match score), and equities of points at these stakes.

Let m(n) be the value of n points won; n is negative for points lost. For money, :math:`m(n)
= n`; in a match, m is the match-winning chance. *Equities* are a linear function of m: 1
for a single game won with the cube at :math:`c`, and -1 for a single game lost. A passed
double therefore always has the equity 1 for the player who doubled. For money, equities are
points divided by the cube value. At a score, they are normalised (EMG): an equity of 0 is
the match-winning chance :math:`(m(c) + m(-c)) / 2`, which may differ from the chance before
an even game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import ScoreError
from bearoff.scores import (
    LimitedPayoffs,
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
    """Money play, in which every point has the same value.

    Attributes
    ----------
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
    beavers : bool
        Whether beavers are allowed: a player who is doubled may redouble at once and keep
        the cube.
    limit : int or None
        Largest value of the cube divided by its present value: a power of two, or 1 for a
        cube that has reached its limit. None if the cube has no limit.

    Raises
    ------
    ScoreError
        If beavers are allowed and the cube has a limit that it has not reached. A beaver
        would reach the limit sooner, which the solved values do not include.
    """

    jacoby: bool = False
    beavers: bool = False
    limit: int | None = None
    score: ClassVar[None] = None
    equities: ClassVar[None] = None

    @property
    def label(self) -> str:
        """Description of the stakes: ``money`` or ``money with the Jacoby rule``."""
        return "money with the Jacoby rule" if self.jacoby else "money"

    def __post_init__(self) -> None:
        if self.beavers and self.is_chain:
            raise ScoreError(
                f"beavers cannot be combined with a cube limit of {self.limit} times the "
                "cube value; omit the beavers or the limit"
            )

    @property
    def has_cube(self) -> bool:
        """Whether the game has a doubling cube that can still be turned."""
        return self.limit != 1

    @property
    def is_chain(self) -> bool:
        """Whether the cube has a maximum value that it has not reached yet."""
        return self.limit is not None and self.has_cube

    @property
    def payoffs(self) -> MoneyPayoffs | LimitedPayoffs:
        """Payoffs of money games, from which the solvers compute values."""
        if self.limit is not None and self.has_cube:
            return LimitedPayoffs(self.limit, self.jacoby)
        return MoneyPayoffs(self.jacoby)

    def exchanged(self) -> Money:
        """Return the same stakes, because money play is the same for both players."""
        return self

    def line(self, cube_value: int) -> tuple[float, float]:
        """Return the points that equity 0 stands for, and the points per unit of equity."""
        return 0.0, 1.0

    def worth(self, points: ArrayLike, cube_value: int) -> Float64Array:
        """Return the equities of winning or losing given multiples of the cube value."""
        return np.asarray(points, dtype=np.float64)


@dataclass(frozen=True)
class Match:
    """Stakes at a match score, where a game counts by the match-winning chance after it.

    Attributes
    ----------
    score : Score
        Score from the first player's viewpoint.
    equities : MatchEquities
        Match equity table from the first player's viewpoint.

    Raises
    ------
    ScoreError
        If the match equity table does not contain the score.

    Examples
    --------
    At 2-away 4-away, a single game changes the leader's match-winning chance of 70.7% by
    10.7 percentage points. Winning a gammon wins the match; losing a gammon costs nearly
    twice as much as losing a single game:

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
    is_chain: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "equities", known_equities(self.equities))
        self.equities.chance(self.score)

    @property
    def label(self) -> str:
        """Text with the match score and the name of the match equity table."""
        return f"{self.score}, {self.equities.name}"

    @property
    def has_cube(self) -> bool:
        """Whether the cube can be turned; false in the Crawford game."""
        return self.score.has_cube

    @cached_property
    def payoffs(self) -> Payoffs:
        """Payoffs of games at the match score, from which the solvers compute values."""
        return self.equities.payoffs(self.score)

    def exchanged(self) -> Match:
        """Return the stakes from the other player's viewpoint."""
        return _exchanged(self)

    def line(self, cube_value: int) -> tuple[float, float]:
        """Return the match-winning chance at equity 0, and the gain per unit of equity."""
        won, lost = (self.equities.after(self.score, n * cube_value) for n in (1, -1))
        return (won + lost) / 2, (won - lost) / 2

    def worth(self, points: ArrayLike, cube_value: int) -> Float64Array:
        """Return the equities of winning or losing given multiples of the cube value."""
        counts = np.asarray(points, dtype=np.int64)
        middle, unit = self.line(cube_value)
        each, places = np.unique(counts, return_inverse=True)
        after = [self.equities.after(self.score, int(n) * cube_value) for n in each]
        return np.asarray((np.array(after)[places].reshape(counts.shape) - middle) / unit)


Stakes = Money | Match
"""Stakes of a game: money or a match score."""

MONEY = Money()


@lru_cache(maxsize=64)
def _exchanged(stakes: Match) -> Match:
    return Match(stakes.score.exchanged(), stakes.equities.exchanged())


@dataclass(frozen=True)
class Terms:
    """Stakes, cube value and player on roll, which define the meaning of equities.

    Equities may be compared only if their terms are equal or differ only in the player on
    roll.

    Attributes
    ----------
    stakes : Money or Match
        Stakes from the first player's viewpoint.
    cube_value : int
        Value of the cube before the next double. For money, it is always 1, because money
        equities are in points divided by the cube value.
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
            raise ScoreError(
                f"equities in money play require a cube value of 1, got {value}"
            )
        if not self.stakes.has_cube and value != 1:
            raise ScoreError(f"in the Crawford game the cube value must be 1, got {value}")

    @property
    def seen(self) -> Stakes:
        """Stakes from the viewpoint of the player on roll."""
        return self.stakes.exchanged() if self.turned else self.stakes

    @property
    def unit(self) -> float | None:
        """Match-winning chance per unit of equity; None for money."""
        return None if self.stakes.score is None else self.stakes.line(self.cube_value)[1]

    def cube_dead(self, owner: int) -> bool:
        """Return whether neither player can gain anything by doubling, now or later.

        Parameters
        ----------
        owner : int
            Owner of the cube: 1 for the player on roll, -1 for the opponent, 0 if the cube
            is centred.
        """
        score = self.seen.score
        if score is None:
            return not self.stakes.has_cube
        mine, theirs = score.away
        needed = {1: mine, -1: theirs, 0: max(mine, theirs)}[owner]
        return not self.stakes.has_cube or needed <= self.cube_value

    def can_gain(self, owner: int) -> bool:
        """Return whether a legal double might gain anything for the player on roll.

        The result is False if the cube is dead, or if a win at the present cube value wins
        the match.

        Parameters
        ----------
        owner : int
            Owner of the cube: a number, as in `cube_dead`.
        """
        score = self.seen.score
        enough = score is not None and score.away[0] <= self.cube_value
        return not enough and not self.cube_dead(owner)

    def next(self) -> Terms:
        """Return the same stakes and cube value with the other player on roll."""
        return Terms(self.stakes, self.cube_value, not self.turned)

    def worth(self, points: ArrayLike) -> Float64Array:
        """Return the roller's equities of points, given as multiples of the cube value."""
        return self.seen.worth(points, self.cube_value)

    def chance(self, equity: ArrayLike) -> Float64Array:
        """Convert equities of the player on roll to match-winning chances."""
        middle, unit = self.seen.line(self.cube_value)
        return np.asarray(middle + unit * np.asarray(equity, dtype=np.float64))

    def equity(self, chance: ArrayLike) -> Float64Array:
        """Convert match-winning chances of the player on roll to equities."""
        middle, unit = self.seen.line(self.cube_value)
        return np.asarray((np.asarray(chance, dtype=np.float64) - middle) / unit)
