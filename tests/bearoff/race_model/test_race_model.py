"""The race model compared with exact tables and invariants.

The values of typical races, on which the model is built, are tested in `test_typical`.
"""

import numpy as np
import pytest

import bearoff
from bearoff.errors import BearoffError
from bearoff.race_model.chain import (
    ARRIVAL_SHARES,
    BINS_PER_ROLL,
    LONG_FALLS,
    MOST_BINS,
    falls_of,
    race_visits,
    solve_chain,
)
from bearoff.race_model.opening import race_model
from bearoff.race_model.optimal_estimate import estimate_optimal_win_probability
from tests.refusals import refused
from tests.two_sided_tables import built

ONE_ROLL = 49 / 6
SIDE = 7


@pytest.fixture(scope="module")
def model():
    return race_model()


def test_deviations_of_rolls_are_those_of_a_plain_recursion():
    falls = falls_of(60)
    mean, square = np.zeros((2, len(falls)))
    for x in range(1, len(falls)):
        chances, after = falls[x, 1 : x + 1], slice(x - 1, None, -1)
        own = mean[after][: len(chances)], square[after][: len(chances)]
        mean[x] = 1 + chances @ own[0]
        square[x] = 1 + chances @ (2 * own[0] + own[1])
    spread = np.sqrt(square - mean**2)
    # The tolerance allows for the square root of a small difference of rounded squares.
    np.testing.assert_allclose(solve_chain(falls)["std_rolls"], spread, rtol=0, atol=1e-7)


def test_mean_fall_is_a_roll():
    falls = falls_of(MOST_BINS)
    sizes = np.arange(falls.shape[1])
    # The tolerance allows for sums of several hundred rounded probabilities.
    np.testing.assert_allclose(falls.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(
        falls[BINS_PER_ROLL:] @ sizes, BINS_PER_ROLL, rtol=0, atol=1e-10
    )
    assert falls.min() >= 0
    assert (falls[1:, 0] == 0).all()
    bins = np.arange(len(falls))[:, None]
    assert (falls[(sizes > bins)] == 0).all()


def test_visits_make_the_mean_rolls(table):
    visits = race_visits(table)
    full = bearoff.position_count(6, 14)
    shares = np.array(ARRIVAL_SHARES) / 100
    assert shares.sum() == pytest.approx(1, abs=1e-12)
    # No play leads to 15 checkers on the 6 point, so only the start visits this position.
    assert visits[-1] == pytest.approx(shares[-1] ** 15, rel=1e-12)
    # The mean number of rolls equals the sum of all visits, because each roll visits one
    # position.
    starts = visits.copy()
    weights = np.array(bearoff.WEIGHTS) / 36
    np.subtract.at(starts, table.policy[1:].ravel(), (visits[1:, None] * weights).ravel())
    assert np.abs(starts[1:full]).max() < 1e-12
    assert visits[1:].sum() == pytest.approx(starts @ table.mean_rolls, rel=1e-9)
    counts = bearoff.unrank(np.arange(len(table)))
    np.testing.assert_allclose(starts @ counts, 15 * shares, rtol=1e-9)


def test_long_falls_are_nearly_pips():
    mean, deviation = np.array(LONG_FALLS).T
    pips = [(a + b) * (2 if a == b else 1) for a, b in bearoff.ROLLS]
    assert np.abs(mean - pips).max() < 1.5
    # The tolerance allows for means that are rounded to 0.01.
    assert mean @ np.array(bearoff.WEIGHTS) / 36 == pytest.approx(ONE_ROLL, abs=0.005)
    assert (deviation > 0).all()


@pytest.mark.parametrize("plane", range(4))
def test_a_lead_helps(model, plane):
    # Bins of EPC below four rolls are left out, because single checkers make their values
    # uneven.
    values = model.planes[plane, 64:, 64:]
    # Where the opponent passes, values are constant except for the rounding of float32.
    assert np.diff(values, axis=0).max() <= 1e-6
    assert np.diff(values, axis=1).min() >= -1e-6
    assert values[0, -1] - values[-1, 0] == pytest.approx(2, abs=0.01)


def test_nodes_and_between(model):
    rng = np.random.default_rng(3)
    i, j = rng.integers(BINS_PER_ROLL, model.planes.shape[1] - 1, (2, 200))
    u, v = rng.random((2, 200))
    for k, cube in enumerate((None, "opponent", "owned", "centred")):
        plane = model.planes[k].astype(np.float64)
        at = model.equity(i * model.step, j * model.step, cube)
        # The tolerance allows for the rounding of a division that finds the bin of an EPC.
        np.testing.assert_allclose(at, plane[i, j], atol=1e-9)
        between = model.equity((i + u) * model.step, (j + v) * model.step, cube)
        low = (1 - v) * plane[i, j] + v * plane[i, j + 1]
        high = (1 - v) * plane[i + 1, j] + v * plane[i + 1, j + 1]
        np.testing.assert_allclose(between, (1 - u) * low + u * high, atol=1e-9)
    assert model.equity(0, model.largest_epc, "centred") == 1
    assert model.equity(model.largest_epc, model.largest_epc, "owned") < 1


def test_one_roll_left(model):
    epcs = np.array([20.0, 60.0])
    assert (model.win_probability(ONE_ROLL, epcs) == 1).all()
    # EPCs of less than one roll count as one roll.
    assert model.win_probability(3.0, 60.0) == 1
    assert model.win_probability(20.0, 0.1) == model.win_probability(20.0, ONE_ROLL)
    five_two = bearoff.one_sided_table().epc[bearoff.rank([0, 1, 0, 0, 1, 0])]
    # Checkers on the 5 and 2 points are borne off in one roll with probability 19/36.
    assert model.win_probability(five_two, ONE_ROLL) == pytest.approx(19 / 36, abs=0.002)


@pytest.mark.parametrize(("rolls", "wins"), [(2, 31 / 36), (3, 0.787809)])
def test_rolls_against_rolls(model, table, rolls, wins):
    """If all checkers are on the ace point, values are close to the exact ones."""
    aces = bearoff.rank([2 * rolls, 0, 0, 0, 0, 0])
    epc = table.epc[aces]
    sides = model.matching_win_probability(epc, epc, wins)
    assert model.win_probability(*sides) == pytest.approx(wins, abs=1e-6)
    assert sides[0] + sides[1] == pytest.approx(2 * epc, abs=1e-9)
    answer = model.cube_actions(*sides, "owned")
    exact = bearoff.cube_actions(built(SIDE), aces, aces, "owned")
    # With all checkers on the ace point, only doubles change the number of rolls. The model
    # does not know this, so the errors are large.
    assert answer.double_take == pytest.approx(float(exact.double_take), abs=0.035)
    assert answer.no_double == pytest.approx(float(exact.no_double), abs=0.065)
    assert (answer.doubles, answer.takes) == (exact.doubles, exact.takes)


def pairs_as_met(count):
    """Return random pairs of positions, drawn with their frequencies in races."""
    table = bearoff.one_sided_table()
    size = bearoff.position_count(6, SIDE)
    weights = np.where(table.epc[:size] >= 20, race_visits(table)[:size], 0)
    x, y = np.random.default_rng(7).choice(size, (2, count), p=weights / weights.sum())
    close = np.abs(table.epc[x] - table.epc[y]) < 8
    return x[close], y[close]


def test_against_exact_values(model, table):
    x, y = pairs_as_met(4000)
    exact = bearoff.cube_actions(built(SIDE), x, y)
    chance = table.fewest_rolls_win_probability(x, y)
    epcs = table.epc[x], table.epc[y]
    known = {
        "epc": epcs,
        "std": model.matching_std_rolls(*epcs, table.std_rolls[x], table.std_rolls[y]),
        "chance": model.matching_win_probability(*epcs, chance),
    }

    def miss(values, right):
        return float(np.sqrt(np.mean((values - right) ** 2)))

    errors = {
        name: miss(model.cube_actions(*sides).double_take, exact.double_take)
        for name, sides in known.items()
    }
    janowski = miss(2 * bearoff.cubeful_equity(chance, "opponent"), exact.double_take)
    # The model's errors are smaller with known standard deviations, and smallest with a
    # known win probability.
    assert errors["chance"] < 0.8 * errors["std"] < 0.64 * errors["epc"]
    assert errors["chance"] < 0.45 * janowski
    answer = model.cube_actions(*known["chance"])
    assert miss(answer.no_double, exact.no_double) < 0.03


def test_best_play_is_estimated(table):
    x, y = pairs_as_met(4000)
    best = built(SIDE).win_probability(x, y)
    chance = table.fewest_rolls_win_probability(x, y)
    estimate = estimate_optimal_win_probability(chance, table.epc[x], table.epc[y])
    far = (chance > 0.65) | (chance < 0.35)
    before, after = (np.mean((p - best)[far] ** 2) for p in (chance, estimate))
    assert after < 0.7 * before
    # A given win probability of 0%, 50% or 100% is also the estimate.
    assert estimate_optimal_win_probability(0.5, 50.0, 50.0) == 0.5
    assert estimate_optimal_win_probability([0.0, 1.0], 50.0, 50.0).tolist() == [0.0, 1.0]


def test_std_of_typical_sides_changes_nothing(model):
    bins = np.array([60, 100, 200, 400])
    epcs, std = bins * model.step, model.std_rolls[bins]
    x, y = model.matching_std_rolls(epcs, epcs[::-1], std, std[::-1])
    np.testing.assert_allclose(x, epcs, atol=1e-9)
    np.testing.assert_allclose(y, epcs[::-1], atol=1e-9)


def test_std_scales_the_lead(model):
    x, y = 60.0, 70.0
    std = [np.interp(e / model.step, np.arange(len(model.std_rolls)), model.std_rolls)
           for e in (x, y)]  # fmt: skip
    even = model.matching_std_rolls(x, y, std[0] / 2, std[1] / 2)
    # With half the standard deviations, a lead counts twice as much.
    assert even[1] - even[0] + ONE_ROLL / 2 == pytest.approx(2 * (10 + ONE_ROLL / 2))
    assert even[0] + even[1] == pytest.approx(x + y)
    # Standard deviations of 0 leave EPCs unchanged, but tiny positive ones move EPCs to the
    # limits of the model's range.
    assert model.matching_std_rolls(x, y, 0.0, 0.0) == (x, y)
    least = model.matching_std_rolls(20.0, 80.0, 1e-9, 1e-9)
    assert least[0] == pytest.approx(ONE_ROLL)


def test_matching_where_no_lead_does(model):
    for chance in (0.0, 1.0):
        x, y = model.matching_win_probability(40.0, 40.0, chance)
        assert model.win_probability(x, y) == pytest.approx(chance, abs=0.01)
        assert x + y == pytest.approx(80)
    # The EPC of a side without checkers stays 0.
    assert model.matching_win_probability(0.0, 40.0, 0.5) == (0.0, 40.0)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda m: m.equity(30.0, [20.0, 400.0]), ('400.0',)),
        (lambda m: m.no_double(30.0, 30.0, "opponent"), ('centred',)),
        (lambda m: m.cube_actions(30.0, 0.0), ('checker',)),
        (lambda m: m.matching_std_rolls(-3.0, 30.0, 1.0, 1.0), ('roller',)),
    ],
)  # fmt: skip
def test_refusals(model, call, named):
    with refused(BearoffError, *named):
        call(model)
