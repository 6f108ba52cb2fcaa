"""Files of races in memory: some columns are parsed, and all are kept for the output.

If the output has the same format as the input, CSV rows and JSON objects keep their text,
and Parquet columns keep their types. If the output has another format, values are
converted.
"""

from dataclasses import dataclass, field
from typing import IO, Any, Literal, Protocol

import pyarrow as pa

Format = Literal["csv", "jsonl", "parquet"]

ROW_BYTES = 2000
"""Upper bound on the memory per row of a file of races, in bytes."""


class Body(Protocol):
    """Rows of a file in their original format."""

    def append(self, stream: IO[bytes], answers: "pa.Table") -> None:
        """Write the rows in their original format, followed by the answers."""

    def table(self) -> "pa.Table":
        """Return all columns as a table, for conversion to another format."""


@dataclass(frozen=True, eq=False)
class RowFile:
    """Rows of a file of races; only some of the columns are parsed.

    Attributes
    ----------
    kind : {"csv", "jsonl", "parquet"}
        Format of the input file, which is also the default format of the output.
    columns : dict of str to list
        Parsed columns by name, each a list with one value per row; None for a missing
        value.
    problems : list of str
        Error message for each row; empty if the row could be parsed.
    digest : str
        SHA-256 digest of the contents of the file.
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
        return {name: values[index] for name, values in self.columns.items()}


def require_utf8(text: str) -> None:
    """Raise ValueError if a text contains bytes that are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("the encoding is not UTF-8; save the file as UTF-8") from None
