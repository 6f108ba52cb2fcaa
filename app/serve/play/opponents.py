"""Who can be played against, and how they decide within a bound of time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import numpy as np

from app.serve.play.games import Decision
from bearoff import BearoffError
from game import Board
from game.state import GameState, Player


class Stoppable(Protocol):
    """A clock that can be told that the time is over."""

    def __call__(self) -> float:
        """Return seconds."""


@dataclass
class Clock:
    """Seconds, and no end of them once it was stopped: a search ends at what it has."""

    stopped: bool = False

    def __call__(self) -> float:
        """Return seconds since some moment."""
        return float("inf") if self.stopped else monotonic()


@dataclass(frozen=True)
class Opponent:
    """Somebody to play against.

    Attributes
    ----------
    title, text : str
        What it is called, and how it decides.
    seconds : float
        That a play may take.
    make : callable
        Makes the player of one match.
    """

    title: str
    text: str
    seconds: float
    make: Callable[[Clock], Player]


def _search(depth: int, width: int, seconds: float) -> Callable[[Clock], Player]:
    def make(clock: Clock) -> Player:
        from game.search import SearchPlayer, SearchSettings

        inner = 2 if depth > 2 else 3
        limit = seconds if depth > 1 else None
        settings = SearchSettings(
            depth=depth, width=width, inner_width=inner, seconds=limit
        )
        return SearchPlayer(settings, clock)

    return make


def _contact(clock: Clock) -> Player:
    from game.contact import ContactPlayer

    return ContactPlayer()


@dataclass(frozen=True)
class ByMover:
    """Plays as a mover does; turns the cube as the net does.

    Attributes
    ----------
    name : str
    mover : callable
        Of `game.search`.
    cube : Player
    """

    name: str
    mover: Callable[[np.ndarray, int, int], np.ndarray]
    cube: Player

    def play(self, state: GameState) -> Board:
        """Choose a play."""
        assert state.dice is not None
        after = self.mover(state.board.array, max(state.dice), min(state.dice))
        return Board(tuple(after.tolist())).turned

    def double(self, state: GameState) -> bool:
        """Whether to double now."""
        return self.cube.double(state)

    def take(self, state: GameState) -> bool:
        """Whether to take."""
        return self.cube.take(state)

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Tell nothing."""
        return ()


def _by_mover(name: str) -> Callable[[Clock], Player]:
    def make(clock: Clock) -> Player:
        from game import search

        mover = {"linear": search.linear_mover, "pubeval": search.pubeval_mover}[name]
        cube = search.SearchPlayer(search.SearchSettings(depth=0))
        return ByMover(name, mover(), cube)

    return make


OPPONENTS = {
    "search": Opponent(
        "Search, a roll ahead",
        "Looks at the eight plays that the net likes best, and at all rolls after each.",
        1.0,
        _search(1, 8, 1.0),
    ),
    "deep": Opponent(
        "Search, two rolls ahead",
        "Four plays and two rolls, as far as five seconds suffice.",
        5.0,
        _search(2, 4, 5.0),
    ),
    "net": Opponent(
        "Net", "Compares the positions after the plays, at once.", 1.0, _search(0, 1, 1.0)
    ),
    "linear": Opponent(
        "Named terms",
        "A sum of 23 named features of each side; turns the cube as the net does.",
        1.0,
        _by_mover("linear"),
    ),
    "pubeval": Opponent(
        "Tesauro's linear evaluation",
        "The published benchmark of 1993; turns the cube as the net does.",
        1.0,
        _by_mover("pubeval"),
    ),
    "contact": Opponent(
        "Set by hand",
        "Values points, blots and pips by weights set by hand; doubles races alone.",
        1.0,
        _contact,
    ),
}
"""Opponents by name; the first is the default."""

DEFAULT = next(iter(OPPONENTS))


def opponent_named(name: str) -> Opponent:
    """Return an opponent.

    Raises
    ------
    BearoffError
        If there is none of this name.
    """
    if name not in OPPONENTS:
        raise BearoffError(f"opponents are {', '.join(OPPONENTS)}; got {name[:40]!r}")
    return OPPONENTS[name]


def decide(player: Player, state: GameState) -> Decision:
    """Return what a player does who is to act."""
    if state.offers:
        return Decision("take" if player.take(state) else "pass")
    if state.dice is None:
        doubles = state.may_double and player.double(state)
        return Decision("double" if doubles else "roll")
    return Decision("play", player.play(state))
