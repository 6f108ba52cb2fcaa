"""Statistics of a player's progress compared with plain loops and simulated players."""

from collections import defaultdict
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from bearoff import Judge, Race, Score, match_equities
from bearoff.analysis import formulas
from bearoff.analysis.progress import (
    CountedSum,
    DecisionColumns,
    MadeDecision,
    RaceResult,
    difference,
    findings,
    formula_cost,
    mean,
    progress,
    race_results,
    ratings_over_time,
    stakes_of,
)
from bearoff.analysis.progress.clusters import regress
from bearoff.analysis.review import Decision, review
from bearoff.game.records import read_match
from tests.decisions import choices_of

DATA = Path(__file__).parents[2] / "data"
LADDER = formulas.get("ladder")


def day_of(match):
    return (date(2020, 1, 1) + timedelta(days=match)).isoformat()


def made(match, cost, **more):
    values = {"player": "Ann", "opponent": "Bob", "kind": "play", "stakes": "money"}
    values |= {"length": "up to 40 pips", "decided": "a", "best": "b" if cost else "a"}
    values |= {"mistake": cost > 0}
    return MadeDecision(match=match, day=day_of(match), cost=cost, **values | more)


def test_an_interval_beside_loops():
    pairs = [(1, 0.3), (1, 0.0), (1, 0.1), (2, 0.0), (3, 0.9), (3, 0.2), (4, 0.0)]
    found, n = mean(*zip(*pairs, strict=True)), len(pairs)
    average = sum(value for _, value in pairs) / n
    squares = 0.0
    for match in (1, 2, 3, 4):
        part = sum(value - average for number, value in pairs if number == match)
        squares += (part / n) ** 2
    error = (4 / 3 * squares) ** 0.5
    assert found.value == pytest.approx(average)
    assert found.high - found.value == pytest.approx(3.182446 * error)  # Student's t
    assert (found.decisions, found.matches) == (7, 4)
    assert mean([1], [0.5]).low is None
    assert mean([], []).decisions == 0


def test_ratings_beside_decisions_one_by_one():
    rng = np.random.default_rng(5)
    sums, races, whole = [], [], []
    for match in range(30):
        for in_race in (True, False) if match % 3 else (True,):
            costs = rng.exponential(0.02, int(rng.integers(1, 9))).tolist()
            day = day_of(30 - match)
            sums.append(CountedSum(match, day, in_race, sum(costs), len(costs)))
            whole += [(match, cost) for cost in costs if match % 3]
            races += [(match, cost) for cost in costs if in_race]
    found = ratings_over_time(sums)
    assert [one.of for one in found] == ["whole matches", "races alone"]
    for one, made in zip(found, (whole, races), strict=True):
        plain = mean(*zip(*made, strict=True))
        rating = one.rating
        assert (rating.value, rating.low, rating.high) == pytest.approx(
            (500 * plain.value, 500 * plain.low, 500 * plain.high)
        )
        assert (rating.decisions, rating.matches) == (len(made), plain.matches)
        days = [block.since for block in one.course]
        assert days == sorted(days)
        parts = [block.rating for block in one.course]
        assert 1 < len(parts) <= len(made) // 40
        assert sum(part.decisions for part in parts) == len(made)
        assert sum(part.matches for part in parts) == plain.matches
        lost = sum(part.value * part.decisions for part in parts)
        assert lost == pytest.approx(500 * sum(cost for _, cost in made))
    assert [one.of for one in ratings_over_time(sums[:1])] == ["races alone"]
    assert ratings_over_time([]) == []


def test_a_regression_beside_loops():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 2))
    y = 0.3 * x[:, 0] + rng.normal(size=60)
    matches = rng.integers(0, 12, 60)
    effects, errors = regress(y, x, matches)
    design = np.column_stack([np.ones(60), x])
    slope, *_ = np.linalg.lstsq(design, y, rcond=None)
    assert effects == pytest.approx(slope[1:])
    meat, scores = np.zeros((3, 3)), design * (y - design @ slope)[:, None]
    groups = set(matches.tolist())
    for match in groups:
        score = scores[matches == match].sum(axis=0)
        meat += np.outer(score, score)
    bread = np.linalg.inv(design.T @ design)
    few = len(groups) / (len(groups) - 1) * 59 / 57
    assert errors == pytest.approx(np.sqrt(np.diag(few * bread @ meat @ bread))[1:])


def played(rng, matches, **leaning):
    """Draw random decisions of a player and of the opponent."""
    found = []
    for match, n in product(range(matches), range(12)):
        who, other = ("Bob", "Ann") if n % 2 else ("Ann", "Bob")
        kind = ("double", "take", "play")[n % 3]
        counted = {name: int(rng.integers(0, 5)) for name in ("gaps", "stack", "low")}
        counted |= {"crossovers": 0, "outside": 0, "odd": int(rng.integers(0, 2))}
        cost = float(rng.exponential(0.05)) if rng.random() < 0.4 else 0.0
        shy = bool(rng.random() < 0.5)
        if who == "Ann":
            cost += leaning.get("gaps", 0.0) * counted["gaps"] + leaning.get(kind, 0.0)
            cost *= 1 + leaning.get("late", 0.0) * shy
        waits = {"double": "no double", "take": "pass", "play": "a"}[kind]
        stakes = ("money", "match, 2 to 4 away", "Crawford")[match % 3]
        found.append(made(
            match, cost, player=who, opponent=other, kind=kind, stakes=stakes,
            features=counted, decided=waits if shy else kind,
            formula_cost=None if kind == "play" else float(rng.exponential(0.02)),
        ))  # fmt: skip
    return found


def test_players_without_leanings_are_seldom_told_something():
    rng = np.random.default_rng(8)
    told, times = 0, 120
    for _ in range(times):
        decisions = played(rng, 40)
        own = [replace(one, formula_cost=one.cost) if one.formula_cost else one
               for one in decisions if one.player == "Ann"]  # fmt: skip
        theirs = [one for one in decisions if one.player == "Bob"]
        found, tests = findings(*map(DecisionColumns.of_rows, (own, theirs)))
        assert tests > 10
        told += bool(found)
    # The nominal rate of false findings is 5%; the limit allows for chance.
    assert told / times < 0.11


@pytest.mark.parametrize(
    ("leaning", "about"),
    [
        ({"gaps": 0.03}, "feature gaps"),
        ({"take": 0.1}, "kind take"),
        ({"double": 0.1}, "kind double"),
        ({"late": 4.0}, "direction double"),
    ],
)
def test_a_leaning_is_found(leaning, about):
    decisions = played(np.random.default_rng(2), 60, **leaning)
    made = DecisionColumns.of_rows(decisions)
    found, _ = findings(*(made.select(made.player.are(name)) for name in ("Ann", "Bob")))
    one = next(one for one in found if one.about == about)
    assert one.effect > 0
    assert one.probability < 0.05
    assert one.low < one.effect < one.high


def test_few_matches_are_not_tested_and_equal_costs_cancel():
    decisions = DecisionColumns.of_rows(played(np.random.default_rng(2), 19, gaps=1.0))
    assert findings(decisions, decisions.select(slice(0))) == ([], 0)
    matches, costs = np.arange(5), np.arange(5) / 10
    found = difference((matches, costs), (matches, costs))
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)
    assert difference((matches, costs), (matches + 10, costs)).low < -0.1


def test_progress_sums_what_it_groups():
    decisions = played(np.random.default_rng(4), 30)
    found = progress("ANN", DecisionColumns.of_rows(decisions[::-1]))
    own = [one for one in decisions if one.player == "Ann"]
    assert found.whole.errors.decisions == len(own)
    sums: dict[str, float] = defaultdict(float)
    counts: dict[str, int] = defaultdict(int)
    for group in [*found.groups, *found.course]:
        sums[group.by] += group.errors.value * group.errors.decisions
        counts[group.by] += group.errors.decisions
    assert found.whole.mistakes == sum(one.mistake for one in own)
    total = sum(one.cost for one in own)
    for by in ("kind", "stakes", "length", "gaps", "stack", "crossovers", "since"):
        assert counts[by] == len(own), by
        assert sums[by] == pytest.approx(total), by
    assert [group.name for group in found.course] == sorted(g.name for g in found.course)
    cubes = [one for one in own if one.formula_cost is not None]
    beside = np.mean([one.cost - (one.formula_cost or 0) for one in cubes])
    assert found.beside_formula.value == pytest.approx(beside)
    assert found.formula_with_gammons.decisions == 0
    # Races with gammon chances are listed separately, because the formulas ignore gammons.
    apart = [replace(one, gammons=one.match % 3 == 0) for one in decisions]
    told = progress("Ann", DecisionColumns.of_rows(apart))
    for mean_of, gammons in ((told.formula, False), (told.formula_with_gammons, True)):
        some = [one.formula_cost for one in cubes if (one.match % 3 == 0) == gammons]
        assert mean_of.decisions == len(some) > 0
        assert mean_of.value == pytest.approx(np.mean(some))
    t = stats.ttest_1samp([1.0, 2.0, 4.0], 0)
    assert mean([0, 1, 2], [1.0, 2.0, 4.0]).probability == pytest.approx(t.pvalue)


def test_luck_is_the_result_without_the_cost_of_errors():
    record = read_match(DATA / "gnubg_session.mat")
    found = review(record, Judge([], patience=0.0), LADDER).judged
    (one,) = race_results(record, found)
    first = found[0]
    start = max(each.equity for each in first.alternatives) * first.race.cube_value
    result = -2.0 if first.player == "root" else 2.0  # GNU Backgammon won two points
    costs = {"root": 0.0, "gnubg": 0.0}
    for each in found:
        costs[each.player] += each.cost * each.race.cube_value
    assert one.player == first.player == "root"
    assert one.luck == pytest.approx(result - start + costs["root"] - costs["gnubg"])
    other = one.exchanged()
    assert (other.luck, other.result) == (-one.luck, 2.0)


def test_luck_at_a_score_is_chance_to_win_the_match():
    record = read_match(DATA / "gnubg_match.mat")
    found = race_results(record, review(record, Judge([], patience=0.0), LADDER).judged)
    assert {one.unit for one in found} == {"chance"}
    table = match_equities()
    for one, following in zip(found, [*record.games[1:], None], strict=True):
        player = record.players.index(one.player)
        if following is None:  # the player `root` won the match 7-4
            chance = float(one.player == "root")
        else:
            won = following.won[player], following.won[1 - player]
            game = "crawford" if following.crawford else "normal"
            if 4 in won and not following.crawford:
                game = "post-crawford"
            chance = table.chance(Score.of_match(5, won, game))
        assert one.result == pytest.approx(chance, abs=1e-9)
        assert 0 <= one.start <= 1
        assert one.exchanged().result == pytest.approx(1 - one.result)
        assert one.exchanged().luck == pytest.approx(-one.luck)


def test_luck_of_a_match_adds_up():
    races = [
        RaceResult("Ann", "Bob", "points", 0.5, 2.0, 0.2, 0.1),
        RaceResult("Bob", "Ann", "points", 0.25, -1.0, 0.0, 0.3),
    ]
    (luck,) = progress("Ann", DecisionColumns.of_rows([made(1, 0.0)]), races).luck
    assert luck.races == 2
    assert luck.result == pytest.approx(3.0)
    assert luck.luck == pytest.approx((2.0 - 0.5 + 0.2 - 0.1) + (1.0 - -0.25 + 0.3 - 0.0))
    assert luck.fair == pytest.approx(luck.start - luck.lost + luck.their_lost)


@pytest.mark.parametrize(
    ("kind", "says", "equities", "cost"),
    [
        ("double", "double", (0.5, 0.8, 1.0), 0.0),
        ("double", "no double", (0.5, 0.8, 1.0), 0.3),
        ("double", "double", (0.5, 0.3, 1.0), 0.2),
        # Doubling is wrong, because the player is too good.
        ("double", "double", (1.2, 1.4, 1.0), 0.2),
        ("double", "no double", (0.9, 1.4, 1.0), 0.1),
        ("take", "take", (0.5, 1.2, 1.0), 0.2),
        ("take", "pass", (0.5, 1.2, 1.0), 0.0),
        ("take", "pass", (0.5, 0.7, 1.0), 0.3),
        ("play", "double", (0.5, 0.4), None),
    ],
)
def test_what_the_formula_loses(monkeypatch, kind, says, equities, cost):
    monkeypatch.setattr("bearoff.analysis.progress.made.formula_says", lambda *given: says)
    one = Decision(kind, Race.parse("LwAAwC0AAAAAAA"), choices_of(kind, equities))
    assert formula_cost(one, LADDER) == pytest.approx(cost)


@pytest.mark.parametrize(
    ("score", "name"),
    [
        ("0:0:0:0", "money"),
        ("4:4:0:5", "double match point"),
        ("4:2:1:5", "Crawford"),
        ("4:2:0:5", "post-Crawford"),
        ("3:0:0:7", "match, 2 to 4 away"),
        ("2:0:0:7", "match, 5 away or more"),
    ],
)
def test_stakes(score, name):
    xgid = f"XGID=-CBA-------------------ad-:0:0:1:00:{score}:10"
    assert stakes_of(Race.parse(xgid)) == name
