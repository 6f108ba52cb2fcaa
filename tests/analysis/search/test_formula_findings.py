"""The shipped findings: nothing that was found loses less than what has a name."""

from pathlib import Path

import pytest
from pyarrow import parquet

from analysis import formulas
from analysis.formulas.files import load_formulas
from analysis.scoring import mental_cost

FOLDER = Path(__file__).parents[3] / "results" / "formulas" / "cube"


@pytest.mark.parametrize("name", formulas.found_names())
def test_those_with_a_name_are_on_the_front_of_what_was_found(name: str) -> None:
    rows = parquet.read_table(FOLDER / "pareto.parquet").to_pylist()
    near = {r["formula"]: (r["units"], r["lost"]) for r in rows if r["row"] == "near"}
    units, lost = near[name]
    assert units == mental_cost(formulas.get(name)).total
    assert lost <= 1.01 * min(other for cost, other in near.values() if cost <= units)


def test_the_findings_are_read() -> None:
    found = load_formulas(FOLDER / "found.yaml")
    assert [f"lab-{mental_cost(rule).total}" for rule in found] == [r.name for r in found]
