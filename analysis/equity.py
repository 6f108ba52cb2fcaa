"""What cube decisions gain or cost at a known chance to win, by Janowski's model.

The roller who doubles gets the worse for him of the take and the pass; doubling gains
the difference to holding the cube. The opponent who takes gains the difference to
passing. All in points at a cube of 1 before the decision, money play, no gammons.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.formulas.base import Decision
from bearoff import cubeful_equity

ACTIONS = ("double", "redouble", "take")
"""The three decisions, by the names of the fields of `Gains` and `Decision`."""

Float64Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Gains:
    """Equity gained by acting rather than not; negative where acting is wrong.

    Attributes
    ----------
    double, redouble : ndarray of float64
        To the roller, of turning a centred and an owned cube.
    take : ndarray of float64
        To the opponent who has been doubled, of taking.
    """

    double: Float64Array
    redouble: Float64Array
    take: Float64Array

    @classmethod
    def at(cls, win_probability: Float64Array, efficiency: float) -> "Gains":
        """Return the gains at the roller's chances to win, 0 to 1.

        Examples
        --------
        Two sides of a live cube at the point of last take, where taking costs nothing:

        >>> import numpy as np
        >>> gains = Gains.at(np.array([0.8, 1.0]), 1.0)
        >>> gains.double.round(9) + 0, gains.take.round(9) + 0
        (array([0., 0.]), array([ 0., -1.]))
        """
        taken = 2 * cubeful_equity(win_probability, "opponent", efficiency)
        doubled = np.minimum(taken, 1)
        return cls(
            double=doubled - cubeful_equity(win_probability, "centred", efficiency),
            redouble=doubled - cubeful_equity(win_probability, "owned", efficiency),
            take=1 - taken,
        )

    def lost(self, decision: Decision) -> dict[str, Float64Array]:
        """Equity that each of a decision's `ACTIONS` gives away, 0 or more."""
        return {
            action: np.maximum(
                np.where(getattr(decision, action), -1, 1) * getattr(self, action), 0
            )
            for action in ACTIONS
        }
