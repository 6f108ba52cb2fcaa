"""Random damage to a file, determined by a seed: place, type and new content."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SORTS = {"flip": 0.6, "cut": 0.13, "overwrite": 0.15, "zero": 0.12}
"""Types of damage, such as a flipped bit, with their frequencies."""

SECTOR = 512
_LONGEST_RUN = 64
_NEAR_AN_END = 0.3
"""Proportion of damage that is placed near the start or end of a file, where headers and
footers are."""
_ENDS = 1024


@dataclass(frozen=True)
class Damage:
    """Damage to one file.

    Attributes
    ----------
    number : int
        Number of the case of damage, counted within a series.
    kind, file : str
        Kind of file, and name of the file within its folder.
    sort : str
        Type of damage, such as a flipped bit; one of `SORTS`.
    at : int
        Index of the first damaged or lost byte.
    new : str
        Bytes that replace the old ones, in hexadecimal; empty if the file's end is cut off.
    """

    number: int
    kind: str
    file: str
    sort: str
    at: int
    new: str

    def __str__(self) -> str:
        return f"number {self.number}: {self.sort} at {self.at} of {self.file}"

    def done_to(self, data: bytes) -> bytes:
        """Return the damaged content of a file."""
        if self.sort == "cut":
            return data[: self.at]
        new = bytes.fromhex(self.new)
        return data[: self.at] + new + data[self.at + len(new) :]


def draw(number: int, kind: str, folder: Path, files: Sequence[str], seed: int) -> Damage:
    """Draw random damage to a file from a seed and a number."""
    rng = np.random.default_rng([seed, number])
    while True:
        file = files[int(rng.integers(len(files)))]
        data = (folder / file).read_bytes()
        sort = str(rng.choice(list(SORTS), p=list(SORTS.values())))
        at = _place(rng, len(data))
        new = b""
        if sort == "flip":
            new = bytes([data[at] ^ (1 << int(rng.integers(8)))])
        elif sort == "overwrite":
            length = min(int(rng.integers(1, _LONGEST_RUN + 1)), len(data) - at)
            new = rng.bytes(length)
        elif sort == "zero":
            at = at // SECTOR * SECTOR
            new = bytes(min(SECTOR, len(data) - at))
        damage = Damage(number, kind, file, sort, at, new.hex())
        if damage.done_to(data) != data:
            return damage


def _place(rng: np.random.Generator, size: int) -> int:
    if rng.random() < _NEAR_AN_END:
        at = int(rng.integers(min(_ENDS, size)))
        return at if rng.random() < 0.5 else size - 1 - at
    return int(rng.integers(size))
