"""`bearoff tables` for two-sided tables: build and verify."""

import sys
from time import monotonic
from typing import TYPE_CHECKING, Any

from app.interruption import Interrupted
from app.output import complain, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import BuildEstimate
    from bearoff.one_sided_estimate import OneSidedEstimate
    from bearoff.two_sided_kept import KeptTwoSidedTable

GIGABYTE = 1e9


def build_two_sided(
    checkers: int, *, cube: bool, workers: int | None, json: bool = False
) -> None:
    """Say what the build takes, build, and say what came of it."""
    from bearoff import build_two_sided_table, estimate_build
    from bearoff.two_sided_kept import kept_two_sided_tables

    complain(_sentence(checkers, estimate_build(checkers, workers, cube=cube)))
    start = monotonic()
    progress = Progress()
    try:
        build_two_sided_table(checkers, cube=cube, workers=workers, progress=progress)
    except KeyboardInterrupt:
        raise Interrupted(
            "interrupted; the planes that are finished are kept: the same command goes on"
        ) from None
    seconds = monotonic() - start
    (kept,) = (k for k in kept_two_sided_tables() if k.checkers == checkers)
    if json:
        passes = {name: round(taken, 3) for name, taken in progress.seconds.items()}
        say_json(
            {**describe_kept(kept), "seconds": round(seconds, 3), "pass_seconds": passes}
        )
        return
    say(f"two-sided table of {checkers} checkers: {seconds:.1f} s")
    for name, taken in progress.seconds.items():
        say(f"  {name}: {taken:.1f} s")
    say_table(("plane", "<digest"), [(plane, d) for plane, d in kept.digests.items()])


def describe_kept(kept: "KeptTwoSidedTable") -> dict[str, Any]:
    """Return what is known of a kept table without opening it."""
    return {
        "checkers": kept.checkers,
        "planes": list(kept.planes),
        "digests": kept.digests,
        "bytes": kept.bytes,
        "folder": str(kept.folder),
    }


def verify_two_sided(checkers: int | None) -> None:
    """Read every byte of the two-sided tables of so many checkers, or of all.

    Raises
    ------
    TableError
        If a plane is damaged.
    """
    from bearoff.two_sided_kept import kept_two_sided_tables

    for kept in kept_two_sided_tables():
        if checkers not in (None, kept.checkers):
            continue
        kept.verify()
        say(f"two-sided table of {kept.checkers} checkers: {', '.join(kept.planes)} good")


def _sentence(checkers: int, estimate: "BuildEstimate") -> str:
    return f"{estimate.pairs:,} pairs of {checkers} checkers a side: {needs(estimate)}"


def needs(estimate: "BuildEstimate | OneSidedEstimate") -> str:
    """Say what a build takes: disk, memory, time."""
    return (
        f"about {_gigabytes(estimate.disk_bytes)} on the disk, "
        f"{_gigabytes(estimate.memory_bytes)} of memory and {_duration(estimate.seconds)} "
        f"with {estimate.workers} thread{'' if estimate.workers == 1 else 's'}"
    )


def _gigabytes(size: int) -> str:
    return f"{size / GIGABYTE:.1f} GB" if size >= GIGABYTE / 10 else f"{size / 1e6:.1f} MB"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


class Progress:
    """Redraws one line on a terminal; elsewhere a line for each pass and ten seconds.

    Attributes
    ----------
    seconds : dict of str to float
        What each pass has taken so far.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._name = ""
        self._next = 0.0
        self._start = self._last = monotonic()

    def __call__(self, name: str, done: float) -> None:
        """Show how much of what is named is done, 0 to 1."""
        terminal = sys.stderr.isatty()
        now = monotonic()
        if name != self._name:
            self._start = self._last
        self._last = now
        self.seconds[name] = now - self._start
        if name == self._name and now < self._next and done < 1:
            return
        self._name, self._next = name, now + (0.2 if terminal else 10.0)
        text = f"{name}: {done:.0%}"
        if terminal:
            end = "\n" if done >= 1 else ""
            print(f"\r{text:40}", end=end, file=sys.stderr, flush=True)
        else:
            complain(text)
