"""Verify two-sided tables: every checksum, and values derived again from each other.

Checksums find what happened to the files since they were written. That what was written
is right, the values themselves tell: each is, by the equations of `two_sided_solver`,
the mean of the best plays' values, and where the game is over it is a whole number.
"""

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.numbering import POINTS, position_count
from bearoff.two_sided import CUBES, Cube, TwoSidedTable
from bearoff.two_sided_layout import layout
from bearoff.two_sided_store import check_plane, load_successors, read_manifest

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_SEED = 3


@dataclass(frozen=True)
class Verification:
    """What was found in order.

    Attributes
    ----------
    checkers : int
        Of each side.
    bytes : int
        Read and compared with their checksums.
    samples : int
        Pairs of each plane whose value was derived again.
    differences : dict of str to float
        By plane, the largest difference of a stored and a derived value.
    """

    checkers: int
    bytes: int
    samples: int
    differences: dict[str, float]


def verify(table: TwoSidedTable, samples: int) -> Verification:
    """Verify a table; see `TwoSidedTable.verify`."""
    manifest = read_manifest(table.folder)
    places = layout(table.checkers)
    load_successors(table.folder, manifest)
    for name, entry in manifest["planes"].items():
        check_plane(table.folder / f"{name}.u16", places, entry, os.cpu_count() or 1)
    entries = [*manifest["files"].values(), *manifest["planes"].values()]
    _check_games_over(table)
    pairs = np.random.default_rng(_SEED).integers(
        1, position_count(POINTS, table.checkers), (2, samples)
    )
    differences = {plane: _check_derived(table, plane, *pairs) for plane in table.planes}
    return Verification(
        table.checkers, sum(e["bytes"] for e in entries), samples, differences
    )


def _check_games_over(table: TwoSidedTable) -> None:
    numbers = np.arange(position_count(POINTS, table.checkers))
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
            f"{rollers[worst]} against {opponents[worst]}, and the values after his plays "
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
