"""Content of a sheet for printing, and its conversion to Markdown and CSV.

`analysis.sheets.draw` draws sheets on pages.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from bearoff.analysis.output import markdown_page, markdown_table


@dataclass(frozen=True)
class SheetTable:
    """Table on a sheet for printing.

    Attributes
    ----------
    head : tuple of str
        Column names, possibly with line breaks.
    widths : tuple of float
        Relative widths of the columns.
    shades : tuple of tuple of int, or None
        Shade of each cell except in the first column: an index into
        `analysis.output.SHADES`, or -1 for no shade.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    shades: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in (*self.rows, self.widths)):
            raise ValueError(
                f"all rows of the table {self.title!r} must have the same length"
            )


@dataclass(frozen=True)
class Sheet:
    """Content of a sheet for printing, including the numbers for CSV.

    Attributes
    ----------
    name : str
        Name of the sheet's files, without extension.
    lead : str
        One or two sentences on how to read the sheet.
    legend : tuple of str
        Meanings of the shades in `analysis.output.SHADES`, in order; empty without shades.
    data_head, data_rows
        Header and rows of the CSV file, with unrounded numbers.
    """

    name: str
    title: str
    lead: str
    tables: tuple[SheetTable, ...]
    notes: tuple[str, ...]
    data_head: tuple[str, ...]
    data_rows: tuple[tuple[str | int | float | None, ...], ...]
    legend: tuple[str, ...] = ()

    @property
    def markdown(self) -> str:
        parts = [f"# {self.title}", self.lead]
        for table in self.tables:
            head = [name.replace("\n", " ") for name in table.head]
            parts += [f"## {table.title}", markdown_table(head, table.rows)]
        return markdown_page([*parts, *self.notes])

    @property
    def csv(self) -> str:
        """The sheet's numbers as CSV text with a header; missing values are empty."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.data_head)
        writer.writerows(self.data_rows)
        return out.getvalue()


def numbers(*values: float | None) -> Sequence[float | None]:
    """Round values to nine significant digits."""
    return [None if value is None else float(f"{value:.9g}") for value in values]
