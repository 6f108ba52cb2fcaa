r"""Values as the solver sees them: their equations, and the values of finished games.

Equities are the roller's. A prime marks the value after a play, with the opponent on roll
and the sides exchanged; the bar is the mean over the 36 rolls, and the maximum is over the
plays. Then

.. math::

    E &= \overline{\max(-E')} & P &= \overline{\max(-P')} \\
    W &= \overline{\max(-O')}, & N_O &= \overline{\max(-W')}, \quad
    O = \max(N_O, \min(1, 2W)) \\
    N_C &= \overline{\max(-C')}, & C &= \max(N_C, \min(1, 2W))

E and P are cubeless; the cube is the opponent's in W, the roller's in O and centred in C. A
win over a *full* side, which has all its checkers on the board, is a gammon. It counts two
points in P, W, O and C, and one in E: E is for playing to win, P for playing for points.
Under the Jacoby rule a gammon counts one point while the cube is centred; the plane J
satisfies the equation of C.

At a score the same equations hold for match-winning chances, with a pair of planes for each
cube state; see `bearoff.scores.Payoffs`.
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
"""Name of the file of residuals with which the values of an opponent-owned cube are
exact."""


class GameEnds(NamedTuple):
    """The roller's values of finished games, in units.

    Attributes
    ----------
    won, won_gammon : int
        Values if the roller has borne off, against an opponent with some checkers off,
        or with none.
    lost, lost_gammon : int
        Values if the opponent has borne off, for a roller with some checkers off, or
        with none.
    """

    won: int
    won_gammon: int
    lost: int
    lost_gammon: int


class Doubling(NamedTuple):
    """Value of a double for the roller.

    Attributes
    ----------
    taken : SolvedPlane
        Description of the values after a double that is taken.
    times : float
        Factor of the value after a take: 2 for points, 1 for match-winning chances.
    cash : float
        Value of a double that is passed.
    """

    taken: "SolvedPlane"
    times: float
    cash: float

    def best(self, no_double: Float64Array, taken: Float64Array) -> Float64Array:
        """Return the better of not doubling and doubling (taken or passed)."""
        return np.asarray(np.maximum(no_double, np.minimum(self.cash, self.times * taken)))


@dataclass(frozen=True)
class SolvedPlane:
    """Description of the values to solve for one cube position and goal.

    Attributes
    ----------
    name : str
        Name of the values, such as ``owned``.
    source : str
        Name of the opponent's values after a play, solved in the same pass.
    ends : GameEnds
        Values of finished games.
    coding : Coding
        Conversion between solver values and stored codes.
    sign : int
        -1 if the roller's value is minus the opponent's; 1 if the sums are already the
        roller's.
    base : str or None
        Name of values that are equal for pairs without gammons, if any.
    chooser : str or None
        Name of the values that choose the plays, if not these values.
    doubling : Doubling or None
        Value of a double, if the roller may double.
    residuals : str or None
        Name of the file of rounding residuals, if a later pass needs exact values.
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
        """Factor and summand of a value after a take, and value of a pass, in units.

        The value of doubling is factor times taken value plus summand, at most the value of
        a pass.
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
        """Maximum error of an answer: a win probability if cubeless, else an equity."""
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
        Values that are solved together, in order of dependence.
    """

    solves: tuple[SolvedPlane, ...]

    @property
    def planes(self) -> tuple[str, ...]:
        """Names of the values that this run of the solver adds to the table."""
        return tuple(plane.name for plane in self.solves)

    @property
    def writes(self) -> tuple[str, ...]:
        """Names of the files that this run of the solver writes."""
        residuals = (plane.residuals for plane in self.solves)
        return (*self.planes, *filter(None, residuals))

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the files of earlier runs that this run of the solver reads."""
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
    """Return the solver passes of a money table, in order."""
    if not cube:
        return (_CHANCES,)
    if places.has_full:
        return _CHANCES_AND_GAMMONS, _HELD, _CENTRED_AND_JACOBY
    return _CHANCES, _HELD, _CENTRED


def follower_windows(places: PairOrder) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the sizes of the two buffers of values that later positions need.

    The first window has the full rollers, the second has all rollers against full
    opponents. Chances of winning a gammon need only the second, and chances of losing one
    only the first.
    """
    full = int(places.full_blocks.sum()), places.window_slots
    return full, (places.blocks, places.full_window_slots)


def windows_of(places: PairOrder, planes: tuple[SolvedPlane, ...]) -> list[tuple[int, int]]:
    """Return the sizes of the buffers of values that one run of the solver needs."""
    sizes = []
    for plane in planes:
        if plane.base is None:
            sizes.append((places.blocks, places.window_slots))
        else:
            of_full, against_full = follower_windows(places)
            sizes += [of_full] * (plane != GAMMONS_WON)
            sizes += [against_full] * (plane != GAMMONS_LOST)
    return sizes
