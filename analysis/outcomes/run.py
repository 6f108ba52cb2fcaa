"""Stored simulation runs: opening a run, checking its files, finding pairs of positions.

Opening a run reads only its manifest, which lists the first and last pair of every result
file. The pairs are sorted, so finding one pair reads one file. The SHA-256 checksum of a
file is checked before its use.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearoff import (
    MatchEquities,
    Position,
    PositionError,
    Score,
    fewest_rolls_win_probability,
    html,
    match_equities,
)
from bearoff.analysis.errors import RunError
from bearoff.analysis.outcomes.intervals import CONFIDENCE, WinEstimate
from bearoff.analysis.outcomes.parts import DamagedPartError, part_bytes, read_part
from bearoff.sim.storage import schema

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.fs as pafs

    from bearoff.sim.config import match
    from bearoff.sim.storage import PartEntry, RunManifest, Snapshot


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """Stored results of a simulation run.

    Attributes
    ----------
    path : str
        Folder or URI of the run, as given by the caller.
    manifest : RunManifest
        Content of ``run.json``; see ``docs/batches.md``.
    """

    path: str
    manifest: "RunManifest"
    _filesystem: "pafs.FileSystem"
    _root: str
    _snapshots: "Mapping[str, Snapshot]" = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the run in its configuration."""
        return self.manifest.run

    @property
    def kind(self) -> str:
        """Type of the run, one of `sim.storage.schema.KINDS`."""
        return self.manifest.kind

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns in the result files, in order."""
        return schema.COLUMNS[self.kind]

    @property
    def config(self) -> dict[str, Any]:
        """Configuration of the run, with defaults filled in."""
        return self.manifest.config

    @property
    def score(self) -> Score | None:
        """Match score before each game of the run; None for money play."""
        return None if self._match is None else self._match.before()

    @property
    def equities(self) -> MatchEquities:
        """Match equity table used by the run."""
        return (self._match and self._match.table) or match_equities()

    @cached_property
    def _match(self) -> "match.MatchConfig | None":
        from bearoff.sim.config import match

        asked = self.config.get("match")
        return None if asked is None else match.MatchConfig.model_validate(asked)

    @property
    def points(self) -> int:
        """Number of points of the board in stored positions."""
        if self.kind == schema.ROLLOUTS:
            return schema.ROLLOUT_POINTS
        return int(self.config["table"]["points"])

    @property
    def checkers(self) -> int:
        """Number of checkers per side, including checkers that were borne off."""
        return int(self.config["table"]["checkers"])

    @property
    def complete(self) -> bool:
        """Whether all games of the batch have been simulated."""
        return self.manifest.complete

    @property
    def in_progress(self) -> bool:
        """Whether a process on this machine is currently writing results to the run.

        For a run in an object store, writing cannot be detected. The value is then true
        until the run is complete.
        """
        from bearoff.sim.storage import files

        return not self.complete and files.is_claimed(self._filesystem, self._root)

    @cached_property
    def parts(self) -> "dict[str, PartEntry]":
        """Result files by file name, in order; see ``docs/batches.md``.

        An unfinished part is represented by its latest snapshot.
        """
        shown = {name: snapshot.entry for name, snapshot in self._snapshots.items()}
        return dict(sorted((shown | self.manifest.parts).items()))

    @property
    def pairs(self) -> int:
        """Number of pairs of positions with at least one game."""
        return sum(part.pairs for part in self.parts.values())

    @property
    def games(self) -> int:
        """Number of games in the result files."""
        return sum(part.games for part in self.parts.values())

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of the dice: one, or several if the run was combined from other runs."""
        combined = {each.seed for each in self.manifest.combined}
        return tuple(sorted(combined)) or (self.manifest.seed,)

    def __repr__(self) -> str:
        return f"<Run {self.path!r}: {self.describe()}>"

    def _repr_html_(self) -> str:
        cells = {
            "run": self.path,
            "kind": self.kind,
            "pairs": f"{self.pairs:,}",
            "games": f"{self.games:,}",
            "seeds": ", ".join(map(str, self.seeds)),
            "complete": "yes" if self.complete else "no",
            "columns": ", ".join(self.columns),
        }
        return html.facts(cells)

    def to_pandas(self, columns: list[str] | None = None) -> Any:
        """Return the results as a pandas DataFrame, with one row per pair of positions.

        Parameters
        ----------
        columns : list of str, optional
            Names of the columns to read, from `Run.columns`; by default all of them.

        Raises
        ------
        RunError
            If `table` raises this error, or pandas is not installed.
        """
        table = self.table(columns)
        try:
            return table.to_pandas()
        except ModuleNotFoundError:
            raise RunError(
                "a data frame needs pandas: python -m pip install pandas. Without pandas, "
                "table() returns a pyarrow Table, which polars.from_arrow also accepts"
            ) from None

    def describe(self) -> str:
        """Describe the run in one line: pairs, games, seeds and commit."""
        commit = (self.manifest.commit or "unknown")[:10]
        dirty = " with uncommitted changes" if self.manifest.dirty else ""
        counted = "rollouts" if self.kind == schema.ROLLOUTS else "games"
        line = (
            f"run {self.name}: {self.pairs:,} pair{'s' * (self.pairs != 1)}, "
            f"{self.games:,} {counted}, "
            f"seed{'s' * (len(self.seeds) > 1)} {', '.join(map(str, self.seeds))}, "
            f"commit {commit}{dirty}"
        )
        if not self.complete:
            share = self.games / self.manifest.games
            line += (
                f"; the run is incomplete and has {share:.0%} of "
                f"{self.manifest.games:,} {counted} "
                f"and {self.pairs:,} of {self.manifest.pairs:,} pairs"
            )
            if self.pairs < self.manifest.pairs:
                line += (
                    "; the finished pairs mostly have low roller numbers, and are not a "
                    "random sample"
                )
        return line

    def require(self, kind: str) -> None:
        """Raise an error unless the run has a given type.

        Raises
        ------
        RunError
            If the run has another type; the message names both types.
        """
        if self.kind != kind:
            raise RunError(
                f"{self.path} is a run of kind {self.kind}, but this command requires a "
                f"run of kind {kind}; bearoff analyze shows the contents of any run"
            )

    def table(self, columns: list[str] | None = None) -> "pa.Table":
        """Read columns of the results, for all pairs of positions that have games.

        In an unfinished run, some games of a pair may still be missing.

        Parameters
        ----------
        columns : list of str, optional
            Names of the columns to read, from `Run.columns`; by default all of them.

        Returns
        -------
        pyarrow.Table

        Raises
        ------
        RunError
            If a column does not exist, or a part is missing or damaged.
        """
        import pyarrow as pa

        parts = list(self.tables(columns))
        empty = schema.outcome_schema(self.points, self.kind).empty_table()
        return pa.concat_tables(parts or [empty.select(columns or self.columns)])

    def tables(self, columns: list[str] | None = None) -> "Iterator[pa.Table]":
        """Read the result files one at a time, for runs larger than memory.

        Parameters
        ----------
        columns : list of str, optional
            Names of the columns to read, from `Run.columns`; by default all of them.

        Yields
        ------
        pyarrow.Table
            Results of the pairs in one file.

        Raises
        ------
        RunError
            If a column does not exist, or a part is missing or damaged.
        """
        columns = list(self.columns) if columns is None else columns
        unknown = [name for name in columns if name not in self.columns]
        if unknown:
            raise RunError(
                f"unknown column {unknown[0]!r}; the outcomes have "
                f"{', '.join(self.columns)}"
            )
        for name in self.parts:
            yield self._read(name, columns)

    def estimate(
        self,
        roller: Position | int | str,
        opponent: Position | int | str,
        confidence: float = CONFIDENCE,
    ) -> WinEstimate | None:
        """Return a pair of positions' estimated win probability; None without such a pair.

        Parameters
        ----------
        roller, opponent : Position, int or str
            Position, position number or notation of the roller and of the opponent.
        confidence : float
            Confidence level of the interval.

        Raises
        ------
        PositionError
            If a position is not in the run's table.
        RunError
            If a part is missing or damaged, or the run is not of races without a cube.
        """
        self.require(schema.RACES)
        x, y = self._number(roller), self._number(opponent)
        name = self._part_of(x, y)
        if name is None:
            return None
        counted = ["wins", "games", "gammons_won", "gammons_lost"]
        part = self._read(name, ["roller", "opponent", *counted, "expected"])
        found = (part["roller"].to_numpy() == x) & (part["opponent"].to_numpy() == y)
        if not found.any():
            return None
        # `Table.take` would load all of Arrow's compute functions, so the row is read by a
        # slice.
        row = part.slice(int(found.argmax()), 1).to_pylist()[0]
        return WinEstimate.from_games(
            wins=row["wins"],
            games=row["games"],
            expected=row["expected"],
            fewest_rolls=float(
                fewest_rolls_win_probability(x, y, self.points, self.checkers)
            ),
            confidence=confidence,
            gammons=(row["gammons_won"], row["gammons_lost"]),
        )

    def verify(self) -> None:
        """Read every result file, and compare its checksum with the manifest.

        Raises
        ------
        RunError
            If result files are missing or differ; the message names all of them.
        """
        bad = []
        for name in self.parts:
            try:
                self._bytes(name)
            except DamagedPartError as damage:
                bad.append(str(damage))
        if bad:
            raise RunError(f"{self.path}: {'; '.join(bad)}; {_REMEDY}")

    def _number(self, side: Position | int | str) -> int:
        if isinstance(side, int):
            side = Position.from_number(side, self.points, self.checkers)
        elif isinstance(side, str):
            side = Position.parse(side, self.points, self.checkers)
        if side.points != self.points or side.on_board > self.checkers:
            raise PositionError(
                f"positions of the run must have at most {self.points} points and "
                f"{self.checkers} checkers, got {side}"
            )
        return side.number

    def _part_of(self, roller: int, opponent: int) -> str | None:
        """Return the name of the result file that may contain a pair of positions."""
        names = list(self.parts)
        pair = roller, opponent
        at = bisect_left(names, pair, key=lambda name: self.parts[name].last)
        if at == len(names) or pair < self.parts[names[at]].first:
            return None
        return names[at]

    def _bytes(self, name: str) -> bytes:
        if name in self._snapshots:
            return self._snapshots[name].data
        return part_bytes(
            self._filesystem,
            f"{self._root}/{schema.OUTCOMES}/{name}",
            self.parts[name].sha256,
        )

    def _read(self, name: str, columns: list[str]) -> "pa.Table":
        try:
            data = self._bytes(name)
        except DamagedPartError as damage:
            raise RunError(f"{self.path}: {damage}; {_REMEDY}") from damage
        rows = self.parts[name].pairs
        where = f"{self.path}: {name}"
        return read_part(data, columns, self.kind, self.points, self.checkers, rows, where)


_REMEDY = "run the same simulation again to replace it"


def open_run(path: str | Path) -> Run:
    """Open a stored simulation run, whether or not it is finished.

    Parameters
    ----------
    path : str or Path
        Folder that contains ``run.json``, or its URI (``s3://bucket/results/run``).

    Raises
    ------
    RunError
        If there is no run, its manifest is damaged, or its schema version differs.
    """
    import pyarrow as pa

    from bearoff.sim.storage import (
        ManifestError,
        OtherVersionError,
        files,
        read_manifest,
        read_snapshots,
    )

    if not str(path):
        raise RunError("the folder name is empty; use '.' for the current directory")
    try:
        filesystem, root = files.open_folder(str(path))
        root = root.rstrip("/")
        manifest = read_manifest(filesystem, root)
        shown = {} if manifest is None else read_snapshots(filesystem, root, manifest)
    except NotADirectoryError:
        manifest = None
    except OtherVersionError as error:
        raise RunError(
            f"{path} was written with schema version {error.found}, but this program reads "
            f"version {error.known}; simulate again, or use the program that wrote it"
        ) from error
    except ManifestError as error:
        raise RunError(f"{path}/{schema.MANIFEST} is damaged: {error}") from error
    except (OSError, pa.ArrowException) as error:
        raise RunError(f"cannot open {path}: {str(error).splitlines()[0]}") from error
    if manifest is None:
        raise RunError(
            f"no run found at {path}: {schema.MANIFEST} is missing; use the folder that "
            "`bearoff simulate` printed"
        )
    return Run(str(path), manifest, filesystem, root, shown)
