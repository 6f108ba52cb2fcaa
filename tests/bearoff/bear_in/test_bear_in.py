"""Plays and values of the model for races with checkers outside the home board.

The second implementation adds up the stored coefficients of each group of three points, and
chooses plays from `bearoff.legal_plays`. It shares no code with the compiled kernels.
"""

import hashlib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff.bear_in import games as bear_in_games
from bearoff.bear_in.coefficients import DATA, GROUPS, Coefficients, triple_codes
from bearoff.bear_in.model import BearIn, bear_in, check_counts, widen
from bearoff.positions import rank, unrank
from research.training import bear_in as training
from tests.damage import flipped
from tests.refusals import refused

EXACT = Path(__file__).parents[2] / "data" / "exact_10_points.csv"
PACKED = files("bearoff.bear_in").joinpath(DATA)
PLACES = {int(code): place for place, code in enumerate(triple_codes())}
"""Places of the coefficients of each group of three points."""


@pytest.fixture(scope="module")
def coefficients():
    with PACKED.open("rb") as file, np.load(file) as data:
        return Coefficients(**{name: data[name] for name in data.files})


def twin_epc(coefficients, table, side):
    """Return the EPC by the formula in `bearoff.bear_in.model`."""
    side = [int(n) for n in side]
    if not any(side[6:]):
        return float(table.epc[bearoff.rank(side[:6])])
    wastage = int(coefficients.constants[0])
    sums = [int(n) for n in coefficients.start]
    for triple in range(8):
        a, b, c = side[3 * triple : 3 * triple + 3]
        row = 816 * triple + PLACES[256 * a + 16 * b + c]
        wastage += int(coefficients.lines[row])
        sums = [s + int(n) for s, n in zip(sums, coefficients.rows[row], strict=True)]
    weights = coefficients.weights[GROUPS[sum(side[6:])]]
    wastage += sum(
        int(w) * min(max(s, 0), 1024) for w, s in zip(weights, sums, strict=True)
    )
    return sum(n * point for point, n in enumerate(side, start=1)) + wastage / 2**17


def test_values_are_those_of_the_formula(coefficients, table):
    sides = bear_in_games.random_sides(100, np.random.default_rng(3))
    sides[0] = widen([3, 0, 2, 5, 4, 1])
    sides[1] = 0
    expected = [twin_epc(coefficients, table, side) for side in sides]
    # Sums of integers are exact, so only the final division is rounded.
    np.testing.assert_allclose(bear_in().epc(sides), expected, rtol=1e-14)


def test_plays_are_the_best_legal_ones(coefficients, table):
    rng = np.random.default_rng(12)
    sides = bear_in_games.random_sides(400, rng)
    few, close = sides[sides.sum(axis=1) <= 8], bear_in_games.random_sides(6, rng, points=8)
    sides = np.concatenate([few[:10], close])
    after, means = bear_in().expand(sides)
    for side, afters, left in zip(sides, after, means, strict=True):
        position = bearoff.Position(tuple(int(n) for n in side))
        for roll, played, mean in zip(bearoff.ROLLS, afters, left, strict=True):
            # Legal plays are listed in descending order of the resulting position's number.
            plays = [play.after.counts for play in bearoff.legal_plays(position, roll)]
            epcs = [twin_epc(coefficients, table, counts) for counts in plays]
            # EPCs that differ by less than 2^-23 pips count as equal, because they are
            # rounded.
            fewest = min(epcs)
            best = max(k for k, epc in enumerate(epcs) if epc < fewest + 2.0**-23)
            assert tuple(played) == plays[best], (side, roll)
            assert mean * 49 / 6 == pytest.approx(epcs[best], abs=2e-7)


def test_of_equal_plays_the_lowest_number_is_taken(coefficients, table):
    """Of plays with equal estimates, the one with the lowest position number is chosen."""
    nothing = {name: np.zeros_like(a) for name, a in vars(coefficients).items()}
    player = BearIn(Coefficients(**nothing), table)
    sides = bear_in_games.random_sides(8, np.random.default_rng(2))
    sides[:, :12] = 0  # all checkers are so far away that no play brings them home
    sides[:, 20] += sides.sum(axis=1) < 3
    sides[:, 17] += sides.sum(axis=1) < 9
    after, _ = player.expand(sides)
    for side, afters in zip(sides, after, strict=True):
        position = bearoff.Position(tuple(int(n) for n in side))
        for roll, played in zip(bearoff.ROLLS, afters, strict=True):
            lowest = bearoff.legal_plays(position, roll)[-1].after
            assert tuple(played) == lowest.counts, (side, roll)


def test_home_is_the_table(table):
    numbers = np.arange(0, len(table), 7)
    sides = widen(unrank(numbers))
    player = bear_in()
    np.testing.assert_array_equal(player.mean_rolls(sides), table.mean_rolls[numbers])
    np.testing.assert_array_equal(player.std_rolls(sides), table.std_rolls[numbers])
    after, means = player.expand(sides)
    np.testing.assert_array_equal(rank(after[..., :6]), table.policy[numbers])
    assert not after[..., 6:].any()
    np.testing.assert_array_equal(means, table.mean_rolls[table.policy[numbers]])


def test_given_arrays_are_filled_and_threads_agree():
    sides = bear_in_games.random_sides(60, np.random.default_rng(4))
    player = bear_in()
    expected, means = player.expand(sides)
    after, left = np.empty_like(expected), np.empty_like(means)
    given = player.expand(sides, after, left)
    assert given[0] is after
    assert given[1] is left
    np.testing.assert_array_equal(after, expected)
    np.testing.assert_array_equal(left, means)
    with ThreadPoolExecutor(4) as pool:
        for found, mean in pool.map(lambda _: player.expand(sides), range(8)):
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(mean, means)


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        (np.zeros(24), ("float",)), (np.zeros((2, 6), dtype=int), (24,)),
        ([-1] + 23 * [0], (-1,)), ([8] + 22 * [0] + [8], (15, 16)),
    ],
)  # fmt: skip
def test_what_is_no_side_is_refused(counts, named):
    with refused(bearoff.PositionError, *named):
        check_counts(counts)


def test_shipped_numbers_are_these():
    digest = hashlib.sha256(PACKED.read_bytes()).hexdigest()
    assert digest == "0380e1290b6e40d817d80ecb470e8f32d6e9229632909613e9fb7be0b9a58ce6"


def test_sums_fit_their_16_bits(coefficients):
    """For all positions, the model's sums of coefficients fit into 16-bit integers."""
    codes = triple_codes()
    checkers = codes // 256 + codes // 16 % 16 + codes % 16
    for sign in (1, -1):
        for h in range(32):
            most = [0] * 16
            for triple in range(8):
                rows = sign * coefficients.rows[816 * triple : 816 * triple + 816, h]
                own = [int(rows[checkers == n].max()) for n in range(16)]
                most = [max(most[n - k] + own[k] for k in range(n + 1)) for n in range(16)]
            assert max(most) + sign * int(coefficients.start[h]) < 2**15


def test_recorded_exact_values_are_met_as_closely_as_told():
    lines = EXACT.read_text(encoding="utf-8").splitlines()[1:]
    recorded = np.array([line.split(",") for line in lines])
    sides = widen([[int(n) for n in row[0].split("-")] for row in recorded])
    error = bear_in().epc(sides) - recorded[:, 1].astype(float)
    # The limits are slightly above the errors measured on these 400 sides.
    assert np.sqrt((error**2).mean()) < 0.19
    assert abs(error.mean()) < 0.03
    error = bear_in().std_rolls(sides) - recorded[:, 2].astype(float)
    assert np.sqrt((error**2).mean()) < 0.1


def test_random_sides_and_moves_are_sides():
    rng = np.random.default_rng(1)
    sides = bear_in_games.random_sides(500, rng, points=18)
    assert (sides >= 0).all()
    assert (sides.sum(axis=1) <= 15).all()
    assert sides[:, 6:].any(axis=1).all()
    assert not sides[:, 18:].any()
    moved = bear_in_games.random_moves(sides, rng)
    assert (moved >= 0).all()
    np.testing.assert_array_equal(moved.sum(axis=1), sides.sum(axis=1))
    assert (moved @ np.arange(1, 25) < sides @ np.arange(1, 25)).mean() > 0.8


def test_targets_of_the_fit_are_unbiased(table):
    exact = bearoff.one_sided_table(7, 5)
    side = widen([[0, 1, 0, 1, 1, 0, 2]])
    games = 4000
    found = bear_in_games.play_home(
        bear_in(), np.repeat(side, games, axis=0), np.random.default_rng(6)
    )
    first = found.mean_rolls[(found.sides == side[0]).all(axis=1)]
    assert len(first) == games
    truth = exact.mean_rolls[bearoff.rank([0, 1, 0, 1, 1, 0, 2])]
    error = first.std() / np.sqrt(games)
    # On average, the fitted policy needs at most 0.002 rolls more than best play.
    assert -4 * error < first.mean() - truth < 0.002 + 4 * error


@pytest.mark.slow
def test_fit_repeats_itself():
    rounds = ((300, 4), (300, 4))
    first, second = (training.fit(5, rounds) for _ in range(2))
    for name, array in vars(first).items():
        np.testing.assert_array_equal(array, getattr(second, name))


@pytest.mark.slow
def test_all_sides_of_seven_points(table):
    exact = bearoff.one_sided_table(7)
    sides = widen(unrank(np.arange(len(exact)), 7))
    outside = np.flatnonzero(sides[:, 6])
    sides = np.ascontiguousarray(sides[outside])
    error = bear_in().epc(sides) - exact.epc[outside]
    # The limits are slightly above the errors measured over all positions.
    assert np.sqrt((error**2).mean()) < 0.27
    after, _ = bear_in().expand(sides)
    left = exact.mean_rolls[rank(after[..., :7])]
    best = exact.mean_rolls[exact.policy[outside]]
    lost = (left - best) @ np.array(bearoff.WEIGHTS) / 36 * 49 / 6
    assert (lost > -1e-9).all()
    assert lost.mean() < 0.006


def test_a_damaged_package_is_reported(tmp_path, monkeypatch):
    data = PACKED.read_bytes()
    monkeypatch.setattr("bearoff.bear_in.coefficients.files", lambda package: tmp_path)
    with zipfile.ZipFile(BytesIO(data)) as archive:
        arrays = {name: archive.read(name) for name in archive.namelist()}
    # Without its closing bracket, the header of an array is incomplete Python source, which
    # numpy cannot parse.
    arrays[min(arrays)] = arrays[min(arrays)].replace(b"), }", b" , }", 1)
    with zipfile.ZipFile(unclosed := BytesIO(), "w") as archive:
        for name, content in arrays.items():
            archive.writestr(name, content)
    # Bits at the end of the archive are not flipped, because they are metadata that no
    # program reads.
    places = np.random.default_rng(2).integers(len(data) - 1000, size=4).tolist()
    for damaged in (unclosed.getvalue(), *(flipped(data, at, bit=4) for at in places)):
        (tmp_path / DATA).write_bytes(damaged)
        bear_in.cache_clear()
        with refused(bearoff.TableError, "install"):
            bear_in()
    monkeypatch.undo()
    bear_in.cache_clear()
