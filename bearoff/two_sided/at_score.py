"""Tables at a score: the same planes, passes and files with other payoffs."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bearoff.errors import MissingTableError
from bearoff.positions import CHECKERS, POINTS
from bearoff.two_sided.build import build_planes
from bearoff.two_sided.estimate import BuildEstimate, estimate_passes
from bearoff.two_sided.pair_order import check_table_size, pair_order_of
from bearoff.two_sided.payoffs import CubeState, Payoffs
from bearoff.two_sided.storage import Manifest, read_manifest
from bearoff.two_sided.values import PlaneValues

__all__ = ["CubeState", "Payoffs", "PlaneValues", "build", "estimate", "smallest_with"]


def build(
    payoffs: Payoffs,
    checkers: int,
    *,
    points: int = POINTS,
    start: int = CHECKERS,
    workers: int | None = None,
    memory: int | None = None,
    progress: Callable[[str, float], None] = lambda name, done: None,
) -> Path:
    """Build the table at a score; other parameters as for `build_two_sided_table`."""
    check_table_size(points, checkers, start)
    new = Manifest(points, checkers, start, payoffs=payoffs)
    return build_planes(new, payoffs.passes, workers, memory, progress)


def estimate(
    payoffs: Payoffs,
    checkers: int,
    workers: int | None = None,
    *,
    points: int = POINTS,
    start: int = CHECKERS,
    memory: int | None = None,
) -> BuildEstimate:
    """Say what `build` takes."""
    places = pair_order_of(points, checkers, start)
    return estimate_passes(places, payoffs.passes, workers, memory)


def smallest_with(
    payoffs: Payoffs, checkers: int, points: int = POINTS, start: int = CHECKERS
) -> PlaneValues | None:
    """Open the smallest table in the cache that has these payoffs and so many checkers.

    Raises
    ------
    TableError
        If it is damaged: another table would give another answer without a word.
    """
    for size in range(checkers, start + 1):
        try:
            folder = Manifest(points, size, start, payoffs=payoffs).folder
        except ValueError:
            return None  # More positions than a table holds.
        if folder.is_dir():
            with suppress(MissingTableError):  # It is being built.
                manifest = read_manifest(folder)
                if set(manifest.solved) == set(manifest.planes):
                    return PlaneValues(folder, manifest)
    return None
