"""Formulas from YAML: what a file says, and what it may not say."""

import re
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis import FormulaError, formulas
from analysis.formulas import Adjustment, Count, CountRule, Line
from analysis.formulas.files import formulas_yaml, load_formulas
from analysis.formulas.rules import WinFormula
from sim import ConfigError

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


def load(tmp_path: Path, text: str):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return load_formulas(path)


def problems(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    return [str(problem).partition("mine.yaml:")[2] for problem in caught.value.problems]


def test_a_published_formula_in_yaml_is_itself(tmp_path):
    (mine,) = load(tmp_path, KEITH)
    keith = formulas.get("keith")
    assert (mine.name, mine.source) == ("my-keith", keith.source)
    assert (mine.count, mine.double, mine.redouble, mine.last_take) == (
        *(keith.count, keith.double, keith.redouble, keith.last_take),
    )
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
    # With no stacks and the same checkers and gaps only crossovers are left of Isight.
    x = np.array([[0, 0, 0, 3, 3, 3, 1, 0, 0, 0, 0, 0, 2]])
    y = np.array([[0, 0, 0, 3, 3, 3, 1, 0, 1, 0, 0, 0, 1]])
    assert percents.win_probability(x, y) == pytest.approx(isight.win_probability(x, y))


GOOD_LINES = "double: {offset: 0}\n    redouble: {offset: 0}\n    take: {offset: 2}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [" expected a mapping of keys such as 'formulas: [...]', got an empty file"]),
        ("[]", [" expected a mapping of keys such as 'formulas: [...]', got an empty "
                "list"]),
        ("formulas: []\n", ["1: formulas: expected a list of at least one, got an empty "
                            "list"]),
        (KEITH.replace("beyond: 3", "byond: 3"),
         ["7: formulas[0].add[2].byond: unknown key; did you mean 'beyond'?"]),
        (KEITH.replace("-4", "-4.3"),
         ["9: formulas[0].double.offset: expected a whole or half number from -100 to "
          "100, got -4.3"]),
        (KEITH.replace("pips: 2", "pips: .inf"),
         ["5: formulas[0].add[0].pips: expected a whole or half number from -100 to "
          "100, got inf"]),
        (KEITH.replace("pips: 2", "pips: 0"),
         ["5: formulas[0].add[0]: an adjustment is of whole or half pips and not 0, got "
          "0.0"]),
        (KEITH.replace("gaps", "gap"),
         ["8: formulas[0].add[3].feature: expected one of checkers, outside, crossovers, "
          "gaps, covered, made, paired, spread, tallest, rolls, odd, inner, got 'gap'; did "
          "you mean 'gaps'?"]),
        (KEITH.replace("my-keith", "keith"),
         ["2: formulas[0].name: there is a formula 'keith' already; give it another name"]),
        (KEITH + KEITH[10:],
         ["12: formulas[1].name: there is a formula 'my-keith' already; give it another "
          "name"]),
        (KEITH.replace("my-keith", "My Keith"),
         ["2: formulas[0].name: expected a name of at most 64 lower-case letters, digits, "
          "- and _, beginning with no - or _, got 'My Keith'"]),
        (KEITH.replace("on: [1]", "on: [1, 30]"),
         ["5: formulas[0].add[0].on[1]: expected a whole number from 1 to 24, got 30"]),
        (KEITH.replace("    take", "    # take"),
         ["2: formulas[0]: expected double, redouble and take, all three of them as lines "
          "or all three as percentages in 'chance'"]),
        (TWO.replace(", take: 76", ""),
         ["11: formulas[1]: expected double, redouble and take, all three of them as lines "
          "or all three as percentages in 'chance'"]),
        ("formulas:\n  - name: two\n    chance: {base: 8, per_pip: 2, double: 3}\n    "
         + GOOD_LINES,
         ["2: formulas[0]: expected double, redouble and take, all three of them as lines "
          "or all three as percentages in 'chance'"]),
        ("formulas:\n  - name: two\n    name: three\n    " + GOOD_LINES,
         ["3: formulas[0].name: the key is given twice, first on line 2; keep one of "
          "them"]),
        (KEITH.replace("divisor: 7", "divisor: 0", 1).replace("-3}", "three}"),
         ["9: formulas[0].double.divisor: expected a whole number from 1 to 1,000, got 0",
          "10: formulas[0].redouble.offset: expected a number from -100 to 100, got "
          "'three'"]),
    ],
)  # fmt: skip
def test_refusals(tmp_path, text, expected):
    assert problems(tmp_path, text) == expected


@pytest.mark.parametrize("name", ["source", "note"])
def test_text_that_no_terminal_shows_is_refused(tmp_path, name):
    text = KEITH.replace("source: T. Keith 2004", f"{name}: of\U000de7aa mine")
    told = f"formulas[0].{name}: expected printable text, got 'of\\U000de7aa mine'"
    assert [one.partition(": ")[2] for one in problems(tmp_path, text)] == [told]


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
    assert copies == tuple(
        rule if rule is lines else replace(rule, name=f"copy-{rule.name}") for rule in rules
    )


def test_what_a_file_cannot_hold_is_not_written():
    # Thorp takes no share of counts up to 30 in the chance, which has no field.
    with pytest.raises(FormulaError, match=r"'thorp'.*chance"):
        formulas_yaml([formulas.get("thorp")])


def test_no_file(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.yaml: there is no such file"):
        load_formulas(tmp_path / "none.yaml")


def test_the_formula_of_the_page_is_the_rule_it_tells(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "formulas.md").read_text("utf-8")
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", page, re.M)
    texts = [textwrap.dedent(block) for block in blocks]
    in_yaml = next(text for text in texts if "formulas:\n" in text)
    (mine,) = load(tmp_path, in_yaml[in_yaml.index("formulas:") :].partition("bearoff")[0])
    aces = Adjustment(2, "checkers", on=(1,), beyond=2)
    gaps = Adjustment(1, "gaps", compared="matched")
    assert mine == CountRule(
        name="sixth",
        source="my own",
        count=Count((aces, gaps)),
        double=Line(6, -6),
        redouble=Line(6, -5),
        last_take=Line(6, -2),
    )
