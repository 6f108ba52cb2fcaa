"""Pages for printing, saved as PDF and PNG."""

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
    """Paper size for printing, in inches.

    Attributes
    ----------
    width, height : float
        Size in inches, in portrait orientation.
    """

    width: float
    height: float


A4: Paper = Paper(8.27, 11.69)

PAPERS = {"a4": A4, "letter": Paper(8.5, 11.0)}
"""Paper sizes by their names on the command line."""


def write_page(figure: "Figure", folder: Path, name: str) -> list[Path]:
    """Save a figure as PDF and PNG in a folder; return their paths."""
    with writing_to(folder):
        return [save(figure, folder / f"{name}{ending}") for ending in ENDINGS]
