"""Queries of two-sided tables: shapes of results, invalid arguments, and opened files."""

import subprocess
import sys

import numpy as np
import pytest

import bearoff
from bearoff import BearoffError, TableError
from bearoff.pair_planes import Plane
from bearoff.stakes import CubeOwner, Money, Terms
from bearoff.two_sided.manifest import read_manifest
from tests.refusals import refused
from tests.two_sided_tables import FULL_PLANES, PLANES, built, stored

SIZE = 5


@pytest.mark.parametrize("name", ["win_probability", "no_double"])
def test_answers_have_the_shape_of_the_question(name):
    ask = getattr(built(SIZE), name)
    one = ask(7, 9)
    assert one.shape == ()
    assert one.dtype == np.float64
    assert ask([], []).shape == (0,)
    assert ask([7], 9).shape == (1,)
    x, y = np.array([7, 8, 300])[:, None], np.array([[9, 1, 2, 461]])
    grid = ask(x, y)
    assert grid.shape == (3, 4)
    assert grid[0, 0] == one
    for i, j in np.ndindex(grid.shape):
        assert grid[i, j] == ask(int(x[i, 0]), int(y[0, j]))
    assert (ask(x.astype(np.uint16), y.astype(np.int32)) == grid).all()


@pytest.mark.parametrize("cube", ["owned", "centred", "opponent"])
def test_many_pairs_are_answered_as_they_are_one_by_one(cube):
    table = built(SIZE)
    x, y = np.random.default_rng(6).integers(1, 462, (2, 40_000))
    many, best = table.no_double(x, y, cube), table.best_after(x[:20_000], y[:20_000], cube)
    some = np.random.default_rng(7).integers(0, len(x), 300)
    some[:3] = 0, 16_383, 16_384  # indices on both sides of the border between two parts
    assert [float(table.no_double(x[k], y[k], cube)) for k in some] == many[some].tolist()
    for k in some[some < 20_000][:40]:
        assert (table.best_after(x[k], y[k], cube) == best[k]).all()


def opened_anew(table):
    return bearoff.TwoSidedTable(table.folder, read_manifest(table.folder))


def held_by(table):
    planes = table.plane_values._open
    return [name for name, plane in planes.items() if "_unpacked" in vars(plane)]


@pytest.mark.parametrize(("checkers", "start", "planes"), [(SIZE, 15, 4), (4, 4, 8)])
def test_values_that_are_held_are_those_read_one_by_one(checkers, start, planes):
    table = opened_anew(built(checkers, 6, start))
    x, y = np.random.default_rng(5).integers(0, len(table.places.numbers), (2, 500))
    for name in FULL_PLANES if start == checkers else PLANES:
        one_by_one = [float(stored(table, name, *pair)) for pair in zip(x, y, strict=True)]
        assert stored(table, name, x, y).tolist() == one_by_one
        many = np.tile(x, 100), np.tile(y, 100)  # enough queries to unpack the plane
        assert stored(table, name, *many).tolist() == 100 * one_by_one
        assert stored(table, name, x[::-1], y[::-1]).tolist() == one_by_one[::-1]
    for cube in ("owned", "centred"):
        alone = [float(table.no_double(*pair, cube)) for pair in zip(x, y, strict=True)]
        assert table.no_double(x, y, cube).tolist() == alone
    assert len(held_by(table)) == planes


def test_a_few_pairs_or_a_large_table_are_read_one_by_one(monkeypatch):
    table = opened_anew(built(SIZE))
    x, y = np.random.default_rng(5).integers(0, 462, (2, 40_000))
    # No single query is large enough to unpack the plane.
    for part in np.hsplit(np.array([x, y]), 20):
        table.equity(*part)
    assert held_by(table) == []
    table.equity(x, y)
    assert sorted(held_by(table)) == ["centred", "opponent"]
    monkeypatch.setattr(Plane, "may_hold", lambda plane, size: False)
    large = opened_anew(table)
    assert (large.equity(x, y) == table.equity(x, y)).all()
    assert held_by(large) == []


def values_after(table, mine, theirs, cube):
    """Return a player's equities in these positions when the opponent is on roll."""
    where = cube and CubeOwner.of(cube).exchanged.cube
    return -table.equity(theirs, mine, where)


@pytest.mark.parametrize("cube", ["owned", "centred", "opponent", None])
def test_the_best_plays_make_the_value_of_not_doubling(cube):
    table = built(SIZE)
    x, y = np.random.default_rng(8).integers(1, 462, (2, 50))
    best = table.best_after(x, y, cube)
    choices = bearoff.plays.successors(6, SIZE)
    for k in range(len(x)):
        values = values_after(table, best[k], int(y[k]), cube)
        mean = values @ np.array(bearoff.WEIGHTS) / 36
        # The tolerance allows for the rounding of each of the 21 values.
        assert mean == pytest.approx(float(table.no_double(x[k], y[k], cube)), abs=2.2e-5)
        for roll in range(21):
            at = 21 * int(x[k]) + roll
            every = choices.numbers[choices.offsets[at] : choices.offsets[at + 1]]
            others = values_after(table, every.astype(np.int64), int(y[k]), cube)
            assert best[k, roll] == every[others == others.max()].min()


def test_unknown_planes_and_jacobys_rule_without_a_cube_are_refused():
    table = built(SIZE)
    with refused(TableError, "gammon"):
        table.error("gammon")
    for ask in (table.equity, table.no_double):
        with refused(BearoffError, "Jacoby"):
            ask(1, 1, None, jacoby=True)
    with refused(BearoffError, "jacoby"):
        table.equity(1, 1, jacoby="yes")


def test_jacobys_rule_changes_plays_while_the_cube_is_centred():
    table = built(4, 6, 4)
    x, y = np.random.default_rng(9).integers(1, 210, (2, 3000))
    for cube in ("centred", "owned"):
        by_rule = table.best_after(x, y, cube, Terms(Money(jacoby=True)))
        same = (table.best_after(x, y, cube) == by_rule).all(axis=1)
        assert same.mean() > 0.5
        assert same.all() == (cube == "owned")


def test_queries_load_neither_numba_nor_llvm():
    built(SIZE)
    script = f"""
import sys, bearoff
from bearoff.two_sided import estimate_build
from bearoff.two_sided.verify import verify_planes
table = bearoff.two_sided_table({SIZE})
table.win_probability(3, 4), table.equity(3, 4), table.no_double(3, 4)
table.best_after(3, 4, "centred"), verify_planes(table.plane_values, samples=10)
estimate_build(3)
print([name for name in ("numba", "llvmlite", "scipy", "pyarrow") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"
