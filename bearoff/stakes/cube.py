"""The owner of the cube: a word for people and files, a number for arrays and kernels.

Both are from the side of the player on roll.
"""

from enum import IntEnum
from typing import Literal, get_args

Cube = Literal["owned", "centred", "opponent"]
"""Where the cube is: owned by the player on roll, by nobody, or by the opponent."""

RollersCube = Literal["centred", "owned"]
"""Where it is if the player on roll may turn it."""

CUBES: tuple[Cube, ...] = get_args(Cube)


class CubeOwner(IntEnum):
    """Who owns the cube, as arrays and kernels have it.

    Examples
    --------
    >>> owner = CubeOwner.of("owned")
    >>> int(owner), owner.exchanged.cube, owner.exchanged.may
    (1, 'opponent', (False, True))
    """

    OPPONENT = -1
    NOBODY = 0
    ROLLER = 1

    @classmethod
    def of(cls, cube: Cube) -> "CubeOwner":
        """Return the owner of a cube that is at this place."""
        return _OWNERS[cube]

    @property
    def cube(self) -> Cube:
        """Where the cube is, in a word."""
        return _WORDS[self]

    @property
    def exchanged(self) -> "CubeOwner":
        """The owner from the other player's point of view: mine becomes theirs."""
        return CubeOwner(-self)

    @property
    def may(self) -> tuple[bool, bool]:
        """Whether the player on roll may turn the cube, and whether the opponent may."""
        return self >= 0, self <= 0


_WORDS: dict[CubeOwner, Cube] = {
    CubeOwner.ROLLER: "owned",
    CubeOwner.NOBODY: "centred",
    CubeOwner.OPPONENT: "opponent",
}

_OWNERS = {cube: owner for owner, cube in _WORDS.items()}
