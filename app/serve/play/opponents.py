"""Opponents in matches, and their decisions within a time limit."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Literal

import numpy as np

from bearoff import BearoffError
from bearoff.game import Board
from bearoff.game.state import GameState, Player


@dataclass(frozen=True)
class OpponentAction:
    """Decision of the opponent; ``roll`` means not to double."""

    kind: Literal["roll", "play", "double", "take", "pass"]
    after: Board | None = None


@dataclass
class Clock:
    """Clock in seconds that returns infinity once it is stopped, which ends a search."""

    stopped: bool = False

    def __call__(self) -> float:
        """Return the time in seconds, or infinity if stopped."""
        return float("inf") if self.stopped else monotonic()


@dataclass(frozen=True)
class Opponent:
    """Opponent in matches against the program.

    Attributes
    ----------
    title, text : str
        Name and description of the opponent.
    seconds : float
        Time limit of a play, in seconds.
    make : callable
        Function that creates the player for one match.
    beavers : bool
        Whether the opponent beavers, and answers beavers.
    experiment : bool
        Whether the opponent is interesting for its method rather than its strength.
    """

    title: str
    text: str
    seconds: float
    make: Callable[[Clock], Player]
    beavers: bool = True
    experiment: bool = True


def _search(depth: int, width: int, seconds: float) -> Callable[[Clock], Player]:
    def make(clock: Clock) -> Player:
        from bearoff.game.search import SearchPlayer, SearchSettings

        inner = 2 if depth > 2 else 3
        limit = seconds if depth > 1 else None
        settings = SearchSettings(
            depth=depth, width=width, inner_width=inner, seconds=limit
        )
        return SearchPlayer(settings, clock)

    return make


def _contact(clock: Clock) -> Player:
    from bearoff.game.contact import ContactPlayer

    return ContactPlayer()


@dataclass(frozen=True)
class ByMover:
    """Player that chooses plays by a search, and cube actions by another player.

    Attributes
    ----------
    name : str
    mover : callable
        Function from `game.search` that chooses plays.
    cube : Player
    """

    name: str
    mover: Callable[[np.ndarray, int, int], np.ndarray]
    cube: Player

    def play(self, state: GameState) -> Board:
        assert state.dice is not None
        after = self.mover(state.board.array, max(state.dice), min(state.dice))
        return Board(tuple(after.tolist())).turned

    def double(self, state: GameState) -> bool:
        return self.cube.double(state)

    def take(self, state: GameState) -> bool:
        return self.cube.take(state)

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Return no plays with equities, because this player only chooses a play."""
        return ()


def _erring(name: str, spread: float) -> Callable[[Clock], Player]:
    def make(clock: Clock) -> Player:
        from bearoff.game.search import ErringPlayer

        return ErringPlayer(name, spread)

    return make


def _by_mover(name: str) -> Callable[[Clock], Player]:
    def make(clock: Clock) -> Player:
        from bearoff.game import search
        from bearoff.game.contact import PriorityMover

        movers: dict[str, Callable[[], search.Mover]] = {
            "linear": search.linear_mover,
            "pubeval": search.pubeval_mover,
            "priorities": PriorityMover,
        }
        cube = search.SearchPlayer(search.SearchSettings(depth=0))
        return ByMover(name, movers[name](), cube)

    return make


OPPONENTS = {
    "search": Opponent(
        "Master",
        "The program looks at all rolls that can follow the eight best plays.",
        1.0,
        _search(1, 8, 1.0),
        experiment=False,
    ),
    "deep": Opponent(
        "Two rolls ahead",
        "The program looks at the next two rolls after the four best plays, for at most "
        "five seconds.",
        5.0,
        _search(2, 4, 5.0),
    ),
    "net": Opponent(
        "No roll ahead",
        "A neural network rates the position after each play; there is no search.",
        1.0,
        _search(0, 1, 1.0),
    ),
    "linear": Opponent(
        "Named features",
        "The program adds up 23 named features of each side. A neural network decides on "
        "the cube.",
        1.0,
        _by_mover("linear"),
    ),
    "pubeval": Opponent(
        "Pubeval",
        "This is the linear evaluation that Tesauro published in 1993. A neural network "
        "decides on the cube.",
        1.0,
        _by_mover("pubeval"),
    ),
    "priorities": Opponent(
        "Priorities",
        "This program by a student, of 2010, scores plays by priorities: the 5, 7 and 4 "
        "points come first. It looks two turns ahead for eight plays or, late in the game, "
        "three turns for two plays. A neural network decides on the cube.",
        1.0,
        _by_mover("priorities"),
    ),
    "contact": Opponent(
        "Weights by hand",
        "The program rates points, blots and pips with weights set by hand. It doubles "
        "only in races.",
        1.0,
        _contact,
        beavers=False,
    ),
}
"""Opponents by name."""

DEFAULT = "level-3"

MEASURED = Path(__file__).with_name("opponents.csv")
"""File with the loss per play of each opponent, in thousandths of a point."""

LEVELS = {
    "Beginner": 0.16,
    "Casual": 0.08,
    "Intermediate": 0.04,
    "Advanced": 0.02,
    "Expert": 0.01,
}
"""Levels of the opponents that make random errors. Each number is the standard deviation of
the errors of the equities, in points."""

OPPONENTS |= {
    f"level-{level}": Opponent(
        title,
        f"A neural network with random errors of about {spread:g} points in plays and cube "
        "decisions. It errs where decisions are close, and rarely by much.",
        1.0,
        _erring(f"level-{level}", spread),
        experiment=False,
    )
    for level, (title, spread) in enumerate(LEVELS.items(), start=1)
}


@lru_cache(maxsize=1)
def measured() -> dict[str, tuple[float, float]]:
    """Return opponents' losses per play and standard errors, in thousandths of a point."""
    rows = list(csv.reader(MEASURED.read_text(encoding="ascii").splitlines()))[1:]
    return {name: (float(lost), float(error or 0)) for name, lost, error in rows}


def by_strength() -> list[str]:
    """Return the names of opponents, sorted by increasing loss per play."""
    return sorted(OPPONENTS, key=lambda name: measured()[name])


def opponent_named(name: str) -> Opponent:
    """Return the opponent with a given name."""
    if name not in OPPONENTS:
        raise BearoffError(
            f"the opponent must be one of {', '.join(OPPONENTS)}, got {name[:40]!r}"
        )
    return OPPONENTS[name]


def decide(player: Player, state: GameState) -> OpponentAction:
    """Return the decision of a player in a state of the game."""
    if state.offers:
        return OpponentAction("take" if player.take(state) else "pass")
    if state.dice is None:
        doubles = state.may_double and player.double(state)
        return OpponentAction("double" if doubles else "roll")
    return OpponentAction("play", player.play(state))
