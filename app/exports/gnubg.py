"""Export of tables as GNU Backgammon's bear-off files."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bearoff import CHECKERS, TableError, TwoSidedTable
from bearoff.app.exports.pairs import table_of
from bearoff.app.tables import one_sided
from bearoff.gnubg import (
    Header,
    one_sided_header,
    two_sided_header,
    write_one_sided,
    write_two_sided,
)

Progress = Callable[[float], None]


def header_of(
    points: int,
    checkers: int | None,
    *,
    two_sided: bool,
    cubeless: bool = False,
    uncompressed: bool = False,
) -> Header:
    if two_sided:
        if uncompressed:
            raise TableError("two-sided files are never compressed; omit --uncompressed")
        if checkers is None:
            checkers = _largest(points, cube=not cubeless)
        return two_sided_header(points, checkers, cube=not cubeless)
    if cubeless:
        raise TableError(
            "one-sided files have no cube; use --cubeless only with --two-sided"
        )
    if checkers not in (None, CHECKERS):
        raise TableError(
            f"a one-sided file always covers {CHECKERS} checkers, got --checkers "
            f"{checkers}; use --two-sided for fewer"
        )
    return one_sided_header(points, compressed=not uncompressed)


def _largest(points: int, *, cube: bool) -> int:
    """Return the most checkers per side that a stored table has and the format allows."""
    most = table_of(points, None, cube=cube).checkers
    for checkers in range(most, 0, -1):
        with suppress(TableError):
            return two_sided_header(points, checkers, cube=cube).checkers
    return most


def write_file(path: Path, header: Header, progress: Progress) -> None:
    """Write a GNU Backgammon file atomically."""
    if header.two_sided:
        write_two_sided(path, _table(header), header, progress)
    else:
        write_one_sided(path, one_sided(header.points, CHECKERS), header, progress)


def _table(header: Header) -> TwoSidedTable:
    return table_of(header.points, header.checkers, cube=header.cube, wider=True)


def seconds_for(header: Header) -> float:
    """Estimate the processor time, in seconds, of writing a file from a stored table."""
    if header.two_sided:
        return header.positions**2 * (1e-7 if header.cube else 3e-8)
    return header.positions * 5e-6
