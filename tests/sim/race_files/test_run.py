"""Files of races are answered in every format, with bad rows, and after stops."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import bearoff
from bearoff.answers import Judge
from bearoff.sim.race_files import OUTPUT, answer_file
from bearoff.sim.race_files.summary import summary_of
from bearoff.sim.storage import RunError
from tests.refusals import names, refused
from tests.two_sided_tables import built

ROWS = [
    {"roller": "0,2,2,0,0,0", "opponent": "0,2,2,0,0,0", "dice": "21", "played": "3/1 2/1"},
    {"roller": "1,1,1,1,0,0", "opponent": "0,0,2,0,0,0", "decided": "no double"},
    {"roller": "1,1,1,0,0,0", "opponent": "0,2,0,0,0,0", "cube": "opponent"},
    {"roller": "LwAAwC0AAAAAAA", "opponent": "8887"},
    {"roller": "1,1,x", "opponent": "8887"},
    {"roller": "0,2,2,0,0,0", "opponent": "0,2,2,0,0,0", "score": "2-4", "decided": "take"},
]
NAMES = list(dict.fromkeys(name for row in ROWS for name in row))


@pytest.fixture(scope="module")
def judge():
    return Judge([built(4)])


def write(path):
    if path.suffix == ".jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
        return str(path)
    table = pa.table({name: [row.get(name, "") for row in ROWS] for name in NAMES})
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        csv.write_csv(table, path)
    return str(path)


def read(path):
    if path.endswith(".jsonl"):
        return [json.loads(line) for line in Path(path).read_text().splitlines()]
    if path.endswith(".parquet"):
        return parquet.read_table(path).to_pylist()
    return csv.read_csv(path).to_pylist()


@pytest.mark.parametrize(
    ("source", "target"),
    [("in.csv", "out.jsonl"), ("in.jsonl", "out.jsonl"), ("in.jsonl", "out.parquet"),
     ("in.parquet", "out.csv")],
)  # fmt: skip
def test_every_format_into_another(judge, tmp_path, source, target):
    path = str(tmp_path / target)
    summary = answer_file(write(tmp_path / source), path, judge, {})
    assert (summary.rows, summary.problems) == (6, 2)
    assert summary.kinds == {"exact": 4}
    found = read(path)
    same = source.endswith(".jsonl") and target.endswith(".jsonl")
    assert list(found[0]) == [*(ROWS[0] if same else NAMES), *OUTPUT]
    side = bearoff.Position((0, 2, 2, 0, 0, 0))
    alone = judge.answer(bearoff.Race(side, side, dice=(2, 1)))
    assert found[0]["action"] == alone.action == "double, take"
    assert found[0]["no_double"] == pytest.approx(alone.no_double, abs=1e-6)
    assert found[0]["missed_double"] == pytest.approx(alone.missed_double, abs=1e-6)
    assert found[0]["best_play"] == alone.plays[0].name
    assert found[0]["played_cost"] == pytest.approx(alone.played("3/1 2/1").cost, abs=1e-6)
    assert found[1]["decided_cost"] == pytest.approx(found[1]["missed_double"], abs=1e-6)
    assert found[2]["action"] in (None, "")
    for bad in (3, 4):
        assert names(found[bad]["problem"], ROWS[bad]["roller"])
    assert found[5]["chance_per_equity"] == pytest.approx(0.107445)
    assert not found[0]["problem"]
    assert not (tmp_path / f"{target}.pieces").exists()


@pytest.mark.parametrize(
    ("text", "named"),
    [("", "position"), ("8887", "opponent"), ("4HPwATDgc/ABMA", "contact")],
)
def test_a_bad_row_of_csv_is_marked(answered, text, named):
    given = f'id;position\n1;"{text}"\n2;LwAAwC0AAAAAAA\n3;a;b\n'
    first, second, third = map(json.loads, answered(given, target="out.jsonl").splitlines())
    assert names(first["problem"], named)
    assert (second["problem"], second["kind"]) == (None, "exact")
    assert names(third["problem"], 3, 2)
    assert answered.summary.first_problem.startswith("row 1: ")


def test_a_row_with_a_problem_has_nothing_else(answered):
    asked = {"roller": "0,2", "opponent": "0,2", "cube": "opponent", "decided": "no double"}
    row = json.loads(answered(json.dumps(asked), "in.jsonl"))
    assert names(row.pop("problem"), "'no double'", "cube")
    assert [row[name] for name in OUTPUT if name in row] == [None] * (len(OUTPUT) - 1)


def test_a_bad_line_of_json_is_marked(answered):
    lines = {
        '{"position":': "JSON", "[1]": "object", '{"position": [1, 1]}': "[1, 1]",
        '{"position": "LwAAwC0AAAAAAA", "dice": "31", "dice": "42"}': "dice",
        '{"position": "LwAAwC0AAAAAAA", "score": NaN}': "NaN",
    }  # fmt: skip
    given = "\n".join(['{"position": "LwAAwC0AAAAAAA"}', *lines])
    good, *found = map(json.loads, answered(given, "in.jsonl").splitlines())
    assert good["problem"] is None
    assert answered.summary.problems == 5
    for row, named in zip(found, lines.values(), strict=True):
        assert names(row["problem"], named)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("a,b\n1,2\n", ("position", "roller")), ("position,equity\nx,1\n", ("equity",)),
        ("position,position\nx,1\n", ("position",)), ("", ("heading",)),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused(answered, tmp_path, content, named):
    with refused(RunError, *named):
        answered(content)
    assert not (tmp_path / "out.csv").exists()


def test_other_endings_and_no_file_are_refused_and_no_rows_are_no_answers(
    answered, judge, tmp_path
):
    with refused(RunError, "parquet"):
        answered("position\n", target="out.xlsx")
    with refused(RunError, "no such file"):
        answer_file(str(tmp_path / "none.csv"), str(tmp_path / "out.csv"), judge, {})
    assert answered("position,note\n").startswith(b"position,note,kind,")
    assert answered.summary.rows == 0


def test_a_mistake_of_a_rollout_costs_more_than_two_standard_errors():
    # Each row has the source, the cost and the error of a decision; the error of an exact
    # answer is a bound. The last race has no answer and no decision.
    kinds, costs, errors = zip(
        ("exact", 0.03, 0.02), ("exact", 0.01, 0.02), ("model", 0.03, 0.02),
        ("rollout", 0.03, 0.02),  # the cost is between one and two standard errors
        ("rollout", 0.05, 0.02), (None, None, None), strict=True,
    )  # fmt: skip
    answers = {"problem": [""] * 6, "kind": kinds}
    answers |= {"decided_cost": costs, "decided_error": errors}
    answers |= dict.fromkeys(("played_cost", "played_error"), pa.nulls(6, pa.float64()))
    found = summary_of(pa.table(answers), 0, 0, 1.0)
    assert (found.decided.count, found.decided.mistakes) == (5, 3)
    assert (found.played.count, found.played.mistakes) == (0, 0)
