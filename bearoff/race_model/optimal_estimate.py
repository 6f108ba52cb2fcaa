r"""Correction of a win probability from fewest-rolls play to optimal play.

With optimal play, the player behind plays for large doubles, and the player ahead for a low
variance. The win probability :math:`p` with optimal play is therefore closer to one half
than the win probability :math:`q` by convolution of two fewest-rolls distributions. In
typical races in which the mean EPC :math:`e` of both players is at least 30 pips, p is
about

.. math:: p \approx q - \frac{0.27}{e} \, (2q - 1) \sqrt{q (1 - q)}

The correction is smaller if the mean EPC is below 30 pips, and 0 at 15 pips. The correction
is about a tenth of a percentage point, and halves the error of the convolution.
docs/rollouts.md contains the measurements.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks

_PIPS = 0.27
"""Size in pips of the correction for optimal play, fitted to optimal win probabilities of
races with 15 checkers per player."""

_NOTHING_AT, _ALL_FROM = 15.0, 30.0
"""Limits, in pips, for the mean EPC of both players. Up to the first limit, there is no
correction; from the second on, the correction has its full size."""


def estimate_optimal_win_probability(
    fewest_rolls: ArrayLike, roller_epc: ArrayLike, opponent_epc: ArrayLike
) -> NDArray[np.float64]:
    """Estimate the win probability with optimal play, given the one by convolution.

    Parameters
    ----------
    fewest_rolls : array_like of float
        The roller's win probability by convolution, from 0 to 1.
    roller_epc, opponent_epc : array_like of float
        EPCs in pips, with shapes that can be broadcast.

    Returns
    -------
    ndarray of float64
        The roller's win probability if both sides play optimally without a cube.

    Raises
    ------
    BearoffError
        If a probability is not between 0 and 1, or an EPC is negative or NaN.

    Examples
    --------
    In a race of 60 pips against 78 pips, the player ahead loses a tenth of a percentage
    point:

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
    """Estimate the win probability with optimal play, without checking the arguments."""
    epc = (roller + opponent) / 2
    share = (epc - _NOTHING_AT) / (_ALL_FROM - _NOTHING_AT)
    share = np.minimum(np.maximum(share, 0.0), 1.0)
    pips = share * _PIPS / np.maximum(epc, _NOTHING_AT)
    return chance - pips * (2 * chance - 1) * np.sqrt(chance * (1 - chance))
