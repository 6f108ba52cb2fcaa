"""From counts to the rows that are stored: a pair, and what happened in its games."""

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
"""Columns of a part by name, each of shape (pairs of the part, ...)."""


def pair_rows(
    table: bearoff.OneSidedTable,
    pairs: RunPairs,
    part: slice,
    columns: Columns,
    kind: str,
) -> pa.Table:
    """Build the rows of a part.

    Parameters
    ----------
    table : OneSidedTable
        Of the run.
    pairs : RunPairs
        All pairs of the run.
    part : slice
        Those of this part, among the run's.
    columns : dict of str to ndarray
        What their games gave, and what they must converge to; not-a-number is stored as
        null.
    kind : str
        Of the run.

    Returns
    -------
    pyarrow.Table
        Columns of `sim.storage.schema.outcome_schema`, without metadata.
    """
    every = pair_columns(table, pairs, part) | columns
    return to_table(every, schema.outcome_schema(table.points, kind))


def pair_columns(table: bearoff.OneSidedTable, pairs: RunPairs, part: slice) -> Columns:
    """Return the columns that say what the pairs of a part are, whatever was done."""
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
        pair_kernels,  # Compiled code is loaded only where games are played.
    )

    counts = np.empty((len(numbers), table.points), dtype=np.int8)
    pair_kernels.unrank(rank_terms(table.points, table.checkers), numbers, counts)
    return counts


def to_table(columns: Columns, types: pa.Schema) -> pa.Table:
    """Put columns into the order and types of a schema; not-a-number becomes null."""
    arrays = [_arrow(columns[field.name], field.type) for field in types]
    return pa.table(arrays, schema=types)


def _arrow(column: NDArray[Any], kind: pa.DataType) -> pa.Array:
    """Turn an array into a column, a two-dimensional one into fixed-size lists."""
    if column.ndim == 1:
        # A missing value is null, not a number.
        return pa.array(column, type=kind, from_pandas=True)
    flat = pa.array(np.ascontiguousarray(column).reshape(-1), type=kind.value_type)
    return pa.FixedSizeListArray.from_arrays(flat, type=kind)
