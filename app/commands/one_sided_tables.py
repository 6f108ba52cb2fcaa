"""`bearoff tables` for one-sided tables: build and verify."""

import warnings
from time import perf_counter

from app.commands.two_sided_tables import Progress, needs
from app.interruption import Interrupted
from app.output import complain, say, say_json


def build_one_sided(
    points: int, checkers: int, *, workers: int | None, json: bool = False
) -> None:
    """Say what the build takes, build, and say what came of it.

    Raises
    ------
    TableError
        If the table cannot be kept, which to a query is but a warning.
    """
    from bearoff import TableError, position_count, rebuild_one_sided_table
    from bearoff.kept import kept_tables
    from bearoff.one_sided_estimate import check_room, estimate_one_sided_build

    size = f"{points} points and {checkers} checkers"
    estimate = estimate_one_sided_build(points, checkers, workers)
    complain(f"{estimate.positions:,} positions of {size}: {needs(estimate)}")
    check_room(points, checkers)
    start = perf_counter()
    progress = Progress()
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "the table .* cannot be kept", RuntimeWarning)
            rebuild_one_sided_table(
                points,
                checkers,
                workers=workers,
                progress=lambda done: progress("solving", done),
            )
    except RuntimeWarning as warning:
        raise TableError(str(warning)) from warning.__context__
    except KeyboardInterrupt:
        raise Interrupted(
            "interrupted; nothing of this build is kept, and a table that was there stays"
        ) from None
    seconds = perf_counter() - start
    kept = [k for k in kept_tables() if (k.points, k.checkers) == (points, checkers)]
    if json:
        say_json(
            {
                "points": points,
                "checkers": checkers,
                "positions": position_count(points, checkers),
                "seconds": round(seconds, 3),
                "bytes": kept[0].bytes if kept else None,
                "digest": kept[0].digest if kept else None,
            }
        )
        return
    say(f"{estimate.positions:,} positions solved in {seconds:.1f} s")
    for table in kept:
        say(f"{table.bytes / 1e6:,.1f} MB, digest {table.digest}")


def verify_one_sided(points: int | None, checkers: int | None) -> None:
    """Read every byte of the one-sided tables of a size, or of all.

    Raises
    ------
    TableError
        If one is damaged.
    """
    from bearoff.kept import kept_tables

    for kept in kept_tables():
        if points in (None, kept.points) and checkers in (None, kept.checkers):
            kept.verify()
            say(
                f"one-sided table of {kept.points} points and {kept.checkers} checkers good"
            )
