"""State of many simultaneous games with the cube at one turn."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class CubeTurn(NamedTuple):
    """State of many games at the same turn, as arrays for compiled code.

    Attributes
    ----------
    live : ndarray of int32
        Indices of the unfinished games in the other arrays.
    mine, theirs : ndarray of uint32
        Position numbers of the side on roll and of its opponent, one per game. A play
        changes only `mine`.
    owner : ndarray of int8
        Owner of the cube from the viewpoint of the side that rolls first; see
        `bearoff.stakes.CubeOwner`.
    side : int
        Side on roll: 0 if it is the side that rolled first in the game, 1 if it is the
        other side.
    rolls : ndarray of uint8
        Index of each game's roll, from 0 to 20.
    level : ndarray of uint8
        Number of doubles that were taken so far.
    """

    live: NDArray[np.int32]
    mine: NDArray[np.uint32]
    theirs: NDArray[np.uint32]
    owner: NDArray[np.int8]
    side: int
    rolls: NDArray[np.uint8]
    level: NDArray[np.uint8]
