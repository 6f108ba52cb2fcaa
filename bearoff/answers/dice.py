"""Functions that compute the equities of a roll's plays and select plays for rollouts."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bearoff.answers.answer import PlayChoice, intervals
from bearoff.bear_in import widen
from bearoff.plays import Play, legal_plays
from bearoff.positions import POINTS, Position, Race
from bearoff.sources import Kind, ModelSource, PlayValues, Races, Source, play_values

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

SHORT = 50
"""Pip count below which the fast model is less accurate, if a checker of either player is
outside the home board."""

SCREENED, WITHIN = 5, 0.05
"""Maximum number of plays of a roll that are rolled out, and the maximum equity that such a
play may lose according to the fast model. Both limits are higher for races in which the
fast model is less accurate."""


def play_choices(
    race: Race, races: Races, source: Source, model: ModelSource, played: Position | None
) -> tuple[PlayChoice, ...]:
    """Return the legal plays of the roll in a race with their equities, best play first.

    Parameters
    ----------
    race : Race
        Race with the roll to be played.
    races : Races
        The same race as `race`, as arrays of length 1.
    source : Source
        Source of the values. A rollout evaluates only the plays that may be best according
        to the fast model. Other plays keep the model's values and are ranked last.
    model : ModelSource
    played : Position or None
        Position after a play that rollouts always include, even if the fast model shows
        that the play is not the best.
    """
    assert race.dice is not None
    legal = sorted(legal_plays(race.roller, race.dice), key=lambda p: p.after.number)
    sides = widen([play.after.counts for play in legal])
    rows = np.zeros(len(legal), dtype=np.int64)
    if source.kind != "rollout":
        valued = play_values(source, races, rows, sides)
        ranking = valued.ranking().tolist()
        return choices_of(valued, ranking, legal.__getitem__, source.kind)
    valued = play_values(model, races, rows, sides)
    near = _screened(valued, _uneven(race))
    if played is not None:
        chosen = (sides == widen(played.counts)).all(axis=1)
        near = np.union1d(near, np.flatnonzero(chosen))
    rolled = play_values(source, races, rows[near], sides[near])
    for name in ("equities", "errors", "apart", "wins", "gammons"):
        getattr(valued, name)[near] = getattr(rolled, name)
    # Plays that were not rolled out are ranked below all plays that were rolled out.
    others = np.setdiff1d(np.arange(len(legal)), near)
    behind = rolled.equities.min() - 2 * valued.tie
    valued.equities[others] = np.minimum(valued.equities[others], behind)
    ranking = valued.ranking().tolist()
    spread = np.zeros(len(legal))
    spread[near] = intervals(source.kind)
    choices = choices_of(valued, ranking, legal.__getitem__, model.kind, spread)
    rolled_out = set(near.tolist())
    return tuple(
        replace(one, kind=source.kind) if place in rolled_out else one
        for place, one in zip(ranking, choices, strict=True)
    )


def _uneven(race: Race) -> bool:
    """Return whether a player has few pips and any checker is outside the home boards.

    In a race with both properties, the fast model once preferred a play that cost 0.13
    points.
    """
    sides = race.roller, race.opponent
    beyond = max(side.highest for side in sides) > POINTS
    return beyond and min(side.pips for side in sides) < SHORT


def _screened(valued: PlayValues, uneven: bool) -> Int64Array:
    """Return the indices of plays that may be best, given the errors of the fast model."""
    unsure = valued.unsure
    near = valued.ranking()[: 2 * SCREENED if unsure else SCREENED]
    within = max(WITHIN * (3 if uneven else 1), float(valued.errors.min())) + unsure
    may_be_best = valued.equities[near] >= valued.equities.max() - within
    return np.asarray(near[may_be_best])


def choices_of(
    valued: PlayValues,
    places: Iterable[int],
    play_at: Callable[[int], Play],
    kind: Kind,
    spread: Float64Array | float = 1.0,
) -> tuple[PlayChoice, ...]:
    """Return the plays that have the given indices in one race, with equities and costs.

    A play counts as exact if the fast model states an error of 0 for its equity.
    `PlayValues.cost_and_error` explains `spread`.
    """
    costs, errors = valued.cost_and_error(spread)
    choices = []
    for place in places:
        play = play_at(place)
        choices.append(
            PlayChoice(
                str(play),
                float(valued.equities[place]),
                float(costs[place]),
                float(errors[place]),
                play,
                float(valued.errors[place]),
                float(valued.wins[place]),
                float(valued.gammons[place]),
                "exact" if kind == "model" and not valued.errors[place] else kind,
            )
        )
    return tuple(choices)
