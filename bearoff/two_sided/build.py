"""Functions that build two-sided tables, and resume interrupted builds."""

import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.pair_planes import UNFITTED, StoredPlane, open_plane
from bearoff.plays import Successors
from bearoff.positions import CHECKERS, POINTS
from bearoff.runtime import check_memory, start_threads
from bearoff.storage import check_disk, manifest as manifests
from bearoff.two_sided.estimate import BuildEstimate, estimate_passes
from bearoff.two_sided.manifest import (
    Manifest,
    TablePlane,
    claimed_for_building,
    read_manifest,
    table_folder,
)
from bearoff.two_sided.pair_order import PairOrder, slot_successors
from bearoff.two_sided.passes import PassWriter
from bearoff.two_sided.planes import RESIDUALS, Pass, money_passes
from bearoff.two_sided.storage import SUCCESSORS, load_successors, plane_path, save_array

Float64Array = NDArray[np.float64]
Report = Callable[[int], Any]
Solves = Callable[[PairOrder, Successors, PassWriter, Report], None]
"""Function that solves all pairs of positions, passes the sums over the 36 throws to a
writer, and reports its progress."""


def build_two_sided_table(
    checkers: int,
    *,
    points: int = POINTS,
    cube: bool = True,
    start: int = CHECKERS,
    workers: int | None = None,
    memory: int | None = None,
    progress: Callable[[str, float], None] = lambda name, done: None,
) -> Path:
    """Build a two-sided table for given numbers of checkers and points in the cache.

    Files from an earlier call are reused if they are complete and their checksums are
    right. A solver run that was interrupted starts again.

    Parameters
    ----------
    checkers : int
        Maximum number of checkers per side, from 1 to 15.
    points : int
        Number of points of the board.
    cube : bool
        Whether to build cubeful values as well as cubeless ones.
    start : int
        Number of checkers of each player at the start of the game. A player who still has
        all these checkers can lose a gammon. The number is 15 in backgammon, and 3 in
        hypergammon.
    workers : int, optional
        Number of threads. By default, the number of processors.
    memory : int, optional
        Maximum memory to use, in bytes. By default, nine tenths of the free memory. Data
        that do not fit are stored in a temporary file, which is slower.
    progress : callable
        Function that is called with the name of the values that are being built and with
        their completed fraction, from 0 to 1.

    Returns
    -------
    Path
        Folder of the table.

    Raises
    ------
    PositionError
        If a table of this size is impossible.
    TableError
        If the table does not fit into memory or on the disk, or another process is building
        it.
    """
    table_folder(points, checkers, start)
    new = Manifest(points, checkers, start)
    passes = money_passes(new.places, cube=cube)
    return build_planes(new, passes, workers, memory, progress)


def build_planes(
    new: Manifest,
    passes: tuple[Pass, ...],
    workers: int | None = None,
    memory: int | None = None,
    progress: Callable[[str, float], None] = lambda name, done: None,
    folder: Path | None = None,
) -> Path:
    """Build the missing values of the table that the manifest `new` describes.

    Values that the manifest `new` already lists are neither built nor checked again. By
    default, `folder` is the table's folder in the cache. The other parameters and the
    errors are those of `build_two_sided_table`.
    """
    folder = folder or new.folder
    estimate = estimate_passes(new.places, passes, workers, memory)
    with claimed_for_building(folder):
        manifest = new if new.planes else _resume(folder, new)
        missing = [p for p in passes if not set(p.planes) <= set(manifest.planes)]
        if missing:
            reused = sum(f.stat().st_size for f in folder.iterdir() if f.is_file())
            check_room(estimate, reused)
        try:
            if _is_plain(new.places, missing):
                _run_passes(folder, manifest, missing, _plainly, progress, plain=True)
            else:
                _run_compiled(folder, manifest, missing, estimate, progress)
        except (OSError, MemoryError) as error:
            why = f"not enough memory: {error}" if isinstance(error, MemoryError) else error
            raise TableError(
                f"the build of {folder} stopped: {why}; finished values are stored, and a "
                "new build continues from there"
            ) from error
    return folder


def _is_plain(places: PairOrder, passes: list[Pass]) -> bool:
    """Return whether to solve with numpy, because compiling takes longer than solving."""
    follows = any(plane.base for one in passes for plane in one.solves)
    return places.size <= UNFITTED and not follows and "numba" not in sys.modules


def _plainly(
    places: PairOrder, successors: Successors, writer: PassWriter, report: Report
) -> None:
    from bearoff.two_sided.solving import plain

    plain.PlainSolver(places, successors, writer.planes, writer).solve(report)


def _run_compiled(
    folder: Path,
    manifest: Manifest,
    passes: list[Pass],
    estimate: BuildEstimate,
    progress: Callable[[str, float], None],
) -> None:
    from bearoff.two_sided.solving import Rivals, TwoSidedSolver, Workspace, find_rivals

    workers = estimate.workers
    start_threads(workers)  # Starting threads later may fail for lack of memory.
    found: list[Rivals] = []

    def solves(
        places: PairOrder, successors: Successors, writer: PassWriter, report: Report
    ) -> None:
        if not found:
            found.append(find_rivals(successors, places.levels))
        solver = TwoSidedSolver(places, successors, found[0], writer, workspace, workers)
        solver.solve(report)

    with closing(Workspace(estimate.window_bytes, folder)) as workspace:
        _run_passes(folder, manifest, passes, solves, progress)


def _run_passes(
    folder: Path,
    manifest: Manifest,
    passes: list[Pass],
    solves: Solves,
    progress: Callable[[str, float], None],
    *,
    plain: bool = False,
) -> None:
    places = manifest.places
    successors, manifest = _successors(folder, places, manifest)
    shares = _work_by_level(places)
    if passes:
        # The manifest is written first, so that it never lists files that an interruption
        # left unfinished.
        manifests.write_manifest(folder, manifest)
    for plan in passes:
        stored: dict[str, StoredPlane] = {**manifest.planes}
        if manifest.rests:
            stored[RESIDUALS] = manifest.rests
        wanted = set(plan.writes) - set(stored)
        if not any(RESIDUALS in one.reads for one in passes):
            wanted.discard(RESIDUALS)
        name = " and ".join(plane for plane in plan.planes if plane in wanted)
        report = partial(_report, progress, name, shares)
        with closing(
            PassWriter(plan, folder, places, stored, wanted, plain=plain)
        ) as writer:
            solves(places, successors, writer, report)
            entries = writer.finish()
        manifest = _with_planes(manifest, entries)
        manifests.write_manifest(folder, manifest)
        progress(name, 1.0)
    if "centred" in manifest.planes:
        if manifest.rests:
            manifests.write_manifest(folder, replace(manifest, rests=None))
        for path in folder.glob(f"{RESIDUALS}.*"):
            path.unlink()


def _successors(
    folder: Path, places: PairOrder, manifest: Manifest
) -> tuple[Successors, Manifest]:
    """Return the positions after each roll; compute and store them if they are missing."""
    try:
        return Successors(*load_successors(folder, manifest)), manifest
    except TableError:
        made = slot_successors(places)
        arrays = zip(SUCCESSORS, (made.offsets, made.numbers), strict=True)
        files = {name: save_array(folder, name, array) for name, array in arrays}
        manifest = replace(manifest, files=files)
        manifests.write_manifest(folder, manifest)
        return made, manifest


def _report(
    progress: Callable[[str, float], None], name: str, shares: Float64Array, level: int
) -> None:
    progress(name, float(shares[level]))


def _with_planes(manifest: Manifest, entries: dict[str, StoredPlane]) -> Manifest:
    planes = dict(manifest.planes)
    for name, entry in entries.items():
        if name in manifest.solved:
            plane = manifest.solved[name]
            step, error = plane.coding.step, plane.error
            planes[name] = TablePlane(**asdict(entry), step=step, error=error)
    return replace(manifest, planes=planes, rests=entries.get(RESIDUALS, manifest.rests))


def _resume(folder: Path, new: Manifest) -> Manifest:
    """Return the manifest of the valid files in a folder; `new` if there are none."""
    try:
        manifest = read_manifest(folder)
    except TableError:
        return new
    layout = manifest.places.layout

    def is_good(name: str, entry: StoredPlane) -> bool:
        try:
            open_plane(plane_path(folder, name), entry, layout).check_all()
        except TableError:
            return False
        return True

    planes = {k: v for k, v in manifest.planes.items() if is_good(k, v)}
    rests = manifest.rests
    if rests and not is_good(RESIDUALS, rests):
        rests = None
    needing = [one for one in manifest.passes if RESIDUALS in one.reads]
    if rests is None and any(not set(one.planes) <= set(planes) for one in needing):
        # Rounding residuals are computed only together with the values, so the values are
        # built again, too.
        for one in manifest.passes:
            if RESIDUALS in one.writes:
                planes = {k: v for k, v in planes.items() if k not in one.planes}
    return replace(manifest, planes=planes, rests=rests)


def check_room(estimate: BuildEstimate, reused: int = 0) -> None:
    """Raise `TableError` if memory or disk space is too small for a build.

    `reused` is the size in bytes of the files that are already on the disk.
    """
    check_disk("the two-sided table", estimate.disk_bytes, reused)
    remedy = "set a lower memory limit, or use fewer checkers"
    check_memory("building the two-sided table", estimate.memory_bytes, remedy)


def _work_by_level(places: PairOrder) -> Float64Array:
    """Return the completed fraction of a solver run after each level of pip counts."""
    return np.asarray(0.95 * (places.levels[1:] / places.size) ** 2, dtype=np.float64)
