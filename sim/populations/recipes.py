"""Recipes of named populations: contents, size and random seed.

A recipe contains everything that a population depends on: its name, size, seed, the number
of checkers of the table that evaluates it, and optional bounds. `sim.populations.build`
builds the population.
"""

import re
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff import BearoffError
from bearoff.sim.play import uniforms, weighted_choice
from bearoff.sim.populations.decisions import RaceDecisions, merge
from bearoff.sim.populations.harvest import BEYOND, HOME, HarvestedPairs
from bearoff.stakes import Match, Terms

Int64Array = NDArray[np.int64]

GAMES, PAIRS = "games", "pairs"
"""Units of a population's size: games from the opening, or random pairs of positions."""

LARGEST = 1 << 30
"""Maximum size of a population, in games or pairs of positions."""

_STREAM_OF_PAIRS, _STREAM_OF_ROLLOUTS = 1 << 62, 1 << 62 | 1
_BY_CHECKERS = re.compile(r"checkers-([0-9]{1,4})(?:-([0-9]{1,4}))?")
_AT_SCORE = re.compile(r"(.+)-at-([0-9]+-[0-9]+)(-crawford|-post-crawford)?")


@dataclass(frozen=True)
class PopulationRecipe:
    """Recipe of a population: all settings that determine its contents.

    Attributes
    ----------
    name : str
        Name of the population: one of `KINDS`, ``checkers-N`` or ``checkers-N-M``. With the
        suffix ``-at-A-B``, as in ``races-at-3-5``, decisions are evaluated at this match
        score.
    size : int
        Size in the unit `PopulationKind.unit`: complete games from the opening, or random
        pairs of positions.
    seed : int
        Random seed, from 0 to 2**64 - 1.
    checkers : int
        Maximum number of checkers per side, in the races and in the two-sided table.
    low, high : float or None
        Bounds on the roller's cubeless win probability, for kinds of populations with
        bounds.
    rollouts : int
        Number of decisions to roll out, only for the populations `long` and `net-long`.
    formula : str or None
        Text of the formula by which one side decides in a population ``cubeful-by-NAME``.
    """

    name: str
    size: int
    seed: int
    checkers: int
    low: float | None = None
    high: float | None = None
    rollouts: int = 0
    formula: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the recipe as JSON values for the metadata."""
        return asdict(self)

    @property
    def kind(self) -> "PopulationKind":
        """Kind of population to which the name belongs."""
        return kind_of(self.name)

    @property
    def score(self) -> bearoff.Score | None:
        """Match score at which decisions are evaluated; None for money."""
        return name_and_score(self.name)[1]


@dataclass(frozen=True)
class PopulationKind:
    """Kind of population: contents, default size and players.

    Attributes
    ----------
    points : int
        Number of points on which checkers may be.
    bounds : tuple of float, optional
        Default bounds on the roller's cubeless win probability.
    before_formula : str
        First part of the population's name, if its last part is the name of a formula;
        otherwise "".
    net : bool
        Whether the neural network plays the games instead of the heuristic player.
    """

    text: str
    unit: str
    size: int
    points: int = bearoff.POINTS
    bounds: tuple[float, float] | None = None
    cube: bool = False
    before_formula: str = ""
    net: bool = False


KINDS = {
    "races": PopulationKind(
        "races with all checkers home, sampled from games", GAMES, 300_000
    ),
    "near": PopulationKind(
        "decisions in races with a win probability near the doubling point",
        GAMES,
        300_000,
        bounds=(0.6, 0.85),
    ),
    "long": PopulationKind(
        "races with checkers beyond home, sampled from games", GAMES, 100_000, 24
    ),
    "net-races": PopulationKind(
        "races with all checkers home, sampled from games of the net",
        GAMES,
        300_000,
        net=True,
    ),
    "net-long": PopulationKind(
        "races with checkers beyond home, sampled from games of the net",
        GAMES,
        100_000,
        24,
        net=True,
    ),
    "uniform": PopulationKind("pairs of positions, all equally likely", PAIRS, 200_000),
    "cubeful": PopulationKind(
        "races with all checkers home, from games with the cube",
        GAMES,
        400_000,
        cube=True,
    ),
    "cubeful-long": PopulationKind(
        "races with checkers beyond home, from games with the cube",
        GAMES,
        50_000,
        24,
        cube=True,
    ),
}
"""Kinds of populations by name, except ``checkers-N`` and ``cubeful-by-NAME``."""

BY_CHECKERS = PopulationKind(
    "pairs with N checkers per side, or with N against M", PAIRS, 100_000
)
"""Kind of the populations named ``checkers-N`` and ``checkers-N-M``."""

BY_FORMULA = PopulationKind(
    "races with all checkers home, from games in which a formula decides",
    GAMES,
    100_000,
    cube=True,
    before_formula="cubeful-by-",
)
"""Kind of the populations named ``cubeful-by-NAME``, where NAME is the name of a
formula."""

FAMILIES: dict[str, PopulationKind] = {
    "checkers-N": BY_CHECKERS,
    "cubeful-by-NAME": BY_FORMULA,
}
"""Kinds of populations whose names contain a number or the name of a formula."""

SEED = 1
"""Default random seed. With the same seed, `near`, `long` and `races` have the same games
and splits."""


def kind_of(name: str) -> PopulationKind:
    """Return the kind of the population with a given name.

    Raises
    ------
    BearoffError
        If there is no population with this name.
    """
    name, _ = name_and_score(name)
    if name in KINDS:
        return KINDS[name]
    if _BY_CHECKERS.fullmatch(name):
        sides_of(name)
        return BY_CHECKERS
    if name.removeprefix(BY_FORMULA.before_formula) not in (name, ""):
        return BY_FORMULA
    raise BearoffError(
        f"unknown population {name!r}; choose one of {', '.join(KINDS)}, checkers-N, "
        f"checkers-N-M or {BY_FORMULA.before_formula}NAME. The name of a population of "
        "races at home may end in -at-A-B, which means the score A-away, B-away"
    )


def name_and_score(name: str) -> tuple[str, bearoff.Score | None]:
    """Split a population's name into the name without a match score, and the score.

    Examples
    --------
    >>> name_and_score("checkers-8-at-3-5")
    ('checkers-8', Score(away=(3, 5), game='normal', length=None))
    >>> print(name_and_score("races-at-1-4-post-crawford")[1])
    1-away 4-away, post-Crawford
    """
    match = _AT_SCORE.fullmatch(name)
    if match is None:
        return name, None
    game = {None: "", "-crawford": " Crawford", "-post-crawford": " post-Crawford"}
    return match[1], bearoff.Score.parse(match[2] + game[match[3]])


def population_recipe(
    name: str,
    *,
    size: int | None = None,
    seed: int = SEED,
    checkers: int = bearoff.CHECKERS,
    bounds: tuple[float, float] | None = None,
    rollouts: int = 0,
    formula: str | None = None,
) -> PopulationRecipe:
    """Return the recipe of a population; check the settings and fill in the defaults.

    Raises
    ------
    BearoffError
        If there is no population with this name, or a number is out of range.

    Examples
    --------
    >>> population_recipe("near", seed=7)
    PopulationRecipe(name='near', size=300000, seed=7, checkers=15, low=0.6, high=0.85,
                     rollouts=0, formula=None)
    """
    kind = kind_of(name)
    if size is None:
        size = kind.size
    for what, value, lowest, highest in (
        (f"the size of the population (number of {kind.unit})", size, 1, LARGEST),
        ("a seed", seed, 0, 2**64 - 1),
        ("the number of checkers in the table", checkers, 1, bearoff.CHECKERS),
        ("the number of rollouts", rollouts, 0, LARGEST),
    ):
        if not lowest <= value <= highest:
            raise BearoffError(f"{what} must be from {lowest} to {highest}, got {value}")
    base, score = name_and_score(name)
    if score is not None:
        _check_score(name, kind, score)
    if _BY_CHECKERS.fullmatch(base) and max(sides_of(base)) > checkers:
        raise BearoffError(
            f"{name} requires a table for at least {max(sides_of(base))} checkers, got "
            f"{checkers}"
        )
    if checkers < bearoff.CHECKERS and kind.points > bearoff.POINTS:
        raise BearoffError(
            f"{name} has races with up to {bearoff.CHECKERS} checkers, which no table "
            f"covers; omit the number of checkers, got {checkers}"
        )
    if rollouts and (kind.points == bearoff.POINTS or kind.cube):
        home = kind.points == bearoff.POINTS
        how = "has exact equities" if home else "already rolls out decisions"
        raise BearoffError(
            f"the population {name} {how} and cannot be used with --rollouts; only the "
            "populations long and net-long can"
        )
    found = PopulationRecipe(name, size, seed, checkers, rollouts=rollouts, formula=formula)
    if kind.bounds is None:
        if bounds is not None:
            raise BearoffError(
                f"the population {name!r} does not accept bounds on the win probability; "
                "use the population 'near'"
            )
        return found
    low, high = bounds or kind.bounds
    if not 0 <= low < high <= 1:
        raise BearoffError(
            "the limits of the win probability must be ascending and from 0 to 1, got "
            f"{low} and {high}"
        )
    return replace(found, low=low, high=high)


def _check_score(name: str, kind: PopulationKind, score: bearoff.Score) -> None:
    """Raise an error unless this kind of population can be evaluated at the match score."""
    if kind.cube or kind.points != bearoff.POINTS:
        raise BearoffError(
            "a population for a match score must have races at home and no cube games, "
            f"got {name}; use races, near, net-races, uniform or checkers-N"
        )
    if Terms(Match(score)).cube_dead(0):
        raise BearoffError(
            f"neither side gains by doubling at {score}, so {name} would contain no "
            "decisions; use another score"
        )


def sides_of(name: str) -> tuple[int, int]:
    """Return both sides' numbers of checkers from a name such as ``checkers-3-5``.

    Raises
    ------
    BearoffError
        If a number of checkers is not from 1 to 15.

    Examples
    --------
    >>> sides_of("checkers-8"), sides_of("checkers-8-7")
    ((8, 8), (8, 7))
    """
    match = _BY_CHECKERS.fullmatch(name)
    if match is None:
        raise BearoffError(f"{name!r} must contain a number of checkers")
    roller, opponent = int(match[1]), int(match[2] or match[1])
    if not (1 <= roller <= bearoff.CHECKERS and 1 <= opponent <= bearoff.CHECKERS):
        raise BearoffError(
            f"the number of checkers on the board must be from 1 to {bearoff.CHECKERS}, "
            f"got {name}"
        )
    return roller, opponent


def drawn(wanted: PopulationRecipe) -> RaceDecisions:
    """Draw random pairs of positions for a population.

    Each pair of positions that is drawn counts as a separate game. Equal pairs in the same
    data split are merged.
    """
    if wanted.kind is BY_CHECKERS:
        ranges = [
            (
                bearoff.position_count(bearoff.POINTS, n - 1) if n > 1 else 1,
                bearoff.position_count(bearoff.POINTS, n),
            )
            for n in sides_of(name_and_score(wanted.name)[0])
        ]
    else:
        ranges = [(1, bearoff.position_count(bearoff.POINTS, wanted.checkers))] * 2
    draws = uniforms(wanted.seed, _STREAM_OF_PAIRS, 2 * wanted.size).reshape(-1, 2)
    x, y = (
        low + np.floor(draws[:, side] * (high - low)).astype(np.int64)
        for side, (low, high) in enumerate(ranges)
    )
    games = np.arange(wanted.size, dtype=np.int64)
    return merge(x, y, games, np.zeros(wanted.size, dtype=np.int16))


def rolled_out(wanted: PopulationRecipe, decisions: RaceDecisions) -> Int64Array:
    """Draw decisions to roll out in proportion to frequency; return sorted row indices."""
    draws = uniforms(wanted.seed, _STREAM_OF_ROLLOUTS, wanted.rollouts)
    return np.unique(weighted_choice(decisions.weights.astype(np.float64), draws))


def harvested(wanted: PopulationRecipe, met: HarvestedPairs) -> RaceDecisions:
    """Merge equal pairs of positions of simulated games into decisions of a population."""
    if wanted.kind.points == bearoff.POINTS:
        held = bearoff.position_count(bearoff.POINTS, wanted.checkers)
        met = met.chosen((met.rollers < held) & (met.opponents < held))
    return merge(met.rollers, met.opponents, met.games, met.plies)


def ground(wanted: PopulationRecipe) -> str:
    """Return `HOME` if all checkers are in the home boards, otherwise `BEYOND`."""
    return HOME if wanted.kind.points == bearoff.POINTS else BEYOND
