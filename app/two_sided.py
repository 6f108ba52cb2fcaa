"""The two-sided table that a query needs, and what to run where there is none."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bearoff import Race, TwoSidedTable


def table_for(race: "Race", *, cube: bool) -> "TwoSidedTable | None":
    """Return the smallest built table that holds the race; None if there is none."""
    from bearoff import POINTS
    from bearoff.two_sided_kept import smallest_table_with

    if race.roller.points != POINTS:
        return None
    return smallest_table_with(most_checkers(race), cube=cube)


def most_checkers(race: "Race") -> int:
    """Return the checkers on the board of the side that has more, at least 1."""
    return max(race.roller.on_board, race.opponent.on_board, 1)


def how_to_build(race: "Race", *, cube: bool) -> str:
    """Return the command that builds the table a race needs."""
    options = "" if cube else " --cubeless"
    return f"bearoff tables build --two-sided --checkers {most_checkers(race)}{options}"
