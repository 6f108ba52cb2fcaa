"""Kinds of stored files that trials damage, with functions that create and read them.

A `Kind` has a function that creates files in a folder, and a list of *readers*. A reader is
a function that uses the files as the program does, and returns all answers. The last
readers repeat the command that wrote the files. This command repairs damaged files if
possible.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import bearoff
from bearoff.one_sided import cached_tables, opening as one_sided
from bearoff.race_model import opening as race_model
from bearoff.stakes import CUBES
from bearoff.two_sided import cached_two_sided_tables, opening

Reader = Callable[[Path], Any]

SIDE = 5
"""Checkers per side of the two-sided table."""

LARGE = (7, 15)
"""Points and checkers of the smallest one-sided table that is read block by block."""


SELDOM = 5
"""Number of damaged files of which slow readers read only one."""


@dataclass(frozen=True)
class Kind:
    """Kind of stored file: how it is created and read.

    Attributes
    ----------
    name : str
        Name of the kind of file on the page of results.
    make : callable
        Function that creates the files in an empty folder.
    readers : dict of str to callable
        Functions that read the folder and return the answers, in the order in which they
        are called.
    reason : callable
        Function that returns why damage that nobody noticed was harmless, or None if it was
        not harmless.
    patterns : tuple of str
        Patterns of the names of files to damage.
    share : int
        Frequency of damage to files of this kind, relative to other kinds.
    seldom : frozenset of str
        Names of slow readers, which are called for only one in `SELDOM` damaged files.
    is_text : bool
        Whether people write the file, so that it has no checksum.
    """

    name: str
    make: Reader
    readers: dict[str, Reader]
    reason: Callable[[Path, Path, str], str | None]
    patterns: tuple[str, ...]
    share: int
    is_text: bool = False
    seldom: frozenset[str] = frozenset()

    def files(self, folder: Path) -> list[str]:
        """Return the names of the files in a folder that the trial may damage."""
        found = {path for pattern in self.patterns for path in folder.glob(pattern)}
        return sorted(str(path.relative_to(folder)) for path in found)


def forget() -> None:
    """Close all open tables, so that their files are read again."""
    one_sided._open_table.cache_clear()
    opening._open_table.cache_clear()
    race_model.race_model.cache_clear()


def _use_cache(folder: Path) -> None:
    os.environ["BEAROFF_CACHE"] = str(folder)
    forget()


def use_tables(scratch: Path) -> None:
    """Make the program use a cache of tables that are not damaged."""
    _use_cache(scratch / "tables")


def no_reason(good: Path, damaged: Path, file: str) -> str | None:
    """Return None: damage to these files is never harmless."""
    return None


def same_json(good: Path, damaged: Path, file: str) -> str | None:
    """Return a reason if only white space in a JSON file has changed, otherwise None."""
    if not file.endswith(".json"):
        return None
    texts = [(folder / file).read_text(encoding="utf-8") for folder in (good, damaged)]
    same = json.loads(texts[0]) == json.loads(texts[1])
    return "white space of a JSON text" if same else None


# One-sided tables.


def _make_one_sided(folder: Path, size: tuple[int, int]) -> None:
    _use_cache(folder)
    bearoff.one_sided_table(*size)


def _ask_one_sided(folder: Path, size: tuple[int, int]) -> Any:
    _use_cache(folder)
    table = bearoff.one_sided_table(*size)
    some = np.random.default_rng(1).integers(0, len(table), (2, 3000))
    return [
        table.mean_rolls_of(some[0]),
        table.std_rolls_of(some[0]),
        table.distribution_of(some[0]),
        table.policy_of(some[0]),
        table.fewest_rolls_win_probability(*some),
    ]


def _verify_one_sided(folder: Path) -> Any:
    _use_cache(folder)
    for table in cached_tables():
        table.verify()
    return len(cached_tables())


def _rebuilt_one_sided(folder: Path, size: tuple[int, int]) -> Any:
    """Return all values of a one-sided table, which is rebuilt if it is damaged."""
    _use_cache(folder)
    table = bearoff.one_sided_table(*size)
    return [table.mean_rolls, table.std_rolls, table.distribution[::7]]


def _one_sided(name: str, size: tuple[int, int], share: int) -> Kind:
    return Kind(
        name,
        lambda folder: _make_one_sided(folder, size),
        {
            "bearoff tables verify": _verify_one_sided,
            "queries": lambda folder: _ask_one_sided(folder, size),
            "all of it": lambda folder: _rebuilt_one_sided(folder, size),
        },
        same_json,
        ("one-sided-*/*",),
        share,
    )


# Two-sided tables.


def _make_two_sided(folder: Path) -> None:
    _use_cache(folder)
    bearoff.build_two_sided_table(SIDE, start=SIDE)


@cache
def _pairs() -> tuple[Any, Any]:
    numbers = np.arange(bearoff.position_count(6, SIDE))
    return numbers[:, None], numbers


def _ask_two_sided(folder: Path, what: str) -> Any:
    _use_cache(folder)
    table = bearoff.two_sided_table(SIDE, start=SIDE)
    if what == "cubeless":
        return table.win_probability(*_pairs())
    if what == "gammons":
        return table.gammon_probability(*_pairs())
    if what == "points":
        return table.equity(*_pairs(), None)
    if what == "jacoby":
        return table.equity(*_pairs(), jacoby=True)
    if what in CUBES:
        return table.equity(*_pairs(), what)
    if what == "codes":
        return _codes(table)
    some = np.random.default_rng(1).integers(1, len(_pairs()[1]), (2, 500))
    return [table.no_double(*some), table.best_after(*some, "centred")]


def _codes(table: bearoff.TwoSidedTable) -> Any:
    everything = slice(0, table.places.blocks), slice(0, table.places.size)
    values = table.plane_values
    return [values.plane(name).read(*everything) for name in sorted(table.planes)]


def _verify_two_sided(folder: Path) -> Any:
    _use_cache(folder)
    for table in cached_two_sided_tables():
        table.verify()
    return len(cached_two_sided_tables())


def _build_two_sided(folder: Path) -> Any:
    _use_cache(folder)
    bearoff.build_two_sided_table(SIDE, start=SIDE, workers=1)
    table = bearoff.two_sided_table(SIDE, start=SIDE)
    return _codes(table), table.successors


# Cached results: the race model and the bounds of gammon chances.


def _ask_race_model(folder: Path) -> Any:
    _use_cache(folder)
    model = race_model.race_model()
    return [model.planes, model.no_double_values, model.std_rolls]


def _ask_bound(folder: Path) -> Any:
    from bearoff.one_sided.gammons import gammon_bound

    _use_cache(folder)
    found = gammon_bound(*_pairs(), SIDE)
    return [found.wins, found.losses]


# Data files that are part of the package.


def _make_package(folder: Path) -> None:
    from importlib.resources import files

    from bearoff.bear_in import DATA

    (folder / DATA).write_bytes(files("bearoff.bear_in").joinpath(DATA).read_bytes())


def _ask_package(folder: Path) -> Any:
    from bearoff.bear_in import bear_in, coefficients

    real = coefficients.files  # type: ignore[attr-defined]
    coefficients.files = lambda package: folder  # type: ignore[attr-defined]
    bear_in.cache_clear()
    try:
        model = bear_in()
    finally:
        coefficients.files = real  # type: ignore[attr-defined]
        bear_in.cache_clear()
    sides = np.random.default_rng(1).multinomial(15, [1 / 24] * 24, 500).astype(np.int8)
    return [model.mean_rolls(sides), model.std_rolls(sides), *model.expand(sides)]


def _same_arrays(good: Path, damaged: Path, file: str) -> str | None:
    loaded = []
    for folder in (good, damaged):
        with np.load(folder / file, allow_pickle=False) as data:
            loaded.append({name: data[name].tobytes() for name in data.files})
    same = loaded[0] == loaded[1]
    return (
        "metadata of the archive that is not read: all arrays are the same"
        if same
        else None
    )


def table_kinds() -> Iterator[Kind]:
    """Yield the kinds of tables and of the package's own data files."""
    yield _one_sided("one-sided table, small", (5, 6), 12)
    yield _one_sided("one-sided table, large", LARGE, 5)
    planes = {
        what: lambda folder, what=what: _ask_two_sided(folder, what)
        for what in ("cubeless", *CUBES, "jacoby", "points", "gammons", "plays", "codes")
    }
    yield Kind(
        "two-sided table",
        _make_two_sided,
        {
            **planes,
            "bearoff tables verify": _verify_two_sided,
            "bearoff tables build": _build_two_sided,
        },
        same_json,
        ("two-sided-*/*.*",),
        18,
        seldom=frozenset({"bearoff tables build"}),
    )
    yield Kind(
        "race model",
        _ask_race_model,
        {"planes": _ask_race_model},
        same_json,
        ("race-model/*",),
        4,
    )
    yield Kind(
        "bounds of gammons",
        _ask_bound,
        {"bounds": _ask_bound},
        same_json,
        ("gammon-bound-*/*",),
        6,
    )
    yield Kind(
        "package data (bear_in.npz)",
        _make_package,
        {"values and plays": _ask_package},
        _same_arrays,
        ("*.npz",),
        8,
    )
