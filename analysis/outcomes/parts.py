"""The parts of a run: read from storage, compared with their checksum, validated."""

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from bearoff import position_count
from bearoff.analysis.errors import RunError
from bearoff.sim.storage import schema

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.fs as pafs

_OF_GAMES = {"wins", "gammons_won", "gammons_lost"}
"""Columns that count some of the games."""

_ROW_BYTES = 1000
"""Memory that a row takes while it is read, amply."""


HIGHEST_EQUITY = float(1 << 20)
"""Points that no game with the cube is worth: 1,024 doubled ten times."""


class DamagedPartError(Exception):
    """A part that is missing or differs from what the manifest says."""


def part_bytes(filesystem: "pafs.FileSystem", path: str, sha256: str) -> bytes:
    """Read a part and compare its checksum.

    Raises
    ------
    DamagedPartError
        If it is missing or differs.
    """
    from bearoff.sim.storage import files

    name = path.rpartition("/")[2]
    try:
        data = files.read(filesystem, path)
    except (OSError, ValueError) as error:
        raise DamagedPartError(f"{name} cannot be read") from error
    if data is None:
        raise DamagedPartError(f"{name} cannot be read")
    if hashlib.sha256(data).hexdigest() != sha256:
        raise DamagedPartError(f"{name} is not what was written")
    return data


def read_part(
    data: bytes,
    columns: list[str],
    kind: str,
    points: int,
    checkers: int,
    rows: int,
    where: str,
) -> "pa.Table":
    """Read columns of a part.

    Parameters
    ----------
    data : bytes
        The whole file.
    columns : list of str
        Which to read.
    kind : str
        Of the run.
    points, checkers : int
        Size of the run's positions.
    rows : int
        Pairs that the manifest states.
    where : str
        The run and the part, for errors.

    Raises
    ------
    RunError
        If it is no part of such a run, or holds what no games give.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from bearoff.sim.storage import parquet_input

    try:
        with pq.ParquetFile(pa.BufferReader(data)) as file:
            parquet_input.check_stated(file.metadata, _ROW_BYTES)
            expected = schema.outcome_schema(points, kind)
            if not file.schema_arrow.equals(expected) or file.metadata.num_rows != rows:
                raise RunError(f"{where} is not a part of a run of kind {kind}")
            beside = {"games"} - set(columns) if _OF_GAMES & set(columns) else set()
            table = file.read([*columns, *beside])
    except RunError:
        raise
    except (OSError, ValueError, pa.ArrowException) as error:
        raise RunError(f"{where}: cannot be read: {str(error).splitlines()[0]}") from error
    validate_rows(table, kind, points, checkers, where)
    return table.drop_columns(list(beside)).replace_schema_metadata(None)


def validate_rows(
    rows: "pa.Table", kind: str, points: int, checkers: int, where: str
) -> None:
    """Validate the rows of a part: each value within what games can give.

    Parameters
    ----------
    rows : pyarrow.Table
        Some columns of a part; with counts of games, ``games`` as well.
    kind : str
        Of the run; with the cube what is expected is an equity.
    points, checkers : int
        Size of the positions.
    where : str
        The part, for the error.

    Raises
    ------
    RunError
        Naming the column, the row and the value.
    """
    most = position_count(points, checkers) - 1
    expected = (-HIGHEST_EQUITY, HIGHEST_EQUITY) if kind == schema.CUBEFUL else (0.0, 1.0)
    limits = {
        "pair": (0, None),
        "weight": (0.0, np.finfo(np.float64).max),
        "roller": (1, most),
        "opponent": (1, most),
        # Of a race that a table holds, none is rolled out.
        "games": (0 if kind == schema.ROLLOUTS else 1, None),
        **dict.fromkeys(_OF_GAMES, (0, None)),
        "expected": expected,
        "match_chance": (0.0, 1.0),
        "win_probability": (0.0, 1.0),
    }
    for name in rows.column_names:
        if name not in limits or not len(rows):
            continue
        values = rows[name].to_numpy()
        low, high = limits[name]
        if name in _OF_GAMES:
            high = rows["games"].to_numpy()
        bad = (values < low) | (False if high is None else values > high)
        if name == "expected":
            bad &= ~np.isnan(values)  # No expected value is null.
        else:
            bad |= values != values
        if bad.any():
            row = int(bad.argmax())
            raise RunError(
                f"{where} is not a part: {name} of its row {row} is {values[row]}"
            )
