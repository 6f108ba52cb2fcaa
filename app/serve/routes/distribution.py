"""Route for the distribution of the number of rolls that each side needs."""

from math import erf, sqrt
from typing import Literal

import numpy as np
from fastapi import Request
from numpy.typing import NDArray
from pydantic import BaseModel

from bearoff import POINTS, Position, Race, one_sided_table, rank
from bearoff.app.serve.asking import race_of
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.models import RaceIn
from bearoff.app.serve.state import state_of
from bearoff.bear_in import bear_in, widen

router = new_router()


class DistributionOut(BaseModel):
    """Probabilities of bearing off in 0, 1, 2, ... rolls; exact with all checkers home."""

    kind: Literal["exact", "estimate"]
    mean_rolls: float
    std_rolls: float
    chances: list[float]


class DistributionsOut(BaseModel):
    """Distributions of the number of rolls that each side needs to bear off."""

    roller: DistributionOut
    opponent: DistributionOut
    first_off: list[float]
    """Probability that the roller wins on roll n, for n = 0, 1, 2, ..."""


@router.post("/distribution")
async def distribution(asked: RaceIn, request: Request) -> DistributionsOut:
    """Return the probability that each side needs n rolls, for n = 0, 1, 2, ..."""
    race = race_of(asked)
    workers = state_of(request).workers
    return await workers.run(lambda: both_sides(race), request.is_disconnected)


def both_sides(race: Race) -> DistributionsOut:
    roller, opponent = _side(race.roller), _side(race.opponent)
    size = max(len(roller.chances), len(opponent.chances))
    mine, theirs = (
        np.pad(one.chances, (0, size - len(one.chances))) for one in (roller, opponent)
    )
    # The roller moves first, and so wins if both sides need equally many rolls.
    not_yet = theirs[::-1].cumsum()[::-1]
    first_off = (mine * not_yet).tolist()
    return DistributionsOut(roller=roller, opponent=opponent, first_off=first_off)


def _side(side: Position) -> DistributionOut:
    counts = widen([side.counts])
    mean = float(bear_in().mean_rolls(counts)[0])
    std = float(bear_in().std_rolls(counts)[0])
    home = side.highest <= POINTS
    if home:
        number = int(rank(counts[0, :POINTS]))
        chances = np.trim_zeros(one_sided_table().distribution_of(number), "b")
    else:
        chances = _normal(mean, std)
    return DistributionOut(
        kind="exact" if home else "estimate",
        mean_rolls=mean,
        std_rolls=std,
        chances=chances.tolist(),
    )


def _normal(mean: float, std: float) -> NDArray[np.float64]:
    """Return a normal distribution, made discrete, of the number of rolls to bear off.

    If `std` is smaller than the standard deviation of any whole number with this mean, it
    is increased. The estimate can be that small for sides that almost always need the same
    number of rolls.
    """
    over = mean % 1
    # A standard deviation of 0 would cause a division by zero, so the minimum is 0.1 rolls.
    std = max(std, sqrt(over * (1 - over)), 0.1)
    ends = np.arange(int(mean + 6 * std) + 2) - 0.5
    below = np.array([(1 + erf((end - mean) / (std * sqrt(2)))) / 2 for end in ends])
    chances = np.diff(below)
    chances[0] = 0.0
    return np.asarray(chances / chances.sum())
