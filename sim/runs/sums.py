"""Integer sums over simulated games, which can be added exactly across runs.

Sums are computed from the statistics of simulated games. They can also be recovered from
the rows of a result file, because a mean times the number of games is an integer up to
rounding errors. An extended or combined run therefore has exactly the same rows as a single
run.
"""

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.config import BatchConfig, terms_of
from bearoff.sim.cubeful import FIXED, cube_tally, match_chances
from bearoff.sim.play import tally
from bearoff.sim.runs.outcomes import Columns
from bearoff.sim.storage import RunError, schema
from bearoff.stakes import Terms

if TYPE_CHECKING:
    import pyarrow as pa

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

Sums = dict[str, Int64Array]
"""Sums over the games of each pair of positions, by name of the summed quantity."""

_LARGEST = float(1 << 49)
"""Absolute value from which a sum over games can no longer be recovered exactly from a
stored mean."""


class Summing(Protocol):
    """Functions that convert game statistics to sums, and rows to sums and back."""

    def of_counts(self, counts: tally.Counts) -> Sums:
        """Convert statistics of games, shape (pairs, width), to sums by name."""

    def of_rows(self, rows: "pa.Table") -> Sums:
        """Compute the sums over the games of each pair from the rows of a result file."""

    def columns(self, sums: Sums) -> Columns:
        """Convert sums over games to the columns that depend on the games."""


def add(first: Sums, second: Sums) -> Sums:
    """Add two sums over different games of the same pairs of positions."""
    return {name: first[name] + second[name] for name in first}


_EVERY_GAME = ("games", "wins", "gammons_won", "gammons_lost")


class RaceSums:
    """Sums over races without a doubling cube."""

    _columns = (*_EVERY_GAME, "roller_ahead", "opponent_ahead")

    def of_counts(self, counts: tally.Counts) -> Sums:
        """Convert statistics of games without a cube to sums; see `sim.play.tally`."""
        return {
            "games": counts[:, tally.GAMES],
            "wins": counts[:, tally.WINS],
            "gammons_won": counts[:, tally.GAMMONS_WON],
            "gammons_lost": counts[:, tally.GAMMONS_LOST],
            "roller_ahead": counts[:, tally.ROLLER_AHEAD],
            "opponent_ahead": counts[:, tally.OPPONENT_AHEAD],
            **_lengths(counts),
        }

    def of_rows(self, rows: "pa.Table") -> Sums:
        return _whole(rows, self._columns) | _length_sums(rows)

    def columns(self, sums: Sums) -> Columns:
        return _length_columns(sums) | {name: sums[name] for name in self._columns}


class _CubeSums:
    """Sums over games with a doubling cube, for money or at a score."""

    _columns: tuple[str, ...] = (
        *_EVERY_GAME,
        "roller_doubles",
        "opponent_doubles",
        "roller_passes",
        "opponent_passes",
    )

    def __init__(self, *, rival: bool) -> None:
        self._rival = rival

    def _of_counts(self, counts: tally.Counts) -> Sums:
        sums = {
            "games": counts[:, tally.GAMES],
            "wins": counts[:, tally.WINS],
            "gammons_won": counts[:, cube_tally.GAMMONS_WON].sum(axis=1),
            "gammons_lost": counts[:, cube_tally.GAMMONS_LOST].sum(axis=1),
            "roller_doubles": counts[:, cube_tally.DOUBLES][:, 0],
            "opponent_doubles": counts[:, cube_tally.DOUBLES][:, 1],
            "roller_passes": counts[:, cube_tally.PASSES][:, 0],
            "opponent_passes": counts[:, cube_tally.PASSES][:, 1],
            **_lengths(counts),
        }
        if self._rival:
            sums["rival"] = counts[:, cube_tally.RIVAL_POINTS]
            sums["difference_squared"] = counts[:, cube_tally.DIFFERENCE_SQUARED]
        return sums

    def _of_rows(self, rows: "pa.Table") -> Sums:
        return _whole(rows, self._columns) | _length_sums(rows)

    def _plain_columns(self, sums: Sums) -> Columns:
        found: Columns = _length_columns(sums) | {n: sums[n] for n in self._columns}
        if not self._rival:
            unknown = np.full(len(sums["games"]), np.nan)
            found |= dict.fromkeys(("difference_mean", "difference_variance"), unknown)
        return found


class MoneySums(_CubeSums):
    """Sums over money games with a doubling cube.

    Parameters
    ----------
    value : int
        Initial value of the cube, a power of two.
    rival : bool
        Whether the same games are also played with the roller's rival cube strategy.
    """

    _columns = (*_CubeSums._columns, "cube")

    def __init__(self, value: int, *, rival: bool) -> None:
        super().__init__(rival=rival)
        self._value = value

    def of_counts(self, counts: tally.Counts) -> Sums:
        """Convert statistics of games, with columns as in `cube_tally`, to sums."""
        return self._of_counts(counts) | {
            "cube": cube_tally.final_cubes(counts),
            "points": cube_tally.points(counts),
            "points_squared": cube_tally.points_squared(counts),
        }

    def of_rows(self, rows: "pa.Table") -> Sums:
        sums = self._of_rows(rows)
        games, value = sums["games"], self._value
        mean, variance = _floats(rows, "points_mean", "points_variance")
        sums["points"], sums["points_squared"] = _totals(
            mean / value, variance / value**2, games
        )
        if self._rival:
            (rival,) = _floats(rows, "rival_points_mean")
            sums["rival"] = _rounded(rival / value * games)
            mean, variance = _floats(rows, "difference_mean", "difference_variance")
            sums["difference_squared"] = _totals(mean / value, variance / value**2, games)[
                1
            ]
        return sums

    def columns(self, sums: Sums) -> Columns:
        games, value = sums["games"], self._value
        found = self._plain_columns(sums)
        mean, variance = tally.moments(sums["points"], sums["points_squared"], games)
        found |= {"points_mean": value * mean, "points_variance": value**2 * variance}
        if not self._rival:
            return found | {"rival_points_mean": found["difference_mean"]}
        apart = sums["points"] - sums["rival"]
        mean, variance = tally.moments(apart, sums["difference_squared"], games)
        return found | {
            "rival_points_mean": value * sums["rival"] / games,
            "difference_mean": value * mean,
            "difference_variance": value**2 * variance,
        }


_ENDS = {
    "cube_won": cube_tally.WON,
    "cube_lost": cube_tally.LOST,
    "cube_gammons_won": cube_tally.GAMMONS_WON,
    "cube_gammons_lost": cube_tally.GAMMONS_LOST,
}


class MatchSums(_CubeSums):
    """Sums over games with a doubling cube at a match score.

    Parameters
    ----------
    terms : Terms
        Match score, cube value and player on roll.
    rival : bool
        Whether the same games are also played with the roller's rival cube strategy.
    """

    def __init__(self, terms: Terms, *, rival: bool) -> None:
        super().__init__(rival=rival)
        self._terms = terms

    def of_counts(self, counts: tally.Counts) -> Sums:
        """Convert statistics of games, with columns as in `cube_tally`, to sums."""
        ends = {name: counts[:, columns] for name, columns in _ENDS.items()}
        return self._of_counts(counts) | ends

    def of_rows(self, rows: "pa.Table") -> Sums:
        # The added columns are 0, because in a match of up to 64 points no cube reaches 256
        # times its initial value.
        sums = self._of_rows(rows)
        more = cube_tally.LEVELS - schema.CUBE_BINS
        for name, bins in _whole(rows, tuple(_ENDS)).items():
            sums[name] = np.pad(bins, ((0, 0), (0, more)))
        if self._rival:
            games = sums["games"]
            (rival,) = _floats(rows, "rival_match_chance")
            sums["rival"] = _rounded(rival * games * FIXED)
            mean, variance = _floats(rows, "difference_mean", "difference_variance")
            sums["difference_squared"] = _totals(mean, variance, games * FIXED)[1]
        return sums

    def columns(self, sums: Sums) -> Columns:
        games = sums["games"]
        found = self._plain_columns(sums)
        counts = np.zeros((len(games), cube_tally.WIDTH), dtype=np.int64)
        counts[:, tally.GAMES] = games
        for name, columns in _ENDS.items():
            counts[:, columns] = sums[name]
            found[name] = cube_tally.by_final_cube(counts, columns)
        mean, variance = cube_tally.match_moments(counts, match_chances(self._terms))
        found |= {"match_chance": mean, "match_chance_variance": variance}
        if not self._rival:
            return found | {"rival_match_chance": found["difference_mean"]}
        rival = sums["rival"] / FIXED / games
        square = sums["difference_squared"] / FIXED / games
        return found | {
            "rival_match_chance": rival,
            "difference_mean": mean - rival,
            "difference_variance": np.maximum(square - (mean - rival) ** 2, 0.0),
        }


class RolloutSums:
    """Sums over rollouts, which cannot be recovered from rows of result files."""

    def of_counts(self, counts: tally.Counts) -> Sums:
        return {"games": counts[:, tally.GAMES], "counts": counts}

    def of_rows(self, rows: "pa.Table") -> Sums:
        """Raise an error, because rows of rollouts do not determine the sums."""
        raise RunError("runs of rollouts can be neither extended nor combined")

    def columns(self, sums: Sums) -> Columns:
        """Raise an error; `RolloutWork.table` computes the columns instead."""
        raise NotImplementedError


def summing_of(config: BatchConfig) -> Summing:
    """Return the functions that convert statistics, sums and rows for a configuration."""
    if config.rollout is not None:
        return RolloutSums()
    if config.cube is None:
        return RaceSums()
    rival = config.cube.rival is not None
    if config.match is None:
        return MoneySums(config.cube.value, rival=rival)
    return MatchSums(terms_of(config.match, config.cube.value, jacoby=False), rival=rival)


def _lengths(counts: tally.Counts) -> Sums:
    return {
        "length": counts[:, tally.LENGTH],
        "length_squared": counts[:, tally.LENGTH_SQUARED],
    }


def _length_columns(sums: Sums) -> Columns:
    moments = tally.moments(sums["length"], sums["length_squared"], sums["games"])
    return dict(zip(("length_mean", "length_variance"), moments, strict=True))


def _length_sums(rows: "pa.Table") -> Sums:
    mean, variance, games = _floats(rows, "length_mean", "length_variance", "games")
    found = _totals(mean, variance, games)
    return dict(zip(("length", "length_squared"), found, strict=True))


def _totals(
    mean: Float64Array, variance: Float64Array, games: Float64Array | Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Return the sum and sum of squares of a quantity with a given mean and variance."""
    return _rounded(mean * games), _rounded((variance + mean**2) * games)


def _rounded(values: Float64Array) -> Int64Array:
    if np.abs(values).max(initial=0.0) >= _LARGEST:
        raise RunError(
            "a pair of the run has too many games to count more games exactly; simulate "
            "further games as a separate run"
        )
    return np.rint(values).astype(np.int64)


def _whole(rows: "pa.Table", names: tuple[str, ...]) -> Sums:
    found = {}
    for name in names:
        column = rows[name].combine_chunks()
        if hasattr(column, "flatten"):  # a column of lists
            found[name] = column.flatten().to_numpy().reshape(len(rows), -1)
        else:
            found[name] = column.to_numpy()
    return found


def _floats(rows: "pa.Table", *names: str) -> list[Float64Array]:
    return [rows[name].to_numpy().astype(np.float64) for name in names]
