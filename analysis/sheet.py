"""Sheets of tables to print: what stands on them, and as Markdown and CSV.

`analysis.sheet_page` draws them.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.drawing import write_text
from analysis.folders import writing_to
from analysis.tables import markdown_table


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
        Of the cells after the first column, places in `analysis.drawing.SHADES`; -1 for
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
        What the shades mean, in the order of `analysis.drawing.SHADES`; may be empty.
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
        return "\n\n".join([*parts, *self.notes]) + "\n"

    @property
    def csv(self) -> str:
        """The numbers as CSV with a heading; nothing for what is not known."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.data_head)
        writer.writerows(self.data_rows)
        return out.getvalue()


def write_sheet(sheet: Sheet, folder: str | Path) -> list[Path]:
    """Write a sheet as PDF, PNG, Markdown and CSV into a folder; return the paths.

    Raises
    ------
    RunError
        If they cannot be written.
    """
    from analysis.printed import write_page
    from analysis.sheet_page import sheet_figure

    folder = Path(folder)
    drawn = write_page(sheet_figure(sheet), folder, sheet.name)
    with writing_to(folder):
        return [
            *drawn,
            write_text(sheet.markdown, folder / f"{sheet.name}.md"),
            write_text(sheet.csv, folder / f"{sheet.name}.csv"),
        ]


def numbers(*values: float | None) -> Sequence[float | None]:
    """Round for a file: nine digits, which is more than any table holds."""
    return [None if value is None else float(f"{value:.9g}") for value in values]
