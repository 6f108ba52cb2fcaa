"""Function that opens one-sided and two-sided bear-off files of GNU Backgammon."""

from pathlib import Path

from bearoff.errors import TableError
from bearoff.gnubg.header import HEADER_BYTES, Header, decode
from bearoff.gnubg.one_sided import OneSidedFile
from bearoff.gnubg.two_sided import TwoSidedFile


def open_file(path: Path) -> OneSidedFile | TwoSidedFile:
    """Open a bear-off file from GNU Backgammon or another program that uses its format.

    Raises
    ------
    TableError
        If the file is not a bear-off file, or its size does not agree with its header.
    OSError
        If the file cannot be read.
    """
    with path.open("rb") as file:
        header = decode(file.read(HEADER_BYTES), str(path))
    size = path.stat().st_size
    if size < header.file_bytes or (size > header.file_bytes and not header.compressed):
        raise TableError(
            f"{path} is damaged: {_expected(header)}, but it has {size:,} bytes"
        )
    return (TwoSidedFile if header.two_sided else OneSidedFile)(path, header)


def _expected(header: Header) -> str:
    least = "at least " if header.compressed else ""
    return f"{header.describe()}, is {least}{header.file_bytes:,} bytes"
