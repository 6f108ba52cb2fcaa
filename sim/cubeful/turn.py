"""State of one turn of games with the cube."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class CubeTurn(NamedTuple):
    """One turn of many games, as an argument of `sim.cubeful.kernels`.

    Attributes
    ----------
    live : ndarray of int32
        Indices of the unfinished lanes; all other arrays have an entry for every lane.
    mine, theirs : ndarray of uint32
        Positions of the side on roll, which its play changes, and of the other side.
    owner : ndarray of int8
        Owner of the cube from the pair's roller's side; see `bearoff.stakes.CubeOwner`.
    side : int
        Side on roll: 0 for the pair's roller, 1 for the opponent.
    rolls : ndarray of uint8
        Index of each lane's roll.
    level : ndarray of uint8
        Number of doubles that were taken.
    """

    live: NDArray[np.int32]
    mine: NDArray[np.uint32]
    theirs: NDArray[np.uint32]
    owner: NDArray[np.int8]
    side: int
    rolls: NDArray[np.uint8]
    level: NDArray[np.uint8]
