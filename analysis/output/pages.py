"""Pages to print: as PDF, whose letters and lines stay sharp, and PNG to look at."""

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.output.drawing import save
from analysis.output.folders import writing_to

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".pdf", ".png")


def write_page(figure: "Figure", folder: Path, name: str) -> list[Path]:
    """Save a figure as PDF and PNG into a folder, made if need be; return the paths.

    Raises
    ------
    RunError
        If they cannot be written.
    """
    with writing_to(folder):
        return [save(figure, folder / f"{name}{ending}") for ending in ENDINGS]
