"""What a run states of itself: its manifest, and a note for every part that is stored.

Both are sealed JSON. The manifest is written when a run begins and when it ends; in
between each part that is stored leaves a note, so that a part costs as much whether it is
the third or the three hundred thousandth.
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
"""Characters of a value that an error shows."""

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
PartName = Annotated[str, Field(pattern=f"^{PART_NAME}$")]
Count = Annotated[int, Field(ge=0)]
Pair = Annotated[tuple[int, int], Field(strict=False)]


class _Record(BaseModel):
    """A sealed JSON object whose keys and types are all fixed."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    def to_bytes(self) -> bytes:
        """Return the sealed JSON text."""
        return sealing.sealed_json(self.model_dump(mode="json"))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what `to_bytes` returned.

        Raises
        ------
        OtherVersionError
            If it has another schema version.
        ManifestError
            If it is damaged, was changed, or lacks or adds a key.
        """
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
    """A part that is stored.

    Attributes
    ----------
    pairs, games : int
        How many it holds.
    sha256 : str
        Of the file.
    first, last : tuple of int
        Position numbers of its first and its last pair, roller and opponent.
    """

    pairs: Count
    games: Count
    sha256: Sha256
    first: Pair
    last: Pair


class PartNote(_Record):
    """What is noted of a part until the manifest of the finished run lists it.

    Attributes
    ----------
    schema_version : int
        See `sim.storage.schema`.
    digest : str
        Of the run.
    name : str
        File name of the part.
    part : PartEntry
        What the manifest will state of it.
    seconds : float
        Of the run so far.
    """

    schema_version: int = SCHEMA_VERSION
    digest: Sha256
    name: PartName
    part: PartEntry
    seconds: float


class Stage(_Record):
    """What a run was before it was extended, or a run of which it is combined.

    Attributes
    ----------
    run : str
        Its name.
    digest : str
        Of what determined its outcomes.
    seed, pairs, games : int
        Its seed, and what it held.
    started : str
        When it was begun, in UTC.
    commit : str or None
        Of the code that played it last.
    """

    run: str
    digest: Sha256
    seed: Count
    pairs: Count
    games: Count
    started: str
    commit: str | None


class RunManifest(_Record):
    """The manifest of a run; docs/batches.md explains its keys."""

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
        """Return what is stored of the run, for the history of one that goes on from it."""
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
            raise ValueError(f"must be one of {', '.join(KINDS)}")
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
    """Read the manifest of a run; of an unfinished one, with the parts that have notes.

    Parameters
    ----------
    filesystem, folder
        Of the run.

    Returns
    -------
    RunManifest or None
        None if there is no manifest.

    Raises
    ------
    ManifestError
        If it is damaged or of another schema version.
    OSError
        If it exists and cannot be read.
    """
    path = f"{folder}/{MANIFEST}"
    manifest = _read(filesystem, path)
    if manifest is None or manifest.complete:
        return manifest
    notes = _notes(filesystem, folder, manifest.digest)
    if notes is None:
        # It has none yet, or was just finished.
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
    """Read the notes of a run; None if there are none. A damaged note does not count."""
    from pyarrow import fs

    files = filesystem.get_file_info(
        fs.FileSelector(f"{folder}/{NOTES}", allow_not_found=True)
    )
    notes = []
    for file in files:
        if not file.path.endswith(".json"):
            continue  # It is being written.
        data = read(filesystem, file.path)
        if data is None:
            return None  # The process that finished the run removed it.
        try:
            note = PartNote.from_bytes(data)
        except ManifestError:
            continue
        if note.digest == run_digest:
            notes.append(note)
    return notes or None


def _first_problem(error: ValidationError) -> str:
    """Return the key of the first problem, the rule, and the value."""
    problem = error.errors(include_url=False)[0]
    key = ".".join(str(place) for place in problem["loc"])
    rule = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "missing":
        return f"{key}: {rule}"
    shown = json.dumps(problem["input"], default=str)[:_LONGEST_SHOWN]
    return printable(f"{key}: {rule}, got {shown}")
