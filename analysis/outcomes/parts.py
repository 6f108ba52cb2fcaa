"""Reading of a simulation run's result files, with checks of checksums and values."""

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
"""Names of columns that count some of the games, so that their values cannot exceed the
number of games."""

_ROW_BYTES = 1000
"""Upper bound of the memory needed per row while a result file is read, in bytes."""


HIGHEST_EQUITY = float(1 << 20)
"""Maximum absolute equity of a game in points: an initial cube of 1,024 that is doubled ten
times."""


class DamagedPartError(Exception):
    """Error for a result file that is missing or does not match its checksum."""


def part_bytes(filesystem: "pafs.FileSystem", path: str, sha256: str) -> bytes:
    """Read a result file as bytes, and compare its checksum."""
    from bearoff.sim.storage import files

    name = path.rpartition("/")[2]
    try:
        data = files.read(filesystem, path)
    except (OSError, ValueError) as error:
        raise DamagedPartError(f"{name} cannot be read") from error
    if data is None:
        raise DamagedPartError(f"{name} cannot be read")
    if hashlib.sha256(data).hexdigest() != sha256:
        raise DamagedPartError(f"the checksum of {name} does not match")
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
    """Read columns of a result file, and check that their values are possible."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from bearoff.sim.storage import parquet_input

    try:
        with pq.ParquetFile(pa.BufferReader(data)) as file:
            parquet_input.check_stated(file.metadata, _ROW_BYTES)
            expected = schema.outcome_schema(points, kind)
            if not file.schema_arrow.equals(expected) or file.metadata.num_rows != rows:
                raise RunError(f"{where} does not have the columns of a run of kind {kind}")
            beside = {"games"} - set(columns) if _OF_GAMES & set(columns) else set()
            # The function `parquet_input.read_contents` explains why no threads are used.
            table = file.read([*columns, *beside], use_threads=False)
    except RunError:
        raise
    except (OSError, ValueError, pa.ArrowException) as error:
        raise RunError(f"{where} cannot be read: {str(error).splitlines()[0]}") from error
    validate_rows(table, kind, points, checkers, where)
    return table.drop_columns(list(beside)).replace_schema_metadata(None)


def validate_rows(
    rows: "pa.Table", kind: str, points: int, checkers: int, where: str
) -> None:
    """Raise an error for the first impossible value in the rows of a result file."""
    most = position_count(points, checkers) - 1
    expected = (-HIGHEST_EQUITY, HIGHEST_EQUITY) if kind == schema.CUBEFUL else (0.0, 1.0)
    limits = {
        "pair": (0, None),
        "weight": (0.0, np.finfo(np.float64).max),
        "roller": (1, most),
        "opponent": (1, most),
        # A race that the table contains is not rolled out, so it has 0 games.
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
            bad &= ~np.isnan(values)  # An expected value may be NaN, but not null.
        else:
            bad |= values != values
        if bad.any():
            row = int(bad.argmax())
            raise RunError(
                f"{where} is damaged: its column {name} has the impossible value "
                f"{values[row]} in row {row}"
            )
