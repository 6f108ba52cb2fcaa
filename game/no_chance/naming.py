"""Naming numbers instead of rolling: which numbers a turn may name."""

from collections.abc import Iterator

from bearoff import PositionError, checks

NUMBERS = 6
FEWEST_NUMBERS, MOST_NUMBERS = 4, 7
DOUBLES = 2
"""Doubles that each side may name in a game."""


def check_numbers(numbers: int) -> int:
    """Return how many numbers there are, else raise `PositionError`."""
    return checks.integer(
        numbers, "numbers to name", FEWEST_NUMBERS, MOST_NUMBERS, PositionError
    )


def check_named(numbers: int, own: int, met: int, doubles: tuple[int, int]) -> None:
    """Refuse what the sides cannot have named, or doubles that they cannot have left."""
    for name, number in (("your last number", own), ("their last number", met)):
        checks.integer(number, name, 1, numbers, PositionError)
    for name, left in zip(
        ("your doubles left", "their doubles left"), doubles, strict=True
    ):
        checks.integer(left, name, 0, DOUBLES, PositionError)


def nameable(numbers: int, own: int, met: int, doubles: int) -> Iterator[int]:
    """Yield the numbers that may be named.

    Parameters
    ----------
    numbers : int
        How many there are.
    own, met : int
        The number that the roller named last, and the opponent's.
    doubles : int
        Doubles that the roller may still name.
    """
    for named in range(1, numbers + 1):
        if named != own and (named != met or doubles):
            yield named
