"""Example races for a cheat sheet, drawn at random from a set of race decisions."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from bearoff import Position, Race
from bearoff.analysis.battery import LENGTHS, NEAR
from bearoff.analysis.errors import FormulaError
from bearoff.analysis.scoring import n_rolls, regions
from bearoff.sim.populations import Population

PART = "test"
"""Split of the data from which examples are drawn; formula searches do not use this split.
"""


@dataclass(frozen=True)
class ExampleRaces:
    """Example races, and a sentence on their origin.

    Attributes
    ----------
    races : tuple of Race
        Example races.
    source : str
        Sentence on the origin of the examples; empty if the user chose the races.
    """

    races: tuple[Race, ...] = ()
    source: str = ""


NO_EXAMPLES = ExampleRaces()


def draw_examples(population: Population, seed: int) -> ExampleRaces:
    """Draw four close decisions with different race lengths and different right actions.

    Each race length is first assigned a right action at random. A race of this length and
    action is then drawn, with positions weighted by frequency.

    Raises
    ------
    FormulaError
        If the test split has no race for some length and action.
    """
    test = population.split(PART)
    rng = np.random.default_rng(seed)
    chance, weights = test.values.win_probability, test.decisions.weights.astype(np.float64)
    near = (NEAR[0] <= chance) & (chance <= NEAR[1])
    fewer = np.minimum(test.roller_counts.sum(axis=1), test.opponent_counts.sum(axis=1))
    length, action = np.digitize(fewer, LENGTHS), regions.right_regions(test)
    kinds = range(len(n_rolls.REGIONS))
    there = [[near & (length == k) & (action == a) for a in kinds] for k in kinds]
    pairings = [
        order
        for order in permutations(kinds)
        if all(there[k][a].any() for k, a in enumerate(order))
    ]
    if not pairings:
        raise FormulaError(
            f"no examples can be drawn from the population {test.about['name']}: its test "
            "split has no close decisions for some race length or action"
        )
    chosen = []
    for k, a in enumerate(pairings[rng.integers(len(pairings))]):
        rows = np.flatnonzero(there[k][a])
        chosen.append(rng.choice(rows, p=weights[rows] / weights[rows].sum()))
    races = tuple(
        Race(*(Position(tuple(map(int, side[row]))) for side in
               (test.roller_counts, test.opponent_counts)))
        for row in chosen
    )  # fmt: skip
    low, high = (f"{100 * chance:.0f}" for chance in NEAR)
    return ExampleRaces(
        races,
        f"The examples were drawn at random (seed {seed}) from decisions with a win "
        f"probability of {low} to {high}% in the test split of the population "
        f"{test.about['name']} {test.about['digest'][:12]}: one race for each length and "
        "each right action.",
    )
