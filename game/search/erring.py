"""Computer player that errs, more often in close decisions and rarely by much."""

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
    """Computer player that sees the value of each alternative with random noise.

    The noise has a Gumbel distribution, so the odds of choosing an alternative decrease by
    a factor e for each `spread` of cost. The noise is determined by board, roll and stakes,
    so that equal games give equal decisions.

    Attributes
    ----------
    name : str
    spread : float
        Scale of the noise, in points at a cube of 1.
    sight : Searcher
        Searcher that evaluates decisions without noise. By default, the network without a
        search.

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
        """Return the board after the play that looks best with noise."""
        assert state.dice is not None
        rated = self.sight.rate(state.board, state.dice, cube_of(state))
        return rated[self._best(state, [one.equity for one in rated])].board

    def double(self, state: GameState) -> bool:
        """Return whether doubling looks at least as good as not doubling."""
        values = self.sight.decide(state.board, cube_of(state))
        doubled = min(float(values.double_take[0]), PASS)
        return self._best(state, [doubled, float(values.no_double[0])]) == 0

    def take(self, state: GameState) -> bool:
        """Return whether taking looks no worse than passing."""
        values = self.sight.decide(state.board, cube_of(state))
        sign = 1.0 if state.to_act == state.turn else -1.0
        return self._best(state, [sign * float(values.double_take[0]), -PASS]) == 0

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Return an empty list, because this player states no evaluations."""
        return ()

    def _best(self, state: GameState, worth: Sequence[float]) -> int:
        text = f"{state.board} {state.dice} {state.cube_value} {state.offers} {state.won}"
        seed = int.from_bytes(sha256(text.encode()).digest()[:8])
        noise = np.random.default_rng(seed).gumbel(scale=self.spread, size=len(worth))
        return int(np.argmax(np.asarray(worth) + noise))
