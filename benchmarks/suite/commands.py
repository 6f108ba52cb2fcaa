"""Times of the command `bearoff`: help, the first query, and later queries."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bearoff import BearoffError
from benchmarks.suite.measure import Benchmark, Setting, Side
from oracles.timing import seconds_of_children

_QUERY = ("winprob", "8887", "8887")


def command() -> str:
    """Return the path of the command `bearoff` in this Python environment.

    Raises
    ------
    BearoffError
        If the command `bearoff` is not in the folder of the running Python interpreter.
    """
    found = shutil.which("bearoff", path=str(Path(sys.executable).parent))
    if found is None:
        raise BearoffError(
            f"the command bearoff does not exist next to {sys.executable}; install the "
            "package first: pip install --editable ."
        )
    return found


def run(*arguments: str, **environment: str) -> None:
    """Run a command with additional environment variables, and wait until it ends."""
    subprocess.run(
        arguments, check=True, capture_output=True, env={**os.environ, **environment}
    )


def processes(
    setting: Setting, ours: list[str], code: str = "import numpy"
) -> tuple[Side, Side]:
    """Return two functions that a benchmark compares: calls of `bearoff` and of Python."""
    return (
        setting.timed(lambda: run(command(), *ours), 1, seconds_of_children),
        setting.timed(lambda: run(sys.executable, "-c", code), 1, seconds_of_children),
    )


def _help(setting: Setting) -> tuple[Side, Side]:
    return processes(setting, ["--help"], "pass")


def _second_query(setting: Setting) -> tuple[Side, Side]:
    run(command(), *_QUERY)
    return processes(setting, list(_QUERY))


def _first_query(setting: Setting) -> tuple[Side, Side]:
    def first() -> None:
        with tempfile.TemporaryDirectory(dir=setting.folder) as folder:
            empty = {"BEAROFF_CACHE": folder, "NUMBA_CACHE_DIR": f"{folder}/compiled"}
            run(command(), *_QUERY, **empty)

    _, baseline = processes(setting, [])
    return setting.timed(first, 1, seconds_of_children), baseline


BENCHMARKS = (
    Benchmark(
        "help",
        "command",
        "bearoff --help, the whole process",
        "python -c pass",
        _help,
        rounds=9,
    ),
    Benchmark(
        "first-query",
        "command",
        "bearoff winprob with empty caches",
        "python -c 'import numpy'",
        _first_query,
        rounds=5,
    ),
    Benchmark(
        "second-query",
        "command",
        "bearoff winprob with a stored table",
        "python -c 'import numpy'",
        _second_query,
        rounds=9,
    ),
)
