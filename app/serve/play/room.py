"""Matches of the user, with the threads and objects that compute decisions."""

from collections import OrderedDict
from threading import Lock

from bearoff.app.serve.judges import SOON, Judges
from bearoff.app.serve.play.games import LiveMatch
from bearoff.app.serve.play.opponents import DEFAULT
from bearoff.app.serve.play.store import Matches
from bearoff.app.serve.play.thinking import Thinker
from bearoff.app.serve.work import Workers
from bearoff.game.rules import play_moves
from bearoff.game.state import GameState

THINKERS = 8
"""Maximum number of matches for which a `Thinker`, with its solved races, stays in memory.
"""


class Room:
    """Matches of the user, with the threads and objects that compute decisions.

    Parameters
    ----------
    matches : Matches
    judges : Judges
        Judges that evaluate races.
    workers : Workers
        Threads that compute decisions.

    Attributes
    ----------
    cold : bool
        Whether the code that computes decisions is still being compiled.
    """

    def __init__(self, matches: Matches, judges: Judges, workers: Workers) -> None:
        self.matches, self.workers = matches, workers
        self._judges = judges
        self._thinkers: OrderedDict[str, Thinker] = OrderedDict()
        self._lock = Lock()
        self.cold = False

    def warm(self) -> None:
        """Compute one decision of each kind, so that the code is compiled."""
        thinker = self._new_thinker(DEFAULT)
        state = GameState().open(3, 1)
        thinker.decide(state)
        thinker.rate(state)
        thinker.chance(state.board)
        thinker.cube(GameState(turn=0))
        play_moves(state.board, state.play("8/5 6/5").board.turned, (3, 1))

    def thinker(self, match: LiveMatch) -> Thinker:
        """Return the object that computes the decisions of a match."""
        with self._lock:
            if match.key not in self._thinkers:
                self._thinkers[match.key] = self._new_thinker(match.rules.opponent)
            self._thinkers.move_to_end(match.key)
            while len(self._thinkers) > THINKERS:
                self._thinkers.popitem(last=False)
            return self._thinkers[match.key]

    def _new_thinker(self, opponent: str) -> Thinker:
        return Thinker(opponent, self._judges.judge(SOON))
