"""Cube ladder: equities of wins and losses at the present and later values of the cube.

Rung :math:`k` is the cube after :math:`k` more doubles. The shares of wins and losses that
are gammons and backgammons do not change. In the roller's equities, winning and losing at
rung :math:`k` are worth :math:`W_k` and :math:`L_k` on average, and single games
:math:`m_k` and :math:`-m_k`. A *dead* cube, which is never turned again, is worth :math:`p
W_k + (1 - p) L_k`. A *live* cube is turned exactly when the other side can barely take. Its
owner's equity rises linearly from :math:`L_k` to the value of a cashed game at the chance
:math:`c_k`, and from there to :math:`W_k`. At :math:`c_k` the other side is indifferent
between passing and taking the cube at the next rung. The cube of the last rung is dead, and
the :math:`c_k` of both sides follow from it one by one. A cube of efficiency :math:`x` is
worth :math:`x` times the live value plus :math:`1 - x` times the dead value. For money
without gammons this is Janowski's model. The computation is in `ladder_kernels`.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.stakes.stakes import Money, Terms

Float64Array = NDArray[np.float64]

MONEY_RUNGS = 10
"""Number of doubles after which a money cube counts as dead. Each further double brings
take points four times as near to their limit."""

POINTS = (1, 2, 3, -1, -2, -3)
"""Points won or lost in a game, in units of the cube value; losses are negative."""


def cube_ladder(terms: Terms, centred: bool) -> Float64Array:
    """Return equities of the player on roll at each later value of the cube.

    The columns are in the order of `POINTS`. A cube that cannot be turned has one rung.

    Parameters
    ----------
    terms : Terms
        Stakes, and the present value of the cube.
    centred : bool
        Whether the cube is centred; under the Jacoby rule gammons then do not count.

    Examples
    --------
    At 2-away 4-away the leader wins the match with a doubled game, and so does the trailer
    after one more turn:

    >>> from bearoff import Match, Score
    >>> cube_ladder(Terms(Match(Score((2, 4)))), True).round(2)
    array([[ 1.  ,  2.73,  2.73, -1.  , -1.93, -3.58],
           [ 2.73,  2.73,  2.73, -1.93, -6.58, -6.58],
           [ 2.73,  2.73,  2.73, -6.58, -6.58, -6.58]])
    """
    stakes = terms.seen
    if isinstance(stakes, Money):
        rungs = MONEY_RUNGS + 1
    elif not stakes.has_cube:
        rungs = 1
    else:
        turns = -(-max(stakes.score.away) // terms.cube_value) - 1
        rungs = max(turns, 0).bit_length() + 1
    counts = np.outer(1 << np.arange(rungs), POINTS)
    ladder = terms.worth(counts)
    if stakes.jacoby and centred:
        ladder[0] = np.sign(POINTS)
    return ladder
