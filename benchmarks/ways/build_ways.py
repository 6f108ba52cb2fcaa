"""Builds of two-sided tables by this program and by GNU Backgammon."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from oracles import gnubg
from oracles.timing import seconds_of_children

_BUILD = """
import json, resource, sys, time
import bearoff
checkers, workers = json.loads(sys.argv[1])
bearoff.build_two_sided_table(1 if checkers > 1 else 2)  # Compiles or loads the kernels.
cpu, wall = time.process_time(), time.perf_counter()
bearoff.build_two_sided_table(checkers, workers=workers)
seconds = time.perf_counter() - wall, time.process_time() - cpu
unit = 1 if sys.platform == "darwin" else 2**10
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
print(json.dumps([*seconds, peak]))
"""


def build_figures(checkers: int, workers: int | None) -> list[float]:
    """Build a table in a separate process; return wall time, CPU time and peak memory."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-c", _BUILD, json.dumps([checkers, workers])],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "BEAROFF_CACHE": cache},
        )
    figures: list[float] = json.loads(done.stdout)
    return figures


def gnubg_build_figures(checkers: int) -> tuple[float, float]:
    """Let GNU Backgammon build its two-sided table; return wall time and CPU time."""
    before, start = seconds_of_children(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "two-sided.bd"))
        subprocess.run(
            [str(gnubg.find("makebearoff")), "-t", f"6x{checkers}", "-f", path],
            check=True,
            capture_output=True,
        )
    return time.perf_counter() - start, seconds_of_children() - before
