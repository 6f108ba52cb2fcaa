r"""Take points, doubling windows and gammon values at a score.

They are exact for two cubes. In the *last roll* nobody turns the cube again: with
:math:`m(n)` the chance to win the match after :math:`n` points won, the cube at
:math:`c` and the chance :math:`p` to win the game, doubling is right and passing is right

.. math::

    p &\ge \frac{m(-c) - m(-2c)}{m(-c) - m(-2c) + m(2c) - m(c)}, \\
    p &> \frac{m(c) - m(-2c)}{m(2c) - m(-2c)}.

A perfectly *live* cube is turned just where it should be, as chances change by small
steps (Keeler and Spencer, 1975, for money). Whoever owns it has the least concave function
of :math:`p` that lies above losing, winning and doubling; a double leaves the opponent
with such a function at :math:`2c`. All of them are made of straight pieces, from the cube
that is dead for its owner down.
"""

from dataclasses import dataclass
from itertools import pairwise

from bearoff import checks
from bearoff.errors import ScoreError
from bearoff.scores import MatchEquities, Score, check_cube_value, match_equities

Points = list[tuple[float, float]]
"""Corners of a function of the chance to win the game, from 0 to 1."""


@dataclass(frozen=True)
class MatchThresholds:
    """Where the cube action changes at a score, as chances of the roller to win the game.

    Attributes
    ----------
    score : Score
        Before the game.
    cube_value : int
        What the cube shows before a double.
    double : float or None
        In the last roll, from here on doubling is right: 0 always, 1 never. None if the
        cube cannot be turned or it makes no difference.
    live_double : float or None
        The same of a live cube: where the opponent is about to pass, unless the double
        risks nothing.
    cash, live_cash : float or None
        Above this the opponent passes, in the last roll and against a live cube; None in
        Crawford's game.
    gammon_value, gammon_loss : float
        What a gammon won adds to a game won, and one lost takes from a game lost, as a
        share of the difference between winning and losing; half for money.
    """

    score: Score
    cube_value: int
    double: float | None
    live_double: float | None
    cash: float | None
    live_cash: float | None
    gammon_value: float
    gammon_loss: float

    @property
    def take_point(self) -> float | None:
        """Chance that the opponent needs to take in the last roll."""
        return None if self.cash is None else 1.0 - self.cash

    @property
    def live_take_point(self) -> float | None:
        """Chance that the opponent needs to take a cube that will be perfectly live."""
        return None if self.live_cash is None else 1.0 - self.live_cash


def match_thresholds(
    score: Score, cube_value: int = 1, equities: MatchEquities | None = None
) -> MatchThresholds:
    """Return take points, doubling window and gammon values of the roller at a score.

    Parameters
    ----------
    score : Score
        As the roller has it.
    cube_value : int
        What the cube shows before the roller doubles.
    equities : MatchEquities or None
        The match equity table, Kazaross-XG2 if None.

    Raises
    ------
    ScoreError
        If there is no such score or cube, or the table does not go so far.

    Examples
    --------
    2-away against 4-away the trailer needs 37% to take in the last roll, but only 19%
    before it, with an automatic redouble:

    >>> at = match_thresholds(Score((2, 4)))
    >>> round(at.take_point, 3), round(at.live_take_point, 3)
    (0.371, 0.186)
    """
    checks.instance(score, "a score", Score, ScoreError)
    value = check_cube_value(cube_value)
    table = match_equities() if equities is None else equities
    checks.instance(table, "equities", MatchEquities, ScoreError)
    won, more, lost, most_lost = (
        table.after(score, points) for points in (value, 2 * value, -value, -2 * value)
    )
    double = live_double = cash = live_cash = None
    if score.has_cube:
        risk, gain = lost - most_lost, more - won
        double = risk / (risk + gain) if risk + gain else None
        cash = (won - most_lost) / (more - most_lost)
        given = _given(score, table, value)
        live_cash = _reaches(given, won)[0]
        if double is not None:
            # Who waits loses nothing, unless waiting is no better anywhere below.
            straight = given[0][1] == lost and given[1][0] >= live_cash
            live_double = 0.0 if straight else 1.0 if double == 1.0 else live_cash
    return MatchThresholds(
        score,
        value,
        double,
        live_double,
        cash,
        live_cash,
        gammon_value=(more - won) / (won - lost),
        gammon_loss=(lost - most_lost) / (won - lost),
    )


def _owned(score: Score, table: MatchEquities, value: int) -> Points:
    """Return what the owner of a live cube has, concave in the chance to win the game."""
    won, lost = table.after(score, value), table.after(score, -value)
    if score.away[0] <= value:  # Winning is enough; the cube is dead.
        return [(0.0, lost), (1.0, won)]
    given = _given(score, table, value)
    cash = _reaches(given, won)
    below = [corner for corner in given if corner[0] < cash[0]]
    return _upper_hull([(0.0, lost), *below, cash, (1.0, won)])


def _given(score: Score, table: MatchEquities, value: int) -> Points:
    """Return what a player has who has doubled to twice `value`, convex."""
    theirs = _owned(score.exchanged(), table.exchanged(), 2 * value)
    return [(1.0 - p, 1.0 - chance) for p, chance in reversed(theirs)]


def _reaches(corners: Points, level: float) -> tuple[float, float]:
    """Return where a convex function first comes to a level from below, or its end."""
    for (p, low), (q, high) in pairwise(corners):
        if high >= level:
            return p + (q - p) * (level - low) / (high - low), level
    return corners[-1]


def _upper_hull(points: Points) -> Points:
    """Return the corners of the least concave function above points in order."""
    hull: Points = []
    for x, y in points:
        while hull and hull[-1][0] == x and hull[-1][1] <= y:
            hull.pop()
        if hull and hull[-1][0] == x:
            continue
        while len(hull) > 1:
            (x1, y1), (x2, y2) = hull[-2:]
            if (y2 - y1) * (x - x1) > (y - y1) * (x2 - x1):
                break
            hull.pop()
        hull.append((x, y))
    return hull
