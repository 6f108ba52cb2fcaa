"""The decisions that drills ask: a small sample of populations, shipped with the program.

`research.training.drills` makes the file. Its values are of the two-sided table of 15
checkers where all are home, else of rollouts, so every answer is exact or has a stated
error without a table on the user's machine.
"""

from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff import BearoffError, Position, Race
from bearoff.bear_in import widen
from bearoff.stakes import Terms, Values

FILE = Path(__file__).with_name("decisions.npz")

CLEAR = 0.002
"""Points that a wrong decision costs at least; what costs less teaches nothing."""

NEAR = 0.2
"""Points that a wrong decision of the cube costs at most: beyond it nobody is in doubt."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """Races before the roll, one a row, for money without Jacoby's rule.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, 24)
        Checkers on the ace, deuce, ... of each side.
    owned : ndarray of bool, shape (n,)
        Whether the roller owns the cube; else it is centred.
    chance : ndarray of float32, shape (n,)
        Of the roller to win, without the cube.
    no_double, double_take : ndarray of float32, shape (n,)
        Equities, EMG; a pass is worth 1.
    error : ndarray of float32, shape (n,)
        Of the equities: a bound, or two standard errors of a rollout.
    rolled : ndarray of bool, shape (n,)
        Whether the values are a rollout's; else they are exact.
    """

    rollers: NDArray[np.int8]
    opponents: NDArray[np.int8]
    owned: NDArray[np.bool_]
    chance: NDArray[np.float32]
    no_double: NDArray[np.float32]
    double_take: NDArray[np.float32]
    error: NDArray[np.float32]
    rolled: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.owned)

    @cached_property
    def values(self) -> Values:
        """The same as values of decisions; chances are no part of them."""
        values = Values.empty(Terms(), self.owned.astype(np.int8))
        values.no_double[:], values.double_take[:] = self.no_double, self.double_take
        values.no_double_error[:] = values.double_take_error[:] = self.error
        return values


@dataclass(frozen=True, eq=False)
class Rolls:
    """Races at home with a roll to play, the cube centred, and what each play is worth.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, 24)
        Checkers before the play.
    dice : ndarray of int8, shape (n, 2)
    firsts : ndarray of int32, shape (n + 1,)
        Where the plays of each begin in the two that follow.
    after : ndarray of int32, shape (m,)
        Benjamin-Ross numbers on 6 points that the plays lead to, the best first.
    equities : ndarray of float32, shape (m,)
        Of the roller after them, exact within the sample's `CLEAR`.
    """

    rollers: NDArray[np.int8]
    opponents: NDArray[np.int8]
    dice: NDArray[np.int8]
    firsts: NDArray[np.int32]
    after: NDArray[np.int32]
    equities: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.dice)


@dataclass(frozen=True, eq=False)
class Sample:
    """All that is asked: doubles, takes, races to be judged, and rolls to be played."""

    double: Decisions
    take: Decisions
    race: Decisions
    play: Rolls


def write_sample(path: Path, sample: Sample) -> None:
    """Write a sample; the same sample gives the same bytes."""
    from bearoff.storage import atomic_path

    arrays = {
        f"{group.name}_{one.name}": getattr(getattr(sample, group.name), one.name)
        for group in fields(Sample)
        for one in fields(getattr(sample, group.name))
    }
    with atomic_path(path) as unfinished, unfinished.open("wb") as stream:
        np.savez_compressed(stream, **arrays)


def read_sample(path: Path) -> Sample:
    """Read what `write_sample` wrote."""
    with np.load(path, allow_pickle=False) as arrays:

        def group(name: str, kind: type[Any]) -> Any:
            return kind(*(arrays[f"{name}_{one.name}"] for one in fields(kind)))

        return Sample(
            group("double", Decisions),
            group("take", Decisions),
            group("race", Decisions),
            group("play", Rolls),
        )


@lru_cache(maxsize=1)
def shipped_sample() -> Sample:
    """Return the sample that is shipped."""
    return read_sample(FILE)


def row_of(races: Decisions, race: Race, owned: bool = False) -> int:
    """Return where the sample has a race.

    Raises
    ------
    BearoffError
        If it has not.
    """
    pair = widen([race.roller.counts, race.opponent.counts])
    same = (races.rollers == pair[0]).all(axis=1) & (races.opponents == pair[1]).all(axis=1)
    rows = np.flatnonzero(same & (races.owned == owned))
    if not len(rows):
        raise BearoffError(f"no question is about {race.position_id}; ask for a new one")
    return int(rows[0])


def method_of(races: Decisions, row: int, percent: bool = False) -> str:
    """Say what values of the sample are from."""
    if not races.rolled[row]:
        return "exact"
    if percent:
        return "by rollout"
    return f"by rollout, within {races.error[row]:.4f}"


def race_at(races: Decisions | Rolls, row: int) -> Race:
    """Return a race of the sample, without its cube."""
    pair = races.rollers[row], races.opponents[row]
    sides = (Position(tuple(side.tolist())) for side in pair)
    return Race(*sides).on_points()
