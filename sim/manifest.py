"""What a run says of itself: its manifest, and a note for every part as it is stored.

Both are JSON with a seal, the SHA-256 of all else in them, so that what was changed since
it was written shows. The manifest is written when a run begins and when it ends; in
between each part that is stored leaves a note, so that a part costs as much whether it is
the third or the three hundred thousandth.
"""

import json
import re
from typing import TYPE_CHECKING, Any

from bearoff import CHECKERS
from sim.files import read_whole
from sim.provenance import canonical_json, digest
from sim.schema import KINDS, MANIFEST, NOTES, ROLLOUT_POINTS, SCHEMA_VERSION

if TYPE_CHECKING:
    from pyarrow import fs

Manifest = dict[str, Any]

_SEAL = "seal"

_NEEDED: dict[str, type | tuple[type, ...]] = {
    "run": str,
    "kind": str,
    "config": dict,
    "digest": str,
    "seed": int,
    "started": str,
    "seconds": (int, float),
    "games": int,
    "pairs": int,
    "complete": bool,
    "parts": dict,
}
"""Keys that a manifest is read by, and the types of their values."""

_PART: dict[str, type] = {
    "pairs": int,
    "games": int,
    "sha256": str,
    "first": list,
    "last": list,
}
"""The same of what is said of a part."""

_PART_NAME = re.compile(r"part-\d{6}\.parquet")


class ManifestError(ValueError):
    """A manifest that cannot be read."""


class OtherVersionError(ManifestError):
    """A manifest of another schema version, which is told of apart from damage.

    Attributes
    ----------
    found : object
        The version.
    """

    def __init__(self, found: object) -> None:
        super().__init__(f"schema version {found}")
        self.found = found


def to_bytes(said: Manifest) -> bytes:
    """Write a manifest or a note, sealed.

    Examples
    --------
    >>> from_bytes(to_bytes({"schema_version": SCHEMA_VERSION, "run": "quick"}))["run"]
    'quick'
    >>> from_bytes(to_bytes({"schema_version": SCHEMA_VERSION}).replace(b"3", b"2"))
    Traceback (most recent call last):
    sim.manifest.OtherVersionError: schema version 2
    """
    sealed = said | {_SEAL: digest(canonical_json(said))}
    return (json.dumps(sealed, indent=2, ensure_ascii=False) + "\n").encode()


def from_bytes(data: bytes) -> Manifest:
    """Read what `to_bytes` wrote; without the seal.

    Raises
    ------
    ManifestError
        If it is something else, or was changed.
    """
    try:
        said = json.loads(data)
        version, seal = said["schema_version"], said.pop(_SEAL, None)
        if version != SCHEMA_VERSION:
            raise OtherVersionError(version)
        genuine = seal == digest(canonical_json(said))
    except ManifestError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ManifestError(f"{type(error).__name__}: {error}") from error
    if not genuine:
        raise ManifestError("it is not what was written")
    return dict(said)


def read_manifest(filesystem: "fs.FileSystem", folder: str) -> Manifest | None:
    """Read the manifest of a run; of an unfinished one, with the parts that have notes.

    Parameters
    ----------
    filesystem, folder
        Of the run.

    Returns
    -------
    dict or None
        None if there is no manifest.

    Raises
    ------
    ManifestError
        If it is damaged or of another schema version.
    OSError
        If it is there and cannot be read.
    """
    path = f"{folder}/{MANIFEST}"
    manifest = _read(filesystem, path)
    if manifest is None or manifest["complete"]:
        return manifest
    notes = _notes(filesystem, folder, manifest["digest"])
    if notes is None:
        # It has none yet, or was just finished.
        return _read(filesystem, path)
    return manifest | {
        "parts": manifest["parts"] | {note["name"]: note["part"] for note in notes},
        "seconds": max([manifest["seconds"], *(note["seconds"] for note in notes)]),
    }


def _read(filesystem: "fs.FileSystem", path: str) -> Manifest | None:
    data = read_whole(filesystem, path)
    if data is None:
        return None
    manifest = from_bytes(data)
    wrong = _wrong_key(manifest, _NEEDED)
    if wrong is not None:
        raise ManifestError(f"no {wrong} can be read")
    if manifest["kind"] not in KINDS:
        raise ManifestError(f"it is of kind {manifest['kind']!r}, not {', '.join(KINDS)}")
    if not _is_size(manifest["config"].get("table")):
        raise ManifestError("no size of its table can be read")
    for name, part in manifest["parts"].items():
        if not _is_part(name, part):
            raise ManifestError(f"nothing can be read of the part {name}")
    return manifest


def _notes(
    filesystem: "fs.FileSystem", folder: str, run_digest: str
) -> list[Manifest] | None:
    """Read the notes of a run; None if there are none. What is damaged is no note."""
    from pyarrow import fs

    files = filesystem.get_file_info(
        fs.FileSelector(f"{folder}/{NOTES}", allow_not_found=True)
    )
    notes = []
    for file in files:
        if not file.path.endswith(".json"):
            continue  # It is being written.
        data = read_whole(filesystem, file.path)
        if data is None:
            return None  # Whoever finished the run removed it.
        try:
            note = from_bytes(data)
        except ManifestError:
            continue
        if (
            note.get("digest") == run_digest
            and _is_part(note.get("name"), note.get("part"))
            and _wrong_key(note, {"seconds": (int, float)}) is None
        ):
            notes.append(note)
    return notes or None


def _is_size(table: Any) -> bool:
    """Whether it is the size of a table, as far as positions can be numbered."""
    limits = {"points": ROLLOUT_POINTS, "checkers": CHECKERS}
    return isinstance(table, dict) and all(
        type(table.get(key)) is int and 1 <= table[key] <= most
        for key, most in limits.items()
    )


def _is_part(name: Any, part: Any) -> bool:
    return (
        isinstance(name, str)
        and _PART_NAME.fullmatch(name) is not None
        and isinstance(part, dict)
        and _wrong_key(part, _PART) is None
        and min(part["pairs"], part["games"]) >= 0
        and all(
            len(part[key]) == 2 and all(type(side) is int for side in part[key])
            for key in ("first", "last")
        )
    )


def _wrong_key(said: Manifest, needed: dict[str, Any]) -> str | None:
    for key, kind in needed.items():
        value = said.get(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            return key
    return None
