"""All interfaces read the same question in the same way."""

import csv
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np
import pytest

import bearoff as product
from bearoff import BearoffError, Position, Race, Score
from bearoff.answers import Judge, Question, read_question
from bearoff.app.position_lists import questions_of
from tests.app.conftest import rows_answered
from tests.bearoff.sources import cube_twin
from tests.two_sided_tables import built

Asked = dict[str, Any]
Read = Question | str
"""Question that an interface has read, or its error message."""

SCORES = ("3-5", "5-2", "2-4 to 7", "1-3 Crawford", "4-1 post-Crawford", "DMP", "1-3", "9")
NUMBERS = {"cube_value": (1, 2, 4, 3), "match": (5, 7), "score": SCORES}
DECISIONS = ("double", "No Double", "take", "pass", "drop", "beaver")
CUBES = ("centred", "Centered", "owned", "opponent", "ownd")
COUNT = 150


def races(chance):
    """Return a random race, often with a cube, a match score and dice."""
    sides = [
        Position(tuple(np.bincount(chance.integers(0, points, 5), minlength=points)))
        for points in 2 * [int(chance.choice([6, 6, 9]))]
    ]
    race = Race(*sides)
    if chance.random() < 0.4:
        race = replace(race, dice=(int(chance.integers(1, 7)), int(chance.integers(1, 7))))
    cube: Any = str(chance.choice(["centred", "owned", "opponent"]))
    value = 1 if cube == "centred" else int(chance.choice([2, 4]))
    if chance.random() < 0.4:
        jacoby = bool(chance.random() < 0.3)
        # An automatic double raises the cube's value, but the cube stays in the centre.
        value *= int(chance.choice([1, 1, 2])) if cube == "centred" else 1
        return replace(race, cube=cube, cube_value=value, jacoby=jacoby)
    won, game = [
        ((2, 4), "normal"),
        ((0, 0), "normal"),
        ((6, 3), "crawford"),
        ((3, 6), "post-crawford"),
        ((6, 6), "normal"),
    ][int(chance.integers(5))]
    score = Score.of_match(7, won, game)  # type: ignore[arg-type]
    if not score.has_cube:
        return replace(race, score=score)
    return replace(race, score=score, cube=cube, cube_value=value)


def questions(count):
    """Draw random questions about races in all notations, some of them invalid."""
    chance = np.random.default_rng(22)
    drawn: list[Asked] = []
    for _ in range(count):
        race = races(chance)
        kind = str(chance.choice(["xgid", "ogid", "gnu_id", "position_id", "sides"]))
        asked: Asked = {"position": getattr(race, kind, None)}
        if kind == "sides":
            asked = {"roller": str(race.roller), "opponent": str(race.opponent)}
        likely = {"cube": 0.35, "cube_value": 0.3, "score": 0.3, "dice": 0.4}
        seldom = {"match": 0.1, "crawford": 0.1, "money": 0.1, "jacoby": 0.15}
        for name, often in (likely | seldom | {"played": 0.2, "decided": 0.3}).items():
            if chance.random() >= often:
                continue
            if name in ("crawford", "money", "jacoby"):
                asked[name] = bool(chance.random() < 0.5 or name == "money")
            elif name == "dice":
                asked[name] = "{}-{}".format(*chance.integers(1, 7, 2))
            elif name == "played":
                dice = product.parse_roll(asked["dice"]) if "dice" in asked else race.dice
                legal = product.legal_plays(race.roller, dice or (2, 1))
                asked[name] = str(legal[int(chance.integers(len(legal)))])
            else:
                among = {**NUMBERS, "cube": CUBES, "decided": DECISIONS}[name]
                asked[name] = among[int(chance.integers(len(among)))]
        drawn.append(asked)
    return drawn


ASKED = questions(COUNT)


def in_python(asked):
    """Construct a question with the Python classes."""
    try:
        if "position" in asked:
            race = Race.parse(asked["position"])
        else:
            sides = (Position.parse(asked[name], None) for name in ("roller", "opponent"))
            race = Race(*sides).on_points()
        score = None if asked.get("money") else race.score
        if asked.get("money") and {"score", "match", "crawford"} & set(asked):
            return "both money and a match"
        crawford = asked.get("crawford")
        game: Any = {True: "crawford", False: "post-crawford", None: ""}[crawford]
        if "score" in asked:
            text = asked["score"]
            text += f" {game}" if "rawford" not in text else ""
            score = Score.parse(text, asked.get("match"))
            if game and game != score.game:
                return "a game of another kind"
        elif "match" in asked or (crawford is not None and score is None):
            return "no score"
        elif score is not None and crawford is not None:
            score = replace(score, game=game)
        if score is not None and asked.get("jacoby"):
            return "Jacoby at a score"
        cube = Race(race.roller, race.opponent, cube=asked.get("cube", race.cube)).cube
        value = asked.get("cube_value")
        if score and "cube" not in asked and cube == "centred" and (value or 1) > 1:
            cube = "owned"
        if value is None:
            value = race.cube_value if cube != "centred" or cube == race.cube else 1
            value = 2 if score and cube != "centred" and value == 1 else value
        race = replace(
            race,
            score=score,
            cube=cube,
            cube_value=value,
            jacoby=False if score else asked.get("jacoby", race.jacoby),
            dice=product.parse_roll(asked["dice"]) if "dice" in asked else race.dice,
        )
        return Question(race, asked.get("played"), asked.get("decided"))
    except BearoffError as error:
        return str(error)


@pytest.fixture
def read(monkeypatch):
    """Return a function that lists how each interface reads a question."""
    found: list[Read] = []

    def reading(parts):
        try:
            found.append(read_question(parts))
        except BearoffError as error:
            found.append(str(error))
        raise BearoffError("it was read")

    # `answers` is patched last, because a module imported later would keep the replacement.
    for where in ("sim.race_files.rows", "app.serve.asking", "answers"):
        monkeypatch.setattr(f"bearoff.{where}.read_question", reading)
    return found


def words(asked):
    """Return a question as command-line arguments of ``bearoff race``."""
    flags = {
        ("crawford", True): "--crawford",
        ("crawford", False): "--post-crawford",
        ("money", True): "--money",
        ("jacoby", True): "--jacoby",
        ("jacoby", False): "--no-jacoby",
    }
    found: list[str] = []
    for name, value in asked.items():
        if name in ("position", "roller", "opponent"):
            found.append(value)
        elif isinstance(value, bool):
            found.append(flags[name, value])
        else:
            found += [f"--{name.replace('_', '-')}", str(value)]
    return found


def write_rows(path, asked):
    names = list(dict.fromkeys(name for one in asked for name in one))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", *names])
        writer.writeheader()
        for number, one in enumerate(asked):
            writer.writerow({"id": number, **one})


def same(door):
    expected = list(map(in_python, ASKED))
    refused = sum(isinstance(one, str) for one in expected)
    assert 0.2 * COUNT < refused < 0.7 * COUNT
    for asked, right, found in zip_longest(ASKED, expected, door):
        if isinstance(right, str):
            assert isinstance(found, str), (asked, right, found)
        else:
            assert found == right, asked


def test_options_say_what_python_says(bearoff, read):
    for asked in ASKED:
        assert bearoff("race", *words(asked)).code == 2
    same(read)


def test_columns_say_what_python_says(bearoff, read, tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    write_rows(source, ASKED)
    # The exit code is 2, because `read_question` is replaced by a function that refuses
    # every row.
    assert bearoff("race", "--from", str(source), "--to", str(target), "--quiet").code == 2
    same(read)


def test_requests_say_what_python_says(client, read, monkeypatch):
    # Plain questions would be read by a separate, faster function, so this function is
    # switched off.
    monkeypatch.setattr("bearoff.app.serve.answering._is_plain", lambda one: False)
    assert client.post("/api/v1/races", json={"races": ASKED}).status_code == 200
    same(read)


def test_lines_of_a_list_say_what_python_says(read, tmp_path):
    write_rows(tmp_path / "list.csv", ASKED)
    assert len(list(questions_of((tmp_path / "list.csv").read_text()))) == COUNT
    same(read)


TURNED = "XGID=-CBA-------------------ad-:1:1:1:00:2:4:0:7:10"
THROWN = "XGID=-BBA-------------------ad-:0:0:1:21:0:0:0:0:10"
SIDES = {"roller": "0,2,2,0,0,0", "opponent": "0,2,2,0,0,0"}
ANSWERED: list[Asked] = [
    SIDES | {"score": "3-5", "cube": "owned", "decided": "double"},
    {"position": TURNED, "cube": "opponent"},
    {"position": TURNED, "score": "2-4", "decided": "no double"},
    {"position": THROWN, "played": "2/off 2/1", "decided": "take"},
    SIDES | {"cube_value": 2, "decided": "take"},
    {"position": Race.parse(THROWN).ogid, "played": "2/off 2/1", "money": True},
]


def test_every_door_answers_alike(bearoff, client, tmp_path):
    built(5)
    rows = rows_answered(bearoff, tmp_path, ANSWERED)
    many = {"races": ANSWERED, "patience": 20}
    listed = client.post("/api/v1/races", json=many).json()["answers"]
    judge = Judge()
    for asked, row, one in zip(ANSWERED, rows, listed, strict=True):
        question = in_python(asked)
        assert isinstance(question, Question)
        right = judge.answer(question.race)
        assert right.kind == "exact"
        for found in (
            row,
            one,
            client.post("/api/v1/race", json=asked).json(),
            bearoff("race", *words(asked), "--json").json,
        ):
            assert found["equity"] == pytest.approx(right.equity, abs=1e-6)
            assert (found["action"] or None) == right.action
            if right.plays:
                assert found["best_play"] == right.plays[0].name
            for name, judged in (("played", right.played), ("decided", right.decided)):
                said = found.get(f"{name}_cost")
                if name in asked:
                    choice: Callable[[Any], Any] = judged
                    assert said == pytest.approx(choice(asked[name]).cost, abs=1e-6)
                else:
                    assert said is None


DEAD = [
    {"score": "3-5", "cube": "owned", "cube_value": 64},
    {"score": "5-3", "cube": "owned", "cube_value": 8},
    {"score": "7-7", "cube": "opponent", "cube_value": 16},
    {"score": "2-4", "cube": "owned", "cube_value": 2},
    {"score": "DMP"},
    {},
]
"""Questions in which the cube is dead: at a match score, or for money with the cube at its
limit."""


@pytest.mark.parametrize("whole", [False, True])
def test_a_dead_cube_is_worth_the_same_through_every_door(
    bearoff, client, tmp_path, monkeypatch, whole
):
    """All interfaces give the same equity for a race with a dead cube.

    Races are solved in float64, large ones in integers.
    """
    built(5)
    if whole:
        for room in ("opening", "shared"):
            monkeypatch.setattr(f"bearoff.match_solver.{room}.MOST_IN_FLOAT64", 0)
    sides = (6, 6, 4), (6, 5, 3)
    right = float(cube_twin.cubeless(*sides))
    places = [
        Position(tuple(np.bincount(side, minlength=7)[1:].tolist())) for side in sides
    ]
    limit = Race(*places, cube="owned", cube_value=64, cube_limit=64)
    both = {"roller": str(places[0]), "opponent": str(places[1])}
    asked = [both | one if one else {"position": limit.xgid} for one in DEAD]
    rows = rows_answered(bearoff, tmp_path, asked)
    many = {"races": asked, "patience": 20}
    listed = client.post("/api/v1/races", json=many).json()["answers"]
    judge = Judge()
    for one, row, of_list in zip(asked, rows, listed, strict=True):
        answer = judge.answer(read_question(one).race)
        python = {name: getattr(answer, name) for name in ("kind", "equity", "error")}
        doors = (
            (python, 1e-11),  # float64
            (bearoff("race", *words(one), "--json").json, 1e-11),
            (client.post("/api/v1/race", json=one | {"patience": 20}).json(), 1e-11),
            (of_list, 1e-11),
            (row, 5.1e-8),  # files have seven digits
        )
        for found, digits in doors:
            assert found["kind"] == "exact"
            assert found["error"] < 1e-5
            assert abs(found["equity"] - right) <= found["error"] + digits
