import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import bearoff
from bearoff.analysis import RunError, analyse_run, open_run, write_report
from bearoff.analysis.plots.run_doubling import write_doubling_chart
from bearoff.analysis.reports.race_page import write_page
from bearoff.analysis.reports.race_report import draw_figures
from bearoff.analysis.reports.tables import MOST_ROWS
from tests.analysis.make_run import visited, write_run

CHARTS = ["doubling-epc", "chance-epc", "doubling-pips", "chance-pips", "calibration"]


def page_of(folder):
    """Return the text of a run's report, without drawing its charts."""
    return write_page(analyse_run(folder), {})


@pytest.fixture(scope="module")
def report(grid_run, tmp_path_factory):
    return write_report(grid_run, tmp_path_factory.mktemp("report"))


def test_the_page_holds_what_the_issue_asks_and_every_chart(report, grid_run):
    page = report.page.read_text(encoding="utf-8")
    run = open_run(grid_run)
    assert f"| games | {run.games:,} |" in page
    assert report.calibration.verdict in page
    for entry in (*report.fits.rules, *report.fits.chances):
        assert entry.formula.text in page
    for entry in report.fits.known_rules:
        assert f"| {entry.formula.name} |" in page
    total = 1000 * report.fits.rules[0].score.total.value
    assert f"| {total:.2f} ± " in page
    assert f"| commit | {run.manifest.commit} |" in page
    assert "| seed | 7 |" in page
    shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", page)
    assert sorted(shown) == sorted(f"{name}.png" for name in CHARTS)
    names = sorted(f"{name}.{ending}" for name in CHARTS for ending in ("png", "svg"))
    assert sorted(path.name for path in report.charts) == names
    assert {p.name for p in report.page.parent.iterdir()} == {*names, "report.md"}


def test_the_pages_pairs_are_the_runs(report, grid):
    page = report.page.read_text(encoding="utf-8")
    rows = re.findall(r"^\| [\d,]+ \((\d+)\) \| [\d,]+ \((\d+)\) \|.*$", page, re.MULTILINE)
    assert len(rows) == MOST_ROWS
    pairs = list(zip(grid.roller, grid.opponent, strict=True))
    at = [pairs.index((int(x), int(y))) for x, y in rows]
    listed = grid.win_probability[at]
    # The page lists pairs at even steps of the win probability, from the lowest to the
    # highest.
    assert (np.diff(listed) >= 0).all()
    assert listed[0] == grid.win_probability.min()
    assert listed[-1] == grid.win_probability.max()
    row = next(line for line in page.splitlines() if f"({rows[3][0]})" in line)
    assert f"{listed[3]:.3%}" in row
    assert f"{grid.expected[at[3]]:.3%}" in row


def test_the_report_of_three_pairs_stands_beside_the_run_without_a_fit(three_run, tmp_path):
    copy = shutil.copytree(three_run, tmp_path / "three")
    report = write_report(copy)
    assert report.page == copy / "report.md"
    open_run(copy).verify()
    report = write_report(three_run, tmp_path)
    page = report.page.read_text(encoding="utf-8")
    assert report.fits is None
    assert [path.name for path in report.charts] == ["calibration.png", "calibration.svg"]
    # A certain win is printed as 100.000%.
    assert "| 100.000% |" in page


def test_pairs_at_random_give_every_chart(tmp_path):
    rng = np.random.default_rng(3)
    pairs = rng.choice(visited(rng, sides=300), (2, 900))
    folder = write_run(tmp_path / "random", *pairs, games=3000)
    assert list(draw_figures(analyse_run(folder))) == CHARTS


def test_unknown_values_hopeless_races_and_incomplete_runs_make_a_page(grid, tmp_path):
    folder = write_run(tmp_path / "unknown", grid.roller, grid.opponent, known=False)
    page = page_of(folder)
    assert ("| unknown |" in page, "nan" in page) == (True, False)
    assert "calibration" not in draw_figures(analyse_run(folder))
    # With fifteen checkers against two, neither player ever doubles.
    folder = write_run(tmp_path / "hopeless", np.arange(50000, 50200), np.full(200, 7))
    found = analyse_run(folder)
    assert found.fits is None
    assert found.why_no_fits
    assert found.why_no_fits in page_of(folder)
    folder = write_run(tmp_path / "half", grid.roller, grid.opponent, complete=False)
    assert f"of {len(grid):,} pairs" in page_of(folder)


def test_refusals(grid_run, three_run, tmp_path):
    with pytest.raises(bearoff.BearoffError, match=r"efficiency.* 2"):
        write_report(three_run, tmp_path, efficiency=2)
    (tmp_path / "file").write_text("")
    far = write_run(tmp_path / "far", [54263], [1])
    for named, write, *arguments in (
        ("nowhere", write_report, tmp_path / "nowhere"),
        ("folder", write_report, three_run.as_uri()),
        ("file", write_report, three_run, tmp_path / "file"),
        ("'rolls'", write_doubling_chart, grid_run, tmp_path / "x.png", "rolls"),
        (r"'x\.pdf'", write_doubling_chart, grid_run, tmp_path / "x.pdf"),
        ("-6 to 18", write_doubling_chart, far, tmp_path / "x.png"),
    ):
        with pytest.raises(RunError, match=named):
            write(*arguments)


def test_a_chart_of_its_own(grid_run, three_run, report, tmp_path):
    path = write_doubling_chart(grid_run, tmp_path / "new" / "epc.png")
    beside = next(p for p in report.charts if p.name == "doubling-epc.png")
    assert path.read_bytes() == beside.read_bytes()
    assert write_doubling_chart(three_run, tmp_path / "three.svg").exists()


def test_importing_loads_nothing_slow():
    code = (
        "import sys, bearoff.analysis.formulas, bearoff.sim.storage.schema; "
        "print(sorted({'matplotlib', 'scipy', 'pyarrow', 'numba', 'joblib', 'pandas'} "
        "& set(sys.modules)))"
    )
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert printed.strip() == "[]"
