"""Match in progress: its actions so far, and a dice generator with a seed."""

from dataclasses import replace

import numpy as np

from bearoff.game import Board, format_play
from bearoff.game.records import Action, GameRecord, MatchRecord, Moment, moments
from bearoff.game.state import GameState


class GameTable:
    """Match or money session between the user (player 0) and an opponent (player 1).

    Roll ``n`` of game ``g`` depends only on the seed, ``g`` and ``n``. The dice of a game
    therefore stay the same after an undo, or if the match is continued later.

    Parameters
    ----------
    start : GameState
        State at the start of the first game.
    players : tuple of str
        Names of both players.
    seed : int
        Seed of the dice.
    """

    def __init__(self, start: GameState, players: tuple[str, str], seed: int) -> None:
        self._past: list[GameRecord] = []
        self._states = [start]
        self._actions: list[Action] = []
        self._marks: list[int] = []
        self._players = players
        self._seed = seed

    @classmethod
    def of_record(
        cls, match: MatchRecord, players: tuple[str, str], seed: int
    ) -> "GameTable":
        """Return the state at the end of an unfinished recorded match."""
        last = match.games[-1]
        start = GameState(
            length=match.length,
            won=last.won,
            crawford=last.crawford,
            jacoby=match.jacoby,
        )
        table = cls(start, players, seed)
        table._past = list(match.games[:-1])
        for moment in moments(match, last):
            table._add(replace(moment.action, line=0), moment.then)
        if last.winner is not None and table.state.winner is None:
            lost = min(3, max(1, last.points // table.state.cube_value))
            resigned = table.state.resign(1 - last.winner, lost)
            table._add(Action(1 - last.winner, "resign", 0), resigned)
        return table

    @property
    def state(self) -> GameState:
        return self._states[-1]

    @property
    def number(self) -> int:
        """Number of the current game, starting at 1."""
        return len(self._past) + 1

    @property
    def record(self) -> MatchRecord:
        state = self.state
        game = GameRecord(
            self.number,
            0,
            state.won,
            state.crawford,
            tuple(self._actions),
            state.winner,
            state.points,
        )
        return MatchRecord(
            self._players, state.length, state.jacoby, (*self._past, game), "the game"
        )

    @property
    def last(self) -> Moment:
        return self.moments(len(self._actions) - 1)[0]

    def moments(self, begin: int = 0) -> list[Moment]:
        """Return the current game's actions, with the states before and after each action.

        The first `begin` actions of the game are omitted.
        """
        match = self.record
        return [
            Moment(match, match.games[-1], self._actions[k], *self._states[k : k + 2])
            for k in range(begin, len(self._actions))
        ]

    @property
    def throws(self) -> int:
        """Number of rolls so far in the current game."""
        return sum(action.kind == "play" for action in self._actions)

    def throw(self, fell: tuple[int, int] | None = None) -> tuple[int, int]:
        """Roll the dice of the turn; in the opening roll, each player throws one die."""
        first, second = fell or self._fallen()
        opening = self.state.turn is None
        act = self.state.open if opening else self.state.roll
        self._states[-1] = act(first, second)
        return first, second

    def _fallen(self) -> tuple[int, int]:
        rng = np.random.default_rng([self._seed, self.number, self.throws])
        while True:
            first, second = map(int, rng.integers(1, 7, 2))
            if self.state.turn is not None or first != second:
                return first, second

    def play(self, after: Board | str) -> str:
        """Play the roll; return the notation of the play."""
        before = self.state
        then = before.play(after)
        assert before.turn is not None
        assert before.dice is not None
        text = format_play(before.board, then.board.turned, before.dice)
        self._add(Action(before.turn, "play", 0, before.dice, text), then)
        return text

    def double(self) -> None:
        """Double or beaver for the player to act."""
        state = self.state
        self._decide("double", state.beaver() if state.offers else state.double())

    def take(self) -> None:
        self._decide("take", self.state.take())

    def drop(self) -> None:
        self._decide("pass", self.state.drop())

    def resign(self, lost: int, player: int = 0) -> None:
        then = self.state.resign(player, lost)
        self._add(Action(player, "resign", 0, value=lost), then)

    def next_game(self) -> None:
        self._past.append(self.record.games[-1])
        self._states = [self.state.next_game()]
        self._actions, self._marks = [], []

    def mark(self) -> None:
        """Record the moment of a decision by the user, so that `undo` can return to it."""
        if not self._marks or self._marks[-1] != len(self._actions):
            self._marks.append(len(self._actions))

    def undo(self) -> bool:
        """Undo the user's last decision and what followed; return whether there was any."""
        while self._marks and self._marks[-1] >= len(self._actions):
            self._marks.pop()
        if not self._marks:
            return False
        keep = self._marks.pop()
        del self._actions[keep:], self._states[keep + 1 :]
        return True

    def _decide(self, kind: str, then: GameState) -> None:
        player = self.state.to_act
        assert player is not None
        self._add(Action(player, kind, 0), then)  # type: ignore[arg-type]

    def _add(self, action: Action, then: GameState) -> None:
        self._actions.append(action)
        self._states.append(then)
