"""Facts for the paper about position numbers and the exact tables."""

import re
from fractions import Fraction

import numpy as np

from bearoff import CHECKERS, PIPS_PER_ROLL, POINTS, Position, rank
from research.paper.facts import Facts, percent, short
from research.paper.results import Results

EXAMPLE = (3, 3, 2, 0, 2, 1)
"""Position that Benjamin and Ross use as an example for their numbering."""


def gather(results: Results, facts: Facts) -> None:
    """Add facts about position numbers and the one- and two-sided tables to `facts`."""
    _numbering(results, facts)
    _fewest_rolls(results, facts)
    _errors(results, facts)
    _gammons(results, facts)
    build = results.page("two-sided/build-15.md")
    planes = build.table("plane", "GB")
    facts.put(
        exact__planes=len(planes),
        exact__gigabytes=f"{sum(float(row['GB']) for row in planes):.1f}",
        exact__seconds=build.find(r"all eight planes took (\d+) s by the clock"),
    )
    storage = results.page("two-sided/storage.md").table("format", "cubeless, bits")
    pairs = float(facts.values["exact.pairs"].replace(",", ""))
    bits = {row["plane"].strip("`"): 8e9 * float(row["GB"]) / pairs for row in planes}
    facts.put(
        exact__bits_before=storage[0]["cubeless, bits"],
        exact__bits=f"{bits['cubeless']:.1f}",
        exact__bits_cubeful=f"{bits['opponent']:.1f}",
    )


def _numbering(results: Results, facts: Facts) -> None:
    sizes = results.page("one-sided/build-12.md").table("points", "positions", "MB")
    positions = sizes[0]["positions"]
    example = Position(EXAMPLE)
    dense = (CHECKERS + 1) ** (POINTS + 1) / float(positions.replace(",", ""))
    facts.put(
        numbering__positions=positions,
        dice__mean=Fraction(PIPS_PER_ROLL).limit_denominator(36),
        numbering__points=POINTS,
        numbering__checkers=CHECKERS,
        numbering__dense=f"{dense:,.0f}",
        numbering__example=str(example),
        numbering__example_number=f"{int(rank([EXAMPLE])[0]):,}",
    )
    facts.put_table(
        "numbering.sizes",
        ("points", "positions", "size in MB", "checksum"),
        [
            (row["points"], row["positions"], row["MB"], row["digest"].strip("`")[:12])
            for row in sizes
        ],
    )


def _fewest_rolls(results: Results, facts: Facts) -> None:
    cells = results.rows("two-sided/fewest-rolls-15.parquet")
    pairs = sum(cell["pairs"] for cell in cells)
    rolls = sum(cell["rolls"] for cell in cells)
    widest = max(cells, key=lambda cell: cell["gap_most"])
    costliest = max(cells, key=lambda cell: cell["loss_most"])
    page = results.page("two-sided/fewest-rolls-15.md")
    facts.put(
        exact__pairs=pairs,
        exact__billion=f"{pairs / 1e9:.1f}",
        exact__gap_mean=percent(sum(c["gap_mean"] * c["pairs"] for c in cells) / pairs, 3),
        exact__gap_most=percent(widest["gap_most"], 3),
        exact__gap_roller=_side(widest["gap_roller"]),
        exact__gap_opponent=_side(widest["gap_opponent"]),
        exact__rolls=rolls,
        exact__rolls_worse=percent(sum(c["rolls_worse_0"] for c in cells) / rolls, 1),
        exact__loss_mean=percent(
            sum(c["loss_mean"] * c["rolls"] for c in cells) / rolls, 4
        ),
        exact__loss_most=percent(costliest["loss_most"], 1),
    )
    shares = page.table("share of pairs", under="## Difference")[0]
    columns = list(shares)[1:]
    facts.put_table(
        "exact.gaps",
        ("share of pairs", *columns),
        [("largest difference", *(shares[column] for column in columns))],
    )


def _side(number: int) -> str:
    from bearoff import unrank

    return ",".join(map(str, np.asarray(unrank(number)).ravel().tolist()))


def _errors(results: Results, facts: Facts) -> None:
    """Add the stated errors and the largest measured errors of table values to `facts`."""
    from bearoff.two_sided import codings

    facts.put(
        proof__unit=f"1/{codings.ONE:,}",
        proof__turns=codings.TURNS,
        proof__bound=short(codings.TURNS / 2 / codings.ONE),
    )
    rows = results.page("two-sided/accuracy.md").table("points", "checkers, of", "pairs")
    planes = ("cubeless", "opponent", "owned", "centred")
    stated = next(row for row in rows if "stated" in row.values())
    seen = rows[: rows.index(stated)]
    largest = {
        plane: max(float(row[plane].split(",")[0]) for row in seen) for plane in planes
    }
    facts.put(
        exact__compared=f"{sum(int(row['pairs'].replace(',', '')) for row in seen):,}",
        exact__error_most=short(max(float(stated[plane]) for plane in planes)),
    )
    facts.put_table(
        "exact.errors",
        ("plane", "stated error", "largest difference", "share of the stated error"),
        [
            (
                plane,
                short(float(stated[plane])),
                short(largest[plane]),
                percent(largest[plane] / float(stated[plane]), 0),
            )
            for plane in planes
        ],
    )


def _gammons(results: Results, facts: Facts) -> None:
    page = results.page("two-sided/gammons-15.md")
    facts.put(
        gammons__pairs=page.find(r"All ([\d,]+) pairs in which a side has"),
        gammons__off=short(float(page.find(r"error of a value is at most ([\d.e-]+),"))),
        gammons__both=page.table("checkers", "largest", under="## Both have")[0]["largest"],
    )
    rows = page.table("value of gammons, at least", "pairs")
    facts.put_table(
        "gammons.worth",
        ("value of gammons, points, at least", "pairs", "share of pairs"),
        [list(row.values()) for row in rows],
    )
    worth = page.table("roller's checkers", "largest", under="## The opponent has")
    facts.put_table(
        "gammons.by_checkers",
        ("checkers left", "largest value", "largest error with fewest-rolls play"),
        [
            (row["roller's checkers"], row["largest"], row["error of fewest-rolls play"])
            for row in worth
            if re.fullmatch(r"\d*[13579]", row["roller's checkers"])
        ],
    )
