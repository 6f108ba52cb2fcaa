"""The evaluation that can be read: a sum of named terms, fitted to what the net thinks.

In contact a position is worth a constant and a weight for each of `features.FEATURES`, of
the roller and of the opponent. The weights are the least squares fit to the net's
equities of positions that its games with itself meet; ``python -m
game.evaluation.linear linear.csv`` remakes those that are shipped.
"""

import argparse
import csv
import sys
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from game.evaluation.features import FEATURES, features_of, named_inputs
from game.evaluation.net import Net
from game.evaluation.race import race_tables
from game.rules import Board

Float64Array = NDArray[np.float64]

DATA = "linear.csv"
GAMES, SEED = 2000, 1


@lru_cache(maxsize=1)
def linear_terms() -> Float64Array:
    """Return the weights, float64, shape (47,): the constant, the roller's, the others."""
    text = files("game.evaluation").joinpath(DATA).read_text(encoding="ascii")
    rows = list(csv.reader(text.splitlines()))[1:]
    constant, *terms = rows
    roller = [float(row[1]) for row in terms]
    return np.array([float(constant[1]), *roller, *(float(row[2]) for row in terms)])


def explain(board: Board) -> dict[str, float]:
    """Return what each named term adds to the roller's equity, in points, in contact.

    Examples
    --------
    >>> terms = explain(Board.start())
    >>> round(terms["on roll"], 2), round(terms["pips"], 2)
    (0.08, 0.05)
    """
    weights, count = linear_terms(), len(FEATURES)
    found = {"on roll": float(weights[0])}
    for k, (name, (ours, theirs)) in enumerate(features_of(board).items()):
        found[name] = float(weights[1 + k] * ours + weights[1 + count + k] * theirs)
    return found


def met_positions(games: int, seed: int) -> NDArray[np.int8]:
    """Return the boards in contact that the net meets in games with itself."""
    from game.evaluation import play_kernels

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
    """Fit the weights to the net's equities of boards in contact."""
    from game.evaluation import net_kernels

    weights = Net.load().weights
    room, out = net_kernels.new_room(len(weights.hidden_bias)), np.empty(5)
    worth = np.empty(len(boards))
    for k, board in enumerate(boards):
        net_kernels.chances(weights, race_tables(), board, False, room, out)
        worth[k] = net_kernels.equity(out)
    terms = np.column_stack([np.ones(len(boards)), named_inputs(boards)])
    return np.asarray(np.linalg.lstsq(terms.astype(np.float64), worth, rcond=None)[0])


def main(arguments: list[str] | None = None) -> int:
    """Fit and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m game.evaluation.linear")
    parser.add_argument("output", type=Path)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args(arguments)
    weights, count = fit(met_positions(given.games, given.seed)), len(FEATURES)
    lines = ["term,roller,opponent", f"on roll,{weights[0]:.4f},0"]
    for k, name in enumerate(FEATURES):
        lines.append(f"{name},{weights[1 + k]:.4f},{weights[1 + count + k]:.4f}")
    given.output.write_text("\n".join(lines) + "\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
