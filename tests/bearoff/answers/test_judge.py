"""Answers to questions about races, compared with tables, models and brute force."""

import shutil
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import bearoff
from bearoff.answers import Judge, Question, answer_many, answer_rolls
from bearoff.answers.answer import FIELDS
from bearoff.plays import legal_plays
from bearoff.rolls import ROLLS, WEIGHTS
from bearoff.sources import Races
from bearoff.sources.model import ModelSource
from bearoff.stakes import CubeOwner
from tests.refusals import refused
from tests.two_sided_tables import built

CUBES = ("centred", "owned", "opponent")


@pytest.fixture(scope="module")
def judge():
    return Judge([built(5)])


RACES = [
    ("0,1,2,2,0,0", "2,0,0,1,0,1"),
    ("2,2,0,0,0,0", "1,1,1,0,0,0"),
    ("0,0,0,0,0,5", "5,0,0,0,0,0"),
    ("1,0,0,0,1,0", "1,0,0,0,0,0"),
    ("0,0,1,1,1,0", "0,0,2,2,0,0"),
]


def costs_of(known):
    """Return the costs of the cube decisions, by name."""
    costs = known.missed_double, known.wrong_double, known.wrong_take, known.wrong_pass
    return dict(
        zip(("no double", "double", "take", "pass"), map(float, costs), strict=True)
    )


@pytest.mark.parametrize("sides", RACES)
@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_cube_decisions_are_the_tables(judge, sides, cube):
    race = bearoff.Race(*sides, cube=cube)
    answer, known = judge.answer(race), bearoff.cube_action(built(5), race, cube)
    assert (answer.kind, answer.action) == ("exact", known.action)
    assert answer.equity == pytest.approx(known.equity, abs=1e-12)
    assert (answer.error, answer.too_close) == (known.error, known.too_close)
    waits, taken = float(known.no_double), float(known.double_take)
    costs, equities = costs_of(known), (waits, min(taken, 1.0), taken, 1.0)
    for (name, cost), equity in zip(costs.items(), equities, strict=True):
        choice = answer.decided(name)
        assert (choice.equity, choice.cost) == pytest.approx((equity, cost), abs=1e-12)


@pytest.mark.parametrize("sides", RACES)
@pytest.mark.parametrize("cube", CUBES)
def test_plays_are_the_tables(judge, sides, cube):
    for roll in ((6, 1), (2, 1), (3, 3)):
        race = bearoff.Race(*sides, cube=cube, dice=roll)
        found = judge.answer(race).plays
        legal = legal_plays(race.roller, roll)
        after = [play.after.number for play in legal]
        theirs = CubeOwner.of(cube).exchanged.cube
        known = -built(5).equity(race.opponent.number, after, theirs)
        assert [one.equity for one in found] == pytest.approx(sorted(known)[::-1])
        costs = sorted(known.max() - known)
        assert [one.cost for one in found] == pytest.approx(costs, abs=1e-9)
        assert sorted(one.name for one in found) == sorted(map(str, legal))


SCORES = [
    bearoff.Score((3, 5)),
    bearoff.Score((1, 3), "post-crawford"),
    bearoff.Score((3, 1), "crawford"),
]


@pytest.mark.parametrize(
    ("score", "cube"),
    [each for each in product(SCORES, CUBES) if each[0].has_cube or each[1] == "centred"],
    ids=str,
)
def test_at_a_score_costs_are_those_in_chances_to_win_the_match(judge, score, cube):
    value = 1 if cube == "centred" else 2
    for sides in RACES[:2]:
        race = bearoff.Race(*sides, cube=cube, cube_value=value, score=score, dice=(2, 1))
        answer = judge.answer(race)
        solved = bearoff.match_race(race, score.away, score.game)
        pair = race.roller.number, race.opponent.number
        table = bearoff.match_equities()
        won, lost = (table.after(score, n) for n in (value, -value))
        assert answer.chance_per_equity == pytest.approx((won - lost) / 2)

        def chance(equity, low=lost, high=won):
            return low + (equity + 1) / 2 * (high - low)

        total = solved.value(*pair, value, cube)
        assert chance(answer.equity) == pytest.approx(float(total), abs=1e-12)
        if cube != "opponent" and score.has_cube:
            known = bearoff.cube_actions(solved, *pair, cube, cube_value=value)
            assert answer.action == str(known.action)
            for name, cost in costs_of(known).items():
                assert answer.decided(name).cost == pytest.approx(cost, abs=1e-11)
        best = solved.best_after(*pair, cube, solved.terms(value))[ROLLS.index((2, 1))]
        assert answer.plays[0].play.after.number == best


def test_a_later_race_of_the_game_is_not_solved_anew(judge, monkeypatch):
    score = bearoff.Score((3, 5), "normal", 7)
    first = bearoff.Race(*RACES[0], score=score, dice=(2, 1))
    played = bearoff.legal_plays(first.roller, (2, 1))[-1].after
    turned = replace(first, roller=played, dice=None).exchanged()
    doubled = replace(turned, cube="owned", cube_value=2, dice=(4, 4))
    fresh = [Judge([]).answer(race) for race in (turned, doubled)]
    judge.answer(first)
    monkeypatch.setattr("bearoff.answers.solving.match_race", None)
    for race, known in zip((turned, doubled), fresh, strict=True):
        found = judge.answer(race)
        assert (found.kind, found.action) == ("exact", known.action)
        assert found.equity == pytest.approx(known.equity, abs=1e-11)
        assert [p.cost for p in found.plays] == pytest.approx([p.cost for p in known.plays])
    monkeypatch.undo()
    # Solved values do not apply to other match scores, or to races that cannot arise from
    # the solved race.
    for other in (replace(turned, score=score), bearoff.Race(*RACES[1], score=score)):
        assert judge.answer(other).equity == pytest.approx(Judge([]).answer(other).equity)


class Rolled(ModelSource):
    """Substitute for rollouts that shifts all values by one point."""

    kind = "rollout"

    def values(self, races):
        found = super().values(races)
        # These are the opponent's equities, because the opponent is on roll after a play.
        found.no_double[:] += 1.0
        found.double_take[:] += 1.0
        return found


@pytest.mark.filterwarnings("ignore:the table .* cannot be stored")
def test_where_no_table_can_be_written_few_checkers_are_solved_by_themselves(
    judge, tmp_path, monkeypatch
):
    race = bearoff.Race("1,1,0,0,1,0", "0,2,0,1,0,0")
    (tmp_path / "file").touch()
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "file" / "none"))
    answer = Judge().answer(race)
    assert answer.kind == "exact"
    assert answer.equity == pytest.approx(judge.answer(race).equity, abs=2e-5)
    # An almost full disk does not prevent an answer.
    usage = shutil.disk_usage("/")._replace(free=3_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "cache"))
    assert Judge().answer(race).equity == answer.equity


def test_market_losers_by_the_model_follow_its_values():
    judge = Judge([], patience=0)
    race = bearoff.Race("0,0,0,2,2,2", "0,0,2,2,2,2")
    answer = judge.answer(race, market=True)
    assert answer.kind == "model"
    weights, best = np.array(WEIGHTS) / 36, []
    # The equity implied by the market outcomes is close to the stated equity of not
    # doubling.
    assert sum(answer.market.probabilities.values()) == pytest.approx(1)
    assert answer.market.losing_probability == pytest.approx(
        float(weights @ answer.market.losing @ weights)
    )
    for roll in ROLLS:
        legal = bearoff.legal_plays(race.roller, roll)
        after = [replace(race, roller=play.after).exchanged() for play in legal]
        best.append(-ModelSource().values(Races.of(after)).equity.min())
    assert np.dot(weights, best) == pytest.approx(answer.no_double, abs=0.06)


@pytest.mark.parametrize(
    ("roller", "opponent", "gammon"),
    [
        ("[1,1,2,2,3]", "[6,6,6,6,6,6,6,6,6,6,6,6,6,8,20]", 0.9164),
        ("[1,2,2,3,3,4,4,5,6]", "[6,6,6,5,5,4,7,8,8,9,10,12,13,13,18]", 0.9855),
        ("[2,2,3,3]", "[6,6,6,6,6,6,6,5,5,5,5,4,4,4,3]", 0.1111),
    ],
)
def test_the_model_adds_gammons(roller, opponent, gammon):
    """The gammon chances by the fast model are close to GNU Backgammon's."""
    race, judge = bearoff.Race(roller, opponent), Judge([], patience=0)
    answer, error = judge.answer(race), 0.2 * gammon
    assert answer.kind == "model"
    assert answer.gammons_won == pytest.approx(gammon, abs=error)
    assert answer.equity == pytest.approx(1 + gammon, abs=answer.error)
    assert answer.error < 0.3
    # Playing on for a gammon is worth more than a passed double, so doubling is wrong.
    assert answer.action == "too good to double"
    lost = judge.answer(replace(race.exchanged(), cube="opponent"))
    # The loser is on roll in this race, so the loser has one more roll to save the gammon.
    assert lost.gammons_lost < gammon
    assert lost.equity == pytest.approx(-1 - lost.gammons_lost, abs=lost.error)
    by_rule = judge.answer(replace(race, jacoby=True))
    assert by_rule.no_double == pytest.approx(1, abs=0.01)
    assert by_rule.gammons_won == answer.gammons_won


@pytest.mark.parametrize(
    ("score", "cube", "value", "dead", "gains"),
    [
        ("1-1", "centred", 1, True, False),  # double match point
        # At 2-away, a cube at 2 wins the match for its owner, so redoubling is useless.
        ("2-4", "owned", 2, True, False),
        ("4-2", "owned", 2, False, True),
        ("2-2", "centred", 1, False, True),
        (None, "owned", 4, False, True),
        # At 1-away, a double can benefit only the opponent, so the roller has no market to
        # lose.
        ("1-2 post-crawford", "centred", 1, False, False),
        ("2-1 post-crawford", "centred", 1, False, True),
    ],
)
def test_a_cube_that_nobody_gains_by_is_told(score, cube, value, dead, gains):
    judge = Judge((), patience=0.0)
    state = {"cube": cube, "cube_value": value}
    if score:
        state["score"] = bearoff.Score.parse(score)
    race = bearoff.Race("0,2,2,2,2,1", "0,2,2,2,1,1", **state)
    answer = judge.answer(race, market=True)
    rolls = answer_rolls(judge, race)
    assert answer.cube_dead == dead
    assert (answer.market is not None, answer.window is not None) == (gains, gains)
    assert (rolls[0].outcomes is not None, rolls[0].losing is not None) == (gains, gains)
    if dead and answer.may_double:
        assert answer.missed_double == 0
    assert answer_many(judge, [Question(race)]).cube_dead.tolist() == [dead]


@pytest.mark.parametrize("score", [None, bearoff.Score((4, 4))], ids=str)
def test_market_losers_are_the_tables(judge, score):
    race = bearoff.Race(*RACES[4], score=score)
    found = judge.answer(race, market=True).market
    known = bearoff.market(bearoff.match_race(race) if score else built(5), race)
    assert (found.outcomes == known.outcomes).all()


def test_bearing_off_wins_a_gammon_or_a_backgammon_unless_by_jacoby():
    judge = Judge((), patience=0)
    full = (0, 0, 0, 5, 5, 5) + 12 * (0,)
    back = (0, 0, 0, 5, 5, 4) + 12 * (0,) + (1,)
    for opponent, points in ((full, 2.0), (back, 3.0)):
        for cube, jacoby in product(("owned", "centred"), (False, True)):
            race = bearoff.Race((1,), opponent, cube=cube, jacoby=jacoby, dice=(2, 1))
            expected = 1.0 if jacoby and cube == "centred" else points
            assert judge.answer(race).plays[0].equity == expected


def test_played_and_decided_are_found_however_they_are_written(judge):
    answer = judge.answer(bearoff.Race(*RACES[0], dice=(6, 1)))
    best = answer.plays[0]
    assert answer.played(best.name) == answer.played(best.play) == best
    assert answer.played(best.play.after) == best
    assert answer.played("3/2 4/off").name == "4/off 3/2"
    with refused(bearoff.RollError, "6-1"):
        answer.played("4/off 2/off")
    with refused(bearoff.PositionError, "moves"):
        answer.played("run")
    with refused(bearoff.BearoffError, "dice"):
        judge.answer(bearoff.Race(*RACES[0])).played("4/off 3/2")


def test_a_race_beyond_home_at_a_score_is_answered_at_once():
    judge = Judge([])
    long_one = bearoff.Race.parse("XGID=---BBCDBA-A-----aaadcbba--:0:0:1:00:2:4:0:7:10")
    assert not judge.holds(long_one)
    answer = judge.answer(replace(long_one, dice=(6, 4)), market=True)
    assert answer.kind == "model"
    assert {play.kind for play in answer.plays} == {"model"}
    won, lost = (bearoff.match_equities().after(long_one.score, n) for n in (1, -1))
    assert answer.chance_per_equity == pytest.approx((won - lost) / 2)
    assert 0 < answer.error < 0.1
    # With a patience of 0, the judge solves no race and uses the fast model.
    home = bearoff.Race(*RACES[0], score=bearoff.Score((3, 5)))
    assert judge.holds(home)
    for race in home, replace(home, dice=(2, 1)):
        assert not Judge([], patience=1e-9).holds(race)
    known, found = judge.answer(home), Judge([], patience=0).answer(home)
    assert (known.kind, found.kind) == ("exact", "model")
    assert found.equity == pytest.approx(known.equity, abs=2 * found.error)


def test_a_judge_that_has_answered_one_player_answers_the_other():
    # A roller with a checker on the 4 point fails with 2 of 36 rolls, and the opponent then
    # cashes.
    plain = bearoff.match_equities()
    odds = 2 * plain.before / (1 - plain.before)
    behind = plain.post_crawford * [[1.0], [0.9]]
    unequal = bearoff.MatchEquities("unequal", odds / (1 + odds), behind)
    judge = Judge(equities=unequal)
    for away in ((3, 5), (5, 3), (3, 5)):
        race = bearoff.Race("0,0,0,1,0,0", "0,0,0,1,0,0", score=bearoff.Score(away))
        answer = judge.answer(race)
        assert answer.numbers["no_double"] == pytest.approx(32 / 36, abs=1e-6), away


def test_every_field_is_an_attribute():
    judge = Judge([built(5)], patience=0)
    for text in "XGID=-CBA-------------------ad-:0:0:1:21:0:0:0:0:10", "LwAAwC0AAAAAAA":
        answer = judge.answer(bearoff.Race.parse(text))
        for name in FIELDS:
            value = getattr(answer, name)
            if name.startswith(("played", "decided")):
                assert value is None
        with pytest.raises(AttributeError, match="nothing_of_this"):
            answer.nothing_of_this  # noqa: B018


@pytest.mark.parametrize("score", [None, bearoff.Score((1, 3), "crawford")], ids=str)
def test_nothing_is_said_of_a_double_that_the_roller_may_not_make(score):
    race = bearoff.Race.parse("XGID=----A--------------bbbab--:4:-1:1:00:0:0:0:0:10")
    if score:
        race = bearoff.Race(race.roller, race.opponent, score=score)
    for judge in Judge([built(5)]), Judge(()), Judge((), patience=0):
        answer = judge.answer(race)
        assert (answer.double_take, answer.double_take_error) == (None, None)


def test_market_losers_and_the_21_rolls_are_not_rolled_out():
    class RollsOutOneRace(ModelSource):
        kind = "rollout"

        def values(self, races):
            assert len(races) == 1
            return super().values(races)

    race = bearoff.Race("0,0,2,3,3,3", "0,1,2,2,3,3")
    by_model = Judge([], patience=0)
    rolling = Judge([], patience=0, roll_out=lambda race: RollsOutOneRace())
    found = rolling.answer(race, market=True)
    assert found.kind == "rollout"
    (rolls, expected) = (answer_rolls(one, race) for one in (rolling, by_model))
    assert rolls == expected
    losing = sum(one.chance * one.losing for one in rolls)
    assert losing == pytest.approx(found.market.losing_probability, abs=1e-12)
