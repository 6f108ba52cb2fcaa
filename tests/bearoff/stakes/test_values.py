"""Cube decisions computed from arrays of equities, compared with single decisions."""

import math
from dataclasses import fields
from itertools import product

import numpy as np
import pytest

from bearoff.scores import Score
from bearoff.stakes import MONEY, Match, Money, Terms, Values
from tests.refusals import refused

MATCH = Match(Score((3, 5)))
TERMS = (
    *map(Terms, (MONEY, Money(jacoby=True), Money(beavers=True))),
    *(Terms(MATCH, 2, turned) for turned in (False, True)),
)
CRAWFORD = Terms(Match(Score((3, 1), "crawford")))


def made(terms, owners, tie=0.0, **columns):
    found = Values.empty(terms, np.array(owners, dtype=np.int8), tie)
    for name, column in columns.items():
        getattr(found, name)[:] = column
    return found


def decided(owner, waits, taken, tie, beavers=False):
    """Return the cube action and the costs of mistakes, given two equities."""
    if owner < 0:
        costs = "missed_double", "wrong_double", "wrong_take", "wrong_pass"
        none = dict.fromkeys(costs, math.nan)
        return none | {"equity": waits, "action": "", "doubles": False}
    takes = taken <= 1 or taken - 1 <= tie
    back = beavers and taken < -tie
    accepted = taken + taken if back else taken
    doubled = accepted if accepted < 1 else 1.0
    equal = abs(doubled - waits) <= tie
    doubles = equal or doubled > waits
    word = "redouble" if owner else "double"
    if doubles:
        action = f"{word}, {'take' if takes else 'pass'}"
    else:
        action = f"too good to {word}" if waits > 1 + tie else f"no {word}"
    if back:
        action = f"{word if doubles else f'no {word}'}, beaver"

    def cost(difference):
        return difference if difference > tie else 0.0

    return {
        "equity": max(doubled, waits),
        "action": action,
        "doubles": doubles,
        "missed_double": cost(doubled - waits),
        "wrong_double": cost(waits - doubled),
        "wrong_take": cost(taken - (accepted if back else 1)),
        "wrong_pass": cost(1 - accepted),
        "no_matter": equal,
    }


@pytest.mark.parametrize("terms", TERMS, ids=lambda terms: terms.stakes.label)
@pytest.mark.parametrize("tie", [0.0, 0.02])
def test_decisions_are_the_twins(terms, tie):
    rng = np.random.default_rng(17)
    # Multiples of 1/64 are exact in float64, so that ties between equities are exact.
    waits = np.concatenate([rng.integers(-64, 129, 300) / 64, rng.uniform(-1, 2, 100)])
    taken = np.concatenate([rng.integers(-64, 129, 300) / 64, rng.uniform(-2, 2, 100)])
    waits[:100] = np.minimum(taken[:100], 1)
    waits[100:130] = 1.0
    owners = rng.integers(-1, 2, 400)
    taken[owners < 0] = np.nan
    found = made(terms, owners.tolist(), tie, no_double=waits, double_take=taken)
    for row, (owner, *both) in enumerate(
        zip(owners.tolist(), waits.tolist(), taken.tolist(), strict=True)
    ):
        right = decided(owner, *both, tie, terms.stakes.beavers)
        for name, value in right.items():
            here = getattr(found, name)[row]
            same = pytest.approx(value, nan_ok=True) if isinstance(value, float) else value
            assert here == same, (name, owner, both)
        one = found.at(np.array([row])).row()
        assert (one["action"], one["equity"]) == (right["action"], right["equity"])
    assert found.doubles.any()
    assert found.too_good.any()
    assert (found.owners < 0).any()


def test_nobody_doubles_in_crawfords_game():
    found = made(CRAWFORD, [0], no_double=[0.3])
    assert not found.may_double[0]
    assert (found.doubles, found.action, found.equity) == (False, "", 0.3)
    assert np.isnan([found.missed_double, found.wrong_pass]).all()


def test_what_the_errors_leave_open():
    rng = np.random.default_rng(5)
    waits, taken = rng.uniform(0.6, 1.2, (2, 400))
    errors = rng.choice([0.0, 0.01, 0.1], (2, 400))
    found = made(
        Terms(), [0] * 400, no_double=waits, double_take=taken,
        no_double_error=errors[0], double_take_error=errors[1],
    )  # fmt: skip
    for row in range(400):
        ends = [
            decided(0, waits[row] + a * errors[0, row], taken[row] + b * errors[1, row], 0)
            for a, b in (*product((-1, 1), repeat=2), (0, 0))
        ]
        takes = {end["wrong_take"] == 0 for end in ends}
        assert found.take_too_close[row] == (len(takes) > 1)
        doubles = {end["doubles"] for end in ends}
        if not found.too_close[row]:
            assert doubles == {found.doubles[row]}
            assert not found.doubles[row] or takes == {found.takes[row]}
    assert 0.1 < found.too_close.mean() < 0.9
    assert not found.widened(0.0).too_close.any()


@pytest.mark.parametrize("terms", TERMS[1:4], ids=lambda terms: terms.stakes.label)
def test_numbers_of_one_race_are_those_of_the_arrays(terms):
    rng, widened = np.random.default_rng(6), 2.0
    owners = rng.integers(-1, 2, 200)
    least = np.where(rng.random(200) < 0.2, -0.5, 0.6)  # some are redoubled
    taken = np.where(owners < 0, np.nan, rng.uniform(least, 1.2))
    found = made(
        terms, owners.tolist(), 0.01, no_double=rng.uniform(0.6, 1.2, 200),
        double_take=taken, no_double_error=rng.choice([0.0, 0.01, 0.1], 200),
        double_take_error=rng.choice([0.0, 0.01, 0.1], 200),
    )  # fmt: skip
    wide = found.widened(widened)
    for place in range(200):
        row = found.row(place, widened)
        assert row["too_close"] == wide.too_close[place]
        for name in set(row) - {"too_close"}:
            np.testing.assert_equal(row[name], getattr(found, name)[place].item())


def test_values_of_other_terms_are_not_put_among_them():
    place = np.array([1])
    for ours, theirs in product((*TERMS, CRAWFORD), repeat=2):
        into, one = made(ours, [0, 0]), made(theirs, [0], no_double=[0.5])
        if ours == theirs:
            into.put(place, one)
            assert np.isnan(into.no_double[0])
            assert into.no_double[1] == 0.5
        else:
            with refused(ValueError, "among"):
                into.put(place, one)
            assert np.isnan(into.no_double).all()


def test_rows_are_chosen_and_told_by_name():
    found = made(Terms(MONEY), [0, 1, -1], no_double=[0.1, 0.2, 0.3], double_take=[1, 2, 3])
    part = found.at(np.array([2, 0]))
    assert (part.owners.tolist(), part.no_double.tolist()) == ([-1, 0], [0.3, 0.1])
    assert part.terms is found.terms
    row = found.row(1)
    left_out = {"terms", "owners", "tie", "gain_error", "cost_error"}
    numbers = {one.name for one in fields(Values)} - left_out
    assert numbers < set(row)
    columns = found.to_dict()
    assert list(columns) == list(row)
    for name, column in columns.items():
        np.testing.assert_array_equal(column, [found.row(k)[name] for k in range(3)])
    assert (row["action"], row["equity"]) == ("redouble, pass", 1.0)
    assert found.decisions(1)["take"] == (2.0, 1.0, pytest.approx(math.nan, nan_ok=True))
