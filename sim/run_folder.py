"""A run on disk: manifest, finished parts, and the blocks of unfinished ones.

::

    results/quick/run.json                      what was asked for and what is done
    results/quick/outcomes/part-00000.parquet   one row per pair, finished
    results/quick/blocks/00001-00004.parquet    counts of one block of an unfinished part

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

from sim.counts import COLUMNS, Counts
from sim.files import RunError, open_folder, read_whole, write_whole
from sim.plan import Block
from sim.schema import MANIFEST, METADATA_KEY, OUTCOMES, SCHEMA_VERSION, part_name

Manifest = dict[str, Any]

_BLOCKS = "blocks"


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
        self._fs, root = open_folder(output)
        self._path = f"{root}/{name}"
        self.location = f"{output.rstrip('/')}/{name}"

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Hold the run, so that no other process on this machine works on it.

        Raises
        ------
        RunError
            If another process holds it, or the folder cannot be written.
        """
        try:
            for folder in (OUTCOMES, _BLOCKS):
                self._fs.create_dir(f"{self._path}/{folder}", recursive=True)
        except OSError as error:
            raise RunError(f"cannot write to {self.location}: {error}") from error
        if not isinstance(self._fs, fs.LocalFileSystem):
            yield  # Object stores have no locks; docs/outcomes.md says so.
            return
        lock = FileLock(f"{self._path}/.lock")
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise RunError(
                f"another process is working on the run {self.location}; wait for it, or "
                "give this one another name"
            ) from None
        try:
            yield
        finally:
            lock.release()
            Path(lock.lock_file).unlink(missing_ok=True)

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
            manifest["digest"], manifest["parts"].items()
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RunError(
                f"the manifest {self.location}/{MANIFEST} is damaged ({error}); {advice}"
            ) from error
        if found != SCHEMA_VERSION:
            raise RunError(
                f"the run {self.location} was written with schema version {found} and this "
                f"program writes {SCHEMA_VERSION}; {advice}"
            )
        return dict(manifest)

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest."""
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        write_whole(self._fs, f"{self._path}/{MANIFEST}", text.encode())

    def part_matches(self, index: int, digest: str) -> bool:
        """Whether the part is there, byte for byte what the manifest says."""
        data = read_whole(self._fs, f"{self._path}/{OUTCOMES}/{part_name(index)}")
        return data is not None and sha256(data).hexdigest() == digest

    def write_part(self, index: int, table: pa.Table) -> str:
        """Write a part and return the SHA-256 that the manifest keeps of it."""
        data = _to_parquet(table)
        write_whole(self._fs, f"{self._path}/{OUTCOMES}/{part_name(index)}", data)
        return sha256(data).hexdigest()

    def write_block(self, block: Block, counts: Counts, run_digest: str) -> None:
        """Keep the counts of a block until its part is whole."""
        table = pa.table(
            {name: counts[:, k] for k, name in enumerate(COLUMNS)},
            metadata={METADATA_KEY: run_digest.encode()},
        )
        write_whole(self._fs, self._block_path(block.part, block.index), _to_parquet(table))

    def read_block(self, block: Block, run_digest: str) -> Counts | None:
        """Return the kept counts of a block; None if there are none that can be used."""
        data = read_whole(self._fs, self._block_path(block.part, block.index))
        if data is None:
            return None
        try:
            table = pq.read_table(pa.BufferReader(data), page_checksum_verification=True)
            columns = [table.column(name).to_numpy() for name in COLUMNS]
        except (pa.ArrowException, OSError, KeyError, ValueError):
            return None
        counts = np.stack(columns, axis=1)
        same_run = (table.schema.metadata or {}).get(METADATA_KEY) == run_digest.encode()
        whole = counts.shape == (len(block.games), len(COLUMNS))
        if not (same_run and whole and np.array_equal(counts[:, 0], block.games)):
            return None
        return counts

    def drop_blocks(self, part: int, blocks: int) -> None:
        """Remove the kept blocks of a part that is written."""
        for index in range(blocks):
            path = self._block_path(part, index)
            if self._fs.get_file_info(path).type == fs.FileType.File:
                self._fs.delete_file(path)

    def tidy(self) -> None:
        """Remove what only an unfinished run needs, and leftovers of killed processes."""
        self._fs.delete_dir(f"{self._path}/{_BLOCKS}")
        if isinstance(self._fs, fs.LocalFileSystem):
            for leftover in Path(self._path).rglob("*.new"):
                leftover.unlink(missing_ok=True)

    def _block_path(self, part: int, index: int) -> str:
        return f"{self._path}/{_BLOCKS}/{part:05d}-{index:05d}.parquet"


def _to_parquet(table: pa.Table) -> bytes:
    """Write a table the same way every time: one row group, checksums on every page."""
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=max(len(table), 1),
        compression="zstd",
        write_page_checksum=True,
    )
    return bytes(sink.getvalue())
