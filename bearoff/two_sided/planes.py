r"""Equations that the values of two-sided tables satisfy, and values of finished games.

Equities are the roller's. A prime marks the equity after a play, when the opponent is on
roll. The bar is the mean over the 36 rolls, and the maximum is over the plays. Then

.. math::

    E &= \overline{\max(-E')} & P &= \overline{\max(-P')} \\
    W &= \overline{\max(-O')}, & N_O &= \overline{\max(-W')}, \quad
    O = \max(N_O, \min(1, 2W)) \\
    N_C &= \overline{\max(-C')}, & C &= \max(N_C, \min(1, 2W))

E and P are cubeless. The cube is owned by the opponent in W, owned by the roller in O, and
centred in C. If the loser has not borne off a checker, the game is a gammon. It counts two
points in P, W, O and C, and one point in E: in E both players play to win, in P they play
for points. Under the Jacoby rule a gammon counts one point while the cube is centred; the
equity J satisfies the same equation as C.

Match-winning chances satisfy the same equations, with two sets of values for each cube
state; see `bearoff.scores.Payoffs`.
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
"""Name of the file with the rounding residuals of the values for an opponent-owned cube.
The residuals restore these values exactly from the stored codes."""


class GameEnds(NamedTuple):
    """Values of finished games from the roller's viewpoint, in solver units.

    Attributes
    ----------
    won, won_gammon : int
        Values after a single win and after a gammon. A win is a gammon if the opponent has
        borne off no checker.
    lost, lost_gammon : int
        Values after a single loss and after a lost gammon. A loss is a gammon if the roller
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
        Description of the values after a take.
    times : float
        Factor by which the value after a take is multiplied: 2 for points, 1 for
        match-winning chances.
    cash : float
        Value after the opponent passes the double.
    """

    taken: "SolvedPlane"
    times: float
    cash: float

    def best(self, no_double: Float64Array, taken: Float64Array) -> Float64Array:
        """Return the larger of the values of not doubling and of doubling."""
        return np.asarray(np.maximum(no_double, np.minimum(self.cash, self.times * taken)))


@dataclass(frozen=True)
class SolvedPlane:
    """Description of one kind of value of position pairs, and of how it is computed.

    Attributes
    ----------
    source : str
        Name of the opponent's values after a play, which are solved in the same run.
    sign : int
        -1 if the roller's value is minus the opponent's value; 1 if the sums are already
        from the roller's viewpoint.
    base : str or None
        Name of the values without gammons that these values equal if no gammon is possible;
        None if there are none.
    chooser : str or None
        Name of the values by which plays are chosen; None if these values choose the plays.
    doubling : Doubling or None
        Value of a double; None if the roller may not double.
    residuals : str or None
        Name of the file of rounding residuals; None if no later solver run needs exact
        values.
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

        The value of a double is the smaller of factor * (value after a take) + summand and
        the value after a pass.
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
    """One run of the solver over all pairs of positions.

    Attributes
    ----------
    solves : tuple of SolvedPlane
        Values that are solved together. Each depends only on values that precede it.
    """

    solves: tuple[SolvedPlane, ...]

    @property
    def planes(self) -> tuple[str, ...]:
        """Names of the values that this solver run adds to the table."""
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
    """Return the sizes of the two arrays that keep values with gammons for later use.

    The first array contains the pairs with full rollers, and the second all rollers against
    full opponents. The probabilities of winning a gammon need only the second array, and
    those of losing a gammon only the first.
    """
    full = int(places.full_blocks.sum()), places.window_slots
    return full, (places.blocks, places.full_window_slots)


def windows_of(places: PairOrder, planes: tuple[SolvedPlane, ...]) -> list[tuple[int, int]]:
    """Return the sizes of the arrays in which a solver run keeps values for later use."""
    sizes = []
    for plane in planes:
        if plane.base is None:
            sizes.append((places.blocks, places.window_slots))
        else:
            of_full, against_full = follower_windows(places)
            sizes += [of_full] * (plane != GAMMONS_WON)
            sizes += [against_full] * (plane != GAMMONS_LOST)
    return sizes
