"""Page with tables on the cost of people's decisions in races."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.output import markdown_page, markdown_table, write_text
from bearoff.analysis.progress import ClusteredMean, difference, mean, regress
from research.studies.lost import COUNTED, NEAR, RULES, Lost, mistakes, near

BoolArray = NDArray[np.bool_]

_LENGTHS = (
    (0, 20, "up to 20 pips"),
    (21, 40, "21 to 40"),
    (41, 70, "41 to 70"),
    (71, 375, "over 70"),
)
"""Classes of race length, by pip count of the side on roll."""

_FAR = "match, 5 away or more"

_STAKES = {
    "match, 2 to 4 away": "match score, the leader 2 to 4 points away",
    _FAR: "match score, both sides at least 5 points away",
}
"""Rows of the page for categories of stakes whose names are short."""

_FEWEST = 30
"""Minimum number of decisions for a row of a table."""

_FEATURES = {
    "gaps": "number of gaps on the four, five and six points",
    "tallest": "number of checkers on the tallest stack at home",
    "crossovers": "number of crossovers to home",
    "outside": "number of checkers beyond home",
    "odd": "odd number of checkers",
}


_LIMITS = """Two players collected the matches, so the people who played them are not a
representative sample of all players. Beyond home, and at home where the fast model is
clear, costs are estimates by the fast model, with its [errors](../race-model/at-scores.md).
The errors of the fast model do not favour or disfavour the choices of people, but no cost
that the fast model estimates is exact. The
formulas are for money and were applied unchanged at every score."""


def write_lost_page(lost: Lost, path: Path, of: str) -> Path:
    """Write a page on the cost of people's decisions to a file."""
    return write_text(lost_page(lost, of), path)


def lost_page(lost: Lost, of: str) -> str:
    """Return the cost of people's decisions in races as a Markdown page."""
    people = len(np.unique(lost["person"]))
    cost = lost["cost"].astype(float)
    a_match = len(lost) / lost.matches
    points = lost["points"].astype(float)
    by_match = mean(lost["match"], points)
    by_person = mean(lost["person"], points)
    chance = np.nan_to_num(lost["chance"].astype(float))
    chances = mean(lost["match"], chance)
    exact = np.mean(lost["method"] == "exact")
    head = f"""`python -m research.lost` computed this page. {of}

The page judges {len(lost):,} decisions in the races of {lost.matches:,} matches between
{people:,} people. The decisions of both sides of a match are counted. Decisions in races at
home for which the answer of the fast model was not clear are judged exactly ({exact:.0%} of
all decisions). All other decisions are judged by the fast model. Names of people and match
files were not stored. Costs are in EMG, which are multiples of the cube value. Costs in
*points* are costs in EMG times the cube value. *Mistakes* are decisions that cost more than
the error of their cost. Ranges in parentheses are 95% confidence intervals, computed by
resampling the matches, or by resampling the people if the text says "by person".

- **A match**: both sides together lose {_scaled(by_match, a_match)} points in its races
  (by person {_range(by_person, a_match)}), or {_scaled(chances, 100 * a_match)}% of the
  chance to win the match.
- **A decision** costs {1000 * cost.mean():.2f} thousandths of an EMG on average. Mistakes
  are {mistakes(lost).mean():.1%} of the decisions. The costliest {_share(cost)} of the
  decisions cause half of the total cost.
- **Races at home** are {_of_all(lost, lost["home"].astype(bool))}."""
    return markdown_page(
        [
            "# Errors of players in races",
            head,
            "## By kind of decision",
            _groups(lost, [(k, lost["kind"] == k) for k in ("play", "double", "take")]),
            "## By length of the race",
            _groups(
                lost,
                [
                    (name, (lost["pips"] >= low) & (lost["pips"] <= high))
                    for low, high, name in _LENGTHS
                ],
            ),
            "## By score",
            _groups(
                lost,
                [
                    (_STAKES.get(s, s), lost["stakes"] == s)
                    for s in np.unique(lost["stakes"])
                ],
            ),
            "## Mistakes with the cube",
            _wrong(lost),
            "## Comparison with simple rules",
            _rules(lost),
            "## Misleading features",
            _features(lost),
            "## Limits",
            _LIMITS,
        ]
    )


def _groups(lost: Lost, groups: Sequence[tuple[str, BoolArray]]) -> str:
    rows = []
    wrong, cost = mistakes(lost), lost["cost"].astype(float)
    total = cost.sum()
    for name, of in groups:
        if of.sum() < _FEWEST:
            continue
        found = mean(lost["match"][of], 1000 * cost[of])
        rows.append(
            [
                str(name),
                f"{of.sum():,}",
                f"{wrong[of].mean():.1%}",
                f"{found.value:.2f}",
                _range(found, 1),
                f"{cost[of].sum() / total:.0%}",
            ]
        )
    head = ["", "decisions", "mistakes", "mean cost, EMG/1000", "95%", "share of cost"]
    return markdown_table(head, rows)


def _wrong(lost: Lost) -> str:
    cost, decided = lost["cost"].astype(float), lost["decided"]
    chosen = {
        "missed doubles": decided == "no double",
        "wrong doubles": decided == "double",
        "wrong takes": decided == "take",
        "wrong passes": decided == "pass",
    }
    wrong = mistakes(lost)
    rows = [
        [
            name,
            f"{of.sum():,}",
            f"{(of & wrong).sum():,}",
            _thousandths(cost[of & wrong]),
            f"{cost[of].sum() / cost.sum():.0%}",
        ]
        for name, of in chosen.items()
    ]
    return markdown_table(
        ["", "decisions", "mistakes", "cost per mistake, EMG/1000", "share of cost"], rows
    )


def _rules(lost: Lost) -> str:
    good = lost["best"] == "too good to double"
    cube, close = (lost["kind"] != "play") & ~good, near(lost) & ~good
    far = cube & (lost["stakes"] == _FAR)
    cost, match = lost["cost"].astype(float), lost["match"]
    rows = [["people", *(_thousandths(cost[of]) for of in (cube, close, far)), "", ""]]
    for rule in RULES:
        theirs = lost[rule].astype(float)
        saved = difference((match[close], cost[close]), (match[close], theirs[close]))
        a_match = close.sum() / lost.matches
        rows.append(
            [
                rule,
                *(_thousandths(theirs[of]) for of in (cube, close, far)),
                f"{saved.value * a_match:+.4f}",
                _range(saved, a_match, sign="+"),
            ]
        )
    text = f"""The table compares the cube decisions of people with the decisions of a
[formula](../../docs/formulas.md) in the same positions. It shows the mean cost in
thousandths of an EMG: over all {cube.sum():,} decisions, over the {close.sum():,} *near*
decisions, whose two choices differ by less than {NEAR} EMG, and over the {far.sum():,}
decisions with both sides at least 5 points away. The formulas are for money. At scores that
differ much from money play, the formulas lose more, because they double where a double wins
nothing or gives the match away. *Saved* is the equity per match, in EMG, that a player
would save by following the formula in near decisions only. The table leaves out
{good.sum():,} decisions in positions
that are too good to double, because the formulas ignore gammons."""
    head = ["", "all", "near", "5 away or more", "saved", "95%"]
    return f"{text}\n\n{markdown_table(head, rows)}"


def _features(lost: Lost) -> str:
    rows = []
    columns = np.column_stack([lost[name] for name in COUNTED]).astype(float)
    match, cost = lost["match"].astype(np.int64), 1000 * lost["cost"].astype(float)
    for what, of in (("plays", lost["kind"] == "play"), ("cube", lost["kind"] != "play")):
        slopes, errors = regress(cost[of], columns[of], match[of])
        for name, slope, e in zip(COUNTED, slopes, errors, strict=True):
            interval = f"{slope - 1.96 * e:+.2f} to {slope + 1.96 * e:+.2f}"
            rows.append([what, _FEATURES[name], f"{slope:+.2f}", interval])
    text = (
        "The table shows by how much the mean cost of a decision increases if a "
        "feature of the deciding side increases by 1. The increases in the table come "
        "from a linear regression of the cost on all features."
    )
    head = ["decisions", "feature", "EMG/1000", "95%"]
    return f"{text}\n\n{markdown_table(head, rows)}"


def _thousandths(cost: NDArray[np.float64]) -> str:
    return f"{1000 * cost.mean():.2f}" if len(cost) else ""


def _share(cost: NDArray[np.float64]) -> str:
    """Return the share of the decisions, costliest first, that makes up half the cost."""
    costly = np.sort(cost)[::-1].cumsum()
    return f"{(np.searchsorted(costly, costly[-1] / 2) + 1) / len(cost):.1%}"


def _of_all(lost: Lost, of: BoolArray) -> str:
    cost = lost["cost"].astype(float)
    share = cost[of].sum() / cost.sum()
    return f"{of.mean():.0%} of the decisions and {share:.0%} of the cost"


def _scaled(found: ClusteredMean, scale: float) -> str:
    return f"{found.value * scale:.3f} ({_range(found, scale)})"


def _range(found: ClusteredMean, scale: float, sign: str = "") -> str:
    if found.low is None or found.high is None:
        return ""
    digits = 2 if scale == 1 else 3 if not sign else 4
    return f"{found.low * scale:{sign}.{digits}f} to {found.high * scale:{sign}.{digits}f}"
