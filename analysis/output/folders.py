"""Reports of runs: the folder, the pictures and the page that shows them."""

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
"""Formats of each picture; the page shows the first."""


@dataclass(frozen=True, eq=False)
class WrittenReport:
    """Files of a report of a run.

    Attributes
    ----------
    page : Path
        The Markdown page, ``report.md``.
    charts : tuple of Path
        The pictures, each as PNG and SVG.
    """

    page: Path
    charts: tuple[Path, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        """Every file, the page first."""
        return (self.page, *self.charts)


def write_report_files(
    folder: Path,
    page: Callable[[dict[str, str]], str],
    figures: Mapping[str, "Figure"] | None = None,
) -> WrittenReport:
    """Write the pictures of a report and its page.

    Parameters
    ----------
    folder : Path
        Folder of the report; see `report_folder`.
    page : callable
        Returns the page's text, given the file name of each picture by its name.
    figures : mapping of str to Figure, optional
        Pictures by name.

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
    """Return where a run's report goes: the folder given, or the run's own.

    Raises
    ------
    RunError
        If none is given and the run is in no local folder.
    """
    if out is None and "://" in str(run_path):
        raise RunError(f"{run_path} is not a local folder; name a folder for the report")
    if out is not None and "://" in str(out):
        raise RunError(f"a report is written to a local folder, got {out}")
    return Path(run_path if out is None else out)


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Make a folder; raise one error if it, or a file in it, cannot be written.

    Raises
    ------
    RunError
        If the folder cannot be made, or a file in it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise RunError(f"cannot write to {folder}: {error.strerror or error}") from error
