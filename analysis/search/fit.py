"""Search for formulas on the training data, and choice among them on the validation data.

The test split is not used until all formulas have been chosen.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.rules import CountRule
from bearoff.analysis.search.candidates import (
    SearchOptions,
    evaluated,
    front,
    near_front,
    search,
)
from bearoff.analysis.search.library import library
from bearoff.analysis.search.objective import Objective
from bearoff.analysis.search.sample import SearchSample

Progress = Callable[[str, float], object]


@dataclass(frozen=True)
class ChosenFormula:
    """Formula that was chosen on the validation data.

    Attributes
    ----------
    training, validation : float
        Weighted loss that the search minimises, on the training split and on the validation
        split.
    """

    rule: CountRule
    cost: int
    training: float
    validation: float


def choose(
    training: Objective,
    validation: Objective,
    how: SearchOptions,
    source: str,
    progress: Progress = lambda stage, done: None,
) -> list[ChosenFormula]:
    """Find formulas, fit their offsets on all training decisions, and choose the best.

    Returns
    -------
    list of ChosenFormula
        Formulas by increasing cost. Each formula loses less on the validation split than
        all formulas with a lower cost. A name is ``lab-N``, where N is the mental cost.
    """
    found = [each.recipe.base for each in search(training, how, progress)]
    used = tuple(dict.fromkeys(seen for recipe in found for seen, _ in recipe.added))
    whole = SearchSample.of(training, used or library()[:1])
    fitted = []
    for place, recipe in enumerate(found):
        fitted.append(evaluated(whole, recipe, how.step))
        progress("fitting offsets to all training decisions", (place + 1) / len(found))
    candidates = near_front(fitted)
    if not candidates:
        raise FitError("no formula was found within the budget; use a larger budget")
    on_validation = []
    for place, each in enumerate(candidates):
        rule = each.recipe.rule(f"lab-{each.cost}", source)
        on_validation.append(replace(each, loss=validation.loss(rule)))
        progress("validation", (place + 1) / len(candidates))
    training_loss = {each.recipe: each.loss for each in candidates}
    return [
        ChosenFormula(
            each.recipe.rule(f"lab-{each.cost}", source),
            each.cost,
            training_loss[each.recipe],
            each.loss,
        )
        for each in front(on_validation)
    ]
