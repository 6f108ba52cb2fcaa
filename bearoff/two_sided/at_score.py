"""Two-sided tables at a match score, which are solved and stored like tables for money."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from weakref import finalize

from bearoff.errors import LockedError, MissingTableError
from bearoff.positions import CHECKERS, POINTS
from bearoff.runtime import kept_locked, locked
from bearoff.scores import CubeState, Payoffs
from bearoff.storage import cache_folder
from bearoff.two_sided.build import build_planes, check_room
from bearoff.two_sided.estimate import BuildEstimate, estimate_passes
from bearoff.two_sided.manifest import Manifest, read_manifest
from bearoff.two_sided.pair_order import check_table_size, pair_order_of
from bearoff.two_sided.planes import Pass
from bearoff.two_sided.score_planes import score_planes
from bearoff.two_sided.values import PlaneValues

__all__ = [
    "Manifest",
    "PlaneValues",
    "TemporaryPlanes",
    "build",
    "estimate",
    "score_planes",
    "smallest_with",
]

_TEMPORARY = "solving-"
"""Prefix of the names of temporary folders for solved values. Each temporary folder belongs
to one process."""


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
    """Build a two-sided table at a match score; see `build_two_sided_table`."""
    check_table_size(points, checkers, start)
    new = Manifest(points, checkers, start, payoffs=payoffs)
    return build_planes(new, score_planes(payoffs).passes, workers, memory, progress)


def estimate(
    payoffs: Payoffs,
    checkers: int,
    workers: int | None = None,
    *,
    points: int = POINTS,
    start: int = CHECKERS,
    memory: int | None = None,
) -> BuildEstimate:
    """Estimate disk space, memory and time to build a two-sided table at a match score."""
    places = pair_order_of(points, checkers, start)
    return estimate_passes(places, score_planes(payoffs).passes, workers, memory)


def smallest_with(
    payoffs: Payoffs, checkers: int, points: int = POINTS, start: int = CHECKERS
) -> PlaneValues | None:
    """Open the smallest cached match table with enough checkers and given payoffs.

    Raises `TableError` if this table is damaged. A larger table is not used instead,
    because its answers might differ.
    """
    for size in range(checkers, start + 1):
        try:
            folder = Manifest(points, size, start, payoffs=payoffs).folder
        except ValueError:
            return None  # A table of this size has too many positions.
        if folder.is_dir():
            with suppress(MissingTableError):  # The table may still be under construction.
                manifest = read_manifest(folder)
                if manifest.is_complete:
                    return PlaneValues(folder, manifest)
    return None


class TemporaryPlanes:
    """Match-winning chances in a temporary folder, solved when they are first needed.

    The folder is removed when the object is deleted or the process ends. If the process is
    killed, the next process removes the folder. Raises `TableError` if the values for a
    centred cube do not fit into memory or on the disk.
    """

    def __init__(
        self, new: Manifest, progress: Callable[[float], None] = lambda done: None
    ) -> None:
        if new.payoffs is None:
            raise ValueError(
                "only a table at a match score can be solved in temporary files"
            )
        self._payoffs, self._progress = new.payoffs, progress
        self.values = PlaneValues(Path(), new)
        check_room(self.estimate(new.payoffs.state(1, True, True)))
        held = ExitStack()
        finalize(self, held.close)
        self.values = PlaneValues(held.enter_context(_temporary_folder()) / "planes", new)

    def missing(self, state: CubeState) -> tuple[Pass, ...]:
        """Return the solver runs that are still needed for a state of the cube."""
        solved = self.values.manifest.planes
        passes = score_planes(self._payoffs).passes_of(self._payoffs.states_below(state))
        return tuple(one for one in passes if not set(one.planes) <= set(solved))

    def estimate(self, state: CubeState) -> BuildEstimate:
        return estimate_passes(self.values.manifest.places, self.missing(state))

    def require(self, state: CubeState) -> None:
        """Solve the values for a state of the cube, unless they have been solved."""
        passes = self.missing(state)
        if not passes:
            return
        names: list[str] = []

        def report(name: str, done: float) -> None:
            if name not in names:
                names.append(name)
            self._progress((len(names) - 1 + done) / len(passes))

        folder, manifest = self.values.folder, self.values.manifest
        build_planes(manifest, passes, progress=report, folder=folder)
        self.values = PlaneValues(folder, read_manifest(folder))


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """Create a locked folder in the cache, and remove the folder on exit."""
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    for left in cache.glob(f"{_TEMPORARY}*"):
        with suppress(LockedError, OSError), locked(left / "lock", timeout=0):
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=cache))
    with kept_locked(folder / "lock"):
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
