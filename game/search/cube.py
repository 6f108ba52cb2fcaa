"""Stakes and doubling cube of a game that a search evaluates."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bearoff import Match, Money
from bearoff.game.state import GameState
from bearoff.stakes import Cube, CubeOwner, Terms, cube_ladder

Float64Array = NDArray[np.float64]


@dataclass(frozen=True)
class SearchStakes:
    """Stakes, cube value and cube owner for which a search evaluates positions.

    Attributes
    ----------
    terms : Terms
        Stakes and cube value from the viewpoint of the player on roll.
    cube : {"centred", "owned", "opponent"}
        Owner of the cube from the viewpoint of the player on roll.
    """

    terms: Terms = field(default_factory=Terms)
    cube: Cube = "centred"

    @property
    def owner(self) -> int:
        """Owner of the cube: 1 for the player on roll, -1 for the opponent, 0 for none."""
        return CubeOwner.of(self.cube).value

    def ladders(self) -> Float64Array:
        """Return both players' equities for each cube value and result.

        The array has shape (2, cube values, 6). The first entry is for the player on roll,
        and the second for the opponent; see `bearoff.stakes.cube_ladder`.
        """
        return both_sides(cube_ladder(self.terms, self.cube == "centred"))


def cube_of(state: GameState) -> SearchStakes:
    """Return the stakes and the cube of a game from the viewpoint of the player on roll.

    Examples
    --------
    >>> cube_of(GameState(turn=0)).terms.stakes.label
    'money'
    """
    score = state.score
    if score is None:
        return SearchStakes(Terms(Money(jacoby=state.jacoby)), state.cube)
    return SearchStakes(Terms(Match(score), state.cube_value), state.cube)


def both_sides(ladder: Float64Array) -> Float64Array:
    """Return both players' equities for each cube value and result.

    The first entry is `ladder` itself, and the second is `ladder` from the other player's
    viewpoint.
    """
    from bearoff.stakes import ladder_kernels

    return np.stack([ladder, ladder_kernels.turned_ladder(ladder)])
