"""Conversion of files of races between the formats CSV, JSON lines and Parquet."""

import json
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv, parquet

from bearoff.sim.race_files.sheet import Format, RowFile
from bearoff.sim.storage import RunError, parquet_input

_ROWS = 1000
"""Number of JSON lines that are written to a file at once."""


def converted(sheet: RowFile, kind: Format) -> "pa.Table":
    """Return the columns of a file in types that the target format supports.

    Parquet files keep all types. In JSON lines, numbers remain numbers, whereas times and
    decimals become text. In CSV, all values become text, and nested values become JSON.
    """
    names, doing = sheet.names, f"cannot convert a .{sheet.kind} file to .{kind}"
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            raise RunError(f"{doing}: two columns have the name {name!r}")
    try:
        table = sheet.body.table()
    except (pa.ArrowException, ValueError, OverflowError) as error:
        raise RunError(f"{doing}: {parquet_input.in_one_line(error)}") from error
    if kind == "parquet":
        return table
    change = _texts if kind == "csv" else _json_values
    columns = []
    for name in names:
        try:
            columns.append(change(table.column(name)))
        except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
            reason = parquet_input.in_one_line(error)
            raise RunError(
                f"{doing}: the column {name!r} cannot be converted: {reason}"
            ) from error
    return pa.Table.from_arrays(columns, list(names))


def write_table(stream: IO[bytes], table: "pa.Table", kind: Format) -> None:
    """Write an Arrow table to a stream as CSV, JSON lines or Parquet."""
    if kind == "parquet":
        parquet.write_table(table, stream, compression="zstd")
    elif kind == "csv":
        arrow_csv.write_csv(table, stream)
    else:
        for batch in table.to_batches(max_chunksize=_ROWS):
            rows = (
                json.dumps(row, ensure_ascii=False, default=_plain)
                for row in batch.to_pylist()
            )
            stream.write("".join(f"{row}\n" for row in rows).encode())


def _texts(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    column = _without_codes(column)
    kind = column.type
    if pa.types.is_nested(kind):
        texts = [None if v is None else _json(v) for v in column.to_pylist()]
        return pa.chunked_array([pa.array(texts, pa.string())])
    _refuse_bytes(kind)
    return pc.cast(column, pa.string())


def _json_values(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Convert a column to JSON types, which exclude times, decimals and NaN."""
    column = _without_codes(column)
    kind = column.type
    if pa.types.is_floating(kind):
        return pc.if_else(pc.is_finite(column), column, None)
    if pa.types.is_nested(kind):
        for value in column.to_pylist():
            _json(value)
        return column
    _refuse_bytes(kind)
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_null(kind):
        return column
    return pc.cast(column, pa.string())


def _without_codes(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    if pa.types.is_dictionary(column.type):
        column = pc.cast(column, column.type.value_type)
    # Arrow cannot convert float16 to text, so float32 is used.
    half = pa.types.is_float16(column.type)
    return pc.cast(column, pa.float32()) if half else column


def _refuse_bytes(kind: "pa.DataType") -> None:
    binary = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    if any(one(kind) for one in binary):
        raise ValueError(f"columns of type {kind} cannot be converted to text")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: object) -> str:
    if isinstance(value, bytes):
        raise TypeError("values of type bytes cannot be converted to text")
    return str(value)
