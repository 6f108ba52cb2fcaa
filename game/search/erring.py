"""Computer player that makes errors, mostly small ones in close decisions."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np

from bearoff.game.evaluation import Net
from bearoff.game.rules import Board
from bearoff.game.search.cube import cube_of
from bearoff.game.search.search import Searcher
from bearoff.game.search.settings import SearchSettings
from bearoff.game.state import GameState
from bearoff.stakes import PASS


def _at_once() -> Searcher:
    return Searcher(Net.load(), SearchSettings(depth=0))


@dataclass(frozen=True)
class ErringPlayer:
    """Computer player that adds random noise to the values of alternatives.

    The noise has a Gumbel distribution, so the odds of choosing an alternative decrease by
    a factor e for each `spread` of cost. The board, the roll and the stakes determine the
    noise, so the player always decides equally in equal games.

    Attributes
    ----------
    name : str
    spread : float
        Scale of the noise, in points at a cube value of 1.
    sight : Searcher
        Searcher that computes the values before noise is added. By default, the network
        evaluates the alternatives without a search.

    Examples
    --------
    >>> state = GameState(turn=0, dice=(3, 1))
    >>> ErringPlayer("sure", 1e-6).play(state) == state.play("8/5 6/5").board.turned
    True
    """

    name: str
    spread: float
    sight: Searcher = field(default_factory=_at_once, repr=False, compare=False)

    def play(self, state: GameState) -> Board:
        """Return the board after the play whose value, with noise added, is highest."""
        assert state.dice is not None
        rated = self.sight.rate(state.board, state.dice, cube_of(state))
        return rated[self._best(state, [one.equity for one in rated])].board

    def double(self, state: GameState) -> bool:
        """Return whether doubling is worth at least as much as waiting, both with noise."""
        values = self.sight.decide(state.board, cube_of(state))
        doubled = min(float(values.double_take[0]), PASS)
        return self._best(state, [doubled, float(values.no_double[0])]) == 0

    def take(self, state: GameState) -> bool:
        """Return whether taking is worth at least as much as passing, both with noise."""
        values = self.sight.decide(state.board, cube_of(state))
        sign = 1.0 if state.to_act == state.turn else -1.0
        return self._best(state, [sign * float(values.double_take[0]), -PASS]) == 0

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Return an empty sequence, because this player does not reveal values of plays."""
        return ()

    def _best(self, state: GameState, worth: Sequence[float]) -> int:
        text = f"{state.board} {state.dice} {state.cube_value} {state.offers} {state.won}"
        seed = int.from_bytes(sha256(text.encode()).digest()[:8])
        noise = np.random.default_rng(seed).gumbel(scale=self.spread, size=len(worth))
        return int(np.argmax(np.asarray(worth) + noise))
