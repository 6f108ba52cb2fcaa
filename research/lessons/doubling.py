"""Tables and charts of the cube in coin games, races of rolls, and bar entry."""

from collections.abc import Callable
from pathlib import Path

from bearoff.analysis.output import (
    ACCENT,
    INK,
    add_caption,
    markdown_page,
    markdown_table,
    save,
    style,
    write_text,
)
from research.chance_games import (
    Decision,
    Doubling,
    GraphError,
    chance_to_enter,
    coins,
    entering,
    rolls_race,
    solve_doubling,
)

TOTALS = (*range(2, 22), 50, 99, 100, 101)
"""Total numbers of coins of both players, one for each row of the table."""

ROLLS = 15
TURNS = (1, 2, 3, 4, 6)
HUNDRED = 100


def write_doubling_lesson(
    folder: str | Path, *, progress: Callable[[float], None] = lambda done: None
) -> list[Path]:
    """Solve simple games with the cube, and write a lesson page and charts about them.

    Parameters
    ----------
    folder : str or Path
    progress : callable
        Function called with the completed fraction, 0 to 1.

    Returns
    -------
    list of Path
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for done, total in enumerate(TOTALS, start=1):
        rows.append(_coin_row(total))
        progress(0.6 * done / len(TOTALS))
    hundred = solve_doubling(coins(HUNDRED // 2, HUNDRED // 2))
    race = solve_doubling(rolls_race(ROLLS, ROLLS))
    progress(0.9)
    parts = [
        "# The cube in simple games",
        "`python -m research.doubling` computes these values exactly, as fractions. "
        "Equities are those of the player who may double, in units of the cube value.",
        "## Two players with coins",
        "Each flip of a coin decides which player gives one coin to the other, and a "
        "player without coins loses the game. Either player may double before a flip. "
        "*Doubles* is the smallest number of coins with which a player should double, "
        "and *takes* the smallest number with which a player should take a double. "
        "*Share* is the smallest number of coins for a double or a take, divided by the "
        "total number of coins.",
        markdown_table(["coins", "doubles", "share", "takes", "share"], rows),
        "![Equities with 100 coins](coins.png)",
        "## Races of a fixed number of rolls",
        "Both sides need the same number of rolls, and a double counts as two rolls. "
        "This game is a race in which all checkers are on the ace points, and each "
        "side has two checkers for each roll.",
        markdown_table(
            ["rolls", "wins", "no double", "double, take", "centred", "owned"],
            [_race_row(race, rolls) for rolls in range(1, ROLLS + 1)],
        ),
        "## On the bar",
        "The table shows the chance that one checker enters from the bar within a number "
        "of turns.",
        markdown_table(
            ["open points", *(f"{turns} turn{'s' * (turns > 1)}" for turns in TURNS)],
            [
                [str(points), *(f"{float(chance_to_enter(points, t)):.2%}" for t in TURNS)]
                for points in range(1, 6)
            ],
        ),
        "In the game of the next table, a player with a checker on the bar wins by "
        "entering within the given number of turns, and otherwise loses. The table lists "
        "the best cube actions with a centred cube, both when the player on the bar is "
        "on roll and when the other player, who closes points, is on roll:",
        markdown_table(
            ["open points", "turns", "on the bar", "closing"],
            [_bar_row(points, turns) for points in range(1, 6) for turns in (1, 2, 3)],
        ),
    ]
    page = write_text(markdown_page(parts), folder / "doubling.md")
    progress(1.0)
    return [page, _draw_coins(hundred, folder / "coins.png")]


def _coin_row(total: int) -> list[str]:
    try:
        solved = solve_doubling(coins(1, total - 1))
    except GraphError:  # The mean stake is infinite, so the game has no value.
        return [str(total), "no value", "", "", ""]
    found = [(held, solved.decision(held, "first")) for held in range(1, total)]
    double = min(held for held, d in found if d is not None and d.doubles)
    take = total - max(held for held, d in found if d is not None and d.takes)
    return [
        str(total),
        str(double),
        f"{double / total:.1%}",
        str(take),
        f"{take / total:.1%}",
    ]


def _race_row(race: Doubling, rolls: int) -> list[str]:
    state = ("first", rolls, rolls)
    centred, owned = (race.decision(state, "first", cube) for cube in ("centred", "first"))
    assert centred is not None
    assert owned is not None
    return [
        str(rolls),
        f"{float(race.game.chances[state]):.2%}",
        f"{float(centred.no_double):+.4f}",
        f"{float(centred.double_take):+.4f}",
        _words(centred),
        _words(owned, "redouble"),
    ]


def _bar_row(points: int, turns: int) -> list[str]:
    solved = solve_doubling(entering(points, turns))
    words = []
    for side in ("first", "second"):
        decision = solved.decision((side, turns), side)
        assert decision is not None
        words.append(_words(decision))
    return [str(points), str(turns), *words]


def _words(decision: Decision, verb: str = "double") -> str:
    answer = "take" if decision.takes else "pass"
    if not decision.doubles:
        return f"no {verb}, {answer}" if decision.takes else "too good"
    return f"{verb}, {answer}"


def _draw_coins(solved: Doubling, path: Path) -> Path:
    """Draw the equity against a player's coins, for a centred and for an owned cube."""
    from matplotlib.figure import Figure

    held = list(range(HUNDRED + 1))
    lines = (
        ("centred", "cube in the middle", INK, "-"),
        ("first", "your cube", ACCENT, "--"),
        ("second", "their cube", INK, ":"),
    )
    with style():
        figure = Figure(figsize=(5.6, 3.6))
        axes = figure.add_axes((0.14, 0.2, 0.82, 0.7))
        for cube, label, colour, dashes in lines:
            values = [float(solved.value(k, cube)) for k in held]  # type: ignore[arg-type]
            axes.plot(held, values, dashes, color=colour, label=label, linewidth=1.4)
        axes.set_xlabel("your coins of 100")
        axes.set_ylabel("equity, units of the cube")
        axes.set_xticks(range(0, HUNDRED + 1, 20))
        axes.set_title("Doubling at 80, taking at 20")
        axes.legend(frameon=False, loc="upper left")
        add_caption(figure, "Exact: python -m research.doubling", width=80)
        return save(figure, path)
