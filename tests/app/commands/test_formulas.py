"""`bearoff formulas`: the list of formulas, and the explanation of one formula."""

import re

import pytest

from bearoff import Position, Race, cube_action
from bearoff.analysis import formulas
from bearoff.analysis.scoring import mental_cost
from tests.app.conftest import missing
from tests.two_sided_tables import built

RACE = ("3,0,0,1,1,0", "2,1,0,1,0,1")
NO_DOUBLE = ("0,2,3,3,4,3", "1,1,3,4,3,3")

MINE = """\
formulas:
  - name: mine
    add: [{pips: 2, feature: checkers}]
    double: {divisor: 10, offset: -2}
    redouble: {divisor: 10, offset: -1}
    take: {divisor: 10, offset: 2}
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(MINE, encoding="utf-8")
    return str(path)


def test_list_names_every_formula(bearoff, mine):
    answer = bearoff("formulas", "list").good
    for name in formulas.names():
        units = mental_cost(formulas.get(name)).total
        assert f"\n{name}: {units} units" in f"\n{answer.out}"
    assert max(map(len, answer.out.splitlines())) <= 80
    assert "\nmine: " not in answer.out
    assert "\nmine: " in bearoff("formulas", "list", "--file", mine).out
    listed = bearoff("formulas", "list", "--json", "--file", mine).json
    every = ["ladder", "screen", *formulas.names(), "mine"]
    assert [entry["name"] for entry in listed] == every
    keith = next(entry for entry in listed if entry["name"] == "keith")
    cost = keith["mental_cost"]
    assert cost["beyond_pips"] + 24 == cost["total"] == sum(cost["items"].values())
    assert keith["estimates_chance"] is False


def test_explain_shows_the_arithmetic(bearoff):
    answer = bearoff("formulas", "explain", "KEITH", *NO_DOUBLE)
    text = " ".join(answer.out.split())
    steps = ("pips 63", "64 / 7 = 9", "64 + 9 = 73", "73 - 61 = 12", "12 <= 4: no")
    assert missing(text, *steps, "71 units, 8 ", "takes", "bearoff race") == []
    assert max(map(len, answer.out.splitlines())) <= 80


def test_explain_beside_the_exact_answer(bearoff):
    table = built(6)
    race = Race(*map(Position.parse, RACE))
    answer = bearoff("formulas", "explain", "isight", *RACE, "--json").json
    assert (answer["double"], answer["redouble"], answer["take"]) == (True, True, True)
    exact = answer["exact"]
    right = cube_action(table, race)
    assert right.action == "double, pass"
    # Doubling is correct, but Isight's take is a mistake that costs more than 0.2 points.
    assert exact["costs"] == {"double": 0.0, "redouble": 0.0, "take": right.wrong_take}
    assert exact["costs"]["take"] > 0.2
    assert exact["centred"]["no_double"] == right.no_double
    assert exact["table_checkers"] >= 5
    text = bearoff("formulas", "explain", "isight", *RACE).out
    assert re.search(rf"takes +passes +{right.wrong_take:.4f}\n", text)
    # Isight's percentage is not reported as a win probability.
    assert "win_probability" not in answer


@pytest.mark.usefixtures("cache")
def test_explain_solves_what_no_table_holds(bearoff):
    # The expected values are from the table of 15 checkers.
    race = "1,2,2,1,1,1", "2,2,1,1,1,1"
    exact = bearoff("formulas", "explain", "keith", *race, "--json").json["exact"]
    assert exact["table_checkers"] is exact["centred"]["gammons_won"] is None
    found = [exact[at]["no_double"] for at in ("centred", "owned")]
    assert found == pytest.approx([0.4721, 0.5313], abs=5e-5)
    assert exact["costs"]["double"] == pytest.approx(0.0103, abs=5e-5)


def test_costs_of_wrong_doubles(bearoff):
    sides = ("4,0,0,0,0,0", "0,0,0,0,0,1")
    found = bearoff("formulas", "explain", "zare", *sides, "--json").json
    # In this race, a double by Zare's rule is a mistake.
    assert (found["double"], found["redouble"]) == (True, True)
    cubes, race = ("centred", "owned"), Race(*map(Position.parse, sides))
    right = [cube_action(built(6), race, cube).wrong_double for cube in cubes]
    assert [found["exact"]["costs"][name] for name in ("double", "redouble")] == right
    assert right[0] > 0


def test_a_whole_board_from_one_text(bearoff):
    xgid = "XGID=----BCD-CB-A-----b-dcb----:0:0:1:00:0:0:0:0:10"
    answer = bearoff("formulas", "explain", "ward", xgid, "--json").json
    assert len(answer["roller"]) == 11
    assert sum(p * n for p, n in enumerate(answer["roller"], 1)) == 100
    assert answer["exact"] is None
    assert "bearoff race" in bearoff("formulas", "explain", "ward", xgid).out


def test_a_formula_of_ones_own(bearoff, mine):
    answer = bearoff("formulas", "explain", "mine", *RACE, "--file", mine, "--json").json
    assert answer["formula"] == "mine"
    assert [step["arithmetic"] for step in answer["steps"]][2:7] == [
        *("12 + 2 x 5 = 22", "14 + 2 x 5 = 24", "22 / 10 = 2.2", "22 + 2.2 = 24.2"),
        "24.2 - 24 = 0.2",
    ]


def test_halves_on_a_plain_terminal(process):
    race = ("0,0,0,5,5,5", "0,0,0,3,5,7")
    env = {"PYTHONIOENCODING": "ascii"}
    answer = process("formulas", "explain", "zare", *race, env=env).good
    assert "75 / 10 = 7.5" in answer.out
    assert "double <=2, redouble <=1, take >=-2" in " ".join(answer.out.split())
    assert "?" not in answer.out


@pytest.mark.parametrize("name", ["kleinman", "johansen"])
def test_a_metric_says_when_the_cube_turns(bearoff, name):
    said = " ".join(bearoff("formulas", "explain", name, *RACE).out.split())
    line = r"Double \D+([\d.½]+)\D+ redouble \D+([\d.½]+), take \D+([\d.½]+)\. "
    (lines,) = re.findall(line, said)
    for sign, limit in zip((">=", ">=", "<="), lines, strict=True):
        assert f"{sign} {limit}:" in said


def test_lines_that_differ_are_shown_in_full(bearoff, tmp_path):
    path = tmp_path / "d.yaml"
    path.write_text(
        "formulas:\n- name: d\n  double: {divisor: 10, offset: -2}\n"
        "  redouble: {divisor: 8, offset: -1.5, rounded: down}\n"
        "  take: {divisor: 10, parts: 3, less: 20, above: 30, offset: 2}\n"
    )
    asked = ("d", *NO_DOUBLE, "--file", str(path))
    answer = bearoff("formulas", "explain", *asked, "--json").json
    lines = ("≥ a tenth", "less 2", "≥ an eighth", "less 1½", "≤ 3/10", "20", "plus 2")
    assert missing(answer["text"], *lines) == []
    assert [step["arithmetic"] for step in answer["steps"][3:6]] == [
        "63 / 10 = 6.3, 6.3 - 2 = 4.3",
        "63 / 8 = 7, 7 - 1½ = 5½",
        "3 x (63 - 20) / 10 = 12.9, 12.9 + 2 = 14.9",
    ]
