"""A batch whose blocks are told of as they are played: seconds since the start, and games.

python -m tests.reliability.load_child CONFIG FILE
"""

import sys
import time
from pathlib import Path

import sim
from sim import runner

started = time.monotonic()
config, told = sys.argv[1:]
run_tasks = runner.run_tasks

with Path(told).open("w", encoding="ascii") as file:

    def telling(*arguments):
        for block, counts in run_tasks(*arguments):
            file.write(f"{time.monotonic() - started} {block.games.sum()}\n")
            yield block, counts

    runner.run_tasks = telling
    sim.run(config, progress=False)
