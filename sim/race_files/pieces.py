"""Partial answers to a file of races, with which an interrupted command can resume.

Answers are stored in the folder ``FILE.pieces`` beside the output file. Each *piece* is a
file with the answers to some rows. Its checksum covers the row numbers, the version of the
answers, the input file, the options and the tables used. If a checksum does not match, the
rows of the piece are answered again. The folder also contains a lock file, and a note on
the command and the process. If another command cannot use the folder, its error message
quotes the note.
"""

import io
import os
import platform
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from bearoff.sim.storage import RunError, parquet_input, provenance, require_file
from bearoff.storage import claimed, remove_unfinished, sealing, write_atomic

NOTE = "asked.json"
"""Name of the file with the options of the command that stored the partial answers."""

_LOCK = ".lock"

_NAME = re.compile(r"(\d{10})-(\d{10})\.piece")
"""Regular expression for the names of files with partial answers: first row, and last row
plus one."""

_LARGEST_NOTE = 1 << 20


@contextmanager
def claimed_pieces(target: Path, asked: Mapping[str, Any]) -> Iterator["Pieces"]:
    """Lock the partial answers to a file within a ``with`` block, against other processes.

    The partial answers are deleted at the end of the ``with`` block, and kept if the block
    raises an exception.
    """
    folder = target.with_name(f"{target.name}.pieces")

    def busy() -> str:
        return (
            f"{_at_work(folder)} is writing answers to {target}; wait for it, or choose "
            "another file"
        )

    with claimed(folder, folder / _LOCK, RunError, busy):
        try:
            remove_unfinished(folder)
            remove_unfinished(target.parent, target.name)
            pieces = Pieces(folder, asked)
        except OSError as error:
            raise RunError(f"cannot write to {folder}: {error}") from error
        try:
            yield pieces
        except BaseException:
            if not pieces.stored:
                pieces.clear()
            raise
        pieces.clear()


class Pieces:
    """Partial answers in a folder that this process has locked with `claimed_pieces`.

    Attributes
    ----------
    refused : int
        Number of rows whose stored answers could not be used, because they were damaged or
        from other tables.
    """

    def __init__(self, folder: Path, asked: Mapping[str, Any]) -> None:
        self._folder, self._asked = folder, dict(asked)
        self._lasts: dict[int, int] = {}
        self.refused = 0
        for path in folder.iterdir():
            if named := _NAME.fullmatch(path.name):
                self._lasts[int(named[1])] = int(named[2])
        self._check_note()
        content = {"asked": self._asked, "process": _process(), "since": provenance.now()}
        write_atomic(folder / NOTE, sealing.sealed_json(content))

    @property
    def stored(self) -> int:
        return len(self._lasts)

    def load(self, first: int, tables: Any) -> tuple[int, pa.Table] | None:
        """Return stored answers from row `first` on, and the row after the last one."""
        last = self._lasts.get(first)
        if last is None:
            return None
        path = self._path(first, last)
        data = None
        with suppress(OSError):
            require_file(str(path))
            data = sealing.unsealed_bytes(
                path.read_bytes(), self._about(first, last, tables)
            )
        if data is not None:
            return last, parquet_input.read_contents(data)
        self.refused += max(last - first, 0)
        del self._lasts[first]
        with suppress(OSError):
            path.unlink()
        return None

    def next_first(self, row: int, last: int) -> int:
        """Return the next row after `row` whose answer is stored, but at most `last`."""
        return min((first for first in self._lasts if row < first < last), default=last)

    def save(self, first: int, last: int, answers: pa.Table, tables: Any) -> None:
        """Store the answers to rows `first` to ``last - 1``."""
        written = io.BytesIO()
        parquet.write_table(answers, written)
        data = sealing.sealed_bytes(written.getvalue(), self._about(first, last, tables))
        write_atomic(self._path(first, last), data)
        self._lasts[first] = last

    def clear(self) -> None:
        """Remove the partial answers, and their folder if it is then empty."""
        for path in self._folder.iterdir():
            if path.name in (NOTE, _LOCK) or _NAME.fullmatch(path.name):
                with suppress(OSError):
                    path.unlink()
        with suppress(OSError):  # if the folder contains other files
            self._folder.rmdir()

    def _path(self, first: int, last: int) -> Path:
        return self._folder / f"{first:010}-{last:010}.piece"

    def _about(self, first: int, last: int, tables: Any) -> bytes:
        return sealing.canonical_json([self._asked, tables, first, last])

    def _check_note(self) -> None:
        """Raise an error if the partial answers were stored with other options."""
        before = _read_note(self._folder).get("asked")
        if not self._lasts or not isinstance(before, dict) or before == self._asked:
            return
        keys = [k for k in {**before, **self._asked} if before.get(k) != self._asked.get(k)]
        others = ", ".join(key.replace("_", " ") for key in keys)
        raise RunError(
            f"{self._folder} contains unfinished answers of a command with other options "
            f"({others}); run that command again to continue it, delete the folder, or "
            "write to another file"
        )


def _process() -> str:
    return f"process {os.getpid()} on {platform.node() or 'this machine'}"


def _at_work(folder: Path) -> str:
    note = _read_note(folder)
    if {"process", "since"} <= set(note):
        return f"{note['process']}, since {note['since']},"
    return "another process"


def _read_note(folder: Path) -> dict[str, Any]:
    """Return the options stored with partial answers; {} if missing or damaged."""
    path = folder / NOTE
    try:
        require_file(str(path))
        if path.stat().st_size <= _LARGEST_NOTE:
            return sealing.unsealed_json(path.read_bytes())
    except (OSError, ValueError):
        pass
    return {}
