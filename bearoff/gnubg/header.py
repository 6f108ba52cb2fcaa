"""The first 40 bytes of a file: what it holds, and how large that makes it."""

import re
from dataclasses import dataclass

from bearoff.errors import TableError
from bearoff.positions import CHECKERS, position_count

HEADER_BYTES = 40
"""Of every file; what follows is little endian."""

ROLLS = 32
"""Numbers of rolls, 0 to 31, that a row of a one-sided file has room for."""

MOST_BYTES = 1 << 32
"""GNU Backgammon 1.07 finds its place with 32 bits: in larger files it reads other rows."""

MOST_POINTS = 23
"""It refuses a file of 24 points."""

_ONE_SIDED = re.compile(rb"gnubg-OS-(\d\d)-(\d\d)-([01])-([01])-([01])")
_TWO_SIDED = re.compile(rb"gnubg-TS-(\d\d)-(\d\d)-([01])")


@dataclass(frozen=True)
class Header:
    """What a file says of itself.

    Attributes
    ----------
    two_sided : bool
        Whether it holds pairs of positions.
    points, checkers : int
        Largest positions of a side.
    cube : bool
        Of a two-sided file: whether the equities with the cube follow each cubeless one.
    gammons : bool
        Of a one-sided file: whether it has the rolls to the first checker off, too.
    compressed : bool
        Of a one-sided file: whether zeros before and after are left out.
    normal : bool
        Of a one-sided file: whether it has means and standard deviations alone.
    """

    two_sided: bool
    points: int
    checkers: int
    cube: bool = False
    gammons: bool = False
    compressed: bool = False
    normal: bool = False

    @property
    def positions(self) -> int:
        """Positions of a side."""
        return position_count(self.points, self.checkers)

    @property
    def planes(self) -> int:
        """Values of a pair in a two-sided file."""
        return 4 if self.cube else 1

    @property
    def row_bytes(self) -> int:
        """Bytes of a position; in a compressed file those of its entry in the index."""
        if self.two_sided:
            return 2 * self.planes * self.positions
        if self.normal:
            return 16
        if self.compressed:
            return 8 if self.gammons else 6
        return 2 * ROLLS * (2 if self.gammons else 1)

    @property
    def file_bytes(self) -> int:
        """Bytes of the file, of a compressed one without its rows."""
        return HEADER_BYTES + self.positions * self.row_bytes

    def encode(self) -> bytes:
        """Write the 40 bytes.

        Examples
        --------
        >>> Header(two_sided=True, points=6, checkers=8, cube=True).encode()[:17]
        b'gnubg-TS-06-08-1x'
        """
        flags = (
            [self.cube] if self.two_sided else [self.gammons, self.compressed, self.normal]
        )
        size = f"{self.points:02}-{self.checkers:02}"
        parts = ["gnubg", "TS" if self.two_sided else "OS", size]
        text = "-".join([*parts, *(str(int(flag)) for flag in flags)])
        return text.encode().ljust(HEADER_BYTES - 1, b"x") + b"\n"

    def describe(self) -> str:
        """Say what is in the file, in a few words."""
        size = f"{self.points} points and {self.checkers} checkers"
        if self.two_sided:
            return f"two-sided, {size}, {'with the cube' if self.cube else 'cubeless'}"
        kind = (
            "means and standard deviations alone" if self.normal else "roll distributions"
        )
        gammons = "with" if self.gammons else "without"
        packed = ", compressed" if self.compressed else ""
        return f"one-sided, {size}, {kind}, {gammons} gammons{packed}"


def decode(data: bytes, name: str) -> Header:
    """Read the header of the file of this name.

    Raises
    ------
    TableError
        If it is none, or of a size that no table has.
    """
    if found := _TWO_SIDED.match(data):
        points, checkers, cube = map(int, found.groups())
        header = Header(True, points, checkers, cube=bool(cube))
    elif found := _ONE_SIDED.match(data):
        points, checkers, *flags = map(int, found.groups())
        header = Header(False, points, checkers, False, *map(bool, flags))
    else:
        raise TableError(
            f"{name} is not a bear-off file of GNU Backgammon: it does not start with "
            "gnubg-OS or gnubg-TS, as makebearoff writes without --no-header"
        )
    if not 1 <= header.points <= MOST_POINTS or not 1 <= header.checkers <= CHECKERS:
        raise TableError(
            f"{name} names {header.points} points and {header.checkers} checkers; its "
            f"format has 1 to {MOST_POINTS} and 1 to {CHECKERS}"
        )
    return header
