"""Large one-sided tables in compressed form, compared with full arrays.

The tests also compress small tables, so that full float64 arrays can check the results.
"""

import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff.one_sided import build, estimate as one_sided_estimate, opening
from bearoff.one_sided.encoding import UNIT
from bearoff.storage import checked_array
from tests.refusals import refused

DATA = Path(__file__).parents[2] / "data"
HALF_STEP = 0.5 / UNIT
ROUNDING = 1e-15
SIZES = [(6, 5), (9, 4), (24, 2)]


def table_of(points, checkers, arrays):
    kept = {key: checked_array.CheckedArray(array) for key, array in arrays.items()}
    return bearoff.OneSidedTable(points, checkers, kept)


def coded_and_full(points, checkers, monkeypatch):
    full = bearoff.one_sided_table(points, checkers)
    with monkeypatch.context() as patch:
        patch.setattr(one_sided_estimate, "SMALL", 0)
        return table_of(points, checkers, build.build_arrays(points, checkers)), full


@pytest.mark.parametrize(("points", "checkers"), SIZES)
def test_a_coded_table_is_the_full_one_within_half_a_step(points, checkers, monkeypatch):
    coded, full = coded_and_full(points, checkers, monkeypatch)
    expected = full.distribution
    rows = coded.distribution[:, : expected.shape[1]]
    assert not coded.distribution[:, expected.shape[1] :].any()
    assert (rows >= 0).all()
    assert (coded.distribution.sum(axis=1) == 1).all()
    off = np.abs(rows.cumsum(axis=1) - expected.cumsum(axis=1)).max()
    # The largest error of a cumulative chance must be about half a coding step, as
    # documented.
    assert 0.9 * HALF_STEP < off <= HALF_STEP + ROUNDING
    assert np.abs(rows - expected).max() <= 2 * HALF_STEP + ROUNDING
    numbers = np.arange(len(full))
    assert len(coded) == len(full)
    for name in ("mean_rolls", "epc", "pips"):
        assert np.array_equal(getattr(coded, name), getattr(full, name)), name
    assert np.array_equal(coded.mean_rolls_of(numbers), full.mean_rolls)
    assert coded.std_rolls.dtype == np.float64
    # 6e-8 is 2**-24, the rounding error of float32.
    assert np.allclose(coded.std_rolls, full.std_rolls, rtol=6e-8, atol=0)
    assert np.array_equal(coded.std_rolls_of(numbers), coded.std_rolls)
    # `policy_of` searches the best plays of the given positions, so the whole policy is not
    # computed.
    found = coded.policy_of(numbers.reshape(1, -1))
    assert "policy" not in vars(coded)
    assert np.array_equal(found, full.policy[None])
    assert found.dtype == coded.policy.dtype == full.policy.dtype
    # `coded.policy` solves the table again.
    assert np.array_equal(coded.policy, full.policy)
    some = numbers[::3][::-1]
    assert np.array_equal(coded.distribution_of(some), coded.distribution[some])
    assert coded.distribution_of([]).shape == (0, coded.distribution.shape[1])


@pytest.mark.parametrize(("points", "checkers"), [(6, 5), (9, 4)])
def test_win_probability_within_the_bound(points, checkers, monkeypatch):
    coded, full = coded_and_full(points, checkers, monkeypatch)
    rng = np.random.default_rng(6)
    x, y = rng.integers(0, len(full), (2, 9000))
    x[:40], y[20:60] = 0, 0  # some sides have borne off all checkers
    found = coded.fewest_rolls_win_probability(x, y)
    assert np.abs(found - full.fewest_rolls_win_probability(x, y)).max() < 2 * HALF_STEP
    assert full.chance_error < coded.chance_error == 2 * HALF_STEP
    # Apart from the rounding of the stored chances, the win probabilities have no error.
    rows = coded.distribution
    tails = rows[:, ::-1].cumsum(axis=1)[:, ::-1]
    assert np.abs(found - (rows[x] * tails[y]).sum(axis=1)).max() < ROUNDING
    one = coded.fewest_rolls_win_probability(int(x[100]), [int(y[100])])
    assert one.shape == (1,)
    assert one[0] == pytest.approx(found[100], abs=ROUNDING)
    assert coded.fewest_rolls_win_probability([], []).shape == (0,)


@pytest.mark.parametrize("small", [2**17, 0])
def test_the_bytes_do_not_depend_on_the_threads(small, monkeypatch):
    monkeypatch.setattr(one_sided_estimate, "SMALL", small)

    def backwards(count, work, parts):
        """Run tasks in reverse order, because threads may finish in any order."""
        return [work(part) for part in reversed(list(parts))]

    first = build.build_arrays(7, 6, workers=1)
    monkeypatch.setattr(build, "_AT_ONCE", 16)
    for threads in (build.in_threads, backwards):
        monkeypatch.setattr(build, "in_threads", threads)
        second = build.build_arrays(7, 6, workers=3)
        assert list(first) == list(second)
        for name, array in first.items():
            assert array.tobytes() == second[name].tobytes()


def test_progress_runs_from_nothing_to_all():
    told = []
    build.build_arrays(4, 5, 1, told.append)
    assert told == sorted(told)
    assert told[0] < 0.05
    assert told[-1] == 1


@pytest.fixture(scope="module")
def seven():
    return bearoff.one_sided_table(7)


def test_a_real_large_table(seven):
    assert "codes" in seven.arrays
    home = bearoff.unrank(np.arange(0, 54_264, 7))
    places = bearoff.rank(np.pad(home, ((0, 0), (0, 1))))
    six = bearoff.one_sided_table()
    assert np.abs(seven.mean_rolls_of(places) - six.mean_rolls[::7]).max() < 1e-13
    rows, width = seven.distribution_of(places), six.distribution.shape[1]
    off = np.abs(rows.cumsum(axis=1)[:, :width] - six.distribution[::7].cumsum(axis=1))
    assert off.max() <= HALF_STEP + 1e-13
    everyone = np.random.default_rng(3).permutation(len(seven))[:20_000]
    means = seven.distribution_of(everyone) @ np.arange(rows.shape[1])
    # Each mean is a sum of coded chances, so their errors add up.
    assert np.abs(means - seven.mean_rolls[everyone]).max() < 20 * HALF_STEP
    after = seven.policy_of(everyone)
    step = 1 + seven.mean_rolls[after] @ (np.array(bearoff.WEIGHTS) / 36)
    assert np.abs(step - seven.mean_rolls[everyone])[everyone > 0].max() < 1e-13


@pytest.mark.slow
def test_rows_of_gnubg_within_its_rounding():
    eight = bearoff.one_sided_table(8)
    # Rounding errors of GNU Backgammon's chances accumulate from roll to roll.
    misses, means = [], []
    for line in (DATA / "gnubg_one_sided_8.csv").read_text().splitlines()[1:]:
        number, first, row = line.split(",")
        chances = np.zeros(eight.distribution_of(0).shape)
        values = np.array(row.split(), dtype=float) / 65535
        chances[int(first) : int(first) + len(values)] = values
        misses.append(np.abs(chances - eight.distribution_of(int(number))).max())
        means.append(chances @ np.arange(len(chances)) - eight.mean_rolls_of(int(number)))
    assert len(misses) == 301
    assert max(misses) < 15 / 65535
    assert np.abs(means).max() < 5e-4
    assert abs(np.mean(means)) < 5e-5


@pytest.mark.parametrize("points", [24, 21])
def test_more_positions_than_numbers_are_refused(points):
    with refused(bearoff.TableError, "4,294,967,296"):
        bearoff.one_sided_table(points, 15)


@pytest.mark.parametrize(
    ("memory", "disk", "named"),
    [(5 * 10**9, 10**12, ("5.0 GB", 12, 15)), (10**12, 10**8, ("100.0 MB",))],
    ids=["memory", "disk"],
)
def test_what_does_not_fit_is_refused(memory, disk, named, cache, monkeypatch):
    usage = shutil.disk_usage("/")._replace(free=disk)
    monkeypatch.setattr("bearoff.runtime.machine.memory_available", lambda: memory)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    # A build would take minutes, so it must not start.
    monkeypatch.setattr(opening, "build_arrays", None)
    with refused(bearoff.TableError, *named):
        bearoff.one_sided_table(12)
    assert [p.name for p in cache.iterdir()] == ["one-sided-12x15.lock"]


def test_arrays_that_do_not_fit_the_memory_are_refused(seven, monkeypatch):
    monkeypatch.setattr("bearoff.runtime.machine.memory_available", lambda: 10**7)
    for name in ("policy", "distribution"):
        vars(seven).pop(name, None)
        with refused(bearoff.TableError, "10.0 MB", f"{name}_of"):
            getattr(seven, name)
    assert seven.policy_of(9).shape == (21,)


@pytest.mark.parametrize("workers", [0, -1])
def test_no_workers_are_refused(workers):
    with refused(bearoff.TableError, workers):
        one_sided_estimate.estimate_one_sided_build(6, 15, workers)


def test_the_estimate_of_the_disk_is_close(seven):
    for table, points in ((seven, 7), (bearoff.one_sided_table(), 6)):
        kept = sum(array.nbytes for array in table.arrays.values())
        estimate = one_sided_estimate.estimate_one_sided_build(points, 15)
        assert kept <= estimate.disk_bytes < 1.35 * kept


def test_a_pickled_table_names_its_files(seven):
    """A pickled table from the cache contains only the names of its files."""
    assert seven.epc[700] == seven.epc_of(700)
    packed = pickle.dumps(seven)
    assert len(packed) < 10_000
    again = pickle.loads(packed)
    assert again.epc_of(700) == seven.epc_of(700)
    assert np.array_equal(again.distribution_of(700), seven.distribution_of(700))
    arrays = {key: array.read_all() for key, array in seven.arrays.items()}
    carried = pickle.loads(pickle.dumps(table_of(7, 15, arrays)))
    assert carried.epc_of(700) == seven.epc_of(700)
