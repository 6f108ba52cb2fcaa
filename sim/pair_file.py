"""Pairs read from a CSV or Parquet file, as numbers or in any notation."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv, fs, parquet

import bearoff
from sim.config_pairs import PairFile
from sim.files import RunError, open_folder

Int64Array = NDArray[np.int64]


def read_pairs(file: PairFile, points: int, checkers: int) -> Int64Array:
    """Read the pairs of a file.

    Parameters
    ----------
    file : PairFile
        Where it is, and which columns hold the two sides.
    points, checkers : int
        Size of the table that the positions belong to.

    Returns
    -------
    ndarray of int64, shape (rows, 2)
        Numbers of the side on roll and of the other.

    Raises
    ------
    RunError
        If the file cannot be read, lacks a column, or a row holds no position; the
        message names the file, the row (from 1, without the heading) and the value.
    """
    try:
        rows = _read(file)
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise RunError(f"cannot read pairs from {file.path}: {error}") from error
    for column in (file.roller, file.opponent):
        found = rows.column_names.count(column)
        if found != 1:
            raise RunError(
                f"{file.path} has {found or 'no'} column{'s' if found else ''} {column!r}; "
                f"it has {', '.join(map(repr, rows.column_names)) or 'none'}"
            )
    sides = [
        _numbers(rows[name], name, file, points, checkers)
        for name in (file.roller, file.opponent)
    ]
    return np.stack(sides, axis=1)


def _read(file: PairFile) -> pa.Table:
    filesystem, path = open_folder(file.path.resolved)
    if path.lower().endswith(".parquet"):
        return parquet.read_table(path, filesystem=filesystem)
    if filesystem.get_file_info(path).type != fs.FileType.File:
        raise FileNotFoundError("there is no such file")
    # Text stays text: 0,0,0,5,5,5 in quotes must not be taken for anything else.
    with filesystem.open_input_stream(path) as stream:
        names = csv.open_csv(stream).schema.names
    kinds = csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))
    with filesystem.open_input_stream(path) as stream:
        return csv.read_csv(stream, convert_options=kinds)


def _numbers(
    column: pa.ChunkedArray, name: str, file: PairFile, points: int, checkers: int
) -> Int64Array:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.null_count:
        row = int(np.argmax(column.is_null().to_numpy())) + 1
        raise RunError(f"{file.path} row {row}, column {name!r}: there is no position")
    if pa.types.is_integer(column.type):
        values = column.to_numpy()
    elif pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        values = _parse(column.to_pylist(), name, file, points, checkers)
    else:
        # A list could mean counts of points or points of checkers.
        raise RunError(
            f"{file.path}, column {name!r}: positions are whole numbers or text, got "
            f"{column.type}"
        )
    size = bearoff.position_count(points, checkers)
    wrong = np.flatnonzero((values < 1) | (values >= size))
    if len(wrong):
        raise RunError(
            f"{file.path} row {wrong[0] + 1}, column {name!r}: a side with a checker on "
            f"the board has a number from 1 to {size - 1}, got {values[wrong[0]]}"
        )
    return np.asarray(values, dtype=np.int64)


def _parse(
    texts: list[str], name: str, file: PairFile, points: int, checkers: int
) -> Int64Array:
    numbers = np.empty(len(texts), dtype=np.int64)
    for row, text in enumerate(texts):
        try:
            position = bearoff.Position.parse(text, points, checkers)
        except bearoff.PositionError as error:
            raise RunError(
                f"{file.path} row {row + 1}, column {name!r}: {error}"
            ) from error
        numbers[row] = position.number
    return numbers
