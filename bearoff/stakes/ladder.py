"""Cube ladder: equities of wins and losses at the present cube value and all later ones.

The cube value doubles from one rung of the ladder to the next, starting with the present
value at rung 0. The fractions of wins and losses that are gammons and backgammons are
assumed constant. At rung :math:`k`, the roller's mean equity is :math:`W_k` over all wins
and :math:`L_k` over all losses. The equity with a *dead* cube, which is never turned again,
is :math:`p W_k + (1 - p) L_k`. A *live* cube is turned exactly when the opponent can barely
take. The owner's equity rises linearly from :math:`L_k` at the win probability 0 to the
equity of a passed double at :math:`c_k`, and from there to :math:`W_k` at the win
probability 1. At :math:`c_k`, a pass and a take at the next rung are equally good for the
opponent. The cube of the last rung is dead, and the :math:`c_k` of both players follow from
it one by one. With cube efficiency :math:`x`, the equity is :math:`x` times the live equity
plus :math:`1 - x` times the dead equity. For money without gammons, this is Janowski's
model. The computation is in `ladder_kernels`.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.stakes.stakes import Money, Terms

Float64Array = NDArray[np.float64]

MONEY_RUNGS = 10
"""Number of doubles after which a cube in money play is treated as dead. Each further
double that is included reduces the error of take points to a quarter."""

POINTS = (1, 2, 3, -1, -2, -3)
"""Points won or lost in a game, divided by the cube value: single games, gammons and
backgammons, won and then lost."""


def cube_ladder(terms: Terms, centred: bool) -> Float64Array:
    """Return the roller's equities of all game results at this and later cube values.

    Each row has the equities of the results in `POINTS` at one cube value. If the cube
    cannot be turned, there is only one row.

    Parameters
    ----------
    terms : Terms
        Stakes, and present value of the cube.
    centred : bool
        Whether the cube is centred. With a centred cube, gammons do not count under the
        Jacoby rule.

    Examples
    --------
    At 2-away 4-away, a game wins the match for the leader at a cube of 2, and for the
    trailer at a cube of 4:

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
