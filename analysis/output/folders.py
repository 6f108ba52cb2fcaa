"""Folders that reports are written to."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from analysis.errors import RunError


def report_folder(run_path: str | Path, out: str | Path | None) -> Path:
    """Return where a run's report goes: the folder given, or the run's own.

    Raises
    ------
    RunError
        If none is given and the run is in no local folder.
    """
    if out is None and "://" in str(run_path):
        raise RunError(f"{run_path} is no local folder; name a folder for the report")
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
