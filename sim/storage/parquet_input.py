"""Parquet files as others may have made them: opened only if what they state can be.

A footer may state any number of rows, and a page any size, whatever the file holds. So
what is stated is compared with the memory there is before anything is read, and the
checksums of pages, where there are any, as they are read.
"""

from collections.abc import Collection
from pathlib import Path

from pyarrow import fs, parquet as pq

from bearoff.errors import printable
from bearoff.runtime import format_bytes, memory_available
from sim.storage.input_files import require_file

LEAST_MEMORY = 1 << 30
"""Bytes that a file may always state, where nothing tells what memory there is."""

_PAGE_BYTES = 1 << 16
"""Of headers and dictionaries, which a column has however few its rows are."""


def open_parquet(
    filesystem: fs.FileSystem,
    path: str,
    row_bytes: int,
    columns: Collection[str] | None = None,
) -> pq.ParquetFile:
    """Open a Parquet file; nothing but its footer is read.

    Parameters
    ----------
    filesystem, path
        Where it is.
    row_bytes : int
        Bytes of memory that the caller takes for every row.
    columns : collection of str, optional
        Those that will be read, by their names in the file; all if not given.

    Returns
    -------
    ParquetFile
        Compares checksums when it is read; to be closed.

    Raises
    ------
    ValueError, OSError
        If there is no such file, it is not Parquet, or it states more than fits into
        the memory; `pyarrow.ArrowException` too, which is neither.
    """
    require_file(path, filesystem)
    file = pq.ParquetFile(path, filesystem=filesystem, page_checksum_verification=True)
    try:
        check_stated(file.metadata, row_bytes, columns)
    except ValueError:
        file.close()
        raise
    return file


def check_stated(
    about: pq.FileMetaData, row_bytes: int, columns: Collection[str] | None = None
) -> None:
    """Compare what a footer states with the memory; see `open_parquet`.

    Raises
    ------
    ValueError
        If it states more.
    """
    rows, stated = _stated(about, columns)
    if about.num_rows != rows:
        raise ValueError(f"it states {about.num_rows:,} rows and has {rows:,}")
    needed = rows * row_bytes + stated
    free = max(memory_available(), LEAST_MEMORY)
    if rows < 0 or stated < 0 or needed > free:
        raise ValueError(
            f"it states {rows:,} rows and {stated:,} bytes, which is more than fits "
            f"into {format_bytes(free)} of memory; give a smaller file"
        )


def check_texts(about: pq.FileMetaData, columns: Collection[str], value_bytes: int) -> None:
    """Refuse columns that state more bytes than their values can have.

    Compression lets a few kilobytes hold a gigabyte of one letter.

    Raises
    ------
    ValueError
        If they do.
    """
    rows, stated = _stated(about, columns)
    if stated > rows * len(columns) * value_bytes + _PAGE_BYTES:
        raise ValueError(
            f"it states {stated:,} bytes for {rows:,} rows, more than positions take"
        )


def _stated(about: pq.FileMetaData, columns: Collection[str] | None) -> tuple[int, int]:
    """Rows of all groups, and bytes of the columns before compression."""
    groups, size = 0, 0
    for index in range(about.num_row_groups):
        group = about.row_group(index)
        groups += group.num_rows
        for place in range(group.num_columns):
            column = group.column(place)
            if columns is None or column.path_in_schema.partition(".")[0] in columns:
                size += column.total_uncompressed_size
    return groups, size


def in_one_line(error: Exception) -> str:
    """Return what Arrow says, without the lines that say it again."""
    return printable(str(error).strip().partition("\n")[0])


def local(path: str | Path) -> tuple[fs.FileSystem, str]:
    """Return what `open_parquet` wants of a local file."""
    return fs.LocalFileSystem(), str(Path(path).absolute())
