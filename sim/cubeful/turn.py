"""State of many simultaneous games with the cube at one turn."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class CubeTurn(NamedTuple):
    """State of many simultaneous games at one turn, in the form that compiled code reads.

    Attributes
    ----------
    live : ndarray of int32
        Indices of the unfinished games in the other arrays.
    mine, theirs : ndarray of uint32
        Position numbers of the side on roll and of the other side. A play changes `mine`.
    owner : ndarray of int8
        Owner of the cube from the viewpoint of the side that rolls first; see
        `bearoff.stakes.CubeOwner`.
    side : int
        Side on roll: 0 for the side that rolls first, 1 for its opponent.
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
