"""Cube decisions of two players about all pairs of positions, and invalid arguments."""

import numpy as np
import pytest

import bearoff
from bearoff.errors import BearoffError, PositionError, TableError
from bearoff.matchup.sides import RacePlayer, side_of
from bearoff.matchup.solver import DOUBLE, REDOUBLE, TAKE, DecisionBits, ask
from bearoff.matchup.strategies import (
    CubeDecision,
    EquilibriumCube,
    JanowskiCube,
    NeverDoubles,
)
from bearoff.matchup.values import strategy_values
from oracles import reference
from tests.bearoff.matchup import strategy_twin as twin
from tests.refusals import refused
from tests.two_sided_tables import number

ROUNDING = 1e-12
ZEROS = np.zeros((7, 21), dtype=np.int64)


def test_sides_are_what_can_be_reached():
    start = (0, 1, 0, 0, 2, 0)
    reached = {reference.checkers_of(start)}
    # Every play leads to a position with a lower number.
    for position in reference.all_positions(6, 3)[::-1]:
        if position in reached:
            for throw in reference.THROWS:
                reached.update(twin.fewest_rolls(position, *throw))
    side = side_of("fewest-rolls", [number(*start)], 6)
    told = sorted(number(*reference.counts_of(position, 6)) for position in reached)
    assert side.numbers.tolist() == told
    assert np.array_equal(side.counts, bearoff.unrank(side.numbers))
    assert np.array_equal(side.places(told), np.arange(len(told)))


def test_progress_is_reported_to_the_end():
    told: list[tuple[str, float]] = []
    players = RacePlayer(JanowskiCube()), RacePlayer(EquilibriumCube())
    strategy_values(*players, checkers=3, progress=lambda *step: told.append(step))
    stages = list(dict.fromkeys(stage for stage, _ in told))
    assert stages == ["equilibrium", "decisions", "values"]
    for stage in stages:
        shares = [done for name, done in told if name == stage]
        assert shares == sorted(shares)
        assert shares[-1] == 1


@pytest.fixture(scope="module")
def small():
    never = RacePlayer(NeverDoubles())
    return strategy_values(never, never, starts=[number(1, 1), number(0, 0, 1)])


def test_refusals(small, monkeypatch):
    never = RacePlayer(NeverDoubles())

    def play(a="fewest-rolls", **given):
        strategy_values(RacePlayer(NeverDoubles(), a), never, **given)

    pair = number(1, 1), [0, number(0, 0, 1)]
    for error, attempt, named in (
        (BearoffError, play, ("starts", "checkers")),
        (BearoffError, lambda: play(starts=[1, 1], checkers=2), ("starts", "checkers")),
        (PositionError, lambda: play(starts=[1, 2, 3]), (3,)),
        (PositionError, lambda: play(ZEROS, starts=[7, 1]), (6, 7)),
        (TableError, lambda: play("fast", checkers=2), ("best", "fast")),
        (TableError, lambda: play(ZEROS[:, 1:], checkers=1), (21, 7, 20)),
        (TableError, lambda: play(ZEROS + 6, checkers=1), (1, 6)),
        (PositionError, lambda: small.equity(5, 0), (5,)),
        (BearoffError, lambda: small.equity(0, 0, "either"), ("on_roll", "either")),
        (BearoffError, lambda: small.gain(0, 0, "a"), ("on_roll", "'a'")),
        (PositionError, lambda: small.decisions(*pair), ("pairs",)),
    ):
        with refused(error, *named):
            attempt()
    # The values for nine checkers a side do not fit into this available memory.
    monkeypatch.setattr("bearoff.runtime.machine.memory_available", lambda: 950_000_000)
    with refused(TableError, "5,005", "951.3"):
        play(checkers=9)
    perfect = RacePlayer(EquilibriumCube())
    with refused(TableError, "1.0"):
        strategy_values(never, perfect, checkers=9, dtype=np.float32)
    monkeypatch.undo()
    play(checkers=3)


def test_questions_asked_at_once_do_not_undo_each_other():
    """Threads that ask for decisions at the same time all get correct answers."""

    class DoublesAndTakes:
        name = "doubles and takes"

        def decide(self, rollers, opponents):
            always = np.ones(len(rollers), dtype=np.bool_)
            return CubeDecision(always, always, always)

    counts = bearoff.unrank(np.arange(900))
    sides = [_Side(counts), _Side(counts.copy())]
    for _ in range(50):  # without the lock, one repetition in ten would lose a decision
        decisions = DecisionBits.none(*sides)
        ask(DoublesAndTakes(), DoublesAndTakes(), *sides, decisions, 4, lambda *told: None)
        assert (decisions.on_roll_a[1:, 1:] == DOUBLE | REDOUBLE | TAKE).all()
        assert (decisions.on_roll_b[1:, 1:] == DOUBLE | REDOUBLE | TAKE).all()


class _Side:
    def __init__(self, counts):
        self.counts = counts

    def __len__(self):
        return len(self.counts)
