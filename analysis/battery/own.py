"""What a formula loses in games that it plays itself.

Most figures are of games both of whose sides are perfect. A side that doubles too late or
passes too often has other decisions: these games have one side that follows the formula,
and the other makes no errors.
"""

from collections.abc import Mapping

from bearoff.analysis.battery.rows import ALL, losses_of, of_games, of_shares
from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.rules import WorkedFormula
from bearoff.analysis.outcomes import intervals
from bearoff.analysis.scoring import PricedDecisions
from bearoff.sim.populations import FAMILIES, Population

OWN = "own games"
"""The row of points lost a game against a perfect opponent."""

BEFORE = FAMILIES["cubeful-by-NAME"].before_formula
"""What the names of such populations begin with."""


def own_games(
    formula: WorkedFormula, populations: Mapping[str, Population], part: str
) -> intervals.Mean | None:
    """Points a game that a formula loses at home, if there is a population of its games.

    Parameters
    ----------
    formula : WorkedFormula
        Which.
    populations : mapping of str to Population
        By name.
    part : str
        Of their splits, or ``all``.

    Raises
    ------
    FitError
        If they are games of another formula of this name.
    """
    population = populations.get(f"{BEFORE}{formula.name}")
    if population is None:
        return None
    basis = population.about.get("basis", {})
    if basis.get("formula", formula.text) != formula.text:
        raise FitError(
            f"the population {BEFORE}{formula.name} holds games of another formula of that "
            "name; delete it and build it again"
        )
    decisions = PricedDecisions.of_population(population, part)
    met = population if part == ALL else population.split(part)
    shares = of_games(met, decisions)
    return of_shares(shares, losses_of(formula, decisions), decisions)
