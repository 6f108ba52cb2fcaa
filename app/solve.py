"""Tables for the commands, with a word to whoever has to wait for one."""

from app.output import complain
from bearoff import (
    OneSidedTable,
    one_sided_table,
    position_count,
    rebuild_one_sided_table,
)
from bearoff.kept import kept_tables
from bearoff.one_sided import LARGEST


def table_of(points: int, checkers: int) -> OneSidedTable:
    """Return the one-sided table, saying so on stderr where it must be solved first."""
    if not any((k.points, k.checkers) == (points, checkers) for k in kept_tables()):
        _announce(points, checkers)
    return one_sided_table(points, checkers)


def solve_anew(points: int, checkers: int) -> OneSidedTable:
    """Solve and keep the one-sided table, whatever is kept, saying so on stderr."""
    _announce(points, checkers)
    return rebuild_one_sided_table(points, checkers)


def _announce(points: int, checkers: int) -> None:
    size = position_count(points, checkers)
    if size <= LARGEST:  # Larger ones are refused, not solved.
        complain(
            f"solving {size:,} positions ({points} points, {checkers} checkers); the "
            "table is kept for the next time"
        )
