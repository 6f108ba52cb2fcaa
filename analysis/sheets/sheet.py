"""Sheets of tables to print: their content, also as Markdown and CSV.

`analysis.sheets.draw` draws them.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from bearoff.analysis.output import markdown_page, markdown_table


@dataclass(frozen=True)
class SheetTable:
    """One table of a sheet.

    Attributes
    ----------
    title : str
        What stands above it.
    head : tuple of str
        Names of the columns, broken where they have more than one line.
    rows : tuple of tuple of str
        Cells by row.
    widths : tuple of float
        Of the columns, one to another.
    shades : tuple of tuple of int, or None
        Of the cells after the first column, places in `analysis.output.SHADES`; -1 for
        none.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    shades: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in (*self.rows, self.widths)):
            raise ValueError(f"the table {self.title!r} has rows of different lengths")


@dataclass(frozen=True)
class Sheet:
    """What stands on a page, and the numbers behind it.

    Attributes
    ----------
    name : str
        Of its files.
    title : str
        The page's heading.
    lead : str
        A sentence or two on how to read it.
    tables : tuple of SheetTable
        From top to bottom.
    notes : tuple of str
        Below them.
    legend : tuple of str
        What the shades mean, in the order of `analysis.output.SHADES`; may be empty.
    data_head, data_rows
        The numbers, unrounded, for the CSV.
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
        """The sheet as a Markdown page."""
        parts = [f"# {self.title}", self.lead]
        for table in self.tables:
            head = [name.replace("\n", " ") for name in table.head]
            parts += [f"## {table.title}", markdown_table(head, table.rows)]
        return markdown_page([*parts, *self.notes])

    @property
    def csv(self) -> str:
        """The numbers as CSV with a heading; missing ones are empty."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.data_head)
        writer.writerows(self.data_rows)
        return out.getvalue()


def numbers(*values: float | None) -> Sequence[float | None]:
    """Round for a file: nine digits, which is more than any table holds."""
    return [None if value is None else float(f"{value:.9g}") for value in values]
