"""Computer player with weights chosen by hand, and with a pip-count rule for the cube."""

from dataclasses import dataclass

import numpy as np

from bearoff.bear_in import bear_in
from bearoff.game.rules import BAR, Board, legal_plays
from bearoff.game.state import GameError, GameState

_URGE = 240


@dataclass(frozen=True)
class ContactPlayer:
    """Computer player that uses hand-chosen weights, and plays races in the fewest rolls.

    The player doubles only in races, by pip counts according to the 8-9-12 rule: it doubles
    with a lead of 8% of its own pip count, redoubles with 9%, and takes if it is at most
    12% behind.

    Examples
    --------
    >>> from bearoff.game import Board
    >>> state = GameState(turn=0, dice=(3, 1))
    >>> str(ContactPlayer().play(state)) == str(state.play("8/5 6/5").board.turned)
    True
    """

    name: str = "contact"

    def play(self, state: GameState) -> Board:
        """Return the board after the play with the best score."""
        return self.evaluate(state)[0][0]

    def double(self, state: GameState) -> bool:
        """Return whether to double: only in a race, with a lead of 8% (redouble: 9%)."""
        if state.cube_dead:
            return False
        own, other = state.board.pips
        least = 8 if state.cube_owner is None else 9
        return state.race is not None and 100 * (other - own) >= least * own

    def take(self, state: GameState) -> bool:
        """Return whether to take: when at most 12% behind, or if a pass loses the match."""
        own, other = state.board.pips
        pass_loses = (
            state.length and state.won[state.turn or 0] + state.cube_value >= state.length
        )
        return bool(pass_loses) or 100 * (other - own) <= 12 * own

    def evaluate(self, state: GameState) -> list[tuple[Board, float]]:
        """Return the legal plays with their scores in pips, best first."""
        from bearoff.game.contact import kernels

        if state.dice is None:
            raise GameError("the position has no dice, so there is no roll to play")
        plays = legal_plays(state.board, state.dice)
        scores = np.array([kernels.score(row, _URGE) / kernels.PIP for row in plays])
        if state.race is not None:
            scores = -bear_in().epc(np.maximum(plays[:, 1:BAR], 0))
        order = np.argsort(-scores, kind="stable")
        return [(Board(tuple(plays[k].tolist())), float(scores[k])) for k in order]
