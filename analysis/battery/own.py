"""Points per game that a side loses by making all cube decisions with a formula.

In the games of the other test sets, both sides play perfectly. A player who doubles too
late or passes too often reaches different positions. This module therefore uses games in
which one side follows the formula, and its opponent plays perfectly.
"""

from collections.abc import Mapping

from bearoff.analysis.battery.rows import ALL, losses_of, of_games, of_shares
from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.rules import WorkedFormula
from bearoff.analysis.outcomes import intervals
from bearoff.analysis.scoring import ValuedDecisions
from bearoff.sim.populations import FAMILIES, Population

OWN = "own games"
"""Name of the test set of games in which one side follows a formula and the other side
plays perfectly."""

BEFORE = FAMILIES["cubeful-by-NAME"].before_formula
"""Prefix for the names of sets of race decisions from games in which one side follows a
formula."""


def own_games(
    formula: WorkedFormula, populations: Mapping[str, Population], part: str
) -> intervals.Mean | None:
    """Return the points that a formula loses per game; None without simulated games."""
    population = populations.get(f"{BEFORE}{formula.name}")
    if population is None:
        return None
    basis = population.about.get("basis", {})
    if basis.get("formula", formula.text) != formula.text:
        raise FitError(
            f"the population {BEFORE}{formula.name} was simulated with another formula of "
            "this name; delete the population and build it again"
        )
    decisions = ValuedDecisions.of_population(population, part)
    met = population if part == ALL else population.split(part)
    shares = of_games(met, decisions)
    return of_shares(shares, losses_of(formula, decisions), decisions)
