"""Rules such as beavers and cube limits affect the answer about a race."""

from dataclasses import replace
from itertools import product

import pytest

from bearoff import ROLLS, BearoffError, Position, Race, ScoreError
from bearoff.answers import Judge, Question, answer_many, read_question
from bearoff.plays import legal_plays
from bearoff.sources import ModelSource, Races
from oracles.reference import counts_of
from tests.bearoff.sources import cube_twin
from tests.refusals import names, refused
from tests.two_sided_tables import built

BEAVER = "XGID=-D----------------------b-:0:0:1:00:0:0:{}:0:10"
"""Race of four aces against two, which the roller wins only with doubles."""

DEAD = "XGID=-CBA-------------------ad-:1:1:1:00:0:0:{}:0:1"
"""Race in which the cube shows its maximum value of 2."""


@pytest.fixture(scope="module")
def judges():
    """Return three judges, which answer by a table, by solving the race and by the fast
    model.
    """
    return {"table": Judge([built(6)]), "solved": Judge(()), "model": Judge((), patience=0)}


@pytest.mark.parametrize("by", ["table", "solved"])
def test_a_double_of_the_underdog_is_doubled_back(judges, by):
    # The expected action and equity are those that eXtreme Gammon states.
    race = Race.parse(BEAVER.format(3))
    found = judges[by].answer(race)
    assert found.action == "no double, beaver"
    assert found.double_beaver == pytest.approx(4 * (2 / 6 - 1), abs=1e-4)
    costs = {one.name: one.cost for one in found.decisions}
    right = {"no double": 0, "double": 2, "take": 4 / 3, "pass": 11 / 3, "beaver": 0}
    assert costs == pytest.approx(right, abs=1e-4)
    assert found.decided("beaver").cost == 0
    many = answer_many(judges[by], [Question(race, decided="take")])
    assert many.action[0] == found.action
    assert many["decided_cost"][0] == found.decided("take").cost


def test_without_the_rule_nobody_doubles_back(judges):
    race = Race.parse(BEAVER.format(1))
    found = judges["table"].answer(race)
    assert (found.action, found.double_beaver) == ("no double", None)
    assert [one.name for one in found.decisions] == ["no double", "double", "take", "pass"]
    with refused(BearoffError, "beaver"):
        found.decided("beaver")
    many = answer_many(judges["table"], [Question(race, decided="beaver")])
    assert "beaver" in many.problem[0]


def test_a_favourite_is_not_doubled_back(judges):
    race = Race.parse("XGID=-CBA-------------------ad-:0:0:1:00:0:0:2:0:10")
    plain = judges["table"].answer(Race(race.roller, race.opponent))
    found = judges["table"].answer(race)
    assert (found.action, found.equity) == (plain.action, plain.equity)
    assert found.decided("beaver").cost == pytest.approx(2 * plain.double_take - 1)


@pytest.mark.parametrize("by", ["table", "solved", "model"])
@pytest.mark.parametrize("jacoby", [0, 1])
def test_a_cube_at_its_limit_is_dead(judges, by, jacoby):
    found = judges[by].answer(Race.parse(DEAD.format(jacoby)))
    assert (found.action, found.decisions, found.double_take) == (None, (), None)
    assert found.cube_dead
    assert found.equity == pytest.approx(2 * found.win_probability - 1, abs=1e-6)
    if by != "model":
        assert found.equity == pytest.approx(0.5315, abs=5e-5)


@pytest.mark.parametrize(
    ("cube", "jacoby"), [("centred", False), ("centred", True), ("owned", True)]
)
def test_a_dead_cube_counts_gammons_by_the_rule(judges, cube, jacoby):
    sides = Position((2, 1, 0, 0, 0, 0)), Position((0, 0, 0, 0, 0, 15))
    race = Race(*sides, cube=cube, cube_value=4, jacoby=jacoby, cube_limit=4)
    counts = not (jacoby and cube == "centred")
    for by in ("solved", "model"):
        found = judges[by].answer(race)
        gammons = counts * (found.gammons_won - found.gammons_lost)
        right = 2 * found.win_probability - 1 + gammons
        assert found.equity == pytest.approx(right, abs=1e-9)


LIMITED = (
    "XGID=---AA----------------a----:0:0:1:00:0:0:1:0:1",
    "XGID=--A--A-------------a------:2:1:1:00:0:0:0:0:3",
    "XGID=-----AA------------aa-----:0:0:1:00:0:0:0:0:2",
    "XGID=-----AA------------aa-----:1:-1:1:00:0:0:0:0:2",
)
"""Races whose answer depends on a maximum cube value of 2 or 4."""


@pytest.mark.parametrize("text", LIMITED)
def test_a_limit_of_the_cube_is_answered_as_fractions_say(judges, text):
    race = Race.parse(text)
    sides = (tuple(side.list)[::-1] for side in (race.roller, race.opponent))
    roller, opponent = (tuple(point for point in side if point) for side in sides)
    waits, taken = cube_twin.with_limit(roller, opponent, race.cube, race.cube_growth)
    for by, tolerance in (("table", 1e-9), ("solved", 1e-9), ("model", None)):
        found = judges[by].answer(race)
        assert (found.kind, found.left_out) == ("model" if by == "model" else "exact", ())
        within = tolerance or found.no_double_error
        assert found.no_double == pytest.approx(float(waits), abs=within)
        if race.cube == "opponent":
            assert found.double_take is None
        else:
            within = tolerance or found.double_take_error
            assert found.double_take == pytest.approx(float(taken), abs=within)
    many = answer_many(judges["solved"], [Question(race)])
    assert many["no_double"][0] == pytest.approx(float(waits), abs=1e-9)
    found = [waits - cube_twin.KEPT[race.cube](roller, opponent)]
    found += [taken - 2 * cube_twin.KEPT["opponent"](roller, opponent)]
    assert max(map(abs, found)) > 1e-3


def test_limits_that_are_not_answered_are_refused_by_all(judges):
    """Judges refuse races with a cube limit at a match score, or with beavers."""
    text = "XGID=--A--A-------------a------:1:1:1:00:"
    for race in Race.parse(f"{text}0:0:2:0:3"), Race.parse(f"{text}0:3:0:7:2"):
        with refused(ScoreError, 4):
            judges["solved"].answer(race)
        many = answer_many(judges["solved"], [Question(race)])
        assert names(many.problem[0], 4)
    with refused(ScoreError, 3):
        replace(race, score=None, cube_limit=3)


def test_a_question_keeps_the_rules_of_its_position():
    asked = read_question({"position": BEAVER.format(3), "dice": "2-1"}).race
    assert (asked.beavers, asked.jacoby, asked.cube_limit) == (True, True, None)
    scored = read_question({"position": BEAVER.format(3), "score": "2-4"}).race
    assert (scored.beavers, scored.jacoby) == (False, False)


def least_points_lost(loser, rolls):
    """Return the smallest number of points that a side with `rolls` rolls left can lose."""
    if not rolls:
        if loser.on_board < 15:
            return 1
        return 2 + (loser.highest > 18)
    after = {play.after for roll in ROLLS for play in legal_plays(loser, roll)}
    return min(least_points_lost(side, rolls - 1) for side in after)


LOSERS = [
    [6] * 15,
    [1] * 14 + [12],
    [1] * 12 + [7] * 3,
    [1] * 11 + [7] * 4,
    [6] * 14 + [22],
    [6] * 11 + [22] * 4,
]


@pytest.mark.parametrize("points", LOSERS, ids=lambda points: str(points[-6:]))
@pytest.mark.parametrize(("winner", "on_roll"), [(2, True), (4, True), (2, False)])
def test_what_is_certain_is_certain_by_every_play(points, winner, on_roll):
    loser = Position(counts_of(points, 24))
    race = Race((winner,), loser) if on_roll else Race(loser, (winner,))
    rolls = -(-winner // 2) - on_roll
    races = Races.of([race])
    found, sure = ModelSource().values(races), ModelSource().certain(races)[0]
    best = least_points_lost(loser, rolls)
    worst = 3 if loser.highest > 18 and rolls == 0 else 2 + (loser.highest > 18)
    if sure:
        lost = found.no_double[0] * (1 if on_roll else -1)
        assert lost == best
        assert found.no_double_error[0] == 0
    if rolls == 0 or best == worst:
        assert sure  # the loss in points is the same for all rolls
    answer = Judge((), patience=0).answer(race)
    assert (answer.kind == "exact") == sure


@pytest.mark.parametrize("cube", ["centred", "owned"])
@pytest.mark.parametrize("by_rule", [False, True])
def test_a_certain_backgammon_is_exact(cube, by_rule):
    loser = Position(tuple([0] * 5 + [14] + [0] * 15 + [1, 0, 0]))
    race = Race(Position((2,) + 23 * (0,)), loser, cube=cube, jacoby=by_rule)
    rolled: list[Race] = []
    judge = Judge((), roll_out=lambda one: rolled.append(one) or ModelSource())
    found = judge.answer(race)
    counts = 1 if by_rule and cube == "centred" else 3
    assert (found.kind, found.equity, found.error) == ("exact", counts, 0)
    assert found.double_take == 6
    assert not rolled
    assert answer_many(judge, [Question(race)]).kind.tolist() == ["exact"]


def test_the_models_window_never_contradicts_the_verdict():
    judges = Judge((), patience=0), Judge((), patience=30)
    aces = Position((15, 0, 0, 0, 0, 0))
    mixed = [aces, Position((3, 3, 3, 3, 2, 1)), Position((5, 4, 2, 0, 0, 0, 1, 0))]
    for roller, opponent in product(mixed, mixed):
        exactly = roller == opponent == aces
        found = judges[exactly].answer(Race(roller.counts, opponent.counts), market=True)
        if exactly:
            assert (found.kind, found.action) == ("exact", "double, take")
        window, wins = found.window, found.win_probability
        assert window.by_model
        if found.action == "no double":
            assert wins <= window.last_no_double
        else:
            assert wins >= window.first_double
        if found.action.endswith("take"):
            assert wins <= window.last_take
        if found.action.endswith("pass"):
            assert wins >= window.first_pass
