"""Cube actions compared with exact fractions, published positions and invariants."""

import numpy as np
import pytest

import bearoff
from bearoff import BearoffError, Position, PositionError, Race
from tests.refusals import refused
from tests.two_sided_tables import built, exact_planes


@pytest.fixture(scope="module")
def large():
    return built(6)


CUBES = ("centred", "owned")

ALL_PAIRS = np.indices((461, 461)).reshape(2, -1)[:, ::9] + 1
"""Position numbers of every ninth pair of sides with up to five checkers."""


@pytest.mark.parametrize("start", [15, 2])
@pytest.mark.parametrize(
    ("cube", "jacoby", "kept"),
    [
        ("centred", False, "centred_kept"),
        ("centred", True, "jacoby_kept"),
        ("owned", False, "owned_kept"),
        ("owned", True, "owned_kept"),
    ],
)
def test_every_pair_of_two_checkers_against_fractions(start, cube, jacoby, kept):
    """Cube decisions of up to two checkers a side equal those of a fraction solver."""
    table, (pairs, right) = built(2, start=start), exact_planes(start)
    found = bearoff.cube_actions(table, *pairs, cube, jacoby=jacoby)
    no_double, taken = right[kept], 2 * right["opponent"]
    assert (np.abs(found.no_double - no_double) <= found.no_double_error).all()
    assert (np.abs(found.double_take - taken) <= found.double_take_error).all()
    chance = (right["cubeless"] + 1) / 2
    assert np.abs(found.win_probability - chance).max() <= table.error("cubeless")
    doubled = np.minimum(taken, 1)
    clear = np.abs(no_double - 1) > found.no_double_error
    for decided, truth, sure in (
        (found.doubles, doubled >= no_double, ~found.double_too_close),
        (found.takes, taken <= 1, ~found.take_too_close),
        (found.too_good & ~found.doubles, no_double > 1, ~found.double_too_close & clear),
    ):
        assert sure.mean() > 0.4
        np.testing.assert_array_equal(decided[sure], truth[sure])
    # Under the Jacoby rule, nobody plays on for a gammon with a centred cube.
    plays_on = (found.too_good & ~found.doubles).any()
    assert plays_on == (start == 2 and (not jacoby or cube == "owned"))
    off = np.abs(found.equity - np.maximum(doubled, no_double))
    assert (off <= found.error).all()
    lost = np.maximum(doubled, no_double) - np.where(found.doubles, doubled, no_double)
    assert lost.max() <= 2 * found.error.max()


@pytest.mark.parametrize("cube", CUBES)
def test_no_double_is_never_worth_more_than_a_pass(large, cube):
    # `no_double` is called directly, because `cube_actions` would remove its rounding
    # errors.
    assert 1 - 1e-4 < large.no_double(*ALL_PAIRS, cube).max() <= 1 + 1e-12


def test_errors_are_those_of_the_planes(large):
    # Both sides have one ace, so the roller certainly wins and no value is rounded.
    four = Position.parse("0,0,0,0,2,2").number
    for cube in CUBES:
        found = bearoff.cube_actions(large, [1, four], [1, four], cube)
        assert found.no_double_error.tolist() == [0.0, large.error(cube)]
        assert (found.double_take_error == 2 * large.error("opponent")).all()
        assert found.no_double[0] == 1.0


# With checkers on the 5 and 2 points, the roller should double but not redouble against
# these five positions (Jacoby, The Backgammon Book, 1970; Bray, The Independent, 1997).
JACOBY = {"0,0,0,0,1,0", "1,0,0,1,0,0", "0,0,0,0,0,1", "0,2,0,0,0,0", "0,1,1,0,0,0"}


def test_jacobys_paradox_has_his_five_positions(large):
    roller = Position.parse("0,1,0,0,1,0").number
    opponents = np.arange(1, bearoff.position_count(6, 6))
    owned = bearoff.cube_actions(large, roller, opponents, "owned")
    centred = bearoff.cube_actions(large, roller, opponents, "centred")
    found = opponents[centred.doubles & ~owned.doubles]
    assert {str(Position.from_number(int(n))) for n in found} == JACOBY


def test_all_at_once_is_one_by_one(large):
    pairs = ALL_PAIRS[:, ::997]
    for cube in CUBES:
        together = bearoff.cube_actions(large, *pairs, cube)
        for k, pair in enumerate(pairs.T.tolist()):
            alone = bearoff.cube_action(large, pair, cube)
            assert alone.equity == pytest.approx(together.equity[k], abs=1e-12)
            assert alone.too_close == together.too_close[k]
            assert alone.action == together.action[k]


def test_a_decision_within_the_error_is_called_too_close(large):
    # Against a checker on the 6 point, the opponent is exactly at the take point of 25%.
    borderline = bearoff.cube_action(large, Race("0,0,0,0,0,1", "1,0,0,0,0,0"))
    assert borderline.double_take == pytest.approx(1, abs=9e-6)
    assert borderline.too_close


@pytest.mark.parametrize("loser", ["1,0,0,0,0,0", "0,0,0,0,0,5", "1,1,0,0,0,0"])
def test_who_is_certain_to_win_may_double_or_not_and_that_is_not_too_close(large, loser):
    certain = bearoff.cube_action(large, Race("1,0,0,0,0,0", loser))
    assert certain.action == "double, pass"
    assert certain.no_matter
    assert not certain.too_close
    assert certain.no_double == certain.equity == 1.0
    assert certain.wrong_double == certain.missed_double == 0.0
    assert certain.wrong_take == pytest.approx(1, abs=1e-5)


def test_shapes_broadcast(large):
    found = bearoff.cube_actions(large, np.arange(1, 4)[:, None], np.arange(1, 6))
    assert found.equity.shape == found.error.shape == found.too_close.shape == (3, 5)
    assert bearoff.cube_actions(large, [], []).doubles.shape == (0,)


def test_refusals(large):
    for sides, named in (
        (((9,), (1,)), (9, 6)),
        (((1,), (0,)), (0,)),
        (((0, 0, 0, 0, 0, 0, 1), (1,)), ("point 7", 6)),
    ):
        with refused(BearoffError, *named):
            bearoff.cube_action(large, Race(*sides), "owned")


@pytest.mark.parametrize("side", ["roller", "opponent"])
def test_arrays_with_a_side_that_is_off_are_refused(large, side):
    sides = [[1, 2, 3], [1, 2, 3]]
    sides[side == "opponent"][1] = 0
    with refused(PositionError, side):
        bearoff.cube_actions(large, *sides)
