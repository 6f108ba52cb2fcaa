"""Measurement and test of the errors that the fast race model states for its values.

Races come from matches, or are random and unusual: with stacks, gaps, or one or two
checkers left behind. Exact values come from the table of ten checkers if all checkers are
home. Otherwise they are estimated by rollouts whose errors are a twentieth of the model's.
A hash of the checkers divides the races into two halves: one half determines the stated
errors, and the other half tests them.

Errors in the costs of plays are measured in the same way. In some races of each zone, a
roll is drawn. The plays that the model considers best are solved exactly, or rolled out
with the same dice.
"""

import hashlib
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

import bearoff
from bearoff.answers import Judge
from bearoff.app.output import note, say
from bearoff.bear_in import bear_in
from bearoff.game.records import race_decisions, read_match
from bearoff.rolls import ROLLS, THROWS, WEIGHTS
from bearoff.sim.rollouts import Goal, compare, rollout
from bearoff.sources import ModelSource, Races, play_values, plays_of
from bearoff.sources.model_errors import FILE, NO_GAMMON, PLAY_SHARE, QUANTITIES, Zones
from bearoff.stakes import PASS
from bearoff.storage import write_atomic
from research.running import run_program

Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]

REFERENCE = Path("results/race-model/reference.npz")
PLAYS = Path("results/race-model/plays.npz")
PAGE = Path("results/race-model/zones.md")

POPULATIONS = ("match", "unusual")
PLACES = ("home", "up to 13", "up to 24")
"""Classes of races by the hindmost checker: all checkers home, up to the 13 point, or up to
the 24 point."""

EPC = (16.0, 20.0, 24.0, 30.0, 36.0, 44.0, 56.0, 70.0, 90.0)
"""Limits in pips between classes of races, for the smaller EPC of the two sides."""

CHECKERS = (3, 6, 10, 15)
"""Maximum number of checkers per side in each class of races."""

OPEN = 0.03
"""Minimum win probability of both sides in races that are used."""

SHARE = 0.97
"""Proportion of the races in a class whose errors the stated error must cover."""

FEWEST = 60
"""Minimum number of races that determine a stated error. Classes with fewer races are
combined."""

GAMES, TABLE = 7776, 10

MOST_PLAYS, PLAYS_OF_EXACT, PLAYS_OF_OTHERS = 4, 60, 12
"""Maximum number of plays that are compared for a roll, number of rolls in each class of
races with exact values, and number in each class with rolled-out values."""

WORTH_A_ROLLOUT = 0.02
"""Error of a play's equity above which a review rolls the play out."""

NEAR = 0.05
"""Maximum cost, in points, of plays that determine the constant error of a class of
races."""

FEW = 6
"""Maximum number of checkers per side in races with checkers outside home that can be
solved quickly."""

PATIENCE = 1.5
"""Time limit in seconds for solving a race whose plays are compared."""


def unusual_side(chance: np.random.Generator, checkers: int) -> Int8Array:
    """Draw a random side in an unusual position, such as with stacks or stragglers."""
    side = np.zeros(24, dtype=np.int8)
    recipe = chance.choice(["home", "left behind", "anywhere"], p=[0.35, 0.45, 0.2])
    behind = 0
    if recipe == "anywhere":
        np.add.at(side, chance.integers(0, chance.integers(8, 25), checkers), 1)
        return side
    if recipe == "left behind":
        behind = min(checkers, int(chance.integers(1, 3)))
        top = 13 if chance.random() < 0.7 else 24
        np.add.at(side, chance.integers(6, top, behind), 1)
    some = np.arange(6)
    if chance.random() < 0.5:
        some = chance.choice(6, chance.integers(1, 4), replace=False)
    np.add.at(side, chance.choice(some, checkers - behind), 1)
    return side


def unusual_races(count: int, seed: int) -> Int8Array:
    """Draw races of unusual positions, with similar numbers of checkers on both sides."""
    chance = np.random.default_rng(seed)
    found: list[list[Int8Array]] = []
    while len(found) < count:
        mine = int(chance.integers(1, 16))
        theirs = int(np.clip(mine + chance.integers(-3, 4), 1, 15))
        sides = [unusual_side(chance, checkers) for checkers in (mine, theirs)]
        if sum(np.flatnonzero(side).max() + 1 for side in sides) <= 24:
            found.append(sides)
    return np.array(found)


def match_races(folder: Path) -> Int8Array:
    """Return the different races that occur in a folder of matches, shape (n, 2, 24)."""
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], None] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            record = read_match(path)
        except bearoff.BearoffError:
            continue
        for decision in race_decisions(record)[0]:
            race = decision.race.on_points(24)
            found[race.roller.counts, race.opponent.counts] = None
    return np.array(list(found), dtype=np.int8)


def zones_of(sides: Int8Array) -> tuple[NDArray[np.intp], ...]:
    """Return the class (zone) of each race by its hindmost checker, EPC and checkers."""
    highest = np.where(sides.any(axis=1), np.arange(1, 25), 0).max(axis=1)
    epcs = [bear_in().epc(np.ascontiguousarray(side)) for side in sides.swapaxes(0, 1)]
    shorter = np.minimum(*epcs)
    larger = sides.sum(axis=2).max(axis=1)
    return (
        np.searchsorted((6, 13), highest),
        np.searchsorted(EPC, shorter, side="right"),
        np.searchsorted(CHECKERS, larger),
    )


def model_of(sides: Int8Array) -> tuple[Float64Array, Float64Array]:
    """Return the fast model's values and stated errors of races."""
    mine, theirs = (np.ascontiguousarray(side) for side in sides.swapaxes(0, 1))
    found = ModelSource().values(Races(mine, theirs, np.zeros(len(sides), dtype=np.int8)))
    values = np.array([getattr(found, name) for name in QUANTITIES])
    return values, np.array([getattr(found, f"{name}_error") for name in QUANTITIES])


def open_races(sides: Int8Array) -> Int8Array:
    """Return the races that both sides may win, according to the fast model."""
    values, errors = model_of(sides)
    wins = values[QUANTITIES.index("win_probability")]
    found: Int8Array = sides[(wins > OPEN) & (wins < 1 - OPEN) & (errors[0] > 0)]
    return found


def chosen(sides: Int8Array, most: int, most_exact: int, seed: int) -> Int8Array:
    """Draw races that both sides may win, up to a maximum number from each class."""
    sides = open_races(np.random.default_rng(seed).permutation(sides))
    counts: Counter[tuple[int, ...]] = Counter()
    kept = []
    for row, zone in enumerate(zip(*zones_of(sides), strict=True)):
        exact = zone[0] == 0 and CHECKERS[zone[2]] <= TABLE
        counts[zone] += 1
        if counts[zone] <= (most_exact if exact else most):
            kept.append(row)
    return sides[kept]


def reference_of(sides: Int8Array, table: bearoff.TwoSidedTable) -> list[float]:
    """Return a race's exact or rolled-out values, in the order of `QUANTITIES`."""
    race = bearoff.Race(*(bearoff.Position(tuple(side.tolist())) for side in sides))
    if table.holds(race):
        x, y = (bearoff.rank(side[:6]) for side in sides)
        return [float(getattr(table, name)(x, y)) for name in QUANTITIES]
    found = rollout(race, Goal(0, GAMES), seed=1, table=table, workers=1)
    action = found.at("centred")
    return [action.no_double.value, action.double_take.value, found.win_probability.value]


def measure(matches: Path, most: int, most_exact: int, seed: int) -> None:
    """Draw races from matches and unusual races; store their exact or rolled-out values."""
    bearoff.build_two_sided_table(TABLE)
    table = bearoff.two_sided_table(TABLE)
    drawn = [
        chosen(sides, most, most_exact, seed)
        for sides in (match_races(matches), unusual_races(80_000, seed))
    ]
    sides = np.concatenate(drawn)
    values = []
    for row, one in enumerate(sides):
        values.append(reference_of(one, table))
        if row % 1000 == 0:
            note(f"{row} of {len(sides)} races")
    population = np.repeat(np.arange(2, dtype=np.int8), [len(one) for one in drawn])
    np.savez_compressed(
        REFERENCE, sides=sides, population=population, values=np.array(values, "f4")
    )


def measure_plays(sides: Int8Array, population: Int8Array, seed: int) -> None:
    """Draw rolls for races; store the true values of the plays that the model prefers."""
    chance = np.random.default_rng(seed)
    table = bearoff.two_sided_table(TABLE)
    judge, counts = Judge([table], patience=PATIENCE), Counter[tuple[int, ...]]()
    kept: dict[str, list[Any]] = {name: [] for name in ("row", "after", "worth")}
    zones = np.array([*zones_of(sides), population]).T
    for row in chance.permutation(len(sides)):
        zone = tuple(zones[row].tolist())
        exact = zone[0] == 0 and CHECKERS[zone[2]] <= TABLE
        counts[zone] += 1
        exact |= CHECKERS[zone[2]] <= FEW
        if counts[zone] > (PLAYS_OF_EXACT if exact else PLAYS_OF_OTHERS):
            continue
        roll = int(chance.choice(len(ROLLS), p=np.array(WEIGHTS) / THROWS))
        after = best_plays(sides[row], roll)
        if len(after) < 2 or not after.any(axis=1).all():
            continue
        missing = MOST_PLAYS - len(after)
        worth = worth_of(sides[row], after, judge, table)
        kept["row"].append(row)
        kept["after"].append(np.pad(after, ((0, missing), (0, 0))))
        kept["worth"].append(np.pad(worth, (0, missing), constant_values=np.nan))
    rows = kept["row"]
    np.savez_compressed(
        PLAYS,
        sides=sides[rows],
        population=population[rows],
        after=np.array(kept["after"]),
        worth=np.array(kept["worth"], "f4"),
    )


def best_plays(sides: Int8Array, roll: int) -> Int8Array:
    """Return the roller's checkers after each of the plays that the fast model prefers."""
    mine, theirs = (np.ascontiguousarray(side)[None] for side in sides)
    races = Races(mine, theirs, np.zeros(1, dtype=np.int8))
    rows, after = plays_of(mine, np.array([roll]))
    return after[play_values(ModelSource(), races, rows, after).ranking()[:MOST_PLAYS]]


def worth_of(
    sides: Int8Array, after: Int8Array, judge: Judge, table: bearoff.TwoSidedTable
) -> Float64Array:
    """Return the roller's equity after plays, exact or rolled out with the same dice."""
    positions = [bearoff.Position(tuple(side.tolist())) for side in (*sides, *after)]
    race = bearoff.Race(*positions[:2])
    if judge.holds(race):
        mine, theirs = (np.ascontiguousarray(side)[None] for side in sides)
        races = Races(mine, theirs, np.zeros(1, dtype=np.int8))
        rows = np.zeros(len(after), dtype=np.int64)
        return play_values(judge.source(race), races, rows, after).equities
    then = [bearoff.Race(positions[1], side) for side in positions[2:]]
    every = range(len(then))
    found = compare(then, Goal(0, GAMES), wanted=every, table=table, seed=1, workers=1)
    return -np.fmax(found.no_double, np.fmin(found.double_take, PASS))


class PlayPairs(NamedTuple):
    """Pairs of the model's best play of a roll and another play of the same roll.

    Attributes
    ----------
    zones : ndarray of int64, shape (4, n)
        Class (zone) of the race after the play that is not the model's best, as from
        `zones_of`, and index of the population of the race.
    off, stated : ndarray of float64
        Actual and stated error of the difference in equity between the two plays.
    zone_off : ndarray of float64
        Error `off` minus `PLAY_SHARE` times the model's difference in equity, at least 0.
        NaN for pairs that do not determine the stated error of the zone.
    judging : ndarray of bool
        Whether the pair is used to test the stated errors. The other pairs determine the
        stated errors.
    losing : ndarray of float64
        True cost of the model's best play of each roll.
    may_lose : ndarray of float64
        Stated error of the model's best play of each roll.
    """

    zones: NDArray[np.intp]
    off: Float64Array
    stated: Float64Array
    zone_off: Float64Array
    judging: NDArray[np.bool_]
    losing: Float64Array
    may_lose: Float64Array


def play_pairs() -> PlayPairs:
    """Compare stored true values of plays with the fast model's values and errors."""
    kept = np.load(PLAYS)
    pairs, losses = [], []
    for sides, population, after, worth in zip(
        *(kept[name] for name in ("sides", "population", "after", "worth")), strict=True
    ):
        there = ~np.isnan(worth)
        after, worth = after[there], worth[there]
        mine, theirs = (np.ascontiguousarray(side)[None] for side in sides)
        races = Races(mine, theirs, np.zeros(1, dtype=np.int8))
        rows = np.zeros(len(after), dtype=np.int64)
        values = play_values(ModelSource(), races, rows, after)
        best = int(values.best[0])
        errors = values.cost_and_error()[1]
        costs = values.equities[best] - values.equities
        off = np.abs(costs - (worth[best] - worth))
        then = np.stack([np.repeat(theirs, len(after), axis=0), after], axis=1)
        zones = np.array([*zones_of(then), np.full(len(after), population)])
        judging = judges(sides[None])[0]
        losses.append((worth.max() - worth[best], errors[best], judging))
        pairs += [
            (
                *zones[:, k],
                off[k],
                errors[k],
                off[k] - PLAY_SHARE * costs[k],
                judging,
                costs[k] > NEAR or values.gammons.max() > NO_GAMMON,
            )
            for k in range(len(after))
            if k != best
        ]
    table, ends = np.array(pairs).T, np.array(losses).T
    chosen = ends[2] > 0
    return PlayPairs(
        zones=table[:4].astype(np.intp),
        off=table[4],
        stated=table[5],
        zone_off=np.where(table[8] > 0, np.nan, np.maximum(table[6], 0.0)),
        judging=table[7] > 0,
        losing=ends[0, chosen],
        may_lose=ends[1, chosen],
    )


def judges(sides: Int8Array) -> NDArray[np.bool_]:
    """Return which races test the stated errors; a hash of the checkers decides."""
    return np.array([hashlib.sha256(one.tobytes()).digest()[0] % 2 for one in sides], bool)


def fitted(zones: NDArray[np.intp], off: Float64Array) -> Float64Array:
    """Return, for each class, the error that a share `SHARE` of the races does not exceed.

    Parameters
    ----------
    zones : ndarray of int64, shape (4, n)
        Class (zone) of each race, as from `zones_of`, and index of its population.
    off : ndarray of float64, shape (quantities, n)

    Returns
    -------
    ndarray of float64, shape (2, bands of checkers, bands of EPC, quantities)
    """
    places, epcs, checkers, population = zones
    outside = np.minimum(places, 1)
    errors = np.empty((2, len(CHECKERS), len(EPC) + 1, len(off)))
    for beyond, few, band in np.ndindex(errors.shape[:3]):
        found = []
        for kind in range(2):
            for reach in range(len(EPC) + 1):
                near = (outside == beyond) & (population == kind)
                near &= (abs(epcs - band) <= reach) & (abs(checkers - few) <= reach // 2)
                if near.sum() >= FEWEST:
                    found.append(np.quantile(off[:, near], SHARE, axis=1))
                    break
        errors[beyond, few, band] = np.max(found, axis=0)
    return errors


def page_of_plays(pairs: PlayPairs) -> str:
    """Return a Markdown page on how often costs of plays exceed their stated errors."""
    some = pairs.judging
    beyond = pairs.zones[0, some] > 0
    off, stated = pairs.off[some], pairs.stated[some]
    lines = [
        "",
        "## Plays",
        "",
        f"The table compares the model's best play of a roll with up to {MOST_PLAYS - 1} "
        f"other plays. All these plays were solved exactly, or rolled out in {GAMES:,} "
        "games with the same dice. *Stated* is the mean stated error of the cost of a "
        "play, compared with the model's best play. *Beyond one* and *beyond two* are "
        "the shares of pairs whose error exceeds one and two stated errors.",
        "",
        "| rearmost point | checkers | pairs | stated error | beyond one | beyond two |",
        "|:---|---:|---:|---:|---:|---:|",
    ]
    counts = list(pairwise((0, *CHECKERS)))
    for outside, few in np.ndindex(2, len(CHECKERS)):
        at = (beyond == outside) & (pairs.zones[2, some] == few)
        shares = " | ".join(f"{(off[at] > k * stated[at]).mean():.1%}" for k in (1, 2))
        lines.append(
            f"| {('home', 'beyond')[outside]} | {counts[few][0] + 1} to {counts[few][1]} | "
            f"{at.sum()} | {stated[at].mean():.3f} | {shares} |"
        )
    lost, may = pairs.losing, pairs.may_lose
    lines += [
        "",
        f"{(lost > 0.002).mean():.1%} of the model's {len(lost):,} best plays lose more "
        f"than 0.002 points, and {(lost > may + 0.002).mean():.1%} lose more than 0.002 "
        "points beyond their stated error. The stated error of a best play is 0 if all "
        "other plays are clearly worse. The stated error of a best play has a median of "
        f"{np.median(may):.3f}, and exceeds {WORTH_A_ROLLOUT:g} in "
        f"{(may > WORTH_A_ROLLOUT).mean():.0%} of the plays.",
    ]
    return "\n".join(lines) + "\n"


def page(sides: Int8Array, population: Int8Array, off: Float64Array) -> str:
    """Return a Markdown page on how often errors in test races exceed the stated errors."""
    _, stated = model_of(sides)
    zones = np.array(zones_of(sides))
    bands = list(pairwise((0, *EPC, np.inf)))
    counts = list(pairwise((0, *CHECKERS)))
    lines = [
        "# Stated errors of the fast model compared with true errors",
        "",
        f"`python -m research.stated_errors` compares the errors of {len(sides):,} races "
        "that were not used to fit constants with the errors that the program states. "
        "The races are from 1,776 matches between people (*match*), and random races "
        "with stacks, gaps and one or two checkers left behind (*unusual*). Each side "
        "wins at least 3% of the games. The true values are from the table of ten "
        f"checkers if it contains the race, and otherwise from rollouts of {GAMES:,} "
        "games. Whether a race is used for fitting or for this test depends only on the "
        "first byte of the SHA-256 checksum of its checkers. A zone groups races by the "
        "point of the rearmost checker, by the number of checkers of the side that has "
        "more, and by the EPC of the side with fewer pips. Zones of fewer than 20 races "
        "are left out.",
        "",
        "*Stated* is the mean stated error of the equity after a double and a take. "
        "*Beyond one* and *beyond two* are the shares of races whose error exceeds one and "
        "two stated errors. *Beyond one* and *beyond two* have three columns each: for "
        "the equity without a double, for the equity after a double and a take, and for "
        "the win probability.",
        "",
        "| races | rearmost point | checkers | EPC | number | stated error | beyond one "
        "stated error | | | beyond two stated errors | | |",
        "|:---|:---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    worst = np.zeros(2)
    for kind, place, few, band in np.ndindex(2, len(PLACES), len(CHECKERS), len(EPC) + 1):
        at = np.all((place, band, few) == zones.T, axis=1) & (population == kind)
        if at.sum() < 20:
            continue
        shares = [(off[:, at] > k * stated[:, at]).mean(axis=1) for k in (1, 2)]
        worst = np.maximum(worst, [one.max() for one in shares])
        low, high = bands[band]
        cells = [
            POPULATIONS[kind],
            PLACES[place],
            f"{counts[few][0] + 1} to {counts[few][1]}",
            f"{low:g} to {high:g}" if high < np.inf else f"{low:g} and more",
            f"{at.sum()}",
            f"{stated[1, at].mean():.3f}",
            *(f"{share:.0%}" for one in shares for share in one),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    every = [(off > k * stated).mean(axis=1) for k in (1, 2)]
    text = (f"{share:.1%}" for one in every for share in one)
    whole = f"| all | | | | {len(sides)} | {stated[1].mean():.3f}"
    lines.append(f"{whole} | {' | '.join(text)} |")
    lines += [
        "",
        "In the worst zone, the error exceeds one stated error in "
        f"{worst[0]:.0%} of the races. In the zone that is worst for two stated errors, "
        f"the error exceeds two stated errors in {worst[1]:.0%} of the races.",
    ]
    return "\n".join(lines) + "\n"


def main(
    matches: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of matches from whose races all errors are measured again.",
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, help="Maximum number of rolled-out races per zone.")
    ] = 45,
    most_exact: Annotated[
        int, typer.Option(min=1, help="Maximum number of exact races per zone.")
    ] = 400,
    seed: Annotated[int, typer.Option(min=0)] = 1,
) -> None:
    """Measure the errors of the fast race model by zone.

    The program computes the model's stated errors from the stored races, and writes a page
    on how often errors in the test races exceed the stated errors.

    \b
    python -m research.stated_errors --matches FOLDER
    python -m research.stated_errors
    """
    if matches is not None:
        measure(matches, most, most_exact, seed)
        kept = np.load(REFERENCE)
        few = open_races(unusual_races(30_000, seed + 1))
        few = few[few.sum(axis=2).max(axis=1) <= FEW]
        unusual = np.ones(len(few), dtype=np.int8)
        measure_plays(
            np.concatenate([kept["sides"], few]),
            np.concatenate([kept["population"], unusual]),
            seed,
        )
    kept = np.load(REFERENCE)
    sides, population = kept["sides"], kept["population"]
    off = np.abs(model_of(sides)[0] - kept["values"].T)
    judging = judges(sides)
    zones = np.array([*zones_of(sides), population])
    errors = fitted(zones[:, ~judging], off[:, ~judging])
    pairs = play_pairs()
    some = ~(pairs.judging | np.isnan(pairs.zone_off))
    of_plays = fitted(pairs.zones[:, some], pairs.zone_off[None, some])
    errors = np.concatenate([errors, of_plays], axis=-1)
    stated = Zones(np.array(CHECKERS), np.array(EPC), errors)
    write_atomic(FILE, stated.text().encode())
    Zones.shipped.cache_clear()
    text = page(sides[judging], population[judging], off[:, judging])
    text += page_of_plays(play_pairs())
    write_atomic(PAGE, text.encode())
    say(str(PAGE))


if __name__ == "__main__":
    sys.exit(run_program(main))
