"""Tables that a command needs: stored, solved by the command, or built by the user."""

from typing import TYPE_CHECKING

from bearoff.app.output import note

if TYPE_CHECKING:
    from bearoff import OneSidedTable, Race, TwoSidedTable


def is_built(points: int, checkers: int) -> bool:
    """Return whether the one-sided table of a given size is stored in the cache."""
    from bearoff.one_sided import cached_tables

    return any((k.points, k.checkers) == (points, checkers) for k in cached_tables())


def one_sided(points: int, checkers: int) -> "OneSidedTable":
    """Return a one-sided table; print a note on stderr if it must be solved first."""
    from bearoff import one_sided_table, position_count
    from bearoff.one_sided import check_room

    if not is_built(points, checkers):
        check_room(points, checkers)  # The note is omitted for a table that is too large.
        note(
            f"solving {position_count(points, checkers):,} positions ({points} points, "
            f"{checkers} checkers), once; the table is stored for later queries"
        )
    return one_sided_table(points, checkers)


def two_sided(race: "Race", *, cube: bool) -> "TwoSidedTable | None":
    """Return the smallest stored two-sided table that contains the race, or None."""
    from bearoff.two_sided import smallest_table_with

    return smallest_table_with(*_size(race), cube=cube, wider=True)


def how_to_build(race: "Race", *, cube: bool) -> str:
    """Return the command that builds a two-sided table for a race."""
    from bearoff.two_sided import build_command

    checkers, points = _size(race)
    return build_command(points, checkers, cube=cube)


def _size(race: "Race") -> tuple[int, int]:
    """Return the numbers of checkers and points that a table needs to contain a race.

    The table needs at least one checker and 6 points.
    """
    from bearoff import POINTS

    sides = race.roller, race.opponent
    checkers = max(*(side.on_board for side in sides), 1)
    return checkers, max(*(side.highest for side in sides), POINTS)
