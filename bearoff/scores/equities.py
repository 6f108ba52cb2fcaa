"""Match equity tables: the match-winning chance at every score.

The default table is Kazaross-XG2 for matches up to 25 points. `read_match_equities` reads
other tables.
"""

from __future__ import annotations

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
"""Largest number of points away to which a table is extrapolated."""

_DEVIATIONS = (1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72)
_DEVIATION = 1.77
"""Standard deviation of a player's points per game in a long match. If a player needs at
most 10 points, `_DEVIATIONS` is used instead."""

KAZAROSS_XG2 = Path(__file__).with_name("kazaross_xg2.csv")


@dataclass(frozen=True, eq=False)
class MatchEquities:
    """Match-winning chances at every score of matches up to a certain length.

    Rows are the points that the roller needs, and columns the points that the opponent
    needs. In a table for players of different strength, the roller is the first player;
    `exchanged` makes the second player the roller.

    Attributes
    ----------
    name : str
        Name that the file states, or the name of the file.
    before : ndarray of float64, shape (length, length), read-only
        ``[a - 1, b - 1]`` is the roller's match-winning chance at a-away b-away; in the
        Crawford game if one player is 1-away.
    extends : bool
        Whether scores beyond `length` are extrapolated up to `FARTHEST` points away. The
        extrapolation is that of GNU Backgammon, which approximates the results of games by
        a normal distribution.
    post_crawford : ndarray of float64, shape (2, length), read-only
        Match-winning chances after the Crawford game: ``[0, a - 1]`` is the chance of a
        roller who is a-away if the opponent is 1-away, and ``[1, b - 1]`` the chance of an
        opponent who is b-away if the roller is 1-away.

    Raises
    ------
    ScoreError
        If the numbers do not form a table or contradict each other.

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
    def parse(cls, text: str, name: str = "own table") -> MatchEquities:
        """Parse a table from the text of a file that `read_match_equities` could read.

        Parameters
        ----------
        text : str
            Text in XML or CSV format.
        name : str
            Name of the table, which is used if the text states no name, and in error
            messages.

        Raises
        ------
        ScoreError
            If the text does not contain a valid table.
        """
        return MatchEquities(*parse_numbers(Path(name), text))

    @property
    def length(self) -> int:
        """Length, in points, of the longest match in the table, without extrapolation."""
        return len(self.before)

    @property
    def symmetric(self) -> bool:
        """Whether the table assumes that both players are equally strong."""
        return self.agree(self.exchanged())

    def agree(self, other: MatchEquities) -> bool:
        """Return whether another table has equal match-winning chances, up to rounding."""
        return self.before.shape == other.before.shape and all(
            np.allclose(mine, theirs, rtol=0, atol=1e-12)
            for mine, theirs in (
                (self.before, other.before),
                (self.post_crawford, other.post_crawford),
            )
        )

    def exchanged(self) -> MatchEquities:
        """Return the same table from the opponent's viewpoint."""
        turned = 1.0 - self.before.T, self.post_crawford[::-1]
        return MatchEquities(self.name, *turned, self.extends)

    def chance(self, score: Score) -> float:
        """Return the roller's match-winning chance before the game at a score.

        Raises
        ------
        ScoreError
            If the table does not contain the score.
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
        """Return the roller's match-winning chance after points have been won or lost.

        Parameters
        ----------
        score : Score
            Score before the game.
        points : int
            Points that the roller wins; negative for points lost, never 0.

        Raises
        ------
        ScoreError
            If the table does not contain the score, or `points` is 0.

        Examples
        --------
        The leader at 2-away 4-away wins one point, or loses two points:

        >>> score = Score((2, 4))
        >>> match_equities().after(score, 1), match_equities().after(score, -2)
        (0.81436, 0.5)
        """
        self._holding(score)
        points = checks.integer(points, "points won", -(1 << 20), 1 << 20, ScoreError)
        if points == 0:
            raise ScoreError("the number of points won must not be 0")
        a = score.away[0] - max(points, 0)
        b = score.away[1] - max(-points, 0)
        if a <= 0:
            return 1.0
        if b <= 0:
            return 0.0
        if 1 not in (a, b):
            return self.chance(Score((a, b)))
        # If either player was already 1-away before this game, the next game is
        # post-Crawford.
        game: Game = "post-crawford" if 1 in score.away else "crawford"
        return self.chance(Score((a, b), game))

    def emg(self, chances: ArrayLike, score: Score, cube_value: int = 1) -> Float64Array:
        """Convert match-winning chances to normalised equities (EMG).

        Parameters
        ----------
        chances : array_like of float
            The roller's match-winning chances.
        score : Score
            Score before the game.
        cube_value : int
            Value of the cube.

        Returns
        -------
        ndarray of float64
            Equities on a linear scale: 1 for winning a single game at this cube value, and
            -1 for losing one. The scale is comparable to money equities at a cube value of
            1.

        Raises
        ------
        ScoreError
            If the score or cube value is impossible.
        BearoffError
            If `chances` are not between 0 and 1.

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
        """Convert normalised equities (EMG) to match-winning chances."""
        won, lost = self._single(score, cube_value)
        equity = checks.reals(emg, "a normalised equity")
        return np.asarray((equity * (won - lost) + (won + lost)) / 2)

    def payoffs(self, score: Score) -> Payoffs:
        """Return the payoffs of games at a score, with the roller as the first player.

        Raises
        ------
        ScoreError
            If the table does not contain the score.
        """
        highest = 1 << (max(score.away) - 1).bit_length()
        points = [1 << k for k in range(highest.bit_length() + 1)]
        return Payoffs(
            score.away,
            # With both players 1-away, a double gains nothing, so the Crawford rule makes
            # no difference.
            "normal" if score.away == (1, 1) else score.game,
            self.name,
            tuple(self.after(score, n) for n in points),
            tuple(self.after(score, -n) for n in points),
        )

    def _single(self, score: Score, cube_value: int) -> tuple[float, float]:
        value = check_cube_value(cube_value)
        return self.after(score, value), self.after(score, -value)

    def _holding(self, score: Score) -> MatchEquities:
        """Return the table, or its extrapolation if the score is beyond the table."""
        checks.instance(score, "a score", Score, ScoreError)
        if max(score.away) <= self.length:
            return self
        if self.extends and max(score.away) <= FARTHEST:
            return self._extended
        raise ScoreError(
            f"{self.name} covers only scores up to "
            f"{FARTHEST if self.extends else self.length} points away, got {score}; use "
            "a longer match equity table"
        )

    @cached_property
    def _extended(self) -> MatchEquities:
        """Table extrapolated to `FARTHEST` points away by GNU Backgammon's method.

        References
        ----------
        GNU Backgammon 1.07, ``show matchequitytable 33``. Before the Crawford game, the
        values agree to 0.0001%.
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
    """Return the default match equity table, Kazaross-XG2, which is extrapolated if needed.

    References
    ----------
    Neil Kazaross (2011): rollouts by eXtreme Gammon up to 9 points, and for longer matches
    the table of David Rockwell and Neil Kazaross.
    """
    return replace(read_match_equities(KAZAROSS_XG2), extends=True)


def known_equities(equities: MatchEquities | None) -> MatchEquities:
    """Return the given match equity table, or the default table if None is given."""
    if equities is None:
        return match_equities()
    checks.instance(equities, "equities", MatchEquities, ScoreError)
    return equities


def read_match_equities(path: str | Path) -> MatchEquities:
    """Read a match equity table from a file.

    Parameters
    ----------
    path : str or Path
        XML file of GNU Backgammon with explicit numbers, or CSV file. The first row of the
        CSV is ``away,1,2,3`` and so on. Each other row is for a number of points that the
        player needs, and the last row begins with ``post-Crawford``. Lines that start with
        ``#`` are comments; ``# name: ...`` names the table.

    Raises
    ------
    ScoreError
        If the file does not contain a valid table, or its numbers contradict each other.
    """
    return MatchEquities(*read_numbers(Path(path)))
