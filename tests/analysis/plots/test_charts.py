"""The numbers in charts are tested, and the appearance of the charts is not."""

from fractions import Fraction
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from bearoff.analysis import calibrate
from bearoff.analysis.formulas import Count, CountRule, Line
from bearoff.analysis.formulas.rules import ChanceRule, LinearChance, RatioChance
from bearoff.analysis.outcomes.cells import CellLayout, Cells
from bearoff.analysis.output.drawing import SHADES, save, style, write_table, write_text
from bearoff.analysis.plots.doubling_chart import LINES
from bearoff.analysis.plots.run_charts import plot_chance, plot_score_histogram, plot_scores
from bearoff.analysis.plots.run_doubling import doubling_figure, plot_rule, plot_run_cells

RULE = CountRule("rule", "", Count(), Line(10, -3.0), Line(10, -2.0), Line(10, 2.0))


@pytest.fixture
def ax():
    return Figure().add_subplot()


@pytest.fixture(scope="module")
def cells(grid):
    return Cells.gather(grid, "pips", CellLayout(20, 5, -4, 2, -4, 16))


def grey(colour):
    """Return the brightness of a colour when it is printed in black and white."""
    return float(np.array(mpl.colors.to_rgb(colour)) @ [0.2126, 0.7152, 0.0722])


def test_shades_stay_apart_in_black_and_white():
    steps = -np.diff([grey(shade) for shade in SHADES])
    assert (steps > 0.1).all()
    assert len(SHADES) == len(Cells.REGIONS)


def test_every_cell_has_the_shade_of_its_region(cells, ax):
    filled, *hatchings = plot_run_cells(cells, ax=ax)
    colours = [to_hex(colour) for colour in filled.get_facecolor()]
    assert colours == [SHADES[region] for region in cells.region]
    corners = np.array([path.vertices[0] for path in filled.get_paths()])
    assert corners == pytest.approx(np.column_stack([cells.count - 2.5, cells.lead - 1]))
    hatched = sum(len(hatching.get_paths()) for hatching in hatchings)
    assert hatched == (~cells.decided).sum() > 0
    assert {hatching.get_hatch() for hatching in hatchings} == {"//////"}


def test_rule_lines_are_where_the_rule_decides(cells, ax):
    plot_run_cells(cells, ax=ax)
    limits = ax.get_xlim(), ax.get_ylim()
    lines = plot_rule(RULE, ax=ax)
    labels = "double: count/10 − 3", "redouble: count/10 − 2", "last take: count/10 + 2"
    for line, label, offset in zip(lines, labels, (-3, -2, 2), strict=True):
        assert line.get_label() == label
        assert line.get_ydata() == pytest.approx(line.get_xdata() / 10 + offset)
    assert len({str(dashes) for *_, dashes in LINES}) == len(lines)
    assert (ax.get_xlim(), ax.get_ylim()) == limits


def test_doubling_chart_states_what_it_rests_on(cells):
    figure = doubling_figure(cells, RULE, "run grid: 9 pairs")
    said = " ".join(text.get_text() for text in figure.findobj(mpl.text.Text))
    said = " ".join(said.split())
    for part in ("0.7 (Janowski)", RULE.leads, "run grid: 9 pairs", "95%", *Cells.REGIONS):
        assert part in said
    figure = doubling_figure(cells, None, "run grid")
    assert len(figure.axes[0].lines) == 0
    assert len(figure.legends) == 1


@pytest.mark.parametrize(
    ("chance", "knee"),
    [(RatioChance(50, 250, 4.0, 50), 80), (LinearChance(73, Fraction(5, 2), 5), None)],
)
def test_chances_are_drawn_with_their_intervals(cells, ax, chance, knee):
    plot_chance(cells, ChanceRule("a", "", Count(), chance, 70, 72, 79, knee=knee), ax=ax)
    assert 2 <= len(ax.containers) <= 4
    for container in ax.containers:
        count = float(container.get_label().removesuffix(" pips"))
        points, _, (bars,) = container.lines
        chosen = cells.count == count
        assert points.get_ydata() == pytest.approx(100 * cells.probability[chosen])
        ends = np.array([path.vertices[:, 1] for path in bars.get_paths()])
        assert ends[:, 0] == pytest.approx(100 * cells.low[chosen])
        assert ends[:, 1] == pytest.approx(100 * cells.high[chosen])


def test_scores_and_their_histogram(grid, ax):
    calibration = calibrate(grid)
    _, points = plot_scores(calibration, ax=ax)
    assert points.get_ydata() == pytest.approx(calibration.z)
    assert points.get_xdata() == pytest.approx(100 * calibration.expected)
    *bars, law = plot_score_histogram(calibration, ax=Figure().add_subplot())
    assert sum(bar.get_width() for bar in bars) == calibration.pairs
    # The integral of the curve is the number of pairs, like the sum of the bars.
    assert law.get_xdata().sum() * 0.05 / 0.5 == pytest.approx(calibration.pairs, rel=1e-3)


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_saving_twice_gives_the_same_bytes(cells, tmp_path, ending):
    paths = [tmp_path / f"{name}.{ending}" for name in ("one", "two")]
    for path in paths:
        save(doubling_figure(cells, RULE, "run"), path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    # The version of matplotlib and the date are not stored, because they would change the
    # bytes.
    assert b"Software" not in first
    assert b"<dc:date>" not in first


def test_a_failed_save_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "chart.png"
    path.write_bytes(b"before")
    figure = Figure()
    monkeypatch.setattr(figure, "savefig", lambda name, **_: (name.write(b"half"), 1 / 0))
    with pytest.raises(ZeroDivisionError):
        save(figure, path)
    assert path.read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == ["chart.png"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_full_disk_names_the_file_also_inside_matplotlib(tmp_path, monkeypatch, ending):
    path = tmp_path / f"chart.{ending}"
    mkdir = Path.mkdir

    def with_a_full_disk(folder, **options):
        mkdir(folder, **options)
        (folder / path.name).symlink_to("/dev/full")

    monkeypatch.setattr(Path, "mkdir", with_a_full_disk)
    with pytest.raises(OSError, match="No space left on device") as full:
        save(Figure(), path)
    assert full.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


def test_tables_and_texts_are_written_whole(tmp_path):
    table = pa.table({"a": [1, 2]})
    assert pq.read_table(write_table(table, tmp_path / "a.parquet")).equals(table)
    with pytest.raises(OSError, match="No such file"):
        write_table(table, tmp_path / "none" / "a.parquet")
    assert [p.name for p in tmp_path.iterdir()] == ["a.parquet"]
    path = write_text("½ pip\n", tmp_path / "page.md")
    assert path.read_text(encoding="utf-8") == "½ pip\n"
    with pytest.raises(UnicodeEncodeError):
        write_text("\udcff", path)
    assert path.read_text(encoding="utf-8") == "½ pip\n"
    assert {p.name for p in tmp_path.iterdir()} == {"a.parquet", "page.md"}


def test_drawing_leaves_matplotlib_as_it_was(cells):
    before = dict(mpl.rcParams)
    doubling_figure(cells, RULE, "run")
    with style():
        assert mpl.rcParams["svg.hashsalt"] == "bearoff"
    assert dict(mpl.rcParams) == before
