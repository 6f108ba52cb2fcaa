"""Reviewed decisions as a table: CSV or Parquet, a row each."""

from collections.abc import Sequence
from pathlib import Path

from analysis.review.judged import Judged
from bearoff.storage import atomic_path

COLUMNS = (
    "source",
    "game",
    "line",
    "player",
    "kind",
    "xgid",
    "decided",
    "best",
    "cost",
    "error",
    "unit",
    "points",
    "method",
    "formula",
)
"""Of the table; `points` is the cost at the cube's value."""


def as_row(one: Judged) -> dict[str, object]:
    """Return a decision by column."""
    values = {name: getattr(one, name, None) for name in COLUMNS}
    return values | {"xgid": one.race.xgid}


def write_rows(path: Path, judged: Sequence[Judged]) -> None:
    """Write the decisions into a file whose suffix says the format.

    Parameters
    ----------
    path : Path
        ``.csv`` or ``.parquet``; replaced if it is there.
    judged : sequence of Judged
        A row each.
    """
    import pyarrow as pa
    from pyarrow import csv, parquet

    rows = [as_row(one) for one in judged]
    columns = {name: [row[name] for row in rows] for name in COLUMNS}
    texts = ("source", "player", "kind", "xgid", "decided", "best", "unit", "method")
    kinds = {name: pa.string() for name in (*texts, "formula")}
    kinds |= {name: pa.int64() for name in ("game", "line")}
    kinds |= {name: pa.float64() for name in ("cost", "error", "points")}
    schema = pa.schema([(name, kinds[name]) for name in COLUMNS])
    table = pa.table(columns, schema=schema)
    with atomic_path(path) as unfinished:
        if path.suffix == ".csv":
            csv.write_csv(table, unfinished)
        else:
            parquet.write_table(table, unfinished)
