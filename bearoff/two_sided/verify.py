"""Verification of two-sided tables, by checksums and by recomputing values.

Checksums detect changes of the files since they were written. Recomputing shows whether the
written values are right: each value must be the mean of the values after the best plays
(see `planes`), and the values of finished games are known.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.positions import position_count
from bearoff.two_sided.manifest import read_manifest
from bearoff.two_sided.pair_order import LANES
from bearoff.two_sided.planes import SolvedPlane
from bearoff.two_sided.storage import load_successors, open_table_plane
from bearoff.two_sided.values import PlaneValues

Int64Array = NDArray[np.int64]

_SEED = 3


@dataclass(frozen=True)
class Verification:
    """Result of the successful verification of a two-sided table.

    Attributes
    ----------
    points, checkers : int
        Number of points of the board, and maximum number of checkers per player.
    bytes : int
        Number of bytes whose checksums were verified.
    samples : int
        Number of pairs whose values were recomputed, for each kind of values.
    differences : dict of str to float
        Maximum difference between stored and recomputed values, for each kind of values.
    """

    points: int
    checkers: int
    bytes: int
    samples: int
    differences: dict[str, float]


def verify_planes(planes: PlaneValues, samples: int = 1000) -> Verification:
    """Verify every byte of a table, and recompute the values of random pairs of positions.

    `samples` is the number of pairs for each kind of values. Raises `TableError` if a file
    is damaged, or a stored value differs from the recomputed value.
    """
    manifest = read_manifest(planes.folder)
    load_successors(planes.folder, manifest)
    for name in manifest.planes:
        open_table_plane(planes.folder, name, manifest).check_all()
    sizes = [entry.bytes for entry in manifest.files.values()]
    sizes += [entry.bytes for entry in manifest.planes.values()]
    built = [plane for name, plane in planes.solved.items() if name in manifest.planes]
    _check_games_over(planes, built)
    pairs = np.random.default_rng(_SEED).integers(
        1, position_count(manifest.points, manifest.checkers), (2, samples)
    )
    x, y = manifest.places.slots.astype(np.int64)[pairs]
    differences = {plane.name: _check_derived(planes, plane, x, y) for plane in built}
    return Verification(
        manifest.points, manifest.checkers, sum(sizes), samples, differences
    )


def _check_games_over(planes: PlaneValues, built: list[SolvedPlane]) -> None:
    slots = planes.manifest.places.slots.astype(np.int64)
    full = planes.manifest.places.full_blocks[slots // LANES]
    off = np.zeros_like(slots)
    for plane in built:
        coding, ends = plane.coding, plane.ends
        codes = np.array([coding.code(end) for end in ends])
        won, won_gammon, lost, lost_gammon = coding.answers(codes)
        right = np.where(full, won_gammon, won), np.where(full, lost_gammon, lost)
        wrong = (planes.stored(plane.name, off, slots) != right[0]).any()
        wrong |= (planes.stored(plane.name, slots, off)[1:] != right[1][1:]).any()
        if wrong:
            raise TableError(
                f"a {plane.name} value in {planes.folder} is wrong for a game that is "
                "over; remove the table and build it again"
            )


def _check_derived(
    planes: PlaneValues, plane: SolvedPlane, x: Int64Array, y: Int64Array
) -> float:
    """Return the maximum difference between stored and recomputed values of the pairs."""
    if len(x) == 0:
        return 0.0
    stored = planes.stored(plane.name, x, y)
    error = _error(planes, plane.name) + _error(planes, plane.source)
    if plane.chooser is None:
        derived = planes.mean_of_best(plane.name, x, y)
    else:
        # Rounding may decide which of two nearly equal plays counts as better.
        slack = 2 * _error(planes, plane.chooser)
        least, most = planes.means_of_chosen(plane.source, plane.chooser, slack, x, y)
        derived = np.clip(stored, least, most)
    difference = np.abs(stored - derived)
    worst = int(difference.argmax())
    if difference[worst] > error:
        slots = planes.manifest.places.slots
        roller, opponent = (np.flatnonzero(slots == s[worst]) for s in (x, y))
        raise TableError(
            f"the {plane.name} value in {planes.folder} is {stored[worst]:.6f} for "
            f"position {roller[0]} against {opponent[0]}, but the values after the plays "
            f"give {derived[worst]:.6f}; remove the table and build it again"
        )
    return float(difference[worst])


def _error(planes: PlaneValues, name: str) -> float:
    """Return the maximum error of values, doubled if the values are win probabilities."""
    return planes.manifest.planes[name].error * (2 if name == "cubeless" else 1)
