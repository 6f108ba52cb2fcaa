"""Build two-sided tables: refuse what cannot fit, run the passes, resume."""

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
"""Solves a pass: its sums go to the writer, each level that is done to the report."""


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
    """Build the tables of a size in the cache folder.

    Planes that an earlier call finished are used again if all their checksums are right;
    a pass that was interrupted starts again.

    Parameters
    ----------
    checkers : int
        Most checkers of each side, 1 to 15.
    points : int
        Points on which they stand.
    cube : bool
        Whether to build the planes with the cube, besides the cubeless one.
    start : int
        Checkers with which a side starts, and loses a gammon while it has them all. With
        less than backgammon's 15, such as hypergammon's 3, the table is one of its own.
    workers : int, optional
        Threads; every processor if not given.
    memory : int, optional
        Bytes that the process may take; nine tenths of what is free if not given. What does
        not fit goes to a file beside the planes, which takes longer.
    progress : callable
        Called with the plane under way and how much of it is done, 0 to 1.

    Returns
    -------
    Path
        The folder, for `bearoff.two_sided_table`.

    Raises
    ------
    PositionError
        If there are no tables of such a size.
    TableError
        If it cannot fit in the memory or on the disk, or another process builds it.
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
    """Build what is missing of a table, of which `new` is the manifest without planes.

    Planes that it names are taken to be good. Other parameters and errors are those of
    `build_two_sided_table`; the folder is the table's place in the cache if not given.
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
                f"building {folder} stopped: {why}; finished planes are stored, and "
                "building again goes on from there"
            ) from error
    return folder


def _is_plain(places: PairOrder, passes: list[Pass]) -> bool:
    """Whether numpy solves passes: of few checkers, where nothing is compiled yet."""
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
    from bearoff.two_sided.solving import Rivals, Solver, Workspace, find_rivals

    workers = estimate.workers
    start_threads(workers)  # None can begin when memory is short.
    found: list[Rivals] = []

    def solves(
        places: PairOrder, successors: Successors, writer: PassWriter, report: Report
    ) -> None:
        if not found:
            found.append(find_rivals(successors, places.levels))
        solver = Solver(places, successors, found[0], writer, workspace, workers)
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
        manifests.write_manifest(folder, manifest)  # It names no plane written below.
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
    """Return the successors that are stored with the table, made if need be."""
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
    """Name planes that were written."""
    planes = dict(manifest.planes)
    for name, entry in entries.items():
        if name in manifest.solved:
            plane = manifest.solved[name]
            step, error = plane.coding.step, plane.error
            planes[name] = TablePlane(**asdict(entry), step=step, error=error)
    return replace(manifest, planes=planes, rests=entries.get(RESIDUALS, manifest.rests))


def _resume(folder: Path, new: Manifest) -> Manifest:
    """Return the manifest of what is built and good, or the new one."""
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
        for one in manifest.passes:  # The plane that left them over must be solved again.
            if RESIDUALS in one.writes:
                planes = {k: v for k, v in planes.items() if k not in one.planes}
    return replace(manifest, planes=planes, rests=rests)


def check_room(estimate: BuildEstimate, reused: int = 0) -> None:
    """Refuse a build that cannot fit, of which so many bytes are on the disk already.

    Raises
    ------
    TableError
        Naming what is needed and what there is.
    """
    check_disk("the two-sided table", estimate.disk_bytes, reused)
    remedy = "allow it less, or use fewer checkers"
    check_memory("building the two-sided table", estimate.memory_bytes, remedy)


def _work_by_level(places: PairOrder) -> Float64Array:
    """Share of a pass that is done after each level; the checksums are its last part."""
    return np.asarray(0.95 * (places.levels[1:] / places.size) ** 2, dtype=np.float64)
