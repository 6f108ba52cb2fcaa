"""Run a batch: plan it, play its blocks on workers, store what they give, resume.

What is done with the pairs, and what is counted of it, is the affair of `sim.work`.
"""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from os import PathLike
from typing import Any

from bearoff.cube_strategies import CubeStrategy
from sim.config import load_config
from sim.config_batch import BatchConfig
from sim.counts import Counts
from sim.files import RunError
from sim.part import PartUnderWay
from sim.plan import Block, blocks_of, part_ranges
from sim.progress import progress_bar, skip
from sim.provenance import canonical_json, commit, digest, now, processor, versions
from sim.run_folder import Manifest, RunFolder
from sim.schema import METADATA_KEY, SCHEMA_VERSION, part_name
from sim.work import Work, work_of
from sim.workers import Task, run_tasks, worker_count


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
        config = load_config(config)
    folder = RunFolder(config.output, config.run)
    # Whatever is wrong shows before a folder is made.
    batch = _Run(config, work_of(config, strategies or {}), folder)
    with folder.claimed():
        try:
            return batch.finish(progress)
        except OSError as error:
            raise RunError(
                f"the run {folder.location} stopped: {error}; what is done is kept, and "
                "the same command resumes"
            ) from error


class _Run:
    """A batch with its work, its plan and its folder."""

    def __init__(self, config: BatchConfig, work: Work, folder: RunFolder) -> None:
        self._started = time.monotonic()
        self._config = config
        self._work = work
        self._games = work.games
        self._folder = folder
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
            return self._summary(played=0)
        self._seconds_before = float(self._manifest["seconds"])
        self._folder.prepare()
        self._save_manifest()
        skipped = 0
        played = 0
        self._resumed = sum(part["games"] for part in self._manifest["parts"].values())
        workers = worker_count(config.workers)
        with progress_bar(
            config.run, int(self._games.sum()), show=progress, unit=self._work.counted
        ) as bar:
            tasks = self._tasks()
            with closing(
                run_tasks(tasks, config.backend, workers, config.scheduler)
            ) as results:
                for block, counts in results:
                    self._take(block, counts)
                    skip(bar, self._resumed - skipped)
                    skipped = self._resumed
                    bar.update(int(block.games.sum()))
                    played += int(block.games.sum())
            skip(bar, self._resumed - skipped)
            for index in sorted(self._under_way):
                self._store(index)  # All their blocks were kept by earlier sessions.
        self._manifest |= {"finished": now(), "complete": True}
        self._save_manifest()
        self._folder.tidy()
        return self._summary(played)

    def _summary(self, played: int) -> RunSummary:
        return RunSummary(
            path=self._folder.location,
            pairs=len(self._games),
            games=int(self._games.sum()),
            games_played=played,
            seconds=time.monotonic() - self._started,
            counted=self._work.counted,
        )

    def _tasks(self) -> Iterator[Task]:
        """Yield the blocks to play, parts opened as their turn comes."""
        for index, pairs in enumerate(part_ranges(len(self._games))):
            if part_name(index) in self._manifest["parts"]:
                continue
            blocks = list(blocks_of(index, pairs, self._games, self._work.block_games))
            part = PartUnderWay(pairs, blocks, self._work.width, self._kept)
            self._resumed += part.games
            self._under_way[index] = part
            for block in part.missing():
                yield self._work.task(block)

    def _kept(self, block: Block) -> Counts | None:
        return self._folder.read_block(block, self._digest, self._work.width)

    def _take(self, block: Block, counts: Counts) -> None:
        """Add a block that was played to its part, and keep one or the other."""
        part = self._under_way[block.part]
        part.add(block, counts)
        if part.complete:
            self._store(block.part)
        else:
            self._folder.write_block(block, counts, self._digest)

    def _store(self, index: int) -> None:
        """Write a complete part, name it in the manifest, drop its blocks."""
        part = self._under_way.pop(index)
        text = json.dumps(self._provenance(), sort_keys=True, ensure_ascii=False)
        table = self._work.table(part.pairs, part.counts).replace_schema_metadata(
            {METADATA_KEY: text.encode()}
        )
        self._manifest["parts"][part_name(index)] = self._stored_part(
            part.pairs, self._folder.write_part(index, table)
        )
        self._save_manifest()
        self._folder.drop_blocks(index, part.block_count)

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
            "workers": worker_count(self._config.workers),
            "backend": self._config.backend,
            "started": now(),
            "finished": None,
            "seconds": 0.0,
            "games": int(self._games.sum()),
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
        ranges = part_ranges(len(self._games))
        parts = {}
        for index, pairs in enumerate(ranges):
            stored = self._stored_part(pairs, self._folder.part_digest(index))
            if manifest["parts"].get(part_name(index)) == stored:
                parts[part_name(index)] = stored
        if len(parts) == len(ranges) and manifest["complete"]:
            return manifest
        earlier = {key: manifest[key] for key in ("started", "seconds")}
        return fresh | earlier | {"parts": parts}

    def _stored_part(self, pairs: slice, sha256: str | None) -> dict[str, Any]:
        """Return what the manifest says of a part that is stored."""
        games = int(self._games[pairs].sum())
        return {"pairs": pairs.stop - pairs.start, "games": games, "sha256": sha256}

    def _save_manifest(self) -> None:
        elapsed = time.monotonic() - self._started
        seconds = {"seconds": round(self._seconds_before + elapsed, 3)}
        self._folder.write_manifest(self._manifest | seconds)
