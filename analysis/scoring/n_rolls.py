r"""Exact solution of races in which each side needs n rolls, or fewer if it rolls doubles.

Each roll reduces the number of rolls that a side needs by one, and a double reduces it by
two.

For example, a side with 2n checkers on the ace point needs n rolls, because a roll bears
off two checkers and a double four. Let :math:`W, O, C` be the roller's equity at a cube
value of 1 if the cube is owned by the opponent, owned by the roller, or centred. Let D be
the roller's equity after a double and the right reply. A prime denotes the position after
the roll, seen from the other side, and E is the mean over all rolls. These equities satisfy

.. math:: W = E(-O'), \quad O = \max(E(-W'), D), \quad C = \max(E(-C'), D), \quad
          D = \min(2W, 1).

All numbers are exact fractions; they are rounded only when printed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from bearoff import PIPS_PER_ROLL
from bearoff.analysis.outcomes import Cells
from bearoff.errors import BearoffError

DOUBLE = Fraction(1, 6)
"""Probability of rolling a double."""

MOST_ROLLS = 40
"""Maximum number of rolls per side for which n-roll races are solved."""

REGIONS = Cells.REGIONS


@dataclass(frozen=True)
class RollRace:
    """Roller's equities in a race in which each side needs a given number of rolls.

    Attributes
    ----------
    roller, opponent : int
        Numbers of rolls that the roller and the opponent need without doubles.
    win_probability : Fraction
        Win probability of the roller without the cube.
    no_double, no_redouble : Fraction
        Equity without doubling this turn, with a centred and with an owned cube, in points
        at a cube value of 1.
    double_take : Fraction
        Equity after a double and a take; after a pass it is 1.

    Examples
    --------
    Eight checkers against eight on the ace points; a redouble and a take are right:

    >>> race = roll_race(4, 4)
    >>> print(f"{float(race.no_redouble):.6f} {float(race.double_take):.6f} {race.action}")
    0.792953 0.916752 redouble, take
    """

    roller: int
    opponent: int
    win_probability: Fraction
    no_double: Fraction
    no_redouble: Fraction
    double_take: Fraction

    @property
    def region(self) -> int:
        """Index of the right cube action in `REGIONS`, from 0 (no double) to 3 (pass)."""
        if self.double_take > 1:
            return 3
        if self.double_take >= self.no_redouble:
            return 2
        return int(self.double_take >= self.no_double)

    @property
    def action(self) -> str:
        return REGIONS[self.region]


@cache
def roll_race(roller: int, opponent: int) -> RollRace:
    """Solve a race in which each side needs a given number of rolls without doubles."""
    for rolls in (roller, opponent):
        if not 1 <= rolls <= MOST_ROLLS:
            raise BearoffError(
                f"the n-roll game is solved for 1 to {MOST_ROLLS} rolls only, got {rolls}"
            )
    return RollRace(
        roller,
        opponent,
        (_expected(_cubeless, roller, opponent) + 1) / 2,
        _expected(_centred, roller, opponent),
        _expected(_opponents, roller, opponent),
        2 * _opponents(roller, opponent),
    )


def _expected(value: Callable[[int, int], Fraction], n: int, m: int) -> Fraction:
    """Return the roller's mean value over all rolls; a side with no rolls left has won."""

    def after(left: int) -> Fraction:
        return -value(m, left) if left > 0 else Fraction(1)

    return (1 - DOUBLE) * after(n - 1) + DOUBLE * after(n - 2)


def _doubled(n: int, m: int) -> Fraction:
    return min(2 * _opponents(n, m), Fraction(1))


@cache
def _cubeless(n: int, m: int) -> Fraction:
    return _expected(_cubeless, n, m)


@cache
def _opponents(n: int, m: int) -> Fraction:
    return _expected(_owned, n, m)


@cache
def _owned(n: int, m: int) -> Fraction:
    return max(_expected(_opponents, n, m), _doubled(n, m))


@cache
def _centred(n: int, m: int) -> Fraction:
    return max(_expected(_centred, n, m), _doubled(n, m))


@cache
def mean_rolls(n: int) -> Fraction:
    """Return the mean number of rolls of a side that needs `n` rolls without doubles.

    Examples
    --------
    >>> print(mean_rolls(2), mean_rolls(4))
    11/6 767/216
    """
    if n <= 0:
        return Fraction(0)
    return 1 + (1 - DOUBLE) * mean_rolls(n - 1) + DOUBLE * mean_rolls(n - 2)


def roll_epc(n: int) -> float:
    """Return the EPC of a side that needs n rolls without doubles, in pips.

    Examples
    --------
    Trice's rule estimates this EPC as 7n + 1 pips:

    >>> print(f"{roll_epc(5):.2f} {roll_epc(8):.2f}")
    36.00 57.00
    """
    return float(mean_rolls(n)) * PIPS_PER_ROLL
