"""Verify two-sided tables: every checksum, and values derived again from each other.

Checksums find what happened to the files since they were written. That what was written
is right, the values themselves tell: each is, by the equations of `two_sided_solver`,
the mean of the best plays' values, and where the game is over it is a whole number.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.positions import position_count
from bearoff.two_sided.storage import load_successors, open_plane, read_manifest
from bearoff.two_sided.table import CUBES, Cube, TwoSidedTable

Float64Array = NDArray[np.float64]
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
        open_plane(table.folder, name, manifest).read_all()
    sizes = [entry.bytes for entry in manifest.files.values()]
    sizes += [entry.bytes for entry in manifest.planes.values()]
    _check_games_over(table)
    pairs = np.random.default_rng(_SEED).integers(
        1, position_count(table.points, table.checkers), (2, samples)
    )
    differences = {plane: _check_derived(table, plane, *pairs) for plane in table.planes}
    return Verification(table.points, table.checkers, sum(sizes), samples, differences)


def _check_games_over(table: TwoSidedTable) -> None:
    numbers = np.arange(position_count(table.points, table.checkers))
    for plane in table.planes:
        won = _stored(table, plane, np.zeros_like(numbers), numbers)
        lost = _stored(table, plane, numbers[1:], np.zeros_like(numbers[1:]))
        lowest = 0.0 if plane == "cubeless" else -1.0
        if (won != 1).any() or (lost != lowest).any():
            raise TableError(
                f"the plane {plane} of {table.folder} values a game that is over wrongly; "
                "remove the table and build it again"
            )


def _check_derived(
    table: TwoSidedTable, plane: str, rollers: Int64Array, opponents: Int64Array
) -> float:
    """Return the largest difference of stored and derived values of a plane."""
    if len(rollers) == 0:
        return 0.0
    stored = _stored(table, plane, rollers, opponents)
    derived, error = _derived(table, plane, rollers, opponents)
    difference = np.abs(stored - derived)
    worst = int(difference.argmax())
    if difference[worst] > table.error(plane) + error:
        raise TableError(
            f"the plane {plane} of {table.folder} has {stored[worst]:.6f} for roller "
            f"{rollers[worst]} against {opponents[worst]}, and the values after its plays "
            f"make it {derived[worst]:.6f}; remove the table and build it again"
        )
    return float(difference[worst])


def _stored(
    table: TwoSidedTable, plane: str, rollers: Int64Array, opponents: Int64Array
) -> Float64Array:
    if plane == "cubeless":
        return table.win_probability(rollers, opponents)
    return table.equity(rollers, opponents, _cube(plane))


def _derived(
    table: TwoSidedTable, plane: str, rollers: Int64Array, opponents: Int64Array
) -> tuple[Float64Array, float]:
    """Derive values from those they rest on; also how far off those may make them."""
    if plane == "cubeless":
        equity = table.no_double(rollers, opponents, None)
        return (1 + equity) / 2, table.error("cubeless")
    cube = _cube(plane)
    stays = table.no_double(rollers, opponents, cube)
    error = table.error({"owned": "opponent", "opponent": "owned"}.get(plane, plane))
    if plane == "opponent":
        return stays, error
    doubled = np.minimum(1.0, table.double_take(rollers, opponents))
    return np.maximum(stays, doubled), max(error, 2 * table.error("opponent"))


def _cube(plane: str) -> Cube:
    return next(cube for cube in CUBES if cube == plane)
