"""The solver of races at a match score, which uses threads and limited memory."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import bearoff
from bearoff import Score, match_equities, match_race
from bearoff.match_solver import kernels, opening, solver, stored
from bearoff.match_solver.sides import every_position
from tests.refusals import refused


def race():
    return bearoff.Race(
        bearoff.Position.parse("0,0,1,1,2,2"), bearoff.Position.parse("0,1,1,1,2,1")
    )


def answers(found):
    """Return all values of the solved race, with either side on roll and every cube."""
    pair = race().roller.number, race().opponent.number
    out = []
    for seen, (x, y) in ((found, pair), (found.exchanged(), pair[::-1])):
        for cube, place in ((1, "centred"), (2, "owned"), (4, "opponent")):
            out.append(seen.value(x, y, cube, place))
            out.append(seen.no_double(x, y, cube, place))
            if place != "opponent":
                out.append(seen.double_take(x, y, cube, place))
    return out


def test_threads_change_nothing(monkeypatch):
    plain = match_race(race(), (5, 9))
    right = answers(plain)
    monkeypatch.setattr(solver, "MANY_PAIRS", 1)
    monkeypatch.setattr(opening, "cores", lambda: 3)
    threaded = match_race(race(), (5, 9))
    assert threaded._values._workers == 3
    # The opponent has more positions than one thread receives at a time, so several threads
    # share the work.
    assert threaded._values.sides[1].size > kernels.LANES
    assert answers(threaded) == right
    planes = threaded._values._planes
    solved = dict(planes)
    threaded.double_take(1, 1)  # the solved equities are used again
    assert planes == solved
    held = sum(part.nbytes for plane in planes.values() for part in plane)
    assert threaded._values.memory_bytes >= held == threaded.nbytes
    assert match_race(race(), (5, 9)).nbytes == 0


def test_progress_and_estimate():
    done: list[float] = []
    found = match_race(race(), (3, 5), progress=done.append)
    assert 0 < found.estimate_seconds() < 60
    assert found.estimate_seconds(8) < found.estimate_seconds()
    found.value(1, 1)
    assert found.estimate_seconds() == 0.0
    assert done == sorted(done)
    assert done[0] > 0
    assert done[-1] == 1.0


def ask_centred(found):
    pair = np.ones((2, 1), dtype=np.int64)
    found.values(found.payoffs.state(1, True, True), 0, *pair)


@pytest.mark.parametrize(("full", "own"), [(15, set()), (2, {(4, False, False)})])
def test_planes_that_are_the_same_are_solved_once(full, own):
    """A dead cube needs separate values only if a side can lose a gammon."""
    side = every_position(2, full)
    found = solver.MatchSolver(side, side, match_equities().payoffs(Score((3, 5))))
    ask_centred(found)
    assert set(found._planes) == {
        (1, True, True),
        (2, False, True), (2, True, False),
        (4, False, True),
        (8, False, False),
    } | own  # fmt: skip
    assert found.payoffs.state(64, True, True) == found.payoffs.decided
    at = match_equities().payoffs(Score((3, 1), "crawford"))
    crawford = solver.MatchSolver(side, side, at)
    ask_centred(crawford)
    assert set(crawford._planes) == {(1 if own else 4, False, False)}


def test_threads_that_ask_at_once_solve_each_plane_once():
    side = every_position(4, 5)
    solved: list[float] = []
    found = solver.MatchSolver(
        side, side, match_equities().payoffs(Score((9, 9))), progress=solved.append
    )
    states = found.payoffs.states
    start = Barrier(len(states))

    def ask(state):
        start.wait()
        return float(found.values(state, 0, *np.ones((2, 1), dtype=np.int64))[0])

    with ThreadPoolExecutor(len(states)) as pool:
        answers = list(pool.map(ask, states))
    levels = len(side.levels) - 2
    assert len(solved) == levels * len(found._planes)
    alone = solver.MatchSolver(side, side, found.payoffs)
    one = np.ones((2, 1), dtype=np.int64)
    assert answers == [float(alone.values(state, 0, *one)[0]) for state in states]


@pytest.mark.parametrize("score", [Score((3, 5)), Score((4, 1), "post-crawford")])
def test_whole_numbers_are_within_their_error(score, monkeypatch):
    sides = [bearoff.Position.parse(text) for text in ("14,1,0,0,0,0", "0,1,1,1,2,1")]
    asked = bearoff.Race(*sides)
    tables = [match_race(asked, score.away, score.game)]
    monkeypatch.setattr(opening, "MOST_IN_FLOAT64", 4)
    tables.append(match_race(asked, score.away, score.game))
    exact, whole = tables
    assert (exact.error, whole.error) == (1e-12, 5e-7)
    a, b = (side.numbers for side in exact._values.sides)
    for cube, place in ((1, "centred"), (2, "owned"), (2, "opponent"), (4, "owned")):
        found = [table.value(a[:, None], b, cube, place) for table in tables]
        assert 0 < np.abs(found[0] - found[1]).max() <= whole.error
        pair = asked.roller.number, asked.opponent.number
        waiting = [table.no_double(*pair, cube, place) for table in tables]
        assert abs(waiting[0] - waiting[1]) <= whole.error
        plays = [table.best_after(*pair, place, table.terms(cube)) for table in tables]
        values = exact.exchanged().value(pair[1], plays[1], cube, _SEEN[place])
        right = exact.exchanged().value(pair[1], plays[0], cube, _SEEN[place])
        assert np.abs(values - right).max() <= 2 * whole.error


_SEEN = {"centred": "centred", "owned": "opponent", "opponent": "owned"}
"""Owner of the cube from the other side's viewpoint."""


def test_what_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(opening, "memory_available", lambda: 1000)
    assert isinstance(match_race(race())._values, stored.TemporaryValues)
    monkeypatch.setattr("bearoff.runtime.machine.memory_available", lambda: 1000)
    with refused(bearoff.TableError, "two-sided"):
        match_race(race())
