"""Gammons of few checkers against the game played out in whole fractions."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import bearoff
from bearoff.one_sided import gammons
from bearoff.positions.numbering import POINTS
from bearoff.two_sided import gammons as gammon_plane
from bearoff.two_sided.cached import cached_two_sided_tables
from bearoff.two_sided.pair_order import pair_order_of
from tests import reference
from tests.reference import THROWS, Checkers

ALL = 3
"""Checkers with which both sides start, instead of 15."""

POSITIONS = reference.all_positions(POINTS, ALL)
NUMBERS = np.arange(len(POSITIONS))


def _result(roller: Checkers, opponent: Checkers) -> int | None:
    """Points to the roller if the game is over: two if the loser has all checkers on."""
    if not roller:
        return 2 if len(opponent) == ALL else 1
    if not opponent:
        return -2 if len(roller) == ALL else -1
    return None


@cache
def best_equity(roller: Checkers, opponent: Checkers) -> Fraction:
    over = _result(roller, opponent)
    if over is not None:
        return Fraction(over)
    return mean(
        max(-best_equity(opponent, after) for after in reference.successors(roller, *throw))
        for throw in THROWS
    )


@cache
def fewest_rolls_gammons(roller: Checkers, opponent: Checkers) -> tuple[Fraction, Fraction]:
    """Chances that the roller wins and loses a gammon, both playing fewest-rolls."""
    over = _result(roller, opponent)
    if over is not None:
        return Fraction(over == 2), Fraction(over == -2)
    afters = [reference.fewest_rolls_play(roller, *throw) for throw in THROWS]
    theirs = [fewest_rolls_gammons(opponent, after) for after in afters]
    return mean(lost for _, lost in theirs), mean(won for won, _ in theirs)


@cache
def most_gammons(roller: Checkers, opponent: Checkers, sign: int) -> Fraction:
    """Most chance of the roller's (1) or the opponent's (-1) gammon if both help."""
    over = _result(roller, opponent)
    if over is not None:
        return Fraction(over == 2 * sign)
    return mean(
        max(
            most_gammons(opponent, after, -sign)
            for after in reference.successors(roller, *throw)
        )
        for throw in THROWS
    )


def mean(values):
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def over_all_pairs(value) -> np.ndarray:
    return np.array([[float(value(x, y)) for y in POSITIONS] for x in POSITIONS])


@pytest.fixture(scope="module")
def plane() -> gammon_plane.GammonPlane:
    bearoff.build_two_sided_table(ALL, cube=False, workers=1)
    gammon_plane.build_gammon_plane(ALL, workers=2)
    return gammon_plane.gammon_plane(ALL)


@pytest.fixture(scope="module")
def without(plane) -> np.ndarray:
    return 2 * plane.table.win_probability(NUMBERS[:, None], NUMBERS) - 1


def test_equity_with_gammons(plane):
    found = plane.equity(NUMBERS[:, None], NUMBERS)
    assert np.abs(found - over_all_pairs(best_equity)).max() < gammon_plane.ERROR


def test_without_all_checkers_on_it_is_the_cubeless_equity(plane, without):
    fewer = slice(0, gammons.full_positions(ALL).start)
    found = plane.equity(NUMBERS[:, None], NUMBERS)
    assert (found[fewer, fewer] == without[fewer, fewer]).all()


def test_saving_the_gammon_may_cost_the_win(plane, without):
    # Were it only counted and not played for, gammons would be worth what they are
    # under the best cubeless play, and never so much less than the chance of them.
    found = plane.equity(NUMBERS[:, None], NUMBERS) - without
    counted = gammons.gammon_chance(NUMBERS[:, None], NUMBERS, ALL)
    assert np.abs(found - (counted.wins - counted.losses))[1:, 1:].max() > 100 * 2e-5


def test_chances_of_fewest_rolls_play():
    found = gammons.gammon_chance(NUMBERS[:, None], NUMBERS, ALL)
    wins = over_all_pairs(lambda x, y: fewest_rolls_gammons(x, y)[0])
    losses = over_all_pairs(lambda x, y: fewest_rolls_gammons(x, y)[1])
    assert found.wins == pytest.approx(wins, abs=1e-14)
    # Two sides that are both off are no game; the roller is said to have won it.
    assert found.losses[1:] == pytest.approx(losses[1:], abs=1e-14)


def test_bounds_hold_whatever_is_played():
    found = gammons.gammon_bound(NUMBERS[:, None], NUMBERS, ALL)
    wins = over_all_pairs(lambda x, y: most_gammons(x, y, 1))
    losses = over_all_pairs(lambda x, y: most_gammons(x, y, -1))
    assert (found.wins >= wins - 1e-14).all()
    assert (found.losses[1:] >= losses[1:] - 1e-14).all()
    # Where one roll decides, they are exact.
    surely = POSITIONS.index((1,))
    assert found.losses[:, surely] == pytest.approx(losses[:, surely], abs=1e-14)
    # Three on the six point stay on unless a six, 3-3, 4-4 or 5-5 forces one off.
    assert found.losses[-1, surely] == pytest.approx(22 / 36)


def test_bounds_hold_for_the_equity(plane, without):
    worth = plane.equity(NUMBERS[:, None], NUMBERS) - without
    bound = gammons.gammon_bound(NUMBERS[:, None], NUMBERS, ALL)
    error = gammon_plane.ERROR + 2 * plane.table.error("cubeless")
    assert (worth <= bound.wins + error).all()
    assert (worth >= -bound.losses - error)[1:].all()


def test_all_checkers_is_fifteen():
    assert gammons.full_positions(1) == slice(1, 7)
    full = gammons.full_positions()
    counts = bearoff.unrank(np.arange(bearoff.position_count())).sum(axis=1)
    assert np.flatnonzero(counts == 15).tolist() == list(range(full.start, full.stop))
    last, fourteen, fifteen = bearoff.rank(
        [[1, 0, 0, 0, 0, 0], [14] + [0] * 5, [15] + [0] * 5]
    )
    assert float(gammons.gammon_chance(last, fifteen).wins) == 1
    assert float(gammons.gammon_chance(last, fourteen).wins) == 0
    # The best way to save it takes a checker off with 17 throws, not 16: 2-2 too.
    sixes = bearoff.rank([0, 0, 0, 0, 0, 15])
    assert gammons.gammon_chance(sixes, last).losses == pytest.approx(20 / 36)


def test_of_no_position():
    with pytest.raises(bearoff.PositionError, match="from 0 to 83, got 84"):
        gammons.gammon_chance(84, 1, ALL)


def test_plane_of_another_table(plane, tmp_path, monkeypatch):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    with pytest.raises(bearoff.TableError, match="no two-sided table"):
        gammon_plane.build_gammon_plane(2)
    bearoff.build_two_sided_table(2, cube=False, workers=1)
    assert not gammon_plane.has_gammon_plane(2)
    gammon_plane.build_gammon_plane(2)
    assert gammon_plane.has_gammon_plane(2)
    (kept,) = cached_two_sided_tables()
    assert (
        kept.bytes > 2 * pair_order_of(6, 2).plane_bytes
    )  # It counts, and it goes with the table.
    monkeypatch.setattr(gammon_plane, "_digest_of_cubeless", lambda checkers: "another")
    with pytest.raises(bearoff.TableError, match="belongs to another two-sided table"):
        gammon_plane.gammon_plane(2)
    kept.remove()
    assert not list(tmp_path.rglob("gammon*"))


def test_no_room(plane, monkeypatch):
    full = type("Usage", (), {"free": 1000})
    monkeypatch.setattr("shutil.disk_usage", lambda folder: full)
    with pytest.raises(bearoff.TableError, match=r"needs 51.2 kB on .* 1\.0 kB"):
        gammon_plane.build_gammon_plane(ALL)
