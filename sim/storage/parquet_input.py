"""Opening of untrusted Parquet files, after checking the sizes that they state.

The footer of a damaged or malicious Parquet file may state any number of rows, and its
pages any size. These sizes are therefore compared with the available memory before anything
else is read. Checksums of pages, if present, are verified. The metadata of single columns
are not inspected, because Arrow crashes if they are damaged.
"""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import fs, parquet as pq

from bearoff.errors import printable
from bearoff.runtime import format_bytes, memory_available
from bearoff.sim.storage.input_files import require_file

LEAST_MEMORY = 1 << 30
"""Size in bytes that a file may have in memory in any case, even if less memory is
available."""


def open_parquet(
    filesystem: fs.FileSystem,
    path: str,
    row_bytes: int,
    whole: bool = True,
) -> pq.ParquetFile:
    """Open a Parquet file if it fits into memory, after reading only its footer."""
    require_file(path, filesystem)
    file = pq.ParquetFile(path, filesystem=filesystem, page_checksum_verification=True)
    try:
        check_stated(file.metadata, row_bytes, whole)
    except ValueError:
        file.close()
        raise
    return file


def check_stated(about: pq.FileMetaData, row_bytes: int, whole: bool = True) -> None:
    """Raise ValueError if a Parquet file would need more memory than is available."""
    groups = [about.row_group(index) for index in range(about.num_row_groups)]
    rows = sum(group.num_rows for group in groups)
    if about.num_rows != rows:
        raise ValueError(
            f"the file header states {about.num_rows:,} rows, but the file has {rows:,}"
        )
    sizes = [group.total_byte_size for group in groups]
    stated = sum(sizes) if whole else max(sizes, default=0)
    free = max(memory_available(), LEAST_MEMORY)
    if rows < 0 or min(sizes, default=0) < 0 or rows * row_bytes + stated > free:
        raise ValueError(
            f"the file has {rows:,} rows and {stated:,} bytes, which do not fit into "
            f"{format_bytes(free)} of memory; use a smaller file"
        )


def read_contents(data: bytes, columns: Sequence[str] | None = None) -> pa.Table:
    """Read all rows of a Parquet file, given its contents.

    Arrow reads without threads here. Its threads could release `data` only after this
    function returns, which crashes a Python process that is just ending.
    """
    with pq.ParquetFile(pa.BufferReader(data)) as file:
        return file.read(columns, use_threads=False)


def in_one_line(error: Exception) -> str:
    """Return the first line of an error message of Arrow, as printable text."""
    return printable(str(error).strip().partition("\n")[0])


def local(path: str | Path) -> tuple[fs.FileSystem, str]:
    """Return the filesystem and path of a local file, for `open_parquet`."""
    return fs.LocalFileSystem(), str(Path(path).absolute())
