r"""Equations between each value of a two-sided table and the values after the plays.

Each letter is an equity of the player on roll: E and P without a cube, W if the opponent
owns the cube, O if the player on roll owns the cube, and C with a centred cube. N is the
equity without a double now. A prime marks the opponent's equity after a play. The maximum
is over the plays, and the bar is the mean over the 36 throws. Then

.. math::

    E &= \overline{\max(-E')} & P &= \overline{\max(-P')} \\
    W &= \overline{\max(-O')}, & N_O &= \overline{\max(-W')}, \quad
    O = \max(N_O, \min(1, 2W)) \\
    N_C &= \overline{\max(-C')}, & C &= \max(N_C, \min(1, 2W))

In E, both players play to win the game; in P, they play for points. If the loser has not
borne off a checker, the game is a gammon. A gammon counts two points in P, W, O and C, and
one point in E. Under the Jacoby rule, a gammon counts one point while the cube is centred;
the equity J with a centred cube then satisfies the same equation as C.

Match-winning chances satisfy similar equations; see `bearoff.two_sided.score_planes`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.two_sided.codings import CODINGS, ONE, Coding
from bearoff.two_sided.pair_order import PairOrder

Float64Array = NDArray[np.float64]

RESIDUALS = "opponent-residuals"
"""Name of the file of rounding residuals. Added to the stored values for a cube that the
opponent owns, the residuals restore the solver's unrounded values."""


class GameEnds(NamedTuple):
    """The roller's values of finished games, as integers that the solver uses.

    Attributes
    ----------
    won, won_gammon : int
        Values of a single game won and of a gammon won. A win is a gammon if the opponent
        has borne off no checker.
    lost, lost_gammon : int
        Values of a single game lost and of a gammon lost. A loss is a gammon if the roller
        has borne off no checker.
    """

    won: int
    won_gammon: int
    lost: int
    lost_gammon: int


class Doubling(NamedTuple):
    """Value of a double, described by the values after a take and after a pass.

    Attributes
    ----------
    taken : SolvedPlane
        Description of the values after a double that is taken.
    times : float
        Factor by which the value after a take is multiplied: 2 for points, because the cube
        value doubles, and 1 for match-winning chances.
    cash : float
        The roller's value if the opponent passes the double.
    """

    taken: "SolvedPlane"
    times: float
    cash: float

    def best(self, no_double: Float64Array, taken: Float64Array) -> Float64Array:
        """Return the larger of the values of not doubling and of doubling."""
        return np.asarray(np.maximum(no_double, np.minimum(self.cash, self.times * taken)))


@dataclass(frozen=True)
class SolvedPlane:
    """Kind of value, such as the equity with a centred cube, and its computation.

    Attributes
    ----------
    source : str
        Name of the kind of value that the opponent has after the roller's play. The same
        run of the solver computes both kinds.
    sign : int
        Sign of the opponent's value in the roller's value: -1 for equities and
        match-winning chances, 1 for gammon probabilities.
    base : str or None
        Name of the kind of value from which this kind differs only if a gammon is possible;
        None if every value of this kind is computed. Gammon probabilities also have a name
        here, but are 0 if no gammon is possible.
    chooser : str or None
        Name of the kind of value by which players choose their plays; None if they choose
        by this kind itself.
    doubling : Doubling or None
        Value of a double; None if the roller may not double.
    residuals : str or None
        Name of the file with the rounding residuals of the values; None if no later run of
        the solver needs unrounded values.
    """

    name: str
    source: str
    ends: GameEnds
    coding: Coding
    sign: int = -1
    base: str | None = None
    chooser: str | None = None
    doubling: Doubling | None = None
    residuals: str | None = None

    @cached_property
    def doubled(self) -> tuple[np.float64, np.float64, np.int32]:
        """Factor and summand for the value after a take, and the value after a pass.

        The opponent chooses the smaller of two values: factor * (value after a take) +
        summand, and the value after a pass.
        """
        if self.doubling is None:
            raise ValueError(f"the {self.name} table has no doubling decisions")
        (taken, times, cash), mine = self.doubling, self.coding
        theirs = taken.coding
        more = (times * theirs.middle - mine.middle) * mine.per_answer
        factor = times * (mine.per_answer / theirs.per_answer)
        return np.float64(factor), np.float64(more), np.int32(mine.value(cash))

    @property
    def error(self) -> float:
        """Maximum error of an equity or probability that is stored for these values."""
        error = self.coding.error
        if self.doubling is not None:
            error = max(error, self.doubling.times * self.doubling.taken.coding.error)
        return error / (2 if self.name == "cubeless" else 1)


@dataclass(frozen=True)
class Pass:
    """Run of the solver, which computes some kinds of value for all pairs of positions.

    Attributes
    ----------
    solves : tuple of SolvedPlane
        Kinds of value that the run computes. A value of a pair may depend on earlier kinds
        of value of the same pair, such as the value after a take.
    """

    solves: tuple[SolvedPlane, ...]

    @property
    def planes(self) -> tuple[str, ...]:
        """Names of the kinds of value that this run of the solver adds to the table."""
        return tuple(plane.name for plane in self.solves)

    @property
    def writes(self) -> tuple[str, ...]:
        """Names of the files that this solver run writes."""
        residuals = (plane.residuals for plane in self.solves)
        return (*self.planes, *filter(None, residuals))

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the files of earlier solver runs that this run reads."""
        taken = [plane.doubling.taken for plane in self.solves if plane.doubling]
        needed = {plane.name: plane for plane in taken if plane.name not in self.planes}
        residuals = (plane.residuals for plane in needed.values())
        return (*needed, *filter(None, residuals))


_WINS = GameEnds(ONE, ONE, -ONE, -ONE)
_POINTS = GameEnds(ONE, 2 * ONE, -ONE, -2 * ONE)


def _money(
    name: str,
    source: str,
    ends: GameEnds,
    sign: int = -1,
    base: str | None = None,
    chooser: str | None = None,
    taken: SolvedPlane | None = None,
    residuals: str | None = None,
) -> SolvedPlane:
    doubling = Doubling(taken, 2.0, 1.0) if taken else None
    return SolvedPlane(
        name, source, ends, CODINGS[name], sign, base, chooser, doubling, residuals
    )


CUBELESS = _money("cubeless", "cubeless", _WINS)
OPPONENT = _money("opponent", "owned", _POINTS, residuals=RESIDUALS)
OWNED = _money("owned", "opponent", _POINTS, taken=OPPONENT)
CENTRED = _money("centred", "centred", _POINTS, taken=OPPONENT)
JACOBY = _money("jacoby", "jacoby", _WINS, base="centred", taken=OPPONENT)
POINTS = _money("points", "points", _POINTS, base="cubeless")
GAMMONS_WON = _money(
    "gammons_won", "gammons_lost", GameEnds(0, ONE, 0, 0), 1, "cubeless", "points"
)
GAMMONS_LOST = _money(
    "gammons_lost", "gammons_won", GameEnds(0, 0, 0, ONE), 1, "cubeless", "points"
)

_CHANCES = Pass((CUBELESS,))
_CHANCES_AND_GAMMONS = Pass((CUBELESS, POINTS, GAMMONS_WON, GAMMONS_LOST))
_HELD = Pass((OPPONENT, OWNED))
_CENTRED = Pass((CENTRED,))
_CENTRED_AND_JACOBY = Pass((CENTRED, JACOBY))


def money_passes(places: PairOrder, *, cube: bool = True) -> tuple[Pass, ...]:
    """Return the solver runs for a money table, in the order of solving."""
    if not cube:
        return (_CHANCES,)
    if places.has_full:
        return _CHANCES_AND_GAMMONS, _HELD, _CENTRED_AND_JACOBY
    return _CHANCES, _HELD, _CENTRED


def follower_windows(places: PairOrder) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the sizes of the arrays of values with gammons that the solver needs again.

    The first array has the values of rollers with no checker off, and the second the values
    of all rollers against opponents with no checker off. The roller's probability of
    winning a gammon is only in the second array, and that of losing a gammon only in the
    first.
    """
    full = int(places.full_blocks.sum()), places.window_slots
    return full, (places.blocks, places.full_window_slots)


def windows_of(places: PairOrder, planes: tuple[SolvedPlane, ...]) -> list[tuple[int, int]]:
    """Return the sizes of the arrays of values that the solver needs again."""
    sizes = []
    for plane in planes:
        if plane.base is None:
            sizes.append((places.blocks, places.window_slots))
        else:
            of_full, against_full = follower_windows(places)
            sizes += [of_full] * (plane != GAMMONS_WON)
            sizes += [against_full] * (plane != GAMMONS_LOST)
    return sizes
