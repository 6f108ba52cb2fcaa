"""A run on disk: opened, checked and asked about its pairs.

Nothing but the manifest is read when a run is opened. Questions go to the Parquet parts
with the columns and the filter they need, so that a run larger than memory answers too.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import RunError
from analysis.estimates import WinEstimate
from analysis.intervals import CONFIDENCE
from bearoff import Position, PositionError, fewest_rolls_win_probability
from sim.schema import (
    COLUMNS,
    KINDS,
    MANIFEST,
    OUTCOMES,
    RACES,
    ROLLOUT_POINTS,
    ROLLOUTS,
    SCHEMA_VERSION,
    outcome_schema,
)

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.dataset as pads
    import pyarrow.fs as pafs


@dataclass(frozen=True, eq=False)
class Run:
    """What a batch left behind; get one from `open_run`.

    Attributes
    ----------
    path : str
        Where it is, as it was asked for.
    manifest : dict
        The whole of ``run.json``; see ``docs/outcomes.md``.
    """

    path: str
    manifest: dict[str, Any]
    _filesystem: "pafs.FileSystem"
    _root: str

    @property
    def name(self) -> str:
        """The run's name in its config."""
        return str(self.manifest["run"])

    @property
    def kind(self) -> str:
        """What was done with the pairs, one of `sim.schema.KINDS`."""
        return str(self.manifest["kind"])

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of its outcomes, in order."""
        return COLUMNS[self.kind]

    @property
    def config(self) -> dict[str, Any]:
        """The effective config, defaults filled in."""
        config: dict[str, Any] = self.manifest["config"]
        return config

    @property
    def points(self) -> int:
        """Points of the positions that the run stores."""
        if self.kind == ROLLOUTS:
            return ROLLOUT_POINTS
        return int(self.config["table"]["points"])

    @property
    def checkers(self) -> int:
        """Checkers of a side, on the board and off."""
        return int(self.config["table"]["checkers"])

    @property
    def complete(self) -> bool:
        """Whether every pair of the batch has been played out."""
        return bool(self.manifest["complete"])

    @property
    def parts(self) -> dict[str, dict[str, Any]]:
        """The finished parts by file name: pairs, games and SHA-256 of each."""
        parts: dict[str, dict[str, Any]] = self.manifest["parts"]
        return dict(sorted(parts.items()))

    @property
    def pairs(self) -> int:
        """Pairs in the finished parts."""
        return sum(int(part["pairs"]) for part in self.parts.values())

    @property
    def games(self) -> int:
        """Games in the finished parts."""
        return sum(int(part["games"]) for part in self.parts.values())

    def describe(self) -> str:
        """One line for people: name, pairs, games, seed, commit, and what is missing."""
        commit = str(self.manifest.get("commit") or "unknown")[:10]
        dirty = " with uncommitted changes" if self.manifest.get("dirty") else ""
        counted = "rollouts" if self.kind == ROLLOUTS else "games"
        line = (
            f"run {self.name}: {self.pairs:,} pairs, {self.games:,} {counted}, "
            f"seed {self.manifest['seed']}, commit {commit}{dirty}"
        )
        if not self.complete:
            line += f"; incomplete, {self.pairs:,} of {self.manifest['pairs']:,} pairs"
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
        """Read columns of all finished pairs, in the order of the run's pairs.

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
        columns = list(self.columns) if columns is None else columns
        unknown = [name for name in columns if name not in self.columns]
        if unknown:
            raise RunError(
                f"outcomes have no column {unknown[0]!r}; they have "
                f"{', '.join(self.columns)}"
            )
        with self._reading():
            return self._dataset.to_table(columns=columns)

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
        import pyarrow.dataset as pads

        self.require(RACES)
        x, y = self._number(roller), self._number(opponent)
        with self._reading():
            rows = self._dataset.to_table(
                columns=["wins", "games", "expected"],
                filter=(pads.field("roller") == x) & (pads.field("opponent") == y),
            ).to_pylist()
        if not rows:
            return None
        return WinEstimate.from_games(
            wins=sum(row["wins"] for row in rows),
            games=sum(row["games"] for row in rows),
            expected=rows[0]["expected"],
            fewest_rolls=float(
                fewest_rolls_win_probability(x, y, self.points, self.checkers)
            ),
            confidence=confidence,
        )

    def verify(self) -> None:
        """Read every part and compare its checksum with the manifest's.

        Raises
        ------
        RunError
            Naming every part that is missing or differs.
        """
        bad = []
        for name, part in self.parts.items():
            digest = hashlib.sha256()
            try:
                with self._filesystem.open_input_stream(self._part(name)) as stream:
                    while block := stream.read(1 << 20):
                        digest.update(block)
            except OSError:
                bad.append(f"{name} cannot be read")
                continue
            if digest.hexdigest() != part["sha256"]:
                bad.append(f"{name} is not what was written")
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

    def _part(self, name: str) -> str:
        return f"{self._root}/{OUTCOMES}/{name}"

    @cached_property
    def _dataset(self) -> "pads.Dataset":
        import pyarrow.dataset as pads

        return pads.dataset(
            [self._part(name) for name in self.parts],
            schema=outcome_schema(self.points, self.kind),
            format="parquet",
            filesystem=self._filesystem,
        )

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn Arrow's errors while reading parts into one sentence."""
        import pyarrow as pa

        try:
            yield
        except (OSError, pa.ArrowException) as error:
            reason = str(error).splitlines()[0]
            raise RunError(f"{self.path}: cannot read: {reason}; {_REMEDY}") from error


_REMEDY = "delete the part and simulate again: the same command makes it anew"


def open_run(path: str | Path) -> Run:
    """Open a run's folder.

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
    import pyarrow.fs as pafs

    try:
        if "://" in str(path):
            filesystem, root = pafs.FileSystem.from_uri(str(path))
        else:
            filesystem, root = pafs.LocalFileSystem(), Path(path).absolute().as_posix()
        root = root.rstrip("/")
        with filesystem.open_input_stream(f"{root}/{MANIFEST}") as stream:
            text = stream.read()
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(
            f"there is no run at {path}: {MANIFEST} is missing; give the folder that "
            f"`bearoff simulate` names when it has finished"
        ) from None
    except (OSError, pa.ArrowException) as error:
        raise RunError(f"cannot open {path}: {str(error).splitlines()[0]}") from error
    return Run(str(path), _check_manifest(text, path), filesystem, root)


def _check_manifest(text: bytes, path: str | Path) -> dict[str, Any]:
    try:
        manifest = json.loads(text)
        version = manifest["schema_version"]
    except (ValueError, KeyError, TypeError):
        raise RunError(
            f"{path}/{MANIFEST} is damaged: it is no manifest of a run"
        ) from None
    if version != SCHEMA_VERSION:
        raise RunError(
            f"{path} was written with schema version {version}, this program reads "
            f"{SCHEMA_VERSION}; simulate again, or use the program that wrote it"
        )
    needed = ("kind", "run", "config", "seed", "games", "pairs", "complete", "parts")
    missing = [key for key in needed if key not in manifest]
    if missing:
        raise RunError(f"{path}/{MANIFEST} is damaged: it lacks {', '.join(missing)}")
    if manifest["kind"] not in KINDS:
        raise RunError(
            f"{path} is a run of kind {manifest['kind']!r}, this program reads "
            f"{', '.join(KINDS)}; use the program that wrote it"
        )
    checked: dict[str, Any] = manifest
    return checked
