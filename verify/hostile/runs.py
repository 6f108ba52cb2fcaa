"""Malicious runs: result files and manifests with valid checksums and wrong content."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FIRST_PART = "outcomes/part-000000.parquet"

_ASK = ["analyze", "runs/x", "--to", "report"]


def played(folder: Path) -> Path:
    """Run a small batch in the folder ``runs/x``; return the path of the run."""
    from bearoff.sim.runs import run

    config = {
        "run": "x",
        "pairs": [{"random": {"pairs": 12, "checkers": {"from": 1, "to": 6}}}],
        "games": 500,
        "seed": 1,
        "workers": 1,
        "backend": "sequential",
        "output": str(folder / "runs"),
    }
    run(config, progress=False)
    return folder / "runs" / "x"


def seal(run: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the manifest of a run, and write a valid checksum."""
    from bearoff.storage.sealing import sealed_json, unsealed_json

    manifest = unsealed_json((run / "run.json").read_bytes())
    change(manifest)
    (run / "run.json").write_bytes(sealed_json(manifest))


def with_part(folder: Path, change: Callable[[pa.Table], pa.Table | bytes]) -> list[str]:
    """Change a result file, and its entry in the manifest."""
    run = played(folder)
    path = run / FIRST_PART
    changed = change(pq.read_table(path))
    if isinstance(changed, bytes):
        path.write_bytes(changed)
    else:
        pq.write_table(changed, path)

    def tell(manifest: dict[str, Any]) -> None:
        part = manifest["parts"][path.name]
        part["sha256"] = sha256(path.read_bytes()).hexdigest()
        if not isinstance(changed, bytes):
            part["pairs"] = len(changed)

    seal(run, tell)
    return _ASK


def with_manifest(folder: Path, change: Callable[[Path], None]) -> list[str]:
    """Change the manifest of a run; return a command that reads the run."""
    change(played(folder))
    return _ASK


def with_special(folder: Path, make: Callable[[Path], None], at: str) -> list[str]:
    """Replace a file of a run by a special file; return a command that reads the run."""
    path = played(folder) / at
    path.unlink()
    make(path)
    return _ASK


def _value(column: str, value: Any) -> Callable[[pa.Table], pa.Table]:
    """Return a function that writes a value to the fourth row of a table's column."""

    def change(table: pa.Table) -> pa.Table:
        values = table[column].to_pylist()
        values[3] = value
        place, field = table.schema.get_field_index(column), table.schema.field(column)
        return table.set_column(place, field, pa.array(values, field.type))

    return change


def _kind(column: str, kind: pa.DataType) -> Callable[[pa.Table], pa.Table]:
    """Return a function that changes the data type of a table's column."""

    def change(table: pa.Table) -> pa.Table:
        place = table.schema.get_field_index(column)
        values = pa.nulls(len(table), kind)
        if not pa.types.is_nested(kind):
            values = table[column].cast(kind)
        return table.set_column(place, pa.field(column, kind), values)

    return change


def _stated(table: pa.Table) -> bytes:
    from verify.hostile.parquet import BILLIONS, lie

    path = Path("lie.parquet")
    pq.write_table(table, path)
    lie(path, len(table), BILLIONS)
    data = path.read_bytes()
    path.unlink()
    return data


PARTS: dict[str, Callable[[pa.Table], pa.Table | bytes]] = {
    "an empty file": lambda table: b"",
    "text": lambda table: b"pair,wins\n1,2\n",
    "more wins than games": _value("wins", 501),
    "a pair with a negative number of wins": _value("wins", -1),
    "more gammons than games": _value("gammons_lost", 501),
    "a pair with no games": _value("games", 0),
    "a pair with a negative number of games": _value("games", -(2**62)),
    "a pair whose roller is outside every table": _value("roller", 2**40),
    "a pair whose roller has a negative position number": _value("roller", -1),
    "a pair whose opponent has no checkers": _value("opponent", 0),
    "a pair whose weight is not a number (NaN)": _value("weight", np.nan),
    "a negative weight": _value("weight", -1.0),
    "a pair whose weight is infinite": _value("weight", np.inf),
    "a probability of seven": _value("expected", 7.0),
    "wins as floating-point numbers": _kind("wins", pa.float64()),
    "wins as text": _kind("wins", pa.string()),
    "wins as 32-bit integers": _kind("wins", pa.int32()),
    "lists of checkers per point that have another length": _kind(
        "roller_counts", pa.list_(pa.int8(), 7)
    ),
    "lists of checkers per point that have variable lengths": _kind(
        "roller_counts", pa.list_(pa.int8())
    ),
    "nulls instead of the numbers of wins": lambda table: table.set_column(
        table.schema.get_field_index("wins"), "wins", pa.nulls(len(table), pa.int64())
    ),
    "a missing column": lambda table: table.drop_columns(["weight"]),
    "an additional column": lambda table: table.append_column("more", table["wins"]),
    "a column that occurs twice": lambda table: table.append_column("wins", table["wins"]),
    "columns with other names": lambda table: table.rename_columns(
        [f"{name}_" for name in table.column_names]
    ),
    "a file without columns": lambda table: pa.table({}),
    "a file that claims to have a trillion rows": _stated,
}


def _sealed(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    return lambda run: seal(run, change)


def _with(**values: Any) -> Callable[[Path], None]:
    return _sealed(lambda manifest: manifest.update(values))


def _part_with(**values: Any) -> Callable[[Path], None]:
    def change(manifest: dict[str, Any]) -> None:
        for part in manifest["parts"].values():
            part.update(values)

    return _sealed(change)


def _named(name: str) -> Callable[[Path], None]:
    """Return a function that changes a result file's path in the manifest."""

    def change(manifest: dict[str, Any]) -> None:
        manifest["parts"] = {name: next(iter(manifest["parts"].values()))}

    return _sealed(change)


def _text(text: str) -> Callable[[Path], None]:
    return lambda run: ((run / "run.json").write_text(text, encoding="utf-8"), None)[1]


def _unsealed(old: str, new: str) -> Callable[[Path], None]:
    def change(run: Path) -> None:
        text = (run / "run.json").read_text(encoding="utf-8")
        if old not in text:
            raise AssertionError(f"the manifest to change does not contain {old}")
        (run / "run.json").write_text(text.replace(old, new), encoding="utf-8")

    return change


MANIFESTS: dict[str, Callable[[Path], None]] = {
    "an empty file": _text(""),
    "a file of zero bytes": _text("\0" * 1000),
    "a manifest that is a number": _text("3"),
    "a manifest that is null": _text("null"),
    "a manifest that is a list": _text("[]"),
    "lists nested 100,000 levels deep": _text("[" * 100_000),
    "JSON keys nested 100,000 levels deep": _text('{"a":' * 100_000),
    "a version number with 100,000 digits": _text(
        '{"schema_version": ' + "9" * 100_000 + "}"
    ),
    "a version number that is text": _text('{"schema_version": "\\u001b[31m"}'),
    "a changed seed without a new checksum of the manifest": _unsealed(
        '"seed": 1', '"seed": 2'
    ),
    "a changed number of games without a new checksum of the manifest": _unsealed(
        '"games": 500', '"games": 501'
    ),
    **{
        f"a part named {name!r}"[:60]: _named(name)
        for name in (
            *("../../../../../../etc/passwd", "/etc/passwd", "../run.json", "", "."),
            *("part-000000.parquet/../../run.json", "part-000000.parquet\n", "x" * 5000),
            *(
                "s3://bucket/part-000000.parquet",
                "part-000000.parquet\0",
                "part-٠٠٠٠٠٠.parquet",
            ),
        )
    },
    "a result file that does not exist": _named("part-000007.parquet"),
    "a result file that does not match its SHA-256": _part_with(sha256="0" * 64),
    "a SHA-256 of a result file that is not text": _part_with(sha256=[1]),
    "a result file whose number of pairs is negative": _part_with(pairs=-1),
    "a result file whose number of pairs is text": _part_with(pairs="many"),
    "a result file whose number of pairs is the value true": _part_with(pairs=True),
    "a result file whose number of pairs is too large": _part_with(pairs=10**30),
    "a first pair described by only one number": _part_with(first=[1]),
    "a last pair described by a number with a fraction": _part_with(last=[1.5, 2]),
    "a list instead of the table of result files": _with(parts=[]),
    "a null instead of the entry of a result file": _with(
        parts={"part-000000.parquet": None}
    ),
    "a configuration without its table": _with(config={}),
    "a table described by text": _with(config={"table": "large"}),
    "a configuration whose board has a billion points": _with(
        config={"table": {"points": 10**9, "checkers": 15}}
    ),
    "a configuration with no checkers": _with(
        config={"table": {"points": 6, "checkers": 0}}
    ),
    "an unknown kind of run": _with(kind="evil"),
    "a list instead of the kind of run": _with(kind=["races"]),
    "a number of games beyond all limits": _with(games=float(10**300)),
    "text instead of true or false in the key complete": _with(complete="yes"),
    "a seed that is null": _with(seed=None),
}
