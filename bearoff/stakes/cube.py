"""Owner of the doubling cube: a word in texts and files, a number in arrays.

The word and the number are from the viewpoint of the player on roll.
"""

from collections.abc import Collection
from enum import IntEnum
from typing import Literal, TypeVar, get_args

from bearoff import checks
from bearoff.errors import PositionError

Cube = Literal["owned", "centred", "opponent"]
"""Owner of the cube: the player on roll, nobody (centred), or the opponent."""

RollersCube = Literal["centred", "owned"]
"""States of the cube in which the player on roll may double: centred, or owned by this
player."""

CUBES: tuple[Cube, ...] = get_args(Cube)

Where = TypeVar("Where", bound=str)


def cube_named(text: str) -> Cube:
    """Parse a word for the owner of the cube, in British or American spelling.

    Examples
    --------
    >>> cube_named("Centered")
    'centred'
    """
    return cube_among(text, CUBES)


def cube_among(text: str, allowed: Collection[Where]) -> Where:
    """Parse a word for the owner of the cube; raise an error if it is not allowed.

    Raises
    ------
    PositionError
        If the word does not name an allowed owner.
    """
    checks.instance(text, "the cube", str)
    said = text.strip().lower().replace("centered", "centred").replace("center", "centred")
    found = next((where for where in allowed if where.lower() == said), None)
    if found is None:
        *most, last = (
            "owned (by the roller)" if where == "owned" else where for where in allowed
        )
        raise PositionError(
            f"the cube position must be {', '.join(most)} or {last}, got "
            f"{text!r}{checks.did_you_mean(text, allowed)}"
        )
    return found


class CubeOwner(IntEnum):
    """Owner of the cube as a number in arrays and kernels.

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
        """Return the number of an owner of the cube that is given as a word."""
        return _OWNERS[cube]

    @property
    def cube(self) -> Cube:
        """Owner of the cube as a word."""
        return _WORDS[self]

    @property
    def exchanged(self) -> "CubeOwner":
        """Owner of the cube from the other player's viewpoint."""
        return CubeOwner(-self)

    @property
    def may(self) -> tuple[bool, bool]:
        """Whether the player on roll may double, and whether the opponent may."""
        return self >= 0, self <= 0


_WORDS: dict[CubeOwner, Cube] = {
    CubeOwner.ROLLER: "owned",
    CubeOwner.NOBODY: "centred",
    CubeOwner.OPPONENT: "opponent",
}

_OWNERS = {cube: owner for owner, cube in _WORDS.items()}
