"""How a side moves its checkers in a game with the cube."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.two_sided_codings import CODINGS
from bearoff.two_sided_layout import layout
from sim.optimal import OPTIMAL, all_plays, optimal_table, table_for
from sim.players import player

Int32Array = NDArray[np.int32]
UInt32Array = NDArray[np.uint32]

PERFECT = "perfect"
"""Name of the player who moves, and of the strategy that doubles, by the exact tables."""


class Turn(NamedTuple):
    """One turn of many games, as `sim.cube_kernels` takes it.

    Attributes
    ----------
    live : ndarray of int32
        The lanes still played; all other arrays have an entry for every lane.
    mine, theirs : ndarray of uint32
        Positions of the side on roll, which its play changes, and of the other.
    owner : ndarray of int8
        Who owns the cube: 0 the roller, 1 the opponent, 2 nobody.
    side : int
        Who is on roll: 0 the roller of the pair, 1 the opponent.
    rolls : ndarray of uint8
        Index of each lane's roll.
    """

    live: Int32Array
    mine: UInt32Array
    theirs: UInt32Array
    owner: NDArray[np.int8]
    side: int
    rolls: NDArray[np.uint8]


class Checkers(Protocol):
    """Plays the rolls of one side in many games at once."""

    def play(self, turn: Turn) -> None:
        """Move the position of the side on roll in every lane still played."""


class ByPolicy:
    """A one-sided player: the same play whatever the other side and the cube.

    Parameters
    ----------
    policy : ndarray of uint16 or uint32, shape (positions, 21)
    """

    def __init__(self, policy: NDArray[np.unsignedinteger]) -> None:
        self._policy = policy

    def play(self, turn: Turn) -> None:
        """Look the play up."""
        from sim import cube_kernels

        cube_kernels.play_policy(turn.live, turn.mine, turn.rolls, self._policy)


class ByTable:
    """A player who leaves the other side the least equity, by a two-sided table.

    Parameters
    ----------
    table : TwoSidedTable
        Of all planes, if he looks at the cube.
    plays : Successors
        All plays of the run's positions.
    cube : bool
        Whether he looks at the cube, or plays as if there were none.
    """

    def __init__(
        self, table: bearoff.TwoSidedTable, plays: bearoff.Successors, *, cube: bool
    ) -> None:
        places = layout(table.checkers)
        self._plays = plays
        self._slots, self._slots_of_plane = places.slots, places.size
        cubeless = table.codes("cubeless")
        names = ("owned", "opponent", "centred")  # As the other side sees the cube.
        self._planes = (
            cubeless,
            *(table.codes(name) if cube else cubeless for name in names),
        )
        codings = [CODINGS[name] for name in names]
        self._zeros = np.array([0, *(coding.zero for coding in codings)])
        steps = [coding.step if cube else 0.0 for coding in codings]
        self._steps = np.array([2 * CODINGS["cubeless"].step, *steps])

    def play(self, turn: Turn) -> None:
        """Compare the plays of each lane in the table."""
        from sim import cube_kernels

        cube_kernels.play_table(
            *turn,
            self._plays.offsets,
            self._plays.numbers,
            self._slots,
            self._slots_of_plane,
            self._planes,
            self._zeros,
            self._steps,
        )


def checkers_of(name: str, points: int, checkers: int) -> Checkers:
    """Return the player of this name for games with the cube.

    Parameters
    ----------
    name : str
        ``perfect``, ``optimal``, or a player of `sim.players` who has a policy.
    points, checkers : int
        Size of the positions.

    Raises
    ------
    TableError
        If he plays by a two-sided table that is not built.
    """
    if name == PERFECT:
        plays = all_plays(points, checkers)
        return ByTable(perfect_table(points, checkers), plays, cube=True)
    if name == OPTIMAL:
        plays = all_plays(points, checkers)
        return ByTable(optimal_table(points, checkers), plays, cube=False)
    policy = player(name, points, checkers).policy
    if policy is None:
        raise bearoff.BearoffError(f"the player {name} has no policy to play by")
    return ByPolicy(policy)


def perfect_table(points: int, checkers: int) -> bearoff.TwoSidedTable:
    """Open the table of all planes that perfect play goes by; see `table_for`."""
    what = f"{PERFECT} play and {PERFECT} cubes need"
    return table_for(what, points, checkers, cube=True)
