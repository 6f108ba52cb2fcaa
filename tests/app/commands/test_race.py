"""`bearoff race`: any race, as text and as JSON."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bearoff as core
from bearoff.answers import Judge
from tests.app.conftest import Command, only_sentence

SIDES = ("0,2,2,0,0,0", "0,2,2,0,0,0")
LONG = ("[5,5,6,6,6,7,8,8,9]", "[4,4,5,6,6,6,7,8,10]")


@pytest.fixture(scope="module", autouse=True)
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BEAROFF_CACHE", str(tmp_path_factory.mktemp("tables")))
        core.build_two_sided_table(4)
        yield


def lines(text: str) -> list[list[str]]:
    return [re.split(r"  +", line.strip()) for line in text.splitlines()]


def test_what_a_table_holds_is_not_asked_of_the_model_first(
    bearoff: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bearoff.answers.solving.SOON", 0)  # Any may take long to solve.
    answer = bearoff("race", *SIDES)
    assert answer.err == ""
    assert "Exact to" in answer.out


def test_a_race_with_dice_a_play_and_a_decision(bearoff: Command) -> None:
    answer = bearoff(
        "race", *SIDES, "--dice", "2-1", "--played", "3/1 2/1", "--decided", "no double"
    )
    assert (answer.code, answer.err) == (0, "")
    said = lines(answer.out)
    table = core.two_sided_table(4)
    race = core.Race(*(core.Position.parse(side) for side in SIDES))
    action = core.cube_action(table, race)
    plays = {}
    for play in core.legal_plays(race.roller, (2, 1)):  # Looked up one by one.
        then = core.Race(race.opponent, play.after)
        plays[str(play)] = -float(core.cube_action(table, then).equity)
    best = max(plays, key=plays.__getitem__)
    assert [best, f"{plays[best]:+.4f}", "best"] in said
    cost = plays[best] - plays["3/1 2/1"]
    assert f"3/1 2/1: costs {cost:.4f}, equity" in answer.out
    assert f"no double: costs {action.missed_double:.4f}, equity" in answer.out
    assert "Exact to" in answer.out
    # The play comes first and alone; what was before the roll is told if asked for.
    cube = ["no double", f"{action.no_double:+.4f}", f"{action.missed_double:.4f}"]
    for option, has_cube, has_market in (
        ("--quiet", False, False),
        ("--before", True, False),
        ("--market", True, True),
    ):
        text = bearoff("race", *SIDES, "--dice", "2-1", option).out
        assert text.index("Best play: ") > 0
        assert (cube in lines(text)) == ("Double, take" in text) == has_cube
        assert ("lose the market 46.53% of the time" in text) == has_market
        assert "wins most, if another" not in text
    rolls = bearoff("race", *SIDES, "--dice", "2-1", "--rolls").out
    assert [row[0] for row in lines(rolls)].count("6-6") == 1


def test_a_position_as_it_was_copied(bearoff: Command) -> None:
    pasted = """ GNU Backgammon  Position ID: LwAAwC0AAAAAAA
                 Match ID   : UQnzACAAIAAE
 see above"""
    found = bearoff("race", pasted, "--json").json
    assert (found["cube"], found["cube_value"], found["dice"]) == ("owned", 2, [6, 4])
    assert found["score"] == "3-away 5-away (4-2 to 7)"
    judged = Judge([]).answer(core.Race.parse(pasted))
    assert found["equity"] == judged.equity
    assert found["action"] == judged.action
    assert found["chance_per_equity"] == judged.chance_per_equity
    assert [play["name"] for play in found["plays"]] == [p.name for p in judged.plays]


def test_the_opponents_cube_and_american_spelling(bearoff: Command) -> None:
    theirs = bearoff("race", *SIDES, "--cube", "opponent")
    assert "The roller may not double: the opponent owns the cube." in theirs.out
    assert "market" not in theirs.out
    spelt = bearoff("race", *SIDES, "--cube", "Centered", "--json").json
    assert spelt == bearoff("race", *SIDES, "--json").json


def test_a_long_race_by_the_model_and_rolled_out(bearoff: Command) -> None:
    quick = bearoff("race", *LONG, "--model", "--json").json
    assert (quick["kind"], quick["roller"]["epc_error"]) == ("model", 0.17)
    asked = ("race", *LONG, "--dice", "6-2", "--error", "0.03", "--played", "8/2 7/5")
    answer = bearoff(*asked, "--json")
    assert answer.err.startswith("bearoff: at once, by the fast model: 9/3 ")
    assert "rolling it out; Ctrl-C ends it with the games so far" in answer.err
    rolled = answer.json
    assert rolled["kind"] == "rollout"
    assert 0 < rolled["no_double_error"] < 0.04
    assert rolled["no_double"] == pytest.approx(quick["no_double"], abs=0.05)
    costs = [play["cost"] for play in rolled["plays"]]
    assert costs == sorted(costs)
    (mine,) = (play for play in rolled["plays"] if play["name"] == "8/2 7/5")
    assert (rolled["played_cost"], rolled["played_equity"]) == (
        mine["cost"],
        mine["equity"],
    )
    assert mine["kind"] == "rollout"
    assert {play["kind"] for play in rolled["plays"]} == {"model", "rollout"}
    text = bearoff("race", *LONG, "--error", "0.06", "--quiet")
    assert "Rolled out; ± is the standard and the systematic error" in text.out


def test_a_small_race_is_solved_on_the_spot(bearoff: Command) -> None:
    assert bearoff("race", "1,1,1,1,1,0", "1,1,1,1,1,0", "--json").json["kind"] == "exact"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "a position is needed"),
        (("8887",), "the opponent's position must follow '8887'"),
        (("LwAAwC0AAAAAAA", "8887"), "already holds both sides"),
        (("4HPwATDgc/ABMA",), "no contact"),
        ((*SIDES, "--model", "--error", "0.1"), "leave one out"),
        ((*SIDES, "--cube", "mine"), "centred, owned .by the roller. or opponent"),
        ((*SIDES, "--played", "3/1 2/1"), "a play needs the dice it was made with"),
        ((*SIDES, "--dice", "21", "--played", "3/off 2/1"), "no play of 2-1: "),
        (
            (*SIDES, "--decided", "beaver"),
            "double, no double, take or pass, got 'beaver'",
        ),
        (
            (*SIDES, "--cube", "opponent", "--decided", "double"),
            "'double' cannot be judged",
        ),
        ((*LONG, "--decided", "beever"), "a cube decision is double, no double, take"),
        (
            (*SIDES, "--score", "3", "5", "--cube-value", "8", "--cube", "centred"),
            "shows 1",
        ),
    ],
)
def test_what_cannot_be_answered(
    bearoff: Command, arguments: tuple[str, ...], sentence: str
) -> None:
    answer = bearoff("race", *arguments)
    assert answer.code == 2
    assert re.search(sentence, only_sentence(answer)), answer.err


def test_a_file_of_races(bearoff: Command, tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(
        "position,dice,played,decided\n"
        "LwAAwC0AAAAAAA,21,2/off 2/1,\nLwAAwC0AAAAAAA,,,take\n4HPwATDgc/ABMA,,,\n"
    )
    answer = bearoff("race", "--from", str(source), "--to", str(target), "--quiet")
    assert answer.code == 0
    assert answer.out.startswith("2 races answered; 1 row not, first row 3: a race has no")
    said = lines(answer.out)
    assert [row[:3] for row in said if row[0] in ("plays", "decisions")] == [
        ["plays", "1", "1"],
        ["decisions", "1", "1"],
    ]
    rows = target.read_text().splitlines()
    assert rows[0].startswith("position,dice,played,decided,kind,")
    assert len(rows) == 4
    streamed = bearoff("race", "--from", str(source), "--to", str(target), "--json").json
    assert (streamed["rows"], streamed["problems"]) == (3, 1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--to", "out.csv"), "--to needs --from"),
        (("LwAAwC0AAAAAAA", "--from", "in.csv"), "of a file, positions, dice, cube"),
        (("--from", "in.csv", "--json"), "--json sums up on standard output"),
        (("--from", "in.csv", "--error", "0.01", "--model"), "leave one out"),
        (("--from", "none.csv", "--to", "out.csv"), "cannot read none.csv: there is no"),
    ],
)
def test_what_no_file_can_be_asked(
    bearoff: Command, arguments: tuple[str, ...], sentence: str
) -> None:
    answer = bearoff("race", *arguments)
    assert sentence in only_sentence(answer)


def test_play_beyond_home_and_against_an_opponent(bearoff: Command) -> None:
    away = bearoff("play", "0,0,0,2,2,2,0,1", "6-2", "--json").json
    assert away["plays"][0]["play"] == "8/2 2/off"
    after = core.Position(tuple(away["plays"][0]["after"][:6]))
    known = core.one_sided_table().epc[after.number]
    assert away["plays"][0]["epc_after"] == pytest.approx(known)
    assert away["position"]["epc"] == pytest.approx(44.4, abs=0.5)
    costs = [play["cost"] for play in away["plays"]]
    assert costs == sorted(costs)
    assert bearoff("play", "[7,7,9]", "3-3").code == 0
    against = bearoff("play", "LwAAwC0AAAAAAA", "2-1", "--cube", "Centered", "--json").json
    judged = Judge().answer(
        core.Race.parse("XGID=-CBA-------------------ad-:0:0:1:21:0:0:0:0:10")
    )
    assert [play["name"] for play in against["plays"]] == [p.name for p in judged.plays]
    alone = bearoff("play", "8887", "21", "--cube", "owned")
    assert "--cube is of a race of two sides; the opponent's" in only_sentence(alone)


def test_names_of_formulas_and_cubes_in_any_case(bearoff: Command) -> None:
    sides = ("0,0,2,2,2,2", "0,0,2,2,2,3")
    shouted = bearoff("formulas", "explain", "KEITH", *sides, "--json")
    assert shouted.json == bearoff("formulas", "explain", "keith", *sides, "--json").json
    spelt = bearoff("cube", *SIDES, "--cube", "CENTERED", "--json").json
    assert spelt == bearoff("cube", *SIDES, "--cube", "centred", "--json").json
    assert "or opponent, got 'here'" in only_sentence(
        bearoff("cube", *SIDES, "--cube", "here")
    )
