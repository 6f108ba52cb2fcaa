"""Manifest of a table: a list of the table's files, protected by a checksum.

``table.json`` contains ``{"table": ..., "sha256": ...}``: the entries of the manifest, and
their SHA-256.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from stat import S_ISREG
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from bearoff.errors import MissingTableError, TableError, is_machine_fault
from bearoff.storage.files import write_atomic
from bearoff.storage.sealing import seal

MANIFEST = "table.json"

REMEDY = "build the table again"

_LARGEST = 1 << 26
"""Maximum size of a manifest in bytes. A manifest has one checksum for each 128 KB of a
table."""

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class StoredFile:
    """Size and checksums of one file of a table.

    Attributes
    ----------
    crc32 : tuple of int
        CRC-32 of each block.
    """

    bytes: int
    crc32: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.bytes < 0:
            raise ValueError(f"the number of bytes must not be negative, got {self.bytes}")
        if not all(0 <= value < 2**32 for value in self.crc32):
            raise ValueError("crc32 must contain numbers from 0 to 2**32 - 1")


@dataclass(frozen=True)
class ArraysManifest:
    """Manifest of a table that consists of ``.npy`` files.

    Attributes
    ----------
    name : str
        Name of the stored table.
    version : int
        Version of the code that built the table.
    arrays : dict of str to StoredFile
        Size and checksums of each array's file.
    """

    name: str
    version: int
    arrays: dict[str, StoredFile]


def read_manifest(
    folder: Path,
    kind: type[Kind],
    expected: Mapping[str, object] | None = None,
    what: str = "table",
    command: str = "",
) -> Kind:
    """Read the manifest of a table's folder, as an instance of the dataclass `kind`.

    `expected` contains entries that must have certain values, for example a version. `what`
    is the name of the table, and `command` the command that builds it, for error messages.
    Raises `MissingTableError` if there is no manifest, and `TableError` if the manifest is
    damaged or an entry has another value.
    """
    path, remedy = folder / MANIFEST, REMEDY + command
    try:
        entries = _read_sealed(path)
        for key, value in (expected or {}).items():
            if entries.get(key) != value:
                raise TableError(
                    f"{path} has {key} {entries.get(key)!r}, but this program reads "
                    f"{value!r}; {remedy}"
                )
        manifest: Kind = _convert(entries, kind, "table")
    except FileNotFoundError:
        raise MissingTableError(f"{folder} has no {what}; build it{command}") from None
    except OSError as error:
        if is_machine_fault(error):
            raise
        raise TableError(f"{path} cannot be read: {error}; {remedy}") from error
    # Deeply nested JSON raises a RecursionError.
    except (ValueError, RecursionError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"{path} is damaged: {error}; {remedy}") from error
    return manifest


def write_manifest(folder: Path, manifest: Any) -> None:
    """Write a manifest, given as a dataclass, to a folder atomically."""
    entries = _as_json(manifest)
    sealed = {"table": entries, "sha256": seal(entries)}
    write_atomic(folder / MANIFEST, json.dumps(sealed, indent=1).encode())


def digest(manifest: Any) -> str:
    """Return the SHA-256 of a manifest, which contains the checksums of all files."""
    return seal(_as_json(manifest))


def _as_json(manifest: Any) -> dict[str, Any]:
    """Convert the entries of a manifest to JSON values, without entries that are None."""
    entries = asdict(manifest)
    return {key: value for key, value in entries.items() if value is not None}


def _read_sealed(path: Path) -> dict[str, Any]:
    """Read the entries of a manifest after verifying their SHA-256."""
    state = path.stat()
    # Only regular files are opened, because opening a pipe would wait for a writer.
    if not S_ISREG(state.st_mode) or state.st_size > _LARGEST:
        raise OSError("the manifest is not a regular file, or is too large")
    sealed = json.loads(path.read_text(encoding="utf-8"))
    if type(sealed) is not dict or set(sealed) != {"table", "sha256"}:
        raise ValueError("the manifest must have exactly the keys 'table' and 'sha256'")
    entries = sealed["table"]
    if type(entries) is not dict or sealed["sha256"] != seal(entries):
        raise ValueError("the checksum of the manifest does not match its content")
    return entries


def _convert(value: Any, kind: Any, where: str) -> Any:
    """Convert a JSON value to a dataclass, dict, tuple or plain type.

    Raises `ValueError` if the value has a wrong type. The message states the path of the
    value, which starts with `where`.
    """
    if is_dataclass(kind) and isinstance(kind, type):
        return _convert_dataclass(value, kind, where)
    if get_origin(kind) is UnionType:  # The value may be None.
        return None if value is None else _convert(value, get_args(kind)[0], where)
    plain = {tuple: list}.get(get_origin(kind), get_origin(kind)) or kind
    if type(value) is not plain:
        raise ValueError(f"{where} must be of type {plain.__name__}, got {value!r:.40}")
    if plain is dict:
        inner = get_args(kind)[1]
        return {k: _convert(v, inner, f"{where}.{k}") for k, v in value.items()}
    if plain is list:
        inner = get_args(kind)[0]
        if not all(type(each) is inner for each in value):
            raise ValueError(f"{where} must contain only values of type {inner.__name__}")
        return tuple(value)
    return value


def _convert_dataclass(value: Any, kind: Any, where: str) -> Any:
    if type(value) is not dict:
        raise ValueError(f"{where} must be a JSON object, got {value!r:.40}")
    hints = _hints(kind)
    needed = {f.name for f in fields(kind) if get_origin(hints[f.name]) is not UnionType}
    if not needed <= set(value) <= set(hints):
        names = ", ".join(sorted(needed ^ set(value)))
        raise ValueError(
            f"{where} must have exactly the keys {', '.join(hints)}; check {names}"
        )
    converted = {k: _convert(v, hints[k], f"{where}.{k}") for k, v in value.items()}
    try:
        return kind(**converted)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
