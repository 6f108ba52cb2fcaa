"""Cube formulas that are read from YAML files, valid and invalid."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bearoff.analysis import FormulaError, formulas
from bearoff.analysis.formulas import Adjustment, Count, CountRule, Line, WinFormula
from bearoff.analysis.formulas.files import formulas_yaml, load_formulas
from bearoff.sim import ConfigError

KEITH = """\
formulas:
  - name: my-keith
    source: T. Keith 2004
    add:
      - {pips: 2, feature: checkers, on: [1], beyond: 1}
      - {pips: 1, feature: checkers, on: [2], beyond: 1}
      - {pips: 1, feature: checkers, on: [3], beyond: 3}
      - {pips: 1, feature: gaps}
    double: {divisor: 7, rounded: down, offset: -4}
    redouble: {divisor: 7, rounded: down, offset: -3}
    take: {divisor: 7, rounded: down, offset: -2}
"""

TWO = """\
formulas:
  - name: lines
    start: low-wastage
    note: For long races.
    add: [{pips: 0.5, feature: gaps, compared: matched}]
    double: {divisor: 6, offset: -6}
    redouble: {divisor: 6, offset: -5}
    take: {divisor: 6, offset: -2}
    passes_ties: true
    chance: {base: 80, per_pip: 2, divisor: 6}
  - name: percents
    add: [{pips: 1, feature: crossovers, compared: more}]
    chance: {base: 80, per_pip: 2, divisor: 6, double: 68, redouble: 70, take: 76}
"""


def load(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return load_formulas(path)


def test_a_published_formula_in_yaml_is_itself(tmp_path):
    (mine,) = load(tmp_path, KEITH)
    keith = formulas.get("keith")
    assert mine == replace(keith, name="my-keith")
    assert mine.text == keith.text


def test_every_field_arrives(tmp_path, grid):
    lines, percents = load(tmp_path, TWO)
    assert lines.passes_ties
    assert lines.count.start == "low-wastage"
    assert lines.count.adjustments[0].pips == 0.5
    assert lines.text.endswith("For long races.")
    assert lines.source == "own"
    assert isinstance(lines, WinFormula)
    assert isinstance(percents, WinFormula)
    isight = formulas.get("isight")
    # The sides have equally many checkers, stacks and gaps, so Isight adds only crossovers.
    x = np.array([[0, 0, 0, 3, 3, 3, 1, 0, 0, 0, 0, 0, 2]])
    y = np.array([[0, 0, 0, 3, 3, 3, 1, 0, 1, 0, 0, 0, 1]])
    assert percents.win_probability(x, y) == pytest.approx(isight.win_probability(x, y))


GOOD_LINES = "double: {offset: 0}\n    redouble: {offset: 0}\n    take: {offset: 2}\n"
LINES_OR_PERCENT = "formulas[{}]: double redouble take chance"


@pytest.mark.parametrize(
    # Each error message names the line, the key, and the wrong value or a remedy.
    ("text", "expected"),
    [
        ("", [" formulas"]),
        ("[]", [" formulas"]),
        ("formulas: []\n", ["1: formulas: list"]),
        (KEITH.replace("beyond: 3", "byond: 3"),
         ["7: formulas[0].add[2].byond: 'beyond'"]),
        (KEITH.replace("-4", "-4.3"), ["9: formulas[0].double.offset: 100 -4.3"]),
        (KEITH.replace("pips: 2", "pips: .inf"), ["5: formulas[0].add[0].pips: 100 inf"]),
        (KEITH.replace("pips: 2", "pips: 0"), ["5: formulas[0].add[0]: 0.0"]),
        (KEITH.replace("gaps", "gap"),
         ["8: formulas[0].add[3].feature: checkers 'gap' 'gaps'"]),
        (KEITH.replace("my-keith", "keith"), ["2: formulas[0].name: 'keith'"]),
        (KEITH + KEITH[10:], ["12: formulas[1].name: 'my-keith'"]),
        (KEITH.replace("my-keith", "My Keith"), ["2: formulas[0].name: 64 Keith'"]),
        (KEITH.replace("on: [1]", "on: [1, 30]"), ["5: formulas[0].add[0].on[1]: 24 30"]),
        (KEITH.replace("    take", "    # take"), ["2: " + LINES_OR_PERCENT.format(0)]),
        (TWO.replace(", take: 76", ""), ["11: " + LINES_OR_PERCENT.format(1)]),
        ("formulas:\n  - name: two\n    chance: {base: 8, per_pip: 2, double: 3}\n    "
         + GOOD_LINES, ["2: " + LINES_OR_PERCENT.format(0)]),
        ("formulas:\n  - name: two\n    name: three\n    " + GOOD_LINES,
         ["3: formulas[0].name: 2"]),
        (KEITH.replace("divisor: 7", "divisor: 0", 1).replace("-3}", "three}"),
         ["9: formulas[0].double.divisor: 1,000 0",
          "10: formulas[0].redouble.offset: 100 'three'"]),
        (KEITH.replace("source: T. Keith 2004", "source: of\U000de7aa"),
         ["3: formulas[0].source: \\U000de7aa"]),
        (KEITH.replace("source: T. Keith 2004", "note: of\U000de7aa"),
         ["3: formulas[0].note: \\U000de7aa"]),
    ],
)  # fmt: skip
def test_refusals(tmp_path, text, expected):
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    for problem, right in zip(caught.value.problems, expected, strict=True):
        found = str(problem).partition("mine.yaml:")[2]
        place, _, named = right.rpartition(": ")
        assert found.startswith(place)
        assert all(each in found for each in named.split())


def test_a_note_of_many_lines_and_blanks_is_one_line(tmp_path):
    note = "of" + 300 * " " + "\n      mine"
    (rule,) = load(tmp_path, KEITH.replace("T. Keith 2004", f"me\n    note: {note}"))
    assert rule.note == "of mine"
    assert load(tmp_path, formulas_yaml([rule])) == (rule,)


def test_what_is_written_is_read_as_the_same(tmp_path):
    lines, _ = load(tmp_path, TWO)
    rules = (lines, *formulas.rules.ours.OURS)
    names = "|".join(rule.name for rule in formulas.rules.ours.OURS)
    text = re.sub(f"name: (?={names})", "name: copy-", formulas_yaml(rules))
    copies = load(tmp_path, text)
    ours = (replace(rule, name=f"copy-{rule.name}") for rule in rules[1:])
    assert copies == (lines, *ours)
    # The file format cannot express that Thorp raises only counts above 30.
    with pytest.raises(FormulaError, match="'thorp'"):
        formulas_yaml([formulas.get("thorp")])
    with pytest.raises(ConfigError, match=r"none\.yaml"):
        load_formulas(tmp_path / "none.yaml")


def test_the_formula_of_the_page_is_the_rule_it_tells(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "formulas.md").read_text("utf-8")
    (in_yaml,) = re.findall(r"^```yaml\n(formulas:.*?)^```", page, re.MULTILINE | re.DOTALL)
    (mine,) = load(tmp_path, in_yaml)
    aces = Adjustment(2, "checkers", on=(1,), beyond=2)
    gaps = Adjustment(1, "gaps", compared="matched")
    lines = (Line(6, offset) for offset in (-6, -5, -2))
    assert mine == CountRule("sixth", "my own", Count((aces, gaps)), *lines)
