r"""The planes as the solver meets them: whose values they rest on, how their games end.

With equities from the roller's side, the opponent to roll after the play, primes at the
pair that the play leads to with the sides exchanged, the bar the mean over the 36 throws
and the maximum over the plays,

.. math::

    E &= \overline{\max(-E')} & P &= \overline{\max(-P')} \\
    W &= \overline{\max(-O')}, & N_O &= \overline{\max(-W')}, \quad
    O = \max(N_O, \min(1, 2W)) \\
    N_C &= \overline{\max(-C')}, & C &= \max(N_C, \min(1, 2W))

E and P are cubeless, W with the cube at the opponent, O at the roller, C centred. A win
over a *full* side, which has all its checkers on the board, is a gammon: it counts two
in P, W, O and C, and one in E, so that E is of play to win and P of play for points.
Under Jacoby's rule it counts one while the cube is centred; J obeys the equation of C.

At a score the same equations hold for chances to win the match, a pair of planes for each
state of the cube; see `bearoff.scores.Payoffs`.
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
"""What the coding of the plane opponent leaves over, for the centred pass to be exact."""


class Ends(NamedTuple):
    """What a game that is over is worth to the roller, in units.

    Attributes
    ----------
    won, won_gammon : int
        The roller has borne off; the opponent too has borne off some, or none.
    lost, lost_gammon : int
        The opponent has.
    """

    won: int
    won_gammon: int
    lost: int
    lost_gammon: int


class Doubling(NamedTuple):
    """What the roller gets by turning the cube.

    Attributes
    ----------
    taken : SolvedPlane
        Holds the values after a double that is taken.
    times : float
        An answer from there counts so often here: twice in points, once as a chance.
    cash : float
        The answer if it is passed.
    """

    taken: "SolvedPlane"
    times: float
    cash: float

    def best(self, no_double: Float64Array, taken: Float64Array) -> Float64Array:
        """Return the better of not doubling, and of a double that is taken or passed."""
        return np.asarray(np.maximum(no_double, np.minimum(self.cash, self.times * taken)))


@dataclass(frozen=True)
class SolvedPlane:
    """A plane while it is solved.

    Attributes
    ----------
    name : str
        Of the plane.
    source : str
        Plane of the same pass that the opponent's values are taken from.
    ends : Ends
        Where the game is over.
    coding : Coding
        What its numbers mean.
    sign : int
        -1 if what the opponent has the roller lacks; 1 if the sums are the roller's own.
    base : str or None
        Plane of the pass with which it agrees where neither side is full.
    chooser : str or None
        Plane by whose values the plays are chosen, if not by its own.
    doubling : Doubling or None
        Of a roller who may double.
    residuals : str or None
        File of what its codes leave over, for the pass that needs it whole.
    """

    name: str
    source: str
    ends: Ends
    coding: Coding
    sign: int = -1
    base: str | None = None
    chooser: str | None = None
    doubling: Doubling | None = None
    residuals: str | None = None

    @cached_property
    def doubled(self) -> tuple[np.float64, np.float64, np.int32]:
        """What turning the cube gives, in units.

        A taken value counts the first number times and the second more, a pass the third.
        """
        if self.doubling is None:
            raise ValueError(f"nobody doubles in the plane {self.name}")
        (taken, times, cash), mine = self.doubling, self.coding
        theirs = taken.coding
        more = (times * theirs.middle - mine.middle) * mine.per_answer
        factor = times * (mine.per_answer / theirs.per_answer)
        return np.float64(factor), np.float64(more), np.int32(mine.value(cash))

    @property
    def error(self) -> float:
        """Largest error of an answer: of a win probability, half an equity, if cubeless."""
        error = self.coding.error
        if self.doubling is not None:
            error = max(error, self.doubling.times * self.doubling.taken.coding.error)
        return error / (2 if self.name == "cubeless" else 1)


@dataclass(frozen=True)
class Pass:
    """One pass over all pairs.

    Attributes
    ----------
    solves : tuple of SolvedPlane
        Planes that are solved at once, those first that another is made of.
    """

    solves: tuple[SolvedPlane, ...]

    @property
    def planes(self) -> tuple[str, ...]:
        """Planes of the table that it writes."""
        return tuple(plane.name for plane in self.solves)

    @property
    def writes(self) -> tuple[str, ...]:
        """Files that it writes."""
        residuals = (plane.residuals for plane in self.solves)
        return (*self.planes, *filter(None, residuals))

    @property
    def reads(self) -> tuple[str, ...]:
        """Files of earlier passes that it reads."""
        taken = [plane.doubling.taken for plane in self.solves if plane.doubling]
        needed = {plane.name: plane for plane in taken if plane.name not in self.planes}
        residuals = (plane.residuals for plane in needed.values())
        return (*needed, *filter(None, residuals))


_WINS = Ends(ONE, ONE, -ONE, -ONE)
_POINTS = Ends(ONE, 2 * ONE, -ONE, -2 * ONE)


def _money(
    name: str,
    source: str,
    ends: Ends,
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
    "gammons_won", "gammons_lost", Ends(0, ONE, 0, 0), 1, "cubeless", "points"
)
GAMMONS_LOST = _money(
    "gammons_lost", "gammons_won", Ends(0, 0, 0, ONE), 1, "cubeless", "points"
)

_CHANCES = Pass((CUBELESS,))
_CHANCES_AND_GAMMONS = Pass((CUBELESS, POINTS, GAMMONS_WON, GAMMONS_LOST))
_HELD = Pass((OPPONENT, OWNED))
_CENTRED = Pass((CENTRED,))
_CENTRED_AND_JACOBY = Pass((CENTRED, JACOBY))


def money_passes(places: PairOrder, *, cube: bool = True) -> tuple[Pass, ...]:
    """Return the passes of a table in order; a later one reads what earlier ones wrote."""
    if not cube:
        return (_CHANCES,)
    if places.has_full:
        return _CHANCES_AND_GAMMONS, _HELD, _CENTRED_AND_JACOBY
    return _CHANCES, _HELD, _CENTRED


def follower_windows(places: PairOrder) -> tuple[tuple[int, int], tuple[int, int]]:
    """Blocks and slots of the windows of a plane with a base.

    That of full rollers, and that of all rollers against full opponents. Chances of
    winning a gammon need the second alone, chances of losing one the first.
    """
    full = int(places.full_blocks.sum()), places.window_slots
    return full, (places.blocks, places.full_window_slots)


def windows_of(places: PairOrder, planes: tuple[SolvedPlane, ...]) -> list[tuple[int, int]]:
    """Blocks and slots of the windows of a pass."""
    sizes = []
    for plane in planes:
        if plane.base is None:
            sizes.append((places.blocks, places.window_slots))
        else:
            of_full, against_full = follower_windows(places)
            sizes += [of_full] * (plane != GAMMONS_WON)
            sizes += [against_full] * (plane != GAMMONS_LOST)
    return sizes
