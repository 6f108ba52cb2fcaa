"""Rules for the numbers that a player may name in No Chance Backgammon."""

from collections.abc import Iterator

from bearoff import PositionError, checks

NUMBERS = 6
FEWEST_NUMBERS, MOST_NUMBERS = 4, 7
DOUBLES = 2
"""Number of doubles that each player may name in a game."""


def check_numbers(numbers: int) -> int:
    """Check the largest number that players may name, and return it."""
    return checks.integer(
        numbers, "numbers to name", FEWEST_NUMBERS, MOST_NUMBERS, PositionError
    )


def check_named(numbers: int, own: int, met: int, doubles: tuple[int, int]) -> None:
    """Check the state of a No Chance game: last named numbers and remaining doubles."""
    for name, number in (("your last number", own), ("their last number", met)):
        checks.integer(number, name, 1, numbers, PositionError)
    for name, left in zip(
        ("your doubles left", "their doubles left"), doubles, strict=True
    ):
        checks.integer(left, name, 0, DOUBLES, PositionError)


def nameable(numbers: int, own: int, met: int, doubles: int) -> Iterator[int]:
    """Yield the numbers that the roller may name.

    `own` and `met` are the numbers that the roller and the opponent named last. `doubles`
    is the number of doubles that the roller may still name.
    """
    for named in range(1, numbers + 1):
        if named != own and (named != met or doubles):
            yield named
