"""Files of rows: columns that are asked for, and all others carried as they are.

A file that is answered in its own format comes back as it was, with answers behind: the
text of each row of CSV and each object of JSON lines to the byte, the columns of Parquet
with their types. In another format values are what that format has for them.
"""

from dataclasses import dataclass, field
from typing import IO, Any, Literal, Protocol

import pyarrow as pa

Format = Literal["csv", "jsonl", "parquet"]

ROW_BYTES = 2000
"""Memory that a row takes, at most, while it is answered."""


class Body(Protocol):
    """Rows as they were read."""

    def append(self, stream: IO[bytes], answers: "pa.Table") -> None:
        """Write the rows in their own format, with the answers behind."""

    def table(self) -> "pa.Table":
        """Return all columns, for another format.

        Raises
        ------
        ValueError, pyarrow.ArrowException
            If one is nothing that Arrow holds.
        """


@dataclass(frozen=True, eq=False)
class Sheet:
    """Rows of a file.

    Attributes
    ----------
    kind : {"csv", "jsonl", "parquet"}
        What they were read from, or are written to if nothing else is asked for.
    names : tuple of str
        Of all columns.
    columns : dict of str to list
        Those that were asked for: a value a row, None where it has none.
    problems : list of str
        Why a row could not be read; empty where it could.
    body : Body
        All that there is.
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
        """Return what a row has in the columns that were asked for."""
        return {name: values[index] for name, values in self.columns.items()}


def require_utf8(text: str) -> None:
    """Refuse a text with bytes that are no UTF-8, which only files of bytes can carry.

    Raises
    ------
    ValueError
        If it has some.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it is not text in UTF-8; save it so") from None
