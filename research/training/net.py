"""Training of the network by temporal differences in games against itself.

``python -m research.training.net net.npz`` computes the initial weights for `looking`. An
interrupted training can be continued. The result depends only on the seed. Other types of
processors round sums differently, and give weights of equal quality.
"""

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bearoff.game.evaluation.feature_kernels import INPUTS
from bearoff.game.evaluation.net import Net
from bearoff.game.evaluation.net_kernels import OUTPUTS, Weights, play_and_learn
from bearoff.game.evaluation.race import race_tables
from bearoff.game.rules import Board
from research.running import Seed, run_program

BLOCK = 1000
"""Number of games whose dice are drawn together."""

MOST_TURNS = 400

RATES = ((0, 0.02), (50_000, 0.01), (200_000, 0.004), (290_000, 0.0015), (340_000, 0.0005))
"""Step sizes of the training, each with the number of games after which the step size is
used."""

GAMES = 380_000


def fresh_weights(units: int, rng: np.random.Generator) -> Weights:
    """Return random weights of a new network, with which the training starts."""
    return Weights(
        rng.normal(0.0, 0.1, (INPUTS, units)).astype(np.float32),
        np.zeros(units, np.float32),
        np.zeros((0, units), np.float32),
        np.zeros(0, np.float32),
        rng.normal(0.0, 0.1, (OUTPUTS, units)).astype(np.float32),
        np.zeros((OUTPUTS, 0), np.float32),
        np.array([0.0, -1.5, -4.0, -1.5, -4.0], np.float32),
    )


def main(
    output: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="File of weights; if it exists, training continues from it.",
        ),
    ],
    games: Annotated[int, typer.Option(min=1, metavar="N")] = GAMES,
    units: Annotated[int, typer.Option(min=1, metavar="N", help="Hidden units.")] = 80,
    seed: Seed = 1,
) -> None:
    """Train the network by temporal differences, before training by one-roll searches.

    \b
    python -m research.training.net net.npz
    """
    rng = np.random.default_rng(seed)
    weights, done = fresh_weights(units, rng), 0
    if output.exists():
        weights = Net.load(output).weights
        with np.load(output, allow_pickle=False) as arrays:
            done = int(arrays["games"])
    tables, start = race_tables(), Board.start().array
    for first in range(0, games, BLOCK):
        dice = rng.integers(1, 7, (BLOCK, MOST_TURNS, 2), np.uint8)
        if first < done:
            # When training resumes, games already played are skipped but their dice are
            # drawn, so that later games keep the same dice.
            continue
        rate = next(rate for since, rate in reversed(RATES) if first >= since)
        turns = play_and_learn(weights, tables, start, dice, rate)
        played = first + BLOCK
        if played % (10 * BLOCK) == 0 or played >= games:
            np.savez_compressed(output, games=played, **weights._asdict())
            print(f"{played} games; turns per game: {turns / BLOCK:.1f}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(run_program(main))
