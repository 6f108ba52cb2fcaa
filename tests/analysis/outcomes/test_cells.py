from dataclasses import replace

import numpy as np
import pytest

from bearoff import CubeThresholds
from bearoff.analysis.outcomes.cells import CellLayout, Cells, _regions
from bearoff.analysis.outcomes.intervals import wilson_interval
from tests.analysis.conftest import PAIRS

LAYOUT = CellLayout(20, 5, -4, 2, -4, 16)


def test_layout_comes_from_the_grid_of_that_measure():
    assert CellLayout.of(PAIRS, "pips", 500) == LAYOUT
    assert CellLayout.of(PAIRS, "epc", 500).lead_step == 2
    assert CellLayout.of({"pairs": [{"list": []}]}, "pips", 5000).lead_step == 1


def test_every_pair_of_the_grid_is_in_its_cell(grid):
    cells = Cells.gather(grid, "pips", LAYOUT)
    assert cells.pairs.sum() == len(grid)
    for i in (0, 17, len(cells.count) - 1):
        there = (grid.roller_pips == cells.count[i]) & (grid.lead("pips") == cells.lead[i])
        assert cells.pairs[i] == there.sum()
        assert cells.probability[i] == pytest.approx(grid.win_probability[there].mean())
        spread = grid.win_probability[there].std(ddof=1) / np.sqrt(there.sum())
        assert cells.high[i] - cells.low[i] <= 2 * 1.96 * spread + 0.02


def test_weights_count_and_a_pair_alone_has_its_own_interval(grid):
    two = replace(grid[:2], weight=np.array([1.0, 3.0]), roller_pips=np.full(2, 20.0),
                  opponent_pips=np.full(2, 20.0))  # fmt: skip
    cells = Cells.gather(two, "pips", LAYOUT)
    assert cells.probability[0] == pytest.approx(two.win_probability @ [0.25, 0.75])
    cells = Cells.gather(grid[:1], "pips", LAYOUT)
    low, high = wilson_interval(grid.wins[0], grid.games[0])
    assert (cells.low[0], cells.high[0]) == (low, high)


def test_intervals_widen_with_the_spread_of_a_cell(grid):
    same = replace(
        grid[:2], wins=np.array([700, 700]), games=np.full(2, 1000),
        roller_pips=np.full(2, 20.0), opponent_pips=np.full(2, 20.0),
    )  # fmt: skip
    apart = replace(same, wins=np.array([500, 900]))
    narrow, wide = (Cells.gather(o, "pips", LAYOUT) for o in (same, apart))
    # Two pairs of positions with equal win rates, of 1,000 games each, have the standard
    # error of 2,000 games.
    assert narrow.high[0] - 0.7 == pytest.approx(1.96 * np.sqrt(0.21 / 2000), rel=0.01)
    # The win rates 0.5 and 0.9 have a mean with a standard error of 0.2.
    assert wide.high[0] == pytest.approx(min(1, 0.7 + 1.96 * 0.2), abs=1e-3)
    assert wide.low[0] == pytest.approx(0.7 - 1.96 * 0.2, abs=1e-3)


def test_undecided_are_those_whose_interval_holds_a_threshold(grid):
    cells = Cells.gather(grid, "pips", LAYOUT, 0.7)
    at = CubeThresholds.janowski(0.7)
    for edge in (at.double, at.redouble, at.cash):
        assert not cells.decided[(cells.low < edge) & (cells.high > edge)].any()
    inside = cells.decided
    assert 0 < inside.sum() < len(inside)
    assert (_regions(cells.low, at) == cells.region)[inside].all()
    every = _regions(np.linspace(0, 1, 1001), at)
    assert set(every) == set(range(len(Cells.REGIONS)))


def test_leads_beyond_make_no_row_of_their_own(grid):
    some = replace(grid[:1], roller_pips=np.array([20.0]), opponent_pips=np.array([37.0]))
    assert len(Cells.gather(some, "pips", LAYOUT).count) == 0
    some = replace(some, opponent_pips=np.array([36.9]))
    assert Cells.gather(some, "pips", LAYOUT).lead.tolist() == [16]
    cells = Cells.gather(grid, "epc", CellLayout(0, 5, 0, 1, -2, 3))
    assert cells.lead.min() >= -2
    assert cells.lead.max() <= 3
