"""Where pairs stand in the two-sided tables, and the kernels that fill them."""

import numpy as np
import pytest
from numba import njit

import bearoff
from bearoff.two_sided import kernels
from bearoff.two_sided.codings import CODINGS, LAST_CODE, PLANES
from bearoff.two_sided.pair_order import LANES, REACH, pair_order_of, slot_successors
from tests.two_sided_tables import built


@pytest.mark.parametrize("checkers", [1, 2, 5, 8, 15])
def test_slots_number_the_positions_anew(checkers: int) -> None:
    places = pair_order_of(6, checkers)
    assert len(places.slots) == bearoff.position_count(checkers=checkers)
    assert len(np.unique(places.slots)) == len(places.slots)
    assert places.slots.max() < places.size == places.levels[-1]
    assert (places.levels % LANES == 0).all()
    counts = bearoff.unrank(np.arange(len(places.slots)), 6, checkers)
    pips = counts @ np.arange(1, 7)
    level = -(-pips // 2)  # 0; 1 and 2; 3 and 4; ...
    assert len(places.levels) == level.max() + 2
    # A level has its positions, those with all checkers last, each part padded.
    assert (np.searchsorted(places.levels, places.slots, side="right") - 1 == level).all()
    full = counts.sum(axis=1) == 15
    assert (full == (places.slots >= places.full_starts[level])).all()
    for part, start, end in (
        (~full, places.levels[:-1], places.full_starts),
        (full, places.full_starts, places.levels[1:]),
    ):
        held = np.bincount(level[part], minlength=len(start))
        assert (places.slots[part] - start[level[part]] < held[level[part]]).all()
        assert (end - start - held < LANES).all()


@pytest.mark.parametrize("start", [5, 15])
def test_slots_follow_levels_and_then_the_papers_order(start: int) -> None:
    places = pair_order_of(7, 5, start)
    counts = bearoff.unrank(np.arange(len(places.slots)), 7, 5)
    level = (counts @ np.arange(1, 8) + 1) // 2
    in_order = np.lexsort((np.arange(len(level)), level))
    assert (np.diff(places.slots[in_order].astype(int)) >= 1).all()
    full = counts.sum(axis=1) == start
    assert places.has_full == full.any()
    for part in (full, ~full):
        for one in range(level.max() + 1):
            within = places.slots[part & (level == one)].astype(int)
            assert (np.diff(within) == 1).all()


def test_sizes_that_no_table_has() -> None:
    assert pair_order_of(20, 5).size < 1 << 16
    with pytest.raises(bearoff.PositionError, match="170,544 positions"):
        pair_order_of(7, 15)
    with pytest.raises(bearoff.PositionError, match="start must be"):
        pair_order_of(6, 5, 4)


def test_successors_of_slots_are_those_of_the_positions() -> None:
    places = pair_order_of(6, 5)
    ours, table = slot_successors(places), bearoff.plays.successors(6, 5)
    for number, slot in enumerate(places.slots.tolist()):
        for roll in range(21):
            a, b = ours.offsets[21 * slot + roll : 21 * slot + roll + 2]
            c, d = table.offsets[21 * number + roll : 21 * number + roll + 2]
            assert (ours.numbers[a:b] == places.slots[table.numbers[c:d]]).all()


def test_every_slot_leads_to_lower_levels_within_reach() -> None:
    places = pair_order_of(6, 8)
    table = slot_successors(places)
    assert len(table.offsets) == 21 * places.size + 1
    counts = np.diff(table.offsets)
    assert counts.min() >= 1
    level = np.searchsorted(places.levels, np.arange(places.size), side="right") - 1
    before = np.repeat(level, counts.reshape(-1, 21).sum(axis=1))
    fall = before - level[table.numbers]
    assert fall[before > 0].min() >= 1
    assert fall.max() <= REACH


@njit
def _sums(rows, first, successors, offsets, rollers, out):  # type: ignore[no-untyped-def]
    for k in range(len(rollers)):
        kernels.sum_of_minima(rows, first, successors, offsets, rollers[k], out[k])


@pytest.mark.parametrize("first_row", [0, 40_000])
def test_sum_of_minima(first_row: int) -> None:
    rng = np.random.default_rng(2)
    one = kernels.ONE
    rows = rng.integers(-one, one, (60, LANES), endpoint=True).astype(np.int32)
    rows[0], rows[1] = -one, one
    lengths = rng.integers(1, 9, 5 * 21)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    successors = (first_row + rng.integers(0, 60, offsets[-1])).astype(np.uint16)
    successors[: offsets[21]] = first_row + 1  # The largest sum there can be.
    successors[offsets[21] : offsets[42]] = first_row  # And the least.
    right = np.zeros((5, LANES), dtype=np.int64)
    for roller in range(5):
        for roll in range(21):
            at = slice(offsets[21 * roller + roll], offsets[21 * roller + roll + 1])
            least = rows[successors[at].astype(int) - first_row].min(axis=0)
            right[roller] += bearoff.WEIGHTS[roll] * least.astype(np.int64)
    out = np.full((5, LANES), 7, dtype=np.int32)
    rollers = np.array([4, 2, 0, 1, 3])
    _sums(rows, first_row, successors, offsets, rollers, out)
    assert (right[0] == 36 * one).all()
    assert (out == right[rollers]).all()


@pytest.mark.parametrize("first", [0, 37, 90])
def test_packed_values_come_back_from_the_ring(first: int) -> None:
    rng = np.random.default_rng(3)
    one = kernels.ONE
    values = rng.integers(-one, one, (64, LANES), endpoint=True).astype(np.int32)
    values[:3, 0] = -one, one, 0
    high = np.empty((100, LANES), dtype=np.int16)
    low = np.empty((100, LANES), dtype=np.uint8)
    kernels.pack(values, first, high, low)
    back = np.zeros_like(values)
    kernels.unpack(high, low, first, first + 64, back)
    assert (back == values).all()


def test_means_of_throws_are_rounded_to_the_nearest() -> None:
    one = kernels.ONE
    totals = np.random.default_rng(4).integers(-36 * one, 36 * one, 100_000)
    totals[:2] = -36 * one, 36 * one
    values, codes = totals.astype(np.int32), np.empty(len(totals), dtype=np.uint16)
    nothing = np.zeros((1, 2))
    kernels.finish_cubeless(values, nothing, codes, nothing)
    assert np.abs(values + totals / 36).max() <= 0.5 + 1e-6
    assert values[:2].tolist() == [one, -one]
    assert np.abs(codes - (values / one + 1) / 2 * LAST_CODE).max() <= 0.5 + 1e-6
    assert codes[:2].tolist() == [LAST_CODE, 0]


def test_codings_hold_all_that_the_cube_can_be_worth() -> None:
    assert tuple(CODINGS) == PLANES == built(3).planes
    cubeless_rounding = 1 / LAST_CODE
    for plane, (least, most) in {
        "opponent": (-0.5, 0),
        "owned": (0, 0.5),
        "centred": (-0.5, 0.5),
    }.items():
        coding = CODINGS[plane]
        assert coding.low < least - cubeless_rounding - coding.rounding
        assert coding.high > most + cubeless_rounding + coding.rounding
        assert coding.high - coding.low == pytest.approx(LAST_CODE * coding.step)
        assert built(3).error(plane) == coding.error > coding.step / 2
