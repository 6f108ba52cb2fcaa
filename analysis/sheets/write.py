"""Writing of sheets as PDF, PNG, Markdown and CSV files."""

from pathlib import Path

from bearoff.analysis.output import pages, write_text, writing_to
from bearoff.analysis.sheets.draw import sheet_figure
from bearoff.analysis.sheets.sheet import Sheet


def write_sheet(
    sheet: Sheet, folder: str | Path, paper: pages.Paper = pages.A4
) -> list[Path]:
    """Write a sheet as PDF, PNG, Markdown and CSV into a folder; return the paths.

    Raises
    ------
    RunError
        If a file cannot be written.
    """
    folder = Path(folder)
    drawn = pages.write_page(sheet_figure(sheet, paper), folder, sheet.name)
    with writing_to(folder):
        return [
            *drawn,
            write_text(sheet.markdown, folder / f"{sheet.name}.md"),
            write_text(sheet.csv, folder / f"{sheet.name}.csv"),
        ]
