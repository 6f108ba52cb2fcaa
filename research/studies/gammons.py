"""Value of gammons in all pairs of positions in which a gammon can still be lost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import TwoSidedTable, position_count, unrank
from bearoff.analysis.output import markdown_page, markdown_table, write_text
from bearoff.one_sided import gammons as one_sided_gammons
from bearoff.positions import POINTS, Position
from bearoff.two_sided import pair_order

Int64Array = NDArray[np.int64]
Float64Array = NDArray[np.float64]

STEP = 1 / 131070
"""Difference in equity, in points, between two neighbouring stored values of the table."""

WORTHS = (1e-4, 1e-3, 1e-2, 1e-1)
"""Values of gammons in points. For each value, the study counts the pairs of positions with
at least this value."""


@dataclass(frozen=True, eq=False)
class GammonStudy:
    """Values of gammons in a two-sided table: how much gammons add to equities.

    Arrays are indexed by the number of the roller's and of the opponent's checkers on the
    board. Only entries in which at least one side has all its checkers on the board are
    used.

    Attributes
    ----------
    checkers : int
        Number of checkers per side at the start.
    pairs : ndarray of int64, shape (n + 1, n + 1)
        Number of pairs in which both sides have checkers on the board.
    counts : ndarray of int64, shape (n + 1, n + 1, len(WORTHS))
        Number of pairs in which the value of gammons, for either side, is at least each
        number in `WORTHS`.
    most : ndarray of float64, shape (n + 1, n + 1)
        Largest value of gammons in points, for either side.
    pair : ndarray of int64, shape (n + 1, n + 1, 2)
        Position numbers of the roller and the opponent with the largest value of gammons;
        -1 if there is no such pair.
    miss : ndarray of float64, shape (n + 1, n + 1)
        Largest error of `gammon_chance` as an estimate of the value of gammons.
    """

    checkers: int
    pairs: Int64Array
    counts: Int64Array
    most: Float64Array
    pair: Int64Array
    miss: Float64Array


def study_gammons(
    table: TwoSidedTable,
    *,
    workers: int = 1,
    progress: Callable[[float], None] = lambda done: None,
) -> GammonStudy:
    """Compute the value of gammons in all pairs of a table in which a gammon can be lost.

    Parameters
    ----------
    table : TwoSidedTable
        Table of 6 points, with as many checkers per side as at the start.
    workers : int
        Number of threads.
    progress : callable
        Function called with the completed fraction, 0 to 1.

    Raises
    ------
    TableError
        If the table has no gammons, or the plane is missing or damaged.
    """
    checkers = table.checkers
    blocks = _Blocks(table)
    total = blocks.total
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(blocks.study, range(total))
        found = next(parts)
        for done, part in enumerate(parts, start=2):
            found += part
            progress(done / total)
    in_group = np.bincount(blocks.group[blocks.group > 0], minlength=checkers + 1)
    return GammonStudy(
        checkers,
        np.outer(in_group, in_group),
        found.counts,
        np.asarray(found.most * STEP, dtype=np.float64),
        found.pair,
        np.asarray(found.miss * STEP, dtype=np.float64),
    )


@dataclass(frozen=True, eq=False)
class _Tally:
    """Results for a part of the table; ``+`` combines the results for two parts."""

    counts: Int64Array
    most: Int64Array
    pair: Int64Array
    miss: Float64Array

    def __add__(self, other: "_Tally") -> "_Tally":
        larger = (other.most > self.most)[..., None]
        return _Tally(
            self.counts + other.counts,
            np.maximum(self.most, other.most),
            np.where(larger, other.pair, self.pair),
            np.maximum(self.miss, other.miss),
        )


class _Blocks:
    """Stored values of gammons, and roll distributions that are used to estimate them."""

    def __init__(self, table: TwoSidedTable) -> None:
        # The plane `points` stores how much gammons add to the equity, not the whole
        # equity.
        self._plane = table.plane_values.plane("points")
        self._checkers = table.checkers
        places = table.places
        self.total, self._size, slots = places.blocks, places.size, places.slots
        numbers = np.arange(position_count(POINTS, self._checkers))
        self._number = np.zeros(self._size, dtype=np.int64)
        self._number[slots] = numbers
        self.group = np.zeros(self._size, dtype=np.int64)
        self.group[slots] = unrank(numbers, POINTS, self._checkers).sum(axis=1)
        tails = one_sided_gammons.fewest_rolls_tails(self._checkers)
        self._after, self._before, self._idle = (tail[self._number] for tail in tails)

    def study(self, block: int) -> _Tally:
        """Count the pairs of all opponents with the rollers in one block of the table."""
        from research.studies.two_sided_kernels import GammonCounts, Pairs, count_gammons

        lanes = np.arange(block * pair_order.LANES, (block + 1) * pair_order.LANES)
        side = self._checkers + 1
        counts = np.zeros((side, side, len(WORTHS)), dtype=np.int64)
        most = np.zeros((side, side), dtype=np.int64)
        where = np.full((side, side, 2), -1)
        miss = np.zeros((side, side))
        after, idle = (
            np.ascontiguousarray(tail[lanes].T) / STEP for tail in (self._after, self._idle)
        )
        count_gammons(
            self._plane.read(slice(block, block + 1), slice(0, self._size))[0],
            (self._before, self._after),
            (after, idle),
            Pairs(self.group, self.group[lanes]),
            GammonCounts(
                self._checkers,
                np.rint(np.array(WORTHS) / STEP).astype(np.int64),
                counts,
                most,
                where,
                miss,
            ),
        )
        pair = np.stack(
            [self._number[lanes[where[..., 1]]], self._number[where[..., 0]]], axis=-1
        )
        return _Tally(counts, most, np.where(where < 0, -1, pair), miss)


def write_gammon_study(study: GammonStudy, folder: str | Path) -> Path:
    """Write the page of the gammon study into a folder; return its path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return write_text(page(study), folder / f"gammons-{study.checkers:02}.md")


def page(study: GammonStudy) -> str:
    """Return the results of the gammon study as a Markdown page."""
    full = study.checkers
    ahead = [(n, full) for n in range(1, full)]
    behind = [(full, n) for n in range(1, full)]
    affected = int(study.pairs[full].sum() + study.pairs[:full, full].sum())
    counts = study.counts.sum(axis=(0, 1))
    parts = [
        f"# Value of gammons, {full} checkers a side",
        "The value of gammons is the roller's equity with gammons minus the equity "
        "without gammons, in points, without a cube. For the equity with gammons and for "
        "the equity without gammons, both sides play optimally. `python -m "
        f"research.gammons --checkers {full}` computes this value from the two-sided "
        f"table. All {affected:,} pairs in which a side has {full} checkers on the board "
        "are counted. In all other pairs, nobody can lose a gammon. The error of a value "
        f"is at most 2e-05, and the table stores values in steps of {STEP:.1e}. The last "
        "column of a table is the largest difference between this value and the gammon "
        "chance if both sides play for the fewest rolls.",
        markdown_table(
            ["value of gammons, at least", "pairs", "share of these pairs"],
            [
                [f"{worth:g}", f"{count:,}", f"{count / affected:.4%}"]
                for worth, count in zip(WORTHS, counts, strict=True)
            ],
        ),
        f"## The opponent has {full} checkers on the board",
        _table(study, ahead, "roller's checkers"),
        f"## The roller has {full} checkers on the board",
        _table(study, behind, "opponent's checkers"),
        f"## Both have {full} checkers on the board",
        _table(study, [(full, full)], "checkers"),
    ]
    return markdown_page(parts)


def _table(study: GammonStudy, groups: list[tuple[int, int]], name: str) -> str:
    return markdown_table(
        [name, "pairs", *(f"at least {w:g}" for w in WORTHS), "largest", "roller",
         "opponent", "error of fewest-rolls play"],
        [
            [
                str(min(x, y)),
                f"{study.pairs[x, y]:,}",
                *(f"{count:,}" for count in study.counts[x, y]),
                f"{study.most[x, y]:.5f}",
                *(_counts(int(number)) for number in study.pair[x, y]),
                f"{study.miss[x, y]:.5f}",
            ]
            for x, y in groups
        ],
    )  # fmt: skip


def _counts(number: int) -> str:
    return "" if number < 0 else ",".join(map(str, Position.from_number(number).counts))
