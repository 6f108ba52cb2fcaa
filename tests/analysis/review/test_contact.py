"""Questions about positions with contact: their parsing, error messages and answers."""

from dataclasses import replace

import pytest

from bearoff import BearoffError, PositionError, ScoreError
from bearoff.analysis.review import Estimates, answer_contact, read_contact
from bearoff.game.state import GameError
from bearoff.positions import format_gnu_id, write_ogid
from tests.refusals import refused

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"

BAR = "XGID=a-B-BBCBB-A--a-----bcbbbbA:0:0:1:52:0:0:0:0:10"
"""Position in which both sides have a checker on the bar."""

ESTIMATES = Estimates()


def answered(position, **parts):
    return answer_contact(read_contact({"position": position, **parts}), ESTIMATES)


def numbers(answer):
    """Return all equities and costs in an answer."""
    found = [one for one in (answer.play, answer.cube_decision) if one is not None]
    every = [each for one in found for each in one.alternatives]
    return [answer.equity, [(each.equity, each.cost) for each in every]]


def mirrored(xgid):
    """Return the same position with the players exchanged."""
    board, cube, owner, turn, dice, mine, theirs, *rest = xgid.split("=")[1].split(":")
    turned = board[::-1].swapcase()
    fields = [turned, cube, str(-int(owner)), str(-int(turn)), dice, theirs, mine, *rest]
    return f"XGID={':'.join(fields)}"


@pytest.mark.parametrize(
    "xgid", [START, BAR, "XGID=-a-aBBC-BA-B-b---bbbb--b-A:1:1:1:64:2:4:0:7:10"]
)
def test_either_player_may_be_the_one_on_roll(xgid):
    one, other = answered(xgid), answered(mirrored(xgid))
    assert numbers(one) == numbers(other)
    assert one.question.setup == other.question.setup
    assert one.kind == one.play.method == one.cube_decision.method == "search"


@pytest.mark.parametrize("xgid", [START, BAR])
def test_every_notation_is_the_same_position(xgid):
    one = answered(xgid)
    setup = one.question.setup
    for text in (format_gnu_id(setup), write_ogid(setup), f"see {xgid} above"):
        assert numbers(answered(text)) == numbers(one)


def test_two_sides_one_by_one_may_have_contact():
    parts = {"roller": "[13,6]", "opponent": "[13,1]", "dice": "6-1"}
    one = answer_contact(read_contact(parts), ESTIMATES)
    assert one.question.state.board.points[13] == 1
    assert one.question.state.board.points[12] == -1
    with pytest.raises(PositionError, match="13"):
        read_contact({"roller": "[13]", "opponent": "[12]"})


def test_a_game_that_is_as_good_as_won_is_worth_what_is_won():
    single = answered("XGID=aB------------------------:0:0:1:00:0:0:0:0:10")
    waits, taken, passed = single.cube_decision.alternatives
    assert (waits.equity, taken.equity, passed.equity) == pytest.approx((1, 2, 1))
    assert single.cube_decision.best == "double, pass"
    assert (waits.cost, passed.cost) == pytest.approx((0, 0))
    gammon = answered("XGID=oB------------------------:0:0:1:00:0:0:0:0:10")
    assert gammon.cube_decision.best == "too good to double"
    assert gammon.equity == pytest.approx(3)  # a backgammon wins three points
    jacoby = answered("XGID=oB------------------------:0:0:1:00:0:0:1:0:10")
    assert jacoby.equity == pytest.approx(1)


@pytest.mark.parametrize(
    "fields", ["0:0:1:31:4:2:1:5:10", "1:-1:1:31:1:2:0:5:10", "1:-1:1:31:0:0:0:0:10"]
)
def test_there_is_no_cube_decision_for_who_may_not_double(fields):
    position = f"{START.partition(':')[0]}:{fields}"
    one = answered(position)
    assert one.cube_decision is None
    assert one.play.best == "8/5 6/5"
    assert abs(one.equity) < 0.5
    with pytest.raises(GameError, match="take"):
        read_contact({"position": position, "decided": "take"})


def test_a_dead_cube_changes_nothing_and_dice_are_not_needed():
    one = answered(START, score="1-1", decided="double").cube_decision
    waits, taken, _ = one.alternatives
    assert (waits.equity, one.cost) == (taken.equity, 0)
    assert answered(START, dice="6-5").play.best == "24/13"
    before = read_contact({"position": START})
    before = replace(before, setup=replace(before.setup, dice=None))
    answer = answer_contact(before, ESTIMATES)
    assert answer.play is None
    assert answer.cube_decision.best == "no double"


def test_what_was_decided_and_played_costs_what_it_is_apart():
    one = answered(START, played="24/23 13/10", decided="double")
    best, mine = one.play.alternatives[0], one.play.alternatives[one.play.made]
    assert mine.name == "24/23 13/10"
    assert one.play.cost == pytest.approx(best.equity - mine.equity)
    assert one.play.reason
    waits, taken, _ = one.cube_decision.alternatives
    assert one.cube_decision.cost == pytest.approx(waits.equity - taken.equity)
    passed = answered(START, decided="drop")
    assert passed.cube_decision.kind == "take"
    assert passed.cube_decision.cost == pytest.approx(1 - taken.equity)
    assert passed.equity == one.equity  # the equity does not depend on the player's choice
    assert passed.cube_decision.position.offers == 0


def test_beavers_are_among_the_replies_where_they_are_played():
    position = START.replace(":31:0:0:0:0", ":00:0:0:2:0")
    one = answered(position).cube_decision
    waits, taken, _, beaver = one.alternatives
    assert beaver.equity == pytest.approx(2 * taken.equity)
    assert taken.equity < 0  # the opponent beavers
    assert one.cost_of("double") == pytest.approx(waits.equity - beaver.equity)


@pytest.mark.parametrize(
    ("parts", "kind", "named"),
    [
        ({"position": START, "played": "24/20 24/21"}, BearoffError, "24/20"),
        ({"position": START, "played": "?"}, PositionError, "?"),
        ({"position": START, "dice": "7-1"}, BearoffError, "7"),
        ({"position": START, "score": "3-5", "cube_value": 3}, ScoreError, "3"),
        ({"position": START, "score": "65-65"}, ScoreError, "65"),
        ({"position": START, "decided": "beaver"}, GameError, "beaver"),
        ({"position": START, "decided": "maybe"}, BearoffError, "maybe"),
        ({"position": START.replace(":10", ":2")}, GameError, "4"),
        ({"position": "4HPwATDgc/ABMA", "played": "8/5"}, BearoffError, "dice"),
        ({"position": f"XGID=a{25 * '-'}:0:0:1:00:0:0:0:0:10"}, GameError, "over"),
    ],
)
def test_refused(parts, kind, named):
    with refused(kind, named):
        read_contact(parts)
