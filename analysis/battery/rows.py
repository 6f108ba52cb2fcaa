"""Test sets of cube decisions, on which the losses of formulas are measured.

A test set assigns a weight to each double, redouble and take. A formula's loss on a test
set is the weighted sum of the equity that its wrong decisions lose. The first test set
gives the loss per game. There, each error of a side in a race between perfect players is
multiplied by the cube value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.errors import FitError
from bearoff.analysis.formulas.rules import Formula
from bearoff.analysis.outcomes import Gains, intervals
from bearoff.analysis.scoring import ValuedDecisions
from bearoff.sim.populations import Population

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Progress = Callable[[str, float], object]

HOME = "cubeful"
"""Name of the set of cube decisions with all checkers home, from games with the cube."""

LONG = "cubeful-long"
"""Name of the set of cube decisions with checkers outside the home board, from games with
the cube."""

PEOPLE = "people"
"""Name of the set of decisions that people made in public matches."""

ONLINE = "people-online"
"""Name of the set of decisions that people made in online matches."""

BUILT = (HOME, LONG, "uniform", "checkers-5", "checkers-10", "races")
"""Names of the sets of race decisions that `bearoff populations build` creates for
publication."""

POPULATIONS = (*BUILT, PEOPLE, ONLINE)
"""Names of the sets of race decisions (populations) from which test sets can be drawn."""

LENGTHS = (5, 9, 13)
"""Numbers of checkers at which the second, third and fourth class of race length begin. The
player with fewer checkers left determines the class."""

NEAR = (0.55, 0.92)
"""Range of the roller's win probability in which cube decisions count as close."""

ALL = "all"
"""Value of the parameter `part` that selects the training, validation and test data
together."""

GAME = "game"
"""Name of the main test set, on which losses are in points per game."""

BY_MEMORY = 4
"""Maximum number of checkers per side in races whose right cube actions players know by
heart."""


@dataclass(frozen=True, eq=False)
class DecisionSet:
    """Test set of cube decisions, each of which has a weight.

    Attributes
    ----------
    name : str
        Short name, used as a heading in tables.
    text : str
        Description of the decisions. The description names the unit of losses, unless
        losses are in points per decision.
    shares : dict of str to ndarray of float64, shape (n, 3)
        Weights of double, redouble and take in each position, by name of the population.
    """

    name: str
    text: str
    shares: dict[str, Float64Array]

    @property
    def decisions(self) -> int:
        """Number of positions with a nonzero weight for at least one decision."""
        return int(sum((shares > 0).any(axis=1).sum() for shares in self.shares.values()))


@dataclass(frozen=True, eq=False)
class Battery:
    """Test sets of cube decisions, and the larger sets from which they are drawn.

    Attributes
    ----------
    decisions : dict of str to ValuedDecisions
        Cube decisions of each population, by name.
    rows : tuple of DecisionSet
        Test sets of cube decisions. The first one has the name `GAME`.
    """

    decisions: dict[str, ValuedDecisions]
    rows: tuple[DecisionSet, ...]

    @classmethod
    def of(
        cls, populations: Mapping[str, Population], part: str, *, memory: bool = False
    ) -> "Battery":
        """Build the test sets from the training, validation or test data, or from all data.

        Parameters
        ----------
        populations : mapping of str to Population
            Populations by name: `HOME`, and any others of `POPULATIONS`.
        part : str
            Name of the data split to use, or `ALL`.
        memory : bool
            Whether to omit races with at most `BY_MEMORY` checkers per side, whose cube
            actions players know by heart.

        Raises
        ------
        FitError
            If `HOME` is missing or has no cube.
        """
        if HOME not in populations or populations[HOME].cube is None:
            raise FitError(
                f"the test sets need the population {HOME!r} (games with the cube); run: "
                f"bearoff populations build {HOME}"
            )
        parts = {
            name: populations[name] if part == ALL else populations[name].split(part)
            for name in POPULATIONS
            if name in populations
        }
        parts = {name: each for name, each in parts.items() if len(each) or name == HOME}
        decisions = {
            name: ValuedDecisions.of_population(populations[name], part) for name in parts
        }
        rows = _rows(parts, decisions)
        if memory:
            rows = [_without_last_rolls(row, decisions) for row in rows]
        return cls(decisions, tuple(rows))

    def row(self, name: str) -> DecisionSet:
        """Return the test set with a given name."""
        return next(row for row in self.rows if row.name == name)

    def scored(self, score: "BatteryLosses") -> "BatteryLosses":
        """Compute a formula's mean loss on each test set from its loss in each decision."""
        lost = {row.name: _mean(row, score.losses, self) for row in self.rows}
        return BatteryLosses(score.name, lost, score.losses)


def _rows(
    parts: Mapping[str, Population], decisions: Mapping[str, ValuedDecisions]
) -> list[DecisionSet]:
    home = decisions[HOME]
    fewer = np.minimum(home.rollers.sum(axis=1), home.opponents.sum(axis=1))
    length = np.digitize(fewer, LENGTHS)
    low, high = NEAR
    games = {
        name: of_games(part, decisions[name])
        for name, part in parts.items()
        if part.cube is not None
    }
    rows = [
        DecisionSet(
            GAME,
            "all cube decisions in games, with each loss multiplied by the cube value",
            games,
        )
    ]
    for place, action in enumerate(Gains.ACTIONS):
        shares = _of_visits(parts[HOME])
        shares[:, np.arange(3) != place] = 0.0
        rows.append(
            DecisionSet(
                action,
                f"decisions whether to {action}, in games with all checkers home",
                {HOME: _normal(shares)},
            )
        )
    rows.append(
        DecisionSet(
            "near",
            f"positions with all checkers home and a win probability of {100 * low:.0f} "
            f"to {100 * high:.0f}%",
            {HOME: _positions(home, is_near(home))},
        )
    )
    bounds = (1, *LENGTHS, 16)
    for place in range(len(LENGTHS) + 1):
        name = f"{bounds[place]}-{bounds[place + 1] - 1}"
        text = (
            f"positions with all checkers home and {name} checkers left on the side "
            "with fewer checkers"
        )
        rows.append(DecisionSet(name, text, {HOME: _positions(home, length == place)}))
    for name, text in (
        (LONG, "races with at least one checker beyond the home board"),
        ("uniform", "pairs of positions drawn at random, with equal probabilities"),
        ("checkers-5", "random pairs of positions with five checkers per side"),
        ("checkers-10", "random pairs of positions with ten checkers per side"),
        ("races", "all positions in races that were played to the end"),
        (
            PEOPLE,
            "cube decisions that people made in the races of 13 public matches, at a win "
            f"probability of {100 * low:.0f} to {100 * high:.0f}%",
        ),
        (
            ONLINE,
            "cube decisions that people made in online matches, with all checkers home "
            f"and a win probability of {100 * low:.0f} to {100 * high:.0f}%",
        ),
    ):
        if name in decisions:
            every = np.ones(len(decisions[name]), dtype=np.bool_)
            if name in (PEOPLE, ONLINE):
                # A formula that compares two counts cannot recognise that the roller is too
                # good to double, so such positions are excluded.
                every = is_near(decisions[name])
            shown = "beyond" if name == LONG else name
            rows.append(
                DecisionSet(shown, text, {name: _positions(decisions[name], every)})
            )
    return rows


def is_near(decisions: ValuedDecisions) -> BoolArray:
    low, high = NEAR
    chance = decisions.win_probability
    return np.asarray((low <= chance) & (chance <= high))


def of_games(population: Population, decisions: ValuedDecisions) -> Float64Array:
    """Return weights, shape (n, 3), that convert losses in decisions to points per game."""
    cube = population.cube
    assert cube is not None
    stakes = np.stack([cube.centred, cube.owned_stakes, cube.doubled_stakes], axis=1)
    # Each player makes half of the cube decisions in a game, so sums over all decisions are
    # divided by 2.
    shares: Float64Array = stakes / (2 * decisions.played)
    return shares


def _of_visits(population: Population) -> Float64Array:
    cube = population.cube
    assert cube is not None
    visits = np.stack([cube.centred, cube.owned, cube.doubled], axis=1)
    return visits.astype(np.float64)


def _positions(decisions: ValuedDecisions, chosen: BoolArray) -> Float64Array:
    """Return the relative frequencies of the chosen positions as weights, shape (n, 3)."""
    weights = np.where(chosen, decisions.weights, 0.0)
    shares: Float64Array = np.repeat(weights[:, None], 3, axis=1) / max(
        weights.sum(), 1e-300
    )
    shares[:, 2] *= decisions.asked
    return shares


def _normal(shares: Float64Array) -> Float64Array:
    whole: Float64Array = shares / max(float(shares.sum()), 1e-300)
    return whole


def _without_last_rolls(
    row: DecisionSet, decisions: Mapping[str, ValuedDecisions]
) -> DecisionSet:
    shares = {}
    for name, share in row.shares.items():
        valued = decisions[name]
        known = (valued.rollers.sum(axis=1) <= BY_MEMORY) & (
            valued.opponents.sum(axis=1) <= BY_MEMORY
        )
        shares[name] = np.where(known[:, None], 0.0, share)
    return DecisionSet(row.name, row.text, shares)


@dataclass(frozen=True, eq=False)
class BatteryLosses:
    """Mean equity that a formula loses on each test set, in points.

    Attributes
    ----------
    name : str
        Name of the formula.
    lost : dict of str to Mean
        Mean loss on each test set, by name.
    losses : dict of str to ndarray of float64, shape (n, 3)
        Points lost by the formula's double, redouble and take in each position, by name of
        the population.
    """

    name: str
    lost: dict[str, intervals.Mean]
    losses: dict[str, Float64Array]


def score_battery(
    formulas: Sequence[Formula],
    battery: Battery,
    progress: Progress = lambda stage, done: None,
) -> list[BatteryLosses]:
    """Compute the losses of formulas on every test set."""
    scores = []
    for place, formula in enumerate(formulas):
        losses = {}
        for name, decisions in battery.decisions.items():
            losses[name] = losses_of(formula, decisions)
        scores.append(battery.scored(BatteryLosses(formula.name, {}, losses)))
        progress(formula.name, (place + 1) / len(formulas))
    return scores


def losses_of(formula: Formula, decisions: ValuedDecisions) -> Float64Array:
    """Return the points lost by a formula's doubles, redoubles and takes, shape (n, 3)."""
    lost = decisions.gains.lost(
        Gains.decided(formula, decisions.rollers, decisions.opponents)
    )
    return np.stack([lost[action] for action in Gains.ACTIONS], axis=1)


def battery_difference(
    one: BatteryLosses, other: BatteryLosses, battery: Battery
) -> dict[str, intervals.Mean]:
    """Return the mean loss of one formula minus that of another, for each test set."""
    losses = {name: one.losses[name] - other.losses[name] for name in one.losses}
    return {row.name: _mean(row, losses, battery) for row in battery.rows}


def _mean(
    row: DecisionSet, losses: Mapping[str, Float64Array], battery: Battery
) -> intervals.Mean:
    """Return the weighted sum of losses over all decisions of a test set."""
    parts = [
        of_shares(shares, losses[name], battery.decisions[name])
        for name, shares in row.shares.items()
    ]
    value = sum(part.value for part in parts)
    return intervals.Mean(value, float(np.hypot.reduce([part.error for part in parts])))


def of_shares(
    shares: Float64Array, lost: Float64Array, decisions: ValuedDecisions
) -> intervals.Mean:
    """Return the weighted sum of losses; the standard error is clustered by game."""
    weights = shares.sum(axis=0)
    typical = (shares * lost).sum(axis=0) / np.maximum(weights, 1e-300)
    off = (shares * (lost - typical)).sum(axis=1)
    games = np.unique(decisions.games, return_inverse=True)[1]
    by_game = np.bincount(games, weights=off)
    return intervals.Mean(float((shares * lost).sum()), float(np.sqrt(by_game @ by_game)))
