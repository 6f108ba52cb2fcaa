"""Decisions of a match before the race: their number and costs, and the rating."""

from dataclasses import replace
from itertools import pairwise

import pytest

from bearoff import Position, Race
from bearoff.analysis.review import Alternative, Decision, Estimates, totals
from bearoff.game import Board, legal_plays, read_play
from bearoff.game.records import match_decisions, moments, parse_match, race_decisions
from bearoff.game.state import GameState
from research.public_matches import contents
from tests.decisions import choices_of

NAME = "XCu3RJ0UvDg_Tldl.xg"
"""File name of the shortest of the public matches."""


@pytest.fixture(scope="module")
def match():
    return parse_match(contents()[NAME], NAME)


def test_every_choice_of_a_match_is_a_decision(match):
    found, problems = match_decisions(match)
    races, same = race_decisions(match)
    assert problems == same
    assert races == [one for one in found if one.in_race]
    plays = takes = 0
    for game in match.games:
        for moment in moments(match, game):
            takes += moment.action.kind in ("take", "pass")
            if moment.action.kind == "play":
                plays += len(legal_plays(moment.board, moment.before.dice)) > 1
    assert sum(one.kind == "play" for one in found) == plays > 50
    assert sum(one.kind == "take" for one in found) == takes
    for before, one in pairwise(found):
        # A player who may double and rolls has decided not to double.
        if one.kind == "play" and one.moment.can_gain:
            assert (before.kind, before.decided) == ("double", "no double")
            assert before.moment is one.moment


def test_a_blunder_at_the_start_costs_what_both_plays_are_apart():
    state = GameState(turn=0, dice=(3, 1))
    one, boards = Estimates().plays(state)
    assert one.alternatives[0].name == "8/5 6/5"
    place = boards.index(read_play(Board.start(), "24/23 24/21", (3, 1)))
    kept = one.choosing(one.alternatives[place].name).shortened()
    equities = [each.equity for each in one.alternatives]
    assert kept.cost == pytest.approx(max(equities) - equities[place])
    # GNU Backgammon's evaluation at two plies states a cost of 0.16 for 24/23 24/21.
    assert 0.1 < kept.cost < 0.3
    assert (kept.method, kept.depth, kept.in_race) == ("search", 1, False)
    # The equity of the worst play is stored even if this play is not among the stored
    # alternatives.
    assert kept.worst == pytest.approx(max(equities) - min(equities))
    assert len(kept.alternatives) < len(one.alternatives)


AT_ONE_POINT = """ 1 point match

 Game 1
 ann : 0                         bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Takes
"""
WITH_A_CUBE_OF_4 = """ 5 point match

 Game 1
 ann : 3                         bob : 1
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Takes
  3) 65: 24/13                    Doubles => 4
  4)  Takes                      42: 8/4 6/4
  5)  Doubles => 8                Takes
"""


@pytest.mark.parametrize("text", [AT_ONE_POINT, WITH_A_CUBE_OF_4])
def test_a_double_of_a_dead_cube_costs_nothing_and_does_not_count(text):
    found, _ = match_decisions(parse_match(text, "mat"))
    made = [one for one in found if one.kind != "play"]
    double, reply = (Estimates().of(one) for one in made[-2:])
    waits, taken, passed = double.alternatives
    assert double.decided == "double"
    # At 1-away, this game decides the match, so a double changes nothing.
    assert waits.equity == taken.equity
    assert abs(taken.equity) < passed.equity == 1
    assert (double.cost, double.is_counted) == (0, False)
    assert (reply.cost, reply.is_counted) == (0, True)


RACE = Race.parse("LwAAwC0AAAAAAA")


@pytest.mark.parametrize(
    ("decided", "taken", "counts"),
    [
        ("no double", 0.35, True),  # not doubling is almost wrong
        ("no double", 0.25, False),  # not doubling is clearly correct
        ("no double", 0.75, True),  # not doubling is clearly wrong
        ("no double", 0.4996, False),  # the costs of both choices are shown as 0
        ("double", -0.4, True),  # a double that was made always counts
    ],
)
def test_waiting_counts_for_a_rating_if_it_is_close_or_wrong(decided, taken, counts):
    found = choices_of("double", (0.5, taken))
    assert Decision("double", RACE, found, decided).is_counted == counts


@pytest.mark.parametrize(
    ("roller", "opponent", "found"),
    [
        # A roll of doubles bears off four aces before the opponent's first roll, so a
        # gammon is possible.
        ("4,0,0,0,0,0", "15,0,0,0,0,0", True),
        ("5,0,0,0,0,0", "15,0,0,0,0,0", False),
        ("1,0,0,0,0,0", "14,0,0,0,0,0", False),  # the opponent has borne off a checker
        # A roller with 15 checkers on the 6 point may lose a gammon; with 15 aces, this is
        # impossible.
        ("0,0,0,0,0,15", "1,0,0,0,0,0", True),
        ("15,0,0,0,0,0", "1,0,0,0,0,0", False),
    ],
)
def test_a_race_has_gammons_if_a_side_may_end_with_no_checker_off(roller, opponent, found):
    race = Race(Position.parse(roller), Position.parse(opponent))
    assert Decision("double", race, ()).has_gammons == found


def test_what_the_formula_gets_wrong_is_counted_without_gammons():
    found = choices_of("double", (1.4, 1.9))
    lost = [
        Decision("double", Race(Position((few, *[0] * 5)), Position((15, *[0] * 5))), found)
        for few in (4, 5)
    ]
    said = [replace(one, decided="no double", formula="double") for one in lost]
    (total,) = totals(said, lambda one: (one.player,))
    assert (total.decisions, total.formula_differs) == (2, 1)
    for compared, differs in ((said[1:], 1), (said[:1], None), (lost, None)):
        (total,) = totals(compared, lambda one: (one.player,))
        assert total.formula_differs == differs


@pytest.mark.parametrize(
    ("costs", "worst", "counts"),
    [((0.0, 0.2), 0.0, True), ((0.0, 0.0005), 0.0, False), ((0.0, 0.0), 0.3, True)],
)
def test_a_play_counts_for_a_rating_if_another_loses(costs, worst, counts):
    plays = tuple(Alternative(str(k), -cost, cost, 0.0) for k, cost in enumerate(costs))
    one = Decision("play", RACE, plays, "0", worst=worst)
    assert one.is_counted == counts
    assert not replace(one, decided="").is_counted  # the player's choice is unknown


def test_a_rating_is_500_times_the_mean_of_what_counts_and_the_cube_counts():
    plays = (Alternative("a", 0.0, 0.0, 0.0), Alternative("b", -0.04, 0.04, 0.0))
    forced = (Alternative("a", 0.0, 0.0, 0.0), Alternative("c", 0.0, 0.0, 0.0))
    made = [
        Decision("play", RACE, plays, "b"),
        Decision("play", RACE, plays, "a"),
        Decision("take", RACE, choices_of("take", (0.5, 1.3)), "take"),
        Decision("play", RACE, forced, "c"),
    ]
    (total,) = totals(made, lambda one: (one.player,))
    assert (total.decisions, total.counted) == (4, 3)
    assert total.rating == pytest.approx(500 * (0.04 + 0.3) / 3)
    (none,) = totals(made[3:], lambda one: (one.player,))
    assert none.rating is None
