"""Cube theory for money: take points, thresholds of cube actions, and equities.

Janowski (*Take-Points in Money Games*, 1993) interpolates between two kinds of cube, in
games without gammons. A *dead* cube is never turned again. A *live* cube is turned exactly
when the opponent can barely take. With the win probability :math:`p` and the cube at 1,
equities are

============  ===========  ==================================
cube          dead         live, between the cash points
============  ===========  ==================================
owned         2p - 1       (5p - 2) / 2
centred       2p - 1       (10p - 5) / 3
opponent's    2p - 1       (5p - 3) / 2
============  ===========  ==================================

With cube efficiency :math:`x`, the equity is :math:`x` times the live equity plus
:math:`1 - x` times the dead equity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.stakes.cube import cube_named

RACE_EFFICIENCY = 0.7
"""Usual cube efficiency of long races, from 0 (dead cube) to 1 (live cube). Short races
have a lower efficiency."""

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class CubeThresholds:
    """The roller's win probabilities at which the right cube action changes.

    Attributes
    ----------
    double, redouble : float
        Lowest win probability at which the roller should double, or redouble.
    cash : float
        Win probability above which the opponent should pass. The take point is ``1 -
        cash``.
    efficiency : float
        Cube efficiency, from 0 (dead cube) to 1 (live cube).
    """

    double: float
    redouble: float
    cash: float
    efficiency: float

    @classmethod
    def janowski(cls, efficiency: float = RACE_EFFICIENCY) -> Self:
        """Return the thresholds of Janowski's model for a given cube efficiency.

        Raises
        ------
        BearoffError
            If `efficiency` is not between 0 and 1.

        Examples
        --------
        Thresholds for a dead cube and for a live cube:

        >>> CubeThresholds.janowski(0)
        CubeThresholds(double=0.5, redouble=0.5, cash=0.75, efficiency=0.0)
        >>> live = CubeThresholds.janowski(1)
        >>> live.double, live.redouble, live.cash
        (0.8, 0.8, 0.8)
        """
        efficiency = _check_efficiency(efficiency)
        return cls(
            double=(3 + efficiency) / (6 - efficiency),
            redouble=(2 + 2 * efficiency) / (4 + efficiency),
            cash=(3 + efficiency) / (4 + efficiency),
            efficiency=efficiency,
        )


def take_points(wins: float, loses: float) -> tuple[float, float]:
    """Return the take points for a dead cube and for a live cube, as win probabilities.

    Taking a dead cube has the equity :math:`2(pW - (1-p)L)` and passing -1, so the take
    point is :math:`(L - 1/2) / (W + L)`. A live cube is turned again exactly when the
    opponent can barely take, which wins the cube value. The owner's equity at a cube of 1
    then rises linearly from :math:`-L` to 1, so it is :math:`p(W + L + 1/2) - L`, and the
    take point is :math:`(L - 1/2) / (W + L + 1/2)`.

    Parameters
    ----------
    wins, loses : float
        Mean points :math:`W` of the games that the taker wins, and :math:`L` of the games
        that the taker loses, played without a cube. Both are 1 without gammons.

    References
    ----------
    Janowski (1993), cited at the top of this module.

    Examples
    --------
    Take points without gammons, and if half of the losses are gammons:

    >>> take_points(1, 1), take_points(1, 1.5)
    ((0.25, 0.2), (0.4, 0.3333333333333333))
    """
    dead, live = ((loses - 0.5) / (wins + loses + half) for half in (0.0, 0.5))
    return dead, live


def cubeful_equity(
    win_probability: ArrayLike, cube: str, efficiency: float = RACE_EFFICIENCY
) -> Float64Array:
    """Return the cubeful equity for a win probability, according to Janowski's model.

    Parameters
    ----------
    win_probability : array_like of float
        The roller's win probability without a cube, from 0 to 1.
    cube : {"owned", "centred", "opponent"}
        Owner of the cube from the roller's viewpoint.
    efficiency : float
        Cube efficiency, from 0 (dead cube) to 1 (live cube).

    Returns
    -------
    ndarray of float64
        The roller's equity in points at a cube value of 1, from -1 (the roller passes) to 1
        (the opponent passes).

    Raises
    ------
    BearoffError
        If an argument is outside its range.

    Examples
    --------
    >>> cubeful_equity([0.5, 0.8], "centred", 1.0)
    array([0., 1.])
    """
    efficiency = _check_efficiency(efficiency)
    p = checks.reals(win_probability, "a win probability", 0, 1)
    live = {
        "owned": np.minimum(2.5 * p - 1, 1),
        "centred": np.clip((10 * p - 5) / 3, -1, 1),
        "opponent": np.maximum(2.5 * p - 1.5, -1),
    }
    return efficiency * live[cube_named(cube)] + (1 - efficiency) * (2 * p - 1)


def _check_efficiency(efficiency: float) -> float:
    return checks.real(efficiency, "cube efficiency", 0, 1)
