"""Cube decisions in races at match scores, compared with GNU Backgammon's decisions.

Both programs use the match equity table Kazaross-XG2, GNU Backgammon's default. GNU
Backgammon looks two plies ahead, and considers every play. If all games end within two
plies, its errors come only from its bear-off table, which stores probabilities in steps of
1/65535. Otherwise, GNU Backgammon estimates the value of the cube by a formula.
"""

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bearoff
from bearoff import Race, Values, cube_actions, match_race
from bearoff.analysis.output import markdown_page, markdown_table
from oracles import gnubg
from research.comparisons.pages import page_parser, write_page

SCORES = ((2, 2), (2, 4), (4, 2), (3, 5), (5, 3), (4, 4), (9, 9))

LAST_ROLL = (
    ("0,1,0,0,1,0", "1,0,0,0,0,0"),
    ("0,0,0,0,0,1", "0,1,0,0,0,0"),
    ("0,0,0,1,1,0", "2,0,0,0,0,0"),
)
TWO_ROLLS = (
    ("3,0,0,0,0,0", "3,0,0,0,0,0"),
    ("2,1,0,0,1,0", "1,0,0,2,0,0"),
)
LONGER = (
    ("0,2,2,0,0,0", "0,2,2,0,0,0"),
    ("2,2,2,0,0,0", "2,2,2,0,0,0"),
    ("1,1,1,1,1,1", "1,1,1,1,1,1"),
    ("0,1,1,1,2,1", "0,1,1,2,1,1"),
)

_SETTINGS = """set player 0 human
set player 1 human
set automatic roll off
set automatic game off
set output mwc on
set output digits 6
set evaluation cubedecision evaluation plies 2
set evaluation cubedecision evaluation cubeful on
set evaluation cubedecision evaluation prune off
set evaluation cubedecision evaluation noise 0
"""


@dataclass(frozen=True)
class Verdict:
    """GNU Backgammon's match-winning chances of each cube action, and the best action."""

    no_double: float
    double_take: float
    double_pass: float
    action: str


def verdicts(cases: Sequence[tuple[tuple[int, int], Race]]) -> list[Verdict]:
    """Return GNU Backgammon's actions with a centred cube in races at match scores."""
    lines = _SETTINGS
    for away, race in cases:
        length = max(*away, 3)
        lines += f"new match {length}\nset score {length - away[0]} {length - away[1]}\n"
        lines += f"set turn 0\nset board {race.position_id}\nhint\n"
    with tempfile.TemporaryDirectory() as folder:
        commands = Path(folder) / "commands"
        commands.write_text(lines, encoding="ascii")
        done = subprocess.run(
            [str(gnubg.find("gnubg")), "-t", "-q", "-r", "-c", str(commands)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            text=True,
            timeout=600,
        )
    found = [_read(part) for part in done.stdout.split("Cube analysis")[1:]]
    if len(found) != len(cases):
        raise RuntimeError(f"{len(cases)} questions and {len(found)} answers")
    return found


def _read(text: str) -> Verdict:
    def percent(name: str) -> float:
        found = re.search(rf"\d\. {name}\s+([\d.]+)", text)
        assert found is not None, text
        return float(found[1]) / 100

    action = re.search(r"Proper cube action: (.*)", text)
    assert action is not None, text
    return Verdict(
        percent("No double"),
        percent("Double, take"),
        percent("Double, pass"),
        action[1].partition(" (")[0].strip(),
    )


def wrong_by(verdict: Verdict, exact: Values) -> float:
    """Return the match-winning chance that GNU Backgammon's cube actions in a race lose."""
    doubles = verdict.action.startswith(("Double", "Redouble"))
    cost = exact.wrong_double if doubles else exact.missed_double
    take = exact.wrong_take if verdict.action.endswith("take") else exact.wrong_pass
    unit = exact.terms.unit
    assert unit is not None
    return unit * (float(cost) + float(take))


def page() -> str:
    parts = [
        "# GNU Backgammon at a score",
        "`python -m research.comparisons.match_gnubg` compares GNU Backgammon "
        f"{gnubg.version()} at two plies with the exact values of `bearoff.match_race`. "
        "Both use the match equity table Kazaross-XG2. Values are the roller's "
        "match-winning chances in percent, with the cube centred at 1. The *cost* is the "
        "match-winning chance that GNU Backgammon's double and take decisions lose, also "
        "in percent.",
        "In races that end with the next roll, both programs agree, because the game "
        "ends within GNU Backgammon's two plies. The match-winning chances of the two "
        "programs differ if the race continues after two plies. GNU Backgammon then "
        "estimates the value of the cube from the win probability alone. This estimate "
        "ignores how much the next rolls can change the win probability. The largest "
        "differences come from the opponent's redoubles at 2-away 4-away.",
    ]
    for title, pairs in (
        ("Races that end with the next roll", LAST_ROLL),
        ("Races that last about two rolls", TWO_ROLLS),
        ("Longer races", LONGER),
    ):
        cases = [
            (away, Race(*map(bearoff.Position.parse, pair)))
            for away in SCORES
            for pair in pairs
        ]
        rows, largest = [], 0.0
        for (away, race), theirs in zip(cases, verdicts(cases), strict=True):
            table = match_race(race, away)
            ours = cube_actions(table, race.roller.number, race.opponent.number)
            waits, taken = (
                float(ours.terms.chance(equity))
                for equity in (ours.no_double, ours.double_take)
            )
            off = (
                abs(theirs.no_double - waits),
                abs(theirs.double_take - taken),
            )
            largest = max(largest, *off)
            chances = waits, theirs.no_double, taken, theirs.double_take
            rows.append(
                [
                    f"{away[0]}-away {away[1]}-away",
                    *map(str, (race.roller, race.opponent)),
                    *(f"{chance:.3%}" for chance in chances),
                    *(str(ours.action), theirs.action.lower()),
                    f"{wrong_by(theirs, ours):.3%}",
                ]
            )
        shown = markdown_table(_HEAD, rows)
        parts += [
            f"## {title}",
            "The largest difference between the two programs' match-winning chances is "
            f"{100 * largest:.4f} percentage points.",
            shown,
        ]
    return markdown_page(parts).replace("%", "")


_BY = "exact", "GNU Backgammon"

_HEAD = (
    *("score", "roller", "opponent"),
    *(f"{value}, {by}" for value in ("no double", "double, take") for by in _BY),
    *(f"action, {by}" for by in _BY),
    "cost",
)


def main(arguments: list[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/match/gnubg.md"))
    options = parser.parse_args(arguments)
    gnubg.require()
    text = page()
    write_page(text, options.write)


if __name__ == "__main__":
    main()
