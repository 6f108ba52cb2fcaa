"""All formulas fitted to a run, with their errors on held-out pairs of positions."""

from dataclasses import dataclass

from bearoff import RACE_EFFICIENCY
from bearoff.analysis import formulas
from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.rules import ChanceRule, CountRule, Formula, WinFormula
from bearoff.analysis.outcomes.fit_chance import fit_ratio, fit_straight
from bearoff.analysis.outcomes.fit_lead import FEWEST_PAIRS, fit_lead_rule
from bearoff.analysis.outcomes.outcomes import Float64Array, Outcomes
from bearoff.analysis.outcomes.scores import (
    SimulatedChanceErrors,
    SimulatedFormulaLoss,
    score_chance,
    score_decision,
)

FAMILIES = (fit_straight, fit_ratio)


@dataclass(frozen=True)
class FittedChance:
    """Win probability formula fitted to a run, and its errors on held-out positions."""

    formula: WinFormula
    score: SimulatedChanceErrors


@dataclass(frozen=True)
class FittedRule:
    """Cube rule fitted to a run, and its losses on held-out pairs of positions."""

    formula: Formula
    score: SimulatedFormulaLoss

    @property
    def wrong(self) -> str:
        """Sentence with the share of wrong decisions on held-out data, by cube action."""
        shares = (f"{name} {at.wrong:.1%}" for name, at in self.score.actions.items())
        return (
            f"Wrong on {self.score.pairs:,} pairs not used for fitting: "
            f"{', '.join(shares)}."
        )


@dataclass(frozen=True)
class Fits:
    """Formulas fitted to a run, with their errors on held-out pairs of positions.

    Attributes
    ----------
    trained, held_out : int
        Number of pairs of positions used for fitting, and number of pairs held out for
        tests; see `Outcomes.held_out`.
    efficiency : float
        Cube efficiency in Janowski's model.
    chances : tuple of FittedChance
        Fitted win probability formulas, by count and type of formula.
    rules : tuple of FittedRule
        Fitted cube rules, by count.
    known_chances, known_rules : tuple
        Published formulas and this project's formulas, with their errors and losses on the
        held-out pairs of positions.
    """

    trained: int
    held_out: int
    efficiency: float
    chances: tuple[FittedChance, ...]
    rules: tuple[FittedRule, ...]
    known_chances: tuple[FittedChance, ...]
    known_rules: tuple[FittedRule, ...]

    def rule(self, measure: str) -> CountRule:
        """Return the rule fitted for a count with one divisor for all required leads."""
        for scored in self.rules:
            rule = scored.formula
            if isinstance(rule, CountRule) and rule.count.start == measure:
                return rule
        raise KeyError(measure)

    def wrong(self, measure: str) -> str:
        """Return a sentence on how often the rule fitted for a given count is wrong."""
        rule = self.rule(measure)
        return next(scored.wrong for scored in self.rules if scored.formula == rule)

    @property
    def best_rule(self) -> FittedRule:
        """The fitted cube rule with the smallest loss on held-out pairs of positions."""
        return min(self.rules, key=lambda scored: scored.score.total.value)

    def chance(self, measure: str) -> ChanceRule:
        """Return the win probability formula with the smallest error on held-out data."""
        of = [
            (scored.score.rms.value, scored.formula)
            for scored in self.chances
            if isinstance(scored.formula, ChanceRule)
            and scored.formula.count.start == measure
        ]
        return min(of, key=lambda entry: entry[0])[1]


def fit(outcomes: Outcomes, efficiency: float = RACE_EFFICIENCY) -> Fits:
    """Fit formulas to two thirds of a run's positions, and test them on the other third.

    Raises
    ------
    FitError
        If there are too few pairs, or the same decision is right for all pairs.
    """
    seen, unseen = _parted(outcomes)
    chances: list[ChanceRule] = []
    rules: list[CountRule] = []
    for measure in Outcomes.MEASURES:
        for one_divisor in (True, False):
            rule = fit_lead_rule(
                seen, measure, efficiency=efficiency, one_divisor=one_divisor
            )
            if all(rule.text != other.text for other in rules):
                rules.append(rule)
        chances += [family(seen, measure, efficiency) for family in FAMILIES]
    known = [formulas.get(name) for name in (*formulas.names(), *formulas.found_names())]
    rollers, opponents = unseen.roller_counts, unseen.opponent_counts
    return Fits(
        trained=len(seen),
        held_out=len(unseen),
        efficiency=efficiency,
        chances=tuple(
            FittedChance(
                chance,
                score_chance(chance.of_count(*_counted(chance, unseen)), unseen),
            )
            for chance in chances
        ),
        rules=tuple(_scored(rule, unseen, efficiency) for rule in rules),
        known_chances=tuple(
            FittedChance(
                formula,
                score_chance(formula.win_probability(rollers, opponents), unseen),
            )
            for formula in known
            if isinstance(formula, WinFormula)
        ),
        known_rules=tuple(
            FittedRule(
                formula,
                score_decision(formula.decide(rollers, opponents), unseen, efficiency),
            )
            for formula in known
        ),
    )


def fit_rule(
    outcomes: Outcomes, measure: str, efficiency: float = RACE_EFFICIENCY
) -> tuple[CountRule, str]:
    """Fit a cube rule that counts pips or EPC; return it and a sentence on its errors."""
    seen, unseen = _parted(outcomes)
    rule = fit_lead_rule(seen, measure, efficiency=efficiency)
    return rule, _scored(rule, unseen, efficiency).wrong


def _parted(outcomes: Outcomes) -> tuple[Outcomes, Outcomes]:
    """Split a run's results into pairs of positions for fitting and held-out pairs."""
    held_out = outcomes.held_out()
    seen, unseen = outcomes[~held_out], outcomes[held_out]
    if len(seen) < FEWEST_PAIRS or len(unseen) < 2:
        raise FitError(
            f"fitting formulas needs at least {FEWEST_PAIRS} pairs, but only {len(seen)} "
            f"of the {len(outcomes)} pairs of the run may be used for fitting"
        )
    return seen, unseen


def _scored(rule: CountRule, unseen: Outcomes, efficiency: float) -> FittedRule:
    decided = rule.of_count(*_counted(rule, unseen))
    return FittedRule(rule, score_decision(decided, unseen, efficiency))


def _counted(
    rule: CountRule | ChanceRule, unseen: Outcomes
) -> tuple[Float64Array, Float64Array]:
    return unseen.count(rule.count.start), unseen.lead(rule.count.start)
