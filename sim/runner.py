"""Run a batch: plan it, play its blocks on workers, store what they give, resume.

What is done with the pairs, and what is counted of it, is the affair of `sim.work`.
"""

import json
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.cube_strategies import CubeStrategy
from sim.config import load_config
from sim.config_batch import BatchConfig
from sim.counts import Counts
from sim.files import RunError
from sim.manifest import Manifest
from sim.part import PartUnderWay
from sim.plan import MOST_BLOCKS, Block, blocks_of, part_ranges, part_size
from sim.progress import progress_bar, skip
from sim.provenance import canonical_json, commit, digest, now, processor, versions
from sim.run_folder import RunFolder
from sim.schema import METADATA_KEY, MOST_PARTS, SCHEMA_VERSION, part_name
from sim.storing import WORKERS_PER_THREAD, Storing
from sim.work import Work, work_of
from sim.workers import Task, run_tasks, worker_count

Int64Array = NDArray[np.int64]

_AT_ONCE = 1 << 16
"""Pairs whose games are added at a time: 10^12 games of each are no overflow."""


@dataclass(frozen=True)
class RunSummary:
    """What a call of `run` did.

    Attributes
    ----------
    path : str
        Folder of the run, for `analysis.open_run`.
    pairs, games : int
        Of the whole run.
    games_played : int
        Of this call; the others were done before.
    seconds : float
        Of this call.
    counted : str
        What the games are: ``games``, or ``rollouts`` of many games each.
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
    """Run a batch to its end; called again after an interruption, finish it.

    Parameters
    ----------
    config : path, mapping or BatchConfig
        The batch; see docs/config.md.
    strategies : mapping of str to CubeStrategy, optional
        Cube strategies that the batch may name besides those that are built in, such as
        the formulas of `analysis`; picklable, if workers are processes.
    progress : bool
        Whether to show progress on standard error.

    Returns
    -------
    RunSummary

    Raises
    ------
    ConfigError
        If the configuration is wrong; nothing was started.
    RunError
        If a different configuration was run under this name, another process works on
        it, or something cannot be read or written; what is done stays done.
    TableError
        If it needs a two-sided table that is not built.

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
    # Whatever is wrong shows before a folder is made.
    batch = _Run(config, work_of(config, strategies or {}), folder)
    with folder.claimed():
        try:
            return batch.finish(progress)
        except (OSError, MemoryError) as error:
            why = f"not enough memory: {error}" if isinstance(error, MemoryError) else error
            raise RunError(
                f"the run {folder.location} stopped: {why}; what is done is kept, and "
                "the same command resumes"
            ) from error


class _Run:
    """A batch with its work, its plan and its folder."""

    def __init__(self, config: BatchConfig, work: Work, folder: RunFolder) -> None:
        self._started = time.monotonic()
        self._config = config
        self._work = work
        self._games = work.games
        self._total = _games_in_all(work.games)
        self._folder = folder
        size = part_size(len(work.games), self._total, work.block_games)
        self._ranges = part_ranges(len(work.games), size)
        if len(self._ranges) > MOST_PARTS:
            raise RunError(
                f"the run has {len(work.games):,} pairs, which make {len(self._ranges):,} "
                f"parts, and no more than {MOST_PARTS:,} can be named; make several runs "
                "of them"
            )
        games = (int(work.games[pairs].sum()) for pairs in self._ranges)
        blocks = -(-max(games, default=0) // work.block_games)
        if blocks > MOST_BLOCKS:
            raise RunError(
                f"a part of the run would have {blocks:,} blocks, and no more than "
                f"{MOST_BLOCKS:,} can be named; play fewer games a pair"
            )
        self._digest = digest(canonical_json(config.identity()), *work.inputs())
        self._manifest: Manifest = {}
        self._seconds_before = 0.0
        self._under_way: dict[int, PartUnderWay] = {}
        self._resumed = 0

    def finish(self, progress: bool) -> RunSummary:
        """Play what is missing and store it; to be called once, with the folder held."""
        config = self._config
        self._manifest = self._open_manifest()
        if self._manifest["complete"]:
            self._folder.tidy()  # Whoever finished it may have been killed before.
            return self._summary(played=0)
        self._seconds_before = float(self._manifest["seconds"])
        self._folder.prepare()
        self._save_manifest()
        played = 0
        self._resumed = sum(part["games"] for part in self._manifest["parts"].values())
        with (
            progress_bar(
                config.run, self._total, show=progress, unit=self._work.counted
            ) as bar,
            Storing(self._storing_threads()) as storing,
        ):
            tasks = self._tasks(storing)
            with closing(
                run_tasks(tasks, config.backend, config.workers, config.scheduler)
            ) as results:
                for block, counts in results:
                    self._take(block, counts, storing)
                    skip(bar, self._resumed)
                    bar.update(int(block.games.sum()))
                    played += int(block.games.sum())
            skip(bar, self._resumed)
            for index, part in sorted(self._under_way.items()):
                if part.complete:  # All its blocks were kept by earlier sessions.
                    storing.submit(partial(self._store, index, part))
        missing = len(self._ranges) - len(self._manifest["parts"])
        if missing:
            raise RunError(
                f"the run {self._folder.location} lacks {missing:,} of its "
                f"{len(self._ranges):,} parts: not all that was handed out was played; "
                "what is done is kept, and the same command resumes"
            )
        self._manifest |= {
            "parts": dict(sorted(self._manifest["parts"].items())),
            "finished": now(),
            "complete": True,
        }
        self._save_manifest()
        self._folder.tidy()
        return self._summary(played)

    def _storing_threads(self) -> int:
        """Threads that store: none where one thread plays, in which dask never does.

        Of a scheduler's workers only a number that was asked for is known; for ``auto``
        there are as many threads as for the processors of this machine.
        """
        workers = worker_count(self._config.workers)
        backend = self._config.backend
        if backend == "sequential" or (workers == 1 and backend != "dask"):
            return 0
        return 1 + workers // WORKERS_PER_THREAD

    def _workers(self) -> int | str:
        """Workers as the manifest names them; how many a scheduler has may change."""
        workers = self._config.workers
        return worker_count(workers) if self._config.scheduler is None else workers

    def _summary(self, played: int) -> RunSummary:
        return RunSummary(
            path=self._folder.location,
            pairs=len(self._games),
            games=self._total,
            games_played=played,
            seconds=time.monotonic() - self._started,
            counted=self._work.counted,
        )

    def _tasks(self, storing: Storing) -> Iterator[Task]:
        """Yield the blocks to play, parts opened as their turn comes."""
        for index, pairs in enumerate(self._ranges):
            if part_name(index) in self._manifest["parts"]:
                continue
            storing.wait_for_room()
            blocks = list(blocks_of(index, pairs, self._games, self._work.block_games))
            part = PartUnderWay(
                pairs,
                blocks,
                self._work.width,
                lambda block: storing.make(partial(self._kept, block)),
            )
            self._resumed += part.games
            self._under_way[index] = part
            for block in part.missing():
                storing.wait_for_room()
                yield self._work.task(block)

    def _kept(self, block: Block) -> Counts | None:
        return self._folder.read_block(block, self._digest, self._work.width)

    def _take(self, block: Block, counts: Counts, storing: Storing) -> None:
        """Add a block that was played to its part, and keep one or the other."""
        part = self._under_way[block.part]
        part.add(block, counts)
        if part.complete:
            del self._under_way[block.part]
            storing.submit(partial(self._store, block.part, part))
        else:
            storing.submit(partial(self._keep, part, block, counts))

    def _keep(self, part: PartUnderWay, block: Block, counts: Counts) -> None:
        """Keep a block of a part, unless the part is whole by now and stored next."""
        if not part.complete:
            self._folder.write_block(block, counts, self._digest)

    def _store(self, index: int, part: PartUnderWay) -> None:
        """Write a complete part, note that it is there, drop its blocks."""
        table = self._work.table(part.pairs, part.counts)
        ends = {
            place: [int(table[side][row].as_py()) for side in ("roller", "opponent")]
            for place, row in (("first", 0), ("last", -1))
        }
        written = self._folder.write_part(
            index, table.replace_schema_metadata({METADATA_KEY: self._metadata})
        )
        stored = self._stored_part(part.pairs, written) | ends
        self._folder.write_note(
            index,
            {
                "schema_version": SCHEMA_VERSION,
                "digest": self._digest,
                "name": part_name(index),
                "part": stored,
                "seconds": self._seconds(),
            },
        )
        self._manifest["parts"][part_name(index)] = stored
        self._folder.drop_blocks(index, part.block_count)

    @cached_property
    def _metadata(self) -> bytes:
        text = json.dumps(self._provenance(), sort_keys=True, ensure_ascii=False)
        return text.encode()

    def _provenance(self) -> dict[str, Any]:
        """What every part says of itself: all that its bytes may depend on."""
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": self._work.kind,
            "config": self._config.identity(),
            "digest": self._digest,
            "seed": self._config.seed,
            "versions": versions(),
            "commit": commit()[0],
        }

    def _open_manifest(self) -> Manifest:
        """Start a manifest, or take up that of an earlier session of the same run."""
        manifest = self._folder.manifest()
        fresh = self._provenance() | {
            "run": self._config.run,
            "config": self._config.effective(),
            "dirty": commit()[1],
            "cpu": processor(),
            "workers": self._workers(),
            "backend": self._config.backend,
            "started": now(),
            "finished": None,
            "seconds": 0.0,
            "games": self._total,
            "pairs": len(self._games),
            "complete": False,
            "parts": {},
        }
        if manifest is None:
            return fresh
        if manifest["digest"] != self._digest:
            raise RunError(
                f"{self._folder.location} holds a run of another configuration; give this "
                "one another name (run: ...), or remove that folder"
            )
        parts = {}
        for index, pairs in enumerate(self._ranges):
            said = manifest["parts"].get(part_name(index))
            if said is not None:
                found = self._stored_part(pairs, self._folder.part_digest(index))
                if said | found == said:
                    parts[part_name(index)] = said
        if manifest["complete"] and len(parts) == len(self._ranges):
            return manifest
        self._warn_of_other_code(manifest, fresh)
        earlier = {key: manifest[key] for key in ("started", "seconds")}
        return fresh | earlier | {"parts": parts}

    def _warn_of_other_code(self, begun: Manifest, now: Manifest) -> None:
        """Say it if an earlier session may have played by other code."""
        told = [
            {"commit": str(said.get("commit"))[:10], **said.get("versions", {})}
            for said in (begun, now)
        ]
        other = [key for key in told[1] if told[0].get(key) != told[1][key]]
        if other:
            before, after = (
                ", ".join(f"{key} {each.get(key)}" for key in other) for each in told
            )
            warnings.warn(
                f"{self._folder.location} was begun at {before}, and goes on at {after}: "
                "the bytes are the same only with the same code",
                RuntimeWarning,
                stacklevel=4,
            )

    def _stored_part(self, pairs: slice, sha256: str | None) -> dict[str, Any]:
        """Return what can be told again of a part that is stored."""
        games = int(self._games[pairs].sum())
        return {"pairs": pairs.stop - pairs.start, "games": games, "sha256": sha256}

    def _seconds(self) -> float:
        """Seconds of all sessions so far."""
        return round(self._seconds_before + time.monotonic() - self._started, 3)

    def _save_manifest(self) -> None:
        self._folder.write_manifest(self._manifest | {"seconds": self._seconds()})


def _games_in_all(games: Int64Array) -> int:
    """Add the games of all pairs, which must fit the whole numbers they are counted in."""
    total = sum(int(games[pairs].sum()) for pairs in part_ranges(len(games), _AT_ONCE))
    most = np.iinfo(np.int64).max
    if total > most:
        raise RunError(
            f"the run has {len(games):,} pairs and {total:,} games in all, and no more "
            f"than {most:,} can be counted; play fewer games a pair"
        )
    return total
