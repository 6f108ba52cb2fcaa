"""Chosen pairs of a two-sided table as Parquet, for readers on other systems."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from bearoff import POINTS, BearoffError, TwoSidedTable, unrank
from bearoff.storage import atomic_path

Int64Array = NDArray[np.int64]
Pairs = tuple[Int64Array, Int64Array]

SCHEMA_VERSION = 1

_ROWS_AT_A_TIME = 1 << 18

_VALUES = {
    "cubeless": "win_probability",
    "centred": "equity_centred",
    "owned": "equity_owned",
    "opponent": "equity_opponent",
}
"""Column of each plane."""


def pairs_of_ranges(rollers: range, opponents: range) -> Iterator[Pairs]:
    """Pair every roller with every opponent, a manageable number at a time."""
    y = np.arange(opponents.start, opponents.stop)
    step = max(1, _ROWS_AT_A_TIME // len(y))
    for start in range(rollers.start, rollers.stop, step):
        x = np.arange(start, min(start + step, rollers.stop))
        yield np.repeat(x, len(y)), np.tile(y, len(x))


def pairs_of_file(path: Path, checkers: int) -> Iterator[Pairs]:
    """Read pairs from the columns roller and opponent of a CSV or Parquet file.

    Raises
    ------
    RunError
        If the file cannot be read or a row holds no pair of the table.
    """
    from pydantic import ValidationError

    from sim.config import pairs as sources
    from sim.pairs import read_pairs
    from sim.storage import RunError

    try:
        file = sources.PairFile.model_validate({"path": str(path.absolute())})
    except ValidationError as error:
        raise RunError(error.errors()[0]["msg"]) from None
    rows = read_pairs(file, POINTS, checkers)
    for start in range(0, len(rows), _ROWS_AT_A_TIME):
        part = rows[start : start + _ROWS_AT_A_TIME]
        yield part[:, 0], part[:, 1]


def write_pairs(path: Path, table: TwoSidedTable, pairs: Iterable[Pairs]) -> int:
    """Write every plane's values of the pairs; the file appears whole or not at all.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    BearoffError
        If there is something else than a file, which a file must not replace.
    OSError
        If it cannot be written; then there is what there was.
    """
    if path.exists() and not path.is_file():
        raise BearoffError(f"{path} is no file that could be written anew; name another")
    planes = [name for name in _VALUES if name in table.planes]
    schema = _schema(table, planes)
    rows = 0
    with (
        atomic_path(path) as fresh,
        parquet.ParquetWriter(fresh, schema, compression="zstd") as writer,
    ):
        for rollers, opponents in pairs:
            writer.write_table(_rows(table, planes, rollers, opponents, schema))
            rows += len(rollers)
    return rows


def _schema(table: TwoSidedTable, planes: list[str]) -> pa.Schema:
    counts = pa.list_(pa.int8(), POINTS)
    fields = [
        ("roller", pa.int32()),
        ("opponent", pa.int32()),
        ("roller_counts", counts),
        ("opponent_counts", counts),
        *((_VALUES[name], pa.float64()) for name in planes),
    ]
    about = {
        "schema_version": SCHEMA_VERSION,
        "table": "two-sided",
        "checkers": table.checkers,
        "errors": {_VALUES[name]: table.error(name) for name in planes},
        "gammons": False,
    }
    fields = [pa.field(name, kind, nullable=False) for name, kind in fields]
    return pa.schema(fields, metadata={"bearoff": json.dumps(about)})


def _rows(
    table: TwoSidedTable,
    planes: list[str],
    rollers: Int64Array,
    opponents: Int64Array,
    schema: pa.Schema,
) -> pa.Table:
    columns: list[Any] = [rollers, opponents]
    for side in (rollers, opponents):
        counts = unrank(side, POINTS, table.checkers).astype(np.int8)
        columns.append(pa.FixedSizeListArray.from_arrays(counts.ravel(), POINTS))
    for plane in planes:
        if plane == "cubeless":
            columns.append(table.win_probability(rollers, opponents))
        else:
            columns.append(table.equity(rollers, opponents, plane))  # type: ignore[arg-type]
    return pa.table(columns, schema=schema)
