"""Order of pairs in two-sided tables, and the compiled functions that solve them."""

import numpy as np
import pytest

import bearoff
from bearoff.plays import Successors
from bearoff.two_sided.codings import CODINGS, FULL_PLANES, ONE, PLANES
from bearoff.two_sided.pair_order import LANES, REACH, pair_order_of, slot_successors
from bearoff.two_sided.planes import CENTRED, CUBELESS, OWNED, money_passes
from bearoff.two_sided.solving import chosen_kernels, finishes, kernels, rivals
from tests.refusals import refused
from tests.two_sided_tables import built


@pytest.mark.parametrize("checkers", [1, 5, 15])
def test_slots_number_the_positions_anew(checkers):
    places = pair_order_of(6, checkers)
    assert len(places.slots) == bearoff.position_count(checkers=checkers)
    assert len(np.unique(places.slots)) == len(places.slots)
    assert places.slots.max() < places.size == places.levels[-1]
    assert (places.levels % LANES == 0).all()
    counts = bearoff.unrank(np.arange(len(places.slots)), 6, checkers)
    pips = counts @ np.arange(1, 7)
    level = -(-pips // 2)  # each level has two pip counts: 1 and 2, 3 and 4, ...
    assert len(places.levels) == level.max() + 2
    # Within each level, positions of fewer than 15 checkers precede positions of 15.
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


def test_sizes_that_no_table_has():
    assert pair_order_of(20, 5).size < 1 << 16
    with refused(bearoff.PositionError, "170,544"):
        pair_order_of(7, 15)
    with refused(bearoff.PositionError, "start", 4):
        pair_order_of(6, 5, 4)


def test_every_slot_leads_to_lower_levels_within_reach():
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


def test_plays_that_rivals_beat_are_left_out():
    places = pair_order_of(6, 6)
    successors = slot_successors(places)
    found = rivals.find_rivals(successors, places.levels)
    level = np.searchsorted(places.levels, np.arange(places.size), side="right")
    assert (level[found.slots] <= level[:, None]).all()
    # Values differ more between rows than within a row, so many plays are worse than
    # another play in every column.
    rng = np.random.default_rng(6)
    rows = rng.integers(0, 200, (places.size, kernels.WIDTH), dtype=np.int32)
    rows += rng.integers(0, 1000, (places.size, 1), dtype=np.int32)
    first_row, first, last = (int(places.levels[k]) for k in (3, 15, 17))
    beaten = np.zeros(places.size, dtype=np.uint8)
    rivals.compare(rows[first_row:], first_row, found.slots, first_row, first, beaten)
    for slot in range(first_row, first):
        for k, rival in enumerate(found.slots[slot]):
            if rival >= first_row:
                assert bool(beaten[slot] >> k & 1) == (rows[rival] <= rows[slot]).all()
    part = slice(*successors.offsets[[21 * first, 21 * last]])
    left_out = (beaten[successors.numbers[part]] & found.present[part]) != 0
    assert 0.2 < left_out.mean() < 0.8
    tile = np.empty((LANES, kernels.WIDTH), dtype=np.int32)
    right, fewer = np.zeros((2, (last - first) // LANES, kernels.WIDTH, LANES), np.int32)
    rest = rows[first_row:], first_row, successors
    kernels.sweep(*rest, first, last, tile, right)
    rivals.sweep(*rest, beaten, found.present, first, last, tile, fewer)
    assert (fewer == right).all()


@pytest.mark.parametrize(("opponents", "first_row"), [(LANES, 0), (kernels.WIDTH, 40_000)])
def test_sums_of_minima(first_row, opponents):
    rng = np.random.default_rng(2)
    one = 2 * ONE
    rows = rng.integers(-one, one, (60, kernels.WIDTH), endpoint=True).astype(np.int32)
    rows[0], rows[1] = -one, one
    first, rollers = 3, 2 * LANES
    lengths = rng.integers(1, 9, (first + rollers) * 21)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    numbers = (first_row + rng.integers(0, 60, offsets[-1])).astype(np.uint16)
    largest, least = (slice(*offsets[[21 * k, 21 * k + 21]]) for k in (first, first + 1))
    numbers[largest] = first_row + 1  # row 1 gives the largest possible sum
    numbers[least] = first_row
    others = rng.integers(0, ONE, rows.shape).astype(np.int32)
    right, carried = np.zeros((2, rollers, kernels.WIDTH), dtype=np.int64)
    for roller, roll in np.ndindex(rollers, 21):
        k = 21 * (first + roller) + roll
        to = numbers[offsets[k] : offsets[k + 1]].astype(int) - first_row
        at = to[rows[to].argmin(axis=0)], np.arange(kernels.WIDTH)
        right[roller] += bearoff.WEIGHTS[roll] * rows[at]
        carried[roller] += bearoff.WEIGHTS[roll] * others[at]
    out = np.full((3, opponents, LANES), 7, dtype=np.int32)
    tile = np.empty((LANES, kernels.WIDTH), dtype=np.int32)
    successors = Successors(offsets, numbers)
    kernels.sweep(rows, first_row, successors, first, first + rollers, tile, out)
    assert (right[0] == 36 * one).all()
    assert (right[1] == -36 * one).all()
    found = out[:2].transpose(0, 2, 1).reshape(rollers, opponents)
    assert (found == right[:, :opponents]).all()
    assert (out[2] == 7).all()
    # Given a second plane, the kernel also returns this plane's value for the play that
    # minimises the first plane.
    second_tile, second = np.empty_like(tile), np.full_like(out, 7)
    arguments = first_row, successors, first, first + rollers, tile, second_tile
    kept = out.copy()
    chosen_kernels.sweep(rows, others, *arguments, out, second)
    assert (out == kept).all()
    found = second[:2].transpose(0, 2, 1).reshape(rollers, opponents)
    assert (found == carried[:, :opponents]).all()
    assert (second[2] == 7).all()


def test_means_of_throws_are_rounded_to_the_nearest():
    totals = np.random.default_rng(4).integers(-72 * ONE, 72 * ONE, 100_000)
    totals[:2] = -72 * ONE, 72 * ONE
    values, codes = totals.astype(np.int32), np.empty(len(totals), dtype=np.int32)
    finishes.finish(values, codes, np.int32(5))
    assert np.abs(values + totals / 36).max() <= 0.5 + 1e-6
    assert values[:2].tolist() == [2 * ONE, -2 * ONE]
    assert np.abs(codes - values / 32).max() <= 0.5
    assert codes[:2].tolist() == [2 * 131070, -2 * 131070]


def test_codes_and_what_they_leave_over_are_exact():
    sums = np.random.default_rng(5).integers(-36 * ONE, 36 * ONE, (2, 10_000))
    given_up, owned = sums.astype(np.int32)
    codes, rests, owned_codes = np.empty((3, 10_000), dtype=np.int32)
    fine, coarse = np.int32(5), np.int32(6)
    finishes.finish(given_up, codes, fine)
    finishes.leave_over(given_up, codes, rests, fine)
    assert np.abs(given_up + sums[0] / 36).max() <= 0.5 + 1e-6
    assert (32 * codes + rests == given_up).all()
    assert np.abs(rests).max() == 16
    finishes.finish_doubling(owned, given_up, owned_codes, *OWNED.doubled, coarse)
    kept = -np.rint(sums[1] / 36)
    assert np.abs(owned - np.maximum(kept, np.minimum(ONE, 2 * given_up))).max() <= 1
    assert np.abs(64 * owned_codes - kept).max() <= 33


def test_the_errors_of_answers():
    assert tuple(CODINGS) == (*PLANES, "points", "gammons_won", "gammons_lost", "jacoby")
    table = built(2, 6, 2)
    assert table.planes == FULL_PLANES
    for one in money_passes(table.places):
        for plane in one.solves:
            assert 3.6e-6 < table.error(plane.name) == plane.error < 1e-5
    # A cubeless equity has twice the error of its win probability.
    assert 2 * CUBELESS.error < 1e-5
    # A double is worth twice the value stored for the opponent's cube.
    assert 2 * CODINGS["opponent"].error <= OWNED.error
    best = CENTRED.doubling.best(np.array([0.2, 0.9, 1.5]), np.array([0.3, 0.6, 0.6]))
    assert best.tolist() == [0.6, 1.0, 1.5]
