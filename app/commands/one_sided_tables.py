"""Subcommands of `bearoff tables` for one-sided tables: build and verify."""

import warnings
from time import perf_counter

from bearoff.app.commands.two_sided_tables import needs
from bearoff.app.interruption import interruptible
from bearoff.app.output import note, say, say_json


def build_one_sided(
    points: int, checkers: int, *, workers: int | None, json: bool = False
) -> None:
    """Print the resources needed, build a one-sided table, and print its digest."""
    from bearoff import TableError, position_count
    from bearoff.one_sided import (
        cached_tables,
        check_room,
        estimate_one_sided_build,
        rebuild_one_sided_table,
    )
    from bearoff.runtime import format_bytes
    from bearoff.sim.engine import PassProgress

    size = f"{points} points and {checkers} checkers"
    estimate = estimate_one_sided_build(points, checkers, workers)
    takes = needs(
        disk=estimate.disk_bytes,
        memory=estimate.memory_bytes,
        seconds=estimate.seconds,
        workers=estimate.workers,
    )
    note(f"solving {estimate.positions:,} positions of {size} needs {takes}")
    check_room(points, checkers)
    start = perf_counter()
    progress = PassProgress()
    try:
        with (
            interruptible(
                "the unfinished table is not stored; an earlier table is unchanged"
            ),
            warnings.catch_warnings(),
        ):
            warnings.filterwarnings(
                "error", "the table .* cannot be stored", RuntimeWarning
            )
            rebuild_one_sided_table(
                points,
                checkers,
                workers=workers,
                progress=lambda done: progress("solving", done),
            )
    except RuntimeWarning as warning:
        raise TableError(str(warning)) from warning.__context__
    seconds = perf_counter() - start
    cached = [k for k in cached_tables() if (k.points, k.checkers) == (points, checkers)]
    if json:
        say_json(
            {
                "points": points,
                "checkers": checkers,
                "positions": position_count(points, checkers),
                "seconds": round(seconds, 3),
                "bytes": cached[0].bytes if cached else None,
                "digest": cached[0].digest if cached else None,
            }
        )
        return
    say(f"{estimate.positions:,} positions solved in {seconds:.1f} s")
    for table in cached:
        say(f"{format_bytes(table.bytes)}, digest {table.digest}")


def verify_one_sided(points: int | None, checkers: int | None) -> None:
    """Verify every byte of the one-sided tables of one size, or of all sizes."""
    from bearoff.one_sided import cached_tables

    for table in cached_tables():
        if points in (None, table.points) and checkers in (None, table.checkers):
            table.verify()
            size = f"{table.points} points and {table.checkers} checkers"
            say(f"one-sided table of {size}: no damage found")
