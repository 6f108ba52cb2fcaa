"""Trial: speed and memory in batches of billions of games and millions of pairs.

    python -m verify load --write

The trial plays a batch of ten billion games. It then plays batches of a hundred games per
pair, with up to ten million pairs, and queries the results.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from bearoff.analysis import open_run
from bearoff.analysis.output import markdown_table
from verify.common.measured import Measured, bearoff, measure
from verify.common.trial import Trial, Verdict, option

FEW_GAMES = 100
"""Number of games per pair of positions, in batches with many pairs."""

SLOWEST_QUERY = 2.0
"""Maximum processor time of a query in seconds, including the start of its process."""

MOST_GROWTH = 100e6
"""Maximum growth of memory in bytes after the first tenth of a run."""

WHOLE = 10_000_000
"""Minimum number of pairs of positions in a run to which these limits apply."""

MOST_UNEVEN = 1.5
"""Maximum factor by which the processor time per pair may grow if a run has ten times as
many pairs."""


@dataclass
class Batch:
    """Batch of games that has been played, with its cost in time and memory.

    Attributes
    ----------
    pairs, games : int
        Total number of pairs, and of games.
    path : Path
        Path of the folder with the run's results.
    took : Measured
        Duration and memory of playing the batch.
    blocks : ndarray of float64, shape (blocks, 2)
        At the end of each block: seconds since the start, and number of games so far.
    size : int
        Size of the run on disk, in bytes.
    """

    pairs: int
    games: int
    path: Path
    took: Measured
    blocks: np.ndarray
    size: int

    def rate(self, first: float, last: float) -> float:
        """Return the games per second between two fractions of a run's blocks."""
        low, high = (round(share * (len(self.blocks) - 1)) for share in (first, last))
        seconds = self.blocks[high, 0] - self.blocks[low, 0]
        games = self.blocks[low + 1 : high + 1, 1].sum()
        return float(games / seconds) if seconds > 0 else float("nan")

    @property
    def growth(self) -> float:
        """Growth of memory in bytes while blocks of games were played."""
        return self.took.growth(self.blocks[0, 0], self.blocks[-1, 0])


def play(folder: Path, pairs: int, games: int, seed: int) -> Batch:
    """Play a batch of random pairs with two threads, and measure its time and memory.

    Parameters
    ----------
    folder : Path
        Folder for the configuration and the run.
    pairs, games : int
        Minimum number of pairs, and number of games per pair.
    seed : int
        Random seed of the pairs and the dice.
    """
    name = f"load-{pairs}-{games}"
    config = {
        "run": name,
        # A pair that is drawn twice counts once, so more pairs are requested than needed.
        "pairs": [{"random": {"pairs": some}} for some in (pairs, 1 + pairs // 100)],
        "games": games,
        "seed": seed,
        "workers": 2,
        "output": str(folder),
    }
    file, log = folder / f"{name}.yaml", folder / f"{name}.txt"
    file.write_text(json.dumps(config), encoding="utf-8")
    took = measure("-m", "verify.common.timed_batch", str(file), str(log))
    run = open_run(folder / name)
    blocks = np.loadtxt(log, ndmin=2)
    size = sum(path.stat().st_size for path in (folder / name).rglob("*"))
    return Batch(run.pairs, run.games, folder / name, took, blocks, size)


def outside(pairs: int, games: int, seed: int) -> tuple[float, float]:
    """Return the processor seconds of a whole batch, and of its games without overhead."""
    call = f"load.print_outside({pairs}, {games}, {seed})"
    # A message about compiling may be printed before the results.
    lines = measure("-c", f"from verify import load; {call}").out.splitlines()
    whole, playing = lines[-1].split()
    return float(whole), float(playing)


def print_outside(pairs: int, games: int, seed: int) -> None:
    """Play a batch in this process; print the processor time of the batch and its games."""
    import time

    from bearoff import sim
    from bearoff.sim.play import match

    play_games, playing = match.play_games, 0.0

    def timed(*arguments):
        nonlocal playing
        start = time.process_time()
        counts = play_games(*arguments)
        playing += time.process_time() - start
        return counts

    match.play_games = timed
    with tempfile.TemporaryDirectory() as output:
        for name, some in (("warm", 10), ("load", pairs)):
            config = sim.load_config(
                {
                    "run": name,
                    "pairs": [{"random": {"pairs": some}}],
                    "games": games,
                    "seed": seed,
                    "backend": "sequential",
                    "output": output,
                }
            )
            playing, start = 0.0, time.process_time()
            sim.run(config, progress=False)
    print(time.process_time() - start, playing)


def query(batch: Batch, seed: int, times: int = 5) -> list[Measured]:
    """Query pairs of a finished run; return the time and memory that each query needs.

    Raises
    ------
    AssertionError
        If an answer differs from the content of the run.
    """
    rng = np.random.default_rng(seed)
    run = open_run(batch.path)
    taken = []
    for name in rng.choice(list(run.parts), times):
        rows = run._read(name, ["roller", "opponent", "wins", "games"])
        row = rows.slice(int(rng.integers(len(rows))), 1).to_pylist()[0]
        asked = [str(row["roller"]), str(row["opponent"]), "--run", str(batch.path)]
        took = bearoff("winprob", *asked, "--json")
        answer = json.loads(took.out)["simulated"]
        assert (answer["wins"], answer["games"]) == (row["wins"], row["games"]), asked
        taken.append(took)
    return taken


def ask(batch: Batch, seed: int, analyzed: Batch) -> tuple[str, float]:
    """Run all kinds of queries on a finished run, and measure them.

    Parameters
    ----------
    batch : Batch
        Batch to query.
    seed : int
        Random seed of the queried pairs.
    analyzed : Batch
        Batch that is analysed.

    Returns
    -------
    str
        Table of the durations of queries.
    float
        Median of the processor time of a query, in seconds.
    """
    taken = query(batch, seed)
    config = batch.path.with_suffix(".yaml")
    resumed = bearoff("simulate", str(config), "--quiet", "--json")
    assert json.loads(resumed.out)["games_played"] == 0
    command = (
        f"from bearoff.analysis import open_run; open_run({str(batch.path)!r}).verify()"
    )
    middle = Measured(
        median(took.seconds for took in taken),
        median(took.processor_seconds for took in taken),
        max(took.peak for took in taken),
        "",
    )
    whole = {
        "win probability of one pair, median of five": middle,
        "the same command again, when the batch is complete": resumed,
        "verification of all checksums": measure("-c", command),
        f"`bearoff analyze`, {analyzed.pairs:,} pairs": bearoff(
            "analyze", str(analyzed.path)
        ),
    }
    rows = [
        [
            what,
            f"{took.seconds:.2f}",
            f"{took.processor_seconds:.2f}",
            f"{took.peak / 1e6:,.0f}",
        ]
        for what, took in whole.items()
    ]
    head = ["query", "seconds", "processor seconds", "memory, MB"]
    return markdown_table(head, rows), middle.processor_seconds


def describe(batch: Batch) -> str:
    """Return a line of text on the cost of a batch."""
    took, rate = batch.took, batch.games / batch.took.seconds
    return (
        f"A batch of {batch.pairs:,} pairs and {batch.games:,} games took "
        f"{took.seconds:,.1f} s. It played {rate / 1e6:.1f} million games per second, "
        f"{batch.rate(0, 0.1) / 1e6:.1f} million in the first tenth of the games and "
        f"{batch.rate(0.9, 1) / 1e6:.1f} million in the last. Its memory reached "
        f"{took.peak / 1e6:,.0f} MB, and changed by {batch.growth / 1e6:+,.0f} MB from the "
        "second tenth of the games to the last. The files of the run take "
        f"{batch.size / 1e6:,.1f} MB on disk, which is {batch.size / batch.pairs:.0f} "
        "bytes per pair."
    )


def ladder(batches: Iterable[Batch]) -> str:
    """Return a Markdown table of the costs of batches of increasing size."""
    return markdown_table(
        ["pairs", "seconds", "microseconds per pair", "memory, MB"],
        [
            [
                f"{batch.pairs:,}",
                f"{batch.took.seconds:.1f}",
                f"{batch.took.processor_seconds / batch.pairs * 1e6:.2f}",
                f"{batch.took.peak / 1e6:,.0f}",
            ]
            for batch in batches
        ],
    )


def wrong(large: Batch, rungs: list[Batch], slowest: float) -> list[str]:
    """Return a sentence for each limit of time or memory that batches or queries exceed."""
    found = []
    # Small batches end before they use all the memory that they request, so they are not
    # checked.
    whole = rungs[-1:] if rungs[-1].pairs >= WHOLE else []
    for batch in (large, *whole):
        if batch.growth > MOST_GROWTH:
            found.append(f"{batch.path.name} grew by {batch.growth / 1e6:,.0f} MB")
    if slowest > SLOWEST_QUERY:
        found.append(f"a query took {slowest:.2f} s of the processor")
    each = [batch.took.processor_seconds / batch.pairs for batch in rungs]
    if whole and each[-1] > MOST_UNEVEN * each[-2]:
        found.append(
            "with ten times as many pairs, the processor time per pair is "
            f"{each[-1] / each[-2]:.2f} times as long"
        )
    return found


def carry_out(options: argparse.Namespace) -> Verdict:
    pairs, most = int(options.pairs), int(options.many_pairs)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        whole, playing = outside(40_000, 1000, options.seed)
        whole_few, playing_few = outside(400_000, FEW_GAMES, options.seed)
        large = play(folder, pairs, round(options.games / pairs), options.seed)
        large_asked, slowest = ask(large, options.seed, large)
        sizes = [most // 10**k for k in range(4, -1, -1) if most // 10**k]
        rungs = [play(folder, size, FEW_GAMES, options.seed) for size in sizes]
        many_asked, slow = ask(rungs[-1], options.seed, rungs[-2])
        problems = wrong(large, rungs, max(slow, slowest))
        body = "\n\n".join(
            [
                f"Two threads play the games on {os.cpu_count()} processors. The seed is "
                f"{options.seed}.",
                "## Many games",
                describe(large),
                large_asked,
                "## Many pairs",
                describe(rungs[-1]),
                many_asked,
                f"The next table shows batches with {FEW_GAMES} games per pair. The "
                "microseconds of processor time include the start of the process.",
                ladder(rungs),
                "## Outside the kernel",
                "The table shows the share of the processor time of one worker that is "
                "not spent on playing games:",
                markdown_table(
                    ["batch", "share", "microseconds per pair"],
                    [
                        _outside_row(40_000, 1000, whole, playing),
                        _outside_row(400_000, FEW_GAMES, whole_few, playing_few),
                    ],
                ),
                "## Verdict",
                "; ".join(problems)
                or "Every answer was correct, and the growth of memory and time was within "
                "the limits of the trial.",
            ]
        )
    return Verdict(body, bool(problems))


def _outside_row(pairs: int, games: int, whole: float, playing: float) -> list[str]:
    return [
        f"{pairs:,} pairs, {games:,} games each",
        f"{1 - playing / whole:.1%}",
        f"{(whole - playing) / pairs * 1e6:.2f}",
    ]


TRIAL = Trial(
    "Load",
    carry_out,
    (
        option(
            "--games", type=float, default=1e10, help="number of games of the first batch"
        ),
        option(
            "--pairs", type=float, default=1e5, help="number of pairs of the first batch"
        ),
        option(
            "--many-pairs",
            type=float,
            default=1e7,
            help="number of pairs of the largest batch",
        ),
        option("--folder", type=Path, help="folder for the results, which take 2 GB"),
    ),
)
