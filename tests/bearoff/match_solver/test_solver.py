"""The solver of races at a match score, which uses threads and limited memory."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import bearoff
from bearoff import Score, match_equities, match_race
from bearoff.match_solver import kernels, opening, solver, stored
from bearoff.match_solver.sides import every_position
from tests.bearoff.sources.cube_twin import SEEN
from tests.refusals import refused

RACE = bearoff.Race("0,0,1,1,2,2", "0,1,1,1,2,1")
FIRST = np.ones((2, 1), dtype=np.int64)
"""Places of the first pair of positions in which both sides have a checker."""


def answers(found):
    """Return all values of the solved race, with either side on roll and every cube."""
    pair = RACE.roller.number, RACE.opponent.number
    out = []
    for seen, (x, y) in ((found, pair), (found.exchanged(), pair[::-1])):
        for cube, place in ((1, "centred"), (2, "owned"), (4, "opponent")):
            out.append(seen.value(x, y, cube, place))
            out.append(seen.no_double(x, y, cube, place))
            if place != "opponent":
                out.append(seen.double_take(x, y, cube, place))
    return out


def test_threads_change_nothing(monkeypatch):
    plain = match_race(RACE, (5, 9))
    right = answers(plain)
    monkeypatch.setattr(solver, "MANY_PAIRS", 1)
    monkeypatch.setattr(opening, "cores", lambda: 3)
    threaded = match_race(RACE, (5, 9))
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
    assert match_race(RACE, (5, 9)).nbytes == 0


def test_progress_and_estimate():
    done: list[float] = []
    found = match_race(RACE, (3, 5), progress=done.append)
    assert 0 < found.estimate_seconds() < 60
    assert found.estimate_seconds(8) < found.estimate_seconds()
    found.value(1, 1)
    assert found.estimate_seconds() == 0.0
    assert done == sorted(done)
    assert done[0] > 0
    assert done[-1] == 1.0


@pytest.mark.parametrize(("full", "own"), [(15, set()), (2, {(4, False, False)})])
def test_planes_that_are_the_same_are_solved_once(full, own):
    """A dead cube needs separate values only if a side can lose a gammon."""
    side = every_position(2, full)
    found = solver.MatchSolver(side, side, match_equities().payoffs(Score((3, 5))))
    found.values(found.payoffs.state(1, True, True), 0, *FIRST)
    assert set(found._planes) == {
        (1, True, True),
        (2, False, True), (2, True, False),
        (4, False, True),
        (8, False, False),
    } | own  # fmt: skip
    assert found.payoffs.state(64, True, True) == found.payoffs.decided
    at = match_equities().payoffs(Score((3, 1), "crawford"))
    crawford = solver.MatchSolver(side, side, at)
    crawford.values(at.state(1, True, True), 0, *FIRST)
    assert set(crawford._planes) == {(1 if own else 4, False, False)}


def test_threads_that_ask_at_once_solve_each_plane_once():
    side = every_position(4, 5)
    solved: list[float] = []
    payoffs = match_equities().payoffs(Score((9, 9)))
    found = solver.MatchSolver(side, side, payoffs, progress=solved.append)
    states = payoffs.states
    start = Barrier(len(states))

    def ask(state):
        start.wait()
        return found.values(state, 0, *FIRST).item()

    with ThreadPoolExecutor(len(states)) as pool:
        answers = list(pool.map(ask, states))
    levels = len(side.levels) - 2
    assert len(solved) == levels * len(found._planes)
    alone = solver.MatchSolver(side, side, payoffs)
    assert answers == [alone.values(state, 0, *FIRST).item() for state in states]


@pytest.mark.parametrize("score", [Score((3, 5)), Score((4, 1), "post-crawford")])
def test_whole_numbers_are_within_their_error(score, monkeypatch):
    asked = bearoff.Race("14,1,0,0,0,0", "0,1,1,1,2,1", score=score)
    exact = match_race(asked)
    monkeypatch.setattr(opening, "MOST_IN_FLOAT64", 4)
    whole = match_race(asked)
    tables = exact, whole
    assert (exact.error, whole.error) == (1e-12, 5e-7)
    a, b = (side.numbers for side in exact._values.sides)
    for cube, place in ((1, "centred"), (2, "owned"), (2, "opponent"), (4, "owned")):
        found = [table.value(a[:, None], b, cube, place) for table in tables]
        assert 0 < np.abs(found[0] - found[1]).max() <= whole.error
        pair = asked.roller.number, asked.opponent.number
        waiting = [table.no_double(*pair, cube, place) for table in tables]
        assert abs(waiting[0] - waiting[1]) <= whole.error
        plays = [table.best_after(*pair, place, table.terms(cube)) for table in tables]
        right, values = exact.exchanged().value(pair[1], plays, cube, SEEN[place])
        assert np.abs(values - right).max() <= 2 * whole.error


def test_what_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(opening, "memory_available", lambda: 1000)
    assert isinstance(match_race(RACE)._values, stored.TemporaryValues)
    monkeypatch.setattr("bearoff.runtime.machine.memory_available", lambda: 1000)
    with refused(bearoff.TableError, "two-sided"):
        match_race(RACE)
