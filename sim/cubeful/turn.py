"""A turn of games with the cube, as those who move the checkers see it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Turn(NamedTuple):
    """One turn of many games, as `sim.cubeful.kernels` takes it.

    Attributes
    ----------
    live : ndarray of int32
        The lanes still played; all other arrays have an entry for every lane.
    mine, theirs : ndarray of uint32
        Positions of the side on roll, which its play changes, and of the other.
    owner : ndarray of int8
        Who owns the cube, as the roller of the pair has it; see `bearoff.stakes.CubeOwner`.
    side : int
        Who is on roll: 0 the roller of the pair, 1 the opponent.
    rolls : ndarray of uint8
        Index of each lane's roll.
    level : ndarray of uint8
        How often the cube was turned and taken.
    """

    live: NDArray[np.int32]
    mine: NDArray[np.uint32]
    theirs: NDArray[np.uint32]
    owner: NDArray[np.int8]
    side: int
    rolls: NDArray[np.uint8]
    level: NDArray[np.uint8]
