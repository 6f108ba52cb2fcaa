"""`bearoff no-chance`: backgammon without dice, in which players choose numbers."""

from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.options import Json
from bearoff.app.output import say, say_json, say_table

if TYPE_CHECKING:
    pass

no_chance = typer.Typer(
    help="""No Chance Backgammon: numbers are named, not rolled.

In each turn, a player names a number, and plays it together with the number that the
opponent named last. A player may not name the same number twice in a row. Twice a game,
a player may name the opponent's last number, which makes a double.

\b
bearoff no-chance play
""",
    rich_markup_mode=None,
)

Numbers = Annotated[
    int,
    typer.Option(min=4, max=7, metavar="N", help="Largest number that can be named."),
]
MOST_SHOWN = 10


@no_chance.callback(invoke_without_command=True)
def _help_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help())


@no_chance.command("race")
def race(
    roller: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help="Checkers on the six points of the side on roll."
        ),
    ],
    opponent: Annotated[
        str | None,
        typer.Argument(
            metavar="OPPONENT",
            help="Position of the opponent. Default: the same as yours.",
            show_default=False,
        ),
    ] = None,
    named: Annotated[
        tuple[int, int] | None,
        typer.Option(
            metavar="YOURS THEIRS",
            help="Numbers that you and the opponent named last. Default: nobody has "
            "named a number yet, and every first number is shown.",
            show_default=False,
        ),
    ] = None,
    doubles: Annotated[
        tuple[int, int],
        typer.Option(
            metavar="YOURS THEIRS",
            help="How often you and the opponent may still name the other's last "
            "number, which makes a double.",
        ),
    ] = (2, 2),
    numbers: Numbers = 6,
    json: Json = False,
) -> None:
    """Show who wins a race, in how many turns, and with which numbers.

    The answer is exact. Without --named, a table shows the result of every number that you
    may name first, for every answer of the opponent.

    \b
    bearoff no-chance race 0,0,1,1,1,1 0,0,0,0,2,1 --named 5 3
    """
    from bearoff import Position
    from bearoff.game.no_chance import solve_no_chance_race
    from bearoff.sim.engine import PassProgress

    first = Position.parse(roller)
    second = Position.parse(opponent) if opponent else first
    show = PassProgress()
    solved = solve_no_chance_race(
        first, second, numbers=numbers, progress=lambda done: show("pairs", done)
    )
    if named is None:
        _say_openings(solved.openings(first, second), json=json)
        return
    choices = solved.choices(first, second, *named, doubles)
    if json:
        say_json(
            [
                {
                    "number": c.number,
                    "after": list(c.after.counts),
                    "points": c.points,
                    "turns": c.turns,
                }
                for c in choices
            ]
        )
        return
    best = choices[0]
    say(_verdict(best.points, best.turns) + "\n")
    say_table(
        ("number", "after", "turns"),
        [
            (str(c.number), str(c.after), _verdict(c.points, c.turns))
            for c in choices[:MOST_SHOWN]
        ],
    )
    if len(choices) > MOST_SHOWN:
        say(
            f"and {len(choices) - MOST_SHOWN:,} more choices, none of them better; "
            "--json shows all"
        )


def _verdict(points: int, turns: int) -> str:
    """Return a sentence with the winner, the points and the number of turns."""
    from bearoff.app.game.no_chance import WORTH

    own = (abs(turns) + 1) // 2 if turns > 0 else abs(turns) // 2
    side = "you win" if turns > 0 else "they win"
    return f"{side}{WORTH[abs(points)]} in {own} turn{'s' * (own > 1)}"


def _say_openings(openings: dict[int, dict[int, int]], *, json: bool) -> None:
    if json:
        say_json({str(x): answers for x, answers in openings.items()})
        return
    names = list(openings)
    winning = [str(x) for x, answers in openings.items() if min(answers.values()) > 0]
    if winning:
        say(f"numbers that win if named first: {', '.join(winning)}\n")
    else:
        say("no number wins if named first\n")
    say_table(
        ("first", *(f"answer {y}" for y in names)),
        [
            (str(x), *(_cell(answers.get(y)) for y in names))
            for x, answers in openings.items()
        ],
    )
    say(
        "Each entry is the number of turns of both players until the race ends, "
        "in\nbrackets if the second player wins."
    )


def _cell(turns: int | None) -> str:
    if turns is None:
        return ""
    return str(turns) if turns > 0 else f"({-turns})"


@no_chance.command("play")
def play(
    second: Annotated[
        bool, typer.Option("--second", help="Let the program name the first number.")
    ] = False,
    depth: Annotated[
        int,
        typer.Option(
            min=1,
            max=12,
            metavar="N",
            help="Maximum number of turns that the program looks ahead.",
        ),
    ] = 12,
    positions: Annotated[
        int,
        typer.Option(
            min=1,
            max=10**9,
            metavar="N",
            help="Maximum number of positions that the program searches in each turn.",
        ),
    ] = 100_000,
    board: Annotated[
        str | None,
        typer.Option(
            metavar="POSITION",
            help="Starting position of both sides. Default: that of a new game.",
            show_default=False,
        ),
    ] = None,
    numbers: Numbers = 6,
) -> None:
    """Play No Chance Backgammon against the program.

    Enter the number that you name, then a play such as 8/5 6/5 or its number in the list.
    Enter ? to list the plays, hint to see what the program would do, and q to end the
    game.

    \b
    bearoff no-chance play --second --depth 4
    """
    from bearoff.app.game.no_chance import play_no_chance
    from bearoff.game import Board

    start = Board.parse(board) if board else Board.start()
    play_no_chance(start, numbers, depth, positions, second=second)
