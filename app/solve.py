"""Tables for the commands, with a word to whoever has to wait for one."""

from app.output import complain
from bearoff import OneSidedTable, one_sided_table, position_count
from bearoff.kept import kept_tables


def table_of(points: int, checkers: int) -> OneSidedTable:
    """Return the one-sided table, saying so on stderr where it must be solved first."""
    size = position_count(points, checkers)
    if not any((k.points, k.checkers) == (points, checkers) for k in kept_tables()):
        complain(
            f"solving {size:,} positions ({points} points, {checkers} checkers) once; "
            "the table is kept"
        )
    return one_sided_table(points, checkers)
