"""Doubling window: the win probabilities at which a roller's right cube action changes.

The win probability alone does not decide a cube action. Against two opponents with the same
win probability, it may be right to double one but not the other, because the volatility
differs. Each edge of the window is therefore a range. The exact edges are found by
comparing the roller's position with every opponent in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.positions import POINTS, Race, position_count, rank, unrank
from bearoff.sources.exact import cube_actions, numbers_of
from bearoff.sources.pair_table import PairTable
from bearoff.stakes import PASS, RollersCube, Values

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class DoublingWindow:
    """The roller's cubeless win probabilities at which the right cube action changes.

    Attributes
    ----------
    first_double : float
        Lowest win probability at which doubling is right, over all positions of the
        opponent.
    last_no_double : float
        Highest win probability at which not doubling is right for a roller who is not too
        good to double, over all positions of the opponent.
    first_pass : float
        The roller's lowest win probability at which the opponent should pass, over all
        positions of the opponent.
    last_take : float
        The roller's highest win probability at which the opponent should take, over all
        positions of the opponent. The opponent's take point is ``1 - last_take``.
    first_too_good : float
        Lowest win probability at which the roller is too good to double, over all positions
        of the opponent.
    by_model : bool
        Whether the window was found with the fast model, rather than with a table of all
        opposing positions.
    """

    first_double: float
    last_no_double: float
    first_pass: float
    last_take: float
    first_too_good: float
    by_model: bool = False

    def including(self, values: Values) -> DoublingWindow:
        """Return the window extended to include another race with the same roller.

        Parameters
        ----------
        values : Values
            Values of one race in which the roller has the same position.
        """
        own = window_of(values.widened(0.0))
        return DoublingWindow(
            float(np.fmin(self.first_double, own.first_double)),
            float(np.fmax(self.last_no_double, own.last_no_double)),
            float(np.fmin(self.first_pass, own.first_pass)),
            float(np.fmax(self.last_take, own.last_take)),
            float(np.fmin(self.first_too_good, own.first_too_good)),
            self.by_model,
        )


def doubling_window(
    table: PairTable,
    roller: int,
    cube: RollersCube = "centred",
    *,
    cube_value: int = 1,
    jacoby: bool = False,
    within: Race | None = None,
) -> DoublingWindow:
    """Find the doubling window of a roller against every opposing position in a table.

    Parameters
    ----------
    table : TwoSidedTable or MatchTable
        Table of cubeful values for all owners of the cube. At a match score, the table must
        contain all opposing positions; see `bearoff.match_table`, and `opponents` of
        `bearoff.match_race`.
    roller : int
        Position number of the roller, who must have a checker on the board.
    cube : {"centred", "owned"}
        Owner of the cube before the decision.
    cube_value : int
        Value of the cube; used only at a match score.
    jacoby : bool
        Whether the Jacoby rule applies: in money play, gammons count only after the cube
        has been turned.
    within : Race, optional
        Race that limits the opposing positions. The positions then have at most as many
        checkers as the larger side of the race, and no checker farther back than the
        rearmost checker of the race, or than the 6 point if all checkers are home. By
        default, all opposing positions in the table count.

    Returns
    -------
    DoublingWindow

    Raises
    ------
    TableError
        If the table does not contain all opponents.
    PositionError, ScoreError, BearoffError
        See `bearoff.cube_actions`.

    Examples
    --------
    The roller has checkers on the 5 and 2 points and owns the cube. Jacoby's paradox
    occurs: the roller should not redouble at 67% against some opponents, but should
    redouble at 53% against others.

    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(5)
    >>> table = bearoff.two_sided_table(5)
    >>> number = bearoff.Position.parse("0,1,0,0,1,0").number
    >>> window = doubling_window(table, number, "owned")
    >>> round(window.first_double, 3), round(window.last_no_double, 3)
    (0.528, 0.671)

    Both sides have two checkers on each of the 2 and 3 points. At 2-away 4-away, the roller
    should wait until 79%, because the opponent would redouble. At 4-away 2-away, the roller
    may double at 68%:

    >>> number = bearoff.Position.parse("0,2,2,0,0,0").number
    >>> for away in (2, 4), (4, 2):
    ...     window = doubling_window(bearoff.match_table(4, away), number)
    ...     print(round(window.first_double, 2), round(window.last_take, 2))
    0.79 0.81
    0.68 0.8
    """
    roller, _ = numbers_of(table, (roller, 1))
    if not table.opponents:
        raise TableError(
            "a doubling window needs a table with all opponents, but this one is for a "
            "single race; use match_table, or match_race with opponents"
        )
    points = on = table.points
    held = most = table.opponents
    if within is not None:
        sides = within.roller, within.opponent
        on = min(points, max(POINTS, *(side.highest for side in sides)))
        most = min(held, max(side.on_board for side in sides))
    opponents = np.arange(1, position_count(on, most))
    if on < points:
        counts = unrank(opponents, on, most)
        opponents = rank(np.pad(counts, ((0, 0), (0, points - on))))
    return window_of(
        cube_actions(table, roller, opponents, cube, cube_value=cube_value, jacoby=jacoby)
    )


def window_of(values: Values) -> DoublingWindow:
    """Find the doubling window of a roller from values against many opposing positions.

    Doubling counts as right if its equity is at least that of not doubling. Not doubling,
    taking and passing count as right if their equity is higher than that of the
    alternative. If errors leave open which decision is right against an opponent, the
    opponent counts for both decisions. Edges of the window may therefore be too far out,
    but never too far in. By theory, doubling an opponent who certainly passes is right,
    unless the roller is too good to double.

    Returns
    -------
    DoublingWindow
        Doubling window. An edge is NaN if its decision is right against no opponent.
    """
    chance, tie = values.win_probability, values.tie
    waiting, taking = values.no_double_error, values.double_take_error
    gain = values.double - values.no_double
    least = np.maximum(waiting + values.double_error, tie)
    passed = values.double_take - np.maximum(taking, tie) > PASS
    too_good = (gain < -least) & (values.no_double > PASS + np.maximum(waiting, tie))
    waits = _may_be_right(-gain, waiting + values.double_error, tie) & ~passed
    return DoublingWindow(
        first_double=_edge(chance[gain >= -least], np.min),
        last_no_double=_edge(chance[waits & ~too_good], np.max),
        first_pass=_edge(
            chance[_may_be_right(values.double_take - PASS, taking, tie)], np.min
        ),
        last_take=_edge(
            chance[_may_be_right(PASS - values.double_take, taking, tie)], np.max
        ),
        first_too_good=_edge(chance[too_good], np.min),
    )


def _may_be_right(gain: Float64Array, error: Float64Array, tie: float) -> BoolArray:
    """Return whether a decision gains equity, or might gain it given its error."""
    return np.where(error > 0, gain >= -np.maximum(error, tie), gain > tie)


def _edge(chances: Float64Array, least_or_most: Callable[[Float64Array], float]) -> float:
    return float(least_or_most(chances)) if chances.size else float("nan")
