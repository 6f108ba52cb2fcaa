"""Cube theory: take points, and without gammons thresholds and equities.

Janowski (*Take-Points in Money Games*, 1993) interpolates between the two cubes theory
can solve. A *dead* cube is never turned again; a *live* one is turned just when the
opponent can barely take. With win probability :math:`p` and the cube at 1, equities are

============  ===========  ==================================
cube          dead         live, between the cash points
============  ===========  ==================================
owned         2p - 1       (5p - 2) / 2
centred       2p - 1       (10p - 5) / 3
opponent's    2p - 1       (5p - 3) / 2
============  ===========  ==================================

and a cube of efficiency :math:`x` is worth the share :math:`x` of live and
:math:`1 - x` of dead.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks

RACE_EFFICIENCY = 0.7
"""Cube efficiency usually assumed for long races; short ones have less."""

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class CubeThresholds:
    """Win probabilities of the roller at which the cube action changes.

    Attributes
    ----------
    double, redouble : float
        From here on doubling a centred, an owned cube is right.
    cash : float
        Above this the opponent passes; ``1 - cash`` is the take point.
    efficiency : float
        Cube efficiency, 0 dead to 1 live.
    """

    double: float
    redouble: float
    cash: float
    efficiency: float

    @classmethod
    def janowski(cls, efficiency: float = RACE_EFFICIENCY) -> Self:
        """Return the thresholds at a cube efficiency.

        Raises
        ------
        BearoffError
            If `efficiency` is not from 0 to 1.

        Examples
        --------
        The dead cube's and the live cube's textbook points:

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
    r"""Return the chances of winning that a take needs, the cube dead and live.

    Taking a dead cube is worth :math:`2(pW - (1-p)L)`, and passing -1, so the take point
    is :math:`(L - 1/2) / (W + L)`. A live cube is turned again just when the other side
    can barely take, which wins what it shows. The equity of its owner, at a cube of 1,
    then rises in a line from :math:`-L` to 1 at the other side's last take: it is
    :math:`p(W + L + 1/2) - L`, which gives a take point of
    :math:`(L - 1/2) / (W + L + 1/2)`.

    Parameters
    ----------
    wins, loses : float
        Points :math:`W` and :math:`L` that who takes wins on average where that side
        wins without a cube, and loses where it loses; 1 both without gammons.

    References
    ----------
    Janowski, as above.

    Examples
    --------
    Without gammons, and where half of the losses are gammons:

    >>> take_points(1, 1), take_points(1, 1.5)
    ((0.25, 0.2), (0.4, 0.3333333333333333))
    """
    dead, live = ((loses - 0.5) / (wins + loses + half) for half in (0.0, 0.5))
    return dead, live


def cubeful_equity(
    win_probability: ArrayLike, cube: str, efficiency: float = RACE_EFFICIENCY
) -> Float64Array:
    """Equity of holding the cube where it is, by Janowski's model.

    Parameters
    ----------
    win_probability : array_like of float
        Cubeless chance of the roller, 0 to 1.
    cube : {"owned", "centred", "opponent"}
        Who may double: the roller, both, the opponent.
    efficiency : float
        Cube efficiency, 0 dead to 1 live.

    Returns
    -------
    ndarray of float64
        Equity in points at a cube of 1, from the roller's side, not above the 1 that
        cashing gives nor below -1 where the opponent can cash.

    Raises
    ------
    BearoffError
        If `win_probability`, `cube` or `efficiency` is none of these.

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
    return efficiency * live[checks.choice(cube, "cube", tuple(live))] + (
        1 - efficiency
    ) * (2 * p - 1)


def _check_efficiency(efficiency: float) -> float:
    return checks.real(efficiency, "cube efficiency", 0, 1)
