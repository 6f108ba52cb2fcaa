"""Fit of formulas to the outcomes of games, compared with brute force and known optima."""

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from bearoff.analysis import FitError, fit, formulas
from bearoff.analysis.formulas.rules import Line, LinearChance, RatioChance, WinFormula
from bearoff.analysis.formulas.writing import wording
from bearoff.analysis.outcomes import Gains, fit_chance, fit_lead, fit_lead_rule
from bearoff.analysis.outcomes.fit_chance import fit_ratio, fit_straight
from bearoff.analysis.outcomes.fit_lead import DIVISORS, OFFSETS, best_offset
from bearoff.analysis.outcomes.fits import fit_rule
from bearoff.analysis.outcomes.scores import score_chance, score_decision


def price(line, count, lead, goal, *, upper):
    """Return the total loss of a threshold line, computed in fractions."""
    total = 0.0
    for c, x, g in zip(count, lead, goal, strict=True):
        edge = Fraction(line.offset) + (Fraction(c) / line.divisor if line.divisor else 0)
        beyond = Fraction(x) > edge if upper else Fraction(x) >= edge
        total += max(-g, 0) if beyond else max(g, 0)
    return total


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("divisor", [None, 7, 10])
@pytest.mark.parametrize("seed", range(2))
def test_best_offset_is_brute_forces(seed, divisor, upper):
    rng = np.random.default_rng(seed)
    count = rng.integers(10, 90, 40).astype(float)
    lead = rng.integers(-5, 17, 40).astype(float)
    made = count, lead, (lead - count / 10 + rng.normal(0, 2, 40)) / 40
    found, offset = best_offset(*made, divisor, upper=upper)
    prices = {d: price(Line(divisor, float(d)), *made, upper=upper) for d in OFFSETS}
    assert found == pytest.approx(min(prices.values()), abs=1e-12)
    assert prices[offset] == pytest.approx(found, abs=1e-12)


def test_of_equal_offsets_a_whole_one_in_the_middle():
    # All thresholds from 3.5 to 6 make the same decisions. The fit chooses 5, the whole
    # number nearest to their middle.
    lead = np.array([2.0, 3.0, 6.0, 8.0])
    goal = np.array([-1.0, -1.0, 1.0, 1.0])
    assert best_offset(np.full(4, 50.0), lead, goal, None, upper=False) == (0.0, 5.0)


def brute_force_rule(outcomes, measure, one_divisor):
    gains = Gains.at(outcomes.win_probability, 0.7)
    share = outcomes.weight / outcomes.weight.sum()
    count, lead = outcomes.count(measure), outcomes.lead(measure)
    goals = (share * gains.double, share * gains.redouble, -share * gains.take)
    best = {}
    for divisor, k in itertools.product(DIVISORS, range(3)):
        lines = (Line(divisor, float(d)) for d in OFFSETS)
        prices = (price(line, count, lead, goals[k], upper=k == 2) for line in lines)
        best[divisor, k] = min(prices)
    if one_divisor:
        return min(sum(best[divisor, k] for k in range(3)) for divisor in DIVISORS)
    return sum(min(best[divisor, k] for divisor in DIVISORS) for k in range(3))


@pytest.mark.parametrize(("measure", "one_divisor"), [("pips", True), ("epc", False)])
def test_rule_is_as_good_as_brute_forces(grid, measure, one_divisor):
    few = grid[np.random.default_rng(2).choice(len(grid), 70, replace=False)]
    rule = fit_lead_rule(few, measure, one_divisor=one_divisor)
    decision = rule.of_count(few.count(measure), few.lead(measure))
    lost = score_decision(decision, few, 0.7).total.value
    assert lost == pytest.approx(brute_force_rule(few, measure, one_divisor), abs=1e-12)
    divisors = {rule.double.divisor, rule.redouble.divisor, rule.last_take.divisor}
    assert len(divisors) == 1 or not one_divisor


def play_by(grid, chance, games=10**8):
    """Return outcomes of games with given win probabilities."""
    return replace(
        grid,
        wins=np.rint(chance * games).astype(np.int64),
        games=np.full(len(grid), games),
        expected=chance,
    )


@pytest.fixture
def spread(grid):
    """Return outcomes of games whose pip counts and leads are uniformly random."""
    rng = np.random.default_rng(11)
    n = 3000
    count, lead = rng.integers(20, 91, n), rng.integers(-6, 17, n)
    return replace(
        grid[rng.integers(0, len(grid), n)],
        roller_pips=count.astype(float),
        opponent_pips=(count + lead).astype(float),
    )


def chance_of(outcomes, chance, knee=None, measure="pips"):
    """Return the win probability by a formula for each pair of positions in `outcomes`."""
    percent = chance.percent(outcomes.count(measure), outcomes.lead(measure))
    if knee:
        percent = np.where(percent > knee, (percent + knee) / 2, percent)
        percent = np.where(percent < 100 - knee, (percent + 100 - knee) / 2, percent)
    return np.clip(percent / 100, 0, 1)


@pytest.mark.parametrize(
    ("fitted", "truth", "knee"),
    [
        (fit_straight, LinearChance(66, Fraction(8, 3), 8), 85),
        (fit_straight, LinearChance(55, Fraction(3, 2), None), 75),
        (fit_ratio, RatioChance(50, 250, 4.5, 30), 80),
    ],
)
def test_a_chance_is_found_again(spread, fitted, truth, knee):
    found = fitted(play_by(spread, chance_of(spread, truth, knee)), "pips")
    assert (found.chance, found.knee, found.count.start) == (truth, knee, "pips")


STRAIGHT = {"BASES": np.array([70, 72, 74]), "PER_PIP": (Fraction(2), Fraction(3))}
STRAIGHT |= {"DIVISORS": (None, 5)}
RATIO = {"SCALES": (200, 250), "HEAD_STARTS": np.array([3.5, 4.0]), "PADDINGS": (10, 20)}


@pytest.mark.parametrize(
    ("family", "made", "values"),
    [(fit_straight, LinearChance, STRAIGHT), (fit_ratio, partial(RatioChance, 50), RATIO)],
)
def test_chances_are_as_good_as_brute_forces(grid, family, made, values, monkeypatch):
    for name, numbers in (values | {"KNEES": (None, 80)}).items():
        monkeypatch.setattr(fit_chance, name, numbers)
    some = grid[:200]
    chances = itertools.starmap(made, itertools.product(*values.values()))
    tried = list(itertools.product(chances, (None, 80)))

    def rms(chance, knee):
        return score_chance(chance_of(some, chance, knee, "epc"), some).rms.value

    found = family(some, "epc")
    assert (found.chance, found.knee) in tried
    assert rms(found.chance, found.knee) == min(rms(*each) for each in tried)
    assert len({rms(*each) for each in tried}) > len(tried) / 2


def test_weights_steer_the_fit(spread):
    one, other = RatioChance(50, 200, 4.0, 60), RatioChance(50, 300, 3.0, 40)
    first = np.arange(len(spread)) % 2 == 0
    mixed = play_by(spread, np.where(first, *(chance_of(spread, c) for c in (one, other))))
    for heavy, chance in ((first, one), (~first, other)):
        weighed = replace(mixed, weight=np.where(heavy, 1e6, 1.0))
        assert fit_ratio(weighed, "pips").chance == chance


@pytest.fixture(scope="module")
def fits(grid):
    return fit(grid)


def test_fits_are_judged_on_other_pairs(grid, fits):
    held = grid.held_out()
    assert (fits.trained, fits.held_out) == ((~held).sum(), held.sum())
    rule = fits.rule("epc")
    assert fit_rule(grid, "epc") == (rule, fits.wrong("epc"))
    assert rule == fit_lead_rule(grid[~held], "epc")
    unseen = grid[held]
    decision = rule.of_count(unseen.count("epc"), unseen.lead("epc"))
    scored = next(entry for entry in fits.rules if entry.formula == rule)
    assert scored.score == score_decision(decision, unseen, 0.7)
    # Rules based on EPCs lose clearly less than rules based on pip counts.
    by_pips = next(e for e in fits.rules if e.formula == fits.rule("pips")).score.total
    by_epc = scored.score.total
    assert by_pips.value - by_epc.value > 3 * np.hypot(by_pips.error, by_epc.error)


def test_scrambling_held_out_outcomes_changes_no_fit(grid, fits):
    held = grid.held_out()
    scrambled = replace(grid, wins=np.where(held, grid.games - grid.wins, grid.wins))
    again = fit(scrambled)
    for part in ("rules", "chances"):
        found, same = ([e.formula for e in getattr(f, part)] for f in (fits, again))
        assert found == same
    assert [e.score for e in fits.rules] != [e.score for e in again.rules]


def test_known_formulas_are_scored_beside(fits):
    names = [entry.formula.name for entry in fits.known_rules]
    assert names == [*formulas.names(), *formulas.found_names()]
    chances = [name for name in names if isinstance(formulas.get(name), WinFormula)]
    assert [e.formula.name for e in fits.known_chances] == chances
    assert {entry.score.pairs for entry in fits.known_rules} == {fits.held_out}
    by_epc = [entry for entry in fits.chances if entry.formula.count.start == "epc"]
    errors = {entry.formula: entry.score.rms.value for entry in by_epc}
    assert len(errors) == 2
    assert errors[fits.chance("epc")] == min(errors.values())


def test_what_is_tried_is_simple_and_what_cannot_be_fitted_is_refused(grid):
    with pytest.raises(FitError, match="20"):
        fit(grid[:20])
    for fitted in (fit_ratio, fit_lead_rule):
        with pytest.raises(FitError):
            fitted(grid[:5], "pips")
    # The roller wins no game, so no double is ever right, and no threshold can be fitted.
    with pytest.raises(FitError, match="double"):
        fit(replace(grid, wins=np.zeros_like(grid.wins)))
    assert all(Fraction(2 * d).denominator == 1 for d in OFFSETS)
    assert all(Fraction(p).denominator in (1, 2, 3) for p in fit_chance.PER_PIP)
    # `wording.PARTS` has a word for every divisor that a fit can return.
    assert {*fit_lead.DIVISORS, *fit_chance.DIVISORS} - {None} <= set(wording.PARTS)
