"""Sample of decisions for the drills, shipped with the program.

The module `research.training.drills` creates the file of the sample. If all checkers are
home, the equities come from the two-sided table of 15 checkers, otherwise from rollouts.
Every answer is thus exact or has a stated error.
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
"""Minimum cost of a wrong decision in the sample, in points of equity."""

NEAR = 0.2
"""Maximum cost of a wrong cube decision that the drills ask about, in points of equity."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """Races before the roll with their equities, for money without the Jacoby rule.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, 24)
        Checkers on the ace, deuce, ... points of each side.
    owned : ndarray of bool, shape (n,)
        Whether the roller owns the cube; otherwise the cube is centred.
    chance : ndarray of float32, shape (n,)
        Win probability of the roller without the cube.
    no_double, double_take : ndarray of float32, shape (n,)
        Equities in EMG without a double, and after a double and a take. After a pass, the
        equity is 1.
    error : ndarray of float32, shape (n,)
        Error of both equities: an upper bound or, for a rollout, two standard errors.
    rolled : ndarray of bool, shape (n,)
        Whether the equities come from a rollout; otherwise they are exact.
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
        """Equities of all races as a `Values` object, which has no gammon probabilities."""
        values = Values.empty(Terms(), self.owned.astype(np.int8))
        values.no_double[:], values.double_take[:] = self.no_double, self.double_take
        values.no_double_error[:] = values.double_take_error[:] = self.error
        return values


@dataclass(frozen=True, eq=False)
class RolledRaces:
    """Races at home with a roll and a centred cube, and the equity of each play.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, 24)
        Checkers on each point of both sides before the play.
    dice : ndarray of int8, shape (n, 2)
    firsts : ndarray of int32, shape (n + 1,)
        Index of each race's first play in `after` and `equities`; the last number is m.
    after : ndarray of int32, shape (m,)
        Number of the roller's home position after each play, as in `Position.from_number`;
        each race's best play is first.
    equities : ndarray of float32, shape (m,)
        Equity of the roller after each play.
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
    """Decisions for the drills: doubles, takes, races to estimate, and rolls to play."""

    double: Decisions
    take: Decisions
    race: Decisions
    play: RolledRaces


def write_sample(path: Path, sample: Sample) -> None:
    from bearoff.storage import atomic_path

    arrays = {
        f"{group.name}_{one.name}": getattr(getattr(sample, group.name), one.name)
        for group in fields(Sample)
        for one in fields(getattr(sample, group.name))
    }
    with atomic_path(path) as unfinished, unfinished.open("wb") as stream:
        np.savez_compressed(stream, **arrays)


def read_sample(path: Path) -> Sample:
    with np.load(path, allow_pickle=False) as arrays:

        def group(name: str, kind: type[Any]) -> Any:
            return kind(*(arrays[f"{name}_{one.name}"] for one in fields(kind)))

        return Sample(
            group("double", Decisions),
            group("take", Decisions),
            group("race", Decisions),
            group("play", RolledRaces),
        )


@lru_cache(maxsize=1)
def shipped_sample() -> Sample:
    """Return the sample of decisions that is shipped with the program."""
    return read_sample(FILE)


def row_of(races: Decisions, race: Race, owned: bool = False) -> int:
    """Return a race's index in the sample; `owned` means that the roller owns the cube."""
    pair = widen([race.roller.counts, race.opponent.counts])
    same = (races.rollers == pair[0]).all(axis=1) & (races.opponents == pair[1]).all(axis=1)
    rows = np.flatnonzero(same & (races.owned == owned))
    if not len(rows):
        raise BearoffError(
            f"the position {race.position_id} is not among the questions; request a new "
            "question"
        )
    return int(rows[0])


def method_of(races: Decisions, row: int, percent: bool = False) -> str:
    """Return a text on the source of a value: exact, or a rollout with its error."""
    if not races.rolled[row]:
        return "exact"
    if percent:
        return "by rollout"
    return f"by rollout, to within {races.error[row]:.4f}"


def race_at(races: Decisions | RolledRaces, row: int) -> Race:
    """Return the race at an index of the sample, without the state of its cube."""
    pair = races.rollers[row], races.opponents[row]
    sides = (Position(tuple(side.tolist())) for side in pair)
    return Race(*sides).on_points()
