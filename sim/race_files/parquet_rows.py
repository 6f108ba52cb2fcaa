"""Rows of a Parquet file of races, which are kept as the original table."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import IO

import pyarrow as pa
from pyarrow import parquet

from bearoff.sim.race_files.sheet import ROW_BYTES, RowFile
from bearoff.sim.storage import parquet_input


@dataclass(frozen=True, eq=False)
class _ParquetRows:
    read: "pa.Table"

    def append(self, stream: IO[bytes], answers: "pa.Table") -> None:
        table = self.read
        for name in answers.column_names:
            table = table.append_column(name, answers.column(name))
        parquet.write_table(table, stream, compression="zstd")

    def table(self) -> "pa.Table":
        return self.read


def read_parquet(source: str | bytes, asked: Collection[str], digest: str) -> RowFile:
    """Read a Parquet file of races, given its path or its contents."""
    if isinstance(source, str):
        with parquet_input.open_parquet(*parquet_input.local(source), ROW_BYTES) as file:
            table = file.read()
    else:
        with parquet.ParquetFile(
            pa.BufferReader(source), page_checksum_verification=True
        ) as file:
            parquet_input.check_stated(file.metadata, ROW_BYTES)
            # Threads are not used, for the reason that `parquet_input.read_contents` gives.
            table = file.read(use_threads=False)
    names = tuple(table.column_names)
    columns = {}
    for name in dict.fromkeys(names):
        if name not in asked:
            continue
        if names.count(name) > 1:
            raise ValueError(
                f"two of the columns have the name {name!r}; rename one of them"
            )
        columns[name] = _values(name, table.column(name))
    problems = table.num_rows * [""]
    return RowFile("parquet", names, columns, problems, _ParquetRows(table), digest)


def _values(name: str, column: "pa.ChunkedArray") -> list[object]:
    kind = column.type
    if pa.types.is_temporal(kind) or pa.types.is_decimal(kind):
        raise ValueError(
            f"the column {name!r} must contain text or whole numbers, got {kind}"
        )
    values: list[object] = column.to_pylist()
    return values
