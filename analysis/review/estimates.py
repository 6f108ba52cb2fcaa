"""Estimates of decisions before the race, where nothing exact and no rollout is at hand.

Plays are valued by a search one roll ahead of each, at the score and with the cube;
doubles and takes by the net after a look of one roll. How far estimates are from stronger
programs is measured, and stands here beside the page that measured it.
"""

import threading
from dataclasses import dataclass, replace

from bearoff.analysis.review.decision import (
    Decision,
    Method,
    cube_alternatives,
    rated_alternatives,
)
from bearoff.analysis.review.file_says import in_words
from bearoff.analysis.review.reasons import reason
from bearoff.game import Board, format_play
from bearoff.game.evaluation import Net
from bearoff.game.records import RecordedDecision
from bearoff.game.search import Searcher, SearchSettings, cube_of
from bearoff.game.state import GameError, GameState
from bearoff.stakes import PASS, Values

DEPTH = 1
"""Rolls that plays are looked at ahead."""

WIDTH = 1000
"""Plays of a roll that are looked at ahead: all, so that costs are of one kind."""

PLAY_LOST = (2.7, 0.5)
"""Thousandths that the play rated best loses by GNU Backgammon, and the standard error:
results/game/opponents.md."""

CLOSE_LOST = (2.0, 0.3)
"""Thousandths that a close decision with the cube by a look of one roll loses by GNU
Backgammon, and the standard error: results/game/cube.md."""

PLAY_ERROR = 0.0469
"""Root mean square of what costs of plays are off by GNU Backgammon's, EMG, of plays that
are not the best: results/game/opponents.md."""

CUBE_ERROR = 0.034
"""Root mean square of what costs of close decisions with the cube are off by eXtreme
Gammon's, EMG: results/agreement/whole-matches.md."""


@dataclass(frozen=True)
class Accuracy:
    """How far estimates were found to be from other programs, EMG.

    Attributes
    ----------
    play_lost, cube_lost : float
        Mean loss by the play that is rated best, and by a close decision with the cube.
    play_error, cube_error : float
        Root mean square errors of costs, of plays and of close decisions with the cube.
    """

    play_lost: float
    cube_lost: float
    play_error: float
    cube_error: float


MEASURED = Accuracy(PLAY_LOST[0] / 1000, CLOSE_LOST[0] / 1000, PLAY_ERROR, CUBE_ERROR)
"""How far the estimates of this program are from others."""

RATING = (
    "PR is 500 times the mean EMG lost by decisions that count for eXtreme Gammon: plays "
    "with another that is worse, doubles, their answers, and close decisions not to "
    "double. Before the race all is an estimate by a search one roll ahead, whose best "
    f"plays lose {MEASURED.play_lost:.4f} and whose close cube decisions "
    f"{MEASURED.cube_lost:.4f} on average."
)
"""What a rating is, and how good the estimates are that it rests on."""


class Estimates:
    """Judges decisions before the race; any threads may ask, each searches for itself."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    def _searcher(self, depth: int) -> Searcher:
        known: dict[int, Searcher] = self._of_thread.__dict__.setdefault("searchers", {})
        if depth not in known:
            known[depth] = Searcher(Net.load(), SearchSettings(depth=depth, width=WIDTH))
        return known[depth]

    def plays(self, state: GameState, depth: int = DEPTH) -> tuple[Decision, list[Board]]:
        """Rate the plays of a roll.

        Parameters
        ----------
        state : GameState
            With the roll.
        depth : int
            Rolls to look ahead of each play; 0 is the net at once.

        Returns
        -------
        decision : Decision
            All legal plays, the best first; none is made.
        after : list of Board
            After each of them, from the side of the roller.

        Raises
        ------
        GameError
            If nothing is rolled.
        """
        if state.dice is None:
            raise GameError("nothing is rolled that could be rated")
        found = self._searcher(depth).rate(state.board, state.dice, cube_of(state))
        named = [
            (format_play(state.board, play.board, state.dice), play.equity)
            for play in found
        ]
        plays = rated_alternatives(named, PLAY_ERROR)
        one = Decision("play", state, plays, method="search", depth=depth)
        return one, [play.board for play in found]

    def cube(self, state: GameState) -> Decision:
        """Say what may be done with the cube, by a look of one roll.

        Parameters
        ----------
        state : GameState
            Before the roll; somebody may double, or has doubled.
        """
        values = self._searcher(0).decide(state.board, cube_of(state))
        values.no_double_error[:] = values.double_take_error[:] = CUBE_ERROR
        values.gain_error[:] = CUBE_ERROR
        return cube_decision(state, "search", values)

    def worth(self, state: GameState) -> float:
        """Return what a state is worth to who is on roll, EMG, before the next decision."""
        cube = cube_of(state)
        if state.dice is not None:
            return self._searcher(DEPTH).rate(state.board, state.dice, cube)[0].equity
        if state.may_double:
            return float(self._searcher(0).decide(state.board, cube).equity[0])
        return self._searcher(DEPTH).equity(state.board, cube)

    def luck(self, state: GameState, *, opens: bool) -> float:
        """Return by how much a roll favours who has thrown it.

        In points at a cube of 1, normalised at a score, as costs are.

        Parameters
        ----------
        state : GameState
            With the roll.
        opens : bool
            Whether it is the opening roll, before which neither side is better off.
        """
        if state.dice is None:
            raise GameError("nothing is rolled that could be lucky")
        cube = cube_of(state)
        best = self._searcher(0).rate(state.board, state.dice, cube)[0].equity
        return best - (0.0 if opens else self._searcher(DEPTH).equity(state.board, cube))

    def of(self, recorded: RecordedDecision, depth: int = DEPTH) -> Decision:
        """Judge a decision of a match before the race.

        Parameters
        ----------
        recorded : RecordedDecision
        depth : int
            As of `plays`.
        """
        state = recorded.position
        assert isinstance(state, GameState)
        if recorded.kind != "play":
            # A position is as before the double, of an answer, too.
            before = replace(state, offers=0)
            return replace(
                self.cube(state), position=before, decided=recorded.decided or ""
            )
        one, boards = self.plays(state, depth)
        after = recorded.moment.after
        if after is None:
            return one.shortened()
        made = boards.index(after)
        one = replace(one, decided=one.alternatives[made].name)
        why = reason(boards[0], after, one.cost) if one.is_seen else ""
        return replace(one.shortened(), reason=why)


def cube_decision(state: GameState, method: Method, values: Values) -> Decision:
    """Return what may be done with the cube in a state, by values of one position.

    Parameters
    ----------
    state : GameState
        Before the roll, a double offered or not.
    method : {"exact", "model", "search"}
    values : Values
        Of whoever is on roll, before a double.
    """
    position = state.race or state
    depth = DEPTH if method == "search" else 0
    if not state.offers:
        found = cube_alternatives("double", values)
        return Decision("double", position, found, method=method, depth=depth)
    back = state.offers <= state.beavers
    if state.offers == 1 and back <= values.terms.stakes.beavers:
        found = cube_alternatives("take", values)
        return Decision("take", position, found, method=method, depth=depth)
    # Doubled back, everything is worth twice as much, and whoever is on roll may answer.
    by_roller, times = state.to_act == state.turn, 1 << state.offers - 1
    double = in_words("double", position.cube)
    taken = times * values.double_take.item()
    worth = {"take": taken, "pass": -times * PASS if by_roller else times * PASS}
    worth |= {"beaver": 2 * taken} if back else {}
    found = rated_alternatives(
        {f"{double}, {reply}": equity for reply, equity in worth.items()},
        times * values.double_take_error.item(),
        least=not by_roller,
    )
    return Decision("take", position, found, method=method, depth=depth)
