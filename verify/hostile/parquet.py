"""Parquet and CSV files with impossible metadata or content."""

import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

Make = Callable[[Path], None]

ROWS = 1_234_567
"""Number of rows of a file, chosen so that it is easy to find in the file's footer."""

BILLIONS = 1 << 40


def _bytes(data: bytes) -> Make:
    return lambda path: (path.write_bytes(data), None)[1]


def _table(**columns: Any) -> Make:
    return lambda path: pq.write_table(pa.table(columns), path)


def _pairs(values: Any, kind: pa.DataType | None = None) -> Make:
    return _table(roller=pa.array(values, kind), opponent=pa.array([1] * len(values)))


def varint(number: int) -> bytes:
    """Return a number encoded as in Thrift's compact protocol."""
    zigzag = number << 1 if number >= 0 else (-number << 1) - 1
    out = bytearray()
    while zigzag > 0x7F:
        out.append(zigzag & 0x7F | 0x80)
        zigzag >>= 7
    return bytes([*out, zigzag])


def lie(path: Path, written: int, instead: int) -> None:
    """Replace a number everywhere in a Parquet footer, and correct the footer's length."""
    data = path.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    body, footer = data[: -8 - length], data[-8 - length : -8]
    if varint(written) not in footer:
        raise AssertionError("the number to change does not occur in the footer")
    footer = footer.replace(varint(written), varint(instead))
    path.write_bytes(body + footer + len(footer).to_bytes(4, "little") + b"PAR1")


def _many_rows(instead: int) -> Make:
    def make(path: Path) -> None:
        ones = np.ones(ROWS, dtype=np.int64)
        pq.write_table(pa.table({"roller": ones, "opponent": ones}), path)
        lie(path, ROWS, instead)

    return make


def _bomb(path: Path) -> None:
    """Write a Parquet file with 64 MB of the same digit, compressed to about 10 kB."""
    text = ["1" * (1 << 20)] * 32
    column = pa.array(text, pa.large_string())
    pq.write_table(
        pa.table({"roller": column, "opponent": column}),
        path,
        compression="zstd",
        use_dictionary=False,
    )


def _twice(path: Path) -> None:
    column = pa.array([1, 2, 3])
    pq.write_table(pa.table([column] * 3, names=["roller", "roller", "opponent"]), path)


def _nested(path: Path) -> None:
    kind: pa.DataType = pa.int64()
    value: Any = 1
    for _ in range(60):
        kind, value = pa.list_(kind), [value]
    pq.write_table(pa.table({"roller": pa.array([value], kind), "opponent": [1]}), path)


def _wide(path: Path) -> None:
    names = [f"column {k}" for k in range(5000)]
    pq.write_table(pa.table({name: [1] for name in names}), path)


_BAD: dict[str, Make] = {
    "an empty file": _bytes(b""),
    "text": _bytes(b"roller,opponent\n1,2\n"),
    "a Parquet file with nothing but the magic number": _bytes(b"PAR1PAR1"),
    "a Parquet footer that claims a size of 4 GB": _bytes(
        b"PAR1" + b"\0" * 8 + b"\xff\xff\xff\xff" + b"PAR1"
    ),
    "a Parquet footer that claims a size of minus one byte": _bytes(
        b"PAR1" + b"\xff" * 4 + b"PAR1"
    ),
    "a Parquet footer with random bytes": _bytes(
        b"PAR1" + bytes(range(256)) * 4 + (1024).to_bytes(4, "little") + b"PAR1"
    ),
    "an encrypted file": _bytes(b"PARE" + b"\0" * 40 + b"PARE"),
    "a Parquet file without rows and columns": _table(),
    "a file with five thousand columns of unknown names": _wide,
}

PAIRS: dict[str, Make] = _BAD | {
    "positions given as numbers with a fraction": _pairs([1.5]),
    "positions given as whole floating-point numbers": _pairs([1.0]),
    "positions given as bytes": _pairs([b"1"]),
    "positions given as true or false": _pairs([True]),
    "positions given as dates": _pairs([1], pa.timestamp("us")),
    "positions given as decimal numbers": _pairs([1], pa.decimal128(5, 2)),
    "positions given as lists of numbers": _pairs([[0, 0, 0, 5, 5, 5]]),
    "positions given as structures": _pairs([{"a": 1}]),
    "a column with nothing but nulls": _pairs([None]),
    "a null among the positions": _pairs([1, None], pa.int64()),
    "a column of lists in lists, 60 levels deep": _nested,
    "a negative number as a position": _pairs([-1]),
    "the position without checkers": _pairs([0]),
    "a huge number as a position": _pairs([2**63 - 1]),
    "a number above 2**63 as a position": _pairs([2**64 - 1], pa.uint64()),
    "text that is not a position": _pairs(["banana"]),
    "ten megabytes of text as a position": _pairs(["1" * 10_000_000]),
    "text that is not UTF-8": lambda path: pq.write_table(
        pa.table(
            {
                "roller": pa.Array.from_buffers(
                    pa.string(), 1, pa.array([b"\xff\xfe"]).buffers()
                ),
                "opponent": [1],
            }
        ),
        path,
    ),
    "a column that occurs twice": _twice,
    "a file with unknown columns": _table(a=[1], b=[2]),
    "a file that claims to have a trillion rows": _many_rows(BILLIONS),
    "a file that claims to have minus a trillion rows": _many_rows(-BILLIONS),
    "a file that claims slightly more rows than it has": _many_rows(ROWS + 12345),
    "a column with megabytes of text, compressed to kilobytes": _bomb,
}

CSV: dict[str, Make] = {
    "an empty file": _bytes(b""),
    "a file of zero bytes": _bytes(b"\0" * 100_000),
    "a CSV file with a line of ten million characters": _bytes(
        b"roller,opponent\n" + b"1" * 10_000_000
    ),
    "a CSV header with a million columns": _bytes(b"roller," * 1_000_000 + b"\n"),
    "a CSV file that is not UTF-8": _bytes(b"roller,opponent\n\xff\xfe,1\n"),
    "a CSV file in which a quotation has no end": _bytes(
        b'roller,opponent\n"1,2\n' + b"1,2\n" * 1000
    ),
    "a CSV row with too few values": _bytes(b"roller,opponent\n1\n"),
    "a CSV row with too many values": _bytes(b"roller,opponent\n1,2,3\n"),
    "control characters in a CSV value": _bytes(b"roller,opponent\n\x1b[31m1,2\n"),
    "a CSV header with control characters": _bytes(b"\x1b]0;x\x07roller,opponent\n1,2\n"),
    "a negative number as a position": _bytes(b"roller,opponent\n-1,2\n"),
    "a position with a thousand digits": _bytes(
        b"roller,opponent\n" + b"9" * 1000 + b",2\n"
    ),
    "a spreadsheet formula as a position": _bytes(b"roller,opponent\n=1+1,2\n"),
    "a Parquet file named as CSV": lambda path: pq.write_table(
        pa.table({"roller": [1]}), path
    ),
}


@cache
def _uniform_population() -> Any:
    """Return a small population of random races."""
    from bearoff import build_two_sided_table
    from bearoff.sim.populations import build_population, open_population, population_recipe

    build_two_sided_table(2)  # The population contains the table's value of each race.
    with tempfile.TemporaryDirectory() as folder:
        wanted = population_recipe("uniform", size=1500, seed=2, checkers=2)
        build_population(wanted, Path(folder), workers=1)
        return open_population(Path(folder) / "uniform.parquet")


def _population(change: Callable[[dict[str, Any]], None]) -> Make:
    """Return a function that writes a population with wrong content and valid digests."""

    def make(path: Path) -> None:
        from dataclasses import replace

        from bearoff.sim.populations.file import write_population

        whole = _uniform_population()
        few = whole.chosen(np.arange(len(whole)) < 50)
        few.about["digest"] = few.decisions.digest()
        values: dict[str, Any] = {"about": dict(few.about)}
        values["decisions"] = vars(few.decisions).copy()
        values["values"] = vars(few.values).copy()
        values["counts"] = few.roller_counts.copy()
        change(values)
        forged = replace(
            few,
            about=values["about"],
            decisions=replace(few.decisions, **values["decisions"]),
            values=replace(few.values, **values["values"]),
            roller_counts=values["counts"],
        )
        write_population(path, forged)

    return make


def _set(group: str, name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(values: dict[str, Any]) -> None:
        if group == "about":
            values[group][name] = value
        else:
            array = values[group][name].copy()
            array[3] = value
            values[group][name] = array

    return change


def _set_counts(values: dict[str, Any]) -> None:
    values["counts"][3] = 127


def _metadata(text: bytes) -> Make:
    def make(path: Path) -> None:
        _population(lambda values: None)(path)
        table = pq.read_table(path).replace_schema_metadata({b"bearoff": text})
        pq.write_table(table, path)

    return make


def _stated(path: Path) -> None:
    _population(lambda values: None)(path)
    lie(path, 50, BILLIONS)


POPULATIONS: dict[str, Make] = _BAD | {
    "a Parquet file with other contents": _table(roller=[1], opponent=[2]),
    "file metadata nested 100,000 levels deep": _metadata(b"[" * 100_000),
    "file metadata that are not JSON": _metadata(b"\xff\xfe"),
    "file metadata that are a list": _metadata(b"[]"),
    "a population whose board has a billion points": _population(
        _set("about", "points", 10**9)
    ),
    "a population without its number of points on the board": _population(
        _set("about", "points", None)
    ),
    "a population with a negative position number": _population(
        _set("decisions", "rollers", -5)
    ),
    "a population with a position number beyond all tables": _population(
        _set("decisions", "opponents", 2**62)
    ),
    "a negative weight": _population(_set("decisions", "weights", -1)),
    "a population with 127 checkers on every point": _population(_set_counts),
    "a probability of seven": _population(_set("values", "win_probability", 7.0)),
    "a population with an equity that is not a number (NaN)": _population(
        _set("values", "no_double", np.nan)
    ),
    "a population with an infinite equity": _population(
        _set("values", "double_take", np.inf)
    ),
    "a file that claims to have a trillion rows": _stated,
}


def _scores(about: Any, rows: list[dict[str, Any]], *, seal: bool = True) -> Make:
    def make(path: Path) -> None:
        from bearoff.analysis.scoring.measured_loss import scores_seal

        values = about | {"seal": scores_seal(about, rows)} if seal else about
        table = pa.Table.from_pylist(rows)
        metadata = {"bearoff": json.dumps(values)}
        pq.write_table(table.replace_schema_metadata(metadata), path)

    return make


_ROW = {"formula": "keith", "decision": "together", "lost": 0.001, "lost_error": 0.1}

SCORES: dict[str, Make] = _BAD | {
    "a file of scores without its checksum": _scores(
        {"population": "x"}, [_ROW], seal=False
    ),
    "file metadata that are a list": _scores([], [_ROW], seal=False),
    "a score whose loss is text": _scores({"population": "x"}, [_ROW | {"lost": "much"}]),
    "a score whose loss is null": _scores({"population": "x"}, [_ROW | {"lost": None}]),
    "a score whose loss is infinite": _scores(
        {"population": "x"}, [_ROW | {"lost": float("inf")}]
    ),
    "a file of scores without the name of its population": _scores({}, [_ROW]),
    "a score whose formula is a list": _scores(
        {"population": "x"}, [_ROW | {"formula": ["a"]}]
    ),
    "a file with unknown columns": _scores({"population": "x"}, [{"a": 1}]),
}
