"""The one rule by which a cost counts as a mistake."""

from typing import overload

import numpy as np
from numpy.typing import NDArray

DIGITS = 4
"""Decimals with which a cost is written."""


@overload
def is_mistake(cost: float, error: float = 0.0, digits: int = DIGITS) -> bool: ...
@overload
def is_mistake(
    cost: NDArray[np.float64], error: NDArray[np.float64], digits: int = DIGITS
) -> NDArray[np.bool_]: ...
def is_mistake(cost, error=0.0, digits=DIGITS):  # type: ignore[no-untyped-def]
    """Return whether a cost is beyond its error, and not 0 as it is written.

    Parameters
    ----------
    cost, error : float or ndarray
        In the same unit; NaN is no mistake.
    digits : int
        Decimals with which the cost is written.

    Examples
    --------
    >>> is_mistake(0.0213, 0.002), is_mistake(0.0213, 0.03), is_mistake(0.00004)
    (True, False, False)
    """
    return (cost > error) & (cost >= 0.5 * 10.0**-digits)
