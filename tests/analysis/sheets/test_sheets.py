"""Sheets to print: what stands on them, that it fits, and files that are whole."""

import csv
import io
from pathlib import Path

import matplotlib.text
import pytest
from matplotlib.figure import Figure

from analysis import formulas
from analysis.errors import FormulaError, RunError
from analysis.formulas import Adjustment, Count, CountRule, Line
from analysis.formulas.counting import Floor
from analysis.plots.board import plot_board
from analysis.scoring.explanation import explain
from analysis.scoring.gold import gold_standard
from analysis.scoring.price import Price, scores_seal
from analysis.sheets.cheat import EXAMPLES, CheatSheet, cheat_sheet
from analysis.sheets.cheat_page import cheat_sheet_figure, write_cheat_sheet
from analysis.sheets.draw import sheet_figure
from analysis.sheets.player_tables import (
    gold_standard_sheet,
    n_roll_sheet,
    two_checker_sheet,
)
from analysis.sheets.sheet import Sheet, SheetTable
from analysis.sheets.write import write_sheet
from bearoff import Position, Race, TwoSidedTable, cube_action
from tests.analysis.made_population import made_population
from tests.two_sided_tables import built

SMALL = (
    Race(Position((3, 0, 0, 1, 1, 0)), Position((2, 1, 0, 1, 0, 1))),
    Race(Position((0, 2, 0, 1, 1, 0)), Position((2, 1, 0, 1, 0, 1))),
)
FAR = Race(
    Position((0, 0, 1, 3, 4, 4, 1, 1, *[0] * 4, 1)),
    Position((0, 0, 1, 3, 5, 6, *[0] * 7)),
)
COUNT_RULES = [
    name for name in formulas.names() if isinstance(formulas.get(name), CountRule)
]


def small(race: Race) -> TwoSidedTable | None:
    return built(5) if max(race.roller.on_board, race.opponent.on_board) <= 5 else None


def gold() -> Sheet:
    population, isight = made_population(), formulas.get("isight")
    assert isinstance(isight, CountRule)
    return gold_standard_sheet(
        gold_standard(population, least=100, rule=isight),
        gold_standard(population, "epc", least=100),
    )


def texts(figure: Figure) -> list[matplotlib.text.Text]:
    found = figure.findobj(matplotlib.text.Text)
    return [text for text in found if text.get_text() and text.get_visible()]


def boxes(figure: Figure) -> list[tuple[str, float, float, float, float]]:
    """Texts with their boxes in inches, as the renderer sets them."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(figure).get_renderer()
    dpi = figure.dpi
    drawn = [
        text for text in texts(figure) if text.axes is None or text.axes.axison is False
    ]
    return [
        (
            text.get_text(),
            *(edge / dpi for edge in text.get_window_extent(renderer).extents),
        )
        for text in drawn
    ]


def assert_prints_well(figure: Figure) -> None:
    """Letters of 8 points or more, on the page, and no two texts on each other."""
    assert min(text.get_fontsize() for text in texts(figure)) >= 8
    width, height = figure.get_size_inches()
    found = boxes(figure)
    for text, left, low, right, high in found:
        assert left >= 0.2, text
        assert right <= width - 0.2, text
        assert low >= 0.15, text
        assert high <= height - 0.15, text
    for i, (one, left, low, right, high) in enumerate(found):
        for other, left2, low2, right2, high2 in found[i + 1 :]:
            # Lines may touch: boxes reach from the highest letter to the lowest tail.
            across = min(right, right2) - max(left, left2)
            along = min(high, high2) - max(low, low2)
            assert across <= 0.01 or along <= 0.03, (one, other)


@pytest.mark.parametrize("make", [n_roll_sheet, two_checker_sheet, gold])
def test_sheets_print_well(make: object) -> None:
    assert callable(make)
    assert_prints_well(sheet_figure(make()))


@pytest.mark.parametrize("name", COUNT_RULES)
def test_every_count_rule_has_a_cheat_sheet_that_prints_well(name: str) -> None:
    sheet = cheat_sheet(formulas.get(name), small, examples=(SMALL[0], FAR, *EXAMPLES[2:]))
    figure = cheat_sheet_figure(sheet)
    assert_prints_well(figure)
    said = " ".join(text.get_text() for text in texts(figure))
    for word in sheet.rule.text.split():
        assert word in said
    # Of long rules with a whole board two examples are left out.
    assert len(figure.axes) - 1 in (2, 4)


def test_cells_of_the_n_roll_sheet() -> None:
    sheet = n_roll_sheet(5)
    rows = list(csv.DictReader(io.StringIO(sheet.csv)))
    four = next(row for row in rows if (row["roller"], row["opponent"]) == ("4", "4"))
    assert four["no_redouble"] == "0.792952675"
    assert four["double_take"] == "0.916752401"
    assert sheet.tables[0].rows[3][4] == "74.5 R"
    assert "| 4 rolls | <0.1 N |" not in sheet.markdown
    assert "| 4 rolls | 0 N | 2.3 N | 30.1 N | 74.5 R | 95.7 P |" in sheet.markdown


def test_cells_of_the_two_checker_sheet() -> None:
    sheet = two_checker_sheet()
    assert sheet.tables[0].rows[5] == ("6", "27", "15", "13", "10", "8", "6", "4")
    assert sheet.tables[1].rows[4][3] == "53"  # 19 of 36.
    assert "6,5,6,1133" in sheet.csv


def test_gold_standard_sheet_says_what_it_found() -> None:
    found = gold_standard(made_population(), least=100)
    sheet = gold_standard_sheet(found, gold_standard(made_population(), "epc", least=100))
    first, exact = sheet.tables[0].rows[0], found.rows[0].exact
    assert exact is not None
    assert first[0] == "10"
    assert first[1].split(" (")[0] == f"{10 + exact.double:g}"
    lines = [row for row in csv.DictReader(io.StringIO(sheet.csv)) if row["by"] == "exact"]
    assert float(lines[0]["last_take"]) == 10 + exact.last_take
    hundred = next(row for row in sheet.tables[0].rows if row[0] == "100")
    assert hundred[5] == "108 / 109 / 111"  # Trice: 10% and 1 is 11.


def test_uneven_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        SheetTable("bad", ("a", "b"), (("1",),), (1.0, 1.0))


@pytest.mark.parametrize("name", ["keith", formulas.found_names()[-1]])
def test_worked_examples_are_those_of_the_pad(name: str) -> None:
    rule = formulas.get(name)
    sheet = cheat_sheet(rule, small, examples=SMALL)
    for example, race in zip(sheet.examples, SMALL, strict=True):
        found = explain(rule, race)
        assert example.worked.verdict == found.verdict
        # What stands under the columns is what the pad goes on with.
        raised = next(s for s in found.steps if s.words == "your count raised")
        less = next(s for s in found.steps if s.words == "your count less the opponent's")
        assert raised.arithmetic.startswith(f"{example.counting[-1][1]} +")
        assert f"- {example.counting[-1][2]} =" in less.arithmetic
        judged = example.loss
        assert judged is not None
        assert judged.centred == cube_action(built(5), race)
        assert example.decisions[0][2] == judged.centred.action.partition(",")[0]


def test_values_and_the_least_count_are_on_the_sheet() -> None:
    """Five aces: 15 by their values, raised to 3 rolls of 6½; four sixes need no raise."""
    race = Race(Position((5, 0, 0, 0, 0, 0)), Position((0, 0, 0, 0, 0, 4)))
    gaps = Adjustment(1, "gaps", (1, 2))
    count = Count((gaps,), values=(3, 3.5, 4), least=Floor(6.5))
    rule = CountRule("mine", "", count, Line(7, -5), Line(7, -4.5), Line(7, -3))
    sheet = cheat_sheet(rule, small, examples=(race,))
    assert sheet.counting[0] == (
        "Count both sides: pips, but 3 on the ace, 3½ on the deuce, 4 on the three."
    )
    assert sheet.counting[2] == "A side counts at least 6½ a pair or single checker."
    assert sheet.examples[0].counting == (
        ("checkers by their values", "15", "24"),
        ("gaps on the ace and deuce", "+ 1", "+ 2"),
        ("up to 6½ a roll at least", "+ 3½", "0"),
        ("count", "19½", "26"),
    )
    assert any("the counts of both sides included" in line for line in sheet.footing)
    fifty = sheet.table_head.index("50")
    assert [row[fifty] for row in sheet.table_rows] == ["52½", "53", "54"]


def test_who_is_too_good_to_double_is_said_to_be() -> None:
    """One checker against three that have not begun, of a game of three checkers."""
    race = Race(Position((1, 0, 0, 0, 0, 0), 3), Position((0, 0, 0, 0, 0, 3), 3))
    sheet = cheat_sheet(
        formulas.get("keith"), lambda race: built(3, start=3), examples=(race,)
    )
    (example,) = sheet.examples
    assert [(line[1], line[2], line[3]) for line in example.decisions] == [
        ("double", "too good", "1.000"),
        ("redouble", "too good", "1.000"),
        ("passes", "passes", "0"),
    ]


def test_without_a_table_nothing_exact_is_claimed() -> None:
    sheet = cheat_sheet(formulas.get("keith"), lambda race: None, examples=SMALL)
    assert all(example.loss is None for example in sheet.examples)
    said = " ".join(text.get_text() for text in texts(cheat_sheet_figure(sheet)))
    assert "exact: " not in said


def test_thresholds_by_count_on_the_sheet() -> None:
    """Thorp passes ties: 50 is raised to 55, and 57 is a pass."""
    sheet = cheat_sheet(formulas.get("thorp"), small, examples=())
    fifty = sheet.table_head.index("50")
    assert [row[fifty] for row in sheet.table_rows] == ["53", "54", "56"]
    keith = cheat_sheet(formulas.get("keith"), small, examples=())
    assert [row[fifty] for row in keith.table_rows] == ["53", "54", "55"]


def test_only_count_rules_and_four_examples() -> None:
    with pytest.raises(FormulaError, match="'kleinman' is of another kind"):
        cheat_sheet(formulas.get("kleinman"), small)
    with pytest.raises(FormulaError, match="room for 4 examples, got 5"):
        cheat_sheet(formulas.get("keith"), small, examples=(*EXAMPLES, EXAMPLES[0]))


def test_a_price_is_read_from_scores(tmp_path: Path) -> None:
    import json

    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {"formula": name, "decision": decision, "lost": lost, "lost_error": 0.0001}
        for name, lost in (("mine", 0.001), ("keith", 0.002))
        for decision in ("double", "together")
    ]
    about = {"population": "races, test"}
    seal = scores_seal(about, rows)
    table = pa.Table.from_pylist(rows).replace_schema_metadata(
        {"bearoff": json.dumps(about | {"seal": seal})}
    )
    path = tmp_path / "scores.parquet"
    pq.write_table(table, path)
    price = Price.read(path, "mine")
    assert price.others == (("keith", 0.002),)
    assert "1.00 ± 0.10 thousandths" in price.text
    with pytest.raises(RunError, match="no score of 'other'; it has mine, keith"):
        Price.read(path, "other")
    with pytest.raises(RunError, match="holds no scores"):
        Price.read(tmp_path / "none.parquet", "mine")
    rows[1]["lost"] = 0.0015
    changed = pa.Table.from_pylist(rows).replace_schema_metadata(table.schema.metadata)
    pq.write_table(changed, path)
    with pytest.raises(RunError, match="is damaged: it is not what was written"):
        Price.read(path, "mine")


@pytest.mark.parametrize(
    ("race", "checkers", "columns"),
    [
        (EXAMPLES[0], 12 + 14, 6),
        (
            Race(Position((0,) * 12 + (2, 7)), Position((0,) * 7 + (3, *[0] * 6))),
            2 + 5 + 3,
            12,
        ),
    ],
)
def test_boards_show_every_checker_up_to_five_on_a_point(
    race: Race, checkers: int, columns: int
) -> None:
    ax = Figure().add_axes((0, 0, 1, 1))
    discs = plot_board(race, ax=ax)
    assert len(discs) == checkers
    places = [disc.center for disc in discs]  # type: ignore[attr-defined]
    assert len(set(places)) == len(places)
    assert all(0 < x < columns for x, _ in places)
    stacks = {text.get_text() for text in ax.texts if text.get_weight() == "bold"}
    assert stacks == ({"7"} if columns == 12 else set())


def test_checkers_stand_where_a_board_has_them() -> None:
    """The roller's ace point is lower right, his 13 point upper left; the opponent's
    ace point is upper right: by the drawing of any board."""
    race = Race(Position((1, *[0] * 11, 1)), Position((1, *[0] * 12)))
    ace, midpoint, his = (
        disc.center  # type: ignore[attr-defined]
        for disc in plot_board(race, ax=Figure().add_axes((0, 0, 1, 1)))
    )
    assert (ace[0], midpoint[0], his[0]) == (11.5, 0.5, 11.5)
    assert ace[1] < 1 < 10 < midpoint[1]
    assert his[1] > 10


def test_files_are_the_same_bytes_every_time(tmp_path: Path) -> None:
    sheet = n_roll_sheet(4)
    first, second = (
        [path.read_bytes() for path in write_sheet(sheet, tmp_path / name)]
        for name in ("one", "two")
    )
    assert first == second
    assert sorted(p.name for p in (tmp_path / "one").iterdir()) == [
        f"n-rolls.{ending}" for ending in ("csv", "md", "pdf", "png")
    ]
    page: CheatSheet = cheat_sheet(formulas.get("zare"), small, examples=SMALL)
    one, two = (write_cheat_sheet(page, tmp_path / name) for name in ("one", "two"))
    assert [p.read_bytes() for p in one] == [p.read_bytes() for p in two]
    assert b"CreationDate" not in one[0].read_bytes()
