"""All interfaces read the same question in the same way."""

import csv

import pytest

from bearoff import BearoffError, Position, Race, Score
from bearoff.answers import Judge, read_question
from bearoff.app.position_lists import questions_of
from tests.app.conftest import rows_answered
from tests.app.serve.asking import SHORT
from tests.bearoff.sources import cube_twin
from tests.two_sided_tables import built

AT_SCORE = Race(
    *SHORT.values(), cube="owned", cube_value=4, dice=(6, 4), score=Score((5, 3), length=7)
)
PARTS = [
    *({"cube": cube} for cube in ("Centered", "owned", "opponent", "ownd")),
    *({"cube_value": value} for value in (2, 3)),
    *({"score": score} for score in ("3-5", "1-3 Crawford", "4-1 post-Crawford", "DMP")),
    *({"score": score, "match": 7} for score in ("2-4 to 7", "5-2", "9", "2-4 to 5")),
    *({"score": "1-3", "crawford": crawford} for crawford in (True, False)),
    *({"match": 7}, {"crawford": True}, {"score": "3-5", "money": True}),
    *({"score": "3-5", "cube": "owned", "cube_value": value} for value in (1, 4)),
    *({"jacoby": jacoby, "cube": "owned"} for jacoby in (True, False)),
    *({"decided": name} for name in ("double", "No Double", "drop", "beaver", "duble")),
    *({"dice": dice, "played": "6/off 6/2"} for dice in ("6-4", "31")),
    *({"played": "6/off 6/2"}, {"dice": "7-1"}, {"dice": "6-4", "decided": "take"}),
]
"""Inputs of a question other than the sides of the race, some of them invalid."""

ASKED = [
    *(SHORT | parts for parts in PARTS),
    *({"position": AT_SCORE.position_id} | parts for parts in PARTS),
    *({"position": AT_SCORE.xgid} | parts for parts in ({}, {"money": True}, *PARTS)),
    *({"position": notation} for notation in (AT_SCORE.ogid, AT_SCORE.gnu_id, "rubbish")),
]


def plainly(asked):
    """Return the question of some inputs, or `None` if they are refused."""
    try:
        return read_question(asked)
    except BearoffError:
        return None


@pytest.fixture
def read(monkeypatch):
    """Return the list of questions that an interface reads."""
    found = []

    def reading(parts):
        found.append(plainly(parts))
        raise BearoffError("it was read")

    # `answers` is patched last, because a module imported later would keep the replacement.
    for where in ("sim.race_files.rows", "app.serve.asking", "answers"):
        monkeypatch.setattr(f"bearoff.{where}.read_question", reading)
    return found


def words(asked):
    """Return a question as command-line arguments of ``bearoff race``."""
    without = {"crawford": "--post-crawford", "jacoby": "--no-jacoby"}
    found = []
    for name, value in asked.items():
        if name in ("position", "roller", "opponent"):
            found.append(value)
        elif isinstance(value, bool):
            found.append(f"--{name}" if value else without[name])
        else:
            found += [f"--{name.replace('_', '-')}", str(value)]
    return found


def test_every_door_reads_the_same_questions(bearoff, client, read, tmp_path, monkeypatch):
    """Options, columns of a file, requests and lines of a list are read alike."""
    meant = [plainly(asked) for asked in ASKED]
    assert len(meant) / 5 < meant.count(None) < len(meant) / 2
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    with source.open("w", newline="") as file:
        columns = dict.fromkeys(name for one in ASKED for name in one)
        writer = csv.DictWriter(file, ["id", *columns])
        writer.writeheader()
        writer.writerows({"id": number} | asked for number, asked in enumerate(ASKED))
    # The fast reader of plain questions is switched off, so that the general reader reads
    # all questions.
    monkeypatch.setattr("bearoff.app.serve.answering._is_plain", lambda one: False)

    def by_options():
        for asked in ASKED:
            assert bearoff("race", *words(asked)).code == 2

    def by_columns():
        # `read_question` is replaced by a function that refuses every row.
        given = ("race", "--from", str(source), "--to", str(target), "--quiet")
        assert bearoff(*given).code == 2

    def by_requests():
        assert client.post("/api/v1/races", json={"races": ASKED}).status_code == 200

    def by_lines():
        assert len(list(questions_of(source.read_text()))) == len(ASKED)

    for door in (by_options, by_columns, by_requests, by_lines):
        read.clear()
        door()
        assert read == meant, door.__name__


@pytest.mark.parametrize("whole", [False, True])
def test_a_dead_cube_is_worth_the_same_through_every_door(
    bearoff, client, tmp_path, monkeypatch, whole
):
    """Races are solved in float64, large ones in integers."""
    built(5)
    if whole:
        for room in ("opening", "shared"):
            monkeypatch.setattr(f"bearoff.match_solver.{room}.MOST_IN_FLOAT64", 0)
    right = float(cube_twin.cubeless((6, 6, 4), (6, 5, 3)))
    both = {"roller": "0,0,0,1,0,2", "opponent": "0,0,1,0,1,1"}
    places = map(Position.parse, both.values())
    limit = Race(*places, cube="owned", cube_value=64, cube_limit=64)
    asked = [  # the cube is dead at a score, or for money at the cube's limit
        both | {"score": "3-5", "cube": "owned", "cube_value": 64},
        both | {"score": "5-3", "cube": "owned", "cube_value": 8},
        both | {"score": "7-7", "cube": "opponent", "cube_value": 16},
        both | {"score": "2-4", "cube": "owned", "cube_value": 2},
        both | {"score": "DMP"},
        {"position": limit.xgid},
    ]
    rows = rows_answered(bearoff, tmp_path, asked)
    many = {"races": asked, "patience": 20}
    listed = client.post("/api/v1/races", json=many).json()["answers"]
    judge = Judge()
    for one, row, of_list in zip(asked, rows, listed, strict=True):
        answer = judge.answer(read_question(one).race)
        python = {name: getattr(answer, name) for name in ("kind", "equity", "error")}
        for found, digits in (
            (python, 1e-11),
            (bearoff("race", *words(one), "--json").json, 1e-11),
            (client.post("/api/v1/race", json=one | {"patience": 20}).json(), 1e-11),
            (of_list, 1e-11),
            (row, 5.1e-8),  # files round equities to seven decimals
        ):
            assert found["kind"] == "exact"
            assert found["error"] < 1e-5
            assert abs(found["equity"] - right) <= found["error"] + digits
