r"""Take points, doubling windows and gammon values at a match score.

There are exact results for two kinds of cube. In the *last roll* the cube is not turned
again. Let :math:`m(n)` be the match-winning chance after :math:`n` points won, :math:`c`
the cube value and :math:`p` the probability of winning the game. Doubling is right (first
line) and passing is right (second line) if

.. math::

    p &\ge \frac{m(-c) - m(-2c)}{m(-c) - m(-2c) + m(2c) - m(c)}, \\
    p &> \frac{m(c) - m(-2c)}{m(2c) - m(-2c)}.

A perfectly *live* cube is turned at exactly the right moment, because the winning chance
changes in small steps (Keeler and Spencer, 1975, for money). The owner's match-winning
chance is the smallest concave function of :math:`p` that is nowhere below the values of
losing, winning and doubling. A double gives the opponent such a function at :math:`2c`. All
these functions are piecewise linear. They are computed from the highest cube value down to
the present one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from bearoff import checks
from bearoff.errors import ScoreError
from bearoff.scores import MatchEquities, Score, check_cube_value, match_equities

Points = list[tuple[float, float]]
"""Corners (x, y) of a piecewise linear function of the probability of winning the game."""


@dataclass(frozen=True)
class MatchThresholds:
    """The roller's win probabilities at which the right cube action at a score changes.

    Attributes
    ----------
    score : Score
        Match score before the game.
    cube_value : int
        Value of the cube before the roller doubles.
    double : float or None
        Lowest win probability at which the roller should double if the next roll is the
        last: 0 means always, 1 means never. None if the cube cannot be turned or a double
        changes nothing.
    live_double : float or None
        Lowest win probability at which the roller should double with a live cube. It is
        close to `live_cash` unless the double risks nothing.
    cash, live_cash : float or None
        Win probability above which the opponent should pass: `cash` if the next roll is the
        last, `live_cash` if the cube is live. None in the Crawford game.
    gammon_value, gammon_loss : float
        Value that a gammon adds to a win, and cost that it adds to a loss, divided by the
        difference between winning and losing a single game. Both are 0.5 for money.
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
        """Win probability that the opponent needs to take if the next roll is the last."""
        return None if self.cash is None else 1.0 - self.cash

    @property
    def live_take_point(self) -> float | None:
        """Win probability that the opponent needs to take if the cube is live."""
        return None if self.live_cash is None else 1.0 - self.live_cash


def match_thresholds(
    score: Score, cube_value: int = 1, equities: MatchEquities | None = None
) -> MatchThresholds:
    """Return the roller's doubling window, take points and gammon values at a score.

    Parameters
    ----------
    score : Score
        Score from the roller's viewpoint.
    cube_value : int
        Value of the cube before the roller doubles.
    equities : MatchEquities or None
        Match equity table. By default, Kazaross-XG2.

    Raises
    ------
    ScoreError
        If the score or the cube value is impossible, or the match equity table does not
        contain the score.

    Examples
    --------
    At 2-away 4-away, the trailer needs a win probability of 37% to take in the last roll.
    With a live cube, 19% is enough, because the trailer will redouble at once:

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
            # Doubling is always right if it is at least as good as waiting at every win
            # probability below the cash point.
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
    """Return the match-winning chance of a live cube's owner, as a concave function."""
    won, lost = table.after(score, value), table.after(score, -value)
    if score.away[0] <= value:  # A win at this cube value wins the match.
        return [(0.0, lost), (1.0, won)]
    given = _given(score, table, value)
    cash = _reaches(given, won)
    below = [corner for corner in given if corner[0] < cash[0]]
    return _upper_hull([(0.0, lost), *below, cash, (1.0, won)])


def _given(score: Score, table: MatchEquities, value: int) -> Points:
    """Return the doubler's match-winning chance after a double, as a convex function."""
    theirs = _owned(score.exchanged(), table.exchanged(), 2 * value)
    return [(1.0 - p, 1.0 - chance) for p, chance in reversed(theirs)]


def _reaches(corners: Points, level: float) -> tuple[float, float]:
    """Return the point where a convex function reaches a value, or its last corner."""
    for (p, low), (q, high) in pairwise(corners):
        if high >= level:
            return p + (q - p) * (level - low) / (high - low), level
    return corners[-1]


def _upper_hull(points: Points) -> Points:
    """Return the corners of the smallest concave function on or above the points."""
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
