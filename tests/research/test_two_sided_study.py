"""Studies of tables of four checkers compared with enumeration of all plays."""

from functools import cache
from itertools import product

import numpy as np
import pyarrow.parquet as pq
import pytest

import bearoff
from bearoff.positions.numbering import POINTS
from oracles import reference
from oracles.reference import THROWS
from research.studies.two_sided import CODE, LOSSES, PER_BIN, study_two_sided
from research.studies.two_sided_page import groups, write_two_sided_study
from research.studies.worst_plays import worst_play

SIDE = 4
POSITIONS = reference.all_positions(POINTS, SIDE)
ERROR = 1.6e-5
"""Bound of the rounding error of a stored win probability."""


@cache
def optimal(roller, opponent):
    if not roller:
        return 1.0
    if not opponent:
        return 0.0
    return sum(max(chances(roller, opponent, roll).values()) * weight for roll, weight in
               zip(bearoff.ROLLS, bearoff.WEIGHTS, strict=True)) / len(THROWS)  # fmt: skip


def chances(roller, opponent, roll):
    """Return the win probability after each play of a roll."""
    afters = reference.successors(roller, *roll)
    return {after: 1.0 - optimal(opponent, after) for after in afters}


@cache
def convolved(roller, opponent):
    laws = map(reference.distribution, (roller, opponent))
    mine, theirs = (np.array(law, dtype=float) for law in laws)
    return sum(chance * theirs[n:].sum() for n, chance in enumerate(mine))


fewest_rolls_play = cache(reference.fewest_rolls_play)


def losses(roller, opponent):
    for roll in bearoff.ROLLS:
        after = chances(roller, opponent, roll)
        yield max(after.values()) - after[fewest_rolls_play(roller, *roll)]


@pytest.fixture(scope="module")
def study():
    bearoff.build_two_sided_table(SIDE, cube=False, workers=2)
    return study_two_sided(SIDE, workers=2)


@pytest.fixture(scope="module")
def gaps():
    return np.array(
        [[optimal(x, y) - convolved(x, y) for y in POSITIONS[1:]] for x in POSITIONS[1:]]
    )


@pytest.fixture(scope="module")
def lost():
    """Return for every pair and roll the win probability that fewest-rolls play loses."""
    return np.array([[list(losses(x, y)) for y in POSITIONS[1:]] for x in POSITIONS[1:]])


GROUP = np.array([len(position) for position in POSITIONS[1:]])


def test_gaps(study, gaps):
    assert study.histogram.sum() == gaps.size
    for x, y in product(range(1, SIDE + 1), repeat=2):
        mine = np.abs(gaps[np.ix_(x == GROUP, y == GROUP)])
        assert study.pairs[x, y] == mine.size
        assert study.gap_total[x, y] == pytest.approx(mine.sum(), abs=mine.size * ERROR)
        assert study.gap_most[x, y] == pytest.approx(mine.max(), abs=ERROR)
        roller, opponent = study.gap_pair[x, y]
        assert abs(gaps[roller - 1, opponent - 1]) >= mine.max() - 2 * ERROR
        assert (GROUP[roller - 1], GROUP[opponent - 1]) == (x, y)


def test_signs_and_quantiles_of_gaps(study, gaps):
    middle = len(study.histogram) // 2
    counted = np.arange(len(study.histogram)) - middle
    for limit in (-0.005, -0.001, 0.001, 0.005):
        known = study.histogram[counted >= limit * PER_BIN].sum()
        assert (gaps > limit + 1.5e-5).sum() <= known <= (gaps > limit - 1.5e-5).sum()
    largest = np.flatnonzero(study.histogram)[[0, -1]] - middle
    assert largest / PER_BIN == pytest.approx([gaps.min(), gaps.max()], abs=1.5e-5)
    for share in (0.5, 0.9, 0.99, 0.9999, 1.0):
        exact = np.quantile(np.abs(gaps), share, method="inverted_cdf")
        assert study.gap_quantile(share) == pytest.approx(exact, abs=1.5e-5)


def test_plays(study, lost):
    assert study.cells == lost.size
    weights = np.array(bearoff.WEIGHTS) / len(THROWS)
    for x, y in product(range(1, SIDE + 1), repeat=2):
        mine = lost[np.ix_(x == GROUP, y == GROUP)]
        for k, loss in enumerate(LOSSES):
            surely, perhaps = ((mine > loss + d).sum() for d in (2 * ERROR, -2 * ERROR))
            assert surely <= study.worse[x, k, y] <= perhaps
        means = mine @ weights
        assert study.loss_total[x, y] == pytest.approx(means.sum(), abs=means.size * ERROR)
        assert study.loss_most[x, y] == pytest.approx(mine.max(), abs=2 * ERROR)
        roller, opponent = study.loss_pair[x, y]
        if roller > 0:
            assert lost[roller - 1, opponent - 1].max() >= mine.max() - 4 * ERROR


def test_equal_plays_are_no_mistakes_and_the_costliest_is_known(study, lost):
    # Some plays are exactly equal, and none of them may count as worse.
    assert (lost == 0).sum() > 0.9 * lost.size
    assert study.worse[:, 0].sum() <= (lost > CODE).sum()
    assert study.loss_most[1].max() == study.loss_most[2].max() == 0
    assert study.loss_most.max() == pytest.approx(lost.max(), abs=2 * ERROR)
    pair = study.loss_pair[4, 4] if study.loss_most[4, 4] else study.loss_pair[4, 3]
    play = worst_play(study.table, *pair)
    assert play.loss == pytest.approx(study.loss_most[4].max(), abs=1e-5)
    pair = bearoff.rank([[0, 0, 0, 3, 0, 1], [2, 0, 0, 0, 1, 0]])
    play = worst_play(study.table, *pair)
    assert (play.roll, play.fewest_rolls, play.best) == ((2, 1), "4/3 4/2", "6/3")
    exact = chances((4, 4, 4, 6), (1, 1, 5), (2, 1))
    assert play.best_chance == pytest.approx(exact[3, 4, 4, 4], abs=ERROR)
    assert play.fewest_rolls_chance == pytest.approx(exact[2, 3, 4, 6], abs=ERROR)


def test_workers_do_not_matter(study):
    alone = study_two_sided(SIDE, workers=1)
    for name in ("histogram", "gap_pair", "loss_pair", "gap_total"):
        assert (getattr(alone, name) == getattr(study, name)).all(), name


def test_what_is_written(study, tmp_path):
    written = write_two_sided_study(study, tmp_path / "new")
    names = [path.name for path in written]
    assert names == [f"fewest-rolls-04.{end}" for end in ("md", "png", "parquet")]
    table = pq.read_table(written[2])
    assert table.equals(groups(study), check_metadata=True)
    assert table["pairs"].to_pylist()[-1] == study.pairs[4, 4]
    assert sum(table["rolls"].to_pylist()) == study.cells
    assert study.digest.encode() in table.schema.metadata[b"bearoff"]
    text = written[0].read_text(encoding="utf-8")
    assert "![gaps](fewest-rolls-04.png)" in text
    assert f"all {study.pairs.sum():,} pairs" in text
    assert f"{study.gap_most.max():.3%}, is that of" in text
    assert "| 2-1 | 4/3 4/2 | 6/3 |" in text
