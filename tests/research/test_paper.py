"""All numbers in the text and the figures of the paper are those of results/."""

import re
import shutil
import time
from math import comb
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from matplotlib.figure import Figure

import bearoff
from bearoff.analysis import formulas
from research.figures import plot_over_numbers
from research.paper import TEXT, Facts, Results, gather_facts, write_paper
from research.paper.gather import note_files
from tests.app.conftest import ROOT, only_sentence
from tests.damage import with_column
from tests.refusals import refused

RESULTS = ROOT / "results"
FILES = sorted(path for path in TEXT.glob("*.typ") if path.name != "layout.typ")

MATHS = {
    "2 W": "a double doubles the stakes",
    "worth $1$": "a pass is worth a point",
    "min(1,": "the same",
    "i=1": "points are counted from the ace",
    "P - i + 1": "of the numbering",
    "u / 2": "rounding errs by half a unit",
}
"""Mathematical expressions that may contain typed numbers, each with the reason."""

SIZES = re.compile(
    r"\d*\.?\d+(pt|cm|em|fr|%)|#[0-9a-f]{6}|[>=] [01]|- 1|at \+ 1|columns: 1|/ 2|"
    r'slice\(0|level: [12]|"1(\.1)?"|"a4"'
)
"""Pattern of the numbers that the layout may contain: sizes, colours and counters."""


def _numbers_typed(text):
    """Return the lines of a text with a typed number that is no known exception."""
    text = re.sub(r"//.*", "", text)
    for said in MATHS:
        text = text.replace(said, "")
    for name in formulas.names():
        text = text.replace(f"`{name}`", "")
    return [line for line in text.splitlines() if re.search(r"\d", line)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_number_is_typed_and_no_semicolon_is_swallowed(path):
    """Typst omits a semicolon after a function call, so the paper's text has none there."""
    text = path.read_text(encoding="utf-8")
    assert '");' not in text
    if path.stem == "references":
        # Years do not count as typed numbers.
        text = re.sub(r"\b(19[5-9]|20[012])\d\b", "", text)
    assert _numbers_typed(text) == []


def test_the_layout_holds_sizes_alone():
    text = re.sub(r"//.*", "", (TEXT / "layout.typ").read_text(encoding="utf-8"))
    left = [line for line in SIZES.sub("", text).splitlines() if re.search(r"\d", line)]
    assert left == []


def test_what_the_text_asks_for_is_there_and_nothing_else_is():
    facts = gather_facts(results := Results(RESULTS))
    note_files(results, facts)
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    boards = re.findall(r'#worked\("([^"]+)"', text)
    tables = set(re.findall(r'#(?:data|listing)\("([^"]+)"', text))
    tables |= {f"{board}.{what}" for board in boards for what in ("sides", "steps")}
    assert set(re.findall(r'\b[nm]\("([^"]+)"\)', text)) == set(facts.values)
    assert tables == set(facts.tables)


def test_numbers_that_are_known_otherwise():
    facts = gather_facts(Results(RESULTS)).values
    positions = comb(21, 6)
    assert facts["numbering.positions"] == f"{positions:,}"
    assert facts["exact.pairs"] == f"{(positions - 1) ** 2:,}"
    whole = comb(20, 5)  # the number of positions with all 15 checkers
    assert facts["gammons.pairs"] == f"{2 * whole * (positions - 1) - whole**2:,}"
    page = (RESULTS / "formulas/cube/battery.md").read_text(encoding="utf-8").splitlines()
    place = next(x for x in page if x.startswith("| formula ")).split("|").index(" near ")
    for name in ("keith", "isight"):
        line = next(x for x in page if x.startswith(f"| {name} ")).split("|")
        assert facts[f"rules.{name}_near"].split(" ")[0] == line[place].strip(" *")


def test_numbers_follow_the_results(tmp_path):
    before = gather_facts(Results(RESULTS))
    after = _with_column(tmp_path, "battery", "lost", lambda row: 2 * row["lost"])
    near, twice = (
        float(facts.values["rules.keith_near"].split(" ")[0]) for facts in (before, after)
    )
    # Both numbers are rounded to a tenth.
    assert twice == pytest.approx(2 * near, abs=0.11)
    assert after.values["exact.pairs"] == before.values["exact.pairs"]


def test_a_rule_that_was_rewritten_since_its_losses_were_measured_is_told(tmp_path):
    facts = gather_facts(Results(RESULTS)).values
    before, best = facts["rules.rewritten"], facts["rules.best"]

    def text(row):
        return "Count otherwise." if row["formula"] == best else row["text"]

    after = _with_column(tmp_path, "pareto", "text", text).values["rules.rewritten"]
    assert f"When {best} was scored it read otherwise: Count otherwise." in after
    assert "Count otherwise." not in before


def _with_column(folder, name, column, value):
    """Return the facts of results in which a column of a file has other values."""
    copied = _copy(folder)
    path = copied / f"formulas/cube/{name}.parquet"
    table = pq.read_table(path)
    pq.write_table(with_column(table, column, list(map(value, table.to_pylist()))), path)
    return gather_facts(Results(copied))


def _copy(folder):
    copied = folder / "results"
    held = Results(RESULTS)
    gather_facts(held)
    for name in held.read:
        (copied / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(RESULTS / name, copied / name)
    return copied


def test_a_result_that_is_missing_is_one_sentence(research, tmp_path):
    copied = _copy(tmp_path)
    (copied / "formulas/frontier.md").unlink()
    to = tmp_path / "paper.pdf"
    said = only_sentence(research("typeset", "--results", str(copied), "--to", str(to)))
    assert "frontier.md" in said
    assert not to.exists()


def test_the_short_form_is_set_in_seconds(tmp_path):
    to = tmp_path / "paper.pdf"
    started = time.process_time()
    write_paper(RESULTS, to, short=True)
    # Typesetting takes about two seconds; the limit allows for a busy machine.
    assert time.process_time() - started < 20
    assert 1 <= _pages(to) <= 4


def test_the_whole_paper_has_10_to_14_pages(research, tmp_path):
    to = tmp_path / "paper.pdf"
    assert research("typeset", "--to", str(to), "--results", str(RESULTS)).code == 0
    assert 10 <= _pages(to) <= 14


def _pages(path):
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", path.read_bytes()))


def test_rows_have_as_many_cells_as_the_head():
    facts = Facts()
    facts.put_table("a", ("one", "two"), [("1", "2")])
    with refused(ValueError, 2):
        facts.put_table("b", ("one", "two"), [("1", "2"), ("1", "2", "3")])


def test_every_position_is_on_the_figures(table):
    ax = Figure().add_subplot()
    dots = plot_over_numbers(table.epc, 6, 15, ax=ax)[-1]
    assert (dots.get_xdata() == np.arange(54264)).all()
    assert (dots.get_ydata() == table.epc).all()
    # The positions of fifteen checkers come last, and the label "15" is centred over them.
    labels = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert labels["15"] == sum(bearoff.position_count(6, most) for most in (14, 15)) / 2


def test_figures_are_drawn_for_any_table_where_no_file_is(research, tmp_path):
    size = "--points", "4", "--checkers", "5"
    written = research("figures", "--to", str(tmp_path), *size).good.out.splitlines()
    assert all(Path(path).stat().st_size > 5000 for path in written)
    names = "3-pips.png", "3-pips.svg", "4-epc.png", "4-epc.svg"
    assert {*written} == {f"{tmp_path}/figure-{name}" for name in names}
    only_sentence(research("figures", "--to", written[0]))
