"""Conversion of simulated games to the rows of a run's result files."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import bearoff
from bearoff.positions import rank_terms
from bearoff.sim.pairs import RunPairs
from bearoff.sim.storage import schema

Int64Array = NDArray[np.int64]

Columns = dict[str, NDArray[Any]]
"""Columns of a result file by name; each array has the shape (pairs, ...)."""


def pair_rows(
    table: bearoff.OneSidedTable,
    pairs: RunPairs,
    part: slice,
    columns: Columns,
    kind: str,
) -> pa.Table:
    """Return the rows of a result file, in the schema of its kind; NaN becomes null."""
    every = pair_columns(table, pairs, part) | columns
    return to_table(every, schema.outcome_schema(table.points, kind))


def pair_columns(table: bearoff.OneSidedTable, pairs: RunPairs, part: slice) -> Columns:
    """Return the columns of a result file that describe the pairs of positions."""
    chosen = pairs[part]
    rollers, opponents = chosen.rollers, chosen.opponents
    return {
        "pair": np.arange(part.start, part.stop),
        "weight": chosen.weights,
        "roller": rollers,
        "opponent": opponents,
        "roller_counts": _counts(table, rollers),
        "opponent_counts": _counts(table, opponents),
        "roller_pips": table.pips[rollers],
        "opponent_pips": table.pips[opponents],
        "roller_epc": table.epc[rollers],
        "opponent_epc": table.epc[opponents],
    }


def _counts(table: bearoff.OneSidedTable, numbers: Int64Array) -> NDArray[np.int8]:
    from bearoff.sim.play import (
        pair_kernels,  # Import compiled code only where games are played.
    )

    counts = np.empty((len(numbers), table.points), dtype=np.int8)
    pair_kernels.unrank(rank_terms(table.points, table.checkers), numbers, counts)
    return counts


def to_table(columns: Columns, types: pa.Schema) -> pa.Table:
    """Return an Arrow table with the columns and types of a schema; NaN becomes null."""
    arrays = [_arrow(columns[field.name], field.type) for field in types]
    return pa.table(arrays, schema=types)


def _arrow(column: NDArray[Any], kind: pa.DataType) -> pa.Array:
    """Convert an array to an Arrow column; a 2-D array becomes fixed-size lists."""
    if column.ndim == 1:
        # `from_pandas` converts NaN to null.
        return pa.array(column, type=kind, from_pandas=True)
    flat = pa.array(np.ascontiguousarray(column).reshape(-1), type=kind.value_type)
    return pa.FixedSizeListArray.from_arrays(flat, type=kind)
