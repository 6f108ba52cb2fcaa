"""Pages to print: as PDF, whose letters and lines stay sharp, and PNG to look at."""

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.drawing import save
from analysis.errors import RunError

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
    made_folder(folder)
    try:
        return [save(figure, folder / f"{name}{ending}") for ending in ENDINGS]
    except OSError as error:
        raise RunError(f"cannot write {folder / name}: {error.strerror}") from error


def made_folder(folder: Path) -> Path:
    """Make a folder if it is not there.

    Raises
    ------
    RunError
        If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"cannot make the folder {folder}: {error.strerror}") from error
    return folder
