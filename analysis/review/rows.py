"""Reviewed decisions as a CSV or Parquet table with one row per decision."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bearoff.analysis.review.decision import UNIT, Decision
from bearoff.storage import atomic_path

COLUMNS = {
    "source": str,
    "game": int,
    "line": int,
    "player": str,
    "kind": str,
    "xgid": str,
    "decided": str,
    "best": str,
    "equity": float,
    "cost": float,
    "error": float,
    "mistake": bool,
    "counted": bool,
    "unit": str,
    "method": str,
    "depth": int,
    "formula": str,
    "file_program": str,
    "file_level": str,
    "file_best": str,
    "file_equity": float,
    "file_cost": float,
    "comment": str,
}
"""Type of each column in the table of decisions."""

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""Pattern of the first characters of a text that a spreadsheet would evaluate as a formula.
"""


def as_row(one: Decision) -> dict[str, object]:
    """Return the values of an evaluated decision, by column name."""
    values = {name: getattr(one, name, None) for name in COLUMNS}
    said = one.file
    return values | {
        "decided": one.done,
        "xgid": one.position.xgid,
        "mistake": one.is_mistake,
        "counted": one.is_counted,
        "unit": UNIT,
        "file_program": "" if said is None else said.program,
        "file_level": "" if said is None else said.level,
        "file_best": "" if said is None else said.best,
        "file_equity": None if said is None else said.equity,
        "file_cost": None if said is None else said.cost,
    }


def verdict_json(one: Decision) -> dict[str, Any]:
    """Return an evaluated decision as JSON: kind, right choice and costs of all choices.

    For a cube decision, ``choices`` maps each choice of the deciding player to an index in
    ``alternatives``.
    """
    cube = one.kind in ("double", "take")
    return {
        "kind": one.kind,
        "xgid": one.position.xgid,
        "decided": one.done,
        "best": one.best,
        "equity": one.equity,
        "cost": one.cost,
        "error": one.error,
        "unit": UNIT,
        "method": one.method,
        "depth": one.depth,
        "in_race": one.in_race,
        "counted": one.is_counted,
        "formula": one.formula,
        "reason": one.reason,
        "mistake": one.is_mistake,
        "seen": one.is_seen,
        "digits": one.digits,
        "made": one.made,
        "right": one.right_index,
        "choices": {name: one.place_of(name) for name in one.choices} if cube else {},
        "alternatives": [asdict(each) for each in one.alternatives],
    }


def decision_json(one: Decision) -> dict[str, Any]:
    """Return a decision as JSON: the values in the table, and the cost of each choice."""
    return as_row(one) | verdict_json(one)


def guarded(text: str) -> str:
    """Return a text, with a leading quote if a spreadsheet would evaluate it as a formula.

    Examples
    --------
    >>> guarded("=1+1"), guarded("Ann"), unguarded(guarded("'=1"))
    ("'=1+1", 'Ann', "'=1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """Remove the leading quote that `guarded` adds to a text."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text[1:]) else text


def write_rows(path: Path, decisions: Sequence[Decision]) -> None:
    """Write decisions to a CSV or Parquet file; see `write_table`.

    Parameters
    ----------
    path : Path
        Path of the ``.csv`` or ``.parquet`` file; an existing file is replaced.
    decisions : sequence of Decision
        Decisions, one for each row.
    """
    write_table(path, [as_row(one) for one in decisions], COLUMNS)


def write_table(
    path: Path, rows: Sequence[Mapping[str, object]], columns: Mapping[str, type]
) -> None:
    """Write a table to a CSV or Parquet file, depending on the extension of the file.

    Parameters
    ----------
    path : Path
        Path of the ``.csv`` or ``.parquet`` file; an existing file is replaced. In CSV,
        texts are changed by `guarded`.
    rows : sequence of mapping of str to object
        Values of each row, by column name.
    columns : mapping of str to type
        Type of the values of each column: `str`, `int`, `float` or `bool`.
    """
    import pyarrow as pa
    from pyarrow import csv, parquet

    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    values = {name: [row[name] for row in rows] for name in columns}
    if path.suffix == ".csv":
        for name, kind in columns.items():
            if kind is str:
                values[name] = [
                    None if value is None else guarded(str(value)) for value in values[name]
                ]
    table = pa.table(values, schema=schema)
    with atomic_path(path) as unfinished:
        if path.suffix == ".csv":
            csv.write_csv(table, unfinished)
        else:
            parquet.write_table(table, unfinished)
