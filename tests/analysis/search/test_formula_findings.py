"""The shipped findings: what is registered is what the search wrote."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from analysis import formulas
from analysis.formulas.files import load_formulas
from analysis.formulas.rules import CountWinRule
from analysis.scoring import mental_cost

FOLDER = Path(__file__).parents[3] / "results" / "formulas"


@pytest.mark.parametrize("name", formulas.found_names())
def test_winners_are_those_of_the_search(name: str) -> None:
    """The same words, and so the same numbers, as in found.yaml."""
    ours = formulas.get(name)
    folder = FOLDER / "balanced" if "balanced" in ours.source else FOLDER
    folder = FOLDER / "cube" if "with the cube" in ours.source else folder
    found = {rule.name: rule for rule in load_formulas(folder / "found.yaml")}
    same = found[f"lab-{mental_cost(ours).total}"]
    assert ours.text == same.text
    chances = [
        rule.chance if isinstance(rule, CountWinRule) else None for rule in (ours, same)
    ]
    assert chances[0] == chances[1]


def test_the_front_beats_what_is_published() -> None:
    """Half of Keith's loss at his cost, and his loss at two thirds of it."""
    rows = {
        row["name"]: row for row in pq.read_table(FOLDER / "pareto.parquet").to_pylist()
    }
    keith, unrounded = rows["keith"], rows["keith-unrounded"]
    assert rows["lab-71"]["lost"] < 0.5 * keith["lost"]
    assert rows["lab-71"]["units"] <= keith["units"]
    assert rows["lab-73"]["lost"] < 0.5 * unrounded["lost"]
    assert rows["lab-46"]["lost"] + 2 * rows["lab-46"]["lost_error"] < unrounded["lost"]
    assert rows["lab-46"]["units"] < 2 / 3 * unrounded["units"]
