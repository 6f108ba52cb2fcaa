"""Build two-sided tables: estimate, refuse what cannot fit, run the passes, resume."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.plays import Successors
from bearoff.positions import CHECKERS, POINTS
from bearoff.runtime import check_memory, cores, format_bytes, memory_available
from bearoff.storage import check_disk, checked_array, manifest as manifests
from bearoff.two_sided.codings import CODINGS
from bearoff.two_sided.pair_order import (
    BYTES_IN_WINDOW,
    LANES,
    PairOrder,
    pair_order_of,
    slot_successors,
)
from bearoff.two_sided.storage import (
    SUCCESSORS,
    Manifest,
    StoredBlocks,
    StoredPlane,
    claimed,
    describe_blocks,
    load_successors,
    read_manifest,
    save_array,
    table_folder,
)

if TYPE_CHECKING:
    from bearoff.two_sided.passes import Pass
    from bearoff.two_sided.workspace import Workspace

Float64Array = NDArray[np.float64]

_BYTES_BESIDES = 500_000_000
"""Of the program and its libraries, and successors; ample."""

_BLOCKS_AT_ONCE = 8
"""Most blocks of opponents that a thread has rows of; see `bearoff.two_sided.kernels`."""

_USABLE = 0.9
"""Of the memory that programs may still take, what a build does if it is not told."""

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
        Resident at the peak, of the process itself: pages of files that the system keeps
        while nobody else needs the room are not counted.
    window_bytes : int
        Of memory, what sums and windows take.
    seconds : float
        On `workers` cores; rough.
    workers : int
        Threads.
    """

    pairs: int
    disk_bytes: int
    memory_bytes: int
    window_bytes: int
    seconds: float
    workers: int


def estimate_build(
    checkers: int,
    workers: int | None = None,
    *,
    points: int = POINTS,
    cube: bool = True,
    start: int = CHECKERS,
    memory: int | None = None,
) -> BuildEstimate:
    """Say what building the tables of a size takes.

    Parameters are those of `build_two_sided_table`.

    Raises
    ------
    TableError
        If it cannot be built within `memory`.

    Examples
    --------
    >>> estimate = estimate_build(15, workers=2, memory=20_000_000_000)
    >>> estimate.pairs, round(estimate.disk_bytes / 1e9, 1)
    (2944581696, 27.2)
    """
    places = pair_order_of(points, checkers, start)
    if workers is not None and workers < 1:
        raise TableError(f"a build needs 1 worker or more, got {workers}")
    workers = workers or cores()
    needs = needs_of(places, 2 if cube else 1)
    besides = _BYTES_BESIDES + workers * needs.rows
    least, most = besides + needs.sums, besides + needs.sums + needs.windows
    if memory is not None and memory < least:
        raise TableError(
            f"building the two-sided table needs {format_bytes(least)} of memory or more, "
            f"got {format_bytes(memory)}; allow it more, or use fewer checkers"
        )
    usable = memory or int(_USABLE * memory_available())
    memory = min(max(usable, least), most)
    # Successors of a position: 39 of the 84 of 3 checkers, 170 of the 54,264 of 15.
    lookups = 26 * len(places.slots) ** 0.17 * places.size * places.blocks
    planes = 4 if cube else 1
    return BuildEstimate(
        pairs=len(places.slots) ** 2,
        disk_bytes=(places.plane_bytes * 9 // 2 if cube else places.plane_bytes)
        + (most - memory),
        memory_bytes=memory,
        window_bytes=memory - besides,
        seconds=planes * lookups / _LOOKUPS_PER_SECOND / workers + 2,
        workers=workers,
    )


class Needs(NamedTuple):
    """Bytes that a pass takes.

    Attributes
    ----------
    sums : int
        Of a workspace, in memory.
    windows : int
        Of a workspace, in memory or in its file.
    rows : int
        Of each thread.
    """

    sums: int
    windows: int
    rows: int


def needs_of(places: PairOrder, planes: int) -> Needs:
    """Return what a pass takes that solves so many planes at once."""
    window = BYTES_IN_WINDOW * LANES * places.blocks * places.window_slots
    sums = 4 * (places.sums_of_a_level + places.sums_of_a_part)
    rows = 4 * LANES * _BLOCKS_AT_ONCE * (places.size + LANES)
    return Needs(planes * sums, planes * window, rows)


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
    from bearoff.two_sided.passes import PASSES
    from bearoff.two_sided.workspace import Workspace

    folder = table_folder(points, checkers, start)
    estimate = estimate_build(
        checkers, workers, points=points, cube=cube, start=start, memory=memory
    )
    with claimed(folder):
        manifest = _resume(folder, Manifest(points, checkers, start))
        passes = PASSES if cube else PASSES[:1]
        missing = [p for p in passes if not set(p.planes) <= set(manifest.planes)]
        if missing:
            _check_room(folder, estimate)
        try:
            with closing(Workspace(estimate.window_bytes, folder)) as workspace:
                workers = estimate.workers
                _run_passes(folder, manifest, missing, workspace, workers, progress)
        except (OSError, MemoryError) as error:
            why = f"not enough memory: {error}" if isinstance(error, MemoryError) else error
            raise TableError(
                f"building {folder} stopped: {why}; finished planes are stored, and "
                "building again goes on from there"
            ) from error
    return folder


def _run_passes(
    folder: Path,
    manifest: Manifest,
    passes: "list[Pass]",
    workspace: "Workspace",
    workers: int,
    progress: Callable[[str, float], None],
) -> None:
    from bearoff.two_sided.passes import RESIDUALS, PassWriter, plane_path
    from bearoff.two_sided.solver import Solver

    places = manifest.places
    successors, manifest = _successors(folder, places, manifest)
    shares = _work_by_level(places)
    for plan in passes:
        planes = {k: v for k, v in manifest.planes.items() if k not in plan.planes}
        manifest = replace(manifest, planes=planes)
        manifests.write_manifest(
            folder, manifest
        )  # It names no plane that is being written.
        name = " and ".join(plan.planes)
        report = partial(_report, progress, name, shares)
        with closing(PassWriter(plan, folder, places)) as writer:
            Solver(places, successors, writer, workspace, workers).solve(report)
            writer.finish()
        for plane in plan.planes:
            coding = CODINGS[plane]
            planes[plane] = StoredPlane(
                **asdict(describe_blocks(plane_path(folder, plane), places)),
                error=coding.error,
                step=coding.step,
                zero=coding.zero,
            )
        if RESIDUALS in plan.writes:
            rests = describe_blocks(plane_path(folder, RESIDUALS), places)
            manifest = replace(manifest, rests=rests)
        manifest = replace(manifest, planes=planes)
        manifests.write_manifest(folder, manifest)
        progress(name, 1.0)
    if "centred" in manifest.planes:
        plane_path(folder, RESIDUALS).unlink(missing_ok=True)


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


def _resume(folder: Path, new: Manifest) -> Manifest:
    """Return the manifest of what is built and good, or the new one."""
    from bearoff.two_sided.passes import PASSES, RESIDUALS, plane_path

    try:
        manifest = read_manifest(folder)
    except TableError:
        return new
    planes = {
        k: v for k, v in manifest.planes.items() if _is_good(plane_path(folder, k), v)
    }
    residuals = plane_path(folder, RESIDUALS)
    if "centred" not in planes and not (
        manifest.rests and _is_good(residuals, manifest.rests)
    ):
        for plane in PASSES[1].planes:  # The centred pass needs what they leave over.
            planes.pop(plane, None)
    return replace(manifest, planes=planes)


def _is_good(path: Path, entry: StoredBlocks) -> bool:
    """Whether every byte of a file of all pairs is as it was written."""
    block = max(entry.bytes // max(len(entry.crc32), 1), 1)
    try:
        checked_array.open_numbers(path, entry, "u1", block).read_all()
    except TableError:
        return False
    return True


def _check_room(folder: Path, estimate: BuildEstimate) -> None:
    """Refuse a build that cannot fit.

    Raises
    ------
    TableError
        Naming what is needed and what there is.
    """
    reused = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    check_disk("the two-sided table", estimate.disk_bytes, reused)
    remedy = "allow it less, or use fewer checkers"
    check_memory("building the two-sided table", estimate.memory_bytes, remedy)


def _work_by_level(places: PairOrder) -> Float64Array:
    """Share of a pass that is done after each level; the checksums are its last part."""
    return np.asarray(0.95 * (places.levels[1:] / places.size) ** 2, dtype=np.float64)
