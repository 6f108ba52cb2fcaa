"""The route of distributions: how many rolls both sides need."""

from math import erf, sqrt
from typing import Literal

import numpy as np
from fastapi import Request
from numpy.typing import NDArray
from pydantic import BaseModel
from starlette.responses import Response

from bearoff import POINTS, Position, Race, one_sided_table, rank
from bearoff.app.serve.asking import race_of
from bearoff.app.serve.json_route import as_response, new_router
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


@router.post("/distribution", response_model=DistributionsOut)
async def distribution(asked: RaceIn, request: Request) -> Response:
    """How many rolls each side needs, and the chance that the roller's n-th roll wins."""
    race = race_of(asked)
    workers = state_of(request).workers
    return as_response(await workers.run(lambda: both_sides(race), request.is_disconnected))


def both_sides(race: Race) -> dict[str, object]:
    """Return how many rolls each side needs, and when the roller wins."""
    sides = [_side(side) for side in (race.roller, race.opponent)]
    size = max(len(chances) for _, chances in sides)
    mine, theirs = (np.pad(of, (0, size - len(of))) for _, of in sides)
    # The opponent must need as many rolls as the roller, or more.
    not_yet = theirs[::-1].cumsum()[::-1]
    named = zip(("roller", "opponent"), sides, strict=True)
    return {
        **{name: {**side, "chances": of.tolist()} for name, (side, of) in named},
        "first_off": (mine * not_yet).tolist(),
    }


def _side(side: Position) -> tuple[dict[str, object], NDArray[np.float64]]:
    counts = widen([side.counts])
    mean = float(bear_in().mean_rolls(counts)[0])
    std = float(bear_in().std_rolls(counts)[0])
    if side.highest <= POINTS:
        number = int(rank(counts[0, :POINTS]))
        chances = np.trim_zeros(one_sided_table().distribution_of(number), "b")
        return {"kind": "exact", "mean_rolls": mean, "std_rolls": std}, chances
    return {"kind": "estimate", "mean_rolls": mean, "std_rolls": std}, _normal(mean, std)


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
