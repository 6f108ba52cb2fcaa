"""Reviewed decisions as a table: CSV or Parquet, a row each."""

import re
from collections.abc import Sequence
from pathlib import Path

from bearoff.analysis.review.judged import UNIT, Judged
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
    "unit": str,
    "method": str,
    "formula": str,
    "file_program": str,
    "file_level": str,
    "file_best": str,
    "file_equity": float,
    "file_cost": float,
    "comment": str,
}
"""Of the table; `unit` is that of all equities and costs."""

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""How a text begins that a spreadsheet would work out, or one that hides such."""


def as_row(one: Judged) -> dict[str, object]:
    """Return a decision by column."""
    values = {name: getattr(one, name, None) for name in COLUMNS}
    said = one.file
    return values | {
        "xgid": one.race.xgid,
        "unit": UNIT,
        "file_program": "" if said is None else said.program,
        "file_level": "" if said is None else said.level,
        "file_best": "" if said is None else said.best,
        "file_equity": None if said is None else said.equity,
        "file_cost": None if said is None else said.cost,
    }


def guarded(text: str) -> str:
    """Return a text as a spreadsheet takes it for one: before a formula stands a quote.

    Examples
    --------
    >>> guarded("=1+1"), guarded("Ann"), unguarded(guarded("'=1"))
    ("'=1+1", 'Ann', "'=1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """Return what `guarded` was given."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text[1:]) else text


def write_rows(path: Path, judged: Sequence[Judged]) -> None:
    """Write the decisions into a file whose suffix says the format.

    Parameters
    ----------
    path : Path
        ``.csv`` or ``.parquet``; replaced if it is there. In CSV, texts are `guarded`.
    judged : sequence of Judged
        A row each.
    """
    import pyarrow as pa
    from pyarrow import csv, parquet

    rows = [as_row(one) for one in judged]
    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    columns = {name: [row[name] for row in rows] for name in COLUMNS}
    if path.suffix == ".csv":
        for name, kind in COLUMNS.items():
            if kind is str:
                columns[name] = [guarded(str(value)) for value in columns[name]]
    table = pa.table(columns, schema=schema)
    with atomic_path(path) as unfinished:
        if path.suffix == ".csv":
            csv.write_csv(table, unfinished)
        else:
            parquet.write_table(table, unfinished)
