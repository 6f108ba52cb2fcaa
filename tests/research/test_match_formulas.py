"""The study of money formulas at match scores, and the page of results."""

from dataclasses import replace

import numpy as np
import pytest

import bearoff
from bearoff import Score
from bearoff.analysis import FitError, formulas
from bearoff.analysis.sheets.match_leads import asked_of_chance
from bearoff.sim.populations.population import CubeVisits
from research.studies import study_match_formulas, write_formula_study
from research.studies.match_formulas import (
    CUBES,
    FAR,
    HOPELESS,
    REASONABLE,
    SHIFTS,
    FormulaAtScores,
    Lost,
    correction,
)
from tests.analysis.made_population import made_population
from tests.refusals import refused

PAIRS = np.stack(np.meshgrid(*[np.arange(1, 84)] * 2)).reshape(2, -1)
"""Numbers of both sides of all pairs of positions with up to 3 checkers."""


@pytest.mark.parametrize(
    ("name", "cube", "away"),
    [
        ("keith", "centred", (2, 4)), ("thorp", "centred", (2, 4)),
        ("8-9-12", "centred", (2, 4)), ("keith", "owned", (3, 5)),
    ],
)  # fmt: skip
def test_formulas_followed_at_a_score(name, cube, away):
    # The formula `thorp` passes in ties, and `8-9-12` has three different percentages.
    rule = formulas.get(name)
    sides, rng = bearoff.unrank(PAIRS), np.random.default_rng(3)
    judging, weights = rng.random(83 * 83) < 0.5, rng.integers(1, 9, 83 * 83)
    table = bearoff.match_table(3, away)
    answer = bearoff.cube_actions(table, *PAIRS, cube, cube_value=CUBES[cube])
    found = FormulaAtScores(rule, *sides, weights, judging, cube).follow(answer, (3, 1))
    asked = (answer.wrong_double <= REASONABLE) & (answer.wrong_take <= HOPELESS)

    def loss(later, further, half):
        shifted = replace(
            rule,
            double=replace(rule.double, offset=rule.double.offset + later),
            redouble=replace(rule.redouble, offset=rule.redouble.offset + later),
            last_take=replace(rule.last_take, offset=rule.last_take.offset + further),
        )
        acts = shifted.decide(*sides)
        turns = acts.double if cube == "centred" else acts.redouble
        double = np.where(turns, answer.wrong_double, answer.missed_double)
        take = np.where(acts.take, answer.wrong_take, answer.wrong_pass)
        means = (
            float(np.average(costs[part], weights=weights[part]))
            for costs, part in ((double, half), (take, half & asked))
        )
        return Lost(*means)

    def close(lost):
        return pytest.approx(lost.double, abs=1e-12), pytest.approx(lost.take, abs=1e-12)

    for one, shifts in ((found.plain, (0, 0)), (found.corrected, (3, 1))):
        assert (one.double, one.take) == close(loss(*shifts, judging))
    tried = [loss(shift, shift, ~judging) for shift in SHIFTS]
    later, further = (
        float(SHIFTS[np.argmin([getattr(one, act) for one in tried])])
        for act in ("double", "take")
    )
    if away == (2, 4):
        assert later >= 0  # the leader doubles later, because the trailer may redouble
    right = close(loss(later, further, judging))
    assert (found.fitted.double, found.fitted.take) == right


def test_the_chance_that_a_formula_says_is_compared_with_what_the_score_asks():
    """A formula's win percentage is compared with the thresholds of the match score.

    In this test, a take needs at least 20% and a double 70%; formulas without a percentage
    are left out.
    """
    rule = formulas.get("isight")
    sides, every = bearoff.unrank(PAIRS), np.ones(83 * 83, dtype=bool)
    answer = bearoff.cube_actions(bearoff.match_table(3, (3, 5)), *PAIRS, "centred")
    at_score = FormulaAtScores(rule, *sides, every.astype(int), every)
    found = at_score.follow(answer, (0, 0), (0.7, 0.8)).by_chance
    chance = rule.win_probability(*sides)
    asked = (answer.wrong_double <= REASONABLE) & (answer.wrong_take <= HOPELESS)
    cost = np.where(chance >= 0.7, answer.wrong_double, answer.missed_double)
    taking = np.where(1 - chance >= 0.2 - 1e-9, answer.wrong_take, answer.wrong_pass)
    assert found.double == pytest.approx(cost.mean())
    assert found.take == pytest.approx(taking[asked].mean())
    plain = FormulaAtScores(formulas.get("keith"), *sides, every.astype(int), every)
    assert plain.follow(answer, (0, 0)).by_chance is None


@pytest.mark.parametrize("away", [(2, 2), (2, 4), (4, 2), (3, 5), (9, 9)])
def test_what_a_score_asks_lies_between_the_last_roll_and_a_live_cube(away):
    at = bearoff.match_thresholds(Score(away))
    double, cash = asked_of_chance(Score(away))
    low, high = sorted((at.cash, at.live_cash))
    assert low <= cash <= high
    assert at.double < double < cash


def of_games():
    """Return a small population of random races."""
    made = made_population().chosen(np.arange(len(made_population())) % 10 == 0)
    place, none = np.arange(len(made)), np.zeros(len(made), np.int64)
    return replace(
        made,
        about={**made.about, "text": "made games"},
        decisions=replace(made.decisions, splits=(place % 3).astype(np.int8)),
        cube=CubeVisits(place % 4, place % 5, none, none, none),
    )


def judged(games, cube):
    """Return the test races whose larger side has five checkers, with frequencies."""
    sides = games.roller_counts.sum(axis=1), games.opponent_counts.sum(axis=1)
    rows = (games.decisions.splits == 2) & (np.maximum(*sides) == 5)
    return games.chosen(rows), getattr(games.cube, cube)[rows]


def test_the_study_and_its_page(tmp_path):
    games = of_games()
    found = study_match_formulas(games, [formulas.get("keith")], 5, 3)
    centred, owned = found.races
    assert (centred.cube, owned.cube) == ("centred", "owned")
    for races in found.races:
        assert (races.fewest, races.most) == (5, 5)
        assert races.decisions == judged(games, races.cube)[1].sum()
    every = {(2, 2), (2, 3), (3, 2), (3, 3), FAR}
    assert set(centred.formulas["keith"]) == every
    # Match scores at which the owner of a cube at 2 needs two points are left out, because
    # redoubling is useless at such scores.
    assert set(owned.formulas["keith"]) == every - {(2, 2), (2, 3)}
    page = write_formula_study(found, tmp_path).read_text(encoding="utf-8")
    assert "(made games)" in page
    assert f"| owned | 5 to 5 | {owned.decisions:,} | all |" in page
    assert "## Formula keith, take" in page
    assert "## A correction to memorise" in page
    for races, called in ((centred, "double"), (owned, "redouble")):
        one = races.formulas["keith"][3, 2]
        _, _, section = page.partition(f"## Formula keith, {called}\n")
        plain, corrected = (1000 * lost.double for lost in (one.plain, one.corrected))
        assert f"{plain:.0f} → {corrected:.0f}" in section.partition("##")[0]
    assert "| 3-away | any |" in page.partition("## Redoubles")[2]


def test_longer_races_at_some_scores(tmp_path):
    games, rule = of_games(), formulas.get("keith")
    found = study_match_formulas(games, [rule], 4, 3)
    for races in found.races:
        assert (races.fewest, races.most) == (5, 6)
        of, weights = judged(games, races.cube)
        sides = of.roller_counts, of.opponent_counts
        numbers = bearoff.rank(np.array(sides, np.int64))
        table, value = bearoff.match_table(5, (3, 2)), CUBES[races.cube]
        answer = bearoff.cube_actions(table, *numbers, races.cube, cube_value=value)
        acts = rule.decide(*sides)
        turns = acts.double if races.cube == "centred" else acts.redouble
        costs = np.where(turns, answer.wrong_double, answer.missed_double)
        lost = races.formulas["keith"][3, 2].plain.double
        assert lost == pytest.approx(np.average(costs, weights=weights), abs=1e-9)
    page = write_formula_study(found, tmp_path).read_text(encoding="utf-8")
    assert "## Races of 5 to 6 checkers, redoubles" in page
    assert "\n| 3-away 2-away | any | " in page


def test_only_games_with_the_cube_will_do_and_corrections_vanish_far_from_the_end():
    with refused(FitError, "cubeful"):
        study_match_formulas(made_population(), [], 5)
    assert correction(Score((20, 20))) == (0, 0)
    assert correction(Score((22, 22)), cube="owned") == (0, 0)
    assert correction(Score((2, 4)))[0] >= 3
