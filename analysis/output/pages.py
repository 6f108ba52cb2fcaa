"""Pages to print: as PDF, whose letters and lines stay sharp, and PNG to look at."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.analysis.output.drawing import save
from bearoff.analysis.output.folders import writing_to

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".pdf", ".png")


@dataclass(frozen=True)
class Paper:
    """A size of paper.

    Attributes
    ----------
    width, height : float
        Inches, standing.
    """

    width: float
    height: float


A4: Paper = Paper(8.27, 11.69)

PAPERS = {"a4": A4, "letter": Paper(8.5, 11.0)}
"""By the names of the command line."""


def write_page(figure: "Figure", folder: Path, name: str) -> list[Path]:
    """Save a figure as PDF and PNG into a folder, made if need be; return the paths.

    Raises
    ------
    RunError
        If they cannot be written.
    """
    with writing_to(folder):
        return [save(figure, folder / f"{name}{ending}") for ending in ENDINGS]
