"""Verify two-sided tables: every checksum, and values derived again from each other.

Checksums find what happened to the files since they were written. That what was written
is right, the values themselves tell: each is, by the equations of `planes`, the mean of
the best plays' values, and where the game is over it is a whole number.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.positions import position_count
from bearoff.two_sided.codings import ONE
from bearoff.two_sided.pair_order import LANES
from bearoff.two_sided.planes import SOLVED
from bearoff.two_sided.storage import load_successors, open_table_plane, read_manifest
from bearoff.two_sided.table import TwoSidedTable

Int64Array = NDArray[np.int64]

_SEED = 3


@dataclass(frozen=True)
class Verification:
    """What was found in order.

    Attributes
    ----------
    points, checkers : int
        Of each side.
    bytes : int
        Read and compared with their checksums.
    samples : int
        Pairs of each plane whose value was derived again.
    differences : dict of str to float
        By plane, the largest difference of a stored and a derived value.
    """

    points: int
    checkers: int
    bytes: int
    samples: int
    differences: dict[str, float]


def verify_table(table: TwoSidedTable, samples: int = 1000) -> Verification:
    """Read every byte, and derive random values again from those they rest on.

    Parameters
    ----------
    table : TwoSidedTable
        Opened, its blocks checked or not.
    samples : int
        Pairs of each plane whose values are derived again.

    Returns
    -------
    Verification
        What was compared, and by how much the derived values differ at most.

    Raises
    ------
    TableError
        If a file is damaged, or a value does not follow from the others.
    """
    manifest = read_manifest(table.folder)
    load_successors(table.folder, manifest)
    for name in manifest.planes:
        open_table_plane(table.folder, name, manifest).check_all()
    sizes = [entry.bytes for entry in manifest.files.values()]
    sizes += [entry.bytes for entry in manifest.planes.values()]
    _check_games_over(table)
    pairs = np.random.default_rng(_SEED).integers(
        1, position_count(table.points, table.checkers), (2, samples)
    )
    x, y = table.places.slots.astype(np.int64)[pairs]
    differences = {plane: _check_derived(table, plane, x, y) for plane in table.planes}
    return Verification(table.points, table.checkers, sum(sizes), samples, differences)


def _check_games_over(table: TwoSidedTable) -> None:
    slots = table.places.slots.astype(np.int64)
    full = table.places.full_blocks[slots // LANES]
    off = np.zeros_like(slots)
    for plane in table.planes:
        ends = SOLVED[plane].ends
        won, lost = (
            np.where(full, *pair) / ONE for pair in ((ends[1], ends[0]), (ends[3], ends[2]))
        )
        wrong = (table.values.stored(plane, off, slots) != won).any()
        wrong |= (table.values.stored(plane, slots, off)[1:] != lost[1:]).any()
        if wrong:
            raise TableError(
                f"the plane {plane} of {table.folder} values a game that is over wrongly; "
                "remove the table and build it again"
            )


def _check_derived(table: TwoSidedTable, plane: str, x: Int64Array, y: Int64Array) -> float:
    """Return the largest difference of stored and derived values of a plane."""
    if len(x) == 0:
        return 0.0
    stored = table.values.stored(plane, x, y)
    theirs, chooser = SOLVED[plane].source, SOLVED[plane].chooser
    error = _points_error(table, plane) + _points_error(table, theirs)
    if chooser is None:
        derived = table.values.mean_of_best(plane, x, y)
    else:
        # Rounding may have made another of two plays the better one.
        slack = 2 * _points_error(table, chooser)
        derived = np.clip(
            stored, *table.values.means_of_chosen(theirs, chooser, slack, x, y)
        )
    difference = np.abs(stored - derived)
    worst = int(difference.argmax())
    if difference[worst] > error:
        roller, opponent = (np.flatnonzero(table.places.slots == s[worst]) for s in (x, y))
        raise TableError(
            f"the plane {plane} of {table.folder} has {stored[worst]:.6f} for roller "
            f"{roller[0]} against {opponent[0]}, and the values after its plays make it "
            f"{derived[worst]:.6f}; remove the table and build it again"
        )
    return float(difference[worst])


def _points_error(table: TwoSidedTable, plane: str) -> float:
    """Return the error of an equity, or of a chance of a gammon."""
    return table.error(plane) * (2 if plane == "cubeless" else 1)
