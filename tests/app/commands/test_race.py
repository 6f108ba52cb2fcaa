"""`bearoff race`: evaluations of races of all kinds, as text and as JSON."""

import re

import pytest

import bearoff as core

SIDES = ("0,2,2,0,0,0", "0,2,2,0,0,0")
BEYOND_HOME = ("[5,6,7,8]", "[4,6,6,10]")

TABLES = (4,)

pytestmark = pytest.mark.usefixtures("tables")


def lines(text):
    return [re.split(r"  +", line.strip()) for line in text.splitlines()]


def test_a_table_goes_first(bearoff, monkeypatch):
    monkeypatch.setattr("bearoff.answers.solving.SOON", 0)  # every race counts as slow
    assert bearoff("race", *SIDES).quiet


def test_a_race_with_dice_a_play_and_a_decision(bearoff):
    given = ("--dice", "2-1", "--played", "3/1 2/1", "--decided", "no double")
    answer = bearoff("race", *SIDES, *given).quiet
    asked = core.Race(*SIDES, dice=(2, 1))
    printed = str(core.Judge().answer(asked))
    assert printed.partition("\n\n")[0] in answer.out  # the board is printed first
    assert set(printed.splitlines()) >= set(answer.out.splitlines()[-5:]) - {""}
    action = core.cube_action(core.two_sided_table(4), core.Race(*SIDES))
    best = core.Judge().answer(asked).plays[0]
    cost = core.Judge().answer(asked).played("3/1 2/1").cost
    for decided, lost in (("3/1 2/1", cost), ("no double", action.missed_double)):
        assert re.search(rf"{decided}: .*{lost:.4f}", answer.out)
    # With dice, the answer shows the cube decision before the roll only on request.
    cube = ["no double", f"{action.no_double:+.4f}", f"{action.missed_double:.4f}"]
    shown = {"--quiet": (False, False), "--before": (True, False), "--market": (True, True)}
    for option, (has_cube, has_market) in shown.items():
        text = bearoff("race", *SIDES, "--dice", "2-1", option).out
        assert [best.name, f"{best.equity:+.4f}", "best"] in lines(text)
        assert (cube in lines(text)) == ("Double, take" in text) == has_cube
        assert ("46.53%" in text) == has_market
    rolls = bearoff("race", *SIDES, "--dice", "2-1", "--rolls").out
    assert [row[0] for row in lines(rolls)].count("6-6") == 1


def test_a_race_beyond_home_by_the_model_and_rolled_out(bearoff):
    quick = bearoff("race", *BEYOND_HOME, "--model", "--json").json
    assert (quick["kind"], quick["roller"]["epc_error"]) == ("model", 0.17)
    asked = ("race", *BEYOND_HOME, "--dice", "6-2", "--error", "0.03")
    asked += ("--played", "8/2 7/5", "--patience", "0")  # the race is not solved
    answer = bearoff(*asked, "--json")
    assert re.match(r"bearoff: .*: 8/6 7/1 ", answer.err)
    rolled = answer.json
    assert rolled["kind"] == "rollout"
    assert 0 < rolled["no_double_error"] < 0.04
    assert rolled["no_double"] == pytest.approx(quick["no_double"], abs=0.05)
    costs = [play["cost"] for play in rolled["plays"]]
    assert costs == sorted(costs)
    (mine,) = (play for play in rolled["plays"] if play["name"] == "8/2 7/5")
    for name in ("cost", "equity"):
        assert rolled[f"played_{name}"] == mine[name]
    assert mine["kind"] == "rollout"
    assert {play["kind"] for play in rolled["plays"]} == {"model", "rollout"}
    assert bearoff("race", *["1,1,1,1,1,0"] * 2, "--json").json["kind"] == "exact"


def test_a_file_of_races(bearoff, tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(
        "position,dice,played,decided\n"
        "LwAAwC0AAAAAAA,21,2/off 2/1,\nLwAAwC0AAAAAAA,,,take\n4HPwATDgc/ABMA,,,\n"
    )
    asked = ("race", "--from", str(source), "--to", str(target))
    answer = bearoff(*asked, "--quiet")
    assert answer.code == 2
    assert re.match("2 .* 1 row .* row 3: ", answer.out)
    said = [row[:3] for row in lines(answer.out) if row[0] in ("plays", "decisions")]
    assert said == [["plays", "1", "1"], ["decisions", "1", "1"]]
    first, *rows = target.read_text().splitlines()
    assert (first.startswith("position,dice,played,decided,kind,"), len(rows)) == (True, 3)
    streamed = bearoff(*asked, "--json").json
    assert (streamed["rows"], streamed["problems"]) == (3, 1)


def test_play_beyond_home(bearoff):
    away = bearoff("play", "0,0,0,2,2,2,0,1", "6-2", "--json").json
    assert away["plays"][0]["play"] == "8/off"
    after = core.Position(tuple(away["plays"][0]["after"][:6]))
    known = core.one_sided_table().epc[after.number]
    assert away["plays"][0]["epc_after"] == pytest.approx(known)
    assert away["position"]["epc"] == pytest.approx(44.4, abs=0.5)
    costs = [play["cost"] for play in away["plays"]]
    assert costs == sorted(costs)
    assert bearoff("play", "[7,7,9]", "3-3").code == 0


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--cube", "opponent", "--jacoby"),
        ("--score", "3", "5", "--cube", "owned"),
        ("--score", "3", "1", "--post-crawford", "--model"),
        ("--cube-value", "4", "--money"),
    ],
)
def test_views_agree_on_what_they_share(bearoff, options):
    asked = (*SIDES, *options, "--json")
    race, cube = (bearoff(name, *asked).json for name in ("race", "cube"))
    # `cube` prints the same answer as `race --market` with the same options.
    assert cube == bearoff("race", *asked, "--market").json
    assert {key for key in race if race[key] != cube[key]} <= {"market", "window"}
    thrown = (*asked, "--dice", "2-1")
    play = bearoff("play", *thrown).json
    assert play == bearoff("race", *thrown).json
    assert {key for key in race if race[key] != play[key]} == {
        "dice", "xgid", "plays", "best_play", "best_equity", "best_error"
    }  # fmt: skip
    # The exact win probability of a race does not depend on the cube.
    wins = bearoff("winprob", *SIDES, "--json").json
    if race["kind"] == wins["optimal_by"] == "exact":
        assert wins["optimal"] == pytest.approx(race["win_probability"], abs=1e-5)
    for side in ("roller", "opponent"):
        assert wins[side].items() <= race[side].items()
