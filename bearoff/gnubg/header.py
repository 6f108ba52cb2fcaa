"""Header of a bear-off file (its first 40 bytes), and the size of the file."""

import re
from dataclasses import dataclass

from bearoff.errors import TableError
from bearoff.positions import CHECKERS, position_count

HEADER_BYTES = 40
"""Size of a header in bytes. All data after the header are little-endian."""

ROLLS = 32
"""Number of columns of a distribution in a one-sided file, for 0 to 31 rolls."""

MOST_BYTES = 1 << 32
"""Maximum size of a bear-off file in bytes. GNU Backgammon 1.07 uses 32-bit offsets and
misreads larger files."""

MOST_POINTS = 23
"""Maximum number of points in a bear-off file. GNU Backgammon does not accept a file with
24 points."""

_ONE_SIDED = re.compile(rb"gnubg-OS-(\d\d)-(\d\d)-([01])-([01])-([01])")
_TWO_SIDED = re.compile(rb"gnubg-TS-(\d\d)-(\d\d)-([01])")


@dataclass(frozen=True)
class Header:
    """Description of a bear-off file, as stated in its header.

    Attributes
    ----------
    two_sided : bool
        Whether the file has values of pairs of positions, and not of single positions.
    points, checkers : int
        Number of points, and maximum number of checkers per player.
    cube : bool
        Whether a two-sided file stores cubeful equities after each cubeless equity.
    gammons : bool
        Whether a one-sided file also contains the distribution of the number of rolls to
        the first checker off.
    compressed : bool
        Whether a one-sided file leaves out leading and trailing zeros.
    normal : bool
        Whether a one-sided file contains only means and standard deviations.
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
        """Number of positions of one player."""
        return position_count(self.points, self.checkers)

    @property
    def planes(self) -> int:
        """Number of equities per pair of positions in a two-sided file."""
        return 4 if self.cube else 1

    @property
    def row_bytes(self) -> int:
        """Number of bytes per position; in a compressed file, of its entry in the index."""
        if self.two_sided:
            return 2 * self.planes * self.positions
        if self.normal:
            return 16
        if self.compressed:
            return 8 if self.gammons else 6
        return 2 * ROLLS * (2 if self.gammons else 1)

    @property
    def file_bytes(self) -> int:
        """Size of the file in bytes; for a compressed file, without the distributions."""
        return HEADER_BYTES + self.positions * self.row_bytes

    def encode(self) -> bytes:
        """Return the header as 40 bytes.

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
        """Return a short description of the file's contents."""
        size = f"{self.points} points and {self.checkers} checkers"
        if self.two_sided:
            return f"two-sided, {size}, {'with the cube' if self.cube else 'cubeless'}"
        kind = "only means and standard deviations" if self.normal else "roll distributions"
        gammons = "with" if self.gammons else "without"
        packed = ", compressed" if self.compressed else ""
        return f"one-sided, {size}, {kind}, {gammons} gammons{packed}"


def decode(data: bytes, name: str) -> Header:
    """Parse the header of a file; error messages use `name`."""
    if found := _TWO_SIDED.match(data):
        points, checkers, cube = map(int, found.groups())
        header = Header(True, points, checkers, cube=bool(cube))
    elif found := _ONE_SIDED.match(data):
        points, checkers, *flags = map(int, found.groups())
        header = Header(False, points, checkers, False, *map(bool, flags))
    else:
        raise TableError(
            f"{name} is not a bear-off file of GNU Backgammon: it must start with gnubg-OS "
            "or gnubg-TS, which makebearoff omits with --no-header"
        )
    if not 1 <= header.points <= MOST_POINTS or not 1 <= header.checkers <= CHECKERS:
        raise TableError(
            f"{name} is for {header.points} points and {header.checkers} checkers; this "
            f"format allows 1 to {MOST_POINTS} points and 1 to {CHECKERS} checkers"
        )
    return header
