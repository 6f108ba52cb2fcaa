"""Additional columns of race files are returned unchanged, or refused in one sentence."""

import csv
import datetime
import decimal
import io
import json
import os

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from bearoff.answers import Judge
from bearoff.sim.race_files import OUTPUT
from bearoff.sim.storage import RunError
from tests.refusals import names, refused

POSITION = "LwAAwC0AAAAAAA"


@pytest.fixture(scope="module")
def judge():
    return Judge((), patience=0)


CSV = {
    "plain": b"position,note\nP,x\nP,y\n",
    "Latin-1": b"position,note\nP,caf\xe9\nP,\xff\xfe\n",
    "UTF-8": "position,note\nP,é\u2028\x85 日\n".encode(),
    "with a mark": b"\xef\xbb\xbfposition,note\nP,x\n",
    "semicolons": b"position;note\nP;1,5\n",
    "tabs": b"position\tnote\nP\ta b\n",
    "Windows": b"position,note\r\nP,x\r\nP,y\r\n",
    "no last end": b"position,note\nP,x",
    "quotes": b'"position","note"\n"P","say ""hm"""\nP,"a, b"\n',
    "lines in a value": b'position,note\nP,"one\ntwo\r\nthree"\n',
    "numbers as written": b"position,note\nP,007\nP,1.50\nP,1e3\nP,\n",
    "spaces": b"position, note \nP,  x \n",
    "columns of one name": b"position,,\nP,a,b\n",
    "a long value": b"position,note\nP," + 200_000 * b"x" + b"\n",
    "a quotation mark within": b'position,note\nP,5" x\nP,y "\n',
}


@pytest.mark.parametrize("name", CSV)
def test_rows_of_csv_keep_their_bytes(answered, name):
    given = CSV[name].replace(b"P", POSITION.encode())
    found = answered(given)
    mark = {"semicolons": b";", "tabs": b"\t"}.get(name, b",")
    end = b"\r\n" if name == "Windows" else b"\n"
    # Each answer ends at the next line break, because answers contain no line breaks.
    rest = found
    for row in _records(given, end):
        assert rest.startswith(row + mark)
        rest = rest[len(row) :].partition(end)[2]
    assert rest == b""
    text = io.StringIO(found.decode("latin-1"), newline="")
    longest = csv.field_size_limit(10**6)
    heading, *rows = csv.reader(text, delimiter=mark.decode())
    csv.field_size_limit(longest)
    assert {len(row) for row in rows} == {len(heading)}
    assert [row[heading.index("kind")] for row in rows] == len(rows) * ["model"]


def _records(data, end):
    if b'"one' in data:
        heading, _, row = data.removesuffix(end).partition(end)
        return [heading, row]
    return data.removesuffix(end).split(end)


def rows_of(written):
    return list(csv.DictReader(io.StringIO(written.decode())))


def test_a_row_of_another_width_keeps_its_text_and_place(answered):
    given = f"id,position,note\n1,{POSITION}\n2,{POSITION},a,b\n"
    short, long = rows_of(answered(given))
    assert (short["note"], long["note"]) == ("", "a,b")
    assert names(short["problem"], 2, 3)
    assert names(long["problem"], 4, 3)


JSON = {
    "integers beside floats": '{"position": "P", "n": 1}\n{"position": "P", "n": 2.50}\n',
    "absent keys": '{"position": "P"}\n{"n": null, "position": "P"}\n',
    "large numbers": '{"position":"P","n":123456789012345678901234567890,"e":1E400}\n',
    "maps": '{"position": "P", "m": {"b": 1, "a": [1, {"x": null}], "": 0.10}}\n',
    "separators within": '{"position": "P", "n": "a\u2028b\x85c"}\n',
    "escapes": '{"position": "P", "n": "\\ud800 \\u00e9 /\\/"}\n',
}


@pytest.mark.parametrize("name", JSON)
def test_objects_keep_their_text(answered, name):
    given = JSON[name].replace('"P"', f'"{POSITION}"')
    found = answered(given, "in.jsonl").decode()
    for before, after in zip(given.split("\n")[:-1], found.split("\n")[:-1], strict=True):
        assert after.startswith(before[:-1] + ', "kind": "model"')
        assert list(json.loads(after))[-len(OUTPUT) :] == list(OUTPUT)


def test_bytes_that_are_no_utf_8_stay_and_are_shown_as_escapes(answered):
    row = b'{"position": "%b", "n": "\xe9"' % POSITION.encode()
    found = answered(row + b"}\r\n{}\n", "in.jsonl")
    assert found.startswith(row + b', "kind"')
    assert json.loads(found.splitlines()[1])["problem"].startswith("a position is")
    found = answered(b"position,n\n\xe9,\xe9\n")
    assert found.split(b"\n")[1].startswith(b"\xe9,\xe9,")
    assert b"\\udce9" in found


def columns():
    """Return columns of every type that Parquet supports."""
    when = datetime.datetime(2024, 2, 29, 12, 0, 0, 123456)
    values = {
        "position": pa.array([POSITION, POSITION]),
        "small": pa.array([1, None], pa.int8()),
        "large": pa.array([2**64 - 1, 0], pa.uint64()),
        "single": pa.array([0.1, float("nan")], pa.float32()),
        "half": pa.array(np.array([0.5, 1.5], np.float16)),
        "text": pa.array(["a\u2028b", None], pa.large_string()),
        "codes": pa.array(["x", "y"]).dictionary_encode(),
        "when": pa.array([when, None], pa.timestamp("ns")),
        "zone": pa.array([when, None], pa.timestamp("us", tz="Europe/Zurich")),
        "day": pa.array([when.date(), None], pa.date32()),
        "price": pa.array([decimal.Decimal("1.50"), None], pa.decimal128(9, 2)),
        "list": pa.array([[1, 2], None], pa.list_(pa.int16())),
        "map": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int64())),
        "struct": pa.array([{"a": 1.5}, None]),
        "nothing": pa.nulls(2),
    }
    return pa.table(values).replace_schema_metadata({"made": "by somebody"})


def as_parquet(table):
    written = io.BytesIO()
    parquet.write_table(table, written)
    return written.getvalue()


def test_columns_of_parquet_keep_their_types(answered):
    table = columns().append_column("raw", pa.array([b"\xff\0", None]))
    read = parquet.read_table(pa.BufferReader(as_parquet(table)))
    found = parquet.read_table(pa.BufferReader(answered(as_parquet(table), "in.parquet")))
    assert found.column_names == [*table.column_names, *OUTPUT]
    kept = found.select(table.column_names)
    assert kept.schema.equals(read.schema, check_metadata=True)
    single = kept.column("single").to_numpy()
    assert single.tobytes() == read.column("single").to_numpy().tobytes()
    assert kept.drop(["single"]).equals(read.drop(["single"]))
    assert found.column("kind").to_pylist() == ["model", "model"]


def test_columns_of_one_name_are_carried_where_they_can_be(answered):
    values = [pa.array([n]) for n in (POSITION, 1, 2)]
    table = pa.Table.from_arrays(values, ["position", *"aa"])
    written = pa.BufferReader(answered(as_parquet(table), "in.parquet"))
    found = parquet.ParquetFile(written).read()
    assert found.column_names[:4] == ["position", "a", "a", "kind"]
    with refused(RunError, "'a'"):
        answered(as_parquet(table), "in.parquet", "out.csv")
    twice = table.rename_columns(["position", "position", "a"])
    with refused(RunError, "position"):
        answered(as_parquet(twice), "in.parquet")


def test_parquet_and_json_in_other_formats(answered):
    first, second = rows_of(answered(as_parquet(columns()), "in.parquet", "out.csv"))
    known = [first[name] for name in ("large", "single", "half", "price", "codes")]
    assert known == [str(2**64 - 1), "0.1", "0.5", "1.50", "x"]
    assert (first["list"], first["when"]) == ("[1, 2]", "2024-02-29 12:00:00.123456000")
    assert (first["text"], second["text"], second["small"]) == ("a\u2028b", "", "")
    lines = answered(as_parquet(columns()), "in.parquet", "out.jsonl").decode().split("\n")
    one, two = (json.loads(line) for line in lines[:2])
    assert (one["large"], one["price"], one["list"]) == (2**64 - 1, "1.50", [1, 2])
    assert (one["struct"], one["day"], two["single"]) == ({"a": 1.5}, "2024-02-29", None)
    first = {"position": POSITION, "n": 1, "big": 2**63, "m": {"a": 1}, "e": {}}
    second = {"position": POSITION, "n": 2.5, "m": {}, "l": [1, 2]}
    given = f"{json.dumps(first)}\n{json.dumps(second)}\n"
    written = pa.BufferReader(answered(given, "in.jsonl", "out.parquet"))
    found = parquet.read_table(written).to_pylist()
    assert [row["n"] for row in found] == [1.0, 2.5]
    assert (found[0]["m"], found[1]["m"]) == ('{"a": 1}', "{}")
    assert int(found[0]["big"]) == 2**63
    assert (found[1]["l"], found[1]["e"]) == ([1, 2], None)
    rows = rows_of(answered(given, "in.jsonl", "out.csv"))
    assert (rows[0]["m"], rows[1]["l"], rows[1]["big"]) == ('{"a": 1}', "[1, 2]", "")


def made(**column):
    """Return the bytes of a Parquet file with a position and one additional column."""
    return as_parquet(pa.table({"position": ["P"]} | {k: [v] for k, v in column.items()}))


@pytest.mark.parametrize(
    ("data", "source", "target", "named"),
    [
        (b"position,n\nP,\xe9\n", "in.csv", "out.jsonl", "UTF-8"),
        (b'{"position": "P", "n": "\xe9"}\n', "in.jsonl", "out.parquet", "UTF-8"),
        (b'{"position": "P", "n": "\\ud800"}\n', "in.jsonl", "out.csv", "surrogates"),
        ("position\nP\n".encode("utf-16"), "in.csv", "out.csv", "UTF-16"),
        (b'position,n\nP,"x\nP,y\n', "in.csv", "out.csv", "row 1"),
        (made(raw=b"\xff"), "in.parquet", "out.csv", "'raw'"),
        (made(raw=[b"\xff"]), "in.parquet", "out.jsonl", "'raw'"),
        (made(dice=datetime.date(2024, 1, 2)), "in.parquet", "out.parquet", "'dice'"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_answered(
    answered, tmp_path, monkeypatch, data, source, target, named
):
    monkeypatch.setattr("bearoff.sim.race_files.run.answer_rows", None)
    with refused(RunError, named):
        answered(data, source, target)
    assert [path.name for path in tmp_path.iterdir()] == [source]


UNREAD = {"4HPwATDgc/ABMA", "8887 888x"}
"""Texts that do not describe a race."""

LISTS = {
    "position IDs": "LwAAwC0AAAAAAA\n\n  4HPwATDgc/ABMA\r\nLwAAwC0AAAAAAA\n",
    "XGIDs": 2 * "XGID=--ABB--------------a-a--b-:0:0:1:61:0:0:0:0:10\n",
    "a slip at first": "8887 888x\nLwAAwC0AAAAAAA\n",
    "pairs": '1,2,2,0,0,0 0,0,3,0,0,0\n[1,2,8]\t[2, 2]\n8887;7\n"1 1 1" (12,1,1,1,0,0,0)',
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_without_a_heading(answered, name):
    target = "out.csv" if name == "pairs" else "out.jsonl"
    written = answered(LISTS[name], "in.txt", target)
    given = [line.strip() for line in LISTS[name].splitlines() if line.strip()]
    problems = len({*given} & UNREAD)
    assert (answered.summary.rows, answered.summary.problems) == (len(given), problems)
    if target == "out.jsonl":
        found = [json.loads(line) for line in written.splitlines()]
    else:
        found = rows_of(written)
    assert list(found[0]) == ["position", *OUTPUT]
    assert [row["position"] for row in found] == given


def test_what_stands_beside_a_position_of_a_list_is_not_passed_over(answered):
    given = f"{POSITION}\nXGID={'-' * 26}:0:0:1:61:0:0:0:0:10,21\n"
    second = json.loads(answered(given, "in.txt", "out.jsonl").splitlines()[1])
    assert names(second["problem"], "heading")
    with refused(RunError, "position"):
        answered("XGID=-CBA-------------------ad-:0:0:1:0:0:0:0:0:10,21\n", "in.txt")


@pytest.mark.parametrize("name", ["folder", "pipe", "none/out.csv"])
def test_a_target_that_can_be_no_file_is_refused(answered, tmp_path, monkeypatch, name):
    monkeypatch.setattr("bearoff.sim.race_files.run.answer_rows", None)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with refused(RunError, (tmp_path / name).parent):
        answered(POSITION, "in.txt", name)
