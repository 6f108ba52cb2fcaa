"""Record of a run: its manifest, which lists the result files."""

import time
import warnings
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bearoff.runtime import processor
from bearoff.sim.config import SURROUNDINGS, BatchConfig
from bearoff.sim.engine import worker_count
from bearoff.sim.runs.earlier import EarlierGames
from bearoff.sim.runs.folder import RunFolder
from bearoff.sim.runs.work import Work
from bearoff.sim.storage import (
    PartEntry,
    PartNote,
    RunError,
    RunManifest,
    Stage,
    provenance,
    schema,
)
from bearoff.storage import sealing

if TYPE_CHECKING:
    import pyarrow as pa


class RunRecord:
    """Manifest of a run, which is updated while the run is simulated.

    Parameters
    ----------
    ranges : list of slice
        Slice of the run's pairs for each result file.
    """

    def __init__(
        self,
        config: BatchConfig,
        work: Work,
        folder: RunFolder,
        ranges: list[slice],
        games: int,
    ) -> None:
        self._started = time.monotonic()
        self._config = config
        self._work = work
        self._folder = folder
        self._ranges = ranges
        self._games = games
        self.digest = sealing.digest(
            sealing.canonical_json(config.identity()), *work.inputs()
        )
        self.parts: dict[str, PartEntry] = {}

    def open(self) -> bool:
        """Start or resume the run, and return whether it is complete.

        If the stored run has only some of the games, its results are moved to a subfolder
        and extended.
        """
        earlier = self._folder.manifest()
        if earlier is not None:
            if earlier.digest != self.digest and self._extends(earlier):
                self._extend(earlier)
                return False
            if earlier.digest != self.digest:
                raise RunError(
                    f"{self._folder.location} contains a run with another "
                    f"configuration{_difference(earlier, self._manifest)}; change the key "
                    "run, or remove that folder"
                )
            self.parts = self._sound_parts(earlier)
            if earlier.complete and len(self.parts) == len(self._ranges):
                return True
            self._warn_of_other_code(earlier)
            self._go_on_from(earlier, earlier.history)
        return False

    def _extends(self, earlier: RunManifest) -> bool:
        """Return whether the run extends a stored run by more games or more pairs."""
        apart = differences(earlier, self._manifest)
        return (
            earlier.kind == self._work.kind != schema.ROLLOUTS
            and not earlier.combined
            and all(path.startswith(_MAY_GROW) for path in apart)
        )

    def _extend(self, earlier: RunManifest) -> None:
        stage = earlier.stage()
        sound = {
            name: entry
            for name, entry in earlier.parts.items()
            if self._folder.part_digest(name) == entry.sha256
        }
        earlier = earlier.model_copy(update={"parts": sound})
        snapshots = self._folder.snapshots(earlier)
        if sound or snapshots:
            layers = [*self._folder.earlier(), self._folder.stored(earlier, snapshots)]
            found = EarlierGames(layers, self._work.summing)
            try:
                found.check(self._work.pairs, self._ranges, self._work.games)
            except RunError as error:
                raise RunError(
                    f"{self._folder.location} contains a run with another configuration: "
                    f"{error}; change the key run, or remove that folder"
                ) from None
            self._folder.set_aside(earlier, snapshots)
        self._warn_of_other_code(earlier)
        self._go_on_from(earlier, (*earlier.history, stage))

    def _go_on_from(self, earlier: RunManifest, history: tuple[Stage, ...]) -> None:
        resumed = {
            "started": earlier.started,
            "seconds": earlier.seconds,
            "history": history,
        }
        self._manifest = self._manifest.model_copy(update=resumed)

    def save(self, **changes: Any) -> None:
        """Write the manifest with the current result files, duration and given changes."""
        current = {"parts": self.parts, "seconds": self._seconds()}
        self._folder.write_manifest(self._manifest.model_copy(update=current | changes))

    def finish(self) -> None:
        self.parts = dict(sorted(self.parts.items()))
        self.save(finished=provenance.now(), complete=True)

    def store(self, index: int, pairs: slice, table: "pa.Table") -> None:
        """Write a result file and, separately, the entry for it in the manifest."""
        first, last = (
            (int(table["roller"][row].as_py()), int(table["opponent"][row].as_py()))
            for row in (0, -1)
        )
        sha256 = self._folder.write_part(index, self._described(table))
        entry = PartEntry(
            pairs=pairs.stop - pairs.start,
            games=self._games_of(pairs),
            sha256=sha256,
            first=first,
            last=last,
        )
        name = schema.part_name(index)
        note = PartNote(digest=self.digest, name=name, part=entry, seconds=self._seconds())
        self._folder.write_note(index, note)
        self.parts[name] = entry

    def snapshot(self, index: int, table: "pa.Table") -> None:
        self._folder.write_snapshot(index, self._described(table), self.digest)

    def _described(self, table: "pa.Table") -> "pa.Table":
        about = {schema.METADATA_KEY: sealing.canonical_json(self._metadata)}
        return table.replace_schema_metadata(about)

    @cached_property
    def _metadata(self) -> dict[str, Any]:
        """Metadata of every result file, independent of the machine and the time."""
        return {
            "schema_version": schema.version_of(self._work.kind),
            "kind": self._work.kind,
            "config": self._config.identity(),
            "digest": self.digest,
            "seed": self._config.seed,
        }

    @cached_property
    def _manifest(self) -> RunManifest:
        config, (commit, dirty) = self._config, provenance.commit()
        # With a dask scheduler, the number of workers may change during a run. The manifest
        # therefore records the requested number.
        workers = config.workers
        if config.scheduler is None:
            workers = worker_count(workers)
        return RunManifest(
            schema_version=schema.version_of(self._work.kind),
            kind=self._work.kind,
            config=config.effective(),
            digest=self.digest,
            strategies=dict(self._work.strategies),
            seed=config.seed,
            versions=provenance.versions(),
            commit=commit,
            run=config.run,
            dirty=dirty,
            cpu=processor(),
            workers=workers,
            backend=config.backend,
            started=provenance.now(),
            finished=None,
            seconds=0.0,
            games=self._games,
            pairs=len(self._work.games),
            complete=False,
            parts={},
        )

    def _sound_parts(self, earlier: RunManifest) -> dict[str, PartEntry]:
        """Return the result files whose size and checksum agree with the manifest."""
        sound = {}
        for index, pairs in enumerate(self._ranges):
            name = schema.part_name(index)
            entry = earlier.parts.get(name)
            if entry is not None:
                found = {
                    "pairs": pairs.stop - pairs.start,
                    "games": self._games_of(pairs),
                    "sha256": self._folder.part_digest(name),
                }
                if entry == entry.model_copy(update=found):
                    sound[name] = entry
        return sound

    def _warn_of_other_code(self, earlier: RunManifest) -> None:
        """Log a warning if the stored run was started with another version of the code."""
        before, after = (
            {"commit": str(each.commit)[:10], **each.versions}
            for each in (earlier, self._manifest)
        )
        other = [key for key in after if before.get(key) != after[key]]
        if other:
            begun, now = (
                ", ".join(f"{key} {each.get(key)}" for key in other)
                for each in (before, after)
            )
            warnings.warn(
                f"the run in {self._folder.location} was started with {begun} and is "
                f"continued with {now}; only the same code gives identical results",
                RuntimeWarning,
                stacklevel=5,
            )

    def _games_of(self, pairs: slice) -> int:
        return int(self._work.games[pairs].sum())

    def _seconds(self) -> float:
        return round(self._manifest.seconds + time.monotonic() - self._started, 3)


def _difference(earlier: RunManifest, now: RunManifest) -> str:
    """Describe the difference between two runs, for the end of an error message."""
    if earlier.combined:
        return (
            ": the stored run was combined from other runs; extend these runs, and combine "
            "them again"
        )
    apart = differences(earlier, now)
    grows = all(path.startswith(_MAY_GROW) for path in apart)
    why = f"; {NOT_ADDED}" if earlier.kind == now.kind == schema.ROLLOUTS and grows else ""
    return (tell(apart) or ": the pairs of positions are different") + why


def tell(
    apart: dict[str, tuple[Any, Any]],
    wording: str = "{name} was {one}, and is now {other}",
) -> str:
    """Describe the first difference between two manifests, for an error message."""
    for path, (was, is_now) in apart.items():
        if any(len(str(value)) > _SHORT for value in (was, is_now)):
            return f": {path} differs"
        return ": " + wording.format(name=path, one=was, other=is_now)
    return ""


def differences(earlier: RunManifest, now: RunManifest) -> dict[str, tuple[Any, Any]]:
    """Return both values of each setting that differs between two manifests."""
    before, after = (_leaves(each) for each in (earlier, now))
    paths = sorted({**before, **after}, key=lambda path: path.startswith(_MAY_GROW))
    both = ((path, (before.get(path), after.get(path))) for path in paths)
    return {path: (was, is_now) for path, (was, is_now) in both if was != is_now}


_MAY_GROW = ("games", "standard_error", "pairs")
"""Keys of the configuration whose values may change when a run is extended."""

NOT_ADDED = (
    "rollouts store estimates with their errors, not counts of games that add up, so a run "
    "of rollouts is neither extended nor combined"
)
"""Reason why runs of rollouts cannot be extended or combined, for error messages."""

PLAYED_WITH = (*_MAY_GROW, "seed")
"""Keys of the configuration whose values may differ between runs that are combined."""


def _leaves(manifest: RunManifest) -> dict[str, Any]:
    """Return the settings in a manifest that determine the results, by path of the key."""
    config = {k: v for k, v in manifest.config.items() if k not in _NOT_COMPARED}
    found: dict[str, Any] = {}

    def add(path: str, value: Any) -> None:
        items: Iterable[tuple[object, Any]] = ()
        if isinstance(value, dict):
            items = value.items()
        elif isinstance(value, list):
            items = enumerate(value)
        else:
            found[path] = value
        for key, item in items:
            add(f"{path}.{key}" if path else str(key), item)

    add("", config)
    add("cube strategy", manifest.strategies)
    return found


_NOT_COMPARED = (*SURROUNDINGS, "formulas")
"""Keys of the configuration that may differ when a run is resumed, extended or combined.
Formulas are compared by their contents in `strategies`."""

_SHORT = 40
"""Maximum number of characters of a value that an error message quotes."""
