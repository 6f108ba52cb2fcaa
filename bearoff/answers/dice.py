"""The plays of a roll: what each is worth, and which of them rollouts look at."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bearoff.answers.answer import PlayChoice
from bearoff.bear_in import widen
from bearoff.plays import Play, legal_plays
from bearoff.positions import POINTS, Position, Race
from bearoff.sources import Kind, Model, PlayValues, Races, Source, play_values

Int64Array = NDArray[np.int64]

SHORT = 50
"""Pips up to which a side beyond home is short."""

SCREENED, WITHIN = 5, 0.05
"""Plays that a rollout looks at: so many, within so much of the best by the model; more
where the model is less sure."""


def play_choices(
    race: Race, races: Races, source: Source, model: Model, played: Position | None
) -> tuple[PlayChoice, ...]:
    """Value the plays of a race's dice, the best first.

    Parameters
    ----------
    race : Race
        With dice.
    races : Races
        The same, alone.
    source : Source
        Who values it. A rollout looks at the plays that may be best by the model alone;
        the others are left to the model, and stand behind.
    model : Model
    played : Position or None
        Where a play leads that is rolled out in any case.
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
    # The model found the others worse; by how much, its errors leave open. They do not
    # tie with those that were rolled out.
    others = np.setdiff1d(np.arange(len(legal)), near)
    behind = rolled.equities.min() - 2 * valued.tie
    valued.equities[others] = np.minimum(valued.equities[others], behind)
    ranking = valued.ranking().tolist()
    choices = choices_of(valued, ranking, legal.__getitem__, model.kind)
    rolled_out = set(near.tolist())
    return tuple(
        replace(one, kind=source.kind) if place in rolled_out else one
        for place, one in zip(ranking, choices, strict=True)
    )


def _uneven(race: Race) -> bool:
    """Whether a short side has a checker beyond home, of which the model knows less.

    It has been seen to prefer a play by 0.13 that was worse.
    """
    sides = race.roller, race.opponent
    beyond = max(side.highest for side in sides) > POINTS
    return beyond and min(side.pips for side in sides) < SHORT


def _screened(valued: PlayValues, uneven: bool) -> Int64Array:
    """Return the plays that a rollout looks at: those that may be best, by the model."""
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
) -> tuple[PlayChoice, ...]:
    """Return the plays of one race at some places, with what each costs.

    The kind is that of who valued them; what the fast model knows for certain is exact.
    """
    costs, errors = valued.cost_and_error()
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
