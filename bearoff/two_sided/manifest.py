"""Manifest ``table.json`` of a two-sided table, and the list of tables in the cache.

The manifest lists a file of values only after the file is complete on the disk, so an
interruption costs only the current solver run. The manifest has a SHA-256 of itself, and
checksums of the other files. Each file of values has an index with a CRC-32 for each block,
which is verified when the block is first read. `bearoff.two_sided.storage` lists the files.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from pathlib import Path

from bearoff.errors import MissingTableError, PositionError, TableError
from bearoff.pair_planes import StoredPlane
from bearoff.positions import CHECKERS, POINTS
from bearoff.scores import Payoffs
from bearoff.storage import cache_folder, claimed, manifest as manifests, remove_unfinished
from bearoff.two_sided.pair_order import PairOrder, check_table_size, pair_order_of
from bearoff.two_sided.planes import Pass, SolvedPlane, money_passes
from bearoff.two_sided.score_planes import score_planes

FORMAT = 5
"""Version of the file format. Tables of other versions are not used."""

_PREFIX = "two-sided-"


@dataclass(frozen=True)
class WholeFile:
    """Size and CRC-32 of a file that is verified as a whole."""

    bytes: int
    crc32: int


@dataclass(frozen=True)
class TablePlane(StoredPlane):
    """Manifest entry of a file of values, with checksums, step size and maximum error."""

    step: float
    error: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isfinite(self.error + self.step):
            raise ValueError(
                f"error and step must be finite, got {(self.error, self.step)}"
            )


@dataclass(frozen=True)
class Manifest:
    """Contents of a two-sided table's manifest.

    Attributes
    ----------
    points, checkers : int
        Number of points of the board, and maximum number of checkers per player.
    start : int
        Number of checkers of each player at the start of the game.
    files : dict of str to WholeFile
        Size and checksum of each file that lists positions after rolls.
    planes : dict of str to TablePlane
        Manifest entries of the completed files of values, by name.
    rests : StoredPlane or None
        Manifest entry of the file of rounding residuals (see
        `bearoff.two_sided.planes.RESIDUALS`). The file is needed until the values for a
        centred cube are solved.
    payoffs : Payoffs or None
        Payoffs at a match score; None for money.
    origins : tuple of int or None
        Position numbers from which the table's positions can be reached. None if the table
        contains all positions.
    """

    points: int
    checkers: int
    start: int = CHECKERS
    files: dict[str, WholeFile] = field(default_factory=dict)
    planes: dict[str, TablePlane] = field(default_factory=dict)
    rests: StoredPlane | None = None
    format: int = FORMAT
    payoffs: Payoffs | None = None
    origins: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        try:
            check_table_size(self.points, self.checkers, self.start)
        except PositionError as error:
            raise ValueError(str(error)) from None

    @property
    def folder(self) -> Path:
        name = f"{_PREFIX}{self.points:02}-{self.checkers:02}"
        name += f"-of-{self.start:02}" if self.start != CHECKERS else ""
        name += f"-at-{self.payoffs.label}" if self.payoffs is not None else ""
        return cache_folder() / name

    @property
    def passes(self) -> tuple[Pass, ...]:
        """Solver runs that build all values of the table."""
        at = self.payoffs
        return score_planes(at).passes if at else money_passes(self.places)

    @property
    def is_complete(self) -> bool:
        return {name for one in self.passes for name in one.planes} <= set(self.planes)

    @property
    def solved(self) -> dict[str, SolvedPlane]:
        """Descriptions of all kinds of values that the table can contain, by name."""
        passes = score_planes(self.payoffs).every_pass if self.payoffs else self.passes
        return {plane.name: plane for one in passes for plane in one.solves}

    @cached_property
    def places(self) -> PairOrder:
        """Order in which the table stores positions and pairs."""
        return pair_order_of(self.points, self.checkers, self.start, self.origins)


def table_folder(points: int, checkers: int, start: int = CHECKERS) -> Path:
    """Return the cache folder of a money table of a given size."""
    check_table_size(points, checkers, start)
    return Manifest(points, checkers, start).folder


def stored_sizes() -> list[tuple[int, int]]:
    """List the sizes (points, checkers) of the money tables in the cache, sorted."""
    return sorted(size for folder in stored_tables() if (size := _money_size(folder)))


def stored_tables() -> list[Path]:
    """List the folders of cached tables: money tables by size, followed by match tables."""
    found = []
    for folder in cache_folder().glob(f"{_PREFIX}[0-9][0-9]-[0-9][0-9]*"):
        at_score = re.fullmatch(_PREFIX + r"\d\d-\d\d-at-[0-9a-z-]+", folder.name)
        if folder.is_dir() and (at_score or _money_size(folder)):
            found.append(folder)
    return sorted(found, key=lambda folder: (_money_size(folder) is None, folder.name))


def _money_size(folder: Path) -> tuple[int, int] | None:
    """Return the points and checkers of a money table's folder; None for other folders."""
    size = re.fullmatch(_PREFIX + r"(\d\d)-(\d\d)", folder.name)
    points, checkers = map(int, size.groups()) if size else (0, 0)
    # The folder's name may state an impossible table size.
    with suppress(PositionError):
        check_table_size(points, checkers)
        return points, checkers
    return None


def build_command(points: int, checkers: int, *, cube: bool = True) -> str:
    """Return the shell command that builds a table of a given size."""
    size = (
        f"--checkers {checkers}"
        if points == POINTS
        else f"--points {points} --checkers {checkers}"
    )
    return f"bearoff tables build --two-sided {size}{'' if cube else ' --cubeless'}"


@contextmanager
def claimed_for_building(folder: Path) -> Iterator[None]:
    """Lock a folder for building, and remove files that killed processes left in it.

    Raises `TableError` if another process has locked the folder or the folder is read-only.
    """
    busy = f"another process is building {folder}; wait for it"
    advice = "; name another folder with BEAROFF_CACHE"
    lock = folder.with_suffix(".lock")
    with claimed(folder, lock, TableError, lambda: busy, advice):
        remove_unfinished(folder)
        yield


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a table in a folder.

    Raises `MissingTableError` if the folder has no table, and `TableError` if the manifest
    is damaged or has another format.
    """
    command = ""
    if size := _money_size(folder):
        points, checkers = size
        size_given = f"{checkers}" if points == POINTS else f"{checkers}, points={points}"
        command = (
            f": bearoff.build_two_sided_table({size_given}) in Python, "
            f"{build_command(points, checkers)} in a shell"
        )
    expected = {"format": FORMAT}
    manifest = manifests.read_manifest(
        folder, Manifest, expected, "two-sided table", command
    )
    if folder.name.startswith(_PREFIX) and manifest.folder.name != folder.name:
        raise TableError(
            f"{folder} contains a table for {manifest.points} points and "
            f"{manifest.checkers} checkers, which does not match the folder's name; "
            f"{manifests.REMEDY}"
        )
    return manifest


def plane_entry(folder: Path, name: str, manifest: Manifest) -> TablePlane:
    """Return the manifest entry of a file of values.

    Raises `MissingTableError` if the file has not been built.
    """
    try:
        return manifest.planes[name]
    except KeyError:
        raise MissingTableError(
            f"the {name} values of {folder} have not been built; build them first"
        ) from None
