"""The 21 rolls of two dice and their weights, in the order that all arrays use.

The 15 rolls of two different numbers come first, each with weight 2. The six doubles
follow, each with weight 1. Of the 36 equally likely throws of two dice, number ``t`` is
entry ``t // 2`` of `ROLLS` if ``t < 30``, and otherwise entry ``t - 15``, so kernels need
no lookup table.
"""

import re
from typing import Final

import numpy as np

from bearoff import checks
from bearoff.errors import RollError

THROWS: Final = 36
"""Number of equally likely throws of two dice."""

ROLLS: Final[tuple[tuple[int, int], ...]] = (
    *((high, low) for high in range(2, 7) for low in range(1, high)),
    *((die, die) for die in range(1, 7)),
)
"""The 21 rolls of two dice, larger number first; doubles come last."""

WEIGHTS: Final[tuple[int, ...]] = tuple(1 if a == b else 2 for a, b in ROLLS)
"""Number of throws, out of 36, that give each entry of `ROLLS`: 2, or 1 for doubles."""

PIPS_PER_ROLL: Final = 49 / 6
"""Mean number of pips of a roll, in which a double counts four times its number. The
effective pip count (EPC) is the mean number of rolls to bear off times this number."""

HOME: Final = 6
"""Highest point of the home board. A player may bear off if no checker is on a higher
point."""

DICE = np.array(ROLLS, dtype=np.int64)
DICE.setflags(write=False)

ROLL_OF_THROW = np.repeat(np.arange(len(ROLLS)), WEIGHTS)
"""Index in `ROLLS`, from 0 to 20, of each of the 36 throws."""
ROLL_OF_THROW.setflags(write=False)


def check_roll(roll: tuple[int, int]) -> tuple[int, int]:
    """Return a roll with its larger number first; raise `RollError` for other values.

    Examples
    --------
    >>> check_roll((4, 6))
    (6, 4)
    """
    try:
        first, second = roll
        first = checks.integer(first, "a die", 1, 6, RollError)
        second = checks.integer(second, "a die", 1, 6, RollError)
    except (TypeError, ValueError):
        raise RollError(f"a roll must be two numbers from 1 to 6, got {roll!r}") from None
    return max(first, second), min(first, second)


def dice_of(roll: tuple[int, int]) -> tuple[int, ...]:
    """Return the dice that a player moves: two numbers, or four equal numbers for doubles.

    Examples
    --------
    >>> dice_of((6, 4)), dice_of((3, 3))
    ((6, 4), (3, 3, 3, 3))
    """
    high, low = roll
    return (high,) * 4 if high == low else (high, low)


def parse_roll(text: str) -> tuple[int, int]:
    """Parse a roll as players write it: ``64``, ``6-4``, ``4 6`` or ``6,4``.

    Returns
    -------
    tuple of int
        Roll with its larger number first.

    Raises
    ------
    RollError
        If `text` is not two numbers from 1 to 6.

    Examples
    --------
    >>> parse_roll("4-6")
    (6, 4)
    """
    checks.instance(text, "a roll", str, RollError)
    match = re.fullmatch(r"\s*([1-6])\s*[-, ]?\s*([1-6])\s*", text, flags=re.ASCII)
    if match is None:
        raise RollError(
            f"a roll must be two numbers from 1 to 6, such as 6-4, got {text!r}"
        )
    first, second = int(match[1]), int(match[2])
    return max(first, second), min(first, second)


def format_roll(roll: tuple[int, int]) -> str:
    """Format a roll with its larger number first, as `parse_roll` reads it.

    Examples
    --------
    >>> format_roll((6, 4))
    '6-4'
    """
    high, low = check_roll(roll)
    return f"{high}-{low}"
