"""Computations in a match: the opponent's decisions, hints, costs and luck.

A race is evaluated exactly if a table contains the race or the race can be solved,
otherwise by the fast model. Before the race, equities are estimated by a search one roll
ahead, with the cube and at the match score.
"""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from bearoff import BearoffError, Race
from bearoff.analysis.review import (
    PLAY_ERROR,
    Decision,
    Estimates,
    Method,
    cube_decision,
    decision_of,
    rated_alternatives,
    reason,
)
from bearoff.app.serve.play.games import LiveMatch
from bearoff.app.serve.play.kept import PERSON
from bearoff.app.serve.play.models import GoneThrough
from bearoff.app.serve.play.opponents import (
    Clock,
    OpponentAction,
    decide,
    opponent_named,
)
from bearoff.game import Board
from bearoff.game.records import Action, Moment, decisions_at
from bearoff.game.search import cube_of
from bearoff.game.state import GameError, GameState

if TYPE_CHECKING:
    from bearoff.answers import Answer, Judge

GIVE_UP = "give up"
"""Name of the choice to resign, where the alternative is to play on."""


def costliest(judged: tuple[Decision, ...]) -> Decision | None:
    """Return the costliest decision in an action; None if the action has no decision."""
    return max(judged, key=lambda one: one.cost, default=None)


class Thinker:
    """Computations for one match. A thread must hold `lock` while it uses this object.

    Parameters
    ----------
    opponent : str
        Name of the opponent.
    judge : Judge
        Judge that evaluates the races of the match.

    Attributes
    ----------
    games : dict of int to (tuple of Action, GoneThrough)
        Cached analysis of each game, by the number of the game, with the actions that were
        analysed.
    """

    def __init__(self, opponent: str, judge: "Judge") -> None:
        self.lock = threading.Lock()
        self._clock = Clock()
        self._opponent = opponent_named(opponent)
        self._player = self._opponent.make(self._clock)
        self._judge = judge
        self._estimates = Estimates()
        self.games: dict[int, tuple[tuple[Action, ...], GoneThrough]] = {}
        self._known: dict[tuple[GameState, str, str, int, int], tuple[Decision, ...]] = {}

    def decide(self, state: GameState) -> OpponentAction:
        self._clock.stopped = False
        asked = self._opponent.beavers and 0 < state.offers <= state.beavers
        if asked and self._estimates.cube(state).best == "beaver":
            return OpponentAction("double")
        return decide(self._player, state)

    def stop(self) -> None:
        """End the opponent's search, so that it decides with the results so far."""
        from bearoff.game.search import SearchPlayer

        self._clock.stopped = True
        if isinstance(self._player, SearchPlayer):
            self._player.stop()

    def rate(self, state: GameState) -> tuple[Decision, list[Board]]:
        """Return all plays of a roll as a decision, and the board after each play."""
        if state.dice is None:
            raise GameError("the position has no dice, so there is no roll to rate")
        answer = self._asked(state.race)
        if answer is not None:
            opponent = state.board.opponent
            sides = (_side(play.play.after.counts) for play in answer.plays)
            boards = [Board.of_sides(side, opponent) for side in sides]
            return decision_of(answer, most=len(boards)), boards
        return self._estimates.plays(state)

    def cube(self, state: GameState) -> Decision:
        """Return the cube decision in a state, with the equity of each alternative."""
        answer = self._asked(state.race)
        if answer is not None:
            return cube_decision(state, answer.kind, answer.values)
        return self._estimates.cube(state)

    def judged(self, moment: Moment) -> tuple[Decision, ...]:
        """Return the decisions in an action with their costs: the double, then the play.

        The decisions of each action are cached. A request that exceeds its time limit can
        be repeated, and then continues with the next action.
        """
        action = moment.action
        key = moment.before, action.kind, action.text, action.player, action.value
        if key not in self._known:
            self._known[key] = tuple(self._judge_anew(moment))
        return self._known[key]

    def _judge_anew(self, moment: Moment) -> Iterator[Decision]:
        before, kind = moment.before, moment.action.kind
        if kind == "resign":
            yield from self._of_giving_up(moment)
        elif kind in ("double", "take", "pass"):
            yield self._of_cube(before, kind)
        elif before.race is not None:
            yield from self._of_race(moment)
        elif kind == "play":
            if moment.can_gain:
                yield self._of_cube(replace(before, dice=None), "no double")
            one, boards = self.rate(before)
            if len(boards) > 1:
                assert moment.after is not None  # A play always has a position after it.
                made = boards.index(moment.after)
                one = replace(one, decided=one.alternatives[made].name)
                why = reason(boards[0], boards[made], one.cost) if one.cost else ""
                yield replace(one.shortened(), reason=why)

    def _of_cube(self, state: GameState, kind: str) -> Decision:
        back = kind == "double" and state.offers
        return replace(self.cube(state), decided="beaver" if back else kind)

    def _of_giving_up(self, moment: Moment) -> Iterator[Decision]:
        """Judge a resignation; yield the judgement if resigning cost something."""
        before, player = moment.before, moment.action.player
        if before.turn is None or (before.offers and player != before.to_act):
            return
        # Equities are those of the player on roll, so signs change if the other player
        # resigns.
        side = 1 if player == before.turn else -1
        times = moment.then.points // before.cube_value
        lost = side * float(cube_of(before).terms.worth(-side * times))
        if before.offers:
            found = self.cube(before)
            name, method = found.best, found.method
            worth = found.alternatives[found.right_index].equity
            error = max(one.error or 0.0 for one in found.alternatives)
        else:
            name, (method, worth, error) = "play on", self._worth(before)
        worths = {name: worth, GIVE_UP: side * lost}
        choices = rated_alternatives(worths, error, least=side < 0)
        position = before.race or before
        one = Decision("resign", position, choices, GIVE_UP, method)
        if one.is_seen:
            yield one

    def _worth(self, state: GameState) -> tuple[Method, float, float]:
        """Return the method, the roller's equity, and the error of the equity."""
        if (answer := self._asked(state.race)) is not None:
            if state.dice is None:
                return answer.kind, answer.equity, answer.error
            return answer.kind, answer.plays[0].equity, answer.plays[0].equity_error
        return "search", self._estimates.worth(state), PLAY_ERROR

    def _of_race(self, moment: Moment) -> Iterator[Decision]:
        for decision in decisions_at(moment):
            if (answer := self._asked(decision.race)) is not None:
                yield decision_of(answer, decision.decided, decision.after)

    def luck(self, moment: Moment) -> float | None:
        """Return the luck of a roll for the player who rolled; None for other actions.

        Luck is estimated by a neural network, for money in points at a cube value of 1, at
        a match score in EMG.
        """
        if moment.before.dice is None:
            return None
        opens = moment.game.actions[0] is moment.action
        return self._estimates.luck(moment.before, opens=opens)

    def chance(self, board: Board) -> float:
        """Return the roller's win probability, estimated by a neural network."""
        from bearoff.game.evaluation import Net

        return float(Net.load().chances(board)[0])

    def _asked(self, race: Race | None) -> "Answer | None":
        if race is None:
            return None
        try:
            return self._judge.answer(race)
        except BearoffError:  # The match equity table does not contain the match score.
            return None


def _side(counts: tuple[int, ...]) -> list[int]:
    """Return a side's checkers as 25 numbers: points 1 to 24, then the bar."""
    return [*counts, *[0] * (25 - len(counts))]


def decide_once(match: LiveMatch, thinker: Thinker) -> bool:
    """Apply the opponent's decision if it is its turn; return false on the user's turn.

    If the match changes meanwhile, for example by an undo, the decision is discarded.
    """
    with thinker.lock:
        with match.lock:
            if match.needs != "opponent":
                return False
            state, version = match.state, match.version
        decision = thinker.decide(state)
        with match.lock:
            if match.version != version:
                return False
            match.decided(decision)
            return True


def own_turn(match: LiveMatch) -> GameState:
    if match.state.to_act != PERSON or match.state.winner is not None:
        raise GameError("hints are available only for your own decisions")
    return match.state
