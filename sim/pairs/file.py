"""Functions that read pairs of positions from a CSV or Parquet file.

Files are not trusted. The stated size of a Parquet file is compared with the available
memory before reading, and a CSV file is read in pieces. Only the two requested columns are
read.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

import bearoff
from bearoff.positions import is_two_sided
from bearoff.runtime import memory_available
from bearoff.sim.config import errors, pairs, races
from bearoff.sim.storage import RunError, files, parquet_input, require_file

Int64Array = NDArray[np.int64]

_TEXT_BYTES = 1000
"""Maximum size of a position in a Parquet file in bytes, on average over the rows that are
read at once."""

_NAMES_SHOWN = 10
"""Maximum number of column names that an error message lists."""

_ROW_BYTES = 100
"""Memory that is needed to read a file, in bytes per pair of positions."""


def read_pairs(file: pairs.PairFile, points: int, checkers: int) -> Int64Array:
    """Read the pairs of positions in a CSV or Parquet file.

    Parameters
    ----------
    file : pairs.PairFile
        Path of the file, and names of the columns with the roller's and the opponent's
        position.
    points, checkers : int
        Numbers of points and checkers of the table to which the positions belong.

    Returns
    -------
    ndarray of int64, shape (rows, 2)
        Position numbers of the roller and the opponent.

    Raises
    ------
    RunError
        If the file cannot be read, a column is missing, or a row has no valid position. The
        message states the file, the row (counted from 1, without the header) and the value.
    """
    pieces = []
    rows = 0
    most = max(memory_available(), parquet_input.LEAST_MEMORY) // _ROW_BYTES
    try:
        for batch in _batches(file):
            sides = [
                _numbers(batch[name], name, file, points, checkers, rows)
                for name in (file.roller, file.opponent)
            ]
            _check_no_contact(sides[0], sides[1], file, points, checkers, rows)
            pieces.append(np.stack(sides, axis=1))
            rows += len(batch)
            if rows > most:
                raise RunError(
                    f"{file.path} has more than {most:,} rows, which do not fit into "
                    "memory; use a smaller file"
                )
    except RunError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        reason = parquet_input.in_one_line(error)
        raise RunError(f"cannot read pairs from {file.path}: {reason}") from error
    return np.concatenate([np.empty((0, 2), dtype=np.int64), *pieces])


def _check_no_contact(
    rollers: Int64Array,
    opponents: Int64Array,
    file: pairs.PairFile,
    points: int,
    checkers: int,
    rows_before: int,
) -> None:
    if 2 * points <= races.BOARD:
        return
    farthest = []
    for numbers in (rollers, opponents):
        held = bearoff.unrank(numbers, points, checkers) > 0
        farthest.append(points - np.argmax(held[:, ::-1], axis=1))
    for row in np.flatnonzero(farthest[0] + farthest[1] > races.BOARD)[:1]:
        sentence = races.in_contact(*(int(side[row]) for side in farthest))
        raise RunError(f"{file.path}, row {rows_before + row + 1}: {sentence}")


def _batches(file: pairs.PairFile) -> Iterator[pa.RecordBatch]:
    filesystem, path = files.open_folder(file.path.resolved)
    columns = [file.roller, file.opponent]
    if path.lower().endswith(".parquet"):
        with parquet_input.open_parquet(filesystem, path, _ROW_BYTES, whole=False) as read:
            _check_columns(read.schema_arrow.names, file)
            for batch in read.iter_batches(columns=columns):
                # A compressed file of a few kilobytes can expand to a gigabyte, so the
                # expanded size is limited.
                if batch.nbytes > len(columns) * _TEXT_BYTES * len(batch):
                    raise ValueError(
                        f"{len(batch):,} rows of the file take {batch.nbytes:,} bytes in "
                        "memory, which is too much for rows of positions"
                    )
                yield batch
        return
    require_file(path, filesystem)
    with filesystem.open_input_stream(path) as stream:
        names = csv.open_csv(stream).schema.names
    _check_columns(names, file)
    # Both columns are read as text, because the CSV reader could convert a quoted position
    # such as "0,0,0,5,5,5" to a number.
    kinds = csv.ConvertOptions(
        column_types=dict.fromkeys(columns, pa.string()), include_columns=columns
    )
    with filesystem.open_input_stream(path) as stream:
        yield from csv.open_csv(stream, convert_options=kinds)


def _check_columns(names: list[str], file: pairs.PairFile) -> None:
    for column in (file.roller, file.opponent):
        found = names.count(column)
        if found != 1:
            there = ", ".join(map(errors.show, names[:_NAMES_SHOWN])) or "none"
            if len(names) > _NAMES_SHOWN:
                there += f" and {len(names) - _NAMES_SHOWN:,} more"
            raise RunError(
                f"the column {errors.show(column)} must occur exactly once in {file.path}, "
                f"got {found or 'none'}; the file has {there}"
            )


def _numbers(
    column: pa.Array,
    name: str,
    file: pairs.PairFile,
    points: int,
    checkers: int,
    rows_before: int,
) -> Int64Array:
    """Convert a column of positions to position numbers; errors state the row."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.null_count:
        row = rows_before + int(np.argmax(column.is_null().to_numpy(False))) + 1
        raise RunError(f"{file.path}, row {row}, column {name!r}: the position is missing")
    if pa.types.is_integer(column.type):
        values = column.to_numpy()
    elif pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        values = _parse(column, name, file, points, checkers, rows_before)
    else:
        # A list is ambiguous: it could contain the number of checkers on each point, or the
        # point of each checker.
        raise RunError(
            f"{file.path}, column {name!r}: positions must be whole numbers or text, got "
            f"{column.type}"
        )
    size = bearoff.position_count(points, checkers)
    wrong = np.flatnonzero((values < 1) | (values >= size))
    if len(wrong):
        raise RunError(
            f"{file.path}, row {rows_before + wrong[0] + 1}, column {name!r}: a position "
            f"number must be from 1 to {size - 1}, got {values[wrong[0]]}"
        )
    return np.asarray(values, dtype=np.int64)


def _parse(
    texts: pa.Array,
    name: str,
    file: pairs.PairFile,
    points: int,
    checkers: int,
    rows_before: int,
) -> Int64Array:
    numbers = np.empty(len(texts), dtype=np.int64)
    for row, text in enumerate(texts):
        try:
            position = _one_side(text.as_py(), points, checkers)
        except (bearoff.PositionError, UnicodeDecodeError) as error:
            raise RunError(
                f"{file.path}, row {rows_before + row + 1}, column {name!r}: {error}"
            ) from error
        numbers[row] = position.number
    return numbers


def _one_side(text: str, points: int, checkers: int) -> bearoff.Position:
    if is_two_sided(text):
        raise bearoff.PositionError(
            f"{errors.show(text)} describes both sides; write one side in each column, "
            "such as 3,3,2,0,2,1"
        )
    return bearoff.Position.parse(text, points, checkers)
