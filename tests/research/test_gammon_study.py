"""The study of gammon chances compared with the values in a table, pair by pair."""

import numpy as np
import pytest

import bearoff
from bearoff.one_sided.gammons import gammon_chance
from bearoff.positions.numbering import POINTS
from research.studies.gammons import STEP, WORTHS, page, study_gammons
from tests.two_sided_tables import built

SIDE = 3
NUMBERS = np.arange(1, bearoff.position_count(POINTS, SIDE))
GROUP = bearoff.unrank(NUMBERS, POINTS, SIDE).sum(axis=1)


@pytest.fixture(scope="module")
def study():
    return study_gammons(built(SIDE, start=SIDE), workers=2)


@pytest.fixture(scope="module")
def worth():
    table, pairs = built(SIDE, start=SIDE), (NUMBERS[:, None], NUMBERS)
    return table.equity(*pairs, None) - (2 * table.win_probability(*pairs) - 1)


@pytest.mark.parametrize(("x", "y"), [(1, 3), (2, 3), (3, 3), (3, 1), (3, 2)])
def test_every_group(study, worth, x, y):
    group = np.ix_(x == GROUP, y == GROUP)
    mine = np.abs(worth[group])
    assert study.pairs[x, y] == mine.size
    steps = np.rint(mine / STEP)
    counts = [(steps >= round(w / STEP)).sum() for w in WORTHS]
    assert study.counts[x, y].tolist() == counts
    assert study.most[x, y] == pytest.approx(mine.max(), abs=1e-9)
    roller, opponent = study.pair[x, y]
    assert abs(worth[roller - 1, opponent - 1]) == pytest.approx(mine.max(), abs=1e-9)
    chance = gammon_chance(NUMBERS[:, None], NUMBERS, SIDE)
    miss = np.abs(worth - (chance.wins - chance.losses))[group]
    assert study.miss[x, y] == pytest.approx(miss.max(), abs=1e-9)


def test_nothing_else_is_counted_and_the_page_has_a_row_for_each(study):
    assert study.counts[:SIDE, :SIDE].sum() == 0
    assert (study.pair[:SIDE, :SIDE] == -1).all()
    affected = study.pairs[SIDE].sum() + study.pairs[:SIDE, SIDE].sum()
    text = page(study)
    assert f"All {affected:,} pairs" in text
    cells = " | ".join(["1", *["336"] * 5, "1.00000", "1,0,0,0,0,0", "3,0,0,0,0,0"])
    assert f"| {cells} |" in text
