"""Training of the linear evaluation, whose targets are the network's equities.

Run as ``python -m research.training.linear linear.csv``.
"""

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from bearoff.game.evaluation import (
    FEATURES,
    Net,
    named_inputs,
    net_kernels,
    play_kernels,
    race_tables,
)
from bearoff.game.rules import Board
from research.running import Seed, run_program

Float64Array = NDArray[np.float64]


def met_positions(games: int, seed: int) -> NDArray[np.int8]:
    """Return boards with contact from games of the network against itself."""
    net, rng = Net.load(), np.random.default_rng(seed)
    table = play_kernels.new_table(len(net.weights.hidden_bias))
    races, found = race_tables(), []
    for _ in range(games):
        board = Board.start().array
        while True:
            after = np.empty(26, np.int8)
            high, low = sorted(rng.integers(1, 7, 2).tolist(), reverse=True)
            play_kernels.play_net(net.weights, races, table, board, high, low, after)
            own, other = np.flatnonzero(after > 0), np.flatnonzero(after < 0)
            if not other.size or own.max() < other.min():
                break
            found.append(after)
            board = after
    return np.array(found)


def fit(boards: NDArray[np.int8]) -> Float64Array:
    """Fit the linear evaluation to the network's equities of positions with contact."""
    weights = Net.load().weights
    room, out = net_kernels.new_room(len(weights.hidden_bias)), np.empty(5)
    worth = np.empty(len(boards))
    for k, board in enumerate(boards):
        net_kernels.chances(weights, race_tables(), board, False, room, out)
        worth[k] = net_kernels.equity(out)
    terms = np.column_stack([np.ones(len(boards)), named_inputs(boards)])
    return np.asarray(np.linalg.lstsq(terms.astype(np.float64), worth, rcond=None)[0])


def main(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Weights to write.")],
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of games of the network.")
    ] = 2000,
    seed: Seed = 1,
) -> None:
    """Train the linear evaluation that the package ships.

    \b
    python -m research.training.linear linear.csv
    """
    weights, count = fit(met_positions(games, seed)), len(FEATURES)
    lines = ["term,roller,opponent", f"on roll,{weights[0]:.4f},0"]
    for k, name in enumerate(FEATURES):
        lines.append(f"{name},{weights[1 + k]:.4f},{weights[1 + count + k]:.4f}")
    output.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    sys.exit(run_program(main))
