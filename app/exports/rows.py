"""Export of pairs of positions in a two-sided table to Parquet, CSV or SQLite."""

import errno
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv, parquet

from bearoff import TwoSidedTable, unrank
from bearoff.app.exports.pairs import ExportPairs, Int64Array
from bearoff.storage import atomic_path

Format = Literal["parquet", "csv", "sqlite"]
Progress = Callable[[float], None]
_Write = Callable[[pa.RecordBatch], object]

SCHEMA_VERSION = 1

BYTES_OF_A_ROW: dict[Format, int] = {"parquet": 26, "csv": 105, "sqlite": 85}
"""Approximate number of bytes per row of an exported file, for each file format, if the
table has equities with the cube."""

ROWS_A_SECOND: dict[Format, float] = {"parquet": 1e6, "csv": 1e6, "sqlite": 4e5}
"""Approximate number of rows that are exported per second, by format of the file."""

_VALUES: dict[str, tuple[str, Callable[[TwoSidedTable, Any, Any], NDArray[np.float64]]]] = {
    "win_probability": ("cubeless", TwoSidedTable.win_probability),
    "gammon_won": ("gammons_won", lambda table, x, y: table.gammon_probability(x, y)[0]),
    "gammon_lost": ("gammons_lost", lambda table, x, y: table.gammon_probability(x, y)[1]),
    "equity_cubeless": ("points", lambda table, x, y: table.equity(x, y, None)),
    "equity_centred": ("centred", TwoSidedTable.equity),
    "equity_jacoby": ("jacoby", lambda table, x, y: table.equity(x, y, jacoby=True)),
    "equity_owned": ("owned", lambda table, x, y: table.equity(x, y, "owned")),
    "equity_opponent": ("opponent", lambda table, x, y: table.equity(x, y, "opponent")),
}
"""For each column of an exported file: the name of the table's array from which the column
is computed, and the function that computes the column."""


def write_rows(
    path: Path,
    kind: Format,
    table: TwoSidedTable,
    pairs: ExportPairs,
    progress: Progress = lambda done: None,
) -> None:
    """Write all values of the given pairs to a file atomically.

    Raises
    ------
    TableError
        If an array of the table is damaged.
    OSError
        If the file cannot be written; an existing file is then unchanged.
    """
    schema = _schema(table, text=kind != "parquet")
    done = 0
    with atomic_path(path) as fresh, _WRITERS[kind](fresh, schema) as write:
        for rollers, opponents in pairs:
            write(_rows(table, rollers, opponents, schema))
            done += len(rollers)
            progress(done / len(pairs))


def _schema(table: TwoSidedTable, *, text: bool) -> pa.Schema:
    """Return the file's columns; checkers are text if the format does not support lists."""
    counts = pa.string() if text else pa.list_(pa.int8(), table.points)
    columns = {name: plane for name, (plane, _) in _VALUES.items() if plane in table.planes}
    fields = [
        ("roller", pa.int32()),
        ("opponent", pa.int32()),
        ("roller_counts", counts),
        ("opponent_counts", counts),
        *((name, pa.float64()) for name in columns),
    ]
    about = {
        "schema_version": SCHEMA_VERSION,
        "table": "two-sided",
        "points": table.points,
        "checkers": table.checkers,
        "errors": {name: table.error(plane) for name, plane in columns.items()},
    }
    fields = [pa.field(name, kind, nullable=False) for name, kind in fields]
    return pa.schema(fields, metadata={"bearoff": json.dumps(about)})


def _rows(
    table: TwoSidedTable, rollers: Int64Array, opponents: Int64Array, schema: pa.Schema
) -> pa.RecordBatch:
    columns = [pa.array(side, pa.int32()) for side in (rollers, opponents)]
    columns += [
        _counts(side, table, schema.field("roller_counts").type)
        for side in (rollers, opponents)
    ]
    columns += [
        pa.array(_VALUES[name][1](table, rollers, opponents))
        for name in schema.names[len(columns) :]
    ]
    return pa.record_batch(columns, schema=schema)


def _counts(numbers: Int64Array, table: TwoSidedTable, kind: pa.DataType) -> pa.Array:
    """Return each position's checkers per point, computed once for equal positions."""
    distinct, places = np.unique(numbers, return_inverse=True)
    counts = unrank(distinct, table.points, table.checkers)
    if kind == pa.string():
        texts = pa.array([",".join(map(str, row)) for row in counts.tolist()])
        return texts.take(pa.array(places))
    return pa.FixedSizeListArray.from_arrays(counts[places].ravel(), counts.shape[1])


@contextmanager
def _parquet(path: Path, schema: pa.Schema) -> Iterator[_Write]:
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        yield writer.write_batch


@contextmanager
def _csv(path: Path, schema: pa.Schema) -> Iterator[_Write]:
    with csv.CSVWriter(path, schema) as writer:
        yield writer.write_batch


@contextmanager
def _sqlite(path: Path, schema: pa.Schema) -> Iterator[_Write]:
    """Create an SQLite database with a table ``pairs``, and metadata in ``about``."""
    kinds = {pa.int32(): "INTEGER", pa.string(): "TEXT", pa.float64(): "REAL"}
    columns = ", ".join(f"{one.name} {kinds[one.type]} NOT NULL" for one in schema)
    places = ", ".join("?" * len(schema))
    with closing(sqlite3.connect(path)) as database:

        def write(rows: pa.RecordBatch) -> None:
            columns = [column.to_pylist() for column in rows.columns]
            database.executemany(
                f"INSERT INTO pairs VALUES ({places})", zip(*columns, strict=True)
            )

        try:
            # The database needs no journal, because it is moved to its final place only
            # when it is complete.
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            database.execute(f"CREATE TABLE pairs ({columns})")
            database.execute("CREATE TABLE about (bearoff TEXT NOT NULL)")
            about = schema.metadata[b"bearoff"].decode()
            database.execute("INSERT INTO about VALUES (?)", [about])
            yield write
            database.execute("CREATE INDEX of_pair ON pairs (roller, opponent)")
            database.commit()
        except sqlite3.Error as error:  # The disk may be full.
            number = errno.ENOSPC if "full" in str(error) else errno.EIO
            raise OSError(number, str(error), str(path)) from error


_Writer = Callable[[Path, pa.Schema], AbstractContextManager[_Write]]

_WRITERS: dict[Format, _Writer] = {"parquet": _parquet, "csv": _csv, "sqlite": _sqlite}
