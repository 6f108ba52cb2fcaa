"""Printed sheets for players: their content, the fit on the page, and complete files."""

import csv
import io
import json
import math
from pathlib import Path

import matplotlib.text
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bearoff import Position, Race, cube_action
from bearoff.analysis import FormulaError, RunError, formulas
from bearoff.analysis.formulas import Adjustment, Count, CountRule, Line
from bearoff.analysis.formulas.counting import Floor
from bearoff.analysis.output import pages
from bearoff.analysis.plots.board import HEIGHT, plot_board
from bearoff.analysis.scoring.explanation import explain
from bearoff.analysis.scoring.gold import gold_standard
from bearoff.analysis.scoring.measured_loss import MeasuredLoss, scores_seal
from bearoff.analysis.sheets import gold_standard_sheet, n_roll_sheet, two_checker_sheet
from bearoff.analysis.sheets.cheat import cheat_sheet
from bearoff.analysis.sheets.cheat_page import cheat_sheet_figure
from bearoff.analysis.sheets.draw import sheet_figure
from bearoff.analysis.sheets.examples import ExampleRaces, draw_examples
from bearoff.analysis.sheets.match_leads import LongWindow
from bearoff.analysis.sheets.sheet import SheetTable
from bearoff.analysis.sheets.take_points import take_point_sheet
from bearoff.analysis.sheets.write import write_sheet
from bearoff.sim.populations import SPLITS, DecisionValues, Population, RaceDecisions
from tests.analysis.made_population import made_population
from tests.two_sided_tables import built

SMALL = (
    Race(Position((3, 0, 0, 1, 1, 0)), Position((2, 1, 0, 1, 0, 1))),
    Race(Position((0, 2, 0, 1, 1, 0)), Position((2, 1, 0, 1, 0, 1))),
)
HOME = (
    Race(Position((3, 0, 2, 0, 3, 4)), Position((2, 3, 5, 0, 3, 1))),
    Race(Position((1, 1, 2, 3, 4, 3)), Position((1, 1, 2, 2, 6, 3))),
    Race(Position((0, 4, 3, 1, 2, 3)), Position((2, 1, 1, 4, 2, 4))),
)
FAR = Race(
    Position((0, 0, 1, 3, 4, 4, 1, 1, *[0] * 4, 1)), Position((0, 0, 1, 3, 5, 6, *[0] * 7))
)
COUNT_RULES = ("8-9-12", "epc-mcg", "isight", "keith-unrounded", "thorp", "zare")
"""Published rules with the longest and shortest texts, percentages, fractions and ties."""


def small(race):
    return built(5) if max(race.roller.on_board, race.opponent.on_board) <= 5 else None


def sheet_of(rule, *races, table_of=small):
    """Return the cheat sheet of a rule, or of a published one, with these examples."""
    rule = formulas.get(rule) if isinstance(rule, str) else rule
    return cheat_sheet(rule, table_of, examples=ExampleRaces(races))


def gold():
    population, isight = made_population(), formulas.get("isight")
    return gold_standard_sheet(
        gold_standard(population, least=100, rule=isight),
        gold_standard(population, "epc", least=100),
    )


def texts(figure):
    found = figure.findobj(matplotlib.text.Text)
    return [text for text in found if text.get_text() and text.get_visible()]


def boxes(figure):
    """Return all texts with their bounding boxes in inches."""
    renderer, found = FigureCanvasAgg(figure).get_renderer(), []
    for text in texts(figure):
        if text.axes is None or text.axes.axison is False:
            edges = text.get_window_extent(renderer).extents / figure.dpi
            found.append((text.get_text(), *edges))
    return found


def assert_prints_well(figure):
    """Check that the text is large enough, is on the page and does not overlap."""
    assert min(text.get_fontsize() for text in texts(figure)) >= 8
    width, height = figure.get_size_inches()
    found = boxes(figure)
    for text, left, low, right, high in found:
        assert 0.2 <= left <= right <= width - 0.2, text
        assert 0.15 <= low <= high <= height - 0.15, text
    lefts, lows, rights, highs = np.array([box[1:] for box in found]).T
    across, along = (
        np.minimum.outer(ends, ends) - np.maximum.outer(starts, starts)
        for starts, ends in ((lefts, rights), (lows, highs))
    )
    # Bounding boxes of texts may touch, because they include ascenders and descenders.
    on = np.triu((across > 0.01) & (along > 0.03), k=1)
    assert [(found[i][0], found[j][0]) for i, j in zip(*on.nonzero(), strict=True)] == []
    return float(lows.min())


def last_two():
    return two_checker_sheet(built(2))


KEPT = Path(__file__).parents[3] / "results/match/scores.csv"


def kept_window(score, epc, table):
    """Return the doubling window at a match score from a stored file, which is fast."""
    with KEPT.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if (int(row["roller_away"]), int(row["opponent_away"])) == score.away:
                # Other scores use the last row, 9-away 9-away, which is close to money
                # play.
                break
    leads = (float(row[f"{name}_lead_{epc:.0f}"]) for name in ("double", "take"))
    return LongWindow(*leads, math.nan, math.nan)


def take_points():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bearoff.analysis.sheets.take_points.long_window", kept_window)
        return take_point_sheet()


@pytest.mark.parametrize("make", [n_roll_sheet, last_two, gold, take_points])
def test_sheets_print_well(make):
    sheet = make()
    for paper in pages.PAPERS.values():
        figure = sheet_figure(sheet, paper)
        assert tuple(figure.get_size_inches()) == (paper.width, paper.height)
        # At least two thirds of each sheet are used.
        assert assert_prints_well(figure) < paper.height / 3


@pytest.mark.parametrize("name", [*COUNT_RULES, *formulas.found_names()])
def test_cheat_sheets_print_well(name):
    # The formulas with the longest texts.
    both = name in ("isight", *formulas.found_names()[-1:])
    sheet = sheet_of(name, SMALL[0], FAR, *(HOME[1:] if both else ()))
    for paper in list(pages.PAPERS.values())[: 1 + both]:
        figure = cheat_sheet_figure(sheet, paper)
        assert_prints_well(figure)
        said = " ".join(text.get_text() for text in texts(figure))
        for step in sheet.counting:
            for word in step.split():
                assert word in said
        # A sheet has four examples, or two if the text of the rule is long.
        assert len(figure.axes) - 1 in (2, 4)
    if both:
        alone = cheat_sheet_figure(sheet_of(name))
        assert alone.get_size_inches()[1] <= pages.A4.height
        assert_prints_well(alone)


def test_boards_are_large_and_off_stays_clear_of_them():
    figure = cheat_sheet_figure(sheet_of("screen", *4 * [HOME[0]]))
    renderer = FigureCanvasAgg(figure).get_renderer()
    for board in figure.axes[1:]:
        assert board.get_position().height * pages.A4.height >= 1.7
        frame = board.transData.transform((6, 0))[0]
        (off, *_) = [text for text in board.texts if "off" in text.get_text()]
        assert off.get_window_extent(renderer).x0 > frame + 0.02 * figure.dpi


def every_kind(split):
    """Return a cube decision for each combination of race length and best action."""
    lengths, actions = (side.ravel() for side in np.meshgrid((4, 6, 10, 14), range(4)))
    sides = np.zeros((16, 6), np.int8)
    sides[:, 0], sides[:, 5] = actions, lengths - actions
    numbers, ones, none = np.arange(16), np.ones(16), np.zeros(16, np.int64)
    about = {"name": "every", "points": 6, "schema_version": 3, "basis": {}}
    about |= {"games": {"train": 16, "validation": 16, "test": 16}, "digest": "0" * 64}
    decisions = RaceDecisions(
        numbers, numbers, np.full(16, split, np.int8), none + 1, none > 0, numbers,
        none.astype(np.int16),
    )  # fmt: skip
    taken = np.choose(actions, (0.0, 0.5, 0.9, 1.1))
    values = DecisionValues(0.7 * ones, 0.4 * ones, 0.6 * ones, taken, ones * 1e-5, none)
    return Population(about, decisions, sides, sides, ones, ones, values)


def test_examples_are_drawn_from_the_test_part_one_of_each_kind():
    drawn: set[tuple[int, ...]] = set()
    population = every_kind(SPLITS.index("test"))
    for seed in range(20):
        races = draw_examples(population, seed).races
        assert [race.roller.on_board for race in races] == [4, 6, 10, 14]
        actions = [race.roller.counts[0] for race in races]
        assert sorted(actions) == [0, 1, 2, 3]
        drawn.add(tuple(actions))
    assert len(drawn) > 10
    assert draw_examples(population, 3) == draw_examples(population, 3)
    assert "seed 3" in draw_examples(population, 3).source
    with pytest.raises(FormulaError, match="every"):
        draw_examples(every_kind(SPLITS.index("train")), 1)


def test_cells_of_the_n_roll_sheet():
    sheet = n_roll_sheet(5)
    rows = list(csv.DictReader(io.StringIO(sheet.csv)))
    four = next(row for row in rows if (row["roller"], row["opponent"]) == ("4", "4"))
    assert four["no_redouble"] == "0.792952675"
    assert four["double_take"] == "0.916752401"
    assert sheet.tables[0].rows[3][4] == "74.5 R"
    assert "| 4 rolls | 0 N | 2.3 N | 30.1 N | 74.5 R | 95.7 P |" in sheet.markdown


def test_cells_of_the_two_checker_sheet():
    """The sheet's numbers of rolls for two checkers equal those counted by hand.

    Against one checker on the ace there is one roll. The roller doubles with at least 18 of
    36 rolls, and the opponent takes up to 27. The cube is dead, so redoubles equal doubles.
    """
    sheet = last_two()
    assert sheet.tables[0].rows[5] == ("6", "27", "15", "13", "10", "8", "6", "4")
    assert sheet.tables[1].rows[5][-1] == "78.2"
    assert "6,5,6,1133" in sheet.csv
    throws = {row[0]: row[1:] for row in sheet.tables[0].rows}
    for row in sheet.tables[2].rows:
        high, _, low = row[0].partition("-")
        off = int(throws[high][int(low or 0)])
        assert row[1] == ("P" if off > 27 else "R" if off >= 18 else "N"), row[0]


def test_gold_standard_sheet_says_what_it_found():
    found = gold_standard(made_population(), least=100)
    sheet = gold_standard_sheet(found, gold_standard(made_population(), "epc", least=100))
    first, exact = sheet.tables[0].rows[0], found.rows[0].exact
    assert first[0] == "10"
    assert first[1].split(" (")[0] == f"{10 + exact.double:g}"
    lines = [row for row in csv.DictReader(io.StringIO(sheet.csv)) if row["by"] == "exact"]
    assert float(lines[0]["last_take"]) == 10 + exact.last_take
    hundred = next(row for row in sheet.tables[0].rows if row[0] == "100")
    assert hundred[5] == "108 / 109 / 111"  # Trice's last take: 10% of 100 pips, plus 1 pip


def test_uneven_tables_other_rules_and_five_examples_are_refused():
    with pytest.raises(ValueError, match="bad"):
        SheetTable("bad", ("a", "b"), (("1",),), (1.0, 1.0))
    with pytest.raises(FormulaError, match="'kleinman'"):
        sheet_of("kleinman")
    with pytest.raises(FormulaError, match="5"):
        sheet_of("keith", *SMALL, *HOME)


@pytest.mark.parametrize("name", ["keith", formulas.found_names()[-1]])
def test_worked_examples_are_those_of_the_pad(name):
    for example, race in zip(sheet_of(name, *SMALL).examples, SMALL, strict=True):
        found = explain(formulas.get(name), race)
        assert example.worked.verdict == found.verdict
        # On the sheet, each column ends with a side's adjusted count. The steps below the
        # columns use these two counts.
        raised = next(s for s in found.steps if s.words == "your raised count")
        less = next(s for s in found.steps if s.words == "your count minus the opponent's")
        assert raised.arithmetic.startswith(f"{example.counting[-1][1]} +")
        assert f"- {example.counting[-1][2]} =" in less.arithmetic
        centred = example.loss.centred
        assert centred.row() == cube_action(built(5), race).row()
        right = str(centred.action).startswith("double") == found.verdict.double
        assert (example.decisions[0][2] == "0") == right


def test_values_and_the_least_count_are_on_the_sheet():
    race = Race(Position((5, 0, 0, 0, 0, 0)), Position((0, 0, 0, 0, 0, 4)))
    gaps = Adjustment(1, "gaps", (1, 2))
    count = Count((gaps,), values=(3, 3.5, 4), least=Floor(6.5))
    rule = CountRule("mine", "", count, Line(7, -5), Line(7, -4.5), Line(7, -3))
    sheet = sheet_of(rule, race)
    for value in ("3 on point 1", "3½ on point 2", "4 on point 3"):
        assert value in sheet.counting[0]
    assert "6½" in sheet.counting[2]
    columns = [row[1:] for row in sheet.examples[0].counting]
    assert columns == [("15", "24"), ("+ 1", "+ 2"), ("+ 3½", "0"), ("19½", "26")]
    fifty = sheet.table_head.index("50")
    assert [row[fifty] for row in sheet.table_rows] == ["52½", "53", "54"]


def test_a_position_too_good_to_double_is_said_to_be():
    race = Race(Position((1, 0, 0, 0, 0, 0), 3), Position((0, 0, 0, 0, 0, 3), 3))
    table = built(3, start=3)
    (example,) = sheet_of("keith", race, table_of=lambda _: table).examples
    decisions = [line[1:] for line in example.decisions]
    assert decisions == [("double", "1.000"), ("redouble", "1.000"), ("pass", "0")]
    assert example.loss.centred.action == "too good to double"


def test_thresholds_by_count_and_no_exact_claim_without_a_table():
    sheet = sheet_of("keith", *SMALL, table_of=lambda race: None)
    assert all(example.loss is None for example in sheet.examples)
    said = " ".join(text.get_text() for text in texts(cheat_sheet_figure(sheet)))
    assert "exact: " not in said
    for name, expected in (("thorp", ["53", "54", "56"]), ("keith", ["53", "54", "55"])):
        sheet = sheet_of(name)
        fifty = sheet.table_head.index("50")
        assert [row[fifty] for row in sheet.table_rows] == expected


def sealed(path, about, rows):
    """Write a file of formula scores; return the description that it contains."""
    said = json.dumps(about | {"seal": scores_seal(about, rows)}).encode()
    pq.write_table(pa.Table.from_pylist(rows, metadata={"bearoff": said}), path)
    return said


def test_a_price_is_read_from_scores(tmp_path):
    rows: list[dict[str, object]] = [
        {"formula": name, "decision": decision, "lost": lost, "lost_error": 0.0001}
        for name, lost in (("mine", 0.001), ("keith", 0.002))
        for decision in ("double", "together")
    ]
    path = tmp_path / "scores.parquet"
    said = sealed(path, {"population": "races, test"}, rows)
    price = MeasuredLoss.read(path, "mine")
    assert price.others == (("keith", 0.002),)
    assert "1.00 ± 0.10" in price.text
    with pytest.raises(RunError, match="'other'"):
        MeasuredLoss.read(path, "other")
    with pytest.raises(RunError, match=r"none\.parquet"):
        MeasuredLoss.read(tmp_path / "none.parquet", "mine")
    rows[1]["lost"] = 0.0015
    pq.write_table(pa.Table.from_pylist(rows, metadata={"bearoff": said}), path)
    with pytest.raises(RunError, match="damaged"):
        MeasuredLoss.read(path, "mine")


def test_a_price_of_a_battery_tells_near_game_and_worst(tmp_path):
    lost = {"near": (10, 16, 14), "game": (9, 30, 40), "uniform": (9, 8, 6)}
    rows: list[dict[str, object]] = [
        {"formula": name, "decision": row, "lost": each[k] / 1000, "lost_error": 0.0002}
        for row, each in lost.items()
        for k, name in enumerate(("mine", "keith", "isight"))
    ]
    path = tmp_path / "battery.parquet"
    sealed(path, {"population": "battery"}, rows)
    near, game, worst = MeasuredLoss.read(path, "mine").text.split("; ")
    assert "near 10.0 (16.0, 14.0), ± 0.2" in near
    assert game == "game 9.0 (30.0, 40.0)"
    assert worst.endswith("uniform 9.0 (8.0, 6.0).")


LONG = Race(Position((0,) * 12 + (2, 7)), Position((0,) * 7 + (3, *6 * [0])))


@pytest.mark.parametrize(
    ("race", "checkers", "columns"), [(HOME[0], 12 + 14, 6), (LONG, 2 + 5 + 3, 12)]
)
def test_boards_show_up_to_five_on_a_point(race, checkers, columns):
    ax = Figure().add_axes((0, 0, 1, 1))
    discs = plot_board(race, ax=ax)
    assert len(discs) == checkers
    places = [disc.center for disc in discs]
    assert len(set(places)) == len(places)
    assert all(0 < x < columns for x, _ in places)
    stacks = {text.get_text() for text in ax.texts if text.get_weight() == "bold"}
    assert stacks == ({"7"} if columns == 12 else set())


def test_checkers_stand_where_a_board_has_them():
    race = Race(Position((1, *[0] * 11, 1)), Position((1, *[0] * 12)))
    discs = plot_board(race, ax=Figure().add_axes((0, 0, 1, 1)))
    ace, midpoint, theirs = (disc.center for disc in discs)
    assert (ace[0], midpoint[0], theirs[0]) == (11.5, 0.5, 11.5)
    assert ace[1] < 1 < HEIGHT - 1 < midpoint[1]
    assert theirs[1] > HEIGHT - 1


def test_files_are_the_same_bytes_every_time(tmp_path):
    sheet = n_roll_sheet(4)
    first, second = (
        {path.suffix: path.read_bytes() for path in write_sheet(sheet, tmp_path / name)}
        for name in ("one", "two")
    )
    assert first == second
    assert first.keys() == {".csv", ".md", ".pdf", ".png"}
    assert b"CreationDate" not in first[".pdf"]
