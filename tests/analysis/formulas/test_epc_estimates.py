"""Published estimates of the EPC compared with a second implementation."""

import re

import numpy as np
import pytest

import bearoff
from bearoff.analysis.formulas.counting import estimates, features, get_estimate
from tests.app.conftest import ROOT

SIDES = bearoff.unrank(np.arange(1, bearoff.position_count(6, 15)), 6)
LEFT, PIPS = SIDES.sum(axis=1), SIDES @ np.arange(1, 7)
A, B, C, D, E, F = SIDES.T
HEIGHT, GAPS = SIDES.max(axis=1), (SIDES == 0).sum(axis=1)
HIGHEST = np.where(SIDES > 0, np.arange(1, 7), 0).max(axis=1)
FIVE = np.all([A > 1, B > 1, C > 1, D > 1, E > 1], axis=0)
FLAT = PIPS + 10 + 2 * (A - 2) + (B - 2) + (C - 2) / 2


def mcg():
    """Return a published estimate of the EPC, from the numbers of checkers on the home
    points.
    """
    ace = np.select([A == 0, A == 1], [-2.5, -1.5], 2.0 * (A - 2))
    deuce = np.select([B == 0, B == 1], [-1, -0.75], 1.25 * (B - 2))
    three = np.where(C <= 1, -0.25, 0.75 * (C - 2))
    full = LEFT >= 14
    gaps = (F == 0) + np.where(full, 2, 1.5) * ((D == 0) * 1 + (E == 0))
    semi = 0.5 * ((D == 1) * 1 + (E == 1) + (F == 1))
    rest = 0.2 * (D - F) + 0.3 * (HEIGHT - 3) - 0.4 * full
    return PIPS + 10 + ace + deuce + three + gaps + semi + rest


def nearly_no_miss():
    mean = PIPS / LEFT - np.where(LEFT % 2, 0.5, 0)
    more = np.select([mean > 2, mean > 1.4], [4 * mean - 7, 2 * mean - 2.8], 0)
    return 7 * np.ceil(LEFT / 2) + 1 + more


EF = E + F > 0
ALL = np.ones(len(SIDES), dtype=bool)
TABLE = {
    "6-flat": (
        FIVE & (F > 0),
        np.where(F == 1, FLAT - 1 + HEIGHT / 2, FLAT - 0.5 * ((E > 2) & (F > 2))),
    ),
    "5-flat": (FIVE & (F == 0), FLAT + HEIGHT / 2),
    "abc": ((LEFT >= 9) & (A < 3) & (B < 3) & (C < 3), PIPS + 7 + A + B / 2),
    "fastimate": ((LEFT >= 9) & EF, PIPS + 4 + 2 * A + B + C / 2 + 1.2 * GAPS),
    "mcg": ((LEFT >= 9) & EF, mcg()),
    "mm8": (
        (LEFT >= 4) & (LEFT <= 8) & EF,
        PIPS + 4 + SIDES[:, :5] @ [2, 1.3, 0.8, 0.4, 0.2] + 0.7 * (GAPS - 2)
        + 0.3 * (HEIGHT - 2),
    ),
    "mm8-minus": (
        ((LEFT == 6) | (LEFT == 8)) & ~EF & ((A == 1) | (B == 1)),
        PIPS + 3 + SIDES[:, :4] @ [2, 1.3, 0.8, 0.4] + 0.3 * (HEIGHT - 2),
    ),
    "nnm": (~EF & ((SIDES > 0).sum(axis=1) == HIGHEST), nearly_no_miss()),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_estimates_are_those_of_the_table(name):
    meant, epc = TABLE[name]
    estimate = get_estimate(name)
    np.testing.assert_array_equal(estimate.meant(features.columns_of(SIDES)), meant)
    # The estimate `nnm` rounds its mean EPCs to 0.05 pips.
    np.testing.assert_allclose(
        estimate.epc(SIDES), epc, atol=0.03 if name == "nnm" else 1e-9
    )


def test_the_table_as_a_whole_takes_the_first_that_is_meant():
    order = ("6-flat", "5-flat", "mcg", "mm8", "mm8-minus", "nnm")
    expected = np.select(
        [TABLE[name][0] for name in order],
        [get_estimate(name).epc(SIDES) for name in order],
        get_estimate("by-shape").epc(SIDES),
    )
    np.testing.assert_array_equal(get_estimate("by-table").epc(SIDES), expected)


def test_matusseks_coefficients_are_those_of_a_new_regression(table):
    few = LEFT <= 8
    waste = table.epc[1:][few] - PIPS[few]
    seen = np.column_stack([np.ones(few.sum()), SIDES[few]])
    fitted, *_ = np.linalg.lstsq(seen, waste, rcond=None)
    estimate = get_estimate("matussek")
    assert [float(estimate.base), *map(float, estimate.each)] == list(fitted.round(1))
    assert (estimate.meant(features.columns_of(SIDES)) == few).all()


@pytest.mark.parametrize("points", [4, 24])
@pytest.mark.parametrize("name", estimates())
def test_points_that_are_not_there_are_empty(name, points):
    low = SIDES[(HIGHEST <= 4)][::40]
    wide = np.pad(low, ((0, 0), (0, 18)))[:, :points]
    estimate = get_estimate(name)
    np.testing.assert_array_equal(estimate.epc(wide), estimate.epc(low))


def test_the_page_says_how_far_they_are_off(table):
    page = (ROOT / "results/formulas/estimates.md").read_text(encoding="utf-8")
    row = r"^\| ([\w-]+) \| ([\d,]+) \| (\S+) \| (\S+) \| (\S+) \|"
    rows = re.findall(row, page.partition("## As a decision")[0], re.MULTILINE)
    assert {name for name, *_ in rows} > set(TABLE)
    for name, sides, mean, rms, worst in rows:
        meant, epc = TABLE.get(name, (ALL, get_estimate(name).epc(SIDES)))
        if name == "matussek":
            meant = LEFT <= 8
        off = (epc - table.epc[1:])[meant]
        assert int(sides.replace(",", "")) == len(off)
        near = 0.011 if name == "nnm" else 0.0051
        assert float(mean) == pytest.approx(off.mean(), abs=near)
        assert float(rms) == pytest.approx(np.sqrt((off * off).mean()), abs=near)
        assert float(worst) == pytest.approx(off[np.abs(off).argmax()], abs=0.051)
