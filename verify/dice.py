"""Are the dice fair, and independent across sides, games, pairs, seeds and blocks?

    python -m verify.dice --write

Three questions. Are the throws that games are played with even and independent? Does no
stream overlap another? Would the battery find dice that are not? Everything is drawn from
``--seed``, so that the page comes out the same each time.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from scipy import special, stats

import bearoff
import sim
from analysis.output import markdown_table
from bearoff.rolls import ROLL_OF_THROW
from sim.play import kernels, race_key, replay as twin
from sim.rollouts import Techniques, ValueModel, on_24_points
from sim.rollouts.lanes import Lanes
from verify.chance import battery, streams
from verify.chance.battery import THROWS_PER_SLAB, Counts, Source, Stream, Verdict
from verify.chance.sources import BAD, GOOD, dice
from verify.common.report import finish, trial_parser

Row = list[str]


def random_streams(slabs: int, seed: int) -> list[Stream]:
    """Draw the streams that slabs come from: seeds, pairs and games of runs."""
    found: list[Stream] = []
    for at in streams.random_addresses(slabs, seed).tolist():
        whole, roller, opponent, game, _ = at
        # Half of the seeds small, as users choose them; games from 0, or from anywhere.
        small = len(found) % 2 == 0
        found.append(
            Stream(
                whole % 1000 if small else whole,
                1 + roller % 54263,
                1 + opponent % 54263,
                0 if small else game >> 1,
            )
        )
    return found


def run_battery(source: Source, throws: int, seed: int) -> dict[str, float]:
    """Run the battery on so many throws, rounded up to whole slabs."""
    slabs = random_streams(-(-throws // THROWS_PER_SLAB), seed)

    def some(at: int) -> Counts:
        counts = battery.empty_counts()
        for stream in slabs[at::8]:
            battery.count(source, stream, counts)
        return counts

    total = battery.empty_counts()
    for counts in Parallel(2, "threading")(delayed(some)(at) for at in range(8)):
        for name, table in counts.items():
            total[name] += table
    return battery.chances(total)


def same_dice(seed: int) -> dict[str, bool]:
    """Whether all throwers of dice in the product throw those of the battery."""
    at = Stream(seed, 8887, 54263)
    slab = dice(at, 1024)
    rolls = ROLL_OF_THROW[slab]
    numbers = np.arange(1024, dtype=np.uint64)
    address = np.uint64(at.seed), np.uint64(at.roller), np.uint64(at.opponent)
    lanes, games = (np.empty((2, 12, 1024), dtype=np.uint8) for _ in range(2))
    live = np.arange(1024, dtype=np.int32)
    for draw in (0, 1):
        six = np.empty((2, 6, 1024), dtype=np.uint8)
        kernels.throw_lanes(*address, numbers, np.uint64(draw), six)
        lanes[:, 6 * draw : 6 * draw + 6] = six
        pairs = (np.full(1024, number) for number in address[1:])
        kernels.throw_games(address[0], *pairs, numbers, live, np.uint64(draw), six)
        games[:, 6 * draw : 6 * draw + 6] = six
    one_by_one = [
        [next(throws) for _ in range(12)]
        for throws in (
            twin.throws_of_game(at.seed, at.roller, at.opponent, game) for game in range(64)
        )
    ]
    race = _race()
    key = race_key(seed, race.roller.number, race.opponent.number)
    plain = ROLL_OF_THROW[dice(Stream(key, 0, 0), 1296)]
    shared = Lanes(ValueModel(None, Techniques()), race, seed, 0, 1296)
    first = [shared._thrown(side) for side in (0, 1)]
    rest = shared._rolls[:, 1:]
    evenly = np.bincount(36 * first[0].astype(int) + first[1], minlength=1296)
    weights = np.bincount(ROLL_OF_THROW)
    return {
        "`throw_lanes`": bool((lanes == rolls).all()),
        "`throw_games`, of the cubeful games": bool((games == rolls).all()),
        "`sim.throws_of_game`": bool(
            (np.array(one_by_one).transpose(2, 1, 0) == slab[:, :, :64]).all()
        ),
        "rollouts, after their first throws": bool((rest == plain[:, 1:6]).all()),
        "rollouts' first throws, each two once": bool(
            (evenly.reshape(36, 36)[:21, :21] == np.outer(weights, weights)).all()
        ),
    }


def same_outcomes(seed: int) -> dict[str, bool]:
    """Whether a run on workers of each kind leaves the bytes it leaves without any."""
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
        f"a run of 40 million games on `{name}`": parts == found["sequential"]
        for name, parts in found.items()
        if name != "sequential"
    }


def _race() -> bearoff.Race:
    sides = (bearoff.Position.parse("0,0,0,5,5,5"), bearoff.Position.parse("0,0,5,5,5,0"))
    return on_24_points(bearoff.Race(*sides))


@dataclass(frozen=True)
class Overlap:
    """What was found of streams: addresses recovered, bits flipped, words repeated."""

    recovered: int
    asked: int
    avalanche: dict[str, float]
    repeats: dict[str, tuple[int, float]]

    @property
    def chances(self) -> dict[str, float]:
        """How likely all of it is by chance."""
        return self.avalanche | {
            f"repeats among {name}": streams.poisson_chance(*pair)
            for name, pair in self.repeats.items()
        }

    @property
    def passed(self) -> bool:
        """Whether nothing overlaps."""
        least = min(self.chances.values()) * len(self.chances)
        return self.recovered == self.asked and least >= battery.ALARM


def look_for_overlap(seed: int, scale: int) -> Overlap:
    """Run the addresses backwards, flip bits, look for words that come again."""
    at = streams.random_addresses(1000 * scale, seed)
    back = streams.addresses(streams.words_at(at), at[:, 0])
    return Overlap(
        recovered=int((back == at).all(axis=1).sum()),
        asked=len(at),
        avalanche=streams.avalanche(4096 * scale, seed + 1),
        repeats=streams.repeats((1 << 17) * scale, seed),
    )


def least_found(throws: int, tests: int) -> list[Row]:
    """Work out what a battery of so many throws finds 19 times in 20, test by test."""
    singles = _least_excess(35, tests) / (throws * 36 * 36 / 35)
    pairs = _least_excess(35**2, tests) / (throws * 11 / 12 * 35)
    needed = special.ndtri(1 - battery.ALARM / (2 * tests)) + special.ndtri(0.95)
    rolls = throws * 11 / 12
    return [
        ["one of the 36 throws too likely by", f"{np.sqrt(singles):.1e} (of 0.0278)"],
        ["a throw repeats the side's last in", f"{np.sqrt(pairs):.1e} of all"],
        ["correlation of pips, throw to throw", f"{needed / np.sqrt(rolls / 2):.1e}"],
    ]


def _least_excess(degrees: int, tests: int) -> float:
    """Non-centrality at which a chi-square passes the alarm 19 times in 20."""
    alarm = special.chdtri(degrees, battery.ALARM / (2 * tests))
    low, high = 0.0, 1e5
    for _ in range(60):
        middle = (low + high) / 2
        found = stats.ncx2.sf(alarm, degrees, middle) >= 0.95
        low, high = (low, middle) if found else (middle, high)
    return high


def row_of(name: str, throws: int, verdict: Verdict) -> Row:
    """Tell a verdict in a line."""
    chance = verdict.worst_chance
    return [
        name,
        f"{-(-throws // THROWS_PER_SLAB) * THROWS_PER_SLAB:,}",
        str(verdict.tests),
        "passed" if verdict.passed else f"{len(verdict.failed)} failed",
        verdict.worst,
        f"{chance:.2g}" if chance > 1e-99 else "below 1e-99",
        f"{verdict.uniform:.2g}",
    ]


HEAD = ["dice", "throws", "tests", "verdict", "worst test", "its chance", "all, uniform"]


def main() -> None:
    """Run all of it, print the page, end with status 1 if anything is wrong."""
    parser = trial_parser(__doc__, "dice")
    parser.add_argument("--throws", type=int, default=1_200_000_000, help="of the dice")
    arguments = parser.parse_args()
    seed, throws = arguments.seed, arguments.throws
    few = -(-throws // 12)
    rows, bad = [], []
    for name, source in GOOD.items():
        played = throws if source is dice else few
        verdict = battery.evaluate(run_battery(source, played, seed))
        rows.append(row_of(name, played, verdict))
        bad += [] if verdict.passed else [f"{name}: {verdict.failed or 'not uniform'}"]
    found_out = []
    for name, source in BAD.items():
        played = throws // 2 if "1e-4" in name else few
        verdict = battery.evaluate(run_battery(source, played, seed))
        found_out.append(row_of(name, played, verdict))
        bad += [f"not found out: {name}"] if verdict.passed else []
    overlap = look_for_overlap(seed, 16)
    same = same_dice(seed) | same_outcomes(seed)
    bad += [] if overlap.passed else ["streams overlap, or bits go together"]
    bad += [f"other dice: {name}" for name, equal in same.items() if not equal]
    tests = int(rows[0][2])
    body = f"""
Seed {seed}. {"Nothing was found." if not bad else "**Wrong**: " + "; ".join(bad) + "."}

Chances are two-sided: too even is as wrong. A source passes if no test's chance, times the
number of tests (Holm's correction), is below {battery.ALARM}, and if the chances together
are spread evenly (Kolmogorov and Smirnov, last column) with a chance of {battery.ALARM} or
more. Good dice fail in one of {0.5 / battery.ALARM:.0f} seeds.

{markdown_table(HEAD, rows)}

## Dice that are not fair

The same battery on bad dice: it must find all of them out.

{markdown_table(HEAD, found_out)}

What it finds 19 times in 20, among {tests} tests of {throws:,} throws:

{markdown_table(["what is wrong", "by how much"], least_found(throws, tests))}

## Streams

{overlap.recovered:,} of {overlap.asked:,} draws, run backwards through the generator, gave
the seed, pair, game and draw that they were asked for.

{markdown_table(["words that came twice", "found", "by chance"], _overlap_rows(overlap))}

{markdown_table(["flipping", "chance of such bits"], _flipped(overlap))}

## The same dice everywhere

{markdown_table(["thrown by", "the same dice"], _same(same))}
"""
    finish("Dice", body, arguments.write)
    sys.exit(bool(bad))


def _overlap_rows(overlap: Overlap) -> list[Row]:
    return [
        [name, f"{found:,}", f"{expected:.3g}"]
        for name, (found, expected) in overlap.repeats.items()
    ]


def _flipped(overlap: Overlap) -> list[Row]:
    return [[name, f"{chance:.2g}"] for name, chance in overlap.avalanche.items()]


def _same(same: dict[str, bool]) -> list[Row]:
    return [[name, "yes" if equal else "**no**"] for name, equal in same.items()]


if __name__ == "__main__":
    main()
