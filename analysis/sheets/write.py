"""Sheets as files: PDF, PNG, Markdown and CSV."""

from pathlib import Path

from analysis.output import write_page, write_text, writing_to
from analysis.sheets.draw import sheet_figure
from analysis.sheets.sheet import Sheet


def write_sheet(sheet: Sheet, folder: str | Path) -> list[Path]:
    """Write a sheet as PDF, PNG, Markdown and CSV into a folder; return the paths.

    Raises
    ------
    RunError
        If they cannot be written.
    """
    folder = Path(folder)
    drawn = write_page(sheet_figure(sheet), folder, sheet.name)
    with writing_to(folder):
        return [
            *drawn,
            write_text(sheet.markdown, folder / f"{sheet.name}.md"),
            write_text(sheet.csv, folder / f"{sheet.name}.csv"),
        ]
