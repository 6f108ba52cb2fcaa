"""Simulation of a batch: planning, playing, storage, and resumption after interruptions.

`sim.runs.work` defines what is simulated for each pair of positions: games or rollouts.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.matchup import CubeStrategy
from bearoff.sim.config import BatchConfig, load_config
from bearoff.sim.engine import (
    MOST_BLOCKS,
    Block,
    Task,
    blocks_of,
    part_ranges,
    part_size,
    progress_bar,
    run_tasks,
    skip,
    worker_count,
)
from bearoff.sim.play import tally
from bearoff.sim.runs.earlier import EarlierGames, Played
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.runs.part import PartAccumulator
from bearoff.sim.runs.record import RunRecord
from bearoff.sim.runs.sums import Sums, add
from bearoff.sim.runs.work import Work, work_of
from bearoff.sim.runs.write_queue import WORKERS_PER_THREAD, WriteQueue
from bearoff.sim.storage import RunError, schema

Int64Array = NDArray[np.int64]

SNAPSHOT_SECONDS = 10.0
"""Interval in seconds at which intermediate results are stored."""

_AT_ONCE = 1 << 16
"""Number of pairs whose game counts are added as 64-bit integers; the totals are added as
Python integers, which cannot overflow."""


@dataclass(frozen=True)
class RunSummary:
    """Summary of a call of `run`.

    Attributes
    ----------
    path : str
        Folder of the run, which `analysis.open_run` can open.
    pairs, games : int
        Numbers of pairs and of games in the whole run.
    games_played : int
        Number of games that this call of `run` simulated.
    seconds : float
        Duration of the call of `run` in seconds.
    counted : str
        What `games_played` counts: ``games``, or ``rollouts``, each of which has many
        games.
    """

    path: str
    pairs: int
    games: int
    games_played: int
    seconds: float
    counted: str


def run(
    config: "str | PathLike[str] | dict[str, Any] | BatchConfig",
    *,
    strategies: Mapping[str, CubeStrategy] | None = None,
    progress: bool = True,
) -> RunSummary:
    """Run a batch, or resume it after an interruption.

    If the run already exists with fewer games, a larger standard error or fewer pairs, only
    the missing games are simulated.

    Parameters
    ----------
    config : path, mapping or BatchConfig
        Batch configuration, or the path of its YAML file; see docs/batches.md.
    strategies : mapping of str to CubeStrategy, optional
        Cube strategies that the configuration may name, in addition to built-in strategies
        and formulas. Requires a dataclass whose fields determine its decisions, or an
        attribute ``version``. With worker processes, also requires that the strategy can be
        pickled.
    progress : bool
        Whether to show the progress on standard error.

    Returns
    -------
    Folder of the run, numbers of pairs and games, and duration of this call.

    Raises
    ------
    ConfigError
        If the configuration is invalid, or a strategy has neither fields nor a version.
        Nothing is simulated.
    StrategyError
        If a strategy fails, or returns an invalid answer.
    RunError
        If the folder contains a run of another configuration, another process is working on
        it, or reading or writing fails. Stored results are not lost.
    TableError
        If the run needs a two-sided table that has not been built.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     summary = run({
    ...         "run": "two-rolls", "games": 1000, "seed": 1, "output": folder,
    ...         "pairs": [{"list": [{"roller": "4,0,0,0,0,0", "opponent": "4,0,0,0,0,0"}]}],
    ...     }, progress=False)
    >>> summary.pairs, summary.games
    (1, 1000)
    """
    if not isinstance(config, BatchConfig):
        config = load_config(config, strategies or ())
    folder = RunFolder(config.output, config.run)
    # An invalid configuration must raise its error before a folder is created.
    batch = _Run(config, work_of(config, strategies or {}), folder)
    with folder.claimed():
        try:
            return batch.finish(progress)
        except (OSError, MemoryError) as error:
            why = f"not enough memory: {error}" if isinstance(error, MemoryError) else error
            raise RunError(
                f"the run {folder.location} stopped: {why}; finished games are stored, so "
                "run the same command again to continue"
            ) from error


class _Run:
    """Batch in progress: its simulation, result files and folder."""

    def __init__(self, config: BatchConfig, work: Work, folder: RunFolder) -> None:
        self._started = time.monotonic()
        self._config = config
        self._work = work
        self._games = work.games
        self._total = _games_in_all(work.games)
        self._folder = folder
        self._ranges = _parts_of(work, self._total)
        self._record = RunRecord(config, work, folder, self._ranges, self._total)
        self._open_parts: dict[int, PartAccumulator] = {}
        self._played_before: dict[int, Sums] = {}
        self._resumed = 0
        self._shown = self._started

    def finish(self, progress: bool) -> RunSummary:
        """Simulate and store all games that are missing."""
        record = self._record
        if record.open():
            # The process that finished the run may have been killed before it deleted
            # temporary data.
            self._folder.tidy()
            return self._summary(played=0)
        self._folder.prepare()
        record.save()
        layers = self._folder.earlier()
        self._earlier = EarlierGames(layers, self._work.summing)
        if layers:
            self._show_earlier()
        played = 0
        self._resumed = sum(part.games for part in record.parts.values())
        with (
            progress_bar(
                self._config.run, self._total, show=progress, unit=self._work.counted
            ) as bar,
            WriteQueue(self._write_threads()) as queue,
        ):
            try:
                for block, counts in self._results(queue):
                    self._take(block, counts, queue)
                    skip(bar, self._resumed)
                    bar.update(int(block.games.sum()))
                    played += int(block.games.sum())
            except KeyboardInterrupt:
                self._show_parts(queue)
                raise
            skip(bar, self._resumed)
            for index, part in sorted(self._open_parts.items()):
                if part.complete:  # because all its blocks were stored by an earlier call
                    queue.submit(partial(self._store, index, part))
        missing = len(self._ranges) - len(record.parts)
        if missing:
            raise RunError(
                f"the run {self._folder.location} is incomplete: {missing:,} of its "
                f"{len(self._ranges):,} result files were never simulated; finished games "
                "are stored, so run the same command again to continue"
            )
        record.finish()
        self._folder.tidy()
        return self._summary(played)

    def _write_threads(self) -> int:
        """Return the number of threads that write files.

        For a scheduler, only an explicitly requested number of workers is known in advance;
        with ``auto``, the number of threads is chosen for this machine's processors.
        """
        workers = worker_count(self._config.workers)
        backend = self._config.backend
        if backend == "sequential" or (workers == 1 and backend != "dask"):
            return 0
        return 1 + workers // WORKERS_PER_THREAD

    def _summary(self, played: int) -> RunSummary:
        return RunSummary(
            path=self._folder.location,
            pairs=len(self._games),
            games=self._total,
            games_played=played,
            seconds=time.monotonic() - self._started,
            counted=self._work.counted,
        )

    def _results(self, queue: WriteQueue) -> "Iterator[tuple[Block, tally.Counts]]":
        config = self._config
        tasks = self._tasks(queue)
        with closing(
            run_tasks(tasks, config.backend, config.workers, config.scheduler)
        ) as results:
            yield from results

    def _tasks(self, queue: WriteQueue) -> Iterator[Task]:
        """Yield the tasks for all missing blocks of games, ordered by result file."""
        for index, pairs in enumerate(self._ranges):
            if schema.part_name(index) in self._record.parts:
                continue
            queue.wait_for_room()
            before = queue.make(partial(self._begin, index, pairs))
            blocks = list(
                blocks_of(index, pairs, self._games, self._work.block_games, before.games)
            )
            part = PartAccumulator(
                pairs,
                blocks,
                self._work.width,
                lambda block: queue.make(partial(self._stored_block, block)),
            )
            self._resumed += part.games + int(before.games.sum())
            self._open_parts[index] = part
            for block in part.missing():
                queue.wait_for_room()
                yield self._work.task(block)

    def _begin(self, index: int, pairs: slice) -> Played:
        """Return the games of a result file that were stored before the extension."""
        before = self._earlier.of(self._work.pairs[pairs])
        if before.sums is not None:
            self._played_before[index] = before.sums
        return before

    def _show_earlier(self) -> None:
        """Store the results of the run before its extension as intermediate results."""
        for index, pairs in enumerate(self._ranges):
            if schema.part_name(index) not in self._record.parts:
                self._begin(index, pairs)
                nothing = np.zeros((pairs.stop - pairs.start, self._work.width), np.int64)
                self._store_snapshot(index, pairs, nothing)
                self._played_before.pop(index, None)

    def _stored_block(self, block: Block) -> tally.Counts | None:
        return self._folder.read_block(block, self._record.digest, self._work.width)

    def _take(self, block: Block, counts: tally.Counts, queue: WriteQueue) -> None:
        """Add a simulated block to its result file; store the block or the full file."""
        part = self._open_parts[block.part]
        part.add(block, counts)
        if part.complete:
            del self._open_parts[block.part]
            queue.submit(partial(self._store, block.part, part))
            return
        queue.submit(partial(self._store_block, part, block, counts))
        if time.monotonic() - self._shown > SNAPSHOT_SECONDS:
            self._show_parts(queue)

    def _show_parts(self, queue: WriteQueue) -> None:
        """Store the intermediate results of all incomplete result files."""
        for index, part in list(self._open_parts.items()):
            counts = part.counts.copy()
            queue.submit(partial(self._store_snapshot, index, part.pairs, counts))
        self._shown = time.monotonic()

    def _store_snapshot(self, index: int, pairs: slice, counts: tally.Counts) -> None:
        """Store the intermediate results of pairs with at least one game."""
        sums = self._sums(index, counts)
        there = np.flatnonzero(sums["games"])
        if len(there):
            stop = int(there[-1]) + 1
            some = {name: column[:stop] for name, column in sums.items()}
            # A pair without games counts one game here, which prevents a division by 0. Its
            # row is not stored.
            some["games"] = np.maximum(some["games"], 1)
            rows = self._work.table(slice(pairs.start, pairs.start + stop), some)
            self._record.snapshot(index, rows.take(there))

    def _sums(self, index: int, counts: tally.Counts) -> Sums:
        sums = self._work.summing.of_counts(counts)
        before = self._played_before.get(index)
        return sums if before is None else add(sums, before)

    def _store_block(
        self, part: PartAccumulator, block: Block, counts: tally.Counts
    ) -> None:
        if not part.complete:
            self._folder.write_block(block, counts, self._record.digest)

    def _store(self, index: int, part: PartAccumulator) -> None:
        rows = self._work.table(part.pairs, self._sums(index, part.counts))
        self._record.store(index, part.pairs, rows)
        self._played_before.pop(index, None)
        self._folder.drop_blocks(index, part.block_count)


def _games_in_all(games: Int64Array) -> int:
    """Return the total number of games; raise an error if the number exceeds int64."""
    total = sum(int(games[pairs].sum()) for pairs in part_ranges(len(games), _AT_ONCE))
    most = np.iinfo(np.int64).max
    if total > most:
        raise RunError(
            f"the run would have {total:,} games of {len(games):,} pairs, but at most "
            f"{most:,} games can be counted; reduce the games per pair"
        )
    return total


def _parts_of(work: Work, total: int) -> list[slice]:
    """Divide a run's pairs into result files; raise an error if there are too many."""
    games = work.games
    ranges = part_ranges(len(games), part_size(len(games), total, work.block_games))
    if len(ranges) > schema.MOST_PARTS:
        raise RunError(
            f"the run has {len(games):,} pairs in {len(ranges):,} result files, but at "
            f"most {schema.MOST_PARTS:,} files are possible; split it into several runs"
        )
    largest = max((int(games[pairs].sum()) for pairs in ranges), default=0)
    most = MOST_BLOCKS * work.block_games
    if largest > most:
        pairs = ranges[0].stop - ranges[0].start
        raise RunError(
            f"each result file of the run would have {pairs:,} pairs with {largest:,} "
            f"games in all, but at most {most:,} games are possible; use at most "
            f"{most // pairs:,} games per pair"
        )
    return ranges
