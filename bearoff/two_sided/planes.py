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
"""

from dataclasses import dataclass
from typing import NamedTuple

from bearoff.two_sided.codings import ONE
from bearoff.two_sided.pair_order import PairOrder


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


_WINS = Ends(ONE, ONE, -ONE, -ONE)
_POINTS = Ends(ONE, 2 * ONE, -ONE, -2 * ONE)


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
    sign : int
        -1 if what the opponent has the roller lacks; 1 if the sums are the roller's own.
    base : str or None
        Plane of the pass with which it agrees where neither side is full.
    chooser : str or None
        Plane by whose values the plays are chosen, if not by its own.
    """

    name: str
    source: str
    ends: Ends
    sign: int = -1
    base: str | None = None
    chooser: str | None = None


CUBELESS = SolvedPlane("cubeless", "cubeless", _WINS)
OPPONENT = SolvedPlane("opponent", "owned", _POINTS)
OWNED = SolvedPlane("owned", "opponent", _POINTS)
CENTRED = SolvedPlane("centred", "centred", _POINTS)
JACOBY = SolvedPlane("jacoby", "jacoby", _WINS, base="centred")
POINTS = SolvedPlane("points", "points", _POINTS, base="cubeless")
GAMMONS_WON = SolvedPlane(
    "gammons_won", "gammons_lost", Ends(0, ONE, 0, 0), 1, "cubeless", "points"
)
GAMMONS_LOST = SolvedPlane(
    "gammons_lost", "gammons_won", Ends(0, 0, 0, ONE), 1, "cubeless", "points"
)

SOLVED = {
    plane.name: plane
    for plane in (
        CUBELESS,
        OPPONENT,
        OWNED,
        CENTRED,
        JACOBY,
        POINTS,
        GAMMONS_WON,
        GAMMONS_LOST,
    )
}


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
