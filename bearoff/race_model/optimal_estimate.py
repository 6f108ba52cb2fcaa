r"""Estimate the win probability of optimal play from that of fewest-rolls play.

The side behind plays for large doubles and gains by it, the side ahead for evenness:
the optimal win probability :math:`p` is nearer to a half than the convolution :math:`q`
of two fewest-rolls distributions. In races as they arise, with a mean EPC of both sides
of :math:`e` pips,

.. math:: p \approx q - \frac{0.27}{e} \, (2q - 1) \sqrt{q (1 - q)}

from 30 pips on, and less below, nothing at 15: a tenth of a per cent in all, half of what
the convolution is off. docs/rollouts.md has the measurements.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks

_PIPS = 0.27
"""Fitted to the optimal win probabilities of 15 checkers."""

_NOTHING_AT, _ALL_FROM = 15.0, 30.0
"""Mean EPC between which the correction sets in."""


def estimate_optimal_win_probability(
    fewest_rolls: ArrayLike, roller_epc: ArrayLike, opponent_epc: ArrayLike
) -> NDArray[np.float64]:
    """Estimate the optimal from the fewest-rolls win probability.

    Parameters
    ----------
    fewest_rolls : array_like of float
        Chance of the roller by convolution, 0 to 1.
    roller_epc, opponent_epc : array_like of float
        In pips; broadcast against each other and the chances.

    Returns
    -------
    ndarray of float64
        Chance of the roller if both sides play their best without a cube.

    Raises
    ------
    BearoffError
        If a chance is not from 0 to 1, or an EPC is negative or no number.

    Examples
    --------
    A side 15 to 20 pips ahead in a race of 60 gives back a tenth of a per cent:

    >>> print(f"{estimate_optimal_win_probability(0.9, 60.0, 78.0):.4f}")
    0.8991
    """
    chance, roller, opponent = checks.broadcast(
        fewest_rolls=checks.reals(fewest_rolls, "a win probability", 0, 1),
        roller_epc=checks.reals(roller_epc, "an EPC", 0),
        opponent_epc=checks.reals(opponent_epc, "an EPC", 0),
    )
    return np.asarray(optimal(chance, roller, opponent))


def optimal(chance: Any, roller: Any, opponent: Any) -> Any:
    """Estimate it of numbers or arrays that are checked; compiled, too."""
    epc = (roller + opponent) / 2
    share = (epc - _NOTHING_AT) / (_ALL_FROM - _NOTHING_AT)
    share = np.minimum(np.maximum(share, 0.0), 1.0)
    pips = share * _PIPS / np.maximum(epc, _NOTHING_AT)
    return chance - pips * (2 * chance - 1) * np.sqrt(chance * (1 - chance))
