"""Parquet files as others may have made them: opened only if what they state can be.

A footer may state any number of rows, and a page any size, whatever the file holds. So
what is stated is compared with the memory there is before anything is read, and the
checksums of pages, where there are any, as they are read. Single columns of a footer are
not looked at: if what it says of one is damaged, Arrow ends the process.
"""

from pathlib import Path

from pyarrow import fs, parquet as pq

from bearoff.errors import printable
from bearoff.runtime import format_bytes, memory_available
from bearoff.sim.storage.input_files import require_file

LEAST_MEMORY = 1 << 30
"""Bytes that a file may always state, where nothing tells what memory there is."""


def open_parquet(
    filesystem: fs.FileSystem,
    path: str,
    row_bytes: int,
    whole: bool = True,
) -> pq.ParquetFile:
    """Open a Parquet file; nothing but its footer is read.

    Parameters
    ----------
    filesystem, path
        Where it is.
    row_bytes : int
        Bytes of memory that the caller takes for every row.
    whole : bool, optional
        Whether the caller reads all row groups at once, or one after the other.

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
        check_stated(file.metadata, row_bytes, whole)
    except ValueError:
        file.close()
        raise
    return file


def check_stated(about: pq.FileMetaData, row_bytes: int, whole: bool = True) -> None:
    """Compare what a footer states with the memory; see `open_parquet`.

    Raises
    ------
    ValueError
        If it states more.
    """
    groups = [about.row_group(index) for index in range(about.num_row_groups)]
    rows = sum(group.num_rows for group in groups)
    if about.num_rows != rows:
        raise ValueError(f"it states {about.num_rows:,} rows and has {rows:,}")
    sizes = [group.total_byte_size for group in groups]
    stated = sum(sizes) if whole else max(sizes, default=0)
    free = max(memory_available(), LEAST_MEMORY)
    if rows < 0 or min(sizes, default=0) < 0 or rows * row_bytes + stated > free:
        raise ValueError(
            f"it states {rows:,} rows and {stated:,} bytes, which is more than fits "
            f"into {format_bytes(free)} of memory; give a smaller file"
        )


def in_one_line(error: Exception) -> str:
    """Return what Arrow says, without the lines that say it again."""
    return printable(str(error).strip().partition("\n")[0])


def local(path: str | Path) -> tuple[fs.FileSystem, str]:
    """Return what `open_parquet` wants of a local file."""
    return fs.LocalFileSystem(), str(Path(path).absolute())
