"""One-sided bear-off files of GNU Backgammon: distributions of the number of rolls.

A row has the probabilities of exactly 0, 1, ... 31 rolls in units of 1 / 65,535. In a file
with gammons, a second row has the probabilities for the first checker off, if the player
tries to save the gammon. A compressed file begins with an index. For every position, the
index has the start of its rows, counted in 16-bit numbers after the index, and the length
and the first roll of each row.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.gnubg.header import HEADER_BYTES, MOST_BYTES, ROLLS, Header
from bearoff.one_sided import OneSidedTable, saving_distribution
from bearoff.positions import CHECKERS, position_count
from bearoff.storage import atomic_path

CERTAIN = 65535
"""Integer that represents a probability of 1."""

AT_ONCE = 1 << 15
"""Number of positions that are read or written at once."""

_NUMBER = np.dtype("<u2")
_MOST_ROLLS = 1000

Progress = Callable[[float], None]
Uint16Array = NDArray[np.uint16]


def one_sided_header(
    points: int, *, gammons: bool = True, compressed: bool = True
) -> Header:
    """Return the header of a one-sided file that GNU Backgammon can read.

    Raises
    ------
    PositionError, TableError
        If the size is impossible, or the file would be too large.
    """
    header = Header(False, points, CHECKERS, gammons=gammons, compressed=compressed)
    if header.file_bytes > MOST_BYTES:
        raise TableError(
            f"a one-sided file with {points} points would have at least "
            f"{header.file_bytes:,} bytes, but GNU Backgammon reads at most "
            f"{MOST_BYTES:,}; use fewer points"
        )
    return header


def write_one_sided(
    path: Path, table: OneSidedTable, header: Header, progress: Progress = lambda done: None
) -> None:
    """Write a one-sided table to a bear-off file; leave no incomplete file after an error.

    Parameters
    ----------
    path : Path
        Path of the file. An existing file is replaced.
    table : OneSidedTable
        One-sided table for 15 checkers. Cumulative probabilities are rounded to multiples
        of 1 / 65,535. More than 31 rolls are written as 31.
    header : Header
        Header of the new file, as returned by `one_sided_header`. The header must have the
        same number of points as the table.
    progress : callable
        Function that is called with the completed fraction, from 0 to 1.

    Raises
    ------
    TableError
        If the file would be too large for GNU Backgammon.
    OSError
        If the file cannot be written.
    """
    full = position_count(header.points, CHECKERS - 1)
    saving = saving_distribution(header.points) if header.gammons else None
    entry = _entry(header)
    index = np.zeros(header.positions if header.compressed else 0, dtype=entry)
    used = 0
    with atomic_path(path) as fresh, fresh.open("wb") as file:
        file.write(header.encode())
        file.write(index.tobytes())
        for start in range(0, header.positions, AT_ONCE):
            numbers = np.arange(start, min(start + AT_ONCE, header.positions))
            rows = [_in_65535ths(table.distribution_of(numbers))]
            if saving is not None:
                saved = np.zeros((len(numbers), ROLLS), dtype=np.uint16)
                # A player who has borne off a checker cannot lose a gammon, so the
                # probability of saving the gammon is 1.
                saved[:, 0] = CERTAIN
                on = numbers >= full
                saved[on] = _in_65535ths(saving[numbers[on] - full])
                rows.append(saved)
            if not header.compressed:
                file.write(np.concatenate(rows, axis=1).astype(_NUMBER).tobytes())
            else:
                kept, lengths, firsts = _trimmed(np.stack(rows, axis=1))
                file.write(kept.astype(_NUMBER).tobytes())
                sizes = lengths.sum(axis=1)
                index["start"][numbers] = used + sizes.cumsum() - sizes
                index["rows"][numbers] = np.stack([lengths, firsts], axis=-1)
                used += len(kept)
                if header.file_bytes + 2 * used > MOST_BYTES:
                    raise TableError(
                        f"the one-sided file with {header.points} points has more than "
                        f"{MOST_BYTES:,} bytes, which GNU Backgammon cannot read"
                    )
            progress((int(numbers[-1]) + 1) / header.positions)
        file.seek(HEADER_BYTES)
        file.write(index.tobytes())


def _in_65535ths(rows: NDArray[np.floating[Any]]) -> Uint16Array:
    """Round each distribution to 32 integers whose sum is 65,535."""
    within = np.floor(np.cumsum(rows[:, :ROLLS], axis=1, dtype=np.float64) * CERTAIN + 0.5)
    filled = np.full((len(rows), ROLLS), CERTAIN, dtype=np.int64)
    filled[:, : min(rows.shape[1], ROLLS - 1)] = within[:, : ROLLS - 1]
    return np.diff(np.minimum(filled, CERTAIN), prepend=0).astype(np.uint16)


def _trimmed(
    rows: Uint16Array,
) -> tuple[Uint16Array, NDArray[np.int64], NDArray[np.int64]]:
    """Return the distributions without outer zeros, and the length and start of each."""
    some = rows > 0
    first = some.argmax(axis=2)
    last = ROLLS - 1 - some[:, :, ::-1].argmax(axis=2)
    rolls = np.arange(ROLLS)
    kept = (rolls >= first[:, :, None]) & (rolls <= last[:, :, None])
    return rows[kept], last - first + 1, first


def _entry(header: Header) -> np.dtype[np.void]:
    length_and_first = (2 if header.gammons else 1, 2)
    return np.dtype([("start", "<u4"), ("rows", "u1", length_and_first)])


@dataclass(frozen=True, eq=False)
class OneSidedFile:
    """One-sided bear-off file of GNU Backgammon, from which only requested parts are read.

    Attributes
    ----------
    path : Path
        Path of the file.
    header : Header
        Contents of the file, according to its header.
    """

    path: Path
    header: Header

    def rows(self, start: int, stop: int) -> Uint16Array:
        """Read the distributions of a range of positions, in units of 1 / 65,535.

        Parameters
        ----------
        start, stop : int
            Range of position numbers, from `start` to ``stop - 1``.

        Returns
        -------
        ndarray of uint16, shape (positions, 1 or 2, 32)
            Probabilities of exactly 0, 1, ... rolls to bear off all checkers and, in a file
            with gammons, to bear off the first checker.

        Raises
        ------
        TableError
            If the index refers to data outside the file, or the sum of a row is not 65,535.
        """
        count = 2 if self.header.gammons else 1
        if self.header.compressed:
            rows = self._unpacked(start, stop)
        else:
            rows = self._part(
                _NUMBER, start * count * ROLLS, (stop - start) * count * ROLLS
            )
            rows = rows.reshape(-1, count, ROLLS)
        sums = rows.sum(axis=2, dtype=np.int64)
        if (sums != CERTAIN).any():
            place = int(np.flatnonzero((sums != CERTAIN).any(axis=1))[0])
            raise TableError(
                f"{self.path} is damaged: each distribution of position {start + place} "
                f"must sum to {CERTAIN}, got {', '.join(map(str, sums[place]))}"
            )
        return rows

    def means(self, start: int, stop: int) -> NDArray[np.float64]:
        """Return mean numbers of rolls to the last and, with gammons, first checker off.

        Raises
        ------
        TableError
            If the file is damaged.
        """
        if self.header.normal:
            four = self._part(np.dtype("<f4"), start * 4, (stop - start) * 4).reshape(-1, 4)
            if not (np.abs(four) < _MOST_ROLLS).all():
                raise TableError(
                    f"{self.path} is damaged: it contains an invalid mean number of rolls"
                )
            return four[:, : 4 if self.header.gammons else 2 : 2].astype(np.float64)
        return np.asarray(self.rows(start, stop) @ np.arange(ROLLS) / CERTAIN)

    def _unpacked(self, start: int, stop: int) -> Uint16Array:
        entry = _entry(self.header)
        index = self._part(entry, start, stop - start)
        length, first = np.moveaxis(index["rows"].astype(np.int64), -1, 0)
        ends = first + length
        at = index["start"].astype(np.int64)[:, None] + length.cumsum(axis=1) - length
        room = (self.path.stat().st_size - self.header.file_bytes) // 2
        if (ends > ROLLS).any() or (at + length > room).any():
            raise TableError(
                f"{self.path} is damaged: its index places positions {start} to {stop - 1} "
                "beyond the end of the file"
            )
        rolls = np.arange(ROLLS)
        kept = (rolls >= first[..., None]) & (rolls < ends[..., None])
        places = (at - first)[..., None] + rolls
        rows = np.zeros(kept.shape, dtype=np.uint16)
        low, high = int(at.min()), int((at + length).max())
        numbers = self._part(_NUMBER, low, high - low, self.header.file_bytes)
        rows[kept] = numbers[places[kept] - low]
        return rows

    def _part(
        self, kind: np.dtype[Any], first: int, count: int, behind: int = HEADER_BYTES
    ) -> NDArray[Any]:
        offset = behind + first * kind.itemsize
        return np.fromfile(self.path, dtype=kind, count=count, offset=offset)
