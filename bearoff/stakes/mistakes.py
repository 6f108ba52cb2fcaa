"""Rule that decides whether the equity lost by a decision counts as a mistake."""

from typing import overload

import numpy as np
from numpy.typing import NDArray

DIGITS = 4
"""Number of decimals, in texts, of the equity that a decision costs."""


@overload
def is_mistake(cost: float, error: float = 0.0, digits: int = DIGITS) -> bool: ...
@overload
def is_mistake(
    cost: NDArray[np.float64], error: NDArray[np.float64], digits: int = DIGITS
) -> NDArray[np.bool_]: ...
def is_mistake(cost, error=0.0, digits=DIGITS):  # type: ignore[no-untyped-def]
    """Return whether the cost of a decision exceeds its error and does not round to 0.

    Parameters
    ----------
    cost, error : float or ndarray
        Cost of the decision, and error of the cost in the same unit. A cost of NaN is not a
        mistake.
    digits : int
        Number of decimals to which the cost is rounded.

    Examples
    --------
    >>> is_mistake(0.0213, 0.002), is_mistake(0.0213, 0.03), is_mistake(0.00004)
    (True, False, False)
    """
    return (cost > error) & (cost >= 0.5 * 10.0**-digits)
