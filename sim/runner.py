"""Run a batch: plan it, play its blocks on workers, store what they give, resume."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

import bearoff
from sim.blocks import Match, play_block
from sim.config import BatchConfig, load_config
from sim.counts import Counts
from sim.files import RunError
from sim.optimal import expected
from sim.outcomes import outcome_table
from sim.pairs import build_pairs
from sim.part import PartUnderWay
from sim.plan import Block, Pairs, blocks_of, games_for_standard_error, part_ranges
from sim.progress import progress_bar, skip
from sim.provenance import canonical_json, commit, digest, now, processor, versions
from sim.run_folder import Manifest, RunFolder
from sim.schema import SCHEMA_VERSION, part_name
from sim.workers import Task, run_tasks, worker_count

Int64Array = NDArray[np.int64]


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
    """

    path: str
    pairs: int
    games: int
    games_played: int
    seconds: float


def run(
    config: "str | PathLike[str] | dict[str, Any] | BatchConfig", *, progress: bool = True
) -> RunSummary:
    """Run a batch to its end; called again after an interruption, finish it.

    Parameters
    ----------
    config : path, mapping or BatchConfig
        The batch; see docs/config.md.
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
    batch = _Run(config, folder)  # Whatever is wrong shows before a folder is made.
    with folder.claimed():
        try:
            return batch.finish(progress)
        except OSError as error:
            raise RunError(
                f"the run {folder.location} stopped: {error}; what is done is kept, and "
                "the same command resumes"
            ) from error


class _Run:
    """A batch with its pairs, its plan and its folder."""

    def __init__(self, config: BatchConfig, folder: RunFolder) -> None:
        self._started = time.monotonic()
        self._config = config
        self._folder = folder
        size = (config.table.points, config.table.checkers)
        self._table = bearoff.one_sided_table(*size)
        self._match = Match(
            *size, config.players.roller, config.players.opponent, config.seed
        )
        self._pairs = build_pairs(config)
        self._expected = expected(
            (self._match.roller, self._match.opponent),
            *size,
            self._pairs.rollers,
            self._pairs.opponents,
        )
        self._games = self._games_of_pairs()
        self._digest = _digest_of(config, self._pairs)
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
        with progress_bar(config.run, int(self._games.sum()), show=progress) as bar:
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
            pairs=len(self._pairs),
            games=int(self._games.sum()),
            games_played=played,
            seconds=time.monotonic() - self._started,
        )

    def _tasks(self) -> Iterator[Task]:
        """Yield the blocks to play, parts opened as their turn comes."""
        for index, pairs in enumerate(part_ranges(len(self._pairs))):
            if part_name(index) in self._manifest["parts"]:
                continue
            blocks = list(blocks_of(index, pairs, self._games))
            part = PartUnderWay(
                pairs, blocks, lambda block: self._folder.read_block(block, self._digest)
            )
            self._resumed += part.games
            self._under_way[index] = part
            for block in part.missing():
                chosen = (
                    self._pairs.rollers[block.pairs],
                    self._pairs.opponents[block.pairs],
                )
                yield delayed(play_block)(self._match, block, *chosen)

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
        table = outcome_table(
            self._table,
            self._pairs,
            part.pairs,
            part.counts,
            self._expected[part.pairs],
            self._provenance(),
        )
        self._manifest["parts"][part_name(index)] = self._stored_part(
            part.pairs, self._folder.write_part(index, table)
        )
        self._save_manifest()
        self._folder.drop_blocks(index, part.block_count)

    def _games_of_pairs(self) -> Int64Array:
        config = self._config
        if config.standard_error is None:
            return np.full(len(self._pairs), config.games, dtype=np.int64)
        # Where nothing but the games tells it, as many as the least certain pair needs.
        chance = np.nan_to_num(self._expected, nan=0.5)
        return games_for_standard_error(
            chance, config.standard_error.target, config.standard_error.at_most
        )

    def _provenance(self) -> dict[str, Any]:
        """What every part says of itself: all that its bytes may depend on."""
        return {
            "schema_version": SCHEMA_VERSION,
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
            "pairs": len(self._pairs),
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
        ranges = part_ranges(len(self._pairs))
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


def _digest_of(config: BatchConfig, pairs: Pairs) -> str:
    """Digest of all that outcomes depend on: the configuration and the pairs it gave."""
    arrays = (pairs.rollers, pairs.opponents, pairs.weights)
    return digest(canonical_json(config.identity()), *(a.tobytes() for a in arrays))
