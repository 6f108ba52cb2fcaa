"""Compile what the common commands run, before anybody waits for it.

Run as ``python -m app.warm``, once after an installation; `make` does. The commands are
started on the smallest input there is, side by side and with a cache of tables of their
own, which is thrown away; what numba compiles stays where it keeps it.
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bearoff.runtime import cores

TINY = """\
run: tiny
games: 1
seed: 1
pairs: [random: {pairs: 1}]
"""
"""The smallest batch."""

COMMANDS = (
    ("rollout", "[8]", "[9]", "--games", "1", "--quiet"),
    ("tables", "build", "--two-sided", "--checkers", "2"),
    ("simulate", "tiny.yaml", "--output", ".", "--quiet"),
)
"""The longest to compile first."""


def main() -> int:
    """Start the commands; the exit code of the first that failed, 0 if none did."""
    with tempfile.TemporaryDirectory(prefix="bearoff-warm-") as folder:
        (Path(folder) / "tiny.yaml").write_text(TINY, encoding="utf-8")

        def start(arguments: tuple[str, ...]) -> int:
            # No two commands may wait for one table.
            environment = os.environ | {"BEAROFF_CACHE": f"{folder}/{arguments[0]}"}
            # Where the package is not installed it is where this process found it.
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
            done = subprocess.run(
                [sys.executable, "-m", "app.main", *arguments],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                sys.stderr.write(done.stderr)
            return done.returncode

        with ThreadPoolExecutor(cores()) as pool:
            return next(filter(None, pool.map(start, COMMANDS)), 0)


if __name__ == "__main__":
    sys.exit(main())
