"""The shipped findings: what is registered is what the search wrote."""

from pathlib import Path

import pytest

from analysis import formulas
from analysis.formulas.files import load_formulas
from analysis.scoring import mental_cost

FOUND = Path(__file__).parents[3] / "results" / "formulas" / "cube" / "found.yaml"


@pytest.mark.parametrize("name", formulas.found_names())
def test_winners_are_those_of_the_search(name: str) -> None:
    """The same words, and so the same numbers, as in found.yaml."""
    ours = formulas.get(name)
    found = {rule.name: rule for rule in load_formulas(FOUND)}
    assert ours.text == found[f"lab-{mental_cost(ours).total}"].text
