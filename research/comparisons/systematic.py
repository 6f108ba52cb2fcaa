"""Systematic errors of rollouts, which remain however many games are played.

Races for money come from matches, or are random and unusual. They are solved exactly or
looked up in the table of ten checkers. They are also rolled out, without a table and with
one of six checkers. One set of races determines the errors that rollouts state; another
set, drawn with another seed, tests these errors.

At match scores, sides are drawn uniformly. They are rolled out as if no table contained
them, with a smaller table, or with a table that contains them once both sides are home.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.answers import Judge
from bearoff.bear_in import bear_in, widen
from bearoff.sim.rollouts import Goal, rollout
from bearoff.sim.rollouts.systematic import Systematic, systematic_error
from research.comparisons.pages import page_parser, write_page
from research.stated_errors import (
    POPULATIONS,
    REFERENCE,
    open_races,
    unusual_races,
)

SEED, JUDGING_SEED = 20261122, 20261128
GAMES = 7776
Float64Array = NDArray[np.float64]

NAMES = ("win probability", "no double", "no redouble", "double, take")
"""Values that are compared in races for money."""

RACES = Path("results/rollouts/systematic.npz")
"""File of the races for money that determine the stated errors. Their rollouts were played
before the players of rollouts looked a turn ahead near the end."""

JUDGING = Path("results/rollouts/systematic-judging.npz")
"""File of the races for money that test the stated errors; they were drawn with another
seed."""

PLACES = ("home", "beyond")
TABLES = (0, 6)
"""Checkers of the table in which games stop; 0 for none."""

EPC = (20.0, 28.0, 36.0, 44.0)
"""Limits in pips between zones, by the EPC of the side with the smaller EPC."""

FEWEST = 15
"""Minimum number of races in a zone for its errors to be tested."""

TWO, SHARE = 2.0, 0.98
"""Number of stated errors, and proportion of the races of a zone that should be within
them."""

UNIT = 1e-4
"""Step to which errors are rounded up, which is larger than the rounding error of the
table."""

EXACT, PATIENCE = 10, 3.0
"""Checkers per side of the table with exact values, and time limit in seconds for solving
other races."""


class Kept(NamedTuple):
    """Races for money, and the errors of their rollouts.

    Attributes
    ----------
    sides : ndarray of int8, shape (n, 2, 24)
    population : ndarray of int8, shape (n,)
        Index into `research.stated_errors.POPULATIONS`.
    off, error : ndarray of float32, shape (n, 2, 4)
        Error compared with the exact value, and standard error, by `TABLES` and `NAMES`;
        NaN if the race was not rolled out.
    """

    sides: NDArray[np.int8]
    population: NDArray[np.int8]
    off: NDArray[np.float32]
    error: NDArray[np.float32]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load races and errors from a file."""
        with np.load(path) as kept:
            return cls(*(kept[name] for name in cls._fields))

    def of(self, rows: NDArray[Any]) -> Self:
        """Return a selection of the races."""
        return type(self)(*(field[rows] for field in self))

    @property
    def zones(self) -> NDArray[np.intp]:
        """Return the place and the EPC band of each race, shape (2, n)."""
        beyond = self.sides[:, :, bearoff.POINTS :].any(axis=(1, 2))
        return np.array([beyond, np.searchsorted(EPC, epc_of(self.sides), side="right")])


def epc_of(sides: NDArray[np.int8]) -> Float64Array:
    """Return the EPC of the side with the smaller EPC in each race, in pips."""
    shorter: Float64Array = bear_in().epc(sides).min(axis=1)
    return shorter


def race_of(sides: NDArray[np.int8]) -> bearoff.Race:
    """Return a race for money with a centred cube."""
    return bearoff.Race(*(bearoff.Position(tuple(side.tolist())) for side in sides))


def drawn(
    most: int, seed: int, known: NDArray[np.int8]
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Draw solvable races of every zone in random order, and their populations.

    Parameters
    ----------
    most : int
        Maximum number of races for each zone and population.
    seed : int
    known : ndarray of int8, shape (n, 2, 24)
        Races that must not be drawn.
    """
    rng = np.random.default_rng(seed)
    kept, left_out = np.load(REFERENCE), {one.tobytes() for one in known}
    further = open_races(unusual_races(60_000, seed))
    sides = np.concatenate([kept["sides"], further])
    population = np.append(kept["population"], np.ones(len(further), dtype=np.int8))
    few = np.flatnonzero(sides.sum(axis=2).max(axis=1) <= EXACT)
    few = few[[sides[row].tobytes() not in left_out for row in few]]
    rows = rng.permutation(few)
    beyond = sides[rows][:, :, bearoff.POINTS :].any(axis=(1, 2))
    bands = np.searchsorted(EPC, epc_of(sides[rows]), side="right")
    seen = Counter[tuple[int, ...]]()
    chosen = []
    for row, zone in zip(
        rows, zip(beyond, bands, population[rows], strict=True), strict=True
    ):
        seen[zone] += 1
        if seen[zone] <= most:
            chosen.append(row)
    order = rng.permutation(chosen)
    return sides[order], population[order]


def differences(
    sides: NDArray[np.int8], judge: Judge
) -> tuple[Float64Array, Float64Array] | None:
    """Return the errors of rollouts of a race; None if solving it takes too long."""
    centred = race_of(sides)
    owned = replace(centred, cube="owned")
    source = judge.source(centred)
    if source is judge.model:
        return None
    exact = source.values(judge.races([centred, owned]))
    right = [exact.win_probability[0], *exact.no_double, exact.double_take[0]]
    found = []
    for checkers in TABLES:
        table = bearoff.two_sided_table(checkers) if checkers else None
        answer = rollout(centred, Goal(0, GAMES), seed=1, table=table, workers=1)
        action = answer.at("centred")
        found.append(
            [
                answer.win_probability,
                action.no_double,
                answer.at("owned").no_double,
                action.double_take,
            ]
        )
    off = [[one.value for one in row] - np.array(right) for row in found]
    return np.array(off), np.array([[one.standard_error for one in row] for row in found])


def measure(most: int, seed: int, known: NDArray[np.int8]) -> Kept:
    """Compare rollouts of drawn races with exact values; parameters as for `drawn`."""
    for checkers in (TABLES[-1], EXACT):
        bearoff.build_two_sided_table(checkers)
    judge = Judge([bearoff.two_sided_table(EXACT)], patience=PATIENCE)
    sides, population = drawn(most, seed, known)
    found = [differences(one, judge) for one in sides]
    held = np.array([one is not None for one in found])
    off, error = np.array([one for one in found if one is not None], "f4").swapaxes(0, 1)
    return Kept(sides[held], population[held], off, error)


def measured(kept: Kept) -> dict[str, dict[int, Systematic]]:
    """Return the error of each zone; `SHARE` of its races are within `TWO` such errors.

    The keys are those of `sim.rollouts.systematic.MEASURED`: place of the race, and mean
    EPC.
    """
    found: dict[str, dict[int, Systematic]] = {}
    for place, way in np.ndindex(len(PLACES), len(TABLES)):
        errors = found[key_of(place, way)] = {}
        for band in range(len(EPC) + 1):
            some = kept.of(np.all((place, band) == kept.zones.T, axis=1))
            off, error = some.off[:, way], some.error[:, way]
            held = np.quantile((off / TWO) ** 2 - error**2, SHARE, axis=0)
            units = np.ceil(np.sqrt(np.maximum(held, 0)) / UNIT).clip(min=1).astype(float)
            win, centred, owned, taken = (units * UNIT).round(4).tolist()
            epc = round(float(epc_of(some.sides).mean()))
            errors[epc] = Systematic(win, max(centred, owned), taken)
    return found


def key_of(place: int, way: int) -> str:
    """Return the key of a place and a table in `sim.rollouts.systematic.MEASURED`."""
    return PLACES[place] + (", into a table" if TABLES[way] else "")


def beyond_stated(kept: Kept, way: int, errors: float) -> NDArray[np.bool_]:
    """Return which races exceed a given number of stated errors, by `NAMES`."""
    stated = np.array(
        [
            systematic_error(race_of(one), at_score=False, into_table=TABLES[way] > 0)
            for one in kept.sides
        ]
    )[:, [0, 1, 1, 2]]
    whole = np.hypot(stated, kept.error[:, way])
    found: NDArray[np.bool_] = np.abs(kept.off[:, way]) > errors * whole
    return found


LOW, HIGH = 0.15, 0.9
"""Smallest and largest win probability of races at scores, between which the cube matters.
"""

MOST_SOLVED = 8
"""Maximum number of checkers for which a whole table is solved at a score."""


@dataclass(frozen=True)
class Kind:
    """Class of races, defined by the checkers and by the table in which games stop.

    Attributes
    ----------
    points, checkers : int
        Numbers of points and checkers of the table with the exact values.
    least : int
        Minimum number of checkers per side.
    into : int
        Checkers per side of the six-point table in which games stop; 0 for none.
    times : int
        Factor of the number of races, larger for few checkers, because such races differ
        more.
    """

    points: int
    checkers: int
    least: int
    into: int
    times: int = 1


def draw(kind: Kind, exact: bearoff.MatchTable | None, count: int) -> NDArray[np.int8]:
    """Draw races of a class, shape (count, 2, 24), in which both sides may win.

    Win probabilities come from a table or, if all checkers are home, from fewest-rolls
    play.
    """
    rng = np.random.default_rng(SEED)
    found: list[NDArray[np.int8]] = []
    while len(found) < count:
        sides = [
            np.bincount(rng.integers(0, kind.points, n), minlength=kind.points)
            for n in rng.integers(kind.least, kind.checkers + 1, 2)
        ]
        pair = [bearoff.rank(side) for side in sides]
        chance = float(
            bearoff.fewest_rolls_win_probability(*pair)
            if exact is None
            else exact.win_probability(*pair)
        )
        beyond = kind.points > bearoff.POINTS
        if LOW < chance < HIGH and not (beyond and not np.any(sides, axis=0)[6:].any()):
            found.append(widen(sides))
    return np.array(found)


AT_SCORES = (
    Kind(6, 5, 3, 0),
    Kind(6, 8, 6, 0),
    Kind(6, 10, 10, 0),
    Kind(6, 8, 7, 6),
    Kind(6, 10, 10, 6),
    Kind(12, 3, 1, 3, 3),
    Kind(12, 4, 4, 4),
    Kind(9, 6, 6, 6),
    Kind(8, 8, 8, 6),
)
SCORES = ((2, 4), (4, 2), (3, 5), (5, 3), (7, 7), (9, 5))
FEW_SCORES = ((3, 5), (7, 7))
"""Scores for those classes whose exact values take long to compute."""

SURE = 1.96
"""Number of standard errors within which 95% of normally distributed estimates lie."""


@dataclass(frozen=True)
class AtScores:
    """Errors of rollouts of a class of races, at match scores.

    Attributes
    ----------
    kind : Kind
        Class of the races that were rolled out.
    epc : float
        Mean EPC in pips of the side with the smaller EPC.
    within : tuple of float
        Errors of the win probability, of no double and of double/take, in EMG: the bound
        within which 95% of the differences lie, after subtracting the standard error,
        divided by `SURE`.
    worst : float
        Largest difference in EMG.
    covered : float
        Proportion of the 95% intervals, computed from stated errors, that contain the exact
        value.
    """

    kind: Kind
    epc: float
    within: tuple[float, float, float]
    worst: float
    covered: float


def at_scores(kind: Kind, count: int, games: int = GAMES) -> AtScores:
    """Roll out races of a class at scores with a live cube; compare with exact values."""
    rows: list[tuple[Float64Array, Float64Array, Float64Array]] = []
    epcs = []
    few = kind.checkers >= bearoff.CHECKERS - 5 or kind.points * kind.checkers >= 64
    for away in FEW_SCORES if few else SCORES:
        score = bearoff.Score(away)
        into = bearoff.match_table(kind.into, away) if kind.into else None
        for sides in draw_at_score(kind, count * kind.times):
            positions = (bearoff.Position(tuple(side.tolist())) for side in sides)
            race = bearoff.Race(*positions, score=score)
            exact = exact_at_score(kind, race, away)
            answer = rollout(race, Goal(0, games), seed=SEED, table=into, workers=1)
            assert answer.action is not None
            pair = [bearoff.rank(side[: kind.points]) for side in sides]
            estimates = answer.win_probability, answer.value, answer.action.double_take
            chances = float(exact.no_double(*pair)), float(exact.double_take(*pair))
            right = [
                float(exact.win_probability(*pair)),
                *(float(exact.equities.emg(chance, score)) for chance in chances),
            ]
            off = np.array([one.value for one in estimates]) - np.array(right)
            if away[1] <= 2:  # After a take, the opponent has no use for the cube.
                off[2] = np.nan
            error = np.array([one.standard_error for one in estimates])
            stated = np.array([one.systematic_error or 0.0 for one in estimates])
            rows.append((off, error, stated))
            epcs.append(bear_in().epc(sides).min())
    off, error, stated = np.array(rows).transpose(1, 0, 2)
    squares = np.nanquantile((off / SURE) ** 2 - error**2, 0.95, axis=0)
    known = ~np.isnan(off[:, 1:])
    inside = (np.abs(off) <= SURE * np.hypot(error, stated))[:, 1:]
    return AtScores(
        kind,
        float(np.mean(epcs)),
        tuple(np.sqrt(np.maximum(squares, 0)).tolist()),
        float(np.nanmax(np.abs(off[:, 1:]))),
        float(inside[known].mean()),
    )


def draw_at_score(kind: Kind, count: int) -> NDArray[np.int8]:
    """Draw races of a class; without a small table, by fewest-rolls win probabilities."""
    if kind.checkers <= MOST_SOLVED:
        exact = bearoff.match_table(kind.checkers, FEW_SCORES[0], points=kind.points)
        return draw(kind, exact, count)
    return draw(kind, None, count)


def exact_at_score(
    kind: Kind, race: bearoff.Race, away: tuple[int, int]
) -> bearoff.MatchTable:
    """Return the source of exact values for a race at a match score."""
    if kind.checkers <= MOST_SOLVED:
        return bearoff.match_table(kind.checkers, away, points=kind.points)
    return bearoff.match_race(race.on_points(bearoff.POINTS), away)


def page_at_scores(count: int) -> str:
    """Measure the errors at match scores; return the page."""
    scores = ", ".join("{}-{}".format(*away) for away in SCORES)
    rows = []
    for kind in AT_SCORES:
        found = at_scores(kind, count)
        print(found, flush=True)
        cells = [*_of(kind), f"{found.epc:.0f}", *(f"{one:.4f}" for one in found.within)]
        rows.append([*cells, f"{found.worst:.3f}", f"{found.covered:.1%}"])
    head = [*_RACES, "win probability", "no double", "double, take", "largest", "covered"]
    parts = [
        "# Systematic errors of rollouts at scores",
        f"{count} races of each kind at each of {scores} (only at 3-5 and 7-7 if exact "
        "values take long to compute), in EMG. Differences have long tails, so the table "
        "lists not their root mean square but the bound for 95% of them, divided by 1.96 "
        "and without the standard error. *Covered*: share of the 95% intervals, by the "
        "errors that rollouts state, that contain the exact equity.",
        markdown_table(head, rows),
    ]
    return markdown_page(parts)


_RACES = "races", "into the table of", "EPC"


def _of(kind: Kind) -> tuple[str, str]:
    """Describe the races of a class, and the table in which their games stop, in words."""
    least = f"{kind.least} to " if kind.least < kind.checkers else ""
    races = f"{least}{kind.checkers} checkers on {kind.points} points"
    return races, f"{kind.into} checkers" if kind.into else "none"


def page(setting: Kept, judging: Kept) -> str:
    constants = [
        [key, f"{epc}", *(f"{one:.4f}" for one in errors)]
        for key, bands in measured(setting).items()
        for epc, errors in bands.items()
    ]
    epcs = [f"{low:g} to {high:g}" for low, high in pairwise((0, *EPC))]
    epcs.append(f"{EPC[-1]:g} and more")
    rows = []
    for place, way, population in np.ndindex(len(PLACES), len(TABLES), len(POPULATIONS)):
        for band, epc in enumerate(epcs):
            at = np.all((place, band) == judging.zones.T, axis=1)
            at &= ~np.isnan(judging.error[:, way, 0])
            some = judging.of(at & (judging.population == population))
            if len(some.sides) < FEWEST:
                continue
            shares = [beyond_stated(some, way, k).mean(axis=0) for k in (1, 2)]
            cells = [key_of(place, way), POPULATIONS[population], epc, f"{len(some.sides)}"]
            cells += [f"{share:.0%}" for one in shares for share in one]
            rows.append([*cells, f"{np.abs(some.off[:, way]).max():.3f}"])
    parts = [
        "# Systematic errors of rollouts",
        "Races for money from matches and unusual ones, with stacks, gaps and checkers "
        f"left behind, of up to {EXACT} checkers a side, are compared with exact values: "
        f"rollouts of {GAMES:,} games, without a table and with the table of six checkers "
        "(`python -m research.comparisons.systematic`). *EPC* is that of the side with "
        "fewer pips.",
        f"In {SHARE:.0%} of {len(setting.sides):,} races, the error (without the standard "
        f"error) is at most {TWO:g} times the stated error. *No double* is the larger "
        "error of a centred and an owned cube.",
        markdown_table(
            ["races", "EPC", "win probability", "no double", "double, take"], constants
        ),
        f"{len(judging.sides):,} other races, drawn with another seed, did not influence "
        "the stated errors. Listed are the shares that are off by more than one and two "
        "errors (standard and systematic error together) of the win probability, no "
        "double, no redouble, and double, take. A share of 5% has a standard error of "
        f"{np.sqrt(0.05 * 0.95 / 130):.1%} in 130 races. Zones of fewer than {FEWEST} "
        "races are left out.",
        markdown_table(
            [
                *("races", "source", "EPC", "number"),
                *("beyond one", "", "", "", "beyond two", "", "", "", "largest"),
            ],
            rows,
        ),
    ]
    return markdown_page(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/rollouts/systematic.md"))
    parser.add_argument("--races", type=int, metavar="N", help="measure N of each kind")
    parser.add_argument(
        "--judging", type=int, metavar="N", help="measure N of each kind to test the errors"
    )
    parser.add_argument("--scores", type=int, metavar="N", help="measure at scores, N each")
    options = parser.parse_args(arguments)
    none = np.empty((0, 2, 24), dtype=np.int8)
    if options.races:
        found = measure(options.races, SEED, none)
        np.savez_compressed(RACES, **found._asdict())
    if options.judging:
        found = measure(options.judging, JUDGING_SEED, Kept.load(RACES).sides)
        np.savez_compressed(JUDGING, **found._asdict())
    if options.scores:
        text = page_at_scores(options.scores)
    else:
        text = page(Kept.load(RACES), Kept.load(JUDGING))
    write_page(text, options.write)


if __name__ == "__main__":
    main()
