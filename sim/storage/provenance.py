"""Provenance of results: versions of packages, commit and time."""

import platform
import subprocess
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

_PACKAGES = ("bearoff", "joblib", "numba", "numpy", "pyarrow")
_CODE = (":(top)bearoff", ":(top)sim", ":(top)pyproject.toml")


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that affect results."""
    return {"python": platform.python_version()} | {
        name: version(name) for name in _PACKAGES
    }


@lru_cache(maxsize=1)
def commit() -> tuple[str | None, bool | None]:
    """Return the commit of the code, and whether files have changed; None if unknown."""
    here = Path(__file__).resolve().parent
    try:
        # The package may be installed inside another project's repository, so git must
        # track this file.
        _git(here, "ls-files", "--error-unmatch", Path(__file__).name)
        head = _git(here, "rev-parse", "HEAD")
        # Other files in the repository, such as results, may have changed.
        changed = _git(here, "status", "--porcelain", "--", *_CODE)
    except (OSError, subprocess.SubprocessError):
        return None, None
    return head, bool(changed)


def now() -> str:
    """Return the current time in UTC, in ISO 8601 format."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10)
    return done.stdout.strip()
