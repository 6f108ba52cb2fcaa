"""Speeds of simulation runs: overhead, writing of a result file, and queries."""

from itertools import count, cycle
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq

from bearoff import sim
from bearoff.analysis import open_run
from bearoff.sim.engine.plan import PART_PAIRS
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.storage.schema import OUTCOMES, part_name
from benchmarks.suite.measure import Benchmark, Setting, Side
from benchmarks.ways.game_ways import MATCH


def config_of(pairs: int, games: int, folder: Path, run: str = "bench") -> dict[str, Any]:
    """Return the configuration of a simulation of random pairs, played by one thread."""
    return {
        "run": run,
        "pairs": [{"random": {"pairs": pairs}}],
        "games": games,
        "seed": MATCH.seed,
        "backend": "sequential",
        "output": str(folder),
    }


def _many_pairs(setting: Setting) -> tuple[Side, Side]:
    pairs, games = setting.size(8192, 50), setting.size(1000, 20)
    runs = count()

    def whole() -> None:
        name = f"run-{next(runs)}"
        sim.run(config_of(pairs, games, setting.folder, name), progress=False)

    whole()
    played = open_run(setting.folder / "run-0").table(["roller", "opponent", "games"])
    rollers, opponents, each = (column.to_numpy() for column in played.columns)
    firsts = np.zeros_like(each)
    total = int(each.sum())
    return (
        setting.timed(whole, total),
        setting.timed(
            lambda: sim.play_games(MATCH, rollers, opponents, firsts, each), total
        ),
    )


def _write(setting: Setting) -> tuple[Side, Side]:
    pairs = setting.size(PART_PAIRS, 50)
    sim.run(config_of(pairs, 100, setting.folder), progress=False)
    folder = RunFolder(str(setting.folder), "bench")
    part = setting.folder / "bench" / OUTCOMES / part_name(0)
    table: pa.Table = pq.read_table(part)
    plain = setting.folder / "plain.parquet"
    return (
        setting.timed(lambda: folder.write_part(0, table), len(table)),
        setting.timed(lambda: pq.write_table(table, plain), len(table)),
    )


def _query(setting: Setting) -> tuple[Side, Side]:
    pairs = setting.size(12 * PART_PAIRS, 50)
    sim.run(config_of(pairs, 1, setting.folder), progress=False)
    path = setting.folder / "bench"
    stored = open_run(path).table(["roller", "opponent"])
    sides = [column.to_numpy() for column in stored.columns]
    some = np.random.default_rng(1).integers(0, len(stored), 64)
    asked = [(int(sides[0][k]), int(sides[1][k])) for k in some]
    ours, theirs = cycle(asked), cycle(asked)

    def query() -> None:
        open_run(path).estimate(*next(ours))

    def scan() -> None:
        x, y = next(theirs)
        rows = pads.dataset(path / OUTCOMES, format="parquet").to_table(
            columns=["wins", "games", "expected"],
            filter=(pads.field("roller") == x) & (pads.field("opponent") == y),
        )
        assert len(rows) == 1

    return setting.timed(query, 1), setting.timed(scan, 1)


BENCHMARKS = (
    Benchmark(
        "batch-many-pairs",
        "game",
        "a complete batch: 8,192 random pairs with 1,000 games each, one worker",
        "the same games played by the kernel alone; 1 minus the ratio is the share of the "
        "time that is not spent on games",
        _many_pairs,
    ),
    Benchmark(
        "parquet-write",
        "pair",
        "a result file of 8,192 pairs, compressed, with checksums and a digest, written "
        "atomically",
        "pyarrow's write_table of the same columns",
        _write,
    ),
    Benchmark(
        "run-query",
        "query",
        "opening a run of 12 result files (98,000 pairs) and reading one pair",
        "pyarrow's dataset of the same folder, filtered by the pair",
        _query,
    ),
)
