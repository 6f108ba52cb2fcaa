"""Page of tables about the cost of people's decisions in races."""

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
"""Classes of races, by pip count of the side on roll."""

_FAR = "match, 5 away or more"

_FEWEST = 30
"""Minimum number of decisions for a row."""

_FEATURES = {
    "gaps": "gap on the four, five and six point",
    "tallest": "checker of the tallest stack at home",
    "crossovers": "crossover to home",
    "outside": "checker beyond home",
    "odd": "odd number of checkers",
}


_LIMITS = """The people are two collectors and those who met them online, not a sample of
all players. Beyond home, and at home where the fast model is sure, costs are the model's,
with its [errors](../race-model/at-scores.md). These make people's choices look neither
better nor worse, but no such cost is exact. The rules are for money and are applied
unchanged at every score."""


def write_lost_page(lost: Lost, path: Path, of: str) -> Path:
    """Write the page."""
    return write_text(lost_page(lost, of), path)


def lost_page(lost: Lost, of: str) -> str:
    """Return the page as Markdown."""
    people = len(np.unique(lost["person"]))
    cost = lost["cost"].astype(float)
    a_match = len(lost) / lost.matches
    points = lost["points"].astype(float)
    by_match = mean(lost["match"], points)
    by_person = mean(lost["person"], points)
    chance = np.nan_to_num(lost["chance"].astype(float))
    chances = mean(lost["match"], chance)
    exact = np.mean(lost["method"] == "exact")
    head = f"""From `python -m research.lost`. {of}

{len(lost):,} decisions in the races of {lost.matches:,} matches, by {people:,} people, both
sides alike; {exact:.0%} of them judged exactly, where the fast model leaves a race at home
open, the others by the fast model. Kept are numbers, no names and no files. Costs are EMG:
1 is what the cube shows. *Points* are EMG times the cube, *mistakes* cost more than their
error. Intervals are of 95%, of matches drawn anew; by person where it says so.

- **A match**: both sides together lose {_scaled(by_match, a_match)} points in its races
  (by person {_range(by_person, a_match)}), {_scaled(chances, 100 * a_match)}% of the match.
- **A decision** costs {1000 * cost.mean():.2f} thousandths; {mistakes(lost).mean():.1%} are
  mistakes, and the costliest {_share(cost)} of decisions cost half of all.
- **Races at home** are {_of_all(lost, lost["home"].astype(bool))}."""
    return markdown_page(
        [
            "# Errors of people in races",
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
            _groups(lost, [(s, lost["stakes"] == s) for s in np.unique(lost["stakes"])]),
            "## Mistakes with the cube",
            _wrong(lost),
            "## Beside simple rules",
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
    head = ["", "decisions", "mistakes", "lost, EMG/1000 a decision", "95%", "of all"]
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
        ["", "so decided", "wrong", "a mistake costs, EMG/1000", "of all"], rows
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
    text = f"""What each of the [formulas](../../docs/formulas.md), which know money alone,
would have lost in the same {cube.sum():,} cube decisions, in EMG/1000 a decision: in all,
in the {close.sum():,} near ones, whose two choices are under {NEAR} apart, and in the
{far.sum():,} with both sides 5 points away or more. At other scores every rule for money is
bad, because it doubles where that wins nothing or gives the match away. *Saved* is what a
player would save who follows the rule in near decisions only, in EMG a match. Left out are
{good.sum():,} in which it is too good to double: the rules know no gammons."""
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
        "Mean increase of the cost of a decision when a feature of the deciding side "
        "increases by 1."
    )
    head = ["decisions", "feature", "EMG/1000", "95%"]
    return f"{text}\n\n{markdown_table(head, rows)}"


def _thousandths(cost: NDArray[np.float64]) -> str:
    return f"{1000 * cost.mean():.2f}" if len(cost) else ""


def _share(cost: NDArray[np.float64]) -> str:
    """Return the share of decisions that have half of the total cost."""
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
