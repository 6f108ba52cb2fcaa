"""Settings of a search for the best play."""

from dataclasses import dataclass
from typing import Literal

from bearoff import ROLLS, BearoffError, checks

Method = Literal["plain", "star1", "star2"]
METHODS: tuple[Method, ...] = ("plain", "star1", "star2")

DEEPEST = 4
"""Maximum number of rolls that a search may look ahead."""


@dataclass(frozen=True)
class SearchSettings:
    """Depth, width, method and limits of a search.

    Attributes
    ----------
    depth : int
        Search depth in rolls, from 0 to `DEEPEST`. With depth 0, plays are compared by the
        evaluation of the positions directly after them.
    width : int
        Number of plays at the root that are searched deeper: the best plays according to an
        evaluation without a search.
    inner_width : int
        Number of plays that are searched deeper at every node below the root.
    method : {"plain", "star1", "star2"}
        Search method. All methods give the same values; "star1" and "star2" prune the
        search.
    rolls : int
        Number of rolls that are sampled at a chance node; 21 for all rolls.
    table : int
        Number of entries of the transposition table, a power of two; 0 for no table.
    seconds : float or None
        Time limit for a play in seconds. The search returns the result of the last
        completed depth.
    seed : int
        Random seed for the sample of rolls.
    """

    depth: int = 1
    width: int = 8
    inner_width: int = 4
    method: Method = "star2"
    rolls: int = 21
    table: int = 1 << 18
    seconds: float | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        checks.choice(self.method, "method", METHODS)
        for name, low, high in (
            ("depth", 0, DEEPEST),
            ("width", 1, 1000),
            ("inner_width", 1, 1000),
            ("rolls", 1, len(ROLLS)),
            ("table", 0, 1 << 26),
            ("seed", 0, (1 << 62) - 1),
        ):
            value = getattr(self, name)
            if not isinstance(value, int) or not low <= value <= high:
                raise BearoffError(f"{name} must be from {low} to {high}, got {value}")
        if self.table & (self.table - 1):
            raise BearoffError(f"table must be 0 or a power of 2, got {self.table}")
        if self.seconds is not None and not self.seconds > 0:
            raise BearoffError(f"seconds must be more than 0, got {self.seconds}")
