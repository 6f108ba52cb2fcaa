"""Reading of questions about races: valid, missing and invalid fields."""

import pytest

import bearoff
from bearoff.answers import Judge, Question, answer_many, read_question
from bearoff.answers.question import decision_named
from tests.bearoff.answers.test_judge import Rolled
from tests.refusals import refused

SIDES = {"roller": "0,2,2,0,0,0", "opponent": "0,2,2,0,0,0"}
OWNED = "XGID=-CBA-------------------ad-:2:1:1:00:2:4:0:7:10"
MONEY = "XGID=-CBA-------------------ad-:1:0:1:21:0:0:1:0:10"
"""Race with a centred cube at 2 and the Jacoby rule."""


@pytest.mark.parametrize(
    ("parts", "cube", "value"),
    [
        (SIDES, "centred", 1),
        (SIDES | {"cube": "owned"}, "owned", 1),
        (SIDES | {"cube_value": 2}, "centred", 2),
        (SIDES | {"cube": "Center", "cube_value": "4"}, "centred", 4),
        (SIDES | {"score": "3-5", "cube": "owned"}, "owned", 2),
        (SIDES | {"score": "3-5", "cube_value": 4}, "owned", 4),
        ({"position": OWNED}, "owned", 4),
        ({"position": OWNED, "cube": "centred"}, "centred", 1),
        ({"position": OWNED, "cube_value": 2}, "owned", 2),
        ({"position": OWNED, "money": "yes"}, "owned", 4),
        ({"position": OWNED, "money": True, "cube": "centred"}, "centred", 1),
        ({"position": MONEY}, "centred", 2),
        ({"position": MONEY, "cube": "owned"}, "owned", 2),
        ({"position": MONEY, "score": "3-5", "cube": "owned"}, "owned", 2),
    ],
)
def test_where_the_cube_is_and_what_it_shows(parts, cube, value):
    race = read_question(parts).race
    assert (race.cube, race.cube_value) == (cube, value)


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({}, ("position",)),
        (SIDES | {"position": OWNED}, ("both",)),
        ({"position": OWNED, "opponent": "1"}, ("both sides",)),
        (SIDES | {"cube": "ownd"}, ("ownd", "owned")),
        (SIDES | {"decided": "no duble"}, ("no duble", "no double")),
        (SIDES | {"score": "3-5", "cube": "owned", "cube_value": 1}, ("owned", 1)),
        (SIDES | {"score": "3-5", "cube": "opponent", "cube_value": 1}, ("opponent", 1)),
        (SIDES | {"score": "3-5", "cube": "centred", "cube_value": 2}, ("centred", 2)),
        ({"position": MONEY, "score": "3-5"}, ("centred", 2)),
        (SIDES | {"score": "3-5", "jacoby": "yes"}, ("Jacoby",)),
        (SIDES | {"score": "3-5", "money": True}, ("score",)),
        (SIDES | {"match": 7}, (7, "score")),
        (SIDES | {"crawford": False}, ("post-crawford",)),
        (SIDES | {"score": "1-3 Crawford", "crawford": False}, ("post-crawford",)),
        (SIDES | {"crawford": "perhaps"}, ("crawford", "perhaps")),
        (SIDES | {"cube_value": "two"}, ("cube_value", "two")),
        (SIDES | {"cube_value": 2.5}, ("cube_value", 2.5)),
        (SIDES | {"cube_value": "9" * 10}, ("cube_value", 9, "more")),
        (SIDES | {"cube_value": 10**5000}, ("cube_value", 9, "more")),
        (SIDES | {"decided": "9" * 5000}, ("decided", 200, "5,000")),
        ({"roller": [[]], "opponent": [1]}, ("roller", "[[]]")),
        (SIDES | {"score": [3]}, ("score", "[3]")),
        (SIDES | {"dice": ["6", True]}, ("dice", "True")),
        (SIDES | {"cube": 1.5}, ("cube", 1.5)),
        (SIDES | {"played": "3/1 2/1"}, ("dice",)),
    ],
)
def test_what_is_refused(parts, named):
    with refused(bearoff.BearoffError, *named) as caught:
        read_question(parts)
    assert len(str(caught.value)) < 300


def test_numbers_texts_and_lists_say_the_same():
    listed = {"roller": [0, 2, 2, 0, 0, 0], "opponent": (0, 2, 2, 0, 0, 0)}
    texts = {"score": "4-2", "match": "7", "crawford": "", "dice": "1-6", "cube_value": "2"}
    numbers = {"score": [4, 2], "match": 7, "crawford": None, "dice": [6, 1]}
    found = read_question(listed | numbers | {"cube_value": 2, "a note": 1.5})
    assert found == read_question(SIDES | texts)
    assert found.race.score == bearoff.Score((3, 5), length=7)


def test_a_list_of_one_count_is_no_number_of_a_position():
    one = read_question({"roller": [8], "opponent": [8, 0]}).race
    assert one.roller.counts == one.opponent.counts == (8, 0, 0, 0, 0, 0)


def test_a_game_a_point_from_the_end_is_said_by_any_of_two_parts():
    for said in ({"score": "1-3 Crawford"}, {"score": "1-3", "crawford": "yes"}):
        assert read_question(SIDES | said).race.score == bearoff.Score((1, 3), "crawford")
    crawford = read_question(SIDES | {"score": "1-3 Crawford"}).race
    later = read_question({"position": crawford.xgid, "crawford": False}).race
    assert later.score.game == "post-crawford"


def test_a_position_alone_is_read_as_it_is():
    for text in (OWNED, MONEY, "LwAAwC0AAAAAAA"):
        right = Question(bearoff.Race.parse(text))
        assert read_question({"position": f" {text} "}) == right


def test_a_decision_has_one_name():
    race = bearoff.Race.parse(OWNED)
    for text in ("drop", "Pass", "p"):
        assert Question(race, decided=text) == Question(race, decided="pass")
    with refused(bearoff.BearoffError, "take"):
        decision_named("taken")


def test_where_a_play_leads_however_it_is_given():
    race = bearoff.Race.parse(MONEY)
    play = bearoff.Play.parse("2/off 1/off", race.roller, (2, 1))
    wide = bearoff.Position((*play.after.counts, 0, 0))
    for played in ("2/off 1/off", play, play.after, wide):
        assert Question(race, played).after() == play.after
    assert Question(race).after() is None
    beyond = bearoff.Position((2, 1, 1, 0, 0, 0, 0, 1))
    for wrong in ("3/off 1/off", race.roller, beyond):
        with refused(bearoff.RollError, "2-1"):
            Question(race, wrong).after()


def test_what_was_played_is_rolled_out_among_many():
    race = bearoff.Race("0,0,0,3,3,3", "0,0,0,3,3,3", dice=(2, 1))
    judge = Judge([], roll_out=lambda race: Rolled(), patience=0)
    plays = judge.answer(race).plays
    # `Rolled` changes its equities by one point. Still, rolled-out plays must rank above
    # plays that only the model evaluated.
    assert plays[0].kind == "rollout"
    last = plays[-1]
    assert last.kind == "model"  # this play was not rolled out
    right = judge.answer(race, played=last.play.after).played(last.play)
    assert right.kind == "rollout"
    for played in (last.name, last.play, last.play.after):
        found = answer_many(judge, [Question(race, played)])
        assert found["played_cost"][0] == pytest.approx(right.cost)
    assert right.cost != pytest.approx(last.cost)
