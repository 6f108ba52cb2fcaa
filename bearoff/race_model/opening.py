"""Function that loads the fast model of races from the cache, or solves it."""

from functools import lru_cache

from bearoff.race_model.chain import BINS_PER_ROLL, MOST_BINS, solve_chain, typical_falls
from bearoff.race_model.model import NO_DOUBLE_CUBES, RaceModel
from bearoff.rolls import PIPS_PER_ROLL
from bearoff.storage import Arrays, CheckedArrays, load_or_build, require_shapes
from bearoff.two_sided import codings

VERSION = 2
"""Version of the stored model in the cache. Files of older versions are not used."""


@lru_cache(maxsize=1)
def race_model() -> RaceModel:
    """Return the race model; the first call takes about a second to solve and store it.

    Examples
    --------
    Both sides have a wastage of eight pips, in a race of 110 pips against 120 pips:

    >>> model = race_model()
    >>> print(f"{model.win_probability(118, 128):.3f}")
    0.751
    >>> double_take = 2 * model.equity(118, 128, "opponent")
    >>> print(f"{model.no_double(118, 128):.2f} {double_take:.2f}")
    0.79 0.84
    """
    arrays = load_or_build("race-model", VERSION, _solve, _check)
    return RaceModel(PIPS_PER_ROLL / BINS_PER_ROLL, **arrays)


def _solve() -> Arrays:
    return solve_chain(typical_falls(MOST_BINS)[0])


def _check(arrays: CheckedArrays) -> None:
    """Raise an error if the arrays do not have the shapes that compiled code expects."""
    square = (MOST_BINS, MOST_BINS)
    require_shapes(
        arrays,
        {
            "planes": ((len(codings.PLANES), *square), "f4"),
            "no_double_values": ((len(NO_DOUBLE_CUBES), *square), "f4"),
            "std_rolls": ((MOST_BINS,), "f8"),
        },
    )
