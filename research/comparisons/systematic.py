"""Systematic errors of rollouts, which do not decrease with the number of games.

Rollouts of races from matches, and of unusual races, are compared with exact values. Exact
values come from the table of ten checkers, or from solving the race. All races are rolled
out to the end. Races at home are also rolled out until they reach the table of six
checkers. One set of races determines the errors that rollouts state, and races drawn with
another seed test these errors. The results are stored after every few races. The program
continues with the stored races; to measure all races anew, remove the files.

At match scores, the positions of both sides are drawn with equal probabilities. They are
rolled out as if no table contained them, with a smaller table, or with a table that
contains them once both sides are home.
"""

import io
import math
import time
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
from bearoff.match_solver import least_seconds, may_be_solved
from bearoff.scores import known_equities
from bearoff.sim.rollouts import Goal, rollout
from bearoff.sim.rollouts.results import CHUNK_GAMES
from bearoff.sim.rollouts.systematic import (
    PLACES,
    Systematic,
    key_of,
    place_of,
    systematic_error,
)
from bearoff.storage import write_atomic
from research.comparisons.pages import page_parser, write_page
from research.stated_errors import (
    POPULATIONS,
    REFERENCE,
    open_races,
    unusual_races,
)

SEED, JUDGING_SEED = 20261129, 20261130
UNUSUAL = 3_000
"""Number of random unusual races that may be chosen for the comparison."""

GAMES = CHUNK_GAMES
"""Games of each rollout."""

Float64Array = NDArray[np.float64]

NAMES = ("win probability", "no double", "no redouble", "double, take")
"""Names of the values that are compared with exact values in races for money."""

RACES = Path("results/rollouts/systematic.npz")
"""File of the races for money that determine the stated errors of rollouts."""

JUDGING = Path("results/rollouts/systematic-judging.npz")
"""File of the races for money with which the stated errors of rollouts are tested."""

TABLES = (0, 6)
"""Checkers per side of the table in which rolled-out games stop; 0 if games are played to
the end."""

EPC = (20.0, 28.0, 36.0, 44.0)
"""Limits in pips between classes of races, for the smaller EPC of the two sides."""

CHECKERS = (3, 6, 10, 15)
"""Maximum number of checkers per side in each class of races."""

HINDMOST = (9, 13, 24)
"""Highest point of the hindmost checker in each class of races with checkers outside
home."""

FEWEST = 10
"""Minimum number of races in a class whose stated error is tested."""

TWO, SHARE = 2.0, 0.98
"""In each class of races, a proportion `SHARE` of the errors should be within `TWO` stated
errors."""

SETTING = 60
"""Minimum number of races that determine a stated error."""

LENGTHS = 3
"""Minimum number of groups of races that get separate stated errors."""

UNIT = 1e-4
"""Stated errors are rounded up to a multiple of this number."""

EXACT, SOON, PATIENCE = 10, 0.1, 5.0
"""Checkers per side of the table with exact values, and limits of the estimated time in
seconds for solving other races."""

EVERY = 10
"""Number of rolled-out races after which results are stored."""


Races = tuple[NDArray[np.int8], NDArray[np.int8]]
"""Checkers of both sides in each race, and index of the population of each race."""


class Kept(NamedTuple):
    """Races for money, with the errors and standard errors of their rollouts.

    Attributes
    ----------
    sides : ndarray of int8, shape (n, 2, 24)
    population : ndarray of int8, shape (n,)
        Index into `research.stated_errors.POPULATIONS`.
    off, error : ndarray of float32, shape (n, 2, 4)
        Error and standard error of each rolled-out value; NaN for values that were not
        computed. The second index is that of a table in `TABLES`, and the third that of a
        value in `NAMES`.
    """

    sides: NDArray[np.int8]
    population: NDArray[np.int8]
    off: NDArray[np.float32]
    error: NDArray[np.float32]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load all stored races from a file; return no races if the file does not exist."""
        if not path.exists():
            shapes = (0, 2, 24), (0,), *(2 * [(0, len(TABLES), len(NAMES))])
            types = "i1", "i1", "f4", "f4"
            return cls(*(np.empty(*one) for one in zip(shapes, types, strict=True)))
        with np.load(path) as kept:
            return cls(*(kept[name] for name in cls._fields))

    def solved(self) -> Self:
        """Return the stored races whose exact values are known."""
        return self.of(~np.isnan(self.off[:, 0, 0]))

    def of(self, rows: NDArray[Any]) -> Self:
        """Return the races with the given indices."""
        return type(self)(*(field[rows] for field in self))

    @property
    def places(self) -> NDArray[np.intp]:
        """Index, in `PLACES`, of the class of each race by its hindmost checker."""
        found = [PLACES.index(place_of(race_of(one))) for one in self.sides]
        return np.array(found, dtype=np.intp)

    @property
    def bands(self) -> NDArray[np.intp]:
        """Index of the interval of `EPC` in which each race's smaller EPC lies."""
        return np.searchsorted(EPC, epc_of(self.sides), side="right")


def epc_of(sides: NDArray[np.int8]) -> Float64Array:
    """Return the EPC of the side with the smaller EPC in each race, in pips."""
    shorter: Float64Array = bear_in().epc(sides).min(axis=1)
    return shorter


def race_of(sides: NDArray[np.int8]) -> bearoff.Race:
    """Return a race for money with a centred cube, given the checkers of both sides."""
    return bearoff.Race(*(bearoff.Position(tuple(side.tolist())) for side in sides))


def drawn(most: int, seed: int, kept: Kept, known: NDArray[np.int8]) -> Races:
    """Draw races that can be solved quickly from every class of races, in random order.

    Parameters
    ----------
    most : int
        Maximum number of races in each class and population, including stored races with
        exact values.
    seed : int
    kept : Kept
        Stored races, which must not be drawn again.
    known : ndarray of int8, shape (n, 2, 24)
        More races that must not be drawn.
    """
    rng = np.random.default_rng(seed)
    left_out = {one.tobytes() for one in (*known, *kept.sides)}
    reference, further = np.load(REFERENCE), open_races(unusual_races(UNUSUAL, seed))
    sides = np.concatenate([reference["sides"], further])
    population = np.append(reference["population"], np.ones(len(further), dtype=np.int8))
    bands = np.searchsorted(EPC, epc_of(sides), side="right")
    solved = kept.solved()
    zones = zip(solved.places.tolist(), solved.bands, solved.population, strict=True)
    seen = Counter((PLACES[place], *zone) for place, *zone in zones)
    chosen = []
    for row in rng.permutation(len(sides)):
        race = race_of(sides[row])
        zone = place_of(race), bands[row], population[row]
        if seen[zone] < most and sides[row].tobytes() not in left_out and _is_fast(race):
            seen[zone] += 1
            chosen.append(row)
    order = rng.permutation(np.array(chosen, dtype=np.intp))
    return sides[order], population[order]


def _is_fast(race: bearoff.Race) -> bool:
    """Return whether exact values of a race are in the table or can be found quickly."""
    larger = max(race.roller.on_board, race.opponent.on_board)
    if larger <= EXACT and place_of(race) == "home":
        return True
    return may_be_solved(race) and least_seconds(race, known_equities(None)) <= SOON


def differences(sides: NDArray[np.int8], judge: Judge) -> tuple[Float64Array, Float64Array]:
    """Return a race's errors and standard errors by rollouts; NaN without exact values."""
    centred = race_of(sides)
    owned = replace(centred, cube="owned")
    off, error = np.full((2, len(TABLES), len(NAMES)), np.nan)
    source = judge.source(centred)
    if source is judge.model:
        return off, error
    exact = source.values(judge.races([centred, owned]))
    right = [exact.win_probability[0], *exact.no_double, exact.double_take[0]]
    for way, checkers in enumerate(TABLES[: ways_of(place_of(centred))]):
        table = bearoff.two_sided_table(checkers) if checkers else None
        answer = rollout(centred, Goal(0, GAMES), seed=1, table=table, workers=1)
        action = answer.at("centred")
        found = (
            answer.win_probability,
            action.no_double,
            answer.at("owned").no_double,
            action.double_take,
        )
        off[way] = np.array([one.value for one in found]) - np.array(right)
        error[way] = [one.standard_error for one in found]
    return off, error


def ways_of(place: str) -> int:
    """Return in how many of the `TABLES` rollouts of a class of races can end."""
    return len(TABLES) if place == "home" else 1


def measure(path: Path, races: Races, until: float) -> None:
    """Compare rollouts of races with exact values, and store the results.

    Parameters
    ----------
    path : Path
        File of `Kept`.
    races : tuple of ndarray
        Races that are not yet in the file: both sides' checkers, and index of the
        population.
    until : float
        Time of `time.monotonic` after which no race is begun.
    """
    for checkers in (TABLES[-1], EXACT):
        bearoff.build_two_sided_table(checkers)
    judge = Judge([bearoff.two_sided_table(EXACT)], patience=PATIENCE)
    kept, rows = Kept.load(path), range(len(races[0]))
    new: list[tuple[Any, ...]] = []
    for number, row in enumerate(rows, 1):
        if time.monotonic() > until:
            break
        sides, population = (field[row] for field in races)
        new.append((sides, population, *differences(sides, judge)))
        if number % EVERY == 0:
            kept, new = _store(path, kept, new), []
            print(f"{number} of {len(rows)} races", flush=True)
    if new:
        _store(path, kept, new)


def _store(path: Path, kept: Kept, new: list[tuple[Any, ...]]) -> Kept:
    fields = zip(Kept._fields, zip(*new, strict=True), strict=True)
    old = kept._asdict()
    whole = Kept(
        *(
            np.concatenate([old[name], np.array(more, dtype=old[name].dtype)])
            for name, more in fields
        )
    )
    content = io.BytesIO()
    np.savez_compressed(content, **whole._asdict())
    write_atomic(path, content.getvalue())
    return whole


def places_and_ways() -> list[tuple[int, int]]:
    """Return all combinations of a class of races and a table, as pairs of indices."""
    return [(k, way) for k, place in enumerate(PLACES) for way in range(ways_of(place))]


def measured(kept: Kept) -> dict[str, dict[int, Systematic]]:
    """Compute the errors that rollouts must state, from the measured errors of races.

    The proportion `SHARE` of the measured errors is at most `TWO` stated errors.

    Each class of races is divided by EPC into groups of equal size. If a class has fewer
    than `LENGTHS` groups, the largest error of its groups applies to the whole class. The
    keys are those of `sim.rollouts.systematic.MEASURED`: the class of the race, and the
    mean EPC of the group.
    """
    found: dict[str, dict[int, Systematic]] = {}
    for place, way in places_and_ways():
        some = kept.of(kept.places == place)
        order = np.argsort(epc_of(some.sides), kind="stable")
        count = int(np.clip(len(order) // SETTING, 1, len(EPC) + 1))
        errors: dict[int, Systematic] = {}
        for rows in np.array_split(order, count):
            off, error = some.off[rows, way], some.error[rows, way]
            held = np.nanquantile((off / TWO) ** 2 - error**2, SHARE, axis=0)
            units = np.ceil(np.sqrt(np.maximum(held, 0)) / UNIT).clip(min=1).astype(float)
            win, centred, owned, taken = (units * UNIT).round(4).tolist()
            epc = round(float(epc_of(some.sides[rows]).mean()))
            errors[epc] = Systematic(win, float(np.fmax(centred, owned)), taken)
        if count < LENGTHS:
            epc = round(float(epc_of(some.sides).mean()))
            errors = {epc: Systematic(*np.max(list(errors.values()), axis=0).tolist())}
        found[key_of(PLACES[place], TABLES[way] > 0)] = errors
    return found


def beyond_stated(kept: Kept, way: int, errors: float) -> NDArray[np.bool_]:
    """Return which rolled-out values are wrong by more than `errors` stated errors."""
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
"""Minimum and maximum win probability of races at match scores, so that the cube matters.
"""

MOST_SOLVED = 8
"""Maximum number of checkers per side for which a whole table is solved at a match score.
"""


@dataclass(frozen=True)
class Kind:
    """Class of races by number of checkers, and the table in which their rollouts end.

    Attributes
    ----------
    points, checkers : int
        Number of points, and of checkers per side, of the table with the exact values.
    least : int
        Minimum number of checkers per side.
    into : int
        Number of checkers per side of the table of six points in which games stop; 0 if no
        table stops games.
    times : int
        Factor by which the number of races in this class is multiplied.
    """

    points: int
    checkers: int
    least: int
    into: int
    times: int = 1


def draw(kind: Kind, exact: bearoff.MatchTable | None, count: int) -> NDArray[np.int8]:
    """Draw races of a class in which both sides may win, as an array (count, 2, 24).

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
"""Match scores for classes of races whose exact values take long to compute."""

SURE = 1.96
"""Half the width of a 95% confidence interval, in standard errors."""


@dataclass(frozen=True)
class AtScores:
    """Errors of rollouts in a class of races, at match scores.

    Attributes
    ----------
    kind : Kind
        Class of the races that were rolled out.
    epc : float
        Mean EPC in pips of the side with the smaller EPC.
    within : tuple of float
        Systematic errors, in EMG, that are not exceeded in 95% of the races: of the win
        probability, of the equity without a double, and of the equity after a double and a
        take.
    worst : float
        Largest difference between a rolled-out and an exact value, in EMG.
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
    """Roll out races at several match scores, and compare results with exact values."""
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
    """Draw races of a class in which both sides may win at a match score."""
    if kind.checkers <= MOST_SOLVED:
        exact = bearoff.match_table(kind.checkers, FEW_SCORES[0], points=kind.points)
        return draw(kind, exact, count)
    return draw(kind, None, count)


def exact_at_score(
    kind: Kind, race: bearoff.Race, away: tuple[int, int]
) -> bearoff.MatchTable:
    """Return a table with the exact values of a race at a match score."""
    if kind.checkers <= MOST_SOLVED:
        return bearoff.match_table(kind.checkers, away, points=kind.points)
    return bearoff.match_race(race.on_points(bearoff.POINTS), away)


def page_at_scores(count: int) -> str:
    """Measure the systematic errors of rollouts at match scores; return a Markdown page."""
    scores = ", ".join("{}-{}".format(*away) for away in SCORES)
    rows = []
    for kind in AT_SCORES:
        found = at_scores(kind, count)
        print(found, flush=True)
        cells = [*_of(kind), f"{found.epc:.0f}", *(f"{one:.4f}" for one in found.within)]
        rows.append([*cells, f"{found.worst:.3f}", f"{found.covered:.1%}"])
    head = [*_RACES, "win probability", "no double", "double, take", "largest difference"]
    parts = [
        "# Systematic errors of rollouts at match scores",
        f"{count} races of each kind are rolled out at each of the scores {scores}, and "
        "compared with exact values, in EMG. Races whose exact values take long to "
        "compute are rolled out only at 3-5 and 7-7. The shortest races beyond home are "
        "measured in three times as many races. The columns from win probability to "
        "double, take state the systematic error as a standard deviation. It is computed "
        "from the bound that 95% of the differences do not exceed, without the "
        "statistical error. A root mean square would depend on a few large differences. "
        "*Covered* is the share of 95% intervals that contain the exact equity, if the "
        "intervals include the systematic errors that rollouts state.",
        markdown_table([*head, "covered"], rows),
    ]
    return markdown_page(parts)


_RACES = "races", "table in which rollouts stop", "EPC"


def _of(kind: Kind) -> tuple[str, str]:
    """Describe a class of races, and the table in which their rollouts end, in words."""
    least = f"{kind.least} to " if kind.least < kind.checkers else ""
    races = f"{least}{kind.checkers} checkers a side on {kind.points} points"
    return races, f"{kind.into} checkers" if kind.into else "none"


def page(setting: Kept, judging: Kept) -> str:
    constants = [
        [key, f"{epc}", *(f"{one:.4f}" for one in errors)]
        for key, bands in measured(setting).items()
        for epc, errors in bands.items()
    ]
    places, bands = judging.places, judging.bands
    larger = np.searchsorted(CHECKERS, judging.sides.sum(axis=2).max(axis=1))
    used = judging.sides.any(axis=1)
    highest = np.where(used, np.arange(1, used.shape[1] + 1), 0).max(axis=1)
    hindmost = np.searchsorted(HINDMOST, highest)
    columns = [
        *(f"{low:g} to {high:g} pips" for low, high in pairwise((0, *EPC))),
        f"{EPC[-1]:g} pips and more",
    ]
    checkers = [f"{low + 1} to {high} checkers" for low, high in pairwise((0, *CHECKERS))]
    points = [f"rearmost checker at most on the {point} point" for point in HINDMOST]
    rows = []
    for place, way in places_and_ways():
        key = key_of(PLACES[place], TABLES[way] > 0)
        zones = [
            ("all", places >= 0),
            *((one, judging.population == k) for k, one in enumerate(POPULATIONS)),
            *((one, bands == k) for k, one in enumerate(columns)),
            *((one, larger == k) for k, one in enumerate(checkers)),
            *((one, (hindmost == k) & (place > 0)) for k, one in enumerate(points)),
        ]
        for name, at in zones:
            some = judging.of(at & (places == place))
            if len(some.sides) < FEWEST:
                continue
            shares = [beyond_stated(some, way, k).mean(axis=0) for k in (1, 2)]
            cells = [key, name, f"{len(some.sides)}"]
            cells += [f"{share:.0%}" for one in shares for share in one]
            rows.append([*cells, f"{np.nanmax(np.abs(some.off[:, way])):.3f}"])
    values = "win probability", "no double", "no redouble", "double, take"
    parts = [
        "# Systematic errors of rollouts",
        "`python -m research.comparisons.systematic` compares rollouts of races for "
        "money with exact values. The races are from matches (*match*), or they are "
        "*unusual*, with stacks, gaps and checkers left behind. All races are rolled out "
        "to the end. Races at home are also rolled out until both sides are in the table "
        "of six checkers. *Home* means that all checkers of both sides are home. *Few, "
        "beyond* means races with a checker beyond home in which the sides have so few "
        "checkers that a rollout can number all positions that may occur. *Beyond* means "
        "all races with a checker beyond home in which the sides have more checkers. "
        "Each race takes at most a few seconds to solve exactly. *EPC* is the mean EPC "
        "of the side whose EPC is smaller.",
        "The table shows the systematic errors that rollouts state. They were determined "
        f"from {len(setting.sides):,} races: after the standard error is subtracted, at "
        f"least {SHARE:.0%} of the differences from the exact values are within {TWO:g} "
        f"stated errors. Each rollout has {GAMES:,} games. Some rollouts of races at home "
        "were made with an earlier version of the simulated players, whose win "
        "probabilities had larger errors. *No double* is the error of the equity without "
        "a double: the larger of the errors with a centred cube and with a cube that the "
        "roller owns.",
        markdown_table(
            ["races", "EPC", "win probability", "no double", "double, take"], constants
        ),
        "For races with a checker beyond home, the largest error of all groups by EPC "
        "applies to every EPC. Systematic errors interpolated between the groups were too "
        "small for test races with 11 to 15 checkers, above all for races with a stack "
        "and one or two stragglers. The test races did not determine any stated error, "
        "but they decided between the two rules: one error for every EPC, or "
        "interpolated errors.",
        f"{len(judging.sides):,} other races, drawn with another seed, test the stated "
        "errors. The table shows the share of races in which a value is wrong by more "
        "than one stated error or two stated errors. A stated error combines the "
        "standard error and the systematic error. In a group of 50 races, a share of 5% "
        f"in this table has a standard error of {np.sqrt(0.05 * 0.95 / 50):.1%}. Groups "
        f"of fewer than {FEWEST} races are left out.",
        markdown_table(
            [
                *("races", "group", "number"),
                *(
                    f"{value} wrong by more than {k}"
                    for k in ("1 stated error", "2 stated errors")
                    for value in values
                ),
                "largest difference",
            ],
            rows,
        ),
    ]
    return markdown_page(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/rollouts/systematic.md"))
    parser.add_argument(
        "--races",
        type=int,
        metavar="N",
        help="roll out up to N races of each class, to determine the stated errors",
    )
    parser.add_argument(
        "--judging",
        type=int,
        metavar="N",
        help="roll out up to N races of each class, to test the stated errors",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=math.inf,
        help="maximum time in minutes for each of the two sets of races",
    )
    parser.add_argument(
        "--scores",
        type=int,
        metavar="N",
        help="write the page on match scores, with N rolled-out races of each class",
    )
    options = parser.parse_args(arguments)
    for count, seed, path, other in (
        (options.races, SEED, RACES, JUDGING),
        (options.judging, JUDGING_SEED, JUDGING, RACES),
    ):
        if count:
            until = time.monotonic() + 60 * options.minutes
            races = drawn(count, seed, Kept.load(path), Kept.load(other).sides)
            measure(path, races, until)
    if options.scores:
        text = page_at_scores(options.scores)
    else:
        text = page(*(Kept.load(path).solved() for path in (RACES, JUDGING)))
    write_page(text, options.write)


if __name__ == "__main__":
    main()
