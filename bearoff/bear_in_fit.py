"""Fit the bear-in model by playing: ``python -m bearoff.bear_in_fit [FILE]``.

Each round plays sides from all over the board to the home board with the model so far,
expanding every position on the way. With V the model's mean rolls and T V the mean
over the rolls of one more than V after the play, the target of a position is

    V + the sum of T V - V over it and all later positions of its game,

whose mean is exactly what the policy needs, since V is exact at home and the sum is
one by one the luck that V could not foresee; its spread is as small as V's error. Sides
are also started from random moves, so that plays never chosen are valued as well. The
variance of the number of rolls adds up on the same way: each roll adds the variance,
over its 21 outcomes, of the mean after it.

The first model knows only the home table's wastages. Floating point is used up to the
last line, which rounds; another machine may round another way, so the package ships
the result.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import bear_in as model
from bearoff.bear_in import BOARD, CODES, TRIPLES, BearIn, Coefficients, triple_codes
from bearoff.numbering import CHECKERS, unrank
from bearoff.one_sided import one_sided_table
from bearoff.rolls import HOME, PIPS_PER_ROLL, THROWS, WEIGHTS

SEED = 20261121

HIDDEN = 32
ROUNDS = ((20_000, 10), (40_000, 10), (80_000, 10), (150_000, 30))
"""Games and passes over the examples, round by round."""

BATCH = 512
RATE = 6e-3
OUTPUT_PIP = 1 << 17
CEILING = 1024

Int8Array = NDArray[np.int8]
Float64Array = NDArray[np.float64]

_ROLL_OF_THROW = np.repeat(np.arange(len(WEIGHTS)), WEIGHTS)
_CHANCES = np.array(WEIGHTS) / THROWS
_PIPS = np.arange(1, BOARD + 1)


def random_sides(n: int, rng: np.random.Generator, points: int = BOARD) -> Int8Array:
    """Draw sides with a checker beyond home, from smooth to stacked and gappy.

    The highest point is uniform from 7 to `points`; three sides of four have 15
    checkers, the others 1 to 14. Points are occupied with chances drawn from a
    Dirichlet distribution, either even (every parameter 1) or stacked (0.3), that lean
    home by a factor up to e^-4 from first to last point.

    Returns
    -------
    ndarray of int8, shape (n, 24)
    """
    top = rng.integers(HOME + 1, points + 1, n)
    spread = np.where(rng.random(n) < 0.5, 1.0, 0.3)
    chances = rng.gamma(np.broadcast_to(spread[:, None], (n, BOARD))) + 1e-9
    chances *= np.exp(-rng.uniform(0, 4, n)[:, None] * np.arange(BOARD) / top[:, None])
    chances[np.arange(BOARD) >= top[:, None]] = 0.0
    chances /= chances.sum(axis=1, keepdims=True)
    checkers = np.where(rng.random(n) < 0.75, CHECKERS, rng.integers(1, CHECKERS, n))
    sides = rng.multinomial(checkers - 1, chances).astype(np.int8)
    sides[np.arange(n), top - 1] += 1
    return sides


def random_moves(sides: Int8Array, rng: np.random.Generator) -> Int8Array:
    """Move up to four random checkers of each side by random dice, where they may."""
    moved = sides.copy()
    dice = rng.integers(1, 7, (len(sides), 2))
    for move in range(4):
        die = dice[:, min(move, 1)]
        choice = rng.random(moved.shape) * (moved > 0) * (die[:, None] < _PIPS)
        source = choice.argmax(axis=1)
        may = np.flatnonzero((choice.max(axis=1) > 0) & (rng.random(len(sides)) < 0.6))
        moved[may, source[may]] -= 1
        moved[may, source[may] - die[may]] += 1
    return moved


@dataclass(frozen=True, eq=False)
class Examples:
    """Positions with a checker beyond home and what play from them gave."""

    sides: Int8Array
    mean_rolls: Float64Array
    variance: Float64Array


def play_home(player: BearIn, sides: Int8Array, rng: np.random.Generator) -> Examples:
    """Play sides home; return every position met with its target (see the module)."""
    games, now = np.arange(len(sides)), sides
    luck, variance = np.zeros(len(sides)), np.zeros(len(sides))
    steps = []
    while True:
        outside = now[:, HOME:].any(axis=1)
        variance[games[~outside]] = player.std_rolls(now[~outside]) ** 2
        games, now = games[outside], np.ascontiguousarray(now[outside])
        if not len(now):
            break
        after, means = player.expand(now)
        value, expected = player.mean_rolls(now), means @ _CHANCES
        spread = (means - expected[:, None]) ** 2 @ _CHANCES
        steps.append((games, now, value, 1.0 + expected - value, spread))
        roll = _ROLL_OF_THROW[rng.integers(0, THROWS, len(now))]
        now = after[np.arange(len(now)), roll]
    found = []
    for games, met, value, own_luck, own_variance in reversed(steps):
        luck[games] += own_luck
        variance[games] += own_variance
        found.append(Examples(met, value + luck[games], variance[games]))
    return join(found)


def join(parts: list[Examples]) -> Examples:
    """Lay examples end to end."""
    return Examples(
        np.concatenate([part.sides for part in parts]),
        np.concatenate([part.mean_rolls for part in parts]),
        np.concatenate([part.variance for part in parts]),
    )


_POINT_FEATURES = 16 * BOARD
_FEATURES = _POINT_FEATURES + TRIPLES * len(triple_codes())


class Net:
    """The model in floating point, with the running means of its gradients.

    A side's features are a constant, the checkers on each point and the code of each
    triple; those of the points let positions share what they have in common, and are
    added into the triples' rows when the model is rounded. Values are in units of the
    clipping range (rows) and of pips or squared rolls (lines, weights).
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
        groups = int(model.GROUPS.max()) + 1
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
        """Pass over shuffled examples, slower and slower; return the last rms error."""
        from bearoff.bear_in_fit_kernels import add_gradients, step

        features, goal = _features(sides), targets.astype(np.float32)
        groups = model.GROUPS[sides[:, HOME:].sum(axis=1)]
        batches = max(len(sides) // BATCH, 1)
        squares = np.zeros(1)
        for done in range(passes * batches):
            if done % batches == 0:
                order, squares[0] = rng.permutation(len(sides)), 0.0
            chosen = order[done % batches :: batches]
            add_gradients(
                features, groups, goal, chosen, *self._arrays, self._gradients, squares
            )
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
        """Rows and lines of every code of every triple, the points' shares within."""
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
    """Features of each side: a constant, 24 points, 8 triples; -1 where empty."""
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


def rounded(net: Net, spread: Net) -> Coefficients:
    """Round a fit to the whole numbers that are shipped."""
    rows, lines = net.triples()
    _, variance = spread.triples()
    return Coefficients(
        np.rint(rows * CEILING).astype(np.int16),
        np.rint(lines * OUTPUT_PIP).astype(np.int32),
        np.rint(net.rows[0] * CEILING).astype(np.int16),
        np.rint(net.weights * (OUTPUT_PIP / CEILING)).astype(np.int16),
        np.rint(variance * model.VARIANCE_UNITS).astype(np.int32),
        np.rint(
            np.array([net.lines[0] * OUTPUT_PIP, spread.lines[0] * model.VARIANCE_UNITS])
        ).astype(np.int32),
    )


def fit(seed: int = SEED) -> Coefficients:
    """Fit the model from nothing but the home table."""
    rng = np.random.default_rng(seed)
    home = one_sided_table()
    numbers = np.arange(1, len(home))
    sides = model.widen(unrank(numbers))
    wastage = home.epc[numbers] - home.pips[numbers]
    net = Net(HIDDEN, float(wastage.mean()), rng)
    spread = Net(0, 1.0, rng)
    net.train(sides, wastage, 10, rng)
    spread.train(sides, home.std_rolls[numbers] ** 2, 10, rng)
    for games, passes in ROUNDS:
        player = BearIn(rounded(net, spread), home)
        starts = random_sides(games, rng)
        first = play_home(player, starts, rng)
        met = first.sides[rng.choice(len(first.sides), games)]
        second = play_home(player, random_moves(met, rng), rng)
        examples = join([first, second])
        wastage = examples.mean_rolls * PIPS_PER_ROLL - examples.sides @ _PIPS
        error = net.train(examples.sides, wastage, passes, rng)
        error_2 = spread.train(examples.sides, examples.variance, passes, rng)
        print(
            f"{games:,} games, {len(examples.sides):,} positions: targets spread "
            f"{error:.4f} pips around the fit, variances {error_2:.4f} squared rolls",
            flush=True,
        )
    return rounded(net, spread)


def main() -> None:
    """Fit the model and write the data file."""
    path = Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).with_name(model.DATA)
    np.savez_compressed(path, **vars(fit()))


if __name__ == "__main__":
    main()
