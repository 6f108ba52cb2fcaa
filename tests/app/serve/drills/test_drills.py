"""Questions of the trainer, whose answers are compared with calculations and tables."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random

import numpy as np
import pytest

from bearoff import BearoffError, Position, Race, Score, legal_plays, match_equities
from bearoff.answers import Judge
from bearoff.app.serve.drills.asked import LEVELS, number_of
from bearoff.app.serve.drills.cubes import Take
from bearoff.app.serve.drills.kinds import DRILLS
from bearoff.app.serve.drills.sample import CLEAR, read_sample, shipped_sample, write_sample
from bearoff.app.serve.drills.solving import rule_is
from tests.app.serve.asking import LOW
from tests.two_sided_tables import built


@pytest.mark.parametrize("name", DRILLS)
def test_every_question_has_a_seed_and_an_answer(name):
    drill = DRILLS[name]
    for level in LEVELS:
        rests = [drill.draw(Random(7), level) for _ in range(2)]
        assert rests[0] == rests[1]
        question = DRILLS.question(drill.key(rests[0]))
        assert question.kind == name
        given = "1" if question.form == "number" else question.choices[0]
        right = DRILLS.mark(question.key, given).answer
        again = DRILLS.mark(question.key, right)
        assert (again.right, again.answer) == (True, right)
        assert (again.cost or 0, abs(again.error or 0) <= 0.05) == (0, True)
        assert again.steps


def test_pips_and_epc_by_hand():
    assert DRILLS.mark(f"pips {LOW}", "10").right
    found = DRILLS.mark(f"pips {LOW}", "12,0 pips")
    assert (found.right, found.error, found.answer) == (False, 2.0, "10")
    assert found.steps[-1].arithmetic.endswith(" 10")
    # The EPC of a checker on the ace point is that of one roll, 49/6 pips.
    aces = Race(Position((1,)), Position((1,))).position_id
    found = DRILLS.mark(f"epc {aces}", "9")
    assert found.error == pytest.approx(9 - 49 / 6, abs=0.005)
    assert found.right
    side = Position((2, 0, 3, 4, 2, 1))
    found = DRILLS.mark(f"epc {Race(side, side).position_id}", "50")
    assert found.steps[-1].arithmetic == "43 or 50: 50"


def test_a_rule_that_errs_is_told_by_how_much():
    said = partial(rule_is, "A quick rule", unit="pips", within=1.0, seen="you have a gap")
    for off, named, gap in ((0.01, "correct", 0), (0.5, "0.5", 0), (-1.4, "1.4", 1)):
        assert named in said(off)
        assert ("you have a gap" in said(off)) == gap


def test_take_points_by_the_table_of_match_equities():
    """At 2-away 2-away, the take point is the match-winning chance after a pass."""
    found = DRILLS.mark("take-point 2 2 cube 1", "25")
    passed = 1 - match_equities().after(Score((2, 2)), 1)
    assert float(found.answer) == pytest.approx(100 * passed, abs=0.06)
    # The expected take point follows from the match equities at 4-away 2-away.
    assert DRILLS.mark("take-point 4 2 cube 1", "0").answer == f"{18.564 / 0.5:.1f}"


def test_the_last_rolls_of_three_against_three():
    """The win probability with six aces per side is that of a recursion over rolls."""
    d = Fraction(1, 6)

    def wins(mine, theirs):
        if mine <= 0:
            return Fraction(1)
        if theirs <= 0:
            return Fraction(0)
        return d * (1 - wins(theirs, mine - 2)) + (1 - d) * (1 - wins(theirs, mine - 1))

    found = DRILLS.mark("n-rolls centred 3 3", "double, take")
    said = next(line for line in found.steps if "chance" in line.words).arithmetic
    assert float(said.split()[-1]) == pytest.approx(float(wins(3, 3)), abs=1e-4)
    # The roller wins 79% with an almost dead cube, so the opponent passes.
    assert (found.answer, found.right) == ("double, pass", False)
    assert found.cost == pytest.approx(next(o.equity for o in found.options[1:2]) - 1)


def test_nothing_is_asked_that_its_values_do_not_decide():
    sample = shipped_sample()
    double, take, play = sample.double, sample.take, sample.play
    gains = np.minimum(double.double_take, 1) - double.no_double
    assert (np.abs(gains) >= np.maximum(CLEAR, 2 * double.error) - 1e-6).all()
    assert (np.abs(take.double_take - 1) >= np.maximum(CLEAR, take.error) - 1e-6).all()
    seconds = play.equities[play.firsts[:-1]] - play.equities[play.firsts[:-1] + 1]
    assert (seconds >= CLEAR - 1e-6).all()
    for part in (double, take, sample.race):
        home = ~(part.rollers[:, 6:].any(axis=1) | part.opponents[:, 6:].any(axis=1))
        assert (part.rolled == ~home).all()
        assert 1200 <= len(part) <= 1600


def test_shipped_values_are_those_of_a_table_built_here():
    sample, judge = shipped_sample(), Judge([built(5)])
    seen = 0
    for kind, part in (("double", sample.double), ("take", sample.take)):
        few = (part.rollers.sum(axis=1) <= 5) & (part.opponents.sum(axis=1) <= 5)
        for row in np.flatnonzero(few & ~part.rolled)[:40]:
            race = Race.parse(_id(part.rollers[row], part.opponents[row]))
            cube = "owned" if part.owned[row] else "centred"
            answer = judge.answer(replace(race, cube=cube))
            assert answer.no_double == pytest.approx(part.no_double[row], abs=4e-5)
            assert answer.double_take == pytest.approx(part.double_take[row], abs=4e-5)
            double = "redouble" if part.owned[row] else "double"
            choices = ("pass", "take") if kind == "take" else (f"no {double}", double)
            costs = [answer.decided(choice).cost for choice in choices]
            marked = DRILLS.mark(f"{kind} {cube} {race.position_id}", choices[0])
            assert marked.answer == choices[costs.index(0)]
            assert marked.cost == pytest.approx(costs[0], abs=4e-5)
            seen += 1
    assert seen > 40


def _id(roller, opponent):  # type: ignore[type-arg]
    sides = (Position(tuple(side.tolist())) for side in (roller, opponent))
    return Race(*sides).position_id


def test_plays_offered_are_near_the_best_and_may_be_written_as_players_do():
    drill = DRILLS["play"]
    for seed in range(5):
        key = drill.key(drill.draw(Random(seed), "medium"))
        question, race = DRILLS.question(key), drill.race(key.partition(" ")[2])
        legal = {str(play) for play in legal_plays(race.roller, race.dice)}
        assert 2 <= len(question.choices) <= min(len(legal), 5)
        costs = {play: DRILLS.mark(key, play).cost for play in legal}
        offered = sorted(costs[play] or 0 for play in question.choices)
        assert offered == sorted(cost or 0 for cost in costs.values())[: len(offered)]
        assert all(cost < 0.25 for cost in offered[2:])
        best = DRILLS.mark(key, question.choices[0]).answer
        assert DRILLS.mark(key, best.replace(" ", "  ").upper()).right


@pytest.mark.parametrize(
    ("key", "given", "named"),
    [
        ("epc", "1", "position"),
        ("epc 4HPwATDgc/ABMA", "1", "contact"),
        (f"pips {LOW}", "ten", "number"),
        (f"chance {LOW}", "5", "question"),
        (f"double centred {LOW}", "take", "one of"),
        (f"double theirs {LOW}", "double", "question"),
        (f"play 77 {LOW}", "1/off", "roll"),
        ("n-rolls centred 9 9", "double, take", "question"),
        ("take-point 3 2 cube 64", "20", "question"),
    ],
)
def test_what_is_no_question_or_no_answer(key, given, named):
    with pytest.raises(BearoffError, match=named):
        DRILLS.mark(key, given)


def test_wrong_doubles_cost_less_at_harder_levels():
    rng = Random(1)

    def mean(level):
        drill, costs = DRILLS["double"], []
        for _ in range(40):
            key = drill.key(drill.draw(rng, level))
            marks = [DRILLS.mark(key, choice) for choice in DRILLS.question(key).choices]
            costs.append(max(one.cost or 0 for one in marks))
        return float(np.mean(costs))

    easy, medium, hard = map(mean, LEVELS)
    assert easy > medium > hard > CLEAR


def test_no_obvious_decision_and_no_sure_chance_is_asked():
    rng = Random(2)
    most = {"double": 0.2, "take": 0.2, "n-rolls": 0.3}
    for name, level, _ in product((*most, "chance"), LEVELS, range(10)):
        key = DRILLS[name].key(DRILLS[name].draw(rng, level))
        if name == "chance":
            assert 20 <= float(DRILLS.mark(key, "50").answer) <= 90, key
        else:
            choices = DRILLS.question(key).choices
            lost = sorted(DRILLS.mark(key, choice).cost or 0 for choice in choices)
            assert 0 < lost[1] <= most[name], key


def test_a_sample_is_read_as_it_was_written(tmp_path):
    sample = shipped_sample()
    write_sample(tmp_path / "a.npz", sample)
    write_sample(tmp_path / "b.npz", read_sample(tmp_path / "a.npz"))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("7", 7), ("0", 0), ("7,5 pips", 7.5), ("1000", 1000), ("-5", None)),
        *(("\u0663\u0661", None), ("\uff17", None), ("1e2", None), ("+7", None)),
        *(("1_0", None), ("", None), ("nan", None), ("1001", None)),
    ],
)
def test_numbers_from_0_to_1000_are_read_in_ascii_digits(text, number):
    if number is not None:
        assert number_of(text, "pips") == number
        return
    with pytest.raises(BearoffError, match=r" 0 .* 1000 .*pips"):
        number_of(text, "pips")


def _hard(kind, count):
    """Return the keys of some hard questions of one kind."""
    drill, rng = DRILLS[kind], Random(11)
    # The drill may have fewer than `count` questions.
    keys = [drill.key(drill.draw(rng, "hard")) for _ in range(20 * count)]
    return [*dict.fromkeys(keys)][:count]


COST = re.compile(r"costs (\d+\.\d+)")


@pytest.mark.parametrize("kind", ["take", "double"])
def test_text_and_answer_never_disagree(kind):
    wrong = 0
    for key in _hard(kind, 100):
        marked = DRILLS.mark(key, DRILLS.question(key).choices[0])
        waits, taken, passed = (option.equity for option in marked.options)
        gain = passed - taken if kind == "take" else min(taken, passed) - waits
        acts = {"take", "double", "redouble"}
        assert (marked.answer in acts) == (gain > 0)
        stay, take, leave = (option.cost for option in marked.options)
        lost = (leave, take) if kind == "take" else (stay, min(take, leave))
        assert lost[gain > 0] == 0
        assert lost[gain <= 0] == pytest.approx(abs(gain))
        (distance, formula), check = marked.notes, marked.steps[-1]
        assert marked.answer in distance
        assert float(COST.findall(distance)[0]) == pytest.approx(abs(gain), abs=6e-4)
        said = formula.split(" says ")[1].split(",")[0]
        assert (said in acts) == check.arithmetic.endswith("yes")
        assert check.words.startswith(("take", "double", "redouble"))
        assert ("which is correct." in formula) == (said == marked.answer)
        if said != marked.answer:
            wrong += 1
            assert "which is wrong here and costs " in formula
            (lost,) = map(float, COST.findall(formula))
            assert lost == pytest.approx(abs(gain), abs=6e-5)
        chances = re.findall(r"about (\d+\.\d)% in winning chances", distance)
        # For any cube efficiency, 1% in winning chances is worth at least 0.01 points.
        assert all(float(c) <= 100 * abs(gain) + 0.06 for c in chances)
    assert wrong > 8


def test_a_chance_moves_a_take_as_far_as_the_text_says():
    """Distances from the take point in explanations all lead to the same take point."""
    take = shipped_sample().take
    pips = take.rollers @ np.arange(1, 25)
    rows = np.flatnonzero((pips > 50) & (pips < 70))
    points, chances = 1 - take.double_take[rows], []
    for row in rows:
        key = f"take centred {_id(take.rollers[row], take.opponents[row])}"
        text = DRILLS.mark(key, "take").notes[0]
        chances.append(float(re.findall(r"about (\d+\.\d)%", text)[0]) / 100)
    # Take points computed from single decisions agree within a few tenths of a percent.
    lines = take.chance[rows] + np.sign(points) * np.array(chances)
    assert np.std(lines) < 0.004
    assert abs(np.mean(lines) - 0.782) < 0.004


@pytest.mark.parametrize("kind", ["pips", "epc", "chance", "take-point"])
def test_numbers_offered_are_one_right_and_slips(kind):
    for key in _hard(kind, 25):
        question = DRILLS.question(key)
        assert len(question.choices) == 4
        marks = [DRILLS.mark(key, choice) for choice in question.choices]
        assert [one.right for one in marks].count(True) == 1
        numbers = [int(choice) for choice in question.choices]
        assert numbers == sorted(set(numbers))
        assert question.choices == DRILLS.question(key).choices
        if kind == "pips":
            truth = int(marks[0].answer)
            assert all(abs(number - truth) <= 24 for number in numbers)


@pytest.mark.parametrize("name", DRILLS)
def test_hints_help_and_do_not_answer(name):
    drill = DRILLS[name]
    for key in _hard(name, 10):
        hints = drill.hints(key.partition(" ")[2])
        question = DRILLS.question(key)
        assert len(hints) == question.hints == 3
        answer = DRILLS.mark(key, "1" if question.unit else question.choices[0]).answer
        assert all(hint[0].isupper() and hint.endswith(".") for hint in hints)
        told = [] if name == "n-rolls" else hints[:2] if name == "pips" else hints
        assert not any(re.search(rf"(?<![\d.]){answer}\b", hint) for hint in told)
        if name in ("double", "take"):
            race = drill.race(key.partition(" ")[2])
            you, other = race.roller.pips, race.opponent.pips
            if name == "take":
                you, other = other, you
            assert hints[0] == f"You have {you} pips, the opponent {other}."


def test_who_has_more_crossovers_is_named_from_the_side_that_is_asked():
    """The doubled player has a checker outside home, which increases the count."""
    sides = "0,0,2,3,3,4,0,0", "0,0,2,3,3,2,1,1"
    race = Race(*(Position.parse(side, points=8) for side in sides))
    told = [line.arithmetic for line in Take().steps(race)]
    assert any(text.startswith("your ") for text in told)
    assert not any(text.startswith("the opponent's ") for text in told)
