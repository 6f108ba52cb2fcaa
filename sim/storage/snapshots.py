"""Intermediate results of incomplete result files, so that an unfinished run can be read.

A *snapshot* contains the intermediate results of one result file, in the same Parquet
format and with a checksum. It has a row for each pair of positions of which some games have
been played. It is replaced at intervals while the games are simulated, and deleted when the
run is finished.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from bearoff.sim.storage.errors import ManifestError
from bearoff.sim.storage.files import read, write
from bearoff.sim.storage.manifest import PartEntry, RunManifest
from bearoff.sim.storage.schema import NOTES
from bearoff.storage import sealing

if TYPE_CHECKING:
    from pyarrow import fs

_ENDING = ".rows"


@dataclass(frozen=True)
class Snapshot:
    """Intermediate results of one incomplete result file.

    Attributes
    ----------
    entry : PartEntry
        Manifest entry for the file of intermediate results.
    data : bytes
        Contents of the Parquet file.
    """

    entry: PartEntry
    data: bytes


def write_snapshot(
    filesystem: "fs.FileSystem", folder: str, name: str, data: bytes, run_digest: str
) -> None:
    """Write the intermediate results that belong to a result file.

    Raises
    ------
    OSError
        If the snapshot cannot be written.
    """
    path = f"{folder}/{NOTES}/{name}{_ENDING}"
    write(filesystem, path, sealing.sealed_bytes(data, _about(name, run_digest)))


def read_snapshots(
    filesystem: "fs.FileSystem", folder: str, manifest: RunManifest
) -> dict[str, Snapshot]:
    """Return the intermediate results of a run's incomplete result files, by file name.

    Intermediate results that are damaged, or that belong to another configuration, are
    ignored.

    Raises
    ------
    OSError
        If a snapshot exists but cannot be read.
    """
    from pyarrow import fs

    if manifest.complete:
        return {}
    place = fs.FileSelector(f"{folder}/{NOTES}", allow_not_found=True)
    found = {}
    for file in filesystem.get_file_info(place):
        name = file.base_name.removesuffix(_ENDING)
        if name == file.base_name or name in manifest.parts:
            continue
        stored = read(filesystem, file.path)
        data = stored and sealing.unsealed_bytes(stored, _about(name, manifest.digest))
        if data:
            found[name] = Snapshot(_entry(data), data)
    return dict(sorted(found.items()))


def _entry(data: bytes) -> PartEntry:
    """Return the manifest entry for the contents of a result file."""
    import pyarrow as pa

    from bearoff.sim.storage import parquet_input

    try:
        rows = parquet_input.read_contents(data, ["roller", "opponent", "games"])
    except (OSError, ValueError, pa.ArrowException) as error:
        raise ManifestError(f"an intermediate result cannot be read: {error}") from error
    rollers, opponents = rows["roller"], rows["opponent"]
    return PartEntry(
        pairs=len(rows),
        games=sum(rows["games"].to_pylist()),
        sha256=sha256(data).hexdigest(),
        first=(rollers[0].as_py(), opponents[0].as_py()),
        last=(rollers[-1].as_py(), opponents[-1].as_py()),
    )


def _about(name: str, run_digest: str) -> bytes:
    """Return the run digest and the file name, which a snapshot's checksum covers."""
    return f"{run_digest} {name} ".encode()
