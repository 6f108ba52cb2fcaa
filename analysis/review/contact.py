"""Questions about positions with contact, and estimated answers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from bearoff.analysis.review.decision import Decision
from bearoff.analysis.review.estimates import Estimates
from bearoff.analysis.review.reasons import reason
from bearoff.answers import read_asked
from bearoff.game import Board, read_play
from bearoff.game.state import GameError, GameState
from bearoff.positions import SETTLED, Setup

_REPLIES = ("take", "pass", "beaver")


@dataclass(frozen=True)
class ContactQuestion:
    """Question about a position with contact: a play or a cube decision to evaluate.

    Attributes
    ----------
    setup : Setup
        Both boards, the stakes and the dice, from the viewpoint of the player on roll.
    played : str or None
        Play to evaluate; None without a play.
    decided : str or None
        Cube decision to evaluate: ``double``, ``no double``, ``take``, ``pass`` or
        ``beaver``; None without a cube decision.

    Raises
    ------
    BearoffError
        If the game is over, the position or play is impossible, or a limit on the cube
        could matter.
    """

    setup: Setup
    played: str | None = None
    decided: str | None = None

    def __post_init__(self) -> None:
        state, limit = self.state, self.setup.cube_limit
        if state.board.points_won or not any(state.board.points):
            raise GameError(
                "the game is over, because one side has borne off all its checkers"
            )
        money = self.setup.score is None
        if money and limit is not None and limit < SETTLED * state.cube_value:
            raise GameError(
                "a question about a position with contact must not limit the cube value, "
                f"got {limit}; omit the limit"
            )
        if self.decided is not None and not self.before.may_double:
            raise GameError(
                f"{self.decided!r} cannot be judged, because the cube is not available "
                "to the roller"
            )
        if self.decided == "beaver" and not state.beavers:
            raise GameError(
                "'beaver' cannot be judged, because beavers are not allowed in this game"
            )
        self.after  # noqa: B018 - it refuses plays that are not legal

    @cached_property
    def state(self) -> GameState:
        """The position as a state of a game, with cube, score and dice."""
        return GameState.of_setup(self.setup)

    @property
    def before(self) -> GameState:
        """State of the game before the roll."""
        return replace(self.state, dice=None)

    @cached_property
    def after(self) -> Board | None:
        """Board after the play to be evaluated; None if no play is given."""
        state = self.state
        if self.played is None or state.dice is None:
            return None
        return read_play(state.board, self.played, state.dice)


@dataclass(frozen=True)
class ContactAnswer:
    """Estimated answer to a question about a position with contact.

    Attributes
    ----------
    question : ContactQuestion
    play : Decision or None
        Decision on how to play the roll, with all plays in order of decreasing equity; None
        before the roll.
    cube_decision : Decision or None
        Decision before the roll: whether to double or, if a reply is to be evaluated,
        whether to take. None if the roller may not double.
    equity : float
        Equity of the roller before the roll and after the right cube action, in EMG.
    """

    question: ContactQuestion
    play: Decision | None
    cube_decision: Decision | None
    equity: float
    kind: Literal["search"] = "search"


def read_contact(parts: Mapping[str, Any]) -> ContactQuestion:
    """Parse a question about a position with contact.

    Parameters
    ----------
    parts : mapping of str
        Fields of the question by name; the names are those of
        `bearoff.answers.read_question`.

    Raises
    ------
    BearoffError
        If a field cannot be read, or the position or play is impossible.

    Examples
    --------
    >>> read_contact({"position": "4HPwATDgc/ABMA", "dice": "3-1"}).state.dice
    (3, 1)
    """
    return ContactQuestion(*read_asked(parts))


def answer_contact(question: ContactQuestion, estimates: Estimates) -> ContactAnswer:
    """Estimate the answer to a question about a position with contact.

    Examples
    --------
    >>> opening = read_contact({"position": "4HPwATDgc/ABMA", "dice": "3-1"})
    >>> answer = answer_contact(opening, Estimates())
    >>> answer.play.best, answer.cube_decision.best, answer.play.method
    ('8/5 6/5', 'no double', 'search')
    """
    before, plays = question.before, _plays(question, estimates)
    if not before.may_double:
        return ContactAnswer(question, plays, None, estimates.worth(before))
    cube = estimates.cube(before)
    equity = cube.equity
    if question.decided in _REPLIES:
        cube = replace(estimates.cube(before.double()), position=before)
    cube = replace(cube, decided=question.decided or "")
    return ContactAnswer(question, plays, cube, equity)


def _plays(question: ContactQuestion, estimates: Estimates) -> Decision | None:
    if question.state.dice is None:
        return None
    found, boards = estimates.plays(question.state)
    if question.after is None:
        return found
    made = found.choosing(found.alternatives[boards.index(question.after)].name)
    why = reason(boards[0], question.after, made.cost) if made.is_seen else ""
    return replace(made, reason=why)
