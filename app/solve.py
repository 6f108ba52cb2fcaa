"""Tables for the commands, with a word to whoever has to wait for one."""

from app.output import complain
from bearoff import OneSidedTable, one_sided_table, position_count
from bearoff.kept import kept_tables
from bearoff.one_sided_estimate import check_room


def table_of(points: int, checkers: int) -> OneSidedTable:
    """Return the one-sided table, saying so on stderr where it must be solved first."""
    if not any((k.points, k.checkers) == (points, checkers) for k in kept_tables()):
        check_room(points, checkers)  # What is refused is not announced.
        complain(
            f"solving {position_count(points, checkers):,} positions ({points} points, "
            f"{checkers} checkers); the table is kept for the next time"
        )
    return one_sided_table(points, checkers)
