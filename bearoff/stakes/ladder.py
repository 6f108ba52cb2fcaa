r"""What each further turn of the cube plays for: the rungs between now and a dead cube.

Rung :math:`k` is the cube turned :math:`k` more times. With the shares of wins and losses
that are gammons and backgammons held fixed, winning and losing at it are worth
:math:`W_k` and :math:`L_k`, and single games :math:`m_k` and :math:`-m_k` in the roller's
equities, whatever the stakes. A *dead* cube is worth :math:`p W_k + (1 - p) L_k`. A *live*
one is turned just when the other side can barely take: its owner's equity rises in a line
from :math:`L_k` to a cashed game at the chance :math:`c_k` where a double to the next rung
would be worth just that to the other side, its owner, and on to :math:`W_k`. From the last
rung, whose cube is dead, the :math:`c_k` of both sides follow one after another. A cube of
efficiency :math:`x` is worth the share :math:`x` of live and :math:`1 - x` of dead, as in
Janowski's model, which this is without gammons, for money. `ladder_kernels` computes it.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.stakes.stakes import Money, Terms

Float64Array = NDArray[np.float64]

MONEY_RUNGS = 10
"""Turns after which a cube for money is taken as dead; each brings take points four times
as near to where they settle."""

POINTS = (1, 2, 3, -1, -2, -3)
"""What is won and lost on a rung, in its cubes."""


def cube_ladder(terms: Terms, centred: bool) -> Float64Array:
    """Return the equities of the player on roll on each rung, shape (rungs, 6).

    By `POINTS`. One rung stands for a cube that nobody turns any more.

    Parameters
    ----------
    terms : Terms
        Stakes, and what the cube shows on rung 0.
    centred : bool
        Whether the cube has not been turned: by Jacoby's rule it then counts no gammons.

    Examples
    --------
    At 2-away 4-away a double lets the leader win all, and the trailer as well:

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
