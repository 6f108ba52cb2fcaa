"""The study of money decisions at match scores, compared with an independent solver."""

import itertools
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

import bearoff
from oracles import match_twin, reference
from oracles.match_twin import At
from research.studies.match_page import money_advice_page, take_point_page
from research.studies.match_play import EXAMPLES, NEAR, WRONG, study_match_play
from tests.bearoff.sources import cube_twin
from tests.two_sided_tables import built


@pytest.fixture(scope="module")
def study():
    built(1)
    done: list[float] = []
    found = study_match_play(1, 4, progress=done.append)
    assert done[-1] == 1.0
    return found


def costs(away):
    """Return the costs of money decisions at a score, in races of one checker a side."""
    at = At(*away, "normal", 1, "centred")
    unit = Fraction(at.won(1) - at.lost(1), 2)
    found = {"wrong_double": [], "missed_double": [], "wrong_take": [], "wrong_pass": []}
    sides = list(enumerate(reference.all_positions(6, 1)))[1:]
    for (x, roller), (y, opponent) in itertools.product(sides, repeat=2):
        chance = (cube_twin.cubeless(roller, opponent) + 1) / 2
        if not NEAR[0] <= chance <= NEAR[1]:
            continue
        # The money table decides where a take and a pass are exactly equal.
        money = bearoff.cube_actions(built(1), x, y)
        doubles, takes = bool(money.doubles), bool(money.takes)
        turned = match_twin.double_take(at, roller, opponent)
        right = min(turned, at.won(1)) - match_twin.no_double(at, roller, opponent)
        made = {
            "wrong_double": -right if doubles else 0,
            "missed_double": 0 if doubles else right,
            "wrong_take": turned - at.won(1) if doubles and takes else 0,
            "wrong_pass": at.won(1) - turned if doubles and not takes else 0,
        }
        for kind, cost in made.items():
            found[kind].append((float(max(cost, 0) / unit), x, y))
    return found


@pytest.mark.parametrize("away", [(2, 2), (2, 4), (4, 2), (3, 4)])
def test_what_moneys_advice_costs_and_its_examples(study, away):
    right = costs(away)
    for kind, lost in right.items():
        found = study.scores[away][kind]
        amounts = np.array([cost for cost, _, _ in lost])
        assert study.pairs == len(amounts) > 10
        assert found.share == (amounts >= WRONG).mean()
        assert found.mean == pytest.approx(amounts.mean(), abs=1e-9)
        assert found.worst == pytest.approx(amounts.max(), abs=1e-9)
        if found.worst > 0:
            assert (pytest.approx(found.worst), *found.pair) in lost
    assert sum(one.worst for one in study.scores[2, 4].values()) > 0
    # Examples are drawn of what is wrong.
    of_pair = defaultdict(dict)
    for kind, lost in right.items():
        for cost, *pair in lost:
            of_pair[tuple(pair)][kind] = cost
    wrong = {pair for pair, lost in of_pair.items() if max(lost.values()) >= WRONG}
    drawn = study.examples[away]
    assert {one.pair for one in drawn} <= wrong
    assert len({one.pair for one in drawn}) == len(drawn) == min(EXAMPLES, len(wrong))
    for one in drawn:
        lost = of_pair[one.pair]
        roller = lost["wrong_double"] + lost["missed_double"]
        opponent = lost["wrong_take"] + lost["wrong_pass"]
        assert one.costs == (pytest.approx(roller), pytest.approx(opponent))


def test_examples_name_actions_other_than_for_money():
    built(2)
    found = study_match_play(2, 6)
    mistaken = set()
    for one in itertools.chain.from_iterable(found.examples.values()):
        money, here = one.money.split(", "), one.right.split(", ")
        roller, opponent = (cost > 0 for cost in one.costs)
        assert (money[0] != here[0]) == roller
        if money[0] == "double":
            assert (money[1] != here[1]) == opponent
        mistaken |= {(one.money, one.right)}
    wait, take, cash = "no double, take", "double, take", "double, pass"
    assert {(wait, take), (take, cash), (cash, take)} < mistaken
    assert found.examples[2, 2] == study_match_play(2, 2).examples[2, 2]


def test_every_score_is_studied_and_the_page_gives_advice(study):
    assert list(study.scores) == list(itertools.product(range(2, 5), repeat=2))
    page = money_advice_page(study)
    assert f"all {study.pairs:,} pairs of positions with up to 1 checkers" in page
    assert "\n| 2-away 4-away | " in page
    example = study.examples[2, 2][0]
    assert f"| {example.money} | {example.right} |" in page.partition("## Examples")[2]


def test_page_of_take_points():
    # Published take points for comparison are in tests/bearoff/stakes/test_thresholds.py.
    page = take_point_page(most_away=4)
    last, live = page.partition("## Take points of a live cube")[::2]
    assert "| 2-away | 32.3 | 36.8 | 37.1 |" in last
    assert "| 4-away | 19.9 | 24.0 | 28.8 |" in last
    assert "| 4-away | 19.9 | 19.6 | 19.3 |" in live
    assert "| 2-away |  |  |  |" in live  # a leader does not redouble
    assert "| 2-away | 50.0 | 100.0 |" in live
