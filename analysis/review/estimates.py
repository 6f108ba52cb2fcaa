"""Estimated costs of decisions during contact, for which there are no exact values.

Plays are evaluated by a search one roll ahead, with the cube and at the match score.
Doubles and takes are evaluated by the net after each roll. The differences from stronger
programs were measured; the constants below state the page of each measurement.
"""

import threading
from dataclasses import dataclass, replace

from bearoff.analysis.review import deeper
from bearoff.analysis.review.decision import (
    Decision,
    Method,
    cube_alternatives,
    rated_alternatives,
)
from bearoff.analysis.review.deeper import Deeper
from bearoff.analysis.review.file_says import in_words
from bearoff.analysis.review.reasons import reason
from bearoff.game import Board, format_play
from bearoff.game.evaluation import Net
from bearoff.game.records import RecordedDecision
from bearoff.game.search import Searcher, SearchSettings, cube_of
from bearoff.game.state import GameError, GameState
from bearoff.stakes import PASS, Money, Values

DEPTH = 1
"""Number of rolls by which the search looks ahead after each play."""

WIDTH = 1000
"""Maximum number of plays of a roll that are searched."""

PLAY_LOST = (2.7, 0.5)
"""Mean loss of this program's best plays according to GNU Backgammon, and its standard
error, in thousandths of a point; see results/game/opponents.md."""

CLOSE_LOST = (2.0, 0.3)
"""Mean loss of this program's close cube decisions according to GNU Backgammon, and its
standard error, in thousandths of a point; see results/game/cube.md."""

PLAY_ERROR = 0.0469
"""Root mean square difference between this program's and GNU Backgammon's costs of inferior
plays, in EMG; see results/game/opponents.md."""

NET_PLAY_ERROR = 0.061
"""Root mean square error of the costs of plays without a search, in EMG. The value is
`PLAY_ERROR` times the factor by which errors grow without a search, 0.0470 / 0.0362; see
results/agreement/whole-matches.md."""

CUBE_ERROR = 0.034
"""Root mean square difference between this program's and eXtreme Gammon's costs of close
cube decisions, in EMG; see results/agreement/whole-matches.md."""


ROUNDING = 1e-6
"""Difference in EMG up to which two equities from the neural network are considered equal.
"""


@dataclass(frozen=True)
class Accuracy:
    """Measured differences between the estimates of this and of other programs, in EMG.

    Attributes
    ----------
    play_lost, cube_lost : float
        Mean loss of the plays that this program rates best, and of its close cube
        decisions.
    play_error, cube_error : float
        Root mean square errors of the costs of plays, and of close cube decisions.
    """

    play_lost: float
    cube_lost: float
    play_error: float
    cube_error: float


MEASURED = Accuracy(PLAY_LOST[0] / 1000, CLOSE_LOST[0] / 1000, PLAY_ERROR, CUBE_ERROR)
"""Measured differences between this program's estimates and those of GNU Backgammon and
eXtreme Gammon, in EMG."""

RATING = (
    "PR is 500 times the mean cost (EMG) of the decisions that eXtreme Gammon counts: "
    "plays with a worse alternative, doubles, takes, passes, and close decisions not to "
    "double. Costs before the race are estimates by a search one roll ahead, whose best "
    f"plays lose {MEASURED.play_lost:.4f} and whose close cube decisions "
    f"{MEASURED.cube_lost:.4f} on average."
)
"""Text that defines the performance rating and states the accuracy of the estimates."""


class Estimates:
    """Estimator of the costs of decisions during contact; several threads may share it."""

    def __init__(self, *, deep: bool = False) -> None:
        self._deep = deep
        self._of_thread = threading.local()

    @property
    def _deeper(self) -> Deeper:
        known = self._of_thread.__dict__
        if "deeper" not in known:
            known["deeper"] = Deeper()
        found: Deeper = known["deeper"]
        return found

    def _searcher(self, depth: int) -> Searcher:
        known: dict[int, Searcher] = self._of_thread.__dict__.setdefault("searchers", {})
        if depth not in known:
            known[depth] = Searcher(Net.load(), SearchSettings(depth=depth, width=WIDTH))
        return known[depth]

    def plays(self, state: GameState, depth: int = DEPTH) -> tuple[Decision, list[Board]]:
        """Return all plays of a roll as a decision, and the board after each play.

        Parameters
        ----------
        state : GameState
            State of the game, with a roll.
        depth : int
            Number of rolls to search ahead after each play; 0 for the net without a search.

        Returns
        -------
        decision : Decision
            All legal plays, sorted by decreasing equity, without a chosen play.
        after : list of Board
            Board after each play, seen from the roller's side.

        Raises
        ------
        GameError
            If the state has no roll.
        """
        if state.dice is None:
            raise GameError("the position has no dice, so there is no roll to play")
        cube = cube_of(state)
        found = self._searcher(depth).rate(state.board, state.dice, cube)
        if self._deep and depth:
            found = self._deeper.plays(found, cube)
            depth = found[0].depth
        named = [
            (format_play(state.board, play.board, state.dice), play.equity)
            for play in found
        ]
        plays = rated_alternatives(named, PLAY_ERROR if depth else NET_PLAY_ERROR)
        one = Decision("play", state, plays, method="search", depth=depth)
        return one, [play.board for play in found]

    def cube(self, state: GameState) -> Decision:
        """Return a cube decision with its alternatives, evaluated by a search.

        Parameters
        ----------
        state : GameState
            State before the roll, in which a double is allowed or has been offered.
        """
        cube = cube_of(state)
        values = replace(self._searcher(0).decide(state.board, cube), tie=ROUNDING)
        depth = DEPTH
        if cube.ladders().shape[1] == 1:
            # A dead cube has no effect, so a double and a take leave the equity unchanged.
            values.double_take[:] = values.no_double
        elif self._deep and self._deeper.cube(state.board, cube, values):
            depth = deeper.DEPTH
        if state.beavers and isinstance(values.terms.stakes, Money):
            stakes = replace(values.terms.stakes, beavers=True)
            values = replace(values, terms=replace(values.terms, stakes=stakes))
        values.no_double_error[:] = values.double_take_error[:] = CUBE_ERROR
        values.gain_error[:] = CUBE_ERROR
        return replace(cube_decision(state, "search", values), depth=depth)

    def worth(self, state: GameState) -> float:
        """Return the equity of a state of the game for the roller, in EMG."""
        cube = cube_of(state)
        if state.dice is not None:
            return self._searcher(DEPTH).rate(state.board, state.dice, cube)[0].equity
        if state.may_double:
            return float(self._searcher(0).decide(state.board, cube).equity[0])
        return self._searcher(DEPTH).equity(state.board, cube)

    def luck(self, state: GameState, *, opens: bool) -> float:
        """Return the luck of a roll: the equity after it minus the mean over all rolls.

        Luck is in EMG, like costs.

        Parameters
        ----------
        state : GameState
            State of the game, with a roll.
        opens : bool
            Whether the roll is the opening roll, before which the equity is 0.
        """
        if state.dice is None:
            raise GameError(
                "the position has no dice, so the luck of a roll cannot be computed"
            )
        cube = cube_of(state)
        best = self._searcher(0).rate(state.board, state.dice, cube)[0].equity
        return best - (0.0 if opens else self._searcher(DEPTH).equity(state.board, cube))

    def of(self, recorded: RecordedDecision, depth: int = DEPTH) -> Decision:
        """Estimate the cost of a recorded decision during contact.

        Parameters
        ----------
        recorded : RecordedDecision
        depth : int
            Number of rolls to search ahead after each play; see `plays`.
        """
        state = recorded.position
        assert isinstance(state, GameState)
        if recorded.kind != "play":
            # For a decision to take or pass, the recorded position is still the one before
            # the double.
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
    """Return a cube decision with its alternatives, computed from given equities.

    Parameters
    ----------
    state : GameState
        State of the game before the roll; a double may have been offered.
    method : {"exact", "model", "search"}
    values : Values
        Equities before a double, for the player who may double.
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
    # A beaver doubles all equities, and the roller answers it.
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
