"""Simple integer solver of cube actions at a match score, without code of `bearoff`.

Match-winning chances are the roller's, in units of 1 / `ONE`. Sides are lists of checkers
as in `oracles.reference`.
"""

from functools import cache
from typing import NamedTuple

from oracles.reference import Checkers, successors

ONE = 10**6 * 36**40
"""Integer that represents a match-winning chance of 1. Its factors make the solver's
calculations exact."""

ROLLS = [(a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1)]

KAZAROSS = {
    (1, 2): "0.67736", (1, 3): "0.75076", (1, 4): "0.81436", (1, 5): "0.84179",
    (1, 6): "0.88731", (1, 7): "0.90724", (1, 8): "0.93250", (1, 9): "0.94402",
    (2, 3): "0.59947", (2, 4): "0.66870", (2, 5): "0.74359", (2, 6): "0.79940",
    (2, 7): "0.84225", (2, 8): "0.87539", (2, 9): "0.90197", (3, 4): "0.57150",
    (3, 5): "0.64795", (3, 6): "0.71123", (3, 7): "0.76209", (3, 8): "0.80468",
    (3, 9): "0.84017", (4, 5): "0.57732", (4, 6): "0.64285", (4, 7): "0.69924",
    (4, 8): "0.74577", (4, 9): "0.78799", (5, 6): "0.56635", (5, 7): "0.62638",
    (5, 8): "0.67786", (5, 9): "0.72540", (6, 7): "0.56261", (6, 8): "0.61636",
    (6, 9): "0.66787", (7, 8): "0.55480", (7, 9): "0.60854", (8, 9): "0.55442",
}  # fmt: skip
"""Leader's match-winning chances in the Kazaross-XG2 table, by the numbers of points that
the leader and the trailer need."""

TRAILER = ("0.5", "0.48803", "0.32264", "0.31002", "0.19012", "0.18072")
"""Match-winning chances, after the Crawford game, of a trailer who is 1-away, 2-away,
..."""


def whole(text: str) -> int:
    return round(float(text) * 10**6) * ONE // 10**6


def equity(us: int, them: int, crawford_is_over: bool) -> int:
    """Return the match-winning chance of a side that needs `us` points, before a game."""
    if us <= 0 or them <= 0:
        return ONE if us <= 0 else 0
    if us > them:
        return ONE - equity(them, us, crawford_is_over)
    if us == them:
        return ONE // 2
    if us == 1 and crawford_is_over:
        return ONE - whole(TRAILER[them - 1])
    return whole(KAZAROSS[us, them])


class At(NamedTuple):
    """Match score and state of the cube from the roller's viewpoint."""

    us: int
    them: int
    game: str
    cube: int
    place: str
    everything: int = 15
    """Number of checkers of each side at the start of the game."""

    def won(self, points: int) -> int:
        return equity(self.us - points, self.them, self.game != "normal")

    def lost(self, points: int) -> int:
        return equity(self.us, self.them - points, self.game != "normal")

    def other(self) -> "At":
        """Return the same score and cube from the opponent's viewpoint."""
        place = {"owned": "opponent", "opponent": "owned"}.get(self.place, self.place)
        return self._replace(us=self.them, them=self.us, place=place)

    def taken(self) -> "At":
        return self._replace(cube=2 * self.cube, place="opponent")


def points(at: At, loser: Checkers) -> int:
    return at.cube * (2 if len(loser) == at.everything else 1)


@cache
def no_double(at: At, roller: Checkers, opponent: Checkers) -> int:
    """Return the roller's match-winning chance without a double in this turn."""
    total = sum(
        weight
        * min(value(at.other(), opponent, after) for after in successors(roller, *dice))
        for *dice, weight in ROLLS
    )
    mean, left_over = divmod(36 * ONE - total, 36)
    assert left_over == 0
    return mean


def double_take(at: At, roller: Checkers, opponent: Checkers) -> int:
    return value(at.taken(), roller, opponent)


@cache
def value(at: At, roller: Checkers, opponent: Checkers) -> int:
    """Return the roller's match-winning chance before the cube decision and the roll."""
    if not roller:
        return at.won(points(at, opponent))
    if not opponent:
        return at.lost(points(at, roller))
    kept = no_double(at, roller, opponent)
    # If the cube value is enough for both players to win the match, a further double
    # changes nothing.
    if at.game == "crawford" or at.place == "opponent" or at.cube >= max(at.us, at.them):
        return kept
    return max(kept, min(double_take(at, roller, opponent), at.won(at.cube)))
