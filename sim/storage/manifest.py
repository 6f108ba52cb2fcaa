"""Manifest of a run, and entries that are stored separately until the run is finished.

Manifest and entries are JSON files with a checksum. The manifest is written when a run
begins and when it ends. In between, the entry of each finished result file is stored as a
separate file, a *note*. Rewriting the manifest each time would cost more with every result
file.
"""

import json
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from bearoff import CHECKERS
from bearoff.errors import printable
from bearoff.sim.storage.errors import ManifestError, OtherVersionError
from bearoff.sim.storage.files import read
from bearoff.sim.storage.schema import (
    KINDS,
    MANIFEST,
    NOTES,
    PART_NAME,
    ROLLOUT_POINTS,
    SCHEMA_VERSION,
    version_of,
)
from bearoff.storage import sealing

if TYPE_CHECKING:
    from pyarrow import fs

_LONGEST_SHOWN = 60
"""Maximum number of characters of a value that an error message quotes."""

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
PartName = Annotated[str, Field(pattern=f"^{PART_NAME}$")]
Count = Annotated[int, Field(ge=0)]
Pair = Annotated[tuple[int, int], Field(strict=False)]


class _Record(BaseModel):
    """JSON object with fixed keys and types, protected by a checksum."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    def to_bytes(self) -> bytes:
        return sealing.sealed_json(self.model_dump(mode="json"))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Parse JSON text after verifying its checksum."""
        try:
            content = sealing.unsealed_json(data)
        except ValueError as error:
            raise ManifestError(str(error)) from error
        try:
            known = version_of(str(content.get("kind")))
            if content.get("schema_version", known) != known:
                raise OtherVersionError(content["schema_version"], known)
            return cls.model_validate(content)
        except ValidationError as error:
            raise ManifestError(_first_problem(error)) from error


class PartEntry(_Record):
    """Entry of a result file (part) in the manifest.

    Attributes
    ----------
    pairs, games : int
        Numbers of pairs and of games in the file.
    sha256 : str
        SHA-256 digest of the file.
    first, last : tuple of int
        Position numbers (roller, opponent) of the first and the last pair in the file.
    """

    pairs: Count
    games: Count
    sha256: Sha256
    first: Pair
    last: Pair


class PartNote(_Record):
    """Manifest entry of a result file, stored separately until the run is finished.

    Attributes
    ----------
    schema_version : int
        Version of the storage format.
    digest : str
        Digest of the settings, pairs and strategies that determine the games of the run.
    name : str
        Name of the result file.
    part : PartEntry
        Manifest entry of the result file.
    seconds : float
        Duration of the run until now, in seconds.
    """

    schema_version: int = SCHEMA_VERSION
    digest: Sha256
    name: PartName
    part: PartEntry
    seconds: float


class Stage(_Record):
    """Earlier state of an extended run, or one of several runs that were combined.

    Attributes
    ----------
    run : str
        Name of the run.
    digest : str
        Digest of the settings, pairs and strategies that determine the games of the run.
    seed, pairs, games : int
        Seed, number of pairs and number of games.
    started : str
        Time at which the run was started, in UTC.
    commit : str or None
        Commit of the code that last simulated the run; None if unknown.
    """

    run: str
    digest: Sha256
    seed: Count
    pairs: Count
    games: Count
    started: str
    commit: str | None


class RunManifest(_Record):
    """Manifest of a run; docs/batches.md describes its keys."""

    schema_version: int = SCHEMA_VERSION
    kind: str
    config: dict[str, Any]
    digest: Sha256
    strategies: dict[str, dict[str, Any]] = Field(default_factory=dict)
    seed: Count
    versions: dict[str, str]
    commit: str | None
    run: str
    dirty: bool | None
    cpu: str
    workers: int | str
    backend: str
    started: str
    finished: str | None
    seconds: float
    games: Count
    pairs: Count
    complete: bool
    parts: dict[PartName, PartEntry]
    history: Annotated[tuple[Stage, ...], Field(strict=False)] = ()
    combined: Annotated[tuple[Stage, ...], Field(strict=False)] = ()

    def stage(self) -> Stage:
        """Return the summary of this run for the manifest of an extended run."""
        return Stage(
            run=self.run,
            digest=self.digest,
            seed=self.seed,
            pairs=sum(part.pairs for part in self.parts.values()),
            games=sum(part.games for part in self.parts.values()),
            started=self.started,
            commit=self.commit,
        )

    @field_validator("kind")
    @classmethod
    def _is_one_of_them(cls, kind: str) -> str:
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}")
        return kind

    @field_validator("config")
    @classmethod
    def _has_a_table(cls, config: dict[str, Any]) -> dict[str, Any]:
        limits = {"points": ROLLOUT_POINTS, "checkers": CHECKERS}
        table = config.get("table")
        for key, most in limits.items():
            value = table.get(key) if isinstance(table, dict) else None
            if type(value) is not int or not 1 <= value <= most:
                raise ValueError(f"table.{key} must be a whole number from 1 to {most}")
        return config


def read_manifest(filesystem: "fs.FileSystem", folder: str) -> RunManifest | None:
    """Read the manifest of a run; if it is unfinished, add the separately stored entries.

    Parameters
    ----------
    filesystem, folder
        Filesystem, and path of the run's folder.

    Returns
    -------
    RunManifest or None
        Manifest of the run; None if there is no manifest.

    Raises
    ------
    ManifestError
        If the manifest is damaged or has another schema version.
    OSError
        If the manifest exists but cannot be read.
    """
    path = f"{folder}/{MANIFEST}"
    manifest = _read(filesystem, path)
    if manifest is None or manifest.complete:
        return manifest
    notes = _notes(filesystem, folder, manifest.digest)
    if notes is None:
        # Without notes, no result file is complete, or another process has just finished
        # the run. The manifest is therefore read again.
        return _read(filesystem, path)
    return manifest.model_copy(
        update={
            "parts": manifest.parts | {note.name: note.part for note in notes},
            "seconds": max([manifest.seconds, *(note.seconds for note in notes)]),
        }
    )


def _read(filesystem: "fs.FileSystem", path: str) -> RunManifest | None:
    data = read(filesystem, path)
    return None if data is None else RunManifest.from_bytes(data)


def _notes(
    filesystem: "fs.FileSystem", folder: str, run_digest: str
) -> list[PartNote] | None:
    """Return all undamaged notes of the run; None if there are none."""
    from pyarrow import fs

    files = filesystem.get_file_info(
        fs.FileSelector(f"{folder}/{NOTES}", allow_not_found=True)
    )
    notes = []
    for file in files:
        if not file.path.endswith(".json"):
            continue  # a temporary file
        data = read(filesystem, file.path)
        if data is None:
            return None  # Another process has finished the run and deleted its notes.
        try:
            note = PartNote.from_bytes(data)
        except ManifestError:
            continue
        if note.digest == run_digest:
            notes.append(note)
    return notes or None


def _first_problem(error: ValidationError) -> str:
    """Describe the first validation error by its key, the broken rule and the value."""
    problem = error.errors(include_url=False)[0]
    key = ".".join(str(place) for place in problem["loc"])
    rule = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "missing":
        return f"{key}: {rule}"
    shown = json.dumps(problem["input"], default=str)[:_LONGEST_SHOWN]
    return printable(f"{key}: {rule}, got {shown}")
