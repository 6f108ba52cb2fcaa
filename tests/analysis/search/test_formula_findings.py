"""Published results of formula searches can be read, and the formulas that pages name
exist.
"""

import re
from pathlib import Path

import pytest
from pyarrow import parquet

from bearoff.analysis import formulas
from bearoff.analysis.formulas.files import load_formulas
from bearoff.analysis.scoring import mental_cost

RESULTS = Path(__file__).parents[3] / "results"
FOLDER = RESULTS / "formulas" / "cube"
FOUND = load_formulas(FOLDER / "found.yaml")

MOST_WORDS = 60
"""Maximum number of words in the printed text of a formula."""


@pytest.mark.parametrize("name", formulas.found_names())
def test_those_with_a_name_are_on_the_front_of_what_was_found(name):
    rows = parquet.read_table(FOLDER / "pareto.parquet").to_pylist()
    near = {r["formula"]: (r["units"], r["lost"]) for r in rows if r["row"] == "near"}
    units, lost = near[name]
    cost = mental_cost(formulas.get(name))
    assert units == cost.total
    beyond = {rule.name: mental_cost(rule).beyond_pips for rule in FOUND}
    printed = {rule.name for rule in FOUND if len(rule.text.split()) <= MOST_WORDS}
    assert len(printed) > 8
    assert lost <= 1.01 * min(
        near[rule][1] for rule in printed if beyond[rule] <= cost.beyond_pips
    )


def test_the_findings_are_read():
    assert [f"lab-{mental_cost(rule).total}" for rule in FOUND] == [r.name for r in FOUND]


@pytest.mark.parametrize("page", sorted(RESULTS.rglob("*.md")), ids=lambda page: page.stem)
def test_formulas_that_pages_name_exist(page):
    known = {*formulas.names(), *formulas.found_names(), *(rule.name for rule in FOUND)}
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"^## ([a-z0-9-]+), (?:double|redouble|take)", text, re.M))
    named |= set(re.findall(r"`([a-z0-9-]+)`, in whole numbers", text))
    tables = r"^\| formula \|.*\n\|[-:|]+\|\n((?:\|.*\n?)+)"
    for table in re.findall(tables, text, re.MULTILINE):
        cells = (row.split("|")[1].strip(" *`") for row in table.splitlines())
        # The pattern excludes fitted formulas, whose names have several words.
        named |= {cell for cell in cells if re.fullmatch(r"[a-z0-9-]+", cell)}
    assert named <= known
