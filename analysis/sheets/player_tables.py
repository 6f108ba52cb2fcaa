"""Reference tables for printing: n-roll races, last checkers, doubling and take points."""

from collections.abc import Callable

import numpy as np

from bearoff import POINTS, TwoSidedTable, cube_actions, rank
from bearoff.analysis.formulas.writing import (
    mixed,
)
from bearoff.analysis.scoring import gold, last_rolls, n_rolls
from bearoff.analysis.sheets.sheet import Sheet, SheetTable, numbers
from bearoff.rolls import THROWS
from bearoff.stakes import PASS

DataRow = tuple[str | int | float | None, ...]

_FEW_RULES = 4
"""Maximum number of formulas in a table that separates numbers by " / ". With more
formulas, "/" saves space."""

_LETTERS = "NDRP"
"""Letters that stand for the cube actions `REGIONS` in tables."""


def n_roll_sheet(most: int = 12) -> Sheet:
    """Return the sheet for races in which each side needs up to `most` rolls."""
    rolls = range(1, most + 1)
    races = {(n, m): n_rolls.roll_race(n, m) for n in rolls for m in rolls}
    matrix = SheetTable(
        "Win probability of the side on roll (%) and cube action",
        ("you need", *(f"opponent\n{m}" if m == 1 else str(m) for m in rolls)),
        tuple(
            (
                f"{n} roll{'s' if n > 1 else ''}",
                *(
                    f"{_percent(float(races[n, m].win_probability))} "
                    f"{_LETTERS[races[n, m].region]}"
                    for m in rolls
                ),
            )
            for n in rolls
        ),
        (1.25, *(1.0 for _ in rolls)),
        tuple(tuple(races[n, m].region for m in rolls) for n in rolls),
    )
    even = SheetTable(
        "Both sides need the same number of rolls",
        (
            "rolls", "aces", "mean rolls", "EPC", "chance", "wait,\ncentred",
            "wait,\nyour cube", "double,\ntake", "action",
        ),
        tuple(
            (
                str(n),
                f"{2 * n - 1} or {2 * n}" if n > 1 else "1 or 2",
                f"{float(n_rolls.mean_rolls(n)):.4f}",
                f"{n_rolls.roll_epc(n):.2f}",
                f"{float(race.win_probability):.4%}",
                f"{float(race.no_double):+.6f}",
                f"{float(race.no_redouble):+.6f}",
                f"{float(race.double_take):+.6f}",
                race.action,
            )
            for n in rolls
            for race in (races[n, n],)
        ),
        (0.6, 1.1, 1.1, 0.8, 1.1, 1.2, 1.2, 1.2, 1.7),
    )  # fmt: skip
    return Sheet(
        "n-rolls",
        "The n-roll table",
        "Each side needs a given number of rolls, and one roll fewer for each double "
        "that it rolls. A side with 2n checkers on the ace point needs n rolls. You "
        "are on roll in money play. The letters in the table are cube actions of the side "
        "on roll. N: no double; D: double, but no redouble; R: double or redouble; P: "
        "double, and the opponent passes. If the letter is D or R, the opponent takes "
        "the double.",
        (matrix, even),
        (
            "The win probabilities and equities were computed exactly with fractions, "
            "and then rounded. Equities are yours before the roll, in points at a cube "
            "value of 1. If the opponent passes, you win 1 point. A side with 15 "
            "checkers on the ace point needs at most 8 rolls; rows and columns with more "
            "rolls stand for longer races in which no roll is wasted.",
        ),
        ("roller", "opponent", "win_probability", "no_double", "no_redouble", "double_take",
         "action"),
        tuple(
            (
                n, m,
                *numbers(
                    float(race.win_probability), float(race.no_double),
                    float(race.no_redouble), float(race.double_take),
                ),
                race.action,
            )
            for (n, m), race in races.items()
        ),
        n_rolls.REGIONS,
    )  # fmt: skip


def two_checker_sheet(table: TwoSidedTable) -> Sheet:
    """Return the sheet of win probabilities and cube actions for the last 1 or 2 checkers.

    Requires a two-sided table with at least two checkers per side.
    """
    found = {(left.high, left.low): left for left in last_rolls.last_checkers()}
    points = range(1, POINTS + 1)
    head = ("one on", "alone", *(f"other on {p}" if p == 1 else str(p) for p in points))
    widths = (0.9, *(1.0 for _ in range(POINTS + 1)))

    def chances(title: str, text: Callable[[last_rolls.LastCheckers], str]) -> SheetTable:
        rows = tuple(
            (
                str(high),
                *(text(found[max(high, p), min(high, p)]) for p in range(high + 1)),
                *[""] * (POINTS - high),
            )
            for high in points
        )
        return SheetTable(title, head, rows, widths)

    sides = sorted(found)
    labels = [f"{high}-{low}" if low else str(high) for high, low in sides]
    numbers_of = rank([[(high == p) + (low == p) for p in points] for high, low in sides])
    x, y = (side.ravel() for side in np.meshgrid(numbers_of, numbers_of, indexing="ij"))
    centred, owned = (cube_actions(table, x, y, where) for where in ("centred", "owned"))
    # A double counts as right if its equity is at least the equity without a double, within
    # the table's error.
    turned, again = (
        actions.double + actions.error >= actions.no_double for actions in (centred, owned)
    )
    taken = centred.double_take <= PASS + centred.double_take_error
    acted = np.where(taken, np.where(again, 2, 1), 3)
    region = np.where(turned, acted, 0).reshape(len(sides), len(sides))
    actions = SheetTable(
        "Cube action: your checkers in rows, the opponent's in columns",
        ("you", *(label.replace("-", "\n") for label in labels)),
        tuple(
            (label, *(_LETTERS[action] for action in row))
            for label, row in zip(labels, region.tolist(), strict=True)
        ),
        (1.9, *(1.0 for _ in sides)),
        tuple(map(tuple, region.tolist())),
    )
    return Sheet(
        "two-checkers",
        "The last two checkers",
        "How often a side bears off its last one or two checkers with the best plays. "
        "For two checkers, look up the higher point first. The table of cube actions "
        "is for money play, with you on roll. N: no double; D: double, but no "
        "redouble; R: double or redouble; P: double, and the opponent passes. With D "
        "or R, the opponent takes.",
        (
            chances(
                "Number of the 36 throws that bear off in one roll",
                lambda left: f"{left.in_one}",
            ),
            chances(
                "Probability of bearing off within two rolls (%)",
                lambda left: _percent(left.in_two / THROWS**2),
            ),
            actions,
        ),
        (
            "The chances are exact, over all throws and plays. The cube actions are "
            "exact, from the two-sided table. If the opponent is sure to bear off on "
            "the next roll, double if 18 or more of the 36 throws win for you. The "
            "opponent should pass if at least 28 of the 36 throws win for you. With 27 "
            "winning throws, a take and a pass are equally good.",
        ),
        ("high", "low", "throws_of_36", "throws_of_1296"),
        tuple((left.high, left.low, left.in_one, left.in_two) for left in found.values()),
        n_rolls.REGIONS,
    )


def gold_standard_sheet(pips: gold.GoldStandard, epc: gold.GoldStandard) -> Sheet:
    """Return the sheet of doubling, redoubling and take points by the roller's count."""
    return Sheet(
        "gold-standard",
        "Doubling, redoubling and take points: the gold standard",
        "Find your count on the left. The entries are counts of the opponent, for "
        "money play. Each method has three entries: for the double, the redouble and "
        "the last take. Double if the opponent's count is at least the first entry, "
        "and redouble if it is at least the second. The opponent takes if their count "
        "is at most the third entry. At counts in parentheses, the right action "
        "depends on the position.",
        (_gold_table(pips), _gold_table(epc)),
        (
            "The exact entries come from the positions with all checkers home and exact "
            f"equities of the {pips.source}. These entries are smoothed over two "
            "counts to each side. From the entries for double and redouble on, the "
            "action gains on average; up to the entry for the take, a take does. At "
            "counts in parentheses, the action is right in 5% to 95% of positions. "
            f"The table by pips is for sides that waste at most {pips.wastage:g} pips, "
            "the table by EPC for all sides. An entry is blank if fewer than 500 "
            "positions are near its counts. If neither side wins more than 90% of the "
            "games, fewer than one game in 2,000 is a gammon.",
            "The entries of the fast model are estimates without gammons "
            "(docs/rollouts.md). By EPC, these entries are for typical sides; by "
            f"pips, for sides that waste {gold.FAST_MODEL_WASTAGE:g} pips. The entries "
            "of keith and other rules with adjustments are for sides to which no "
            "adjustment applies.",
        ),
        _GOLD_COLUMNS,
        tuple(
            data
            for table in (pips, epc)
            for row in table.rows
            for data in _gold_data(table.measure, row)
        ),
    )


_GOLD_COLUMNS = (
    "measure", "roller", "by", "double", "redouble", "last_take",
    "double_from", "double_to", "redouble_from", "redouble_to",
    "last_take_from", "last_take_to", "frequency",
)  # fmt: skip


def _gold_table(found: gold.GoldStandard) -> SheetTable:
    rules = list(found.rows[0].rules)
    title = {
        "pips": f"By pips, for sides that waste at most {found.wastage:g} pips"
        if found.wastage
        else "By pips",
        "epc": "By EPC",
    }[found.measure]
    head = ("you", "double,\nexact", "redouble,\nexact", "last take,\nexact", "fast model")
    return SheetTable(
        title,
        (*head, *rules),
        tuple(_gold_cells(row) for row in found.rows),
        (0.6, 1.5, 1.5, 1.5, *(1.65 for _ in range(1 + len(rules)))),
    )


def _gold_cells(row: gold.GoldRow) -> tuple[str, ...]:
    fields = ("double", "redouble", "last_take")

    def at(points: gold.GoldPoints, field: str) -> str:
        return mixed(row.count + getattr(points, field))

    exact = ["", "", ""]
    if row.exact and row.zone_from and row.zone_to:
        exact = [
            f"{at(row.exact, f)} ({at(row.zone_from, f)}–{at(row.zone_to, f)})"
            for f in fields
        ]
    others = (row.model, *row.rules.values())
    between = " / " if len(others) <= _FEW_RULES else "/"
    return (
        f"{row.count:g}",
        *exact,
        *(between.join(at(points, f) for f in fields) for points in others),
    )


def _gold_data(measure: str, row: gold.GoldRow) -> list[DataRow]:
    """Return CSV rows with the opponent's counts at the doubling and take points."""
    lines: list[DataRow] = []
    if row.exact and row.zone_from and row.zone_to:
        low, high = row.zone_from, row.zone_to
        zones = (
            low.double, high.double, low.redouble, high.redouble,
            low.last_take, high.last_take,
        )  # fmt: skip
        lines.append(
            _gold_line(measure, row.count, "exact", row.exact, zones, row.frequency)
        )
    for name, points in {"fast model": row.model, **row.rules}.items():
        lines.append(_gold_line(measure, row.count, name, points, (None,) * 6, None))
    return lines


def _gold_line(
    measure: str,
    count: float,
    by: str,
    points: gold.GoldPoints,
    zones: tuple[float | None, ...],
    met: float | None,
) -> DataRow:
    leads = (points.double, points.redouble, points.last_take)
    ends = (None if end is None else count + end for end in zones)
    return (measure, count, by, *(count + lead for lead in leads), *ends, met)


def _percent(chance: float, digits: int = 1) -> str:
    """Format a percentage; only a certain result is shown as 0 or 100."""
    text = f"{100 * chance:.{digits}f}"
    if chance in (0, 1):
        return f"{100 * chance:.0f}"
    if digits and text in ("0.0", "100.0"):
        return "<0.1" if chance < 0.5 else ">99.9"
    return text
