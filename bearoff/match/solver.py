r"""Solve every pair of two sides' positions at a score, in float64.

Values are player A's chances to win the match. With the cube at :math:`c`, let
:math:`A(x, y)` be the value with A on roll at :math:`x` and B at :math:`y`, and
:math:`B(x, y)` that with B on roll. A may double if the cube is centred or A's, and then

.. math::

    A = \max\left(\overline{\max B(x', y)}, \min(A_{2c}, m(c))\right), \quad
    B = \overline{\min A(x, y')}

with the bar for the mean over the 36 throws, the inner extremes over the plays,
:math:`A_{2c}` where the cube is at :math:`2c` and B's, and :math:`m(c)` the chance to
win the match after :math:`c` points won. The same holds for B with the signs
exchanged. Where the game is over the value is :math:`m` of the points won: the cube's
value, twice that for a gammon.

A side that wins the match with what the cube shows cannot gain by turning it: its cube is
*dead*. So levels of the cube end where it is worth what both sides need; automatic
redoubles, and leaders who never redouble, follow from the equations. Positions of A are
solved by levels of their pips, for each level first with A on roll and then with B.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.match import kernels
from bearoff.match.equities import MatchEquities
from bearoff.match.score import Score
from bearoff.match.sides import Side

Float64Array = NDArray[np.float64]


class Plane(NamedTuple):
    """Values of all pairs, A's chances to win the match, in slots of both sides.

    Attributes
    ----------
    a_on_roll : ndarray of float64, shape (slots of B, slots of A)
        With A on roll, before A may double.
    b_on_roll : ndarray of float64, shape (slots of A, slots of B)
        With B on roll, before B may double.
    """

    a_on_roll: Float64Array
    b_on_roll: Float64Array


class Solver:
    """Planes of two sides at a score, each solved when it is first asked for.

    Parameters
    ----------
    a, b : Side
        Positions of both players.
    score : Score
        As A has it.
    equities : MatchEquities
        As A has them.
    """

    def __init__(self, a: Side, b: Side, score: Score, equities: MatchEquities) -> None:
        self.a, self.b, self.score, self.equities = a, b, score, equities
        self._dead = 1 << (max(score.away) - 1).bit_length()
        self._planes: dict[tuple[int, bool, bool], Plane] = {}

    def chance_after(self, points: int) -> float:
        """A's chance to win the match once A has won so many points, lost if negative."""
        return self.equities.after(self.score, points)

    def plane(self, cube_value: int, a_may: bool, b_may: bool) -> Plane:
        """Return the values with the cube at `cube_value`, where A or B may double."""
        value = min(cube_value, self._dead)
        live = self.score.has_cube
        key = (
            value,
            a_may and live and self.score.away[0] > value,
            b_may and live and self.score.away[1] > value,
        )
        if key not in self._planes:
            self._planes[key] = self._solve(*key)
        return self._planes[key]

    def decided(self) -> Plane:
        """Return the values where who wins the game wins the match."""
        return self.plane(self._dead, False, False)

    def _solve(self, value: int, a_may: bool, b_may: bool) -> Plane:
        a, b = self.a, self.b
        nothing = np.empty((0, 0))
        # Once A has doubled the cube is B's.
        a_doubled = self.plane(2 * value, False, True).a_on_roll if a_may else nothing
        b_doubled = self.plane(2 * value, True, False).b_on_roll if b_may else nothing
        won, lost = self._over(b, value), self._over(a, -value)
        a_on_roll = np.empty((b.size, a.size))
        b_on_roll = np.empty((a.size, b.size))
        # Who is on roll and has borne off has won, whatever the other has.
        a_on_roll[0], a_on_roll[:, 0] = lost, won
        b_on_roll[0], b_on_roll[:, 0] = won, lost
        everything = (1, b.size)
        for rows in zip(a.levels[1:-1].tolist(), a.levels[2:].tolist(), strict=True):
            kernels.solve_rows(
                b_on_roll,
                a.offsets,
                a.successors,
                rows,
                everything,
                1,
                a_doubled,
                self.chance_after(value),
                a_on_roll,
            )
            kernels.solve_rows(
                a_on_roll,
                b.offsets,
                b.successors,
                everything,
                rows,
                -1,
                b_doubled,
                self.chance_after(-value),
                b_on_roll,
            )
        return Plane(a_on_roll, b_on_roll)

    def _over(self, loser: Side, points: int) -> Float64Array:
        """Values once the game is over, by the loser's slot: `points`, or a gammon."""
        single, gammon = self.chance_after(points), self.chance_after(2 * points)
        return np.where(loser.full, gammon, single)
