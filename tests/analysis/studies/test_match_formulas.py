"""Formulas followed at scores: shifted rules decide by themselves, and the page."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bearoff
from analysis import formulas
from analysis.errors import FitError
from analysis.formulas.rules import CountRule
from analysis.studies.match_formula_page import write_formula_study
from analysis.studies.match_formulas import (
    FAR,
    HOPELESS,
    REASONABLE,
    SHIFTS,
    FormulaAtScores,
    Lost,
    correction,
    study_match_formulas,
)
from bearoff import Score
from sim.populations import Population
from sim.populations.population import CubeVisits
from tests.analysis.made_population import made_population


def rule_named(name: str) -> CountRule:
    rule = formulas.get(name)
    assert isinstance(rule, CountRule)
    return rule


@pytest.mark.parametrize("name", ["keith", "thorp", "8-9-12"])
def test_formulas_followed_at_a_score(name: str) -> None:
    """Shifted rules decide by themselves; thorp passes ties, 8-9-12 has three shares."""
    rule = rule_named(name)
    numbers = np.arange(1, 84)
    x, y = (part.ravel() for part in np.meshgrid(numbers, numbers))
    sides = bearoff.unrank(x), bearoff.unrank(y)
    rng = np.random.default_rng(3)
    judging, weights = rng.random(len(x)) < 0.5, rng.integers(1, 9, len(x))
    answer = bearoff.match_actions(bearoff.match_table(3, (2, 4)), x, y)
    found = FormulaAtScores(rule, *sides, weights, judging).follow(answer, (3, 1))
    asked = (answer.emg(answer.wrong_double) <= REASONABLE) & (
        answer.emg(answer.wrong_take) <= HOPELESS
    )

    def loss(later: float, further: float, half: np.ndarray) -> Lost:
        shifted = replace(
            rule,
            double=replace(rule.double, offset=rule.double.offset + later),
            last_take=replace(rule.last_take, offset=rule.last_take.offset + further),
        )
        acts = shifted.decide(*sides)
        double = np.where(acts.double, answer.wrong_double, answer.missed_double)
        take = np.where(acts.take, answer.wrong_take, answer.wrong_pass)
        means = [
            float(np.average(answer.emg(costs)[part], weights=weights[part]))
            for costs, part in ((double, half), (take, half & asked))
        ]
        return Lost(*means)

    def close(lost: Lost) -> tuple[object, object]:
        return pytest.approx(lost.double, abs=1e-12), pytest.approx(lost.take, abs=1e-12)

    for one, shifts in ((found.plain, (0, 0)), (found.corrected, (3, 1))):
        assert (one.double, one.take) == close(loss(*shifts, judging))
    tried = [loss(shift, shift, ~judging) for shift in SHIFTS]
    later, further = (
        float(SHIFTS[np.argmin([getattr(one, act) for one in tried])])
        for act in ("double", "take")
    )
    assert later >= 0  # The leader waits, for fear of the redouble.
    right = close(loss(later, further, judging))
    assert (found.fitted.double, found.fitted.take) == right


def of_games() -> Population:
    """Give the pairs of a made population visits of a centred cube, in all splits."""
    made = made_population().chosen(np.arange(len(made_population())) % 10 == 0)
    count = len(made)
    none = np.zeros(count, np.int64)
    return replace(
        made,
        about={**made.about, "text": "made games"},
        decisions=replace(made.decisions, splits=(np.arange(count) % 3).astype(np.int8)),
        cube=CubeVisits(np.arange(count) % 4, none, none, none, none),
    )


def test_the_study_and_its_page(tmp_path: Path) -> None:
    games = of_games()
    assert games.cube is not None
    found = study_match_formulas(games, [rule_named("keith")], 5, 3)
    sides = games.roller_counts.sum(axis=1), games.opponent_counts.sum(axis=1)
    judged = (games.decisions.splits == 2) & (np.maximum(*sides) == 5)
    assert found.decisions == games.cube.centred[judged].sum()
    assert set(found.formulas["keith"]) == {(2, 2), (2, 3), (3, 2), (3, 3), FAR}
    page = write_formula_study(found, tmp_path).read_text(encoding="utf-8")
    assert "(made games)" in page
    for heading in ("## keith, double", "## keith, take", "## A correction for the head"):
        assert heading in page
    one = found.formulas["keith"][2, 3]
    assert f"{1000 * one.plain.double:.0f} → {1000 * one.corrected.double:.0f}" in page


def test_only_games_with_the_cube_will_do() -> None:
    with pytest.raises(FitError, match="take cubeful"):
        study_match_formulas(made_population(), [], 5)


def test_corrections_vanish_far_from_the_end() -> None:
    assert correction(Score((20, 20))) == (0, 0)
    assert correction(Score((2, 4)))[0] >= 3
