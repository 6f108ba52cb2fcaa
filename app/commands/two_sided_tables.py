"""Two-sided tables in `bearoff tables build` and `bearoff tables verify`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from bearoff.app.interruption import interruptible
from bearoff.app.options import DEFAULT_POINTS
from bearoff.app.output import amount, duration, note, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import Score
    from bearoff.two_sided import BuildEstimate, CachedTwoSidedTable


def build_two_sided(
    points: int,
    checkers: int,
    *,
    cube: bool,
    workers: int | None,
    memory: int | None = None,
    json: bool = False,
) -> None:
    """Print the resources needed, build a two-sided table, and print its digests."""
    from bearoff import build_two_sided_table
    from bearoff.two_sided import estimate_build

    allowed: dict[str, Any] = {"points": points, "workers": workers, "memory": memory}
    _build(
        estimate_build(checkers, cube=cube, **allowed),
        (_size(points, checkers), ""),
        partial(build_two_sided_table, checkers, cube=cube, **allowed),
        json=json,
    )


def build_at_score(
    points: int,
    checkers: int,
    score: "Score",
    *,
    workers: int | None,
    memory: int | None = None,
    json: bool = False,
) -> None:
    """Print the resources needed, build a table at a match score, and print its digests."""
    from bearoff import build_match_table
    from bearoff.match_solver import estimate_match_build

    at: tuple[Any, ...] = checkers, score.away, score.game
    allowed: dict[str, Any] = {"points": points, "workers": workers, "memory": memory}
    _build(
        estimate_match_build(*at, **allowed),
        (_size(points, checkers), f" at {score}"),
        partial(build_match_table, *at, **allowed),
        json=json,
    )


def _build(
    estimate: "BuildEstimate",
    table: tuple[str, str],
    build: Callable[..., Path],
    *,
    json: bool,
) -> None:
    from bearoff.runtime import compile_seconds
    from bearoff.sim.engine import PassProgress
    from bearoff.two_sided import cached_two_sided_tables

    takes = needs(
        disk=estimate.disk_bytes - estimate.filed_bytes,
        filed=estimate.filed_bytes,
        memory=estimate.memory_bytes,
        seconds=estimate.seconds,
        workers=estimate.workers,
    )
    size, score = table
    note(
        f"solving {estimate.pairs:,} pairs of positions with {size} a side{score} "
        f"needs {takes}"
    )
    start, compiled = monotonic(), compile_seconds()
    progress = PassProgress()
    with interruptible(
        "the finished part of the table is stored; run the same command again to continue"
    ):
        folder = build(progress=progress)
    seconds, compiling = monotonic() - start, compile_seconds() - compiled
    (cached,) = (k for k in cached_two_sided_tables() if k.folder == folder)
    if json:
        passes = {name: round(taken, 3) for name, taken in progress.seconds.items()}
        say_json(
            {
                **describe_cached(cached),
                "seconds": round(seconds, 3),
                "compile_seconds": round(compiling, 3),
                "pass_seconds": passes,
            }
        )
        return
    say(f"two-sided table of {size}{score}: {seconds:.1f} s")
    if compiling >= 0.05:
        say(f"  compiling the solver, once: {compiling:.1f} s")
    for name, taken in progress.seconds.items():
        say(f"  {name}: {taken:.1f} s")
    say_table(("plane", "<digest"), [(plane, d) for plane, d in cached.digests.items()])


def describe_cached(cached: "CachedTwoSidedTable") -> dict[str, Any]:
    """Return the description of a stored table as a dictionary for the JSON output."""
    return {
        "points": cached.points,
        "checkers": cached.checkers,
        **({"score": cached.score} if cached.score else {}),
        "planes": list(cached.planes),
        "digests": cached.digests,
        "bytes": cached.bytes,
        "damage": cached.damage,
        "folder": str(cached.folder),
    }


def verify_two_sided(points: int | None, checkers: int | None) -> None:
    """Verify every byte of the two-sided tables of one size, or of all sizes."""
    from bearoff.two_sided import cached_two_sided_tables

    for table in cached_two_sided_tables():
        if checkers not in (None, table.checkers) or points not in (None, table.points):
            continue
        table.verify()
        size = _size(table.points, table.checkers)
        size += f" at {table.score}" if table.score else ""
        planes = ", ".join(table.planes)
        good = (
            f"no damage found in {planes}"
            if planes
            else "no part of the table is finished yet"
        )
        say(f"two-sided table of {size}: {good}")


def _size(points: int, checkers: int) -> str:
    return f"{checkers} checkers" + (
        "" if points == DEFAULT_POINTS else f" on {points} points"
    )


def needs(*, disk: int, memory: int, seconds: float, workers: int, filed: int = 0) -> str:
    """Format the memory, time and disk space of a build; `filed` is temporary space."""
    from bearoff.runtime import format_bytes

    more = f" and {format_bytes(filed)} more during the build" if filed else ""
    return (
        f"about {format_bytes(disk)} of disk{more}, {format_bytes(memory)} of memory and "
        f"{duration(seconds)} with {amount(workers, 'threads')}"
    )
