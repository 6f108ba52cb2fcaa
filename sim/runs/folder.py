"""Folder of a run, with its manifest, result files, and blocks of unfinished result files.

::

    results/quick/run.json                       manifest: configuration, result files
    results/quick/outcomes/part-000000.parquet   finished result file, one row per pair
    results/quick/parts/part-000000.json         note: manifest entry of part-000000
    results/quick/parts/part-000001.parquet.rows intermediate results of part-000001
    results/quick/blocks/000001-000004.counts    counts of games, block 4 of part-000001
    results/quick/earlier/001/                   results before the run was extended

A result file (part) is written first, then the note with its manifest entry, and then its
blocks are deleted. A part without a matching note is built again from its stored blocks, so
an interruption loses only the blocks in progress. When all parts are stored, the notes are
merged into the manifest.

When a run is extended, its results are first moved to a subfolder, because the new parts
are built from the old ones. The old parts are deleted at the end.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from bearoff.sim.engine import Block
from bearoff.sim.play import tally
from bearoff.sim.runs.earlier import StoredRows
from bearoff.sim.storage import (
    ManifestError,
    OtherVersionError,
    PartEntry,
    PartNote,
    RunError,
    RunManifest,
    Snapshot,
    files,
    parquet_input,
    read_manifest,
    read_snapshots,
    schema,
    write_snapshot,
)
from bearoff.storage import claimed, remove_unfinished, sealing

_BLOCKS = "blocks"

_EARLIER = "earlier"


class RunFolder:
    """Folder of a run, on a local disk or in an object store.

    Parameters
    ----------
    output : str
        Folder or URI that contains the run's folder.
    name : str, optional
        Name of the run, which is its folder in `output`. By default, `output` itself is the
        run's folder.
    """

    def __init__(self, output: str, name: str | None = None) -> None:
        output = files.expand_user(output)
        self.location = output if name is None else files.folder_within(output, name)
        self._fs, self._path = files.open_folder(self.location)

    def claimed(self) -> AbstractContextManager[None]:
        """Return a context manager that locks the run against other processes."""
        if not isinstance(self._fs, fs.LocalFileSystem):
            return nullcontext()  # An object store cannot lock a folder.
        folder = Path(self._path)
        busy = (
            f"another process is working on the run {self.location}; wait for it, or give "
            "this one another name"
        )
        return claimed(folder, folder / files.LOCK, RunError, lambda: busy)

    def manifest(self) -> RunManifest | None:
        """Read the manifest; return None if the folder contains no run."""
        advice = "remove the folder, or give the run another name"
        try:
            return read_manifest(self._fs, self._path)
        except OtherVersionError as error:
            raise RunError(
                f"the run {self.location} was written with schema version {error.found}, "
                f"but this program writes version {error.known}; {advice}"
            ) from error
        except ManifestError as error:
            raise RunError(
                f"the manifest {self.location}/{schema.MANIFEST} is damaged ({error}); "
                f"{advice}"
            ) from error

    def write_manifest(self, manifest: RunManifest) -> None:
        files.write(self._fs, f"{self._path}/{schema.MANIFEST}", manifest.to_bytes())

    def write_snapshot(self, index: int, table: pa.Table, run_digest: str) -> None:
        """Write the intermediate results of an incomplete result file."""
        name = schema.part_name(index)
        write_snapshot(self._fs, self._path, name, _to_parquet(table), run_digest)

    def snapshots(self, manifest: RunManifest) -> dict[str, Snapshot]:
        """Return the intermediate results of incomplete result files, by file name."""
        return read_snapshots(self._fs, self._path, manifest)

    def set_aside(self, manifest: RunManifest, snapshots: dict[str, Snapshot]) -> None:
        """Move the stored results to a subfolder, before the run is extended.

        Intermediate results of incomplete result files become result files in that
        subfolder.
        """
        number = max(map(int, self._numbers()), default=0) + 1
        place = f"{self._path}/{_EARLIER}/{number:03d}"
        files.make_folder(self._fs, f"{place}/{schema.OUTCOMES}")
        for name, snapshot in snapshots.items():
            files.write(self._fs, f"{place}/{schema.OUTCOMES}/{name}", snapshot.data)
        entries = {name: snapshot.entry for name, snapshot in snapshots.items()}
        parts = dict(sorted((manifest.parts | entries).items()))
        whole = manifest.model_copy(update={"parts": parts, "complete": True})
        files.write(self._fs, f"{place}/{schema.MANIFEST}", whole.to_bytes())
        for name in manifest.parts:
            self._fs.move(
                f"{self._path}/{schema.OUTCOMES}/{name}",
                f"{place}/{schema.OUTCOMES}/{name}",
            )

    def earlier(self) -> list[StoredRows]:
        """Return the results of the run before each of its extensions."""
        places = [f"{self._path}/{_EARLIER}/{number}" for number in self._numbers()]
        layers = ((place, read_manifest(self._fs, place)) for place in places)
        return [self._stored(place, each.parts, {}) for place, each in layers if each]

    def stored(self, manifest: RunManifest, snapshots: dict[str, Snapshot]) -> StoredRows:
        return self._stored(self._path, manifest.parts, snapshots)

    def _stored(
        self,
        place: str,
        entries: Mapping[str, PartEntry],
        snapshots: Mapping[str, Snapshot],
    ) -> StoredRows:
        def path(name: str) -> str:
            return f"{place}/{schema.OUTCOMES}/{name}"

        there = {
            name: entry
            for name, entry in sorted(entries.items())
            if self._fs.get_file_info(path(name)).type == fs.FileType.File
        }

        there |= {name: snapshot.entry for name, snapshot in snapshots.items()}

        def read(name: str) -> pa.Table:
            if name in snapshots:
                return parquet_input.read_contents(snapshots[name].data)
            data = files.read(self._fs, path(name))
            if data is None or sha256(data).hexdigest() != there[name].sha256:
                raise RunError(
                    f"the result file {self.location}/{name} of the earlier run is "
                    "damaged, so its games cannot be included; remove the folder and "
                    "simulate again"
                )
            return parquet_input.read_contents(data)

        return StoredRows(dict(sorted(there.items())), read)

    def _numbers(self) -> list[str]:
        place = fs.FileSelector(f"{self._path}/{_EARLIER}", allow_not_found=True)
        return sorted(file.base_name for file in self._fs.get_file_info(place))

    def write_note(self, index: int, note: PartNote) -> None:
        path = f"{self._path}/{schema.NOTES}/{schema.note_name(index)}"
        files.write(self._fs, path, note.to_bytes())

    def part_digest(self, name: str) -> str | None:
        """Return the SHA-256 digest of a stored result file; None if it is missing."""
        data = files.read(self._fs, f"{self._path}/{schema.OUTCOMES}/{name}")
        return None if data is None else sha256(data).hexdigest()

    def write_part(self, index: int, table: pa.Table) -> str:
        """Write a result file, and return its SHA-256 digest."""
        data = _to_parquet(table)
        files.write(
            self._fs, f"{self._path}/{schema.OUTCOMES}/{schema.part_name(index)}", data
        )
        return sha256(data).hexdigest()

    def write_block(self, block: Block, counts: tally.Counts, run_digest: str) -> None:
        """Store the statistics of a block of games until its result file is complete."""
        data = sealing.sealed_bytes(
            counts.astype("<i8").tobytes(), _about(block, run_digest)
        )
        files.write(self._fs, self._block_path(block.part, block.index), data)

    def read_block(self, block: Block, run_digest: str, width: int) -> tally.Counts | None:
        """Return the stored statistics of a block; None if they are missing or damaged."""
        path = self._block_path(block.part, block.index)
        if path not in self._earlier_blocks:
            return None
        try:
            stored = files.read(self._fs, path)
        except OSError:
            if not isinstance(self._fs, fs.LocalFileSystem):
                raise  # An object store that fails once would fail for every block.
            return None  # so that the games of the block are simulated again
        if stored is None:
            return None
        data = sealing.unsealed_bytes(stored, _about(block, run_digest))
        if data is None:
            return None
        counts = np.frombuffer(data, dtype="<i8")
        # Another version of the program may have stored other games or columns.
        if counts.size != len(block.games) * width:
            return None
        counts = counts.reshape(-1, width)
        same_games = np.array_equal(counts[:, tally.GAMES], block.games)
        return counts.astype(np.int64) if same_games else None

    @cached_property
    def _earlier_blocks(self) -> frozenset[str]:
        """Paths of the block files that earlier calls of `run` stored."""
        folder = fs.FileSelector(f"{self._path}/{_BLOCKS}", allow_not_found=True)
        return frozenset(file.path for file in self._fs.get_file_info(folder))

    def drop_blocks(self, part: int, blocks: int) -> None:
        paths = [self._block_path(part, index) for index in range(blocks)]
        for file in self._fs.get_file_info(paths):
            if file.type == fs.FileType.File:
                self._fs.delete_file(file.path)

    def prepare(self) -> None:
        for folder in (schema.OUTCOMES, schema.NOTES, _BLOCKS):
            files.make_folder(self._fs, f"{self._path}/{folder}")

    def tidy(self) -> None:
        """Delete temporary files of a finished run, and files of killed processes."""
        for folder in (_BLOCKS, schema.NOTES, _EARLIER):
            path = f"{self._path}/{folder}"
            if self._fs.get_file_info(path).type == fs.FileType.Directory:
                self._fs.delete_dir(path)
        if isinstance(self._fs, fs.LocalFileSystem):
            for folder in (self._path, f"{self._path}/{schema.OUTCOMES}"):
                remove_unfinished(Path(folder))

    def _block_path(self, part: int, index: int) -> str:
        return f"{self._path}/{_BLOCKS}/{part:06d}-{index:06d}.counts"


def _about(block: Block, run_digest: str) -> bytes:
    """Return the run digest and block numbers, which the checksum of a block covers."""
    return f"{run_digest} {block.part} {block.index} ".encode() + block.firsts.tobytes()


def _to_parquet(table: pa.Table) -> bytes:
    """Convert a table to Parquet with reproducible bytes and page checksums.

    Integers are delta-encoded, because they are small or close to the integers of the
    previous row. Delta encoding gives smaller files than compression, and is faster.
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
        # With zstd, files would be 10% smaller, but a batch of 100 games per pair would
        # take 10% longer.
        compression="lz4",
        use_dictionary=False,  # because few values in a column repeat
        column_encoding=packed,
        write_statistics=["roller", "opponent"],
        write_page_checksum=True,
    )
    return bytes(sink.getvalue())


def _leaf(field: pa.Field) -> tuple[str, pa.DataType]:
    """Return the Parquet name and type of a column's values, even within lists."""
    if pa.types.is_fixed_size_list(field.type):
        return f"{field.name}.list.element", field.type.value_type
    return field.name, field.type
