"""Players that choose the checker plays in games with the cube."""

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
    """Compressed two-sided table, in the form that compiled code reads.

    Attributes
    ----------
    slots : ndarray of integers, shape (positions,)
        Index of each position in the two-sided table.
    cube : bool
        Whether the player maximises the cubeful equity, rather than the win probability.
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
    planes : tuple of four
        Compressed equities of a side on roll, one table for each owner of the cube: the
        side itself, its opponent, and nobody. With the Jacoby rule, the fourth table
        contains its effect on the equity with a centred cube. If `cube` is false, all four
        tables are the same table of win probabilities.
    """

    slots: NDArray[np.integer]
    cube: bool
    jacoby: bool
    planes: tuple[PlaneArrays | NDArray[np.int32], ...]


class Checkers(Protocol):
    """Player that chooses one side's plays in many games at once."""

    def play(self, turn: CubeTurn) -> None:
        """Play the roll of each unfinished game for the side on roll."""


class ByPolicy:
    """Player that always makes the same play for a position and roll.

    Parameters
    ----------
    policy : ndarray of uint16 or uint32, shape (positions, 21)
    """

    def __init__(self, policy: NDArray[np.unsignedinteger]) -> None:
        self._policy = policy

    def play(self, turn: CubeTurn) -> None:
        from bearoff.sim.cubeful import kernels

        kernels.play_policy(turn.live, turn.mine, turn.rolls, self._policy)


class ByTwoSidedTable:
    """Player that minimises the opponent's equity, looked up in a two-sided table.

    Parameters
    ----------
    table : TwoSidedTable
        Two-sided table. If `cube` is true, it must contain cubeful equities.
    cube : bool
        Whether the player maximises the cubeful equity, rather than the win probability.
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
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
        # Gammons are possible only if a side starts the game with 15 checkers.
        jacoby = jacoby and cube and table.places.has_full
        names = ("cubeless",) * 4
        if cube:
            names = ("owned", "opponent", "centred", "jacoby" if jacoby else "centred")
        self._table = TableCodes(
            table.places.slots, cube, jacoby, tuple(table.codes(name) for name in names)
        )

    def play(self, turn: CubeTurn) -> None:
        from bearoff.sim.cubeful import kernels

        kernels.play_table(turn, self._plays, self._table)


def checkers_of(name: str, points: int, checkers: int, terms: Terms) -> Checkers:
    """Return the player with a given name for games with the cube.

    Parameters
    ----------
    name : str
        Name of the player: ``perfect``, ``optimal``, or the name of a player in
        `sim.play.players` that has a fixed policy.
    points, checkers : int
        Numbers of points and checkers of the positions.
    terms : Terms
        Match score or money play, cube value and player on roll.

    Raises
    ------
    TableError
        If the player needs a two-sided table that has not been built.
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
        raise bearoff.BearoffError(
            f"the player {name} chooses plays at random, which is impossible with the cube"
        )
    return ByPolicy(policy)
