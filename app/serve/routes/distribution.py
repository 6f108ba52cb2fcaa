"""The route of distributions: how many rolls both sides need."""

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
    """Chances to need 0, 1, 2, ... rolls; exact of fewest-rolls play with all home."""

    kind: Literal["exact", "estimate"]
    mean_rolls: float
    std_rolls: float
    chances: list[float]


class DistributionsOut(BaseModel):
    """Both sides, and when the roller wins."""

    roller: DistributionOut
    opponent: DistributionOut
    first_off: list[float]


@router.post("/distribution")
async def distribution(asked: RaceIn, request: Request) -> DistributionsOut:
    """How many rolls each side needs, and the chance that the roller's n-th roll wins."""
    race = race_of(asked)
    workers = state_of(request).workers
    return await workers.run(lambda: both_sides(race), request.is_disconnected)


def both_sides(race: Race) -> DistributionsOut:
    """Return how many rolls each side needs, and when the roller wins."""
    roller, opponent = _side(race.roller), _side(race.opponent)
    size = max(len(roller.chances), len(opponent.chances))
    mine, theirs = (
        np.pad(one.chances, (0, size - len(one.chances))) for one in (roller, opponent)
    )
    # The opponent must need as many rolls as the roller, or more.
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
    """Whole numbers of rolls spread as a normal distribution: long sides' nearly are.

    No narrower than whole numbers of this mean are: the model of a side that seldom needs
    more or fewer rolls may have no spread at all.
    """
    over = mean % 1
    std = max(std, sqrt(over * (1 - over)), 0.1)  # Of a whole mean 0.1 is narrow enough.
    ends = np.arange(int(mean + 6 * std) + 2) - 0.5
    below = np.array([(1 + erf((end - mean) / (std * sqrt(2)))) / 2 for end in ends])
    chances = np.diff(below)
    chances[0] = 0.0
    return np.asarray(chances / chances.sum())
