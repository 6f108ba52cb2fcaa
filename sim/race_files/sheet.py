"""Interface of files of rows: requested columns are parsed, others carried unchanged.

A file that is answered in its own format keeps its content: the text of each CSV row and
JSON object to the byte, and the types of Parquet columns. For another format, values are
converted.
"""

from dataclasses import dataclass, field
from typing import IO, Any, Literal, Protocol

import pyarrow as pa

Format = Literal["csv", "jsonl", "parquet"]

ROW_BYTES = 2000
"""Upper bound of the memory of a row while it is answered, in bytes."""


class Body(Protocol):
    """All rows in their original form."""

    def append(self, stream: IO[bytes], answers: "pa.Table") -> None:
        """Write the rows in their own format, followed by the answers."""

    def table(self) -> "pa.Table":
        """Return all columns, for another format.

        Raises
        ------
        ValueError, pyarrow.ArrowException
            If Arrow cannot hold a column.
        """


@dataclass(frozen=True, eq=False)
class RowFile:
    """Rows of a file.

    Attributes
    ----------
    kind : {"csv", "jsonl", "parquet"}
        Format that they were read from, the default for writing.
    names : tuple of str
        Names of all columns.
    columns : dict of str to list
        Requested columns, as lists with one value per row; None for a missing value.
    problems : list of str
        Reason why a row could not be read; empty if it could.
    body : Body
        All rows in their original form.
    digest : str
        SHA-256 of the file.
    """

    kind: Format
    names: tuple[str, ...]
    columns: dict[str, list[Any]] = field(repr=False)
    problems: list[str] = field(repr=False)
    body: Body = field(repr=False)
    digest: str = ""

    def __len__(self) -> int:
        return len(self.problems)

    def row(self, index: int) -> dict[str, Any]:
        """Return the values of a row in the requested columns."""
        return {name: values[index] for name, values in self.columns.items()}


def require_utf8(text: str) -> None:
    """Raise an error if a text has bytes that are not UTF-8.

    Raises
    ------
    ValueError
        If it has such bytes.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it is not text in UTF-8; save it so") from None
