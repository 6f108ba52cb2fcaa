"""Fit the play that saves gammons: ``python -m research.training.saving``.

As `research.training.bear_in` fits the play to the fewest rolls, with the rolls to the
first checker off in place of those to the last: a model of the same form, fitted to games
of its own, from sides of 15 with some stragglers and from all over the board.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bearoff.bear_in import saving
from bearoff.bear_in.coefficients import (
    BOARD,
    HIDDEN,
    SAVING_DATA,
    Coefficients,
)
from bearoff.bear_in.games import (
    BearInExamples,
    join,
    play_home,
    random_moves,
    random_sides,
)
from bearoff.bear_in.model import BearIn, widen
from bearoff.bear_in.saving import EACH, home_values
from bearoff.one_sided.gammons import full_positions
from bearoff.positions import CHECKERS, unrank
from bearoff.rolls import HOME, PIPS_PER_ROLL
from research.running import run_program
from research.training.bear_in import Float64Array, Int8Array, Net, rounded

SEED = 20261123

ROUNDS = ((10_000, 6), (20_000, 6), (40_000, 8), (60_000, 10))
"""Games and passes over the examples, round by round."""

STRAGGLERS = (1, 2, 3, 4, 5, 6, 8)
"""Checkers outside of the sides that are drawn with few of them."""

_PIPS = np.arange(1, BOARD + 1)


def draw(n: int, rng: np.random.Generator) -> Int8Array:
    """Draw sides of 15 with a checker outside: so many with few stragglers, and others."""
    sides = random_sides(n, rng)
    few = np.zeros((n, BOARD), dtype=np.int8)
    outside, top = rng.choice(STRAGGLERS, n), rng.integers(HOME + 2, BOARD + 1, n)
    for side, count, highest in zip(few, outside, top, strict=True):
        points = rng.integers(HOME, highest, count)
        side += np.bincount(points, minlength=BOARD).astype(np.int8)
        chances = rng.dirichlet(np.full(HOME, rng.choice([0.5, 1.0, 3.0])))
        side[:HOME] += rng.multinomial(CHECKERS - count, chances).astype(np.int8)
    return np.concatenate([sides[sides.sum(axis=1) == CHECKERS], few])


def _first_net(wastage: float, rng: np.random.Generator) -> Net:
    """Return a model that begins at about a sum over the checkers outside.

    Targets are less the pips, as wastages are, and no checker at home is worth its pips:
    by small steps from nothing the lines would take long to learn it.
    """
    net = Net(HIDDEN, wastage, rng)
    beyond = np.maximum(_PIPS - HOME, 0)
    rolls = 0.106 * beyond + 0.183 * (beyond > 0) + (EACH - 1.0) * _PIPS / PIPS_PER_ROLL
    lines = (rolls * PIPS_PER_ROLL - _PIPS)[:, None] * np.arange(16)
    net.lines[: lines.size] = lines.ravel()
    net.lines[0] = wastage
    return net


def fit(seed: int = SEED, rounds: Sequence[tuple[int, int]] = ROUNDS) -> Coefficients:
    """Fit the model from nothing but the saving play of the home board."""
    rng = np.random.default_rng(seed)
    home, full = home_values(), full_positions()
    numbers = np.arange(full.start, full.stop)
    sides = widen(unrank(numbers))
    net, spread = _first_net(PIPS_PER_ROLL, rng), Net(0, 1.0, rng)
    net.train(sides, _less_pips(home.mean_rolls[numbers], sides), 2, rng)
    spread.train(sides, home.std_rolls[numbers] ** 2, 4, rng)
    examples: list[BearInExamples] = []
    for games, passes in rounds:
        player = BearIn(rounded(net, spread), home)
        first = play_home(player, draw(games, rng), rng, EACH)
        moved = random_moves(first.sides[rng.choice(len(first.sides), games)], rng)
        second = play_home(player, moved[moved.sum(axis=1) == CHECKERS], rng, EACH)
        # The players of the last two rounds are as good as one.
        last = examples if (games, passes) == rounds[-1] else []
        examples = [first, second]
        seen = join(last + examples)
        error = net.train(seen.sides, _less_pips(seen.mean_rolls, seen.sides), passes, rng)
        spread.train(seen.sides, seen.variance, max(passes // 4, 1), rng)
        print(
            f"{games:,} games, {len(seen.sides):,} positions: targets spread "
            f"{error / PIPS_PER_ROLL:.4f} rolls around the fit",
            flush=True,
        )
    return rounded(net, spread)


def _less_pips(mean_rolls: Float64Array, sides: Int8Array) -> Float64Array:
    return np.asarray(mean_rolls * PIPS_PER_ROLL - sides @ _PIPS)


def main(
    output: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The shipped one if not given."),
    ] = None,
) -> None:
    """Fit the play that saves gammons, as it is shipped.

    \b
    python -m research.training.saving saving.npz
    """
    path = Path(saving.__file__).with_name(SAVING_DATA) if output is None else output
    np.savez_compressed(path, **vars(fit()))


if __name__ == "__main__":
    sys.exit(run_program(main))
