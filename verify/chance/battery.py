"""A battery of tests of dice, for any source of throws, the product's or a bad one.

A *slab* is what many games in a row of one stream threw: ``slab[side, turn, game]``, 0
to 35. Counts are added up over slabs, whole numbers in any order, and tested at the end.

Throws are compared two by two in tables of 36 x 36. Of a table only the interaction is
tested: what is left when the margins are taken out, of 35 x 35 degrees. So tables of
throws that overlap (the first with the second, the second with the third) are as good as
of throws that do not, and no unevenness is counted twice.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import special, stats

from bearoff.rolls import ROLL_OF_THROW, ROLLS

Slab = NDArray[np.uint8]
Counts = dict[str, NDArray[np.int64]]

GAMES = 1 << 16
"""Games of a slab; a power of two, so that games can be paired by a bit of their number."""

DRAWS = 2
TURNS = 6 * DRAWS
THROWS_PER_SLAB = 2 * TURNS * GAMES
FIRST_DOUBLE = 30
"""Throws from here on are doubles; see `bearoff.rolls`."""

_LONGEST = 64
"""Gaps and runs of this length and more are counted together."""

_HIGH, _LOW = np.array(ROLLS)[ROLL_OF_THROW].T
PIPS = np.where(_HIGH == _LOW, 4 * _HIGH, _HIGH + _LOW).astype(np.int64)
"""Pips of each throw."""


@dataclass(frozen=True)
class Stream:
    """Where dice come from: seed, positions of both sides, number of the first game."""

    seed: int
    roller: int
    opponent: int
    first: int = 0


Source = Callable[[Stream, int], Slab]
"""Gives a slab of so many games from the first of a stream."""

RELATIVES: dict[str, Callable[[Stream], Stream]] = {
    "next roller": lambda s: replace(s, roller=s.roller + 1),
    "next opponent": lambda s: replace(s, opponent=s.opponent + 1),
    "sides exchanged": lambda s: replace(s, roller=s.opponent, opponent=s.roller),
    "next seed": lambda s: replace(s, seed=s.seed + 1),
    "seed, bit 31": lambda s: replace(s, seed=s.seed ^ 1 << 31),
    "seed, bit 32": lambda s: replace(s, seed=s.seed ^ 1 << 32),
    "seed, bit 63": lambda s: replace(s, seed=s.seed ^ 1 << 63),
    "next block": lambda s: replace(s, first=s.first + (1 << 23)),
    "game, bit 32": lambda s: replace(s, first=s.first ^ 1 << 32),
    "game, bit 39": lambda s: replace(s, first=s.first ^ 1 << 39),
}
"""Streams whose addresses differ least; each is held against the stream itself."""


@njit(cache=True, nogil=True)
def _singles(slab, table):
    for side in range(slab.shape[0]):
        for turn in range(slab.shape[1]):
            for game in range(slab.shape[2]):
                table[side, turn, slab[side, turn, game]] += 1


@njit(cache=True, nogil=True)
def _pairs(a, b, table):
    for i in range(a.size):
        table[a[i], b[i]] += 1


@njit(cache=True, nogil=True)
def _flipped(a, bit, table):
    for i in range(a.size):
        if not i & bit:
            table[a[i], a[i | bit]] += 1


@njit(cache=True, nogil=True)
def _triples(a, b, c, table):
    for i in range(a.size):
        table[a[i], b[i], c[i]] += 1


@njit(cache=True, nogil=True)
def _sequences(throws, gaps, runs):
    """Count gaps between doubles and runs of low or high throws, game after game."""
    gap = run = -1  # What began before the first game is not counted.
    last = False
    for game in range(throws.shape[1]):
        for turn in range(throws.shape[0]):
            throw = throws[turn, game]
            if throw >= FIRST_DOUBLE:
                if gap >= 0:
                    gaps[min(gap, _LONGEST - 1)] += 1
                gap = 0
            elif gap >= 0:
                gap += 1
            high = throw >= 18
            if game + turn and high != last:
                if run > 0:
                    runs[min(run, _LONGEST) - 1] += 1
                run = 1
            elif run > 0:
                run += 1
            last = high


@njit(cache=True, nogil=True)
def _games(throws, pips_of, doubles, pips):
    for game in range(throws.shape[1]):
        found = total = 0
        for turn in range(throws.shape[0]):
            throw = throws[turn, game]
            found += throw >= FIRST_DOUBLE
            total += pips_of[throw]
        doubles[found] += 1
        pips[total] += 1


def empty_counts() -> Counts:
    """Return the tables of the battery with nothing in them."""
    square = 36, 36
    shapes: dict[str, tuple[int, ...]] = {"singles": (2, TURNS, 36)}
    for side in ("roller", "opponent"):
        for lag in range(1, 7):
            shapes[f"{side}: turns {lag} apart"] = square
        shapes[f"{side}: three turns in a row"] = (36, 36, 36)
        shapes[f"{side}: gaps between doubles"] = (_LONGEST,)
        shapes[f"{side}: runs of low and high"] = (_LONGEST,)
        shapes[f"{side}: doubles a game"] = (TURNS + 1,)
        shapes[f"{side}: pips a game"] = (TURNS * int(PIPS.max()) + 1,)
    shapes["roller and opponent, same turn"] = square
    shapes["opponent and roller's next"] = square
    shapes["roller and opponent, next game"] = square
    shapes["next game, six turns before"] = square
    for bit in range(GAMES.bit_length() - 1):
        shapes[f"games, bit {bit}"] = square
    for name in RELATIVES:
        shapes[name] = square
    shapes["sides exchanged, same player"] = square
    return {name: np.zeros(shape, dtype=np.int64) for name, shape in shapes.items()}


def count(source: Source, stream: Stream, counts: Counts) -> None:
    """Add a slab of a stream, and what it has in common with its relatives."""
    slab = source(stream, GAMES)
    _singles(slab, counts["singles"])
    sides = slab.reshape(2, -1)
    for name, throws, flat in zip(("roller", "opponent"), slab, sides, strict=True):
        for lag in range(1, 7):
            step = lag * GAMES
            _pairs(flat[:-step], flat[step:], counts[f"{name}: turns {lag} apart"])
        _triples(
            flat[: -2 * GAMES],
            flat[GAMES:-GAMES],
            flat[2 * GAMES :],
            counts[f"{name}: three turns in a row"],
        )
        _sequences(
            throws,
            counts[f"{name}: gaps between doubles"],
            counts[f"{name}: runs of low and high"],
        )
        doubles, pips = counts[f"{name}: doubles a game"], counts[f"{name}: pips a game"]
        _games(throws, PIPS, doubles, pips)
        later = flat[6 * GAMES - 1 :]
        _pairs(later, flat[: later.size], counts["next game, six turns before"])
        for bit in range(GAMES.bit_length() - 1):
            _flipped(flat, 1 << bit, counts[f"games, bit {bit}"])
    roller, opponent = sides
    _pairs(roller, opponent, counts["roller and opponent, same turn"])
    _pairs(opponent[:-GAMES], roller[GAMES:], counts["opponent and roller's next"])
    _pairs(roller[:-1], opponent[1:], counts["roller and opponent, next game"])
    for name, relative in RELATIVES.items():
        theirs = source(relative(stream), GAMES)
        _pairs(slab.ravel(), theirs.ravel(), counts[name])
        if name == "sides exchanged":
            same = counts["sides exchanged, same player"]
            _pairs(roller, theirs[1].ravel(), same)
            _pairs(opponent, theirs[0].ravel(), same)


def chances(counts: Counts) -> dict[str, float]:
    """Return how likely even, independent dice give counts so uneven: one for each test."""
    return dict(_chances(counts))


def _chances(counts: Counts) -> Iterator[tuple[str, float]]:
    singles = counts["singles"]
    even = np.full(36, 1 / 36)
    for side, name in enumerate(("roller", "opponent")):
        for turn in range(TURNS):
            yield f"{name}: throws of turn {turn + 1}", _fit(singles[side, turn], even)
    whole = singles.sum(axis=(0, 1))
    yield "the 36 throws", _fit(whole, even)
    rolls = np.bincount(ROLL_OF_THROW, whole, 21), np.bincount(ROLL_OF_THROW) / 36
    yield "the 21 rolls", _fit(*rolls)
    for name, table in counts.items():
        if table.shape[:2] == (36, 36):
            yield name, _interaction(table)
            if table.ndim == 2:
                yield f"{name}, correlation of pips", _correlation(table)
        elif name.endswith("doubles a game"):
            law = stats.binom.pmf(np.arange(TURNS + 1), TURNS, 1 / 6)
            yield name, _fit(table, law)
        elif name.endswith("pips a game"):
            yield name, _fit(table, _sum_law())
        elif name.endswith(("gaps between doubles", "runs of low and high")):
            chance = 1 / 6 if name.endswith("doubles") else 1 / 2
            law = chance * (1 - chance) ** np.arange(_LONGEST)
            law[-1] /= chance
            yield name, _fit(table, law)


def _fit(found: NDArray[np.int64], law: NDArray[np.float64]) -> float:
    """Chance of a chi-square as large; cells of fewer than 20 expected are joined."""
    expected = law * found.sum()
    large = expected >= 20
    found = np.append(found[large], found[~large].sum())
    expected = np.append(expected[large], expected[~large].sum())
    if expected[-1] < 20:
        found, expected = found[:-1], expected[:-1]
        expected = expected * (found.sum() / expected.sum())
    square = float(((found - expected) ** 2 / expected).sum())
    return float(special.chdtrc(len(found) - 1, square))


def _interaction(table: NDArray[np.int64]) -> float:
    left = table.astype(np.float64)
    for axis in range(left.ndim):
        left = left - left.mean(axis=axis, keepdims=True)
    square = float((left**2).sum()) * table.size / float(table.sum())
    return float(special.chdtrc(float(35**table.ndim), square))


def _correlation(table: NDArray[np.int64]) -> float:
    scaled = (PIPS - PIPS.mean()) / PIPS.std()
    z = float(scaled @ table @ scaled) / np.sqrt(table.sum())
    return float(2 * special.ndtr(-abs(z)))


def _sum_law() -> NDArray[np.float64]:
    one = np.bincount(PIPS) / 36
    law = np.ones(1)
    for _ in range(TURNS):
        law = np.convolve(law, one)
    return law


@dataclass(frozen=True)
class Verdict:
    """What the chances of a battery say together.

    Attributes
    ----------
    tests : int
        How many.
    worst : str
        The test of the least chance, either tail: too even is as wrong.
    worst_chance : float
        Of one so small among so many (Holm's correction, which is Bonferroni's for it).
    failed : tuple of str
        Tests that fall below `ALARM` by Holm's correction.
    uniform : float
        Kolmogorov and Smirnov's chance that the chances are evenly spread, as they
        should be.
    """

    tests: int
    worst: str
    worst_chance: float
    failed: tuple[str, ...]
    uniform: float

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.failed and self.uniform >= ALARM


ALARM = 0.001
"""How often good dice fail: because one test is off, and because many are a little."""


def evaluate(found: dict[str, float]) -> Verdict:
    """Evaluate the p-values of a battery together."""
    names = list(found)
    one_tail = np.array([found[name] for name in names])
    both = np.minimum(1.0, 2 * np.minimum(one_tail, 1 - one_tail))
    order = np.argsort(both)
    failed = []
    for rank, at in enumerate(order.tolist()):
        if both[at] * (len(names) - rank) >= ALARM:
            break
        failed.append(names[at])
    return Verdict(
        len(names),
        names[int(order[0])],
        float(min(1.0, both[order[0]] * len(names))),
        tuple(failed),
        float(stats.kstest(one_tail, "uniform").pvalue),
    )
