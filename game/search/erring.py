"""A player who errs: more often where plays are close, seldom by much."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from game import Board
from game.search import SearchPlayer, SearchSettings
from game.state import GameState, Player


@dataclass(frozen=True)
class Erring:
    """Sees each play's worth through noise; turns the cube as the net does.

    The noise has Gumbel's distribution, so that a play is chosen with odds that fall by a
    factor e for every `spread` that it is worth less. Board and roll decide it: equal
    games give equal decisions.

    Attributes
    ----------
    name : str
    spread : float
        Of the noise, in points.
    net : Player
        Who sees without noise.
    """

    name: str
    spread: float
    net: Player

    def play(self, state: GameState) -> Board:
        """Choose the play that looks best."""
        rated = self.net.evaluate(state)
        text = f"{state.board} {state.dice}"
        seed = int.from_bytes(sha256(text.encode()).digest()[:8])
        noise = np.random.default_rng(seed).gumbel(scale=self.spread, size=len(rated))
        seen = [worth + n for (_, worth), n in zip(rated, noise, strict=True)]
        return rated[int(np.argmax(seen))][0]

    def double(self, state: GameState) -> bool:
        """Whether to double now."""
        return self.net.double(state)

    def take(self, state: GameState) -> bool:
        """Whether to take."""
        return self.net.take(state)

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Tell nothing."""
        return ()


def erring(name: str, spread: float) -> Erring:
    """Return a player who errs."""
    return Erring(name, spread, SearchPlayer(SearchSettings(depth=0)))
