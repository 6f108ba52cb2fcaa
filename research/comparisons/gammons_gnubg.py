"""Gammon chances by this program's rollouts, compared with GNU Backgammon's rollouts.

In each race, one side is far behind, mostly with checkers outside home. There is no cube,
so both sides play for points. GNU Backgammon uses its race network until all checkers are
home, and then its table of gammons.
"""

from collections.abc import Sequence
from pathlib import Path

import bearoff
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.sim.rollouts import Goal, Rollout, rollout
from oracles import gnubg
from research.comparisons.pages import page_parser, write_page

RACES = (
    ("[1,1,2,2,3]", "[6,6,6,6,6,6,6,6,6,6,6,6,6,8,20]"),
    ("[1,1,1,2,2,3]", "[6,6,6,6,5,5,5,4,4,3,3,2,9,11,14]"),
    ("[1,2,2,3,4,4]", "[6,6,6,5,5,5,4,4,3,3,2,8,9,10,13]"),
    ("[1,1,2,2,3,3,4,5]", "[6,6,6,6,5,5,4,4,3,9,10,12,13,18,19]"),
    ("[1,2,2,3,3,4,4,5,6]", "[6,6,6,5,5,4,7,8,8,9,10,12,13,13,18]"),
    ("[1,1,1,2,2,2,3,3,4,5]", "[6,6,5,5,4,4,3,3,8,8,12,13,13,14,16]"),
    ("[1,1,2,2]", "[6,6,6,6,5,5,5,4,4,3,3,2,1,16,19]"),
    ("[2,2,3,3]", "[6,6,6,6,6,6,6,5,5,5,5,4,4,4,3]"),
)
GAMES = 5184


def race_of(roller: str, opponent: str) -> bearoff.Race:
    """Return a race on a board of 24 points, given the checkers of both sides."""
    return bearoff.Race(*(bearoff.Position.parse(side, 24) for side in (roller, opponent)))


def theirs(race: bearoff.Race, games: int = GAMES) -> gnubg.Printed:
    """Roll a race out with GNU Backgammon; return the probabilities of all outcomes."""
    (printed,) = gnubg.roll_out(race, gnubg.Settings(True, False), games).printed
    return printed


def page(rows: Sequence[tuple[bearoff.Race, gnubg.Printed, Rollout]]) -> str:
    lines = []
    for race, their, our in rows:
        sides = (
            ",".join(map(str, side.counts[: side.highest]))
            for side in (race.roller, race.opponent)
        )
        chances = (
            our.gammon_won.value,
            their.gammon,
            our.backgammon_won.value,
            their.backgammon,
            our.gammon_won.standard_error,
        )
        lines.append([*sides, *(f"{100 * chance:.2f}" for chance in chances)])
    head = ["roller", "opponent", "gammon, %", "gammon by GNU Backgammon, %"]
    head += ["backgammon, %", "backgammon by GNU Backgammon, %"]
    parts = [
        "# Gammons in rollouts compared with GNU Backgammon",
        "`python -m research.comparisons.gammons_gnubg` compares `bearoff rollout` with "
        f"rollouts by GNU Backgammon {gnubg.version()} of {GAMES:,} games, with variance "
        "reduction and without a cube. Chances are those of the roller, and gammons "
        "include backgammons. The standard error is that of the gammon chances of "
        "`bearoff rollout`.",
        markdown_table([*head, "standard error, %"], lines),
    ]
    return markdown_page(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/rollouts/gammons.md"))
    options = parser.parse_args(arguments)
    races = [race_of(*race) for race in RACES]
    text = page(
        [(race, theirs(race), rollout(race, Goal(0.0005, 200_000))) for race in races]
    )
    write_page(text, options.write)


if __name__ == "__main__":
    main()
