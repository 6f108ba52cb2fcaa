"""Files of pairs of positions are read in every notation, and bad rows are reported."""

import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bearoff
from bearoff import sim
from bearoff.sim.pairs.file import read_pairs
from bearoff.sim.storage import RunError
from tests.refusals import refused

RACE = [[54188, 8887], [1, 54263]]


@pytest.fixture
def read(tmp_path, table):
    """Return a function that writes a file of pairs of positions, and reads it again."""

    def read(name, content=None, **columns):
        if content is not None:
            (tmp_path / name).write_bytes(
                content if isinstance(content, bytes) else content.encode()
            )
        source = {"path": str(tmp_path / name), **columns}
        config = sim.load_config({"run": "x", "games": 1, "pairs": [{"file": source}]})
        return read_pairs(config.pairs[0].file, 6, 15).tolist()

    read.folder = tmp_path
    return read


@pytest.mark.parametrize(
    "text",
    [
        "opponent,note,roller\n8887,a,54188\n54263,b,1\n",
        'roller,opponent\n"0,0,0,5,5,5","3,3,2,0,2,1"\n"1,0,0,0,0,0",54263\n',
        'roller,opponent\r\n"(0,0,0,0,5,5,5)",8887\r\n1,"0,0,0,0,0,15"\r\n',
        "\ufeffroller,opponent\n54188,8887\n1,54263\n",
    ],
)
def test_csv_in_any_notation(read, text):
    assert read("pairs.csv", text) == RACE
    other = text.replace("roller", "a").replace("opponent", "b")
    assert read("other.csv", other, roller="a", opponent="b") == RACE


@pytest.mark.parametrize(
    ("roller", "opponent"),
    [
        ([54188, 1], pa.array([8887, 54263], pa.uint16())),
        ([54188, 1], pa.array([8887, 54263], pa.uint64())),
        (pa.array(["0,0,0,5,5,5", "1"]).dictionary_encode(),
         ["3,3,2,0,2,1", "0,0,0,0,0,15"]),
    ],
)  # fmt: skip
def test_parquet_of_numbers_and_of_text(read, roller, opponent):
    columns = {"roller": roller, "opponent": opponent}
    pq.write_table(pa.table(columns), read.folder / "pairs.parquet")
    assert read("pairs.parquet") == RACE


def test_outcomes_of_a_run_are_pairs_for_another(read, tmp_path):
    listed = [{"roller": 54188, "opponent": 8887}, {"roller": 1, "opponent": 54263}]
    summary = sim.run(
        {"run": "a", "games": 5, "pairs": [{"list": listed}], "output": str(tmp_path)},
        progress=False,
    )
    part = f"{summary.path}/outcomes/part-000000.parquet"
    assert read(part) == sorted(RACE)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("roller,other\n1,2\n", ("'opponent'", "'roller', 'other'")),
        ("roller,opponent,roller\n1,2,3\n", (2, "'roller'")),
        ("", ()), (b"roller,opponent\n\xff\xfe,2\n", ()), ("roller,opponent\n1,2\n3\n", ()),
        ("roller,opponent\n1,2\n3,0\n", ("row 2", "'opponent'", 54263, 0)),
        ("roller,opponent\n54264,1\n", ("row 1", "'roller'")),
        *((f"roller,opponent\n1,2\n{bad},5\n", ("row 2", "'roller'"))
          for bad in ("-1", "1.5", "")),
        ('roller,opponent\n1,2\n1,"0,0,0,5,5,6"\n', ("row 2", "'opponent'", 16)),
        ('roller,opponent\n"0,0,0,0,0,0",1\n', ("row 1", "'roller'", 0)),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(read, content, named):
    with refused(RunError, "pairs.csv", *named):
        read("pairs.csv", content)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ([1, None, 3], ("row 2", "roller")),
        ([1, 2, 54264], ("row 3", "roller", 54264)),
        ([1, 2, -5], ("row 3", "roller", -5)),
        ([1.0, 2.5, 3.0], ("roller", "double")),
        # Lists in Parquet columns are refused, because their meaning would be ambiguous.
        ([[1] * 6, [2], [3]], ("roller", "list")),
        ([True, False, True], ("roller", "bool")),
        ([None] * 3, ("row 1", "roller")),
        (["1", "LwAAwC0AAAAAAA", "2"], ("row 2", "roller")),
    ],
)
def test_what_is_wrong_in_parquet_is_named(read, values, named):
    columns = {"roller": values, "opponent": [1, 2, 3]}
    pq.write_table(pa.table(columns), read.folder / "pairs.parquet")
    with refused(RunError, *named):
        read("pairs.parquet")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_what_is_there_and_no_file_is_named(read, ending):
    os.mkfifo(read.folder / f"pipe.{ending}")
    (read.folder / f"folder.{ending}").mkdir()
    (read.folder / "text.parquet").write_text("roller,opponent\n1,2\n")
    for name, fault in (
        (f"none.{ending}", "no such file"), (f"no/where.{ending}", "no such file"),
        (f"pipe.{ending}", "pipe"), (f"folder.{ending}", "folder"),
        ("text.parquet", "read"),
    ):  # fmt: skip
        with refused(RunError, name, fault):
            read(name)


def test_nothing_is_started_when_a_file_is_wrong(read, tmp_path):
    source = {"file": {"path": str(tmp_path / "pairs.csv")}}
    (tmp_path / "pairs.csv").write_text("roller,opponent\n1,0\n", encoding="utf-8")
    config = {"run": "a", "games": 1, "pairs": [source], "output": str(tmp_path / "runs")}
    with refused(bearoff.BearoffError, "row 1", "opponent"):
        sim.run(config, progress=False)
    assert not (tmp_path / "runs").exists()


def test_a_gigabyte_of_one_letter_is_no_pair(read):
    columns = {"roller": ["1", "1" * 30_000_000], "opponent": ["2", "2"]}
    path = read.folder / "pairs.parquet"
    pq.write_table(pa.table(columns), path, compression="zstd")
    assert path.stat().st_size < 100_000
    with refused(RunError, "30,000", 2):
        read("pairs.parquet")
