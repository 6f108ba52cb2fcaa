"""Run of a batch that logs the elapsed seconds and number of games after each block.

python -m verify.common.timed_batch CONFIG FILE
"""

import sys
import time
from pathlib import Path

from bearoff import sim
from bearoff.sim.runs import runner


def main(config: str, log: str) -> None:
    """Run a batch of games, and write a line to a log after each of its blocks."""
    started = time.monotonic()
    run_tasks = runner.run_tasks  # type: ignore[attr-defined]
    with Path(log).open("w", encoding="ascii") as file:

        def telling(*arguments):
            for block, counts in run_tasks(*arguments):
                file.write(f"{time.monotonic() - started} {block.games.sum()}\n")
                yield block, counts

        runner.run_tasks = telling  # type: ignore[attr-defined]
        sim.run(config, progress=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
