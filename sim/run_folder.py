"""A run on disk: manifest, finished parts, and the blocks of unfinished ones.

::

    results/quick/run.json                       what was asked for; at last what is there
    results/quick/outcomes/part-000000.parquet   one row per pair, finished
    results/quick/parts/part-000000.json         what run.json will say of a part
    results/quick/blocks/000001-000004.counts    counts of one block of an unfinished part

A part is written, then its note, then its blocks are removed; whatever has no note or does
not match it is played again. So an interruption at any moment loses at most the blocks
under way. When all parts are stored, the manifest takes up what their notes say.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import Timeout
from pyarrow import fs

from bearoff.locks import locked
from sim.counts import GAMES, Counts
from sim.files import (
    RunError,
    folder_within,
    make_folder,
    open_folder,
    read_whole,
    remove_unfinished,
    write_whole,
)
from sim.manifest import (
    Manifest,
    ManifestError,
    OtherVersionError,
    read_manifest,
    to_bytes,
)
from sim.plan import Block
from sim.schema import (
    MANIFEST,
    NOTES,
    OUTCOMES,
    SCHEMA_VERSION,
    note_name,
    part_name,
)

_BLOCKS = "blocks"
_SEAL = sha256().digest_size


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
        with ExitStack() as held:
            try:
                make_folder(self._fs, self._path)
                if isinstance(self._fs, fs.LocalFileSystem):
                    held.enter_context(locked(Path(self._path, ".lock"), timeout=0))
            except Timeout:
                raise RunError(
                    f"another process is working on the run {self.location}; wait for it, "
                    "or give this one another name"
                ) from None
            except OSError as error:
                raise RunError(f"cannot write to {self.location}: {error}") from error
            yield

    def manifest(self) -> Manifest | None:
        """Read the manifest; None if the run was never started.

        Raises
        ------
        RunError
            If it is damaged or of another schema version.
        """
        advice = "remove the folder, or give the run another name"
        try:
            return read_manifest(self._fs, self._path)
        except OtherVersionError as error:
            raise RunError(
                f"the run {self.location} was written with schema version {error.found} "
                f"and this program writes {SCHEMA_VERSION}; {advice}"
            ) from error
        except ManifestError as error:
            raise RunError(
                f"the manifest {self.location}/{MANIFEST} is damaged ({error}); {advice}"
            ) from error

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest."""
        write_whole(self._fs, f"{self._path}/{MANIFEST}", to_bytes(manifest))

    def write_note(self, index: int, note: Manifest) -> None:
        """Write what is noted of a part that is stored; see `sim.manifest`."""
        path = f"{self._path}/{NOTES}/{note_name(index)}"
        write_whole(self._fs, path, to_bytes(note))

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
        path = self._block_path(block.part, block.index)
        if path not in self._earlier_blocks:
            return None
        try:
            stored = read_whole(self._fs, path)
        except OSError:
            if not isinstance(self._fs, fs.LocalFileSystem):
                raise  # A store that does not answer would be asked for every block.
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

    @cached_property
    def _earlier_blocks(self) -> frozenset[str]:
        """Paths of the blocks that earlier sessions kept: one question, not one each."""
        folder = fs.FileSelector(f"{self._path}/{_BLOCKS}", allow_not_found=True)
        return frozenset(file.path for file in self._fs.get_file_info(folder))

    def drop_blocks(self, part: int, blocks: int) -> None:
        """Remove the kept blocks of a part that is written."""
        paths = [self._block_path(part, index) for index in range(blocks)]
        for file in self._fs.get_file_info(paths):
            if file.type == fs.FileType.File:
                self._fs.delete_file(file.path)

    def prepare(self) -> None:
        """Make the folders that the files of a run under way go to."""
        for folder in (OUTCOMES, NOTES, _BLOCKS):
            make_folder(self._fs, f"{self._path}/{folder}")

    def tidy(self) -> None:
        """Remove what only an unfinished run needs, and leftovers of killed processes."""
        for folder in (_BLOCKS, NOTES):
            path = f"{self._path}/{folder}"
            if self._fs.get_file_info(path).type == fs.FileType.Directory:
                self._fs.delete_dir(path)
        if isinstance(self._fs, fs.LocalFileSystem):
            for folder in (self._path, f"{self._path}/{OUTCOMES}"):
                remove_unfinished(Path(folder))

    def _block_path(self, part: int, index: int) -> str:
        return f"{self._path}/{_BLOCKS}/{part:06d}-{index:06d}.counts"


def _seal(block: Block, run_digest: str, data: bytes) -> bytes:
    """Return the digest that shows a kept block to be whole and of this run."""
    return sha256(f"{run_digest} {block.part} {block.index} ".encode() + data).digest()


def _to_parquet(table: pa.Table) -> bytes:
    """Write a table the same way every time: one row group, checksums on every page.

    Whole numbers are stored as differences, packed: they are small, or near those of the
    pair before. That is both smaller and faster than to compress them.
    """
    packed = {
        leaf: "DELTA_BINARY_PACKED"
        for leaf, kind in map(_leaf, table.schema)
        if pa.types.is_integer(kind)
    }
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=max(len(table), 1),
        # Zstandard would take a tenth off the size, and as much of the time of a batch of
        # a hundred games a pair.
        compression="lz4",
        use_dictionary=False,  # Values hardly repeat: smaller and faster without.
        column_encoding=packed,
        write_statistics=["roller", "opponent"],
        write_page_checksum=True,
    )
    return bytes(sink.getvalue())


def _leaf(field: pa.Field) -> tuple[str, pa.DataType]:
    """Return what Parquet calls the values of a column, and their type."""
    if pa.types.is_fixed_size_list(field.type):
        return f"{field.name}.list.element", field.type.value_type
    return field.name, field.type
