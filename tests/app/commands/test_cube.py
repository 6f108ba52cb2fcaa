"""`bearoff cube` for money and at match scores, and scores in all notations."""

import re
import shlex
from dataclasses import replace

import numpy as np
import pytest

import bearoff as core
from bearoff import ROLLS, Race
from bearoff.app.market import show_market
from bearoff.scores.equities import KAZAROSS_XG2
from bearoff.sources import Market, cube_action, market
from tests.app.conftest import missing

FOUR_ROLLS = ("7,0,0,0,0,0", "7,0,0,0,0,0")

LAST_ROLL = ("0,1,0,0,1,0", "1,0,0,0,0,0")
"""Race in which the roller wins with 19 of the 36 rolls, and otherwise loses."""

NOT_SURE = ("0,2,2,0,0,0", "0,2,2,0,0,0")
"""Race in which doubling is correct for money and at most scores."""

THREE_TO_FIVE = "XGID=-CBA-------------------ad-:{cube}:{owner}:{turn}:{dice}:2:4:0:7:10"

TABLES = (4, 7)

pytestmark = pytest.mark.usefixtures("tables")


def rows(answer):
    lines = answer.good.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    return [re.split(r"  +", line) for line in lines]


def test_four_rolls_against_four(bearoff):
    # Expected equities are published values for four rolls against four.
    expected = (
        ["Redouble, take"],
        ["no redouble", "+0.7930", "0.1238"],
        ["redouble", "+0.9167"],
        ["take", "+0.9167"],
        ["pass", "+1.0000", "0.0833"],
        ["double, pass", "86.11%"],
        ["wins", "74.53%", "25.47%"],
        ["wins a gammon", "0.00%", "0.00%"],
    )
    answer = bearoff("cube", *FOUR_ROLLS, "--cube", "owned").quiet
    assert missing(rows(answer), *expected) == []


def test_a_last_roll_at_a_score_by_hand(bearoff):
    # At 2-away 2-away, a taken double decides the match.
    ahead = core.match_equities().after(core.Score((2, 2)), 1)
    waits = 19 / 36 * ahead + 17 / 36 * (1 - ahead)
    score = ("cube", *LAST_ROLL, "--score", "2", "2")
    said = bearoff(*score)
    assert ["Double, take"] in rows(said)
    cost, unit = 19 / 36 - waits, ahead - 0.5
    taken = (19 / 36 - 0.5) / unit
    assert [
        "no double", f"{(waits - 0.5) / unit:+.4f}", f"{cost / unit:.4f}",
        f"{waits:.2%}", f"{cost:.2%}",
    ] in rows(said)  # fmt: skip
    assert ["double", f"{taken:+.4f}", "52.78%"] in rows(said)
    assert f"{unit:.2%} of the match by Kazaross-XG2" in said.out
    assert bearoff(*score, "--match-equities", str(KAZAROSS_XG2)).out == said.out


@pytest.mark.parametrize(
    ("ids", "score", "no_double", "double_take"),
    [
        # The IDs and the equities in EMG come from GNU Backgammon.
        ("MQAAsAgAAAAAAA:UQkgAVAAGAAE", "6-away 4-away", 0.443, 0.829),
        ("AgAAgAAAAAAAAA:UglgAUAACAAE", "10-away 7-away", 0.500, 1.319),
    ],
)
def test_gnubg_says_the_same_of_its_own_positions(
    bearoff, ids, score, no_double, double_take
):
    answer = bearoff("cube", ids, "--json").json
    assert answer["score"].startswith(score)
    assert (answer["cube"], answer["kind"]) == ("owned", "exact")
    assert answer["no_double"] == pytest.approx(no_double, abs=0.0011)
    assert answer["double_take"] == pytest.approx(double_take, abs=0.0011)


def test_replies_that_lose_the_market_and_a_market_that_is_too_close_are_told(capsys):
    race = core.Race(*(core.Position.parse(side) for side in FOUR_ROLLS))
    losers, said = market(core.two_sided_table(7), race), []
    for close in (False, True):
        show_market(replace(losers, too_close=np.full((21, 21), close)))
        said.append(capsys.readouterr().out)
    assert len(said[1].splitlines()) > len(said[0].splitlines())
    # The market is lost unless the opponent alone throws a double.
    doubles = "1-1 2-2 3-3 4-4 5-5 6-6"
    assert re.search(rf"\n2-1 3-1 .* all but {doubles}\n(.*\n)+{doubles} +all\n", said[0])


@pytest.mark.parametrize("score", [None, "2-4", "3-1 post-Crawford"])
def test_json_is_what_the_library_says(bearoff, score):
    options = () if score is None else ("--score", score)
    answer = bearoff("cube", *NOT_SURE, *options, "--json").json
    race = Race(*(core.Position.parse(side) for side in NOT_SURE))
    table: core.TwoSidedTable | core.MatchTable = core.two_sided_table(4)
    if score is not None:
        race = replace(race, score=core.Score.parse(score))
        assert race.score is not None
        table = core.match_table(4, race.score.away, race.score.game)
    values = cube_action(table, race)
    for name in ("no_double", "double_take", "wrong_double", "wrong_pass", "equity"):
        assert answer[name] == pytest.approx(float(getattr(values, name)), abs=1e-12)
    assert answer["action"] == str(values.action)
    assert answer["error"] == float(values.error)
    losers = market(table, race)
    assert answer["market"]["losing_probability"] == losers.losing_probability
    sequences = answer["market"]["sequences"]
    assert len(sequences) == 21
    assert {len(replies) for replies in sequences.values()} == {21}
    outcome = losers.outcomes[ROLLS.index((6, 5)), ROLLS.index((1, 1))]
    assert sequences["6-5"]["1-1"] == Market.OUTCOMES[outcome]
    if score is None:
        assert answer["thresholds"] is None
    else:
        at = core.match_thresholds(race.score)
        for name in ("live_cash", "gammon_value"):
            assert answer["thresholds"][name] == getattr(at, name)


def test_plays_that_the_cube_changes(bearoff):
    answer = bearoff("cube", "0,1,2,2,0,0", "2,0,0,1,0,1", "--rolls")
    (row,) = (row for row in rows(answer) if row[0] == "6-1" and len(row) > 2)
    # The best play with the cube is 4/off 3/2; without a cube, 4/off 2/1 wins more often.
    assert (row[1], row[-1]) == ("4/off 3/2", "4/off 2/1")


@pytest.mark.parametrize(
    ("options", "action"),
    [
        ("--score 1 3 --crawford", None),
        ("--score 2 4 --cube owned", "no redouble"),
        ("--cube opponent", None),
        ("--score 1 3 --post-crawford", "no double"),
        ("--score 3 1 --post-crawford --rolls", "double, take"),
    ],
)
def test_what_the_cube_can_do(bearoff, options, action):
    asked = ("cube", *NOT_SURE, *options.split())
    assert bearoff(*asked, "--json").json["action"] == action
    lines = rows(bearoff(*asked))
    assert ([str(action).capitalize()] in lines) == (action is not None)


def test_the_opponents_cube_has_a_value_and_no_action(bearoff):
    text = THREE_TO_FIVE.format(cube=1, owner=-1, turn=1, dice="00")
    said = bearoff("cube", text)
    assert "market" not in said.out
    answer = bearoff("cube", text, "--json").json
    assert answer["action"] is answer["double_take"] is answer["missed_double"] is None
    assert answer["market"] is answer["window"] is None
    assert f"{answer['match_chance']:.2%} of the match" in said.out
    race = Race.parse(text)
    table = core.match_table(6, (5, 3))
    value = table.value(race.roller.number, race.opponent.number, 2, "opponent")
    assert answer["match_chance"] == pytest.approx(float(value), abs=1e-12)


@pytest.mark.usefixtures("cache")
def test_a_built_table_answers_first(bearoff):
    asked = (*NOT_SURE, "--score", "3", "5")
    solved = bearoff("cube", *asked, "--json").json
    core.build_match_table(4, (3, 5))
    kept = bearoff("cube", *asked, "--json").json
    assert (solved["kind"], kept["kind"]) == ("exact", "exact")
    assert solved["error"] < 1e-11 < kept["error"] < 1e-4
    assert f"Exact to {kept['error']:.1e}." in bearoff("cube", *asked).out
    assert kept["action"] == solved["action"]
    for name in ("no_double", "double_take", "match_chance"):
        assert kept[name] == pytest.approx(solved[name], abs=kept["error"])
    for name, edge in solved["window"].items():
        assert kept["window"][name] == pytest.approx(edge, abs=1e-5)
    rolled = bearoff("rollout", *asked, "--json").json
    assert (rolled["games"], rolled["table_checkers"]) == (0, 6)


@pytest.mark.usefixtures("cache")
def test_a_table_of_more_points_answers_beyond_home_and_one_without_cubes_not(bearoff):
    core.build_two_sided_table(2, points=8)
    answer = bearoff("cube", "0,0,0,0,0,0,1", "1", "--json", "--rolls").json
    won = 23 / 36  # the rolls that bear off a checker that is 7 pips away
    assert answer["kind"] == "exact"
    assert answer["win_probability"] == pytest.approx(won, abs=1e-5)
    assert answer["double_take"] == pytest.approx(2 * (2 * won - 1), abs=1e-4)
    (six_one,) = (roll for roll in answer["rolls"] if roll["dice"] == [6, 1])
    assert six_one["best_play"] == "7/off"
    core.build_two_sided_table(7, cube=False)
    answer = bearoff("cube", *FOUR_ROLLS, "--model", "--json").json
    assert (answer["kind"], answer["action"]) == ("model", "double, take")


@pytest.mark.parametrize("rules", range(4))
def test_the_rules_of_money_are_named(bearoff, rules):
    """The rules in an XGID are 1 for the Jacoby rule plus 2 for beavers."""
    said = bearoff("cube", f"XGID=-A-----------------b------:0:0:1:00:0:0:{rules}:0:10").out
    assert ("Jacoby" in said, "beavers" in said) == (rules in (1, 3), rules in (2, 3))


def test_every_spelling_of_a_score(bearoff):
    for line in (
        "--score 3-away 5-away",
        "--score '4-2 to 7'",
        "--score=3 5",
        "--match 7 --score 4 2",
    ):
        options = shlex.split(line)
        for asked in ([*options, *LAST_ROLL], [*LAST_ROLL, *options]):
            score = bearoff("cube", *asked, "--json").json["score"]
            assert score.startswith("3-away 5-away"), asked
