"""A run on disk: manifest, finished parts, and the blocks of unfinished ones.

::

    results/quick/run.json                      what was asked for and what is done
    results/quick/outcomes/part-00000.parquet   one row per pair, finished
    results/quick/blocks/00001-00004.counts     counts of one block of an unfinished part

A part is written, then named in the manifest, then its blocks are removed; whatever is
not in the manifest or does not match it is played again. So an interruption at any
moment loses at most the blocks under way.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout
from pyarrow import fs

from sim.counts import GAMES, Counts
from sim.files import RunError, folder_within, open_folder, read_whole, write_whole
from sim.plan import Block
from sim.schema import MANIFEST, OUTCOMES, SCHEMA_VERSION, part_name

Manifest = dict[str, Any]

_BLOCKS = "blocks"
_SEAL = sha256().digest_size

_NEEDED = {
    "digest": str,
    "started": str,
    "seconds": int | float,
    "complete": bool,
    "parts": dict,
}
"""Keys of a manifest that a run is taken up by, and the types of their values."""


class RunFolder:
    """The folder of one run, local or in an object store.

    Parameters
    ----------
    output : str
        Folder or URI that holds runs.
    name : str
        Name of the run, a folder within `output`.
    """

    def __init__(self, output: str, name: str) -> None:
        self.location = folder_within(output, name)
        self._fs, self._path = open_folder(self.location)

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Hold the run, so that no other process on this machine works on it.

        Raises
        ------
        RunError
            If another process holds it, or the folder cannot be written.
        """
        # The lock's file stays: whoever removed it might let two processes hold it.
        lock = FileLock(f"{self._path}/.lock")
        try:
            self._fs.create_dir(self._path, recursive=True)
            if isinstance(self._fs, fs.LocalFileSystem):
                lock.acquire(blocking=False)
        except Timeout:
            raise RunError(
                f"another process is working on the run {self.location}; wait for it, or "
                "give this one another name"
            ) from None
        except NotImplementedError:
            pass  # Some shared file systems know no locks, as object stores do not.
        except OSError as error:
            raise RunError(f"cannot write to {self.location}: {error}") from error
        try:
            yield
        finally:
            lock.release()

    def manifest(self) -> Manifest | None:
        """Read the manifest; None if the run was never started.

        Raises
        ------
        RunError
            If it is damaged or of another schema version.
        """
        text = read_whole(self._fs, f"{self._path}/{MANIFEST}")
        if text is None:
            return None
        advice = "remove the folder, or give the run another name"
        try:
            manifest = json.loads(text)
            found = manifest["schema_version"]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise RunError(
                f"the manifest {self.location}/{MANIFEST} is damaged ({error}); {advice}"
            ) from error
        if found != SCHEMA_VERSION:
            raise RunError(
                f"the run {self.location} was written with schema version {found} and this "
                f"program writes {SCHEMA_VERSION}; {advice}"
            )
        for key, kind in _NEEDED.items():
            if not isinstance(manifest.get(key), kind):
                raise RunError(
                    f"the manifest {self.location}/{MANIFEST} is damaged (no {key} can be "
                    f"read); {advice}"
                )
        return dict(manifest)

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest."""
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        write_whole(self._fs, f"{self._path}/{MANIFEST}", text.encode())

    def part_digest(self, index: int) -> str | None:
        """Return the SHA-256 of a part as it is stored; None if there is none."""
        data = read_whole(self._fs, f"{self._path}/{OUTCOMES}/{part_name(index)}")
        return None if data is None else sha256(data).hexdigest()

    def write_part(self, index: int, table: pa.Table) -> str:
        """Write a part and return the SHA-256 that the manifest keeps of it."""
        data = _to_parquet(table)
        write_whole(self._fs, f"{self._path}/{OUTCOMES}/{part_name(index)}", data)
        return sha256(data).hexdigest()

    def write_block(self, block: Block, counts: Counts, run_digest: str) -> None:
        """Keep the counts of a block until its part is whole."""
        data = counts.astype("<i8").tobytes()
        path = self._block_path(block.part, block.index)
        write_whole(self._fs, path, _seal(block, run_digest, data) + data)

    def read_block(self, block: Block, run_digest: str, width: int) -> Counts | None:
        """Return the kept counts of a block; None if there are none that can be used.

        Parameters
        ----------
        block : Block
            What was played.
        run_digest : str
            Digest of the run it must belong to.
        width : int
            Columns that its counts must have.
        """
        try:
            stored = read_whole(self._fs, self._block_path(block.part, block.index))
        except OSError:
            return None  # It is played again, which costs a moment.
        if stored is None or stored[:_SEAL] != _seal(block, run_digest, stored[_SEAL:]):
            return None
        counts = np.frombuffer(stored[_SEAL:], dtype="<i8")
        # Another release may cut a run into other blocks, or count other things.
        if counts.size != len(block.games) * width:
            return None
        counts = counts.reshape(-1, width)
        same_games = np.array_equal(counts[:, GAMES], block.games)
        return counts.astype(np.int64) if same_games else None

    def drop_blocks(self, part: int, blocks: int) -> None:
        """Remove the kept blocks of a part that is written."""
        for index in range(blocks):
            path = self._block_path(part, index)
            if self._fs.get_file_info(path).type == fs.FileType.File:
                self._fs.delete_file(path)

    def prepare(self) -> None:
        """Make the folders that the files of a run under way go to."""
        for folder in (OUTCOMES, _BLOCKS):
            self._fs.create_dir(f"{self._path}/{folder}", recursive=True)

    def tidy(self) -> None:
        """Remove what only an unfinished run needs, and leftovers of killed processes."""
        self._fs.delete_dir(f"{self._path}/{_BLOCKS}")
        if isinstance(self._fs, fs.LocalFileSystem):
            for leftover in Path(self._path).rglob("*.new"):
                leftover.unlink(missing_ok=True)

    def _block_path(self, part: int, index: int) -> str:
        return f"{self._path}/{_BLOCKS}/{part:05d}-{index:05d}.counts"


def _seal(block: Block, run_digest: str, data: bytes) -> bytes:
    """Return the digest that shows a kept block to be whole and of this run."""
    return sha256(f"{run_digest} {block.part} {block.index} ".encode() + data).digest()


def _to_parquet(table: pa.Table) -> bytes:
    """Write a table the same way every time: one row group, checksums on every page."""
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=max(len(table), 1),
        compression="zstd",
        use_dictionary=False,  # Values hardly repeat: smaller and faster without.
        write_page_checksum=True,
    )
    return bytes(sink.getvalue())
