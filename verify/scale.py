"""Trial: a cluster plays a hundred billion games of a hundred million position pairs.

    python -m verify scale --write

Four worker processes start. Three of them are killed or frozen during the run, and three
others join. Then all result files are read one by one and compared with exact win
probabilities, and random pairs are played again by a single process.
"""

import argparse
import json
import sys
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bearoff import position_count, sim
from bearoff.analysis import open_run
from bearoff.analysis.output import markdown_table
from bearoff.sim.engine import part_size, plan
from bearoff.sim.play import tally
from verify.clusters.machines import Network, copy_of_the_code, network
from verify.clusters.runs import has_joined, start_scheduler, start_worker
from verify.common.measured import Measured, measure
from verify.common.processes import wait_for
from verify.common.trial import Trial, Verdict, option

OPPONENTS = position_count(6, 15) - 1
"""Number of opponents' positions that are combined with each roller's position."""

FIRST = 26_000
"""Position number of the first roller, which has nine or ten checkers."""

FOUR = ("first", "second", "third", "fourth")

PLAN = (
    (0.15, "first", "is killed"),
    (0.25, "fifth", "joins"),
    (0.40, "second", "is frozen"),
    (0.50, "sixth", "joins"),
    (0.65, "third", "is killed"),
    (0.75, "seventh", "joins"),
)
"""Times at which workers join, leave or die, as fractions of the work that is stored."""

AGAIN = 1000
"""Approximate number of pairs of positions that are played again as a check."""

MOST_GROWTH, MOST_READING = 100e6, 500e6
"""Maximum growth of memory while playing, and maximum memory for reading the results, in
bytes."""

SURE = 4.0
"""Number of standard errors by which a result may differ from its expected value."""


@dataclass(frozen=True)
class Sums:
    """Sums of wins and z-scores over all pairs of positions of a run.

    Attributes
    ----------
    pairs, games : int
    z : float
        Difference between the total wins and their expected value, in standard errors.
    square, square_error : float
        Mean square of the z-scores of the pairs, which should be 1, and its standard error.
    """

    pairs: int
    games: int
    z: float
    square: float
    square_error: float

    @property
    def right(self) -> bool:
        off = abs(self.square - 1) / self.square_error
        return abs(self.z) < SURE and off < SURE


def sums_of(path: str) -> Sums:
    """Compare the wins in a run with the exact win probabilities, file by file."""
    pairs = games = used = 0
    excess = variance = squares = spread = 0.0
    for table in open_run(path).tables(["games", "wins", "expected"]):
        each, wins, chance = (table[name].to_numpy() for name in table.column_names)
        vary = each * chance * (1 - chance)
        over = wins - each * chance
        pairs, games = pairs + len(each), games + int(each.sum())
        excess, variance = excess + over.sum(), variance + vary.sum()
        # A squared z-score has mean 1. `spread` sums the variances of these squares, for
        # binomial counts of wins.
        some = vary > 1
        used += int(some.sum())
        squares += (over[some] ** 2 / vary[some]).sum()
        spread += (2 + 1 / vary[some] - 6 / each[some]).sum()
    error = float(np.sqrt(spread)) / used
    return Sums(pairs, games, float(excess / variance**0.5), squares / used, error)


def print_sums(path: str) -> None:
    """Print the sums over a run as JSON; a separate process calls this function."""
    print(json.dumps(vars(sums_of(path))))


def same_again(path: Path, seed: int) -> tuple[int, int]:
    """Replay random pairs of a run; count equal results and replayed pairs."""
    run, rng = open_run(path), np.random.default_rng(seed)
    match = sim.RaceMatch(6, 15, "fewest-rolls", "fewest-rolls", seed=run.manifest.seed)
    names = ["roller", "opponent", "games", "wins"]
    chosen = set(rng.choice(len(run.parts), min(100, len(run.parts)), False).tolist())
    rows = []
    for number, table in enumerate(run.tables(names)):
        if number in chosen:
            taken = rng.choice(len(table), AGAIN // len(chosen))
            rows.append(np.array([table[name].to_numpy()[taken] for name in names]))
    roller, opponent, games, wins = np.concatenate(rows, axis=1).astype(np.int64)
    counts = sim.play_games(match, roller, opponent, np.zeros_like(games), games)
    return int((counts[:, tally.WINS] == wins).sum()), len(wins)


def configured(folder: Path, run: str, rollers: int, games: int, **keys: object) -> Path:
    """Write a configuration of `rollers` rollers, each against all opponents' positions."""
    numbers = {"from": FIRST, "to": FIRST + rollers - 1}
    whole = {"run": run, "pairs": [{"every": {"rollers": numbers}}], "games": games}
    file = folder / f"{run}.yaml"
    file.write_text(json.dumps(whole | {"output": str(folder)} | keys), encoding="utf-8")
    return file


def simulate(file: Path) -> Measured:
    return measure("-m", "bearoff", "simulate", str(file), "--quiet")


def with_losses(made: Network, file: Path, pairs: int, games: int) -> tuple[Measured, int]:
    """Run a batch while workers join and leave; return its cost and the workers lost."""
    head = made.machine("head")
    to = start_scheduler(head)
    for name in FOUR:
        start_worker(made.machine(name), to, 1)
    for name in FOUR:
        wait_for(lambda name=name: has_joined(head, made.machines[name]), f"{name} joined")
    outcomes = file.with_suffix("") / "outcomes"
    each = part_size(pairs, pairs * games, plan.BLOCK_GAMES)

    def ended_or_at(share: float, playing: "Future[Measured]") -> bool:
        done = len(list(outcomes.glob("*.parquet"))) * each / pairs
        return playing.done() or done >= share

    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(simulate, file)
        for share, name, what in PLAN:
            while not ended_or_at(share, playing):
                time.sleep(0.5)
            if playing.done():
                break
            print(f"{share:.0%}: {name} {what}", file=sys.stderr, flush=True)
            if what == "joins":
                start_worker(made.machine(name), to, 1)
            elif what == "is frozen":
                made.cut_off(name)
            else:
                made.machines[name].kill()
        took = playing.result()
    return took, (head.home / "log").read_text().count("Remove worker addr")


def trial(folder: Path, seed: int, rollers: int, games: int) -> tuple[str, bool]:
    """Run the trial; return a page with the results, and whether it passed."""
    pairs = rollers * OPPONENTS
    with network(folder / "machines", copy_of_the_code(folder / "code"), False) as made:
        keys = {"backend": "dask", "scheduler": "tcp://127.0.0.1:8786", "workers": "auto"}
        file = configured(folder, "cluster", rollers, games, seed=seed, **keys)
        took, lost = with_losses(made, file, pairs, games)
    path = folder / "cluster"
    reading = measure("-c", f"from verify.scale import *; print_sums({str(path)!r})")
    sums = Sums(**json.loads(reading.out.splitlines()[-1]))
    same, again = same_again(path, seed)
    few = max(1, rollers // 50)
    alone = simulate(configured(folder, "alone", few, games, seed=seed, workers=2))
    size = sum(one.stat().st_size for one in (path / "outcomes").iterdir())
    growth = took.growth(0, took.seconds)
    rate, rate_alone = sums.games / took.seconds, few * OPPONENTS * games / alone.seconds
    rows = [
        ["pairs", f"{sums.pairs:,}"],
        ["games", f"{sums.games:,}"],
        ["workers lost; joined", f"{lost}; {sum(what == 'joins' for *_, what in PLAN)}"],
        ["seconds", f"{took.seconds:,.0f}"],
        ["games per second", f"{rate:,.0f}"],
        [
            f"games per second of one process without a cluster, with {few} of the rollers",
            f"{rate_alone:,.0f}",
        ],
        ["memory of the process that stores results, MB", f"{took.peak / 1e6:,.0f}"],
        [
            "growth of this process's memory from the second tenth of the games to the "
            "last, MB",
            f"{growth / 1e6:+,.0f}",
        ],
        ["bytes per pair on disk", f"{size / sums.pairs:.1f}"],
        ["seconds to read every result file", f"{reading.seconds:,.0f}"],
        ["memory to read every result file, MB", f"{reading.peak / 1e6:,.0f}"],
        [
            "number of all wins minus the expected number of wins, in standard errors",
            f"{sums.z:+.2f}",
        ],
        [
            "mean of z² over all pairs",
            f"{sums.square:.5f} ± {sums.square_error:.5f}",
        ],
        [
            f"pairs with the same outcome, of {again:,} pairs that were played again",
            f"{same:,}",
        ],
    ]
    whole = (sums.pairs, sums.games) == (pairs, pairs * games)
    bounded = growth < MOST_GROWTH and reading.peak < MOST_READING
    right = whole and bounded and sums.right and same == again and lost >= 3
    told = ", the ".join(f"{name} {what} at {share:.0%}" for share, name, what in PLAN)
    return (
        f"The trial plays {games:,} games of every pair of {rollers:,} rollers with all "
        f"opponents (seed {seed}). The batch starts with four workers of one thread. At "
        f"given shares of the pairs, workers are lost or join: the {told}. The workers "
        "share the processors with the process that stores the results. Wins are "
        "compared with the exact win probabilities. The z-score of a pair is the "
        "difference between the simulated and the exact win probability in standard "
        "errors. The mean of the squared z-scores, z², is 1 if the games are independent "
        "and the dice are fair.\n"
        "\n"
        f"{markdown_table(['', 'value'], rows)}\n"
        "\n"
        f"{'Everything is correct.' if right else 'SOMETHING IS WRONG.'}",
        right,
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    with tempfile.TemporaryDirectory(prefix="scale-", dir=options.folder) as folder:
        body, right = trial(Path(folder), options.seed, options.rollers, options.games)
    return Verdict(body, not right)


TRIAL = Trial(
    "Scale",
    carry_out,
    (
        option(
            "--rollers",
            type=int,
            default=1843,
            help="number of positions of the roller; 1843 of them form 100 million pairs",
        ),
        option("--games", type=int, default=1000, help="number of games of each pair"),
        option("--folder", type=Path, help="folder for the results, which take 6 GB"),
    ),
)
