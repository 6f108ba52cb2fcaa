"""Folders for reports on simulation runs: a page and its figures."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.analysis.errors import RunError
from bearoff.analysis.output.drawing import save, write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg")
"""File formats in which each figure is saved; the report displays the first one."""


@dataclass(frozen=True, eq=False)
class WrittenReport:
    """Paths of the files of a report.

    Attributes
    ----------
    page : Path
        Path of the Markdown page, ``report.md``.
    charts : tuple of Path
        Paths of the figures, each as PNG and SVG.
    """

    page: Path
    charts: tuple[Path, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        """Paths of all files of the report, beginning with the page."""
        return (self.page, *self.charts)


def write_report_files(
    folder: Path,
    page: Callable[[dict[str, str]], str],
    figures: Mapping[str, "Figure"] | None = None,
) -> WrittenReport:
    """Write the figures and the page of a report.

    Parameters
    ----------
    folder : Path
        Folder of the report, as returned by `report_folder`.
    page : callable
        Function that returns the text of the page, given the names of the figure files by
        figure name.
    figures : mapping of str to Figure, optional
        Figures by name.

    Raises
    ------
    RunError
        If a file cannot be written.
    """
    with writing_to(folder):
        charts = tuple(
            save(figure, folder / f"{name}.{ending}")
            for name, figure in (figures or {}).items()
            for ending in FORMATS
        )
        shown = {path.stem: path.name for path in charts if path.suffix == ".png"}
        return WrittenReport(write_text(page(shown), folder / "report.md"), charts)


def report_folder(run_path: str | Path, out: str | Path | None) -> Path:
    """Return the folder of a report: `out`, or by default the folder of the run.

    Raises
    ------
    RunError
        If `out` is missing and the run is not in a local folder.
    """
    if out is None and "://" in str(run_path):
        raise RunError(
            f"{run_path} is not a local folder; specify a local folder for the report"
        )
    if out is not None and "://" in str(out):
        raise RunError(f"the report must be written to a local folder, got {out}")
    return Path(run_path if out is None else out)


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Create a folder, and convert an OSError within the with block to a RunError.

    Raises
    ------
    RunError
        If the folder cannot be created, or a file in it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise RunError(f"cannot write to {folder}: {error.strerror or error}") from error
