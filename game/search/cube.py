"""What a game is played for while it is searched: the stakes, and where the cube is."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bearoff import Match, Money, match_equities
from bearoff.game.state import GameState
from bearoff.stakes import Cube, CubeOwner, Terms, cube_ladder

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class CubeState:
    """What a game is played for, and where the cube is.

    Attributes
    ----------
    terms : Terms
        Of whoever is on roll.
    cube : {"centred", "owned", "opponent"}
        From the same side.
    """

    terms: Terms = field(default_factory=Terms)
    cube: Cube = "centred"

    @property
    def owner(self) -> int:
        """1 where whoever is on roll owns the cube, -1 where the opponent does, else 0."""
        return CubeOwner.of(self.cube).value

    def ladders(self) -> Float64Array:
        """Return the ladders of both sides, shape (2, rungs, 6), who is on roll first."""
        return both_sides(cube_ladder(self.terms, self.cube == "centred"))


def cube_of(state: GameState) -> CubeState:
    """Return what a game is played for, from the side of who is on roll.

    Examples
    --------
    >>> cube_of(GameState(turn=0)).terms.stakes.label
    'money'
    """
    score = state.score
    if score is None or max(score.away) > match_equities().length:
        return CubeState(Terms(Money(jacoby=state.jacoby)), state.cube)
    return CubeState(Terms(Match(score), state.cube_value), state.cube)


def both_sides(ladder: Float64Array) -> Float64Array:
    """Return a ladder as both sides have it."""
    from bearoff.stakes import ladder_kernels

    return np.stack([ladder, ladder_kernels.turned_ladder(ladder)])
