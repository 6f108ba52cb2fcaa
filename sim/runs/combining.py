"""Combination of several runs into one run, by adding the games of each pair."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bearoff.sim.config import BatchConfig, load_config
from bearoff.sim.engine import plan
from bearoff.sim.pairs import Pairs
from bearoff.sim.runs.earlier import StoredRows
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.runs.outcomes import to_table
from bearoff.sim.runs.record import NOT_ADDED, PLAYED_WITH, differences, tell
from bearoff.sim.runs.runner import RunSummary
from bearoff.sim.runs.sums import Sums, add, summing_of
from bearoff.sim.storage import PartEntry, RunError, RunManifest, Stage, provenance, schema
from bearoff.storage import sealing

Int64Array = NDArray[np.int64]

_SAME = (*schema.PAIR_COLUMNS[1:], "expected")
"""Columns whose values for a pair of positions must be equal in all runs that are combined.
"""


def combine(runs: Sequence[str], to: str) -> RunSummary:
    """Combine several runs into one run, for example runs with different seeds or pairs.

    Parameters
    ----------
    runs : sequence of str
        Folders or URIs of at least two finished runs. Runs that contain the same pair of
        positions must have different seeds, because equal seeds give the same games.
    to : str
        Folder or URI of the new run, whose last component is the name of the run. The
        folder must not contain a run.

    Returns
    -------
    RunSummary
        Summary of the combined run. `games_played` is 0, because combining plays no games.

    Raises
    ------
    RunError
        If a run cannot be read or is unfinished, if the games were played in different
        ways, or if two runs contain the same games. Nothing is written in these cases.
    """
    started = time.monotonic()
    if len(runs) < 2:
        raise RunError(f"at least 2 runs are required to combine, got {len(runs)}")
    folders = [RunFolder(str(run)) for run in runs]
    manifests = [_finished(folder) for folder in folders]
    for folder, manifest in zip(folders[1:], manifests[1:], strict=True):
        _check_alike(folders[0].location, manifests[0], folder.location, manifest)
    stored = [
        folder.stored(manifest, {})
        for folder, manifest in zip(folders, manifests, strict=True)
    ]
    target = RunFolder(to)
    if target.manifest() is not None:
        raise RunError(f"{target.location} already contains a run; choose another folder")
    config = load_config(manifests[0].config)
    merged = _Merged(config, manifests, stored)
    with target.claimed():
        manifest = merged.write(target, started)
    return RunSummary(
        path=target.location,
        pairs=manifest.pairs,
        games=manifest.games,
        games_played=0,
        seconds=time.monotonic() - started,
        counted="games",
    )


def _finished(folder: RunFolder) -> RunManifest:
    manifest = folder.manifest()
    if manifest is None:
        raise RunError(f"no run found at {folder.location}")
    if not manifest.complete:
        raise RunError(
            f"the run {folder.location} is not finished; simulate the rest first"
        )
    if manifest.kind == schema.ROLLOUTS:
        raise RunError(f"{folder.location} is a run of rollouts; {NOT_ADDED}")
    return manifest


def _check_alike(where: str, one: RunManifest, there: str, other: RunManifest) -> None:
    apart = differences(one, other)
    apart = {path: both for path, both in apart.items() if not path.startswith(PLAYED_WITH)}
    if apart or one.kind != other.kind:
        how = tell(apart, "{name} is {one} in the first run and {other} in the second")
        raise RunError(
            f"{where} and {there} have different configurations{how}; combined runs may "
            "differ only in seeds, numbers of games and pairs"
        )


class _Merged:
    """Rows of several stored runs, merged by pair of positions."""

    def __init__(
        self, config: BatchConfig, manifests: list[RunManifest], stored: list[StoredRows]
    ) -> None:
        self._config = config
        self._manifests = manifests
        self._stored = stored
        self._summing = summing_of(config)
        self._pairs = _all_pairs(stored)
        self._seeds = [
            {stage.seed for stage in manifest.combined} or {manifest.seed}
            for manifest in manifests
        ]
        games = sum(manifest.games for manifest in manifests)
        block = plan.BLOCK_GAMES if config.cube is None else plan.CUBEFUL_BLOCK_GAMES
        size = plan.part_size(len(self._pairs), games, block)
        self._ranges = plan.part_ranges(len(self._pairs), size)
        for part in self._ranges:
            self._rows(part)  # raises any error before a result file is written

    def write(self, target: RunFolder, started: float) -> RunManifest:
        """Write all result files, and then the manifest."""
        first = self._manifests[0]
        sources = tuple(
            stage
            for manifest in self._manifests
            for stage in (manifest.combined or (manifest.stage(),))
        )
        digest = sealing.digest(
            b"combined", *sorted(one.digest.encode() for one in sources)
        )
        about = {
            "schema_version": schema.version_of(first.kind),
            "kind": first.kind,
            "combined": [stage.model_dump(mode="json") for stage in sources],
            "digest": digest,
        }
        metadata = {schema.METADATA_KEY: sealing.canonical_json(about)}
        target.prepare()
        parts: dict[str, PartEntry] = {}
        for index, part in enumerate(self._ranges):
            table = self._rows(part)
            sha256 = target.write_part(index, table.replace_schema_metadata(metadata))
            parts[schema.part_name(index)] = _entry(table, sha256)
        manifest = self._manifest(target, parts, sources, digest, started)
        target.write_manifest(manifest)
        target.tidy()
        return manifest

    def _manifest(
        self,
        target: RunFolder,
        parts: dict[str, PartEntry],
        sources: tuple[Stage, ...],
        digest: str,
        started: float,
    ) -> RunManifest:
        first = self._manifests[0]
        commit, dirty = provenance.commit()
        name = target.location.partition("?")[0].rstrip("/").rpartition("/")[2]
        changes: dict[str, Any] = {
            "run": name,
            "config": first.config | {"run": name},
            "digest": digest,
            "versions": provenance.versions(),
            "commit": commit,
            "dirty": dirty,
            "started": min(manifest.started for manifest in self._manifests),
            "finished": provenance.now(),
            "seconds": round(
                sum(each.seconds for each in self._manifests) + time.monotonic() - started,
                3,
            ),
            "games": sum(part.games for part in parts.values()),
            "pairs": len(self._pairs),
            "parts": parts,
            "history": (),
            "combined": sources,
        }
        return first.model_copy(update=changes)

    def _rows(self, part: slice) -> pa.Table:
        """Return the rows of one result file, for the games of all runs together."""
        pairs = self._pairs[part]
        total: Sums | None = None
        same: dict[str, NDArray[Any]] = {}
        played_by = [np.zeros(len(pairs), dtype=np.bool_) for _ in self._stored]
        for number, stored in enumerate(self._stored):
            for rows, places in stored.of(pairs):
                self._check_seeds(number, places, played_by, rows)
                played_by[number][places] = True
                here = self._summing.of_rows(rows)
                if total is None:
                    total = {
                        name: np.zeros((len(pairs), *column.shape[1:]), dtype=np.int64)
                        for name, column in here.items()
                    }
                before = {name: column[places] for name, column in total.items()}
                for name, column in add(before, here).items():
                    total[name][places] = column
                seen = np.any(played_by[:number], axis=0)[places] if number else None
                _take_same(same, rows, places, len(pairs), seen)
        assert total is not None
        same["pair"] = np.arange(part.start, part.stop)
        types = schema.outcome_schema(self._config.table.points, self._manifests[0].kind)
        return to_table({**same, **self._summing.columns(total)}, types)

    def _check_seeds(
        self,
        number: int,
        places: Int64Array,
        played_by: list[NDArray[np.bool_]],
        rows: pa.Table,
    ) -> None:
        """Raise an error if two runs contain the same games of a pair of positions."""
        for other in range(number):
            common = self._seeds[other] & self._seeds[number]
            twice = played_by[other][places]
            if common and twice.any():
                row = int(np.argmax(twice))
                raise RunError(
                    f"the runs {self._manifests[other].run} and "
                    f"{self._manifests[number].run} contain the same games of the pair "
                    f"{rows['roller'][row]} and {rows['opponent'][row]}, with the seed "
                    f"{min(common)}; combine runs with different seeds or pairs"
                )


def _all_pairs(stored: list[StoredRows]) -> Pairs:
    """Return all distinct pairs of positions of the runs, sorted; each has weight 1."""
    keys = np.unique(np.concatenate([one.keys() for one in stored]))
    return Pairs(keys >> 32, keys & 0xFFFFFFFF, np.ones(len(keys)))


def _take_same(
    same: dict[str, NDArray[Any]],
    rows: pa.Table,
    places: Int64Array,
    pairs: int,
    seen: NDArray[np.bool_] | None,
) -> None:
    """Copy a run's columns that do not depend on games; check that other runs agree."""
    for name in _SAME:
        column = rows[name].combine_chunks()
        if hasattr(column, "flatten"):
            values = column.flatten().to_numpy().reshape(len(rows), -1)
        else:
            values = column.to_numpy(zero_copy_only=False)
        if name not in same:
            same[name] = np.zeros((pairs, *values.shape[1:]), dtype=values.dtype)
        if seen is not None and seen.any():
            before = same[name][places[seen]]
            equal_nan = values.dtype.kind == "f"
            if not np.array_equal(before, values[seen], equal_nan=equal_nan):
                raise RunError(
                    f"the values in the column {name} differ between the runs for the same "
                    "pair; simulate all runs with the same configuration"
                )
        same[name][places] = values


def _entry(table: pa.Table, sha256: str) -> PartEntry:
    first, last = (
        (int(table["roller"][row].as_py()), int(table["opponent"][row].as_py()))
        for row in (0, -1)
    )
    games = int(table["games"].to_numpy().sum())
    return PartEntry(pairs=len(table), games=games, sha256=sha256, first=first, last=last)
