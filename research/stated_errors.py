"""The errors that the fast model states, zone by zone: measured, written, judged.

Races are those that people met in matches, and odd ones: stacks, gaps, a checker or two
left behind. Reference values are those of the table of ten checkers at home, and of
rollouts elsewhere, whose own errors are a twentieth of the model's. Half of the races, by a
hash of their checkers, set the constants; the other half judges them.
"""

import hashlib
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

import bearoff
from bearoff.app.output import note, say
from bearoff.bear_in import bear_in
from bearoff.game.records import race_decisions, read_match
from bearoff.sim.rollouts import Goal, rollout
from bearoff.sources import ModelSource, Races
from bearoff.sources.model_errors import FILE, QUANTITIES, Zones
from bearoff.storage import write_atomic
from research.running import run_program

Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]

REFERENCE = Path("results/race-model/reference.npz")
PAGE = Path("results/race-model/zones.md")

POPULATIONS = ("met", "odd")
PLACES = ("home", "up to 13", "up to 24")
"""Where the hindmost checker of both sides stands."""

EPC = (16.0, 20.0, 24.0, 30.0, 36.0, 44.0, 56.0, 70.0, 90.0)
"""Pips of the shorter side at which a zone ends and the next begins."""

CHECKERS = (3, 6, 10, 15)
"""Most checkers of the larger side in a zone."""

OPEN = 0.03
"""Least chance of either side."""

SHARE = 0.97
"""Of the races of a zone that one stated error holds."""

FEWEST = 60
"""Races that set a constant; zones beside one are taken in until there are so many."""

GAMES, TABLE = 7776, 10


def odd_side(chance: np.random.Generator, checkers: int) -> Int8Array:
    """Draw a side: spread, on a few points, with one or two far behind, or anywhere."""
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


def odd_races(count: int, seed: int) -> Int8Array:
    """Draw races without contact, shape (count, 2, 24), of nearly as many checkers."""
    chance = np.random.default_rng(seed)
    found: list[list[Int8Array]] = []
    while len(found) < count:
        mine = int(chance.integers(1, 16))
        theirs = int(np.clip(mine + chance.integers(-3, 4), 1, 15))
        sides = [odd_side(chance, checkers) for checkers in (mine, theirs)]
        if sum(np.flatnonzero(side).max() + 1 for side in sides) <= 24:
            found.append(sides)
    return np.array(found)


def met_races(folder: Path) -> Int8Array:
    """Return the races of matches, each once, shape (n, 2, 24)."""
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
    """Return places, bands of EPC and bands of checkers of races."""
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
    """Return the model's values and stated errors, by `QUANTITIES`, and of the chances."""
    mine, theirs = (np.ascontiguousarray(side) for side in sides.swapaxes(0, 1))
    found = ModelSource().values(Races(mine, theirs, np.zeros(len(sides), dtype=np.int8)))
    values = np.array([getattr(found, name) for name in QUANTITIES])
    return values, np.array([getattr(found, f"{name}_error") for name in QUANTITIES])


def chosen(sides: Int8Array, most: int, most_exact: int, seed: int) -> Int8Array:
    """Draw open races of every zone, more of those that the table holds."""
    sides = np.random.default_rng(seed).permutation(sides)
    values, errors = model_of(sides)
    wins = values[QUANTITIES.index("win_probability")]
    sides = sides[(wins > OPEN) & (wins < 1 - OPEN) & (errors[0] > 0)]
    counts: Counter[tuple[int, ...]] = Counter()
    kept = []
    for row, zone in enumerate(zip(*zones_of(sides), strict=True)):
        exact = zone[0] == 0 and CHECKERS[zone[2]] <= TABLE
        counts[zone] += 1
        if counts[zone] <= (most_exact if exact else most):
            kept.append(row)
    return sides[kept]


def reference_of(sides: Int8Array, table: bearoff.TwoSidedTable) -> list[float]:
    """Return what a race is worth, by `QUANTITIES`: exactly, or by rollouts."""
    race = bearoff.Race(*(bearoff.Position(tuple(side.tolist())) for side in sides))
    if table.holds(race):
        x, y = (bearoff.rank(side[:6]) for side in sides)
        return [float(getattr(table, name)(x, y)) for name in QUANTITIES]
    found = rollout(race, Goal(0, GAMES), seed=1, table=table, workers=1)
    action = found.at("centred")
    return [action.no_double.value, action.double_take.value, found.win_probability.value]


def measure(matches: Path, most: int, most_exact: int, seed: int) -> None:
    """Draw races of both kinds and keep what they are worth."""
    bearoff.build_two_sided_table(TABLE)
    table = bearoff.two_sided_table(TABLE)
    drawn = [
        chosen(sides, most, most_exact, seed)
        for sides in (met_races(matches), odd_races(80_000, seed))
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


def judges(sides: Int8Array) -> NDArray[np.bool_]:
    """Whether each race judges, by a hash of its checkers; the others set constants."""
    return np.array([hashlib.sha256(one.tobytes()).digest()[0] % 2 for one in sides], bool)


def fitted(sides: Int8Array, population: Int8Array, off: Float64Array) -> Zones:
    """Set the stated error of every zone, so that it holds `SHARE` of either population."""
    places, epcs, checkers = zones_of(sides)
    outside = np.minimum(places, 1)
    errors = np.empty((2, len(CHECKERS), len(EPC) + 1, len(QUANTITIES)))
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
    return Zones(np.array(CHECKERS), np.array(EPC), errors)


def page(sides: Int8Array, population: Int8Array, off: Float64Array) -> str:
    """Write how many races of those that set no constant are beyond the stated errors."""
    _, stated = model_of(sides)
    zones = np.array(zones_of(sides))
    bands = list(pairwise((0, *EPC, np.inf)))
    counts = list(pairwise((0, *CHECKERS)))
    lines = [
        "# Are the fast model's stated errors true?",
        "",
        f"{len(sides):,} races that set no constant, from",
        "`python -m research.stated_errors`: races that people met in 1,776 matches, and",
        "odd ones, with stacks, gaps and one or two checkers left behind, each side",
        "winning at least 3%. Beside the table of ten checkers, elsewhere rollouts of",
        f"{GAMES:,} games. A race judges or sets constants by the first byte of the",
        "SHA-256 of its checkers. Zones are by the hindmost checker, the larger side's",
        "checkers and the shorter side's EPC; those of fewer than 20 races are left out.",
        "",
        "*Stated* is the mean stated error of double/take; *beyond one*, *beyond two* are",
        "shares of races farther off than one or two stated errors: of no double, of",
        "double/take, and of the chance to win.",
        "",
        "| races | hindmost | checkers | EPC | number | stated | beyond one | | "
        "| beyond two | | |",
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
    lines += ["", f"The worst zone: {worst[0]:.0%} beyond one, {worst[1]:.0%} beyond two."]
    return "\n".join(lines) + "\n"


def main(
    matches: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Measure anew, with races of these matches."),
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="Races of a zone to roll out.")] = 45,
    most_exact: Annotated[int, typer.Option(min=1, help="Of one in the table.")] = 400,
    seed: Annotated[int, typer.Option(min=0)] = 1,
) -> None:
    """The errors that the fast model states, zone by zone.

    Sets the constants that are shipped from the races that are kept, and writes the page of
    how many others are beyond them.

    \b
    python -m research.stated_errors --matches FOLDER
    python -m research.stated_errors
    """
    if matches is not None:
        measure(matches, most, most_exact, seed)
    kept = np.load(REFERENCE)
    sides, population = kept["sides"], kept["population"]
    off = np.abs(model_of(sides)[0] - kept["values"].T)
    judging = judges(sides)
    zones = fitted(sides[~judging], population[~judging], off[:, ~judging])
    write_atomic(FILE, zones.text().encode())
    Zones.shipped.cache_clear()
    text = page(sides[judging], population[judging], off[:, judging])
    write_atomic(PAGE, text.encode())
    say(str(PAGE))


if __name__ == "__main__":
    sys.exit(run_program(main))
