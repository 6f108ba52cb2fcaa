"""Compile what the common commands run, before anybody waits for it.

`bearoff warm` calls it, once after an installation; `make` does. The commands are started
on the smallest input there is, side by side and with a cache of tables of their own, which
is thrown away; what numba compiles stays where it keeps it.
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
pairs:
  - random: {pairs: 1}
  - grid: {by: epc, roller: {from: 15, to: 15, step: 5}, lead: {from: 0, to: 0, step: 1},
      per_cell: 1, draw: visits}
"""
"""The smallest batch, of pairs at random and of such as come up in play."""

LIST = "0,2,2,0,1,1 0,1,2,2,1,1\n"
"""A list of one race."""

COMMANDS = (
    (
        ("tables", "build", "--two-sided", "--checkers", "6"),
        ("rollout", "[1,1,1,1,1]", "0,0,0,0,0,14,1", "--games", "1", "--quiet"),
        ("rollout", "0,0,2,3,3,4,2,1", "0,1,2,2,3,4,1,1,1", "--games", "1", "--quiet"),
    ),
    (
        ("cube", "1,0,0,0,0,0", "1,0,0,0,0,0", "--score", "2", "2"),
        ("rollout", "[8]", "[9]", "--score", "2", "2", "--games", "1", "--quiet"),
    ),
    (("simulate", "tiny.yaml", "--to", ".", "--quiet"),),
    (("game", "--seed", "2"),),
    (
        ("race", "[5,5,6,7,8]", "[4,4,5,7,9]", "--dice", "6-4"),
        ("race", "[5,5,6,7,8]", "[4,4,5,7,9]", "--score", "2", "2"),
        ("race", "1,1,1,1,1,1", "0,0,0,0,0,14,1", "--jacoby"),
        ("race", "1,0,0,0,0,0", "15,0,0,0,0,0"),
        ("race", "--from", "tiny.csv", "--to", "answers.csv"),
    ),
)
"""Side by side, the longest to compile first; a rollout reads the table before it, the
first one's loser plays to save a gammon, and in the game the program begins. The races
have what a review and the page answer by the fast model; what else the page needs, it
compiles while it starts and after it is there, in a second or two each."""


def warm() -> int:
    """Start the commands; the exit code of the first that failed, 0 if none did."""
    with tempfile.TemporaryDirectory(prefix="bearoff-warm-") as folder:
        (Path(folder) / "tiny.yaml").write_text(TINY, encoding="utf-8")
        (Path(folder) / "tiny.csv").write_text(LIST, encoding="utf-8")

        def run(arguments: tuple[str, ...], cache: str) -> int:
            environment = os.environ | {"BEAROFF_CACHE": cache}
            # Where the package is not installed it is where this process found it.
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
            done = subprocess.run(
                [sys.executable, "-m", "bearoff", *arguments],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                sys.stderr.write(done.stderr)
            return done.returncode

        def run_all(each: tuple[tuple[str, ...], ...]) -> int:
            # No two commands side by side may wait for one table; a folder with the name
            # of a package would stand in for it.
            cache = f"{folder}/cache of {each[0][0]}"
            return next(filter(None, (run(one, cache) for one in each)), 0)

        with ThreadPoolExecutor(cores()) as pool:
            return next(filter(None, pool.map(run_all, COMMANDS)), 0)
