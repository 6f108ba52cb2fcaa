"""Reading and writing of populations as Parquet files, with column descriptions.

This module needs neither numba nor the modules that build populations.
docs/formulas.md#populations explains the columns to users.

The metadata in the Parquet schema describe the population. The metadata have a checksum,
and contain the digest of all columns.
"""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from bearoff import PositionError, rank
from bearoff.sim.populations.decisions import SPLITS, RaceDecisions
from bearoff.sim.populations.population import (
    SOURCES,
    CubeVisits,
    DecisionValues,
    Population,
)
from bearoff.sim.storage import RunError, descriptions, parquet_input
from bearoff.storage import sealing, write_atomic

SCHEMA_VERSION = 3
"""Version of the file format for populations."""

METADATA_KEY = b"bearoff"
"""Key in the metadata of the Parquet schema; its value is the population's metadata as JSON
text."""

_CONTENT = "content"
"""Key in a population's metadata; its value is the digest of all data."""

_MOST_POINTS = 24

_ROW_BYTES = 400
"""Upper bound on the memory per row, in bytes, while a file is read."""


AT_SCORE = "redouble_take"
"""Name of the additional column in populations at a match score."""

_GROUPS = {
    "decisions": {
        "roller": "rollers",
        "opponent": "opponents",
        "split": "splits",
        "weight": "weights",
        "elsewhere": "elsewhere",
        "game": "games",
        "ply": "plies",
    },
    "values": {
        "win_probability": "win_probability",
        "no_double": "no_double",
        "no_redouble": "no_redouble",
        "double_take": "double_take",
        AT_SCORE: "redouble_take",
        "error": "error",
        "source": "sources",
    },
    "cube": {field.name: field.name for field in fields(CubeVisits)},
}
"""Columns of the file for each attribute of `Population`: the name of the column, and the
name of the field with its values."""

CUBE_COLUMNS = tuple(_GROUPS["cube"])
"""Names of the additional columns in populations with a doubling cube."""

DESCRIPTIONS: dict[str, tuple[str, str]] = {
    "roller": ("number", "Benjamin-Ross position number of the side on roll"),
    "opponent": ("number", "Benjamin-Ross position number of the other side"),
    "roller_counts": ("checkers", "numbers on the roller's ace point, deuce point, ..."),
    "opponent_counts": (
        "checkers",
        "numbers on the opponent's ace point, deuce point, ...",
    ),
    "split": ("", "train, validation or test; each game is in one split"),
    "weight": ("visits", "occurrences of the pair in games of the split"),
    "elsewhere": ("", "whether the pair also occurs in another split"),
    "game": ("", "first game of the split in which the pair occurs"),
    "ply": ("rolls", "rolls from the start of the race to the pair in this game"),
    "roller_pips": ("pips", "raw pip count"),
    "opponent_pips": ("pips", "raw pip count"),
    "roller_epc": ("pips", "effective pip count: mean rolls needed times 49/6"),
    "opponent_epc": ("pips", "effective pip count of the opponent"),
    "win_probability": ("chance", "that the roller wins, without a cube"),
    "no_double": ("points", "equity of not doubling, with a centred cube"),
    "no_redouble": ("points", "equity of not redoubling, with the roller's cube"),
    "double_take": ("points", "equity of a double that is taken; a pass is worth 1"),
    "redouble_take": ("points", "equity of a redouble that is taken"),
    "error": ("points", "error of the equities: a bound, or a rollout's standard error"),
    "source": ("", "source of the equities: table, rollout or model"),
    "centred": ("visits", "occurrences with a centred cube"),
    "owned": ("visits", "occurrences with a cube owned by the roller"),
    "doubled": ("visits", "occurrences in which the opponent is doubled"),
    "owned_stakes": ("points", "sum of the cube values over `owned`"),
    "doubled_stakes": ("points", "sum of the cube values over `doubled`"),
}
"""Unit and description of each column."""

_WORDS = {"split": SPLITS, "source": SOURCES}
"""Names that two columns contain in the file. In memory, these columns contain indices into
the names."""

_SIDES = ("roller", "opponent")


def population_schema(points: int, cube: bool = False, at_score: bool = False) -> pa.Schema:
    """Return the Parquet schema of a population, with column descriptions."""
    counts = pa.list_(pa.field("item", pa.int8(), nullable=False), points)
    words = pa.dictionary(pa.int8(), pa.string())
    types = {
        "roller": pa.int64(),
        "opponent": pa.int64(),
        "roller_counts": counts,
        "opponent_counts": counts,
        "split": words,
        "weight": pa.int64(),
        "elsewhere": pa.bool_(),
        "game": pa.int64(),
        "ply": pa.int16(),
        "roller_pips": pa.int16(),
        "opponent_pips": pa.int16(),
        "roller_epc": pa.float64(),
        "opponent_epc": pa.float64(),
        **dict.fromkeys(_GROUPS["values"], pa.float64()),
        "source": words,
    }
    if not at_score:
        del types[AT_SCORE]
    types |= dict.fromkeys(CUBE_COLUMNS if cube else (), pa.int64())
    fields = [pa.field(name, t, nullable=False) for name, t in types.items()]
    return describe(pa.schema(fields))


def describe(types: pa.Schema) -> pa.Schema:
    texts = {
        name: f"{unit}: {meaning}" if unit else meaning
        for name, (unit, meaning) in DESCRIPTIONS.items()
    }
    return descriptions.described(types, texts)


def write_population(path: Path, population: Population) -> None:
    """Write a population to a compressed Parquet file.

    Raises
    ------
    OSError
        If the file cannot be written. In this case, no incomplete file is left behind.
    """
    points = population.roller_counts.shape[1]
    columns: dict[str, Any] = {}
    for group, names in _GROUPS.items():
        part = getattr(population, group)
        if part is not None:
            columns |= {name: getattr(part, own) for name, own in names.items()}
    for name, words in _WORDS.items():
        columns[name] = _named(columns[name], words)
    for side in _SIDES:
        counts = getattr(population, f"{side}_counts")
        columns[f"{side}_counts"] = _lists(counts)
        columns[f"{side}_pips"] = (counts @ np.arange(1, points + 1)).astype(np.int16)
        columns[f"{side}_epc"] = getattr(population, f"{side}_epc")
    about = sealing.canonical_json(
        sealing.sealed(population.about | {_CONTENT: _content(population)})
    )
    schema = population_schema(
        points, population.cube is not None, population.values.redouble_take is not None
    )
    schema = schema.with_metadata({METADATA_KEY: about})
    arrays = [pa.array(columns[name]) for name in schema.names]
    sink = pa.BufferOutputStream()
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=schema),
        sink,
        compression="zstd",
        write_page_checksum=True,
        row_group_size=1 << 18,
    )
    write_atomic(path, sink.getvalue())


def read_about(path: str | Path) -> dict[str, Any]:
    """Return the metadata of a population from its file.

    Raises
    ------
    RunError
        If the file does not exist, or is not a population of this version.
    """
    with _opened(path) as file:
        return _about_of(file.schema_arrow, path)


def _opened(path: str | Path) -> pq.ParquetFile:
    if not Path(path).exists():
        raise RunError(
            f"the population {path} does not exist; run: bearoff populations build "
            f"{Path(path).stem}"
        )
    try:
        return parquet_input.open_parquet(*parquet_input.local(path), _ROW_BYTES)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = parquet_input.in_one_line(error)
        raise RunError(f"cannot read the population {path}: {reason}") from error


def _about_of(schema: pa.Schema, path: str | Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads((schema.metadata or {})[METADATA_KEY])
        points, version = int(about["points"]), about["schema_version"]
        complete = {"basis", "digest", "games", _CONTENT} <= set(about)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise RunError(
            f"{path} is not a population; build one with bearoff populations build"
        ) from None
    known = version == SCHEMA_VERSION and complete and 1 <= points <= _MOST_POINTS
    cube = CUBE_COLUMNS[0] in schema.names
    at_score = AT_SCORE in schema.names
    if not known or not schema.equals(population_schema(points, cube, at_score)):
        raise RunError(
            f"the population {path} has version {version}, but this program reads version "
            f"{SCHEMA_VERSION}; build it again"
        )
    try:
        return sealing.unsealed(about)
    except ValueError as error:
        raise RunError(f"the population {path} is damaged: {error}") from error


def open_population(path: str | Path) -> Population:
    """Read a population from its Parquet file.

    Parameters
    ----------
    path : str or Path
        Parquet file of the population.

    Raises
    ------
    RunError
        If the file does not exist, is damaged or not a population, or its pairs do not
        match their digest.
    """
    with _opened(path) as file:
        about = _about_of(file.schema_arrow, path)
        try:
            found = _population(file.read(), about)
        except (pa.ArrowException, OSError, ValueError, KeyError) as error:
            raise RunError(
                f"the population {path} is damaged: {parquet_input.in_one_line(error)}"
            ) from error
    if _content(found) != about[_CONTENT]:
        raise RunError(
            f"the population {path} is damaged: its digest does not match its contents"
        )
    _check_values(found, path)
    return found


def _population(table: pa.Table, about: dict[str, Any]) -> Population:
    points = int(about["points"])

    def column(name: str) -> NDArray[Any]:
        if name in _WORDS:
            return _codes(table[name], _WORDS[name])
        found: NDArray[Any] = table[name].to_numpy()
        return found

    def part(group: str) -> dict[str, NDArray[Any]]:
        names = _GROUPS[group].items()
        return {own: column(name) for name, own in names if name in table.column_names}

    sides: dict[str, NDArray[Any]] = {}
    for side in _SIDES:
        flat = table[f"{side}_counts"].combine_chunks().flatten().to_numpy()
        counts = np.asarray(flat, dtype=np.int8).reshape(-1, points)
        sides |= {f"{side}_counts": counts, f"{side}_epc": column(f"{side}_epc")}
    return Population(
        about,
        RaceDecisions(**part("decisions")),
        **sides,
        values=DecisionValues(**part("values")),
        cube=CubeVisits(**part("cube")) if CUBE_COLUMNS[0] in table.column_names else None,
    )


def _content(population: Population) -> str:
    """Return the SHA-256 digest of all data of a population, without the metadata."""
    groups: list[Any] = [population.decisions, population, population.values]
    groups += [population.cube] if population.cube is not None else []
    arrays = (
        getattr(group, field.name)
        for group in groups
        for field in fields(group)
        if field.name not in ("about", "decisions", "values", "cube")
        and getattr(group, field.name) is not None
    )
    return sealing.digest(*(a.astype(a.dtype.newbyteorder("<")).tobytes() for a in arrays))


def _check_values(found: Population, path: str | Path) -> None:
    """Raise an error if a population contains impossible values."""
    values = found.values
    worth = [
        found.roller_epc,
        found.opponent_epc,
        *values.columns.values(),
    ]
    chance = values.win_probability
    try:
        sides = [
            np.array_equal(rank(counts), numbers)
            for counts, numbers in (
                (found.roller_counts, found.decisions.rollers),
                (found.opponent_counts, found.decisions.opponents),
            )
        ]
    except PositionError as error:
        raise RunError(f"{path} is not a population: {error}") from error
    good = (
        all(sides)
        and all(np.isfinite(array).all() for array in worth)
        # A rollout may estimate a probability below 0 or above 1, so values between -0.5
        # and 1.5 are accepted.
        and bool((np.abs(chance - 0.5) < 1).all())
        and bool((found.decisions.weights > 0).all())
    )
    if not good:
        raise RunError(f"{path} is not a population: it contains an impossible value")


def _lists(counts: NDArray[np.int8]) -> pa.FixedSizeListArray:
    item = pa.field("item", pa.int8(), nullable=False)
    flat = pa.array(np.ascontiguousarray(counts).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, type=pa.list_(item, counts.shape[1]))


def _named(codes: NDArray[np.int8], names: tuple[str, ...]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names))


def _codes(column: pa.ChunkedArray, names: tuple[str, ...]) -> NDArray[np.int8]:
    places = np.empty(len(column), dtype=np.int8)
    start = 0
    for chunk in column.chunks:
        words = np.array([names.index(w) for w in chunk.dictionary.to_pylist()], np.int8)
        places[start : start + len(chunk)] = words[chunk.indices.to_numpy()]
        start += len(chunk)
    return places
