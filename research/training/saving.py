"""Training of the model that plays to save the gammon.

Run as ``python -m research.training.saving``. The method is that of
`research.training.bear_in`, but the model mainly estimates the number of rolls until the
first checker is borne off, instead of the last. A model of the same form is fitted to games
that it plays, from sides of 15 checkers with some stragglers and from the whole board.
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
"""Number of games in each round of training, and number of passes over their positions."""

STRAGGLERS = (1, 2, 3, 4, 5, 6, 8)
"""Possible numbers of checkers outside home in sides with few stragglers."""

_PIPS = np.arange(1, BOARD + 1)


def draw(n: int, rng: np.random.Generator) -> Int8Array:
    """Draw random sides of 15 checkers with some checkers outside home."""
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
    """Return an initial model that is nearly linear in the distances of checkers from home.

    The targets are mean numbers of rolls, as pips, minus the pip count. A checker at home
    adds little to the number of rolls until the first checker is borne off. Training that
    started from zero would learn this slowly.
    """
    net = Net(HIDDEN, wastage, rng)
    beyond = np.maximum(_PIPS - HOME, 0)
    rolls = 0.106 * beyond + 0.183 * (beyond > 0) + (EACH - 1.0) * _PIPS / PIPS_PER_ROLL
    lines = (rolls * PIPS_PER_ROLL - _PIPS)[:, None] * np.arange(16)
    net.lines[: lines.size] = lines.ravel()
    net.lines[0] = wastage
    return net


def fit(seed: int = SEED, rounds: Sequence[tuple[int, int]] = ROUNDS) -> Coefficients:
    """Train the model, first on sides at home, and then on games that it plays."""
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
        # The players of the last two rounds are equally strong, so the games of both rounds
        # are used.
        last = examples if (games, passes) == rounds[-1] else []
        examples = [first, second]
        seen = join(last + examples)
        error = net.train(seen.sides, _less_pips(seen.mean_rolls, seen.sides), passes, rng)
        spread.train(seen.sides, seen.variance, max(passes // 4, 1), rng)
        print(
            f"{games:,} games, {len(seen.sides):,} positions: the rms difference between "
            f"games and model is {error / PIPS_PER_ROLL:.4f} rolls",
            flush=True,
        )
    return rounded(net, spread)


def _less_pips(mean_rolls: Float64Array, sides: Int8Array) -> Float64Array:
    return np.asarray(mean_rolls * PIPS_PER_ROLL - sides @ _PIPS)


def main(
    output: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="File to write. Default: the package's file."),
    ] = None,
) -> None:
    """Train the gammon-saving model that the package ships.

    \b
    python -m research.training.saving saving.npz
    """
    path = Path(saving.__file__).with_name(SAVING_DATA) if output is None else output
    np.savez_compressed(path, **vars(fit()))


if __name__ == "__main__":
    sys.exit(run_program(main))
