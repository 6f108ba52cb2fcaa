"""Players that move the checkers of one side in a game with the cube."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.pair_planes import PlaneArrays
from bearoff.sim.cubeful.at_score import PERFECT, ByPairTable, perfect_table, table_for
from bearoff.sim.cubeful.turn import CubeTurn
from bearoff.sim.play import arguments, optimal, player
from bearoff.stakes import Terms


class TableCodes(NamedTuple):
    """Planes of a two-sided table, as arguments of `sim.cubeful.kernels`.

    Attributes
    ----------
    slots : ndarray of integers, shape (positions,)
        Index of each position within a plane.
    cube : bool
        Whether the player considers the cube.
    jacoby : bool
        Whether gammons count only once the cube has been turned.
    planes : tuple of four
        Planes by `bearoff.TwoSidedTable.codes` for a cube owned by the side to roll next,
        owned by the side that plays, and centred; and, with the Jacoby rule, its addition
        to the third. Without the cube, win probabilities.
    """

    slots: NDArray[np.integer]
    cube: bool
    jacoby: bool
    planes: tuple[PlaneArrays | NDArray[np.int32], ...]


class Checkers(Protocol):
    """Player of one side's rolls in many parallel games."""

    def play(self, turn: CubeTurn) -> None:
        """Update the position of the side on roll in each live lane."""


class ByPolicy:
    """Player by a policy: its play depends on neither the other side nor the cube.

    Parameters
    ----------
    policy : ndarray of uint16 or uint32, shape (positions, 21)
    """

    def __init__(self, policy: NDArray[np.unsignedinteger]) -> None:
        self._policy = policy

    def play(self, turn: CubeTurn) -> None:
        """Look up the plays."""
        from bearoff.sim.cubeful import kernels

        kernels.play_policy(turn.live, turn.mine, turn.rolls, self._policy)


class ByTwoSidedTable:
    """Player that minimises the other side's equity, by a two-sided table.

    Parameters
    ----------
    table : TwoSidedTable
        Table with all planes if the player considers the cube.
    plays : Choices
        All plays of the run's positions.
    cube : bool
        Whether the player considers the cube.
    jacoby : bool
        Whether gammons count only once the cube has been turned.
    """

    def __init__(
        self,
        table: bearoff.TwoSidedTable,
        plays: arguments.PlayChoices,
        *,
        cube: bool,
        jacoby: bool = False,
    ) -> None:
        self._plays = plays
        # Gammons are possible only with a full set of checkers.
        jacoby = jacoby and cube and table.places.has_full
        names = ("cubeless",) * 4
        if cube:
            names = ("owned", "opponent", "centred", "jacoby" if jacoby else "centred")
        self._table = TableCodes(
            table.places.slots, cube, jacoby, tuple(table.codes(name) for name in names)
        )

    def play(self, turn: CubeTurn) -> None:
        """Choose the play of each lane by the table."""
        from bearoff.sim.cubeful import kernels

        kernels.play_table(turn, self._plays, self._table)


def checkers_of(name: str, points: int, checkers: int, terms: Terms) -> Checkers:
    """Return the player with this name for games with the cube.

    Parameters
    ----------
    name : str
        ``perfect``, ``optimal``, or a player of `sim.play.players` that has a policy.
    points, checkers : int
        Numbers of points and checkers of the positions.
    terms : Terms
        Stakes of the games.

    Raises
    ------
    TableError
        If the player needs a two-sided table that is not built.
    """
    if name == PERFECT and terms.stakes.score is not None:
        return ByPairTable(table_for(terms.stakes, points, checkers), terms)
    if name == PERFECT:
        plays = optimal.all_plays(points, checkers)
        table = perfect_table(points, checkers)
        return ByTwoSidedTable(table, plays, cube=True, jacoby=terms.stakes.jacoby)
    if name == optimal.OPTIMAL:
        plays = optimal.all_plays(points, checkers)
        return ByTwoSidedTable(optimal.optimal_table(points, checkers), plays, cube=False)
    policy = player(name, points, checkers).policy
    if policy is None:
        raise bearoff.BearoffError(f"the player {name} has no policy to play by")
    return ByPolicy(policy)
