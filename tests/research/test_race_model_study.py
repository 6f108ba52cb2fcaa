"""The study of the race model compared with its definition, pair by pair."""

import numpy as np
import pytest

import bearoff
from bearoff.race_model import race_model
from research.studies import race_model as studied, study_race_model, write_race_model_study
from research.studies.race_model import METHODS, OPEN, WEIGHTINGS, Cell, RaceModelStudy
from research.studies.race_model_page import double_take_error, lost_near, page
from tests.two_sided_tables import built

SIDE = 6
SIDES = 12


@pytest.fixture(scope="module")
def study():
    built(SIDE)
    return study_race_model(SIDE, sides=SIDES, seed=5)


def test_the_seed_decides_the_pairs_of_every_cell(study):
    again = study_race_model(SIDE, sides=SIDES, seed=5)
    other = study_race_model(SIDE, sides=SIDES, seed=6)
    for one, two in zip(study.cells, again.cells, strict=True):
        np.testing.assert_array_equal(one.lost, two.lost)
        np.testing.assert_array_equal(one.chance, two.chance)
    assert [len(cell) for cell in study.cells] != [len(cell) for cell in other.cells]
    longest = bearoff.one_sided_table(6, SIDE).epc.max()
    expected = [low for low in studied.BANDS[:-1] if low <= longest]
    for weighting in WEIGHTINGS:
        assert [cell.low for cell in study.of(weighting)] == expected
    for cell in study.cells:
        assert 0 < len(cell) <= SIDES**2
        assert cell.lost.shape == (len(METHODS), 3, len(cell))
        assert (cell.lost >= 0).all()


def test_errors_of_a_drawn_cell(study):
    table, fewest, model = built(SIDE), bearoff.one_sided_table(), race_model()
    cell = study.of("uniform")[3]
    assert (cell.low, cell.high) == (25.0, 30.0)
    numbers = np.arange(1, bearoff.position_count(6, SIDE))
    epc = fewest.epc[numbers]
    x = numbers[(epc >= 25) & (epc < 30)]
    y = numbers[(epc >= 25 * 0.75) & (epc < 30 * 1.25)]
    x, y = (side.ravel() for side in np.meshgrid(x, y, indexing="ij"))
    chance = fewest.fewest_rolls_win_probability(x, y)
    exact = table.win_probability(x, y)
    # Every pair of positions has a different error of the win probability, so an error
    # identifies the pair.
    keys = {}
    for k, error in enumerate((chance - exact).astype(np.float32)):
        keys.setdefault(float(error), []).append(k)
    found = 0
    for i in range(len(cell)):
        places = keys.get(float(cell.chance[METHODS.index("Janowski"), i]), [])
        if len(places) != 1:
            continue
        found += 1
        pair = x[places[0]], y[places[0]]
        assert OPEN <= exact[places[0]] <= 1 - OPEN
        wait, owned = (float(table.no_double(*pair, c)) for c in ("centred", "owned"))
        taken = float(table.double_take(*pair))
        margins = [min(taken, 1.0) - wait, min(taken, 1.0) - owned, taken - 1]
        assert cell.near[i] == (min(map(abs, margins)) < studied.NEAR)
        epcs = fewest.epc[list(pair)]
        says, says_owned = model.cube_actions(*epcs), model.cube_actions(*epcs, "owned")
        lost = [
            max(margins[0], 0) if not says.doubles else max(-margins[0], 0),
            max(margins[1], 0) if not says_owned.doubles else max(-margins[1], 0),
            abs(margins[2]) if says.takes != (taken <= 1) else 0.0,
        ]
        # If nobody doubles, a wrong take costs nothing.
        assert lost[2] == 0 or says.doubles or margins[0] >= 0
        # The tolerance is for the rounding of the study's values to float32.
        np.testing.assert_allclose(cell.lost[0, :, i], lost, atol=1e-6)
        miss = float(says.double_take) - taken
        assert cell.double_take[0, i] == pytest.approx(miss, abs=1e-6)
        assert cell.no_double[0, i] == pytest.approx(float(says.no_double) - wait, abs=1e-6)
    assert found > 20


def test_decided_pairs_are_left_out():
    numbers = np.arange(1, bearoff.position_count(6, SIDE))[::7]
    x, y = studied._exact(built(SIDE), numbers, numbers).pairs
    every = built(SIDE).win_probability(numbers[:, None], numbers)
    undecided = (every >= OPEN) & (every <= 1 - OPEN)
    assert (every < OPEN).any()
    assert (every > 1 - OPEN).any()
    expected = {(numbers[i], numbers[j]) for i, j in np.argwhere(undecided)}
    assert set(zip(x, y, strict=True)) == expected
    assert len(x) == len(expected)


def test_knowing_more_is_better(study):
    for weighting in WEIGHTINGS:
        means = [
            np.mean([double_take_error(cell, k) for cell in study.of(weighting)])
            for k in range(len(METHODS))
        ]
        assert means[METHODS.index("fewest-rolls chance")] < means[METHODS.index("EPC")]
        assert means[METHODS.index("EPC")] < means[METHODS.index("Janowski")]


def made_up(near):
    pairs = len(near)
    errors = np.full((len(METHODS), pairs), 0.02, dtype=np.float32)
    lost = np.zeros((len(METHODS), 3, pairs), dtype=np.float32)
    lost[0, 1, 0], lost[0, 2, 0], lost[0, 2, 1] = 0.004, 0.002, 0.008
    return Cell("visits", 10.0, 15.0, np.array(near), errors, -errors, 2 * errors, lost)


def test_measures():
    cell = made_up([True, False])
    assert double_take_error(cell, 0) == pytest.approx(0.04)
    assert lost_near(cell, 0) == pytest.approx(6)
    assert lost_near(cell, 1) == 0
    assert np.isnan(lost_near(made_up([False, False]), 0))


def test_page(tmp_path):
    uniform = Cell("uniform", *list(vars(made_up([True, True])).values())[1:])
    study = RaceModelStudy(7, 3, (made_up([True, False]), uniform))
    text = page(study)
    assert "4 pairs in which the roller wins 5% to 95%" in text
    assert "of the games. Of these pairs, 3 contain" in text
    # The last two columns are mean losses in thousandths, at first of all pairs, then of
    # near pairs.
    for losses in ("2.000 | 5.000", "4.000 | 2.000"):
        assert f"| EPC | 2.000 | 0.0200 | 0.0400 | 0.000 | {losses} |" in text
    assert "| EPC | 6.000 |" in text
    written = write_race_model_study(study, tmp_path / "new")
    assert [path.name for path in written] == ["errors.md", "errors.png"]
    assert written[0].read_text(encoding="utf-8") == text
    assert written[1].stat().st_size > 10_000
