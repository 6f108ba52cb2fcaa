"""Build two-sided tables: estimate, refuse what cannot fit, run the passes, resume."""

import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.machine import cores, memory_available
from bearoff.policies import Successors
from bearoff.two_sided_codings import CODINGS
from bearoff.two_sided_layout import Layout, layout, slot_successors
from bearoff.two_sided_store import (
    SUCCESSORS,
    Manifest,
    check_plane,
    claimed,
    describe_plane,
    empty_manifest,
    load_successors,
    read_manifest,
    save_array,
    table_folder,
    write_manifest,
)

if TYPE_CHECKING:
    from bearoff.two_sided_passes import Pass

Float64Array = NDArray[np.float64]

_BYTES_IN_WINDOW = 3
"""Of a value that is kept while a plane is solved."""

_BYTES_BESIDES = 500_000_000
"""Of the program and its libraries, successors and room for each thread; ample."""

_LOOKUPS_PER_SECOND = 3.3e8
"""Rows of 16 values that a core compares in a second, all else that a pass does
included; measured with 12 and 15 checkers, for estimates only."""


@dataclass(frozen=True)
class BuildEstimate:
    """What building takes.

    Attributes
    ----------
    pairs : int
        Pairs of positions.
    disk_bytes : int
        Of the planes, and what is needed while building.
    memory_bytes : int
        Resident at the peak.
    seconds : float
        On `workers` cores; rough.
    workers : int
        Threads.
    """

    pairs: int
    disk_bytes: int
    memory_bytes: int
    seconds: float
    workers: int


def estimate_build(
    checkers: int, workers: int | None = None, *, cube: bool = True
) -> BuildEstimate:
    """Say what building the tables of so many checkers takes.

    Parameters are those of `build_two_sided_table`.

    Examples
    --------
    >>> estimate = estimate_build(15, workers=2)
    >>> estimate.pairs, round(estimate.disk_bytes / 1e9, 1)
    (2944581696, 26.9)
    """
    table_folder(checkers)  # Refuses a wrong number.
    if workers is not None and workers < 1:
        raise TableError(f"a build needs 1 worker or more, got {workers}")
    places = layout(checkers)
    workers = workers or cores()
    window = _BYTES_IN_WINDOW * places.window_slots * places.size
    sums = 2 * 4 * places.sums_of_a_level
    lookups = 170 * places.size * places.blocks
    planes = 4 if cube else 1
    return BuildEstimate(
        pairs=len(places.slots) ** 2,
        disk_bytes=places.plane_bytes * 9 // 2 if cube else places.plane_bytes,
        memory_bytes=(2 if cube else 1) * (window + sums) + _BYTES_BESIDES,
        seconds=planes * lookups / _LOOKUPS_PER_SECOND / workers + 2,
        workers=workers,
    )


def build_two_sided_table(
    checkers: int,
    *,
    cube: bool = True,
    workers: int | None = None,
    progress: Callable[[str, float], None] = lambda name, done: None,
) -> Path:
    """Build the tables of so many checkers a side in the cache folder.

    Planes that an earlier call finished are kept if all their checksums are right; a
    pass that was interrupted starts again.

    Parameters
    ----------
    checkers : int
        Most checkers of each side, 1 to 15.
    cube : bool
        Whether to build the three planes with the cube, besides the cubeless one.
    workers : int, optional
        Threads; every processor if not given.
    progress : callable
        Called with the plane under way and how much of it is done, 0 to 1.

    Returns
    -------
    Path
        The folder, for `bearoff.two_sided_table`.

    Raises
    ------
    TableError
        If it cannot fit in the memory or on the disk, or another process builds it.
    """
    from bearoff.two_sided_passes import PASSES

    folder = table_folder(checkers)
    estimate = estimate_build(checkers, workers, cube=cube)
    with claimed(folder):
        manifest = _resume(folder, checkers, estimate.workers)
        passes = PASSES if cube else PASSES[:1]
        missing = [p for p in passes if not set(p.kept) <= set(manifest["planes"])]
        if missing:
            _check_room(folder, estimate)
        try:
            _run_passes(folder, manifest, missing, estimate.workers, progress)
        except (OSError, MemoryError) as error:
            why = f"not enough memory: {error}" if isinstance(error, MemoryError) else error
            raise TableError(
                f"building {folder} stopped: {why}; planes that are finished are kept, "
                "and building again goes on from there"
            ) from error
    return folder


def _run_passes(
    folder: Path,
    manifest: Manifest,
    passes: "list[Pass]",
    workers: int,
    progress: Callable[[str, float], None],
) -> None:
    from bearoff.two_sided_passes import RESTS, PassWriter, plane_path
    from bearoff.two_sided_solver import Solver, Workspace

    places = layout(manifest["checkers"])
    successors = _successors(folder, places, manifest)
    shares = _work_by_level(places)
    workspace = Workspace(places, max((plan.solves for plan in passes), default=0))
    for plan in passes:
        for name in plan.kept:
            manifest["planes"].pop(name, None)
        write_manifest(folder, manifest)  # It names no plane that is being written.
        name = " and ".join(plan.kept)
        report = partial(_report, progress, name, shares)
        with closing(PassWriter(plan, folder, places)) as writer:
            Solver(places, successors, writer, workspace, workers).solve(report)
            writer.finish()
        for plane in plan.kept:
            coding = CODINGS[plane]
            manifest["planes"][plane] = {
                "error": coding.error,
                "step": coding.step,
                "zero": coding.zero,
                **describe_plane(plane_path(folder, plane), places, workers),
            }
        if RESTS in plan.writes:
            rests = plane_path(folder, RESTS)
            manifest["rests"] = describe_plane(rests, places, workers)
        write_manifest(folder, manifest)
        progress(name, 1.0)
    if "centred" in manifest["planes"]:
        plane_path(folder, RESTS).unlink(missing_ok=True)


def _successors(folder: Path, places: Layout, manifest: Manifest) -> Successors:
    """Return the successors that are kept with the table, making them if need be."""
    try:
        return Successors(*load_successors(folder, manifest))
    except TableError:
        made = slot_successors(places)
        for name, array in zip(SUCCESSORS, (made.offsets, made.numbers), strict=True):
            save_array(folder, name, array, manifest)
        write_manifest(folder, manifest)
        return made


def _report(
    progress: Callable[[str, float], None], name: str, shares: Float64Array, level: int
) -> None:
    progress(name, float(shares[level]))


def _resume(folder: Path, checkers: int, workers: int) -> Manifest:
    """Return the manifest of what is built, or a new one."""
    from bearoff.two_sided_passes import PASSES, RESTS, plane_path

    try:
        manifest = read_manifest(folder)
    except TableError:
        return empty_manifest(checkers)
    if manifest["checkers"] != checkers:
        return empty_manifest(checkers)
    built, places = manifest["planes"], layout(checkers)

    def is_whole(name: str, entry: Manifest) -> bool:
        try:
            check_plane(plane_path(folder, name), places, entry, workers)
        except TableError:
            return False
        return True

    for plane in list(built):
        if not is_whole(plane, built[plane]):
            del built[plane]
    if "centred" not in built and not (
        manifest["rests"] and is_whole(RESTS, manifest["rests"])
    ):
        for plane in PASSES[1].kept:  # The centred pass needs what they leave over.
            built.pop(plane, None)
    return manifest


def _check_room(folder: Path, estimate: BuildEstimate) -> None:
    """Refuse a build that cannot fit.

    Raises
    ------
    TableError
        Naming what is needed and what there is.
    """
    held = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    free = shutil.disk_usage(folder).free + held
    if estimate.disk_bytes > free:
        raise TableError(
            f"the table needs {estimate.disk_bytes / 1e9:.1f} GB on the disk and "
            f"{folder} has {free / 1e9:.1f} GB; free some, name another folder with "
            "BEAROFF_CACHE, or build fewer checkers"
        )
    memory = memory_available()
    if memory is not None and estimate.memory_bytes > memory:
        raise TableError(
            f"building needs {estimate.memory_bytes / 1e9:.1f} GB of memory and "
            f"{memory / 1e9:.1f} GB is free; build fewer checkers"
        )


def _work_by_level(places: Layout) -> Float64Array:
    """Share of a pass that is done after each level; the checksums are its last part."""
    return np.asarray(0.95 * (places.levels[1:] / places.size) ** 2, dtype=np.float64)
