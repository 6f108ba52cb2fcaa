"""Review of matches: the order in which decisions are judged, and stated errors."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bearoff import Judge, Position, Race
from bearoff.analysis import formulas
from bearoff.analysis.review import NET_PLAY_ERROR, PLAY_ERROR, Estimates, Reviewing
from bearoff.game.records import parse_match, read_match
from bearoff.sources import Kind
from research.public_matches import contents

DATA = Path(__file__).parents[2] / "data"
KEITH = formulas.get("keith")
APART = 0.25


class Games:
    """Substitute for rollouts, which returns values of the fast model."""

    kind: Kind = "rollout"

    def __init__(self):
        self.asked: list[tuple[Race, Position | None]] = []

    def __call__(self, race, played, decided):
        assert (played is None) == (len(decided) > 0)
        self.asked.append((race, played))
        return self

    def values(self, races):
        found = Judge([]).model.values(races)
        apart = np.full(len(races), APART)
        return replace(found, gain_error=apart, cost_error=apart)


@pytest.fixture(scope="module")
def match():
    return read_match(DATA / "gnubg_match.mat")


def test_what_is_left_when_the_time_is_up_is_the_models(match):
    games = Games()
    hurried = Reviewing([match], Judge([], patience=0), KEITH, games)
    done = list(hurried.run(seconds=0))
    found = hurried.review()
    assert games.asked == []
    assert 0 < found.left < len(hurried) == len(found.judged) == hurried.answered
    assert len(done) == len(hurried) - found.left
    assert {one.method for one in found.judged} == {"model"}


def test_the_costliest_by_the_model_is_rolled_out_first(match):
    hurried = Reviewing([match], Judge([], patience=0), KEITH, Games())
    at_once = len(list(hurried.run(seconds=0)))
    by_model = {(one.line, one.kind): one.cost for one in hurried.review().judged}
    games = Games()
    whole = Reviewing([match], Judge([], patience=0), KEITH, games)
    steps = [one for one in whole.run() if one is not None]
    costs = [by_model[one.line, one.kind] for one in steps[at_once:]]
    assert costs[0] == max(costs) > 0
    assert whole.review().left == 0
    # The results are in the order of the match, not in the order of judging.
    lines = [one.line for one in whole.review().judged]
    assert lines == sorted(lines) != [one.line for one in steps]
    # A rollout of a play receives the play that was made. A rollout of a cube decision
    # receives no play.
    assert all((race.dice is None) == (played is None) for race, played in games.asked)


def test_the_costliest_are_guesses_until_decided(match):
    reviewing, seen = Reviewing([match], Judge([], patience=0), KEITH, Games()), []
    for _ in reviewing.run(on_guess=lambda: seen.append(reviewing.costliest(3))):
        pass
    assert len(seen) == len(reviewing)
    judged, guesses = zip(*seen[-1], strict=True)
    costs = [one.cost for one in judged]
    assert len(costs) == 3
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] > 0
    assert any(guesses)
    at_last = reviewing.costliest(100)
    assert not any(guess for _, guess in at_last)
    mistakes = [one for one in reviewing.review().judged if one.is_mistake]
    assert [judged for judged, _ in at_last] == sorted(mistakes, key=lambda one: -one.cost)


def test_clear_decisions_of_solved_games_are_exact(match):
    solving = Reviewing([match], Judge([], patience=1.0), KEITH, Games())
    list(solving.run())
    every = Judge([], patience=1.0)
    for one in solving.review().judged:
        if one.method == "exact":
            exact = every.answer(one.race)
            assert exact.kind == "exact"
            best = exact.plays[0] if one.kind == "play" else one.alternatives[0]
            assert one.alternatives[0].equity == pytest.approx(best.equity, abs=1e-9)


def test_errors_are_those_of_the_differences():
    """A stated error is two standard errors of the difference between the best and the next
    choice.
    """
    name = "eXBNG5wZHS5Alu3P.mat"
    match = parse_match(contents()[name], name)
    whole = Reviewing([match], Judge([], patience=0), KEITH, Games())
    rolled = [one for one in whole.run() if one is not None and one.method == "rollout"]
    # The error of a take is that of a single equity, so takes are left out.
    rolled = [one for one in rolled if one.kind != "take"]
    assert {one.kind for one in rolled} == {"play", "double"}
    for one in rolled:
        best, *others = one.alternatives
        error = 2 * APART
        if one.kind == "play" and one.decided == best.name:
            error = max(0.0, *(error - other.cost for other in others))
        assert one.error == pytest.approx(error)


def test_after_an_interruption_the_net_judges_what_comes_before_the_races(match):
    def interrupt(*_):
        raise KeyboardInterrupt

    stopped = Reviewing([match], Judge([]), KEITH, interrupt, estimates=Estimates())
    with pytest.raises(KeyboardInterrupt):
        list(stopped.run())
    assert stopped.answered < len(stopped)
    stopped.estimate_rest()
    found = stopped.review()
    assert stopped.answered == len(stopped) == len(found.judged)
    before = [one for one in found.judged if not one.in_race]
    plays = [one for one in before if one.kind == "play"]
    assert len(before) > len(plays) > 0
    assert {one.depth for one in plays} == {0}
    # Plays that were judged without a search have the larger error of the net.
    assert {one.error for one in plays if one.cost} == {NET_PLAY_ERROR}
    assert NET_PLAY_ERROR > PLAY_ERROR
    # Decisions that only the net has judged still count as left to judge.
    assert found.left > len(plays)
