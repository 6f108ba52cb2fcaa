"""Trial: processor time for sending a block of games to a worker and receiving its results.

    python -m verify dispatch

A scheduler and two workers run in separate processes on this machine. The workers receive
blocks of the size used for 10,000 games per pair. They return counts of the usual size
without playing any games. Processor time is measured, because other programs on the machine
hardly affect it.
"""

import argparse
import tempfile
import time
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bearoff.analysis.output import markdown_table
from bearoff.sim.engine.cluster import cluster_client, play_on
from bearoff.sim.engine.plan import BLOCK_GAMES
from bearoff.sim.play.tally import WIDTH
from verify import ROOT
from verify.clusters.machines import copy_of_the_code, network
from verify.common.trial import BadOptionError, Trial, Verdict, option

UNDER_WAY = 64
PAIRS = BLOCK_GAMES // 10_000


def answer(*arguments: Any) -> Any:
    """Return random counts instead of playing games, as large as a block's results."""
    return np.random.default_rng(1).binomial(10_000, 0.3, (PAIRS, WIDTH))


def block_costs(blocks: int) -> dict[str, float]:
    """Measure the processor time that each process uses per block, in milliseconds."""
    numbers = np.arange(PAIRS)
    block: tuple[Any, ...] = (
        answer,
        (numbers, numbers, 0 * numbers, 0 * numbers + 10_000),
        {},
    )
    with tempfile.TemporaryDirectory() as folder:
        code = copy_of_the_code(Path(folder) / "code")
        for name in ("verify", "research", "oracles"):
            (code / name).symlink_to(ROOT / name)
        with network(Path(folder), code, separate=False) as made:
            return _measured(made, block, blocks)


def _measured(made: Any, block: Any, blocks: int) -> dict[str, float]:
    from verify.clusters.runs import start_scheduler, start_worker

    head, worker = made.machine("head"), made.machine("worker")
    to = start_scheduler(head)
    start_worker(worker, to, 2)
    with cluster_client(2, to["scheduler"]) as client:
        scheduler, other = (
            psutil.Process(machine.processes[0].pid) for machine in (head, worker)
        )

        def spent() -> tuple[float, float, float]:
            times = [sum(process.cpu_times()[:2]) for process in (scheduler, other)]
            return (time.process_time(), *times)

        before = spent()
        played = sum(1 for _ in play_on(client, repeat(block, blocks), UNDER_WAY))
        after = spent()
    if played != blocks:
        raise RuntimeError(f"{played} of {blocks} blocks were returned")
    names = ("the command that plays the batch", "scheduler", "worker")
    return {
        name: 1000 * (late - early) / blocks
        for name, late, early in zip(names, after, before, strict=True)
    }


def carry_out(options: argparse.Namespace) -> Verdict:
    if options.blocks < 1:
        raise BadOptionError("at least one block is needed")
    costs = block_costs(options.blocks)
    rows = [[name, f"{cost:.2f}"] for name, cost in costs.items()]
    body = (
        f"The trial sends {options.blocks:,} blocks of {PAIRS} pairs to workers through "
        "dask, without playing games. A block is a part of a batch of games that one "
        "worker plays at a time.\n\n"
    )
    body += markdown_table(["process", "ms of processor time per block"], rows)
    return Verdict(body, False)


TRIAL = Trial(
    "Processor time to send a block to a worker",
    carry_out,
    (option("--blocks", type=int, default=2000, help="that are sent"),),
)
