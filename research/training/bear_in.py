"""Training of the bear-in model on games that it plays.

Run as ``python -m research.training.bear_in``. The first model knows only the wastages of
the home table. In each round, the current model plays sides from the whole board home. The
model is then fitted to the results of these `games`, for all positions that occurred. Some
sides start with random moves, so that positions after other plays are fitted too.

Training uses floating point until the final rounding, and another machine may round
differently. The package therefore ships the trained model.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from bearoff.bear_in import model
from bearoff.bear_in.coefficients import (
    BOARD,
    CEILING,
    CODES,
    DATA,
    GROUPS,
    HIDDEN,
    OUTPUT_PIP,
    TRIPLES,
    VARIANCE_UNITS,
    Coefficients,
    triple_codes,
)
from bearoff.bear_in.games import (
    BearInExamples,
    join,
    play_home,
    random_moves,
    random_sides,
)
from bearoff.bear_in.model import BearIn, widen
from bearoff.one_sided import one_sided_table
from bearoff.positions import CHECKERS, unrank
from bearoff.rolls import HOME, PIPS_PER_ROLL
from research.running import run_program

SEED = 20261121

ROUNDS = ((15_000, 8), (30_000, 8), (60_000, 8), (110_000, 8), (150_000, 14))
"""Number of games in each round of training, and number of passes over their positions."""

BATCH = 1024
RATE = 6e-3

Int8Array = NDArray[np.int8]
Float64Array = NDArray[np.float64]

_PIPS = np.arange(1, BOARD + 1)


_POINT_FEATURES = 16 * BOARD
_FEATURES = _POINT_FEATURES + TRIPLES * len(triple_codes())


class Net:
    """Trainable bear-in model in floating point, with the running means of its gradients.

    The model has features for a constant, for the number of checkers on each point, and for
    the checkers on each group of three points. Features of single points let many positions
    share what the model learns. When the model is rounded, their weights are added to those
    of the groups of three points. The weights `rows` are in units of the range to which
    hidden units are clipped. The weights `lines` and `weights` are in pips, or in squared
    rolls for a variance.
    """

    def __init__(self, hidden: int, start: float, rng: np.random.Generator) -> None:
        self.rows = np.zeros((_FEATURES, hidden), dtype=np.float32)
        points = self.rows[:_POINT_FEATURES].reshape(BOARD, 16, hidden)
        points += rng.normal(0, 0.05, (BOARD, 1, hidden)) * np.arange(16)[:, None]
        points += rng.normal(0, 0.02, points.shape)
        points[:, 0] = 0.0
        self.rows[0] = 0.5
        self.lines = np.zeros(_FEATURES, dtype=np.float32)
        self.lines[0] = start
        groups = int(GROUPS.max()) + 1
        self.weights = np.tile(rng.normal(0, 1, hidden), (groups, 1)).astype(np.float32)
        self._arrays = (self.rows, self.lines, self.weights)
        self._gradients = tuple(np.zeros_like(array) for array in self._arrays)
        self._moments = [
            (np.zeros(a.size, np.float32), np.zeros(a.size, np.float32))
            for a in self._arrays
        ]
        self._time = 0

    def train(
        self,
        sides: Int8Array,
        targets: Float64Array,
        passes: int,
        rng: np.random.Generator,
    ) -> float:
        """Train in several passes over shuffled examples; return the last rms error."""
        from research.training.bear_in_kernels import add_gradients, step

        features, goal = _features(sides), targets.astype(np.float32)
        groups = GROUPS[sides[:, HOME:].sum(axis=1)]
        examples = (features, groups, goal)
        batches = max(len(sides) // BATCH, 1)
        squares = np.zeros(1)
        for done in range(passes * batches):
            if done % batches == 0:
                order, squares[0] = rng.permutation(len(sides)), 0.0
            chosen = order[done % batches :: batches]
            add_gradients(examples, chosen, self._arrays, self._gradients, squares)
            self._time += 1
            share = done / (passes * batches)
            rate = RATE * min(1.0, self._time / 200) * (0.5 + 0.5 * np.cos(np.pi * share))
            for array, gradient, moments in zip(
                self._arrays, self._gradients, self._moments, strict=True
            ):
                flat = array.reshape(-1), gradient.reshape(-1)
                step(*flat, *moments, rate, len(chosen), self._time)
        return float(np.sqrt(squares[0] / len(sides)))

    def triples(self) -> tuple[Float64Array, Float64Array]:
        """Return the weights of the model for every group of three points."""
        codes = triple_codes()
        parts = []
        for table in (self.rows, self.lines[:, None]):
            points = table[:_POINT_FEATURES].reshape(TRIPLES, 3, 16, -1).astype(float)
            points[:, :, 0] = 0.0
            whole = table[_POINT_FEATURES:].reshape(TRIPLES, len(codes), -1).astype(float)
            for place, shift in enumerate((8, 4, 0)):
                whole += points[:, place, (codes >> shift) & 15]
            whole[:, codes == 0] = 0.0
            parts.append(whole.reshape(TRIPLES * len(codes), -1))
        return parts[0], parts[1][:, 0]


def _features(sides: Int8Array) -> NDArray[np.int16]:
    """Return the model's features of sides: for each point, and for each group of three."""
    codes = triple_codes()
    place = np.zeros(CODES, dtype=np.int64)
    place[codes] = np.arange(len(codes))
    found = np.zeros((len(sides), 1 + BOARD + TRIPLES), dtype=np.int16)
    found[:, 1 : 1 + BOARD] = np.where(sides > 0, sides + 16 * np.arange(BOARD), -1)
    triples = sides.reshape(-1, TRIPLES, 3).astype(np.int64)
    code = (triples[..., 0] * 16 + triples[..., 1]) * 16 + triples[..., 2]
    own = _POINT_FEATURES + len(codes) * np.arange(TRIPLES) + place[code]
    found[:, 1 + BOARD :] = np.where(code > 0, own, -1)
    return found


def _largest_sum(rows: Float64Array, start: Float64Array) -> float:
    """Return the largest sum of weights in a hidden unit for a side of 15 checkers."""
    codes = triple_codes()
    checkers = (codes >> 8) + ((codes >> 4) & 15) + (codes & 15)
    # ``most[n]`` is the largest sum of each hidden unit over all ways to place n checkers
    # on the points that have been processed.
    most = np.zeros((CHECKERS + 1, rows.shape[1]))
    for triple in rows.reshape(TRIPLES, len(checkers), -1):
        own = [triple[checkers == n].max(axis=0) for n in range(CHECKERS + 1)]
        most = np.array(
            [
                np.max([most[n - k] + own[k] for k in range(n + 1)], axis=0)
                for n in range(CHECKERS + 1)
            ]
        )
    return float((most + start).max())


def rounded(net: Net, spread: Net) -> Coefficients:
    """Convert a trained bear-in model to the integers that the package ships.

    Raises
    ------
    OverflowError
        If the value of a hidden unit might exceed 16 bits, or an output 32 bits.
    """
    rows, lines = net.triples()
    _, variance = spread.triples()
    largest = max(_largest_sum(rows, net.rows[0]), _largest_sum(-rows, -net.rows[0]))
    # Rounding changes the initial sum, and the weight of each triple of points, by up to
    # half a unit.
    if largest * CEILING + TRIPLES > 2**15 - 1:
        raise OverflowError(
            "hidden units may exceed 16 bits; lower CEILING, or train again"
        )
    if (np.abs(net.weights).sum(axis=1) * OUTPUT_PIP > 2**31 - 1).any():
        raise OverflowError("outputs may exceed 32 bits; lower OUTPUT_PIP")
    return Coefficients(
        np.rint(rows * CEILING).astype(np.int16),
        np.rint(lines * OUTPUT_PIP).astype(np.int32),
        np.rint(net.rows[0] * CEILING).astype(np.int16),
        np.rint(net.weights * (OUTPUT_PIP / CEILING)).astype(np.int16),
        np.rint(variance * VARIANCE_UNITS).astype(np.int32),
        np.rint(
            np.array([net.lines[0] * OUTPUT_PIP, spread.lines[0] * VARIANCE_UNITS])
        ).astype(np.int32),
    )


def fit(seed: int = SEED, rounds: Sequence[tuple[int, int]] = ROUNDS) -> Coefficients:
    """Train the bear-in model on exact values at home, then on games that it plays."""
    rng = np.random.default_rng(seed)
    home = one_sided_table()
    numbers = np.arange(1, len(home))
    sides = widen(unrank(numbers))
    wastage = home.epc[numbers] - home.pips[numbers]
    net = Net(HIDDEN, float(wastage.mean()), rng)
    spread = Net(0, 1.0, rng)
    net.train(sides, wastage, 10, rng)
    spread.train(sides, home.std_rolls[numbers] ** 2, 10, rng)
    examples: list[BearInExamples] = []
    for games, passes in rounds:
        player = BearIn(rounded(net, spread), home)
        first = play_home(player, random_sides(games, rng), rng)
        met = first.sides[rng.choice(len(first.sides), games)]
        second = play_home(player, random_moves(met, rng), rng)
        # The players of the last two rounds are equally strong, so the games of both rounds
        # are used.
        last = examples if (games, passes) == rounds[-1] else []
        examples = [first, second]
        seen = join(last + examples)
        wastage = seen.mean_rolls * PIPS_PER_ROLL - seen.sides @ _PIPS
        error = net.train(seen.sides, wastage, passes, rng)
        error_2 = spread.train(seen.sides, seen.variance, passes // 4, rng)
        print(
            f"{games:,} games, {len(seen.sides):,} positions: the rms difference between "
            f"games and model is {error:.4f} pips, and {error_2:.4f} squared rolls for "
            "the variance",
            flush=True,
        )
    return rounded(net, spread)


def main(
    output: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="File to write. Default: the package's file."),
    ] = None,
) -> None:
    """Train the bear-in model of the package.

    \b
    python -m research.training.bear_in bear_in.npz
    """
    path = Path(model.__file__).with_name(DATA) if output is None else output
    np.savez_compressed(path, **vars(fit()))


if __name__ == "__main__":
    sys.exit(run_program(main))
