"""`bearoff tables` for two-sided tables: build and verify."""

from time import monotonic
from typing import TYPE_CHECKING, Any

from app.interruption import Interrupted
from app.options import DEFAULT_POINTS
from app.output import amount, note, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff.one_sided import OneSidedEstimate
    from bearoff.two_sided import BuildEstimate, CachedTwoSidedTable


def build_two_sided(
    points: int, checkers: int, *, cube: bool, workers: int | None, json: bool = False
) -> None:
    """Print what the build takes, build, and print the digests."""
    from bearoff import build_two_sided_table
    from bearoff.two_sided import cached_two_sided_tables, estimate_build
    from sim.engine import PassProgress

    estimate = estimate_build(checkers, workers, points=points, cube=cube)
    size = _size(points, checkers)
    note(f"{estimate.pairs:,} pairs of {size} a side: {needs(estimate)}")
    start = monotonic()
    progress = PassProgress()
    try:
        folder = build_two_sided_table(
            checkers, points=points, cube=cube, workers=workers, progress=progress
        )
    except KeyboardInterrupt:
        raise Interrupted(
            "interrupted; finished planes are stored: the same command continues"
        ) from None
    seconds = monotonic() - start
    (cached,) = (k for k in cached_two_sided_tables() if k.folder == folder)
    if json:
        passes = {name: round(taken, 3) for name, taken in progress.seconds.items()}
        say_json(
            {
                **describe_cached(cached),
                "seconds": round(seconds, 3),
                "pass_seconds": passes,
            }
        )
        return
    say(f"two-sided table of {size}: {seconds:.1f} s")
    for name, taken in progress.seconds.items():
        say(f"  {name}: {taken:.1f} s")
    say_table(("plane", "<digest"), [(plane, d) for plane, d in cached.digests.items()])


def describe_cached(cached: "CachedTwoSidedTable") -> dict[str, Any]:
    """Describe a stored table, without opening it, with the keys of the JSON output."""
    return {
        "points": cached.points,
        "checkers": cached.checkers,
        "planes": list(cached.planes),
        "digests": cached.digests,
        "bytes": cached.bytes,
        "damage": cached.damage,
        "folder": str(cached.folder),
    }


def verify_two_sided(points: int | None, checkers: int | None) -> None:
    """Read every byte of the two-sided tables of a size, or of all.

    Raises
    ------
    TableError
        If a plane is damaged.
    """
    from bearoff.two_sided import cached_two_sided_tables

    for table in cached_two_sided_tables():
        if checkers not in (None, table.checkers) or points not in (None, table.points):
            continue
        table.verify()
        size = _size(table.points, table.checkers)
        say(f"two-sided table of {size}: {', '.join(table.planes)} good")


def _size(points: int, checkers: int) -> str:
    return f"{checkers} checkers" + (
        "" if points == DEFAULT_POINTS else f" on {points} points"
    )


def needs(estimate: "BuildEstimate | OneSidedEstimate") -> str:
    """Write what a build takes: disk, memory, time."""
    from bearoff.runtime import format_bytes

    disk, memory = map(format_bytes, (estimate.disk_bytes, estimate.memory_bytes))
    return (
        f"about {disk} of disk, {memory} of memory and {_duration(estimate.seconds)} "
        f"with {amount(estimate.workers, 'threads')}"
    )


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
