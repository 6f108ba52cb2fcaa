"""The one-sided table compared with fractions, published values and GNU Backgammon."""

import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff.one_sided import solve_numpy
from bearoff.one_sided.check import check_arrays
from bearoff.storage.checked_array import CheckedArray
from oracles import reference
from tests import published

DATA = Path(__file__).parents[2] / "data"


def mean_of(table, counts):
    return table.mean_rolls[bearoff.rank(counts, table.checkers)]


@pytest.mark.parametrize(("checkers", "rolls"), published.ACE_STACK_ROLLS.items())
def test_aces(table, checkers, rolls):
    counts = (checkers, 0, 0, 0, 0, 0)
    assert mean_of(table, counts) == pytest.approx(float(rolls), abs=published.EXACT)


@pytest.mark.parametrize(("counts", "epc"), published.EPC.items())
def test_epc(table, counts, epc):
    assert table.epc[bearoff.rank(counts)] == pytest.approx(epc, abs=0.0005)
    counts, rolls, epc = published.GNUBG_MANUAL
    assert mean_of(table, counts) == pytest.approx(rolls, abs=0.005)
    assert table.epc[bearoff.rank(counts)] == pytest.approx(epc, abs=0.005)


def test_one_or_two_checkers_off_in_one_roll(table):
    def throws(*points):
        counts = reference.counts_of(points, 6)
        return table.distribution[bearoff.rank(counts), 1] * 36

    for point, expected in enumerate(published.ONE_CHECKER_OFF, start=1):
        assert throws(point) == pytest.approx(expected, abs=published.EXACT)
    for high, row in enumerate(published.TWO_CHECKERS_OFF, start=1):
        for low, expected in enumerate(row, start=1):
            assert throws(low, high) == pytest.approx(expected, abs=36 * published.EXACT)


@pytest.mark.parametrize(("n", "expected"), published.ACES_AGAINST_ACES.items())
def test_n_rolls_against_n_rolls(n, expected):
    aces = bearoff.rank([2 * n, 0, 0, 0, 0, 0])
    found = bearoff.fewest_rolls_win_probability(aces, aces)
    tolerance = published.EXACT if isinstance(expected, Fraction) else 0.5e-6
    assert found == pytest.approx(float(expected), abs=tolerance)


def test_last_roll_of_fifteen_aces_each_is_a_double(table):
    @cache
    def last_is_double(x, y):
        total = 0.0
        for k, (high, low) in enumerate(bearoff.ROLLS):
            after = int(table.policy[x, k])
            chance = last_is_double(y, after) if after else float(high == low)
            total += bearoff.WEIGHTS[k] * chance
        return total / 36

    found = last_is_double(*2 * [int(bearoff.rank([15, 0, 0, 0, 0, 0]))])
    assert found == pytest.approx(published.LAST_ROLL_IS_DOUBLE, abs=0.5e-6)


@pytest.mark.parametrize(
    ("points", "checkers"), [(6, 4), (3, 6), (1, 15), (10, 2), (24, 1)]
)
def test_every_array_against_fractions(points, checkers):
    small = bearoff.one_sided_table(points, checkers)
    positions = reference.all_positions(points, checkers)
    places = {position: place for place, position in enumerate(positions)}
    assert len(small) == len(positions)
    for number, position in enumerate(positions):
        row = reference.distribution(position)
        mean = reference.mean_rolls(position)
        variance = sum(chance * n * n for n, chance in enumerate(row)) - mean**2
        found = small.distribution[number]
        assert found[: len(row)] == pytest.approx(list(map(float, row)), abs=1e-14)
        assert not found[len(row) :].any()
        assert small.mean_rolls[number] == pytest.approx(float(mean), abs=published.EXACT)
        std = small.std_rolls[number]
        assert std**2 == pytest.approx(float(variance), abs=published.EXACT)
        for k, roll in enumerate(bearoff.ROLLS):
            # Of equally good plays, the policy stores the one that leads to the lowest
            # position number.
            after = reference.fewest_rolls_play(position, *roll) if position else ()
            assert small.policy[number, k] == places[after]
        assert small.pips[number] == sum(position)


@pytest.mark.slow
def test_policy_and_means_of_all_positions_in_whole_numbers(table, all_successors):
    """The plays and mean rolls of all positions equal those of a solver in integers."""
    unit = 36**published.LONGEST_BEAR_OFF
    offsets, numbers = all_successors.offsets.tolist(), all_successors.numbers.tolist()
    mean = [0] * len(table)
    least_difference = unit
    for x in range(1, len(table)):
        total = 0
        for k, weight in enumerate(bearoff.WEIGHTS):
            after = numbers[offsets[21 * x + k] : offsets[21 * x + k + 1]]
            # Of equally good plays, `min` returns the one with the lowest position number,
            # because `after` is sorted.
            best = min(after, key=mean.__getitem__)
            assert table.policy[x, k] == best
            worse = [mean[t] for t in after if mean[t] != mean[best]]
            least_difference = min([least_difference, *(m - mean[best] for m in worse)])
            total += weight * mean[best]
        assert total % 36 == 0
        mean[x] = unit + total // 36
    rounding = np.array([m / unit for m in mean]) - table.mean_rolls
    assert np.abs(rounding).max() < 1e-14
    # The tolerance TIE is between the rounding error and the least difference of unequal
    # plays.
    assert 2e-14 < solve_numpy.TIE < least_difference / unit
    assert least_difference / unit == pytest.approx(3.765e-7, rel=1e-3)


def test_means_of_gnubg_within_its_rounding(table):
    # GNU Backgammon rounds chances to 1/65535, so its means are off by up to 4.3e-4 rolls.
    misses = []
    for line in (DATA / "gnubg_one_sided.csv").read_text().splitlines()[1:]:
        number, first, row = line.split(",")
        chances = np.array(row.split(), dtype=np.int64)
        assert chances.sum() == published.GNUBG_UNIT
        mean = chances @ (int(first) + np.arange(len(chances))) / published.GNUBG_UNIT
        misses.append(mean - table.mean_rolls[int(number)])
    assert len(misses) == 1005
    assert np.abs(misses).max() < 4.3e-4
    assert np.sqrt(np.mean(np.square(misses))) < 1e-4
    assert abs(np.mean(misses)) < 3e-5  # neither program's plays need more rolls on average


def test_rows_are_distributions_with_these_means(table):
    rows, n = table.distribution, np.arange(published.LONGEST_BEAR_OFF + 1)
    assert (rows >= 0).all()
    assert np.abs(rows.sum(axis=1) - 1).max() < 1e-14
    assert np.abs(rows @ n - table.mean_rolls).max() < published.EXACT
    variance = ((n - table.mean_rolls[:, None]) ** 2 * rows).sum(axis=1)
    assert np.abs(variance - table.std_rolls**2).max() < 10 * published.EXACT
    assert (rows[:, -1] > 0).any()
    # Only the position without checkers needs 0 rolls.
    assert rows[0].tolist() == [1] + [0] * published.LONGEST_BEAR_OFF
    assert not rows[1:, 0].any()


def test_pips_and_wastage(table):
    assert table.pips.tolist() == list(map(sum, reference.all_positions(6, 15)))
    assert len(np.unique(table.pips)) == published.PIP_VALUES
    # Wastage is never negative, because no roll is worth more than its pips.
    assert (table.epc - table.pips).min() == 0
    assert (table.epc - table.pips)[1:].min() > 0


def counts_of_fourteen():
    return bearoff.unrank(np.arange(bearoff.position_count(6, 14))).astype(np.int64)


def test_one_more_checker_never_saves_rolls(table):
    counts = counts_of_fourteen()
    before = table.mean_rolls[bearoff.rank(counts)]
    cases = 0
    for point in range(6):
        after = table.mean_rolls[bearoff.rank(counts + np.eye(6, dtype=int)[point])]
        assert (after >= before - solve_numpy.TIE).all()
        cases += len(after)
    assert cases == published.ONE_MORE_CHECKER_CASES


def test_a_checker_further_back_may_save_rolls(table):
    # Moving a checker back can save rolls, so no test may require the opposite.
    before, after, saved = published.BACK_IS_BETTER
    found = mean_of(table, before) - mean_of(table, after)
    assert found == pytest.approx(saved, abs=0.0005)
    counts, one = counts_of_fourteen(), np.eye(6, dtype=int)
    saves = cases = 0
    for point in range(5):
        near = table.mean_rolls[bearoff.rank(counts + one[point])]
        far = table.mean_rolls[bearoff.rank(counts + one[point + 1])]
        saves += int((far < near - solve_numpy.TIE).sum())
        cases += len(far)
    assert (saves, cases) == published.BACK_IS_BETTER_CASES


def test_smaller_tables_are_the_beginning_of_larger_ones(table):
    small = bearoff.one_sided_table(6, 4)
    n, width = small.distribution.shape
    assert np.array_equal(small.mean_rolls, table.mean_rolls[:n])
    assert np.array_equal(small.policy, table.policy[:n])
    assert np.array_equal(small.distribution, table.distribution[:n, :width])
    assert not table.distribution[:n, width:].any()


def test_of_some_positions_what_the_arrays_say(table):
    numbers = np.array([[0, 5, 54_263], [8887, 5, 77]])
    for name in ("mean_rolls", "std_rolls", "epc", "policy", "distribution"):
        some = getattr(table, f"{name}_of")(numbers)
        assert np.array_equal(some, getattr(table, name)[numbers]), name


def test_a_table_is_opened_once_however_it_is_asked_for():
    first = bearoff.one_sided_table(2, 3)
    assert bearoff.one_sided_table(points=2, checkers=3) is first
    assert bearoff.one_sided_table(2, checkers=3) is first
    assert bearoff.one_sided_table() is bearoff.one_sided_table(6, 15)


def test_rebuilding_gives_the_same_and_is_seen():
    first = bearoff.one_sided_table(2, 4)
    again = bearoff.one_sided.rebuild_one_sided_table(2, 4)
    assert again is not first
    assert np.array_equal(again.policy, first.policy)
    assert bearoff.one_sided_table(2, 4) is not first


@pytest.mark.parametrize(
    ("start", "end"), [(5, 65_535), (5, 5), (5, 30), (0, 1)],
    ids=["beyond", "standing", "upwards", "on when all are off"],
)  # fmt: skip
def test_a_policy_that_leads_to_no_lower_number_is_none(start, end):
    """A policy is refused if its plays lead out of the table, or if games would never
    end."""
    kept = dict(bearoff.one_sided_table(2, 7).arrays)
    check_arrays(2, 7, kept)
    policy = kept["policy"].read_all().copy()
    policy[start, 3] = end
    kept["policy"] = CheckedArray(policy)
    with pytest.raises(bearoff.TableError):
        check_arrays(2, 7, kept)


def test_a_small_table_is_built_and_asked_without_the_compiler():
    code = (
        "import sys, bearoff; t = bearoff.one_sided.rebuild_one_sided_table(2, 3);"
        "t.epc, t.fewest_rolls_win_probability(1, 2);"
        "bearoff.rate_plays(t, bearoff.Position.parse('1,1', 2, 3), (2, 1));"
        "sys.exit('numba' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
