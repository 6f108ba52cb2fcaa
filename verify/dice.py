"""Trial: all sources of dice in the program agree, and the dice of games are independent.

    python -m verify dice --write

The generator Philox4x32-10 is well tested, and the test suite compares this implementation
with its published output. This trial tests how seed, positions, game and draw index form an
address, and how dice are computed from random words. Running the generator backwards from a
draw gives its address, so no two draws of a seed are the same. Draws of different seeds are
equal only as often as chance predicts. All sources of dice are compared with plain Python,
and runs with every kind of workers are compared with each other.
"""

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff import sim
from bearoff.analysis.output import markdown_table
from bearoff.rolls import ROLL_OF_THROW
from bearoff.sim.play import dice_kernels, race_key, replay as twin
from bearoff.sim.rollouts import Techniques, ValueModel, on_24_points
from bearoff.sim.rollouts.lanes import Lanes
from verify.chance import streams
from verify.common.trial import Trial, Verdict

ALARM = 0.001
"""Probability below which a statistical result counts as wrong."""

GAMES, THROWS = 1296, 12


def throws_by_twin(seed: int, roller: int, opponent: int) -> NDArray[np.int64]:
    """Return the dice of games, generated in pure Python."""
    games = (twin.throws_of_game(seed, roller, opponent, game) for game in range(GAMES))
    thrown = [[next(throws) for _ in range(THROWS)] for throws in games]
    return np.array(thrown).transpose(2, 1, 0)


def same_dice(seed: int) -> dict[str, bool]:
    """Check that all sources of dice in the program agree with dice in pure Python."""
    sides = (8887, 54263)
    rolls = ROLL_OF_THROW[throws_by_twin(seed, *sides)]
    numbers = np.arange(GAMES, dtype=np.uint64)
    address = tuple(map(np.uint64, (seed, *sides)))
    lanes, games = (np.empty((2, THROWS, GAMES), dtype=np.uint8) for _ in range(2))
    live = np.arange(GAMES, dtype=np.int32)
    for draw in (0, 1):
        six = np.empty((2, 6, GAMES), dtype=np.uint8)
        dice_kernels.throw_lanes(*address, numbers, np.uint64(draw), six)
        lanes[:, 6 * draw : 6 * draw + 6] = six
        pairs = (np.full(GAMES, number) for number in address[1:])
        dice_kernels.throw_games(address[0], *pairs, numbers, live, np.uint64(draw), six)
        games[:, 6 * draw : 6 * draw + 6] = six
    race = _race()
    plain = ROLL_OF_THROW[
        throws_by_twin(race_key(seed, race.roller.number, race.opponent.number), 0, 0)
    ]
    shared = Lanes(ValueModel(None, Techniques()), race, seed, 0, GAMES)
    first = [shared._thrown(side) for side in (0, 1)]
    rest = shared._rolls[:, 1:]
    evenly = np.bincount(36 * first[0].astype(int) + first[1], minlength=1296)
    weights = np.bincount(ROLL_OF_THROW)
    return {
        "games without the cube (`throw_lanes`)": bool((lanes == rolls).all()),
        "games with the cube (`throw_games`)": bool((games == rolls).all()),
        "rollouts, from the third roll on": bool((rest == plain[:, 1:6]).all()),
        "rollouts, first two rolls (every pair of throws once)": bool(
            (evenly.reshape(36, 36)[:21, :21] == np.outer(weights, weights)).all()
        ),
    }


def same_outcomes(seed: int) -> dict[str, bool]:
    """Check that a run gives the same result files with all kinds of workers."""
    config = {
        "run": "workers",
        "pairs": [{"random": {"pairs": 20}}],
        "games": 2_000_000,
        "seed": seed,
        "workers": 2,
    }
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for backend in ("sequential", "threading", "loky", "dask"):
            output = Path(folder, backend)
            sim.run(config | {"backend": backend, "output": str(output)}, progress=False)
            parts = sorted(output.rglob("*.parquet"))
            found[backend] = [part.read_bytes() for part in parts]
    return {
        f"batch of 40 million games on `{name}`": parts == found["sequential"]
        for name, parts in found.items()
        if name != "sequential"
    }


def _race() -> bearoff.Race:
    sides = (bearoff.Position.parse("0,0,0,5,5,5"), bearoff.Position.parse("0,0,5,5,5,0"))
    return on_24_points(bearoff.Race(*sides))


@dataclass(frozen=True)
class Overlap:
    """Results of the search for equal random numbers: recovered addresses and repeats."""

    recovered: int
    asked: int
    repeats: dict[str, tuple[int, float]]

    @property
    def passed(self) -> bool:
        """Whether all addresses were recovered and no more words repeat than by chance."""
        chances = [streams.poisson_chance(*pair) for pair in self.repeats.values()]
        return self.recovered == self.asked and min(chances) * len(chances) >= ALARM


def look_for_overlap(seed: int, scale: int) -> Overlap:
    """Recover the addresses of random numbers, and count random words that occur twice."""
    at = streams.random_addresses(1000 * scale, seed)
    back = streams.addresses(streams.words_at(at), at[:, 0])
    return Overlap(
        recovered=int((back == at).all(axis=1).sum()),
        asked=len(at),
        repeats=streams.repeats((1 << 17) * scale, seed),
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    seed = options.seed
    overlap = look_for_overlap(seed, 16)
    same = same_dice(seed) | same_outcomes(seed)
    bad = [] if overlap.passed else ["streams meet"]
    bad += [f"other dice: {name}" for name, equal in same.items() if not equal]
    rows = [[name, "yes" if equal else "**no**"] for name, equal in same.items()]
    repeats = [
        [name, f"{found:,}", f"{expected:.3g}"]
        for name, (found, expected) in overlap.repeats.items()
    ]
    body = f"""
{"No error was found." if not bad else "**Wrong**: " + "; ".join(bad) + "."} The seed is
{seed}.

## Streams

The random number generator was run backwards from {overlap.asked:,} random numbers. For
{overlap.recovered:,} of these numbers, the backward run gave the seed, pair, game and draw
from which the number had been generated, so no two streams of one seed overlap. The next
table counts random numbers that occur again in streams of adjacent seeds, positions and
games.

{markdown_table(["repeated part of the number", "found", "expected by chance"], repeats)}

## The same dice everywhere

{markdown_table(["dice of", "equal to plain Python"], rows)}
"""
    return Verdict(body, bool(bad))


TRIAL = Trial(
    "Dice",
    carry_out,
)
