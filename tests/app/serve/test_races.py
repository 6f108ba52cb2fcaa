"""Race of seven checkers per side, which no stored table contains."""

import json
from itertools import zip_longest

import numpy as np
import pytest

import bearoff
from bearoff.answers import FIELDS
from bearoff.app.serve import models
from tests.app.serve import asking
from tests.app.serve.test_one_question import words
from tests.refusals import names

AS_JSON = {"content-type": "application/json"}
SHORT = asking.SHORT | {"opponent": [0, 1, 0, 0, 1, 0]}
AT_HOME = {"roller": "0,2,2,3,1,4", "opponent": "0,1,2,4,1,4"}
BEYOND = asking.BEYOND
FLAT = {"roller": "4,1,0,0,0,0,0,1", "opponent": "3,1,0,0,0,0,0,1"}
"""Race of which the model says that the numbers of rolls have no spread."""

TOO_LARGE = {"roller": "[4,5,5,6,6,6,7,7,8,8,9,9,10,11,12]"}
TOO_LARGE |= {"opponent": "[4,5,5,6,6,6,7,7,8,8,9,10,10,11,12]"}
SOON_SOLVED = {"roller": "0,1,1,2,1,2", "opponent": "0,1,1,2,0,3"}
"""Race of seven checkers per side, which no stored table contains, and which is solved
quickly."""


def test_a_key_of_json_that_occurs_twice_is_refused_and_a_text_is_none(client):
    for route, body in (
        ("race", '{"dice": "31", "position" : "LwAAwC0AAAAAAA", "dice": "42"}'),
        ("race", '{"dice": [1, 1], "dice": null, "position"\n: "LwAAwC0AAAAAAA"}'),
        ("races", '{"races": [{"position": "LwAAwC0AAAAAAA", "dice": "1", "dice": ""}]}'),
    ):
        sent = client.post(f"/api/v1/{route}", content=body, headers=AS_JSON)
        assert (sent.status_code, names(sent.json()["error"], "dice")) == (400, True)
    text = 'LwAAwC0AAAAAAA \\"dice\\": \\"dice\\":'
    body = f'{{"positions": "position\\n{text}", "keep" : false}}'
    assert json.loads(body)["positions"].count('"dice":') == 2
    sent = client.post("/api/v1/review", content=body, headers=AS_JSON)
    assert "twice" not in sent.text


MATCH = {"position": "XGID=--BB-A--------------agda--:1:1:1:64:2:4:0:7:10", "money": True}


@pytest.mark.parametrize(
    "asked",
    [
        asking.SHORT | {"dice": "2-1", "played": "3/1 2/1"},
        asking.SHORT | {"score": "3-5", "decided": "double"},
        MATCH,
        BEYOND | {"score": "1-3", "crawford": True},
        AT_HOME | {"dice": "5-2"},
    ],
)
def test_command_says_same(client, bearoff, asked):
    said = bearoff("race", *words(asked), "--model", "--market", "--json").json
    body = asked | {"market": True, "patience": 0}
    found = client.post("/api/v1/race", json=body).json()
    # The command may have solved its own table, whose values are rounded differently.
    near = json.dumps(said), lambda x: pytest.approx(float(x), abs=1e-4)
    assert {name: found[name] for name in said} == json.loads(near[0], parse_float=near[1])


def test_a_board_reads_back_as_the_race(client):
    found = client.post("/api/v1/race", json=BEYOND).json()
    board = found["board"]
    mine = [max(board[point], 0) for point in range(1, 11)]
    theirs = [max(-board[25 - point], 0) for point in range(1, 11)]
    assert mine == [0, 0, 0, 0, 2, 3, 1, 2, 1, 0]
    assert theirs == found["opponent"]["counts"]
    for notation in ("xgid", "ogid", "gnu_id", "position_id"):
        again = client.post("/api/v1/race", json={"position": found[notation]}).json()
        assert (again["board"], again["equity"]) == (board, found["equity"]), notation
        read = client.post("/api/v1/position", json={"position": found[notation]}).json()
        assert read.items() <= again.items()


def test_the_fields_described_are_those_of_every_answer():
    assert tuple(models.FieldsOut.model_fields) == FIELDS


def test_many_races_are_answered_as_one_by_one(client):
    asked = [
        *(SHORT, SOON_SOLVED, BEYOND),
        SHORT | {"dice": "6-4", "played": "6/off 3/off"},
        SHORT | {"roller": "17"} | {"opponent": None},
        {"rollers": 1},
        "no race",
        SHORT | {"decided": "take"},
        SHORT | {"market": True},
        SHORT | {"score": "2-2"},
        TOO_LARGE | {"score": "2-2", "dice": "6-1"},
        SHORT | {"score": "1-1", "dice": "2-1", "played": "3/1 2/1"},
    ]
    for patience, kind in ((0, "model"), (20, "exact")):
        body = {"races": asked, "patience": patience}
        found = client.post("/api/v1/races", json=body).json()
        rows = found["answers"]
        assert len(rows) == len(asked)
        for race, row in zip(asked, rows, strict=True):
            assert tuple(row) == (*FIELDS, "problem")
            if row["problem"] is not None:
                assert all(row[name] is None for name in FIELDS)
                continue
            alone = client.post("/api/v1/race", json=race | {"patience": patience}).json()
            for name in FIELDS:
                assert row[name] == pytest.approx(alone[name], abs=1e-12), name
        refused = [place for place, row in enumerate(rows) if row["problem"] is not None]
        assert refused == [4, 5, 6, 8]
        assert (rows[3]["best_play"], rows[3]["played_cost"]) == ("6/off 3/off", 0)
        assert rows[7]["decided_cost"] is not None
        assert rows[9]["chance_per_equity"] is not None
        assert [row["kind"] for row in rows[1:3]] == [kind, "model"]
        assert [row["kind"] for row in rows[9:]] == [kind, "model", kind]


@pytest.mark.parametrize(
    "race", [SHORT, BEYOND, SHORT | {"score": "3-5"}, SHORT | {"cube": "opponent"}]
)
def test_the_rolls_are_the_race_taken_apart(client, race):
    whole = client.post("/api/v1/race", json=race | {"market": True, "rolls": True}).json()
    each = whole["rolls"]
    assert sum(one["chance"] for one in each) == pytest.approx(1)
    assert sum(one["chance"] * one["luck"] for one in each) == pytest.approx(0, abs=1e-12)
    within = 5e-5 if whole["kind"] == "exact" else 0.02
    mean = sum(one["chance"] * one["best_equity"] for one in each)
    assert mean == pytest.approx(whole["no_double"], abs=within)
    wins = sum(one["chance"] * one["win_probability"] for one in each)
    # The best plays with a cube win slightly less often than the best plays without a cube.
    assert -within < whole["win_probability"] - wins < 0.003
    if whole["market"] is None:
        assert all(one["losing"] is one["outcomes"] is None for one in each)
        return
    losing = sum(one["chance"] * one["losing"] for one in each)
    assert losing == pytest.approx(whole["market"]["losing_probability"])
    for one in each:
        with_dice = client.post("/api/v1/race", json=race | {"dice": one["dice"]}).json()
        assert with_dice["plays"][0]["after"] == one["after"]
        assert with_dice["best_play"] == one["best_play"]
        assert with_dice["best_equity"] == pytest.approx(one["best_equity"])
        second = with_dice["plays"][1]["cost"] if len(with_dice["plays"]) > 1 else None
        assert second == pytest.approx(one["second_cost"])
        if one["dice"] == [6, 5]:
            break


@pytest.mark.parametrize("race", [SHORT, AT_HOME, BEYOND, FLAT])
def test_distributions_have_the_moments_they_should(client, race):
    found = client.post("/api/v1/distribution", json=race).json()
    for side in (found["roller"], found["opponent"]):
        chances, rolled = np.array(side["chances"]), np.arange(len(side["chances"]))
        assert chances.sum() == pytest.approx(1)
        assert chances[0] == 0
        mean = chances @ rolled
        # Without a spread, the mean is only as fine as steps of one roll.
        within = 1e-4 if side["kind"] == "exact" else 0.1 if race is FLAT else 0.02
        assert mean == pytest.approx(side["mean_rolls"], abs=within)
        if race is FLAT:
            assert side["std_rolls"] == 0
        else:
            spread = np.sqrt(chances @ (rolled - mean) ** 2)
            assert spread == pytest.approx(side["std_rolls"], abs=0.05)
    assert 0 < sum(found["first_off"]) < 1
    mine, theirs = (found[side]["chances"] for side in ("roller", "opponent"))
    wins = [chance * sum(theirs[count:]) for count, chance in enumerate(mine)]
    either = zip_longest(found["first_off"], wins, fillvalue=0.0)
    assert all(one == pytest.approx(other) for one, other in either)
    if race is AT_HOME:
        numbers = [bearoff.Position.parse(race[side]).number for side in race]
        chance = bearoff.fewest_rolls_win_probability(*numbers)
        assert sum(found["first_off"]) == pytest.approx(float(chance), abs=1e-6)


def test_formulas_are_the_commands(client, bearoff):
    listed = client.get("/api/v1/formulas").json()
    assert [one["name"] for one in listed["formulas"] if one["recommended"]] == ["ladder"]
    sides = asking.SHORT.values()
    said = bearoff("formulas", "explain", "keith", *sides, "--json").json
    found = client.post("/api/v1/formula", json=SHORT | {"formula": "keith"}).json()
    del said["exact"]
    assert said.items() <= found.items()
    right = client.post("/api/v1/race", json=SHORT | {"cube": "owned"}).json()
    assert found["truth"]["owned"]["action"] == right["action"]
    cost = right["wrong_double" if found["redouble"] else "missed_double"]
    assert found["truth"]["costs"]["redouble"] == cost


def test_the_chart_is_the_published_table_or_the_models_window_at_a_score(client):
    found = client.get("/api/v1/chart?formula=keith").json()
    at_50 = found["formula"]["counts"].index(50)
    # By Keith's rule, a roller with 50 pips doubles with a lead of at least 3 pips.
    assert found["formula"]["double"][at_50] == pytest.approx(57.0 - 4 - 50, abs=0.5)
    at_100 = found["counts"].index(100)
    assert (found["double"][at_100], found["last_take"][at_100]) == (7.5, 11.5)
    assert client.get("/api/v1/chart?formula=bower").status_code == 400
    # At 2-away 4-away nobody redoubles, as the cube is dead; a double needs more lead.
    money = client.get("/api/v1/chart?by=epc").json()
    found = client.get("/api/v1/chart?by=epc&score=2-4").json()
    assert found["score"] == "2-away 4-away"
    assert set(found["redouble"]) == {None}
    place = found["counts"].index(60.0)
    assert found["double"][place] > money["double"][place]
    assert client.get("/api/v1/chart?score=2-x").status_code == 400


def test_sheets_are_printed(client):
    listed = client.get("/api/v1/sheets").json()["sheets"]
    assert {"n-rolls", "take-points", "cheat-keith"} <= {one["name"] for one in listed}
    keith = next(one for one in listed if one["name"] == "cheat-keith")
    for kind, begins in (("pdf", b"%PDF"), ("png", b"\x89PNG")):
        found = client.get(keith[kind])
        assert found.content.startswith(begins)
        assert found.headers["content-type"].endswith(kind)
    assert client.get("/api/v1/sheets/..%2f..%2fetc.pdf").status_code == 404
