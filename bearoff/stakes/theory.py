"""Cube theory for money: take points, and cube thresholds and equities without gammons.

Janowski (*Take-Points in Money Games*, 1993) interpolates between two cubes with closed
solutions. A *dead* cube is never turned again. A *live* cube is turned exactly when the
opponent can barely take. With win probability :math:`p` and the cube at 1, equities are

============ =========== ================================== cube dead live, between the cash
points ============ =========== ================================== owned 2p - 1 (5p - 2) / 2
centred 2p - 1 (10p - 5) / 3 opponent's 2p - 1 (5p - 3) / 2 ============ ===========
==================================

A cube of efficiency :math:`x` is worth :math:`x` times the live value plus :math:`1 - x`
times the dead value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.stakes.cube import cube_named

RACE_EFFICIENCY = 0.7
"""Cube efficiency that is usual for long races; it is lower in short races."""

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class CubeThresholds:
    """Winning chances of the roller at which the right cube action changes.

    Attributes
    ----------
    double, redouble : float
        Lowest winning chance at which doubling, or redoubling, is right.
    cash : float
        Winning chance above which the opponent passes; the take point is ``1 - cash``.
    efficiency : float
        Cube efficiency from 0 (dead cube) to 1 (live cube).
    """

    double: float
    redouble: float
    cash: float
    efficiency: float

    @classmethod
    def janowski(cls, efficiency: float = RACE_EFFICIENCY) -> Self:
        """Return the thresholds for a cube efficiency.

        Raises
        ------
        BearoffError
            If `efficiency` is not between 0 and 1.

        Examples
        --------
        The well-known thresholds of the dead and of the live cube:

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
    """Return the winning chances needed to take, with a dead cube and with a live cube.

    Taking a dead cube is worth :math:`2(pW - (1-p)L)` and passing -1, so the take point is
    :math:`(L - 1/2) / (W + L)`. A live cube is turned again exactly when the other side can
    barely take, which wins the value of the cube. The owner's equity at a cube of 1 rises
    linearly from :math:`-L` to 1 at the other side's last take. It is :math:`p(W + L + 1/2)
    - L`, so the take point is :math:`(L - 1/2) / (W + L + 1/2)`.

    Parameters
    ----------
    wins, loses : float
        Mean points :math:`W` of games that the taker wins and :math:`L` of games that
        the taker loses, played without a cube; both are 1 without gammons.

    References
    ----------
    Janowski (1993), cited at the top of this module.

    Examples
    --------
    Take points without gammons, and with half of the losses being gammons:

    >>> take_points(1, 1), take_points(1, 1.5)
    ((0.25, 0.2), (0.4, 0.3333333333333333))
    """
    dead, live = ((loses - 0.5) / (wins + loses + half) for half in (0.0, 0.5))
    return dead, live


def cubeful_equity(
    win_probability: ArrayLike, cube: str, efficiency: float = RACE_EFFICIENCY
) -> Float64Array:
    """Return the cubeful equity by Janowski's model.

    Parameters
    ----------
    win_probability : array_like of float
        The roller's cubeless winning chance, from 0 to 1.
    cube : {"owned", "centred", "opponent"}
        Position of the cube: the roller, both players, or the opponent may double.
    efficiency : float
        Cube efficiency from 0 (dead cube) to 1 (live cube).

    Returns
    -------
    ndarray of float64
        The roller's equity in points at a cube of 1, between 1 for cashing and -1 for a
        pass to the opponent's double.

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
