"""A population on disk: one Parquet file, its columns, and how to read it.

Light to import: what reads populations needs neither numba nor the makers of them.
docs/populations.md explains the columns to people.

The file says of itself what it is, in the metadata of its schema, and seals that with a
SHA-256; one of all that is read of it is among what is sealed.
"""

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pyarrow import fs

from bearoff import PositionError, rank
from sim.decisions import PARTS, Decisions
from sim.files import RunError, write_whole
from sim.parquet_input import in_one_line, local, open_parquet
from sim.provenance import canonical_json, digest

Float64Array = NDArray[np.float64]

SCHEMA_VERSION = 2
"""Raised whenever a column or a key of the metadata changes its name, type or meaning."""

METADATA_KEY = b"bearoff"
"""Key of the JSON text in the metadata of the file's schema."""

_SEAL, _CONTENT = "seal", "content"
"""Keys of the digests of all else in the metadata, and of what the columns hold."""

_MOST_POINTS = 24

_ROW_BYTES = 400
"""Memory that a row takes while it is read; two sides of 24 points, generously."""

SOURCES = ("table", "model", "rollout")
"""Where values come from, in the order of their codes."""


@dataclass(frozen=True, eq=False)
class Values:
    """What decisions are worth, in points at a cube of 1 to the side on roll.

    Attributes
    ----------
    win_probability : ndarray of float64, shape (n,)
        Cubeless chance of the roller.
    no_double : ndarray of float64, shape (n,)
        Equity of not doubling now, the cube in the centre.
    no_redouble : ndarray of float64, shape (n,)
        The same, the roller owning the cube.
    double_take : ndarray of float64, shape (n,)
        Equity after a double that is taken; a pass is worth 1.
    error : ndarray of float64, shape (n,)
        Of the equities: largest error from the table, stated error of the model,
        standard error of a rollout.
    sources : ndarray of int8, shape (n,)
        Places in `SOURCES`.
    """

    win_probability: Float64Array
    no_double: Float64Array
    no_redouble: Float64Array
    double_take: Float64Array
    error: Float64Array
    sources: NDArray[np.int8]

    def chosen(self, rows: NDArray[np.bool_]) -> "Values":
        """Return some of them."""
        return Values(*(getattr(self, field.name)[rows] for field in fields(self)))

    def replaced(self, rows: NDArray[np.int64], others: "Values") -> "Values":
        """Return them with those of some rows replaced by others."""
        changed = {}
        for field in fields(self):
            changed[field.name] = getattr(self, field.name).copy()
            changed[field.name][rows] = getattr(others, field.name)
        return Values(**changed)


@dataclass(frozen=True, eq=False)
class Population:
    """A named population of race decisions with their values.

    Attributes
    ----------
    about : mapping
        Metadata of the file: name, seed, size and unit, points, digest, ``games`` by
        part, versions, the command that builds it.
    decisions : Decisions
        Pairs, parts and frequencies.
    roller_counts, opponent_counts : ndarray of int8, shape (n, points)
        Checkers on the ace, deuce, ... of the side on roll and of the other.
    roller_epc, opponent_epc : ndarray of float64, shape (n,)
        Effective pip counts, in pips; estimates where a checker is beyond home.
    values : Values
        What the decisions are worth.
    """

    about: dict[str, Any]
    decisions: Decisions
    roller_counts: NDArray[np.int8]
    opponent_counts: NDArray[np.int8]
    roller_epc: Float64Array
    opponent_epc: Float64Array
    values: Values

    def __len__(self) -> int:
        return len(self.decisions)

    def chosen(self, rows: NDArray[np.bool_]) -> "Population":
        """Return some of its rows, chosen by a mask."""
        return replace(
            self,
            decisions=self.decisions.chosen(rows),
            roller_counts=self.roller_counts[rows],
            opponent_counts=self.opponent_counts[rows],
            roller_epc=self.roller_epc[rows],
            opponent_epc=self.opponent_epc[rows],
            values=self.values.chosen(rows),
        )

    def part(self, name: str, *, only_here: bool = False) -> "Population":
        """Return a part of it.

        Parameters
        ----------
        name : {"train", "validation", "test"}
            Which.
        only_here : bool
            Leave out pairs that another part's games met as well.

        Raises
        ------
        RunError
            If there is no such part.
        """
        if name not in PARTS:
            raise RunError(f"a population has the parts {', '.join(PARTS)}, got {name!r}")
        rows = self.decisions.parts == PARTS.index(name)
        return self.chosen(rows & ~self.decisions.elsewhere if only_here else rows)


def population_schema(points: int) -> pa.Schema:
    """Return the columns and types of a population on so many points, no metadata."""
    counts = pa.list_(pa.field("item", pa.int8(), nullable=False), points)
    types = {
        "roller": pa.int64(),
        "opponent": pa.int64(),
        "roller_counts": counts,
        "opponent_counts": counts,
        "part": pa.dictionary(pa.int8(), pa.string()),
        "weight": pa.int64(),
        "elsewhere": pa.bool_(),
        "game": pa.int64(),
        "ply": pa.int16(),
        "roller_pips": pa.int16(),
        "opponent_pips": pa.int16(),
        "roller_epc": pa.float64(),
        "opponent_epc": pa.float64(),
        "win_probability": pa.float64(),
        "no_double": pa.float64(),
        "no_redouble": pa.float64(),
        "double_take": pa.float64(),
        "error": pa.float64(),
        "source": pa.dictionary(pa.int8(), pa.string()),
    }
    return pa.schema([pa.field(name, t, nullable=False) for name, t in types.items()])


def write_population(path: Path, population: Population) -> None:
    """Write a population whole: compressed, with checksums.

    Raises
    ------
    OSError
        If it cannot be written; nothing is left behind.
    """
    met, values = population.decisions, population.values
    points = population.roller_counts.shape[1]
    pips = np.arange(1, points + 1)
    columns = {
        "roller": met.rollers,
        "opponent": met.opponents,
        "roller_counts": _lists(population.roller_counts),
        "opponent_counts": _lists(population.opponent_counts),
        "part": _named(met.parts, PARTS),
        "weight": met.weights,
        "elsewhere": met.elsewhere,
        "game": met.games,
        "ply": met.plies,
        "roller_pips": (population.roller_counts @ pips).astype(np.int16),
        "opponent_pips": (population.opponent_counts @ pips).astype(np.int16),
        "roller_epc": population.roller_epc,
        "opponent_epc": population.opponent_epc,
        "win_probability": values.win_probability,
        "no_double": values.no_double,
        "no_redouble": values.no_redouble,
        "double_take": values.double_take,
        "error": values.error,
        "source": _named(values.sources, SOURCES),
    }
    said = {k: v for k, v in population.about.items() if k != _SEAL}
    said[_CONTENT] = _content(population)
    about = canonical_json(said | {_SEAL: digest(canonical_json(said))})
    schema = population_schema(points).with_metadata({METADATA_KEY: about})
    arrays = [pa.array(columns[name]) for name in schema.names]
    sink = pa.BufferOutputStream()
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=schema),
        sink,
        compression="zstd",
        write_page_checksum=True,
        row_group_size=1 << 18,
    )
    write_whole(fs.LocalFileSystem(), str(path), sink.getvalue().to_pybytes())


def read_about(path: str | Path) -> dict[str, Any]:
    """Return the metadata of a population's file.

    Raises
    ------
    RunError
        If there is no such file, or it is no population of this version.
    """
    with _opened(path) as file:
        return _about_of(file.schema_arrow, path)


def _opened(path: str | Path) -> pq.ParquetFile:
    if not Path(path).exists():
        raise RunError(
            f"there is no population {path}; run: bearoff populations build "
            f"{Path(path).stem}"
        )
    try:
        return open_parquet(*local(path), _ROW_BYTES)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = in_one_line(error)
        raise RunError(f"cannot read the population {path}: {reason}") from error


def _about_of(schema: pa.Schema, path: str | Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads((schema.metadata or {})[METADATA_KEY])
        points, version = int(about["points"]), about["schema_version"]
        complete = {"basis", "digest", "games", _CONTENT, _SEAL} <= set(about)
        sealed = {key: value for key, value in about.items() if key != _SEAL}
        genuine = about.get(_SEAL) == digest(canonical_json(sealed))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise RunError(
            f"{path} is not a population; bearoff populations build makes them"
        ) from None
    known = version == SCHEMA_VERSION and complete and 1 <= points <= _MOST_POINTS
    if not known or not schema.equals(population_schema(points)):
        raise RunError(
            f"{path} is a population of version {version}, this is {SCHEMA_VERSION}; "
            "build it again"
        )
    if not genuine:
        raise RunError(f"the population {path} is damaged: what it says was changed")
    return about


def open_population(path: str | Path) -> Population:
    """Read a population.

    Parameters
    ----------
    path : str or Path
        Its Parquet file.

    Raises
    ------
    RunError
        If there is no such file, it is damaged or no population, or its pairs are not
        those that its digest was taken of.
    """
    with _opened(path) as file:
        about = _about_of(file.schema_arrow, path)
        try:
            found = _population(file.read(), about)
        except (pa.ArrowException, OSError, ValueError, KeyError) as error:
            raise RunError(
                f"the population {path} is damaged: {in_one_line(error)}"
            ) from error
    if _content(found) != about[_CONTENT]:
        raise RunError(f"the population {path} is damaged: its digest is another")
    _check_values(found, path)
    return found


def _population(table: pa.Table, about: dict[str, Any]) -> Population:
    points = int(about["points"])

    def column(name: str) -> NDArray[Any]:
        found: NDArray[Any] = table[name].to_numpy()
        return found

    def counts(name: str) -> NDArray[np.int8]:
        flat = table[name].combine_chunks().flatten().to_numpy()
        return np.asarray(flat, dtype=np.int8).reshape(-1, points)

    decisions = Decisions(
        column("roller"),
        column("opponent"),
        _codes(table["part"], PARTS),
        column("weight"),
        column("elsewhere"),
        column("game"),
        column("ply"),
    )
    return Population(
        about,
        decisions,
        counts("roller_counts"),
        counts("opponent_counts"),
        column("roller_epc"),
        column("opponent_epc"),
        Values(
            column("win_probability"),
            column("no_double"),
            column("no_redouble"),
            column("double_take"),
            column("error"),
            _codes(table["source"], SOURCES),
        ),
    )


def _content(population: Population) -> str:
    """Return the SHA-256 of all that is read of a population besides its metadata."""
    groups = (population.decisions, population, population.values)
    arrays = (
        getattr(group, field.name)
        for group in groups
        for field in fields(group)
        if field.name not in ("about", "decisions", "values")
    )
    return digest(*(a.astype(a.dtype.newbyteorder("<")).tobytes() for a in arrays))


def _check_values(found: Population, path: str | Path) -> None:
    """Refuse what no population holds: digests do not tell who took them."""
    values = found.values
    worth = [
        found.roller_epc,
        found.opponent_epc,
        *(getattr(values, field.name) for field in fields(values)),
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
        # A rollout's estimate may pass 0 and 1 by what it is uncertain.
        and bool((np.abs(chance - 0.5) < 1).all())
        and bool((found.decisions.weights > 0).all())
    )
    if not good:
        raise RunError(f"{path} is not a population: it holds what no position is worth")


def _lists(counts: NDArray[np.int8]) -> pa.FixedSizeListArray:
    item = pa.field("item", pa.int8(), nullable=False)
    flat = pa.array(np.ascontiguousarray(counts).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, type=pa.list_(item, counts.shape[1]))


def _named(codes: NDArray[np.int8], names: tuple[str, ...]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names))


def _codes(column: pa.ChunkedArray, names: tuple[str, ...]) -> NDArray[np.int8]:
    """Return the places of a column's words in `names`, whatever its dictionary is."""
    places = np.empty(len(column), dtype=np.int8)
    start = 0
    for chunk in column.chunks:
        words = np.array([names.index(w) for w in chunk.dictionary.to_pylist()], np.int8)
        places[start : start + len(chunk)] = words[chunk.indices.to_numpy()]
        start += len(chunk)
    return places
