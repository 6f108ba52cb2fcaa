"""Rollouts at match scores, compared with exact values and with GNU Backgammon's rollouts.

Races of 7 and 8 checkers a side are rolled out until they reach the table of 6 checkers,
and compared with exact values from the table of 8 checkers. Long races are compared with
GNU Backgammon's rollouts, in which GNU Backgammon makes cube decisions at 0 ply.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import bearoff
from bearoff import Race, Score, cube_actions, match_table
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.sim.rollouts import Estimate, Goal, rollout
from oracles import gnubg
from research.comparisons.pages import page_parser, write_page

SCORES = ("2-4", "4-2", "3-5", "5-3", "7-7", "4-1 post-Crawford", "3-1 Crawford")

CLOSE = 0.3, 0.93
"""Minimum and maximum win probability of the races that are used."""

LONG = (
    ("[5,5,6,6,6,7,8,8,9]", "[4,4,5,6,6,6,7,8,10]"),
    ("[3,3,4,4,4,5,5,5,6,6,6,6,7,7,8]", "[2,3,3,4,4,5,5,5,6,6,6,6,7,8,9]"),
    ("[4,4,5,5,5,6,6,6,6,6,6,6,6,6,6]", "[4,5,5,5,5,6,6,6,6,6,6,6,6,7,7]"),
)
HELD = (
    ("[4,5,5,6,6,6,6,6]", "[5,5,5,6,6,6,6,6]"),
    ("[3,4,4,5,5,6,6,6]", "[3,4,5,5,5,6,6,6]"),
)
"""Races with known exact values, with which GNU Backgammon's rollouts are compared."""

LONG_SCORES = ("2-4", "4-2", "5-3")


@dataclass(frozen=True)
class Errors:
    """Errors of rollouts in races at one match score, in EMG.

    Attributes
    ----------
    races : int
        Number of races compared.
    no_double, double_take, standard : float
        Root mean square errors of the equities without a double and after a double and a
        take, and the standard error of the equity without a double.
    lost : float or None
        Largest cost, in EMG, of a cube decision that follows a rollout; None if nobody may
        double.
    """

    races: int
    no_double: float
    double_take: float
    standard: float
    lost: float | None


def compare(
    score: Score, races: int, goal: Goal, checkers: int = 8, into: int = 6
) -> Errors:
    """Compare rollouts that end in a table of fewer checkers with exact values."""
    exact = match_table(checkers, score.away, score.game)
    table = match_table(into, score.away, score.game)
    rng = np.random.default_rng(1)
    first, last = (bearoff.position_count(6, n) for n in (checkers - 2, checkers))
    found: list[tuple[float, float, float]] = []
    lost = []
    while len(found) < races:
        x, y = rng.integers(first, last, 2).tolist()
        if not CLOSE[0] < float(exact.win_probability(x, y)) < CLOSE[1]:
            continue
        sides = (bearoff.Position.from_number(number) for number in (x, y))
        answer = rollout(Race(*sides, score=score), goal, table=table)

        def emg(chance: object) -> float:
            return float(exact.equities.emg(float(chance), score))

        taken = 0.0
        if answer.action is not None:
            double_take = emg(exact.double_take(x, y))
            taken = answer.action.double_take.value - double_take
            right = cube_actions(exact, x, y)
            doubles = answer.action.gain.value >= 0
            cost = right.wrong_double if doubles else right.missed_double
            lost.append(float(cost))
        value = answer.value
        off = value.value - emg(exact.no_double(x, y))
        found.append((off, taken, value.standard_error))
    rms = np.sqrt(np.mean(np.square(found), axis=0)).tolist()
    return Errors(races, *rms, lost=max(lost) if lost else None)


def gnubg_chances(
    race: Race, score: Score, *, doubled: bool, games: int
) -> tuple[float, float]:
    """Return the roller's match-winning chance and its error, by GNU Backgammon rollouts.

    Either the cube is centred and both sides may double, or the cube has the value 2 and
    the opponent owns it after a take.
    """
    length = max(*score.away, 3)
    lines = gnubg.commands(race, gnubg.Settings(True, True), games, 1)
    at = lines.index("new session")
    away = score.away
    lines[at : at + 1] = [
        "set output mwc on",
        f"new match {length}",
        f"set score {length - away[1]} {length - away[0]}",
    ]
    if doubled:
        lines[-2:-2] = ["set cube value 2", "set cube owner 0"]
    return gnubg.match_chance(lines)


def _long_rows(score: Score, games: int) -> list[list[str]]:
    """Return table rows that compare long races' rollouts by both programs."""
    table, rows = match_table(8, score.away, score.game), []
    for pair in LONG:
        race = Race(*(bearoff.Position.parse(side, 24) for side in pair))
        answer = rollout(replace(race, score=score), Goal(0.002, 200_000), table=table)
        action = answer.action
        if action is None:
            raise ValueError(f"nobody may double at {score}; choose another score")
        # GNU Backgammon also assumes that all cube decisions are perfect, including the
        # first one.
        doubled = min(action.double_take, Estimate(1.0, 0.0), key=lambda one: one.value)
        best = max(action.no_double, doubled, key=lambda one: one.value)
        cells = [str(score), f"{pair[0]} v {pair[1]}", action.action]
        for ours, taken in ((best, False), (action.double_take, True)):
            chance = answer.chance(ours)
            theirs = gnubg_chances(race, score, doubled=taken, games=games)
            for value, error in ((chance.value, chance.standard_error), theirs):
                cells.append(f"{100 * value:.3f} ± {100 * error:.3f}")
        rows.append(cells)
    return rows


def _held_rows(score: Score, games: int) -> list[list[str]]:
    """Return table rows that compare exact values with GNU Backgammon's rollouts."""
    rows = []
    for pair in HELD:
        race = Race(*(bearoff.Position.parse(side) for side in pair))
        table = bearoff.match_race(race, score.away, score.game)
        numbers = race.roller.number, race.opponent.number
        exact = table.value(*numbers), table.double_take(*numbers)
        wide = Race(*(bearoff.Position.parse(side, 24) for side in pair))
        cells = [str(score), f"{pair[0]} v {pair[1]}"]
        for value, taken in zip(exact, (False, True), strict=True):
            chance, error = gnubg_chances(wide, score, doubled=taken, games=games)
            cells += [
                f"{100 * float(value):.3f}",
                f"{100 * chance:.3f} ± {100 * error:.3f}",
            ]
        rows.append(cells)
    return rows


def held_part(games: int) -> list[str]:
    """Return the text and table that compare GNU Backgammon's rollouts and exact values."""
    rows = [row for text in LONG_SCORES for row in _held_rows(Score.parse(text), games)]
    return [
        "The match-winning chances of the two programs after a double agree within two "
        "or three standard errors. With a centred cube at 2-away 4-away, the two "
        "programs do not agree. At this score, GNU Backgammon's rollouts differ by about "
        "as much from exact values in races of eight checkers a side:",
        markdown_table(["score", "race", *_values("exact")], rows),
    ]


def _values(by: str) -> list[str]:
    """Return the column headings for values by one method and by GNU Backgammon."""
    kinds = "best action", "double, take"
    return [f"{kind}, {one}" for kind in kinds for one in (by, "GNU Backgammon")]


def page(races: int, games: int) -> str:
    rows = []
    for text in SCORES:
        score = Score.parse(text)
        found = compare(score, races, Goal(0.003, 30_000))
        double_take = "-" if found.lost is None else f"{found.double_take:.4f}"
        lost = "-" if found.lost is None else f"{found.lost:.4f}"
        emg = f"{found.no_double:.4f}", double_take, f"{found.standard:.4f}", lost
        rows.append([str(score), str(found.races), *emg])
    long = [row for text in LONG_SCORES for row in _long_rows(Score.parse(text), games)]
    parts = [
        "# Rollouts at match scores",
        "`python -m research.comparisons.match_rollouts` writes this page.",
        "## Compared with exact values",
        f"At each score, {races} races of 7 and 8 checkers, in which the roller wins "
        f"{CLOSE[0]:.0%} to {CLOSE[1]:.0%} of games, are rolled out until they reach the "
        "table of 6 checkers. The columns *no double* and *double, take* show the rms "
        "differences between the equities of these rollouts and the exact equities in "
        "the table of 8 checkers. The differences between rollouts and exact equities "
        "are due to chance, and to errors of the simulated players before the game "
        "reaches the table of 6 checkers. *Largest cost* is the largest equity that is "
        "lost by following the rollout in a decision to double or not. All values are in "
        "EMG.",
        markdown_table(["score", "races", "no double", "double, take", *_REST], rows),
        "## Long races compared with GNU Backgammon",
        f"Each rollout of GNU Backgammon {gnubg.version()} has {games:,} games at 0 plies "
        "with variance reduction, in which GNU Backgammon's formula turns the cube. The "
        "two values in a cell are the roller's match-winning chances in percent: first "
        "with the roller's best cube action, then after a double that is taken. Rollouts "
        "of this program stop in the table of 8 checkers.",
        markdown_table(["score", "race", "action", *_values("this program")], long),
        *held_part(games),
    ]
    return markdown_page(parts)


_REST = "rms standard error", "largest cost"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/match/rollouts.md"))
    parser.add_argument("--races", type=int, default=60, help="races for each score")
    parser.add_argument(
        "--games", type=int, default=1296, help="games per rollout by GNU Backgammon"
    )
    options = parser.parse_args(arguments)
    gnubg.require()
    text = page(options.races, options.games)
    write_page(text, options.write)


if __name__ == "__main__":
    main()
