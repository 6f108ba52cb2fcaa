"""Match equity tables: the chance to win the match at every score.

The table that comes with the program is Kazaross-XG2, to 25 points; any other may be
read by `read_match_equities`.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import erfc, sqrt
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.errors import ScoreError
from bearoff.scores.payoffs import Payoffs
from bearoff.scores.readers import check_numbers, parse_numbers, read_numbers
from bearoff.scores.score import Game, Score, check_cube_value

Float64Array = NDArray[np.float64]

FARTHEST = 64
"""Points away to which a table is extended."""

_DEVIATIONS = (1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72)
_DEVIATION = 1.77
"""Standard deviations of the points of a game, by how many a player needs, and beyond."""

KAZAROSS_XG2 = Path(__file__).with_name("kazaross_xg2.csv")


@dataclass(frozen=True, eq=False)
class MatchEquities:
    """Chances to win the match, at every score up to a length.

    The roller's row, the opponent's column. In a table for two players of different
    strength the roller is the first of them; `exchanged` makes it the second.

    Attributes
    ----------
    name : str
        What the table calls itself, or its file's name.
    before : ndarray of float64, shape (length, length), read-only
        ``[a - 1, b - 1]`` is the roller's chance at a-away b-away, Crawford's game where a
        side is 1-away.
    extends : bool
        Whether scores beyond `length`, to `FARTHEST` points away, are answered as GNU
        Backgammon extends its tables: by a normal distribution of the points that both
        have to make good, and after Crawford's game by doubling at once.
    post_crawford : ndarray of float64, shape (2, length), read-only
        ``[0, a - 1]`` is the roller's chance when the opponent is 1-away and Crawford's
        game is over, ``[1, b - 1]`` the opponent's when the roller is 1-away.

    Raises
    ------
    ScoreError
        If the numbers are none of a table, or contradict each other.

    Examples
    --------
    >>> table = match_equities()
    >>> table.name, table.length
    ('Kazaross-XG2', 25)
    >>> table.chance(Score((3, 5))), table.after(Score((3, 5)), 2)
    (0.64795, 0.84179)
    """

    name: str
    before: Float64Array = field(repr=False)
    post_crawford: Float64Array = field(repr=False)
    extends: bool = False

    def __post_init__(self) -> None:
        for name in ("before", "post_crawford"):
            given = checks.floats(getattr(self, name), f"{self.name}: {name}", ScoreError)
            kept = given.copy()
            kept.setflags(write=False)
            object.__setattr__(self, name, kept)
        check_numbers(self.name, self.before, self.post_crawford)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatchEquities) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @property
    def _content(self) -> tuple[str, bytes, bytes]:
        return self.name, self.before.tobytes(), self.post_crawford.tobytes()

    @classmethod
    def parse(cls, text: str, name: str = "own table") -> "MatchEquities":
        """Read a table from the text of a file, as `read_match_equities` does.

        Parameters
        ----------
        text : str
            XML or CSV.
        name : str
            Of the table if it has none, and of the text in errors.

        Raises
        ------
        ScoreError
            If there is no table in it.
        """
        return MatchEquities(*parse_numbers(Path(name), text))

    @property
    def length(self) -> int:
        """Longest match that the table holds, in points."""
        return len(self.before)

    @property
    def symmetric(self) -> bool:
        """Whether both players are taken for equally strong."""
        return self.agree(self.exchanged())

    def agree(self, other: "MatchEquities") -> bool:
        """Whether all chances are those of another table, but for rounding."""
        return self.before.shape == other.before.shape and all(
            np.allclose(mine, theirs, rtol=0, atol=1e-12)
            for mine, theirs in (
                (self.before, other.before),
                (self.post_crawford, other.post_crawford),
            )
        )

    def exchanged(self) -> "MatchEquities":
        """Return the table as the opponent has it."""
        turned = 1.0 - self.before.T, self.post_crawford[::-1]
        return MatchEquities(self.name, *turned, self.extends)

    def chance(self, score: Score) -> float:
        """Roller's chance to win the match before the game at `score`.

        Raises
        ------
        ScoreError
            If a side is farther away than the table goes.
        """
        table = self._holding(score)
        if table is not self:
            return table.chance(score)
        a, b = score.away[0] - 1, score.away[1] - 1
        if score.game != "post-crawford":
            return float(self.before[a, b])
        if a == 0:
            return float(1.0 - self.post_crawford[1, b])
        return float(self.post_crawford[0, a])

    def after(self, score: Score, points: int) -> float:
        """Roller's chance to win the match once the game has been won or lost.

        Parameters
        ----------
        score : Score
            Before the game.
        points : int
            What the roller wins; negative if it is lost. Not 0.

        Raises
        ------
        ScoreError
            If a side is farther away than the table goes, or nobody wins a point.

        Examples
        --------
        What a player has who leads 2-away 4-away and wins a point, or loses two:

        >>> score = Score((2, 4))
        >>> match_equities().after(score, 1), match_equities().after(score, -2)
        (0.81436, 0.5)
        """
        self._holding(score)
        points = checks.integer(points, "points won", -(1 << 20), 1 << 20, ScoreError)
        if points == 0:
            raise ScoreError("somebody wins a point in every game, got 0")
        a = score.away[0] - max(points, 0)
        b = score.away[1] - max(-points, 0)
        if a <= 0:
            return 1.0
        if b <= 0:
            return 0.0
        if 1 not in (a, b):
            return self.chance(Score((a, b)))
        # A side that was a point away before has had Crawford's game.
        game: Game = "post-crawford" if 1 in score.away else "crawford"
        return self.chance(Score((a, b), game))

    def emg(self, chances: ArrayLike, score: Score, cube_value: int = 1) -> Float64Array:
        """Turn chances to win the match into normalised equities (EMG).

        Parameters
        ----------
        chances : array_like of float
            Roller's chances to win the match.
        score : Score
            Before the game.
        cube_value : int
            What the cube shows.

        Returns
        -------
        ndarray of float64
            On the straight line that gives 1 for a single game won at this cube, -1 for
            one lost: money's equity at a cube of 1.

        Raises
        ------
        ScoreError
            If there is no such score or cube.
        BearoffError
            If `chances` are not from 0 to 1.

        Examples
        --------
        >>> match_equities().emg([0.84179, 0.67, 0.5], Score((3, 5)), cube_value=2).round(3)
        array([ 1.   , -0.005, -1.   ])
        """
        won, lost = self._single(score, cube_value)
        chance = checks.reals(chances, "a chance to win the match", 0, 1)
        return np.asarray((2 * chance - (won + lost)) / (won - lost))

    def chance_of_emg(
        self, emg: ArrayLike, score: Score, cube_value: int = 1
    ) -> Float64Array:
        """Turn normalised equities back into chances to win the match; see `emg`."""
        won, lost = self._single(score, cube_value)
        equity = checks.reals(emg, "a normalised equity")
        return np.asarray((equity * (won - lost) + (won + lost)) / 2)

    def payoffs(self, score: Score) -> Payoffs:
        """Return what games at a score are worth, for the solvers, the roller first.

        Raises
        ------
        ScoreError
            If a side is farther away than the table goes.
        """
        highest = 1 << (max(score.away) - 1).bit_length()
        points = [1 << k for k in range(highest.bit_length() + 1)]
        return Payoffs(
            score.away,
            # At double match point the cube is dead in any game.
            "normal" if score.away == (1, 1) else score.game,
            self.name,
            tuple(self.after(score, n) for n in points),
            tuple(self.after(score, -n) for n in points),
        )

    def _single(self, score: Score, cube_value: int) -> tuple[float, float]:
        value = check_cube_value(cube_value)
        return self.after(score, value), self.after(score, -value)

    def _holding(self, score: Score) -> "MatchEquities":
        """Return this table, or its extension if it needs and has one."""
        checks.instance(score, "a score", Score, ScoreError)
        if max(score.away) <= self.length:
            return self
        if self.extends and max(score.away) <= FARTHEST:
            return self._extended
        raise ScoreError(
            f"{self.name} goes to {FARTHEST if self.extends else self.length} points away, "
            f"the score is {score}; use a longer match equity table"
        )

    @cached_property
    def _extended(self) -> "MatchEquities":
        """The table to `FARTHEST` points away, as GNU Backgammon makes it.

        References
        ----------
        GNU Backgammon 1.07, ``show matchequitytable 33``: before Crawford's game equal to
        0.0001%.
        """
        away = np.arange(1, FARTHEST + 1)
        deviations = np.array([*_DEVIATIONS, *(FARTHEST - len(_DEVIATIONS)) * [_DEVIATION]])
        games = (away[:, None] + away) / 2
        spread = np.sqrt((deviations[:, None] ** 2 + deviations**2) * games)
        leads = (away - away[:, None]) / (sqrt(2.0) * spread)
        before = np.array([[erfc(-lead) / 2 for lead in row] for row in leads.tolist()])
        before[: self.length, : self.length] = self.before
        after = np.zeros((2, FARTHEST))
        after[:, : self.length] = self.post_crawford
        for n in range(self.length, FARTHEST):
            after[:, n] = (0.75 * after[:, n - 2] + 0.25 * after[:, n - 4]) / 2
        return MatchEquities(self.name, before, after)


@lru_cache(maxsize=1)
def match_equities() -> MatchEquities:
    """Return the table that comes with the program, Kazaross-XG2 to 25 points; it extends.

    References
    ----------
    Neil Kazaross (2011): rollouts by eXtreme Gammon to 9 points, then the table of David
    Rockwell and Neil Kazaross.
    """
    return replace(read_match_equities(KAZAROSS_XG2), extends=True)


def known_equities(equities: MatchEquities | None) -> MatchEquities:
    """Return a match equity table, the one that comes with the program if None."""
    if equities is None:
        return match_equities()
    checks.instance(equities, "equities", MatchEquities, ScoreError)
    return equities


def read_match_equities(path: str | Path) -> MatchEquities:
    """Read a match equity table.

    Parameters
    ----------
    path : str or Path
        GNU Backgammon's XML, with numbers and not parameters of a formula; or a CSV: a
        row ``away,1,2,3`` to the length, a row for each number of points that the player
        needs, and a row that starts with ``post-Crawford``. The part below the diagonal
        may be left empty. Lines that start with ``#`` are remarks, ``# name: ...`` names
        the table.

    Raises
    ------
    ScoreError
        If there is no such table in the file, or its numbers contradict each other.
    """
    return MatchEquities(*read_numbers(Path(path)))
