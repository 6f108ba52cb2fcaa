"""A run on disk: opened, checked and asked about its pairs.

Nothing but the manifest is read when a run is opened. It knows the first and the last pair
of every part, and pairs are sorted, so that a question about one pair reads one part.
Each part is compared with its SHA-256 before it is read.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearoff import (
    MatchEquities,
    Position,
    PositionError,
    Score,
    fewest_rolls_win_probability,
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
    """What a batch left behind; get one from `open_run`.

    Attributes
    ----------
    path : str
        Where it is, as it was asked for.
    manifest : RunManifest
        The whole of ``run.json``; see ``docs/simulation.md``.
    """

    path: str
    manifest: "RunManifest"
    _filesystem: "pafs.FileSystem"
    _root: str
    _snapshots: "Mapping[str, Snapshot]" = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The run's name in its config."""
        return self.manifest.run

    @property
    def kind(self) -> str:
        """What was done with the pairs, one of `sim.storage.schema.KINDS`."""
        return self.manifest.kind

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of its outcomes, in order."""
        return schema.COLUMNS[self.kind]

    @property
    def config(self) -> dict[str, Any]:
        """The effective config, defaults filled in."""
        return self.manifest.config

    @property
    def score(self) -> Score | None:
        """The score before the game; None for money play."""
        return None if self._match is None else self._match.before()

    @property
    def equities(self) -> MatchEquities:
        """The match equity table that the run was played by."""
        return (self._match and self._match.table) or match_equities()

    @cached_property
    def _match(self) -> "match.MatchConfig | None":
        from bearoff.sim.config import match

        asked = self.config.get("match")
        return None if asked is None else match.MatchConfig.model_validate(asked)

    @property
    def points(self) -> int:
        """Points of the positions that the run stores."""
        if self.kind == schema.ROLLOUTS:
            return schema.ROLLOUT_POINTS
        return int(self.config["table"]["points"])

    @property
    def checkers(self) -> int:
        """Checkers of a side, on the board and off."""
        return int(self.config["table"]["checkers"])

    @property
    def complete(self) -> bool:
        """Whether every game of the batch has been played."""
        return self.manifest.complete

    @property
    def in_progress(self) -> bool:
        """Whether a process of this machine plays the run, or writes to it.

        In a store nobody can tell: there it is until it is complete.
        """
        from bearoff.sim.storage import files

        return not self.complete and files.is_claimed(self._filesystem, self._root)

    @cached_property
    def parts(self) -> "dict[str, PartEntry]":
        """The parts by file name, in order; see ``docs/simulation.md``.

        Of a part that is being played there is what was written of it last.
        """
        shown = {name: snapshot.entry for name, snapshot in self._snapshots.items()}
        return dict(sorted((shown | self.manifest.parts).items()))

    @property
    def pairs(self) -> int:
        """Pairs that have games."""
        return sum(part.pairs for part in self.parts.values())

    @property
    def games(self) -> int:
        """Games that are stored."""
        return sum(part.games for part in self.parts.values())

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of its dice: one, or those of the runs it is combined of."""
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
        rows = (f"<tr><th>{k}</th><td>{escape(v)}</td></tr>" for k, v in cells.items())
        return f"<table>{''.join(rows)}</table>"

    def to_pandas(self, columns: list[str] | None = None) -> Any:
        """Return the pairs as a pandas DataFrame, a row each.

        Parameters
        ----------
        columns : list of str, optional
            Some of `columns`; all if not given.

        Raises
        ------
        RunError
            As for `table`; or if pandas is not installed.
        """
        table = self.table(columns)
        try:
            return table.to_pandas()
        except ModuleNotFoundError:
            raise RunError(
                "a data frame needs pandas: python -m pip install pandas; without it "
                "table() is a pyarrow Table, and polars.from_arrow(run.table()) a frame"
            ) from None

    def describe(self) -> str:
        """One line for people: name, pairs, games, seed, commit, and what is missing."""
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
                f"; incomplete, {share:.0%} of {self.manifest.games:,} {counted}, "
                f"{self.pairs:,} of {self.manifest.pairs:,} pairs"
            )
        return line

    def require(self, kind: str) -> None:
        """Refuse the run if it is of another kind.

        Raises
        ------
        RunError
            Naming both kinds.
        """
        if self.kind != kind:
            raise RunError(
                f"{self.path} is a run of kind {self.kind}, and this is asked of runs of "
                f"kind {kind}; bearoff analyze shows what it holds"
            )

    def table(self, columns: list[str] | None = None) -> "pa.Table":
        """Read columns of all pairs that have games, in the order of the run's pairs.

        Of an unfinished run the games of a pair are the first of those asked for.

        Parameters
        ----------
        columns : list of str, optional
            Some of `columns`; all of them if not given.

        Returns
        -------
        pyarrow.Table

        Raises
        ------
        RunError
            If there is no such column, or a part is missing or damaged.
        """
        import pyarrow as pa

        parts = list(self.tables(columns))
        empty = schema.outcome_schema(self.points, self.kind).empty_table()
        return pa.concat_tables(parts or [empty.select(columns or self.columns)])

    def tables(self, columns: list[str] | None = None) -> "Iterator[pa.Table]":
        """Read the parts one after the other, for runs larger than memory.

        Parameters
        ----------
        columns : list of str, optional
            Some of `columns`; all of them if not given.

        Yields
        ------
        pyarrow.Table
            The pairs of one part.

        Raises
        ------
        RunError
            If there is no such column, or a part is missing or damaged.
        """
        columns = list(self.columns) if columns is None else columns
        unknown = [name for name in columns if name not in self.columns]
        if unknown:
            raise RunError(
                f"outcomes have no column {unknown[0]!r}; they have "
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
        """Return what the run says about one pair, or None if it did not play it.

        Parameters
        ----------
        roller, opponent : Position, int or str
            The side on roll and the other: a position, its number, or any notation.
        confidence : float
            Confidence of the interval.

        Raises
        ------
        PositionError
            If a position is none of the run's table.
        RunError
            If a part is missing or damaged, or the run did not play plain races.
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
        # To take rows by number would load all of Arrow's functions first.
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
        """Read every part and compare its checksum with the manifest's.

        Raises
        ------
        RunError
            Naming every part that is missing or differs.
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
                f"the run's positions have {self.points} points and up to "
                f"{self.checkers} checkers, got {side}"
            )
        return side.number

    def _part_of(self, roller: int, opponent: int) -> str | None:
        """Return the name of the part whose range a pair falls into."""
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
        """Read columns of a part."""
        try:
            data = self._bytes(name)
        except DamagedPartError as damage:
            raise RunError(f"{self.path}: {damage}; {_REMEDY}") from damage
        rows = self.parts[name].pairs
        where = f"{self.path}: {name}"
        return read_part(data, columns, self.kind, self.points, self.checkers, rows, where)


_REMEDY = "simulate again: the same command plays it anew"


def open_run(path: str | Path) -> Run:
    """Open a run's folder, whether it is finished, being played or interrupted.

    Parameters
    ----------
    path : str or Path
        The folder that holds ``run.json``, or its URI (``s3://bucket/results/run``).

    Raises
    ------
    RunError
        If there is no run, its manifest is damaged, or another version wrote it.
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
        raise RunError("a folder needs a name, got none; give . for the working folder")
    try:
        filesystem, root = files.open_folder(str(path))
        root = root.rstrip("/")
        manifest = read_manifest(filesystem, root)
        shown = {} if manifest is None else read_snapshots(filesystem, root, manifest)
    except NotADirectoryError:
        manifest = None
    except OtherVersionError as error:
        raise RunError(
            f"{path} was written with schema version {error.found}, this program reads "
            f"{error.known}; simulate again, or use the program that wrote it"
        ) from error
    except ManifestError as error:
        raise RunError(f"{path}/{schema.MANIFEST} is damaged: {error}") from error
    except (OSError, pa.ArrowException) as error:
        raise RunError(f"cannot open {path}: {str(error).splitlines()[0]}") from error
    if manifest is None:
        raise RunError(
            f"there is no run at {path}: {schema.MANIFEST} is missing; give the folder "
            f"that `bearoff simulate` names when it has finished"
        )
    return Run(str(path), manifest, filesystem, root, shown)
