"""`bearoff no-chance`: numbers are named instead of rolled; races solved, games played."""

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from bearoff.app.options import Json
from bearoff.app.output import say, say_json, say_table

if TYPE_CHECKING:
    from bearoff.game import Board
    from bearoff.game.no_chance import NoChancePosition

no_chance = typer.Typer(
    help="""No Chance Backgammon: numbers are named, not rolled.

    In a turn a side names a number and plays it together with the number that the other
    side named last. It may not repeat its own last number. Twice a game it may name the
    other side's number, which makes a double.
    """,
    rich_markup_mode=None,
)

Numbers = Annotated[
    int,
    typer.Option(
        min=4, max=7, metavar="N", help="Number of dice faces: numbers go from 1 to this."
    ),
]
MOST_SHOWN = 10

WORTH = {1: "", 2: " a gammon", 3: " a backgammon"}


@no_chance.callback(invoke_without_command=True)
def _help_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help())


@no_chance.command("race")
def race(
    roller: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help="Checkers on the six points of the side to move."
        ),
    ],
    opponent: Annotated[
        str | None,
        typer.Argument(
            metavar="OPPONENT",
            help="Position of the other side. Default: the same position.",
            show_default=False,
        ),
    ] = None,
    named: Annotated[
        tuple[int, int] | None,
        typer.Option(
            metavar="YOURS THEIRS",
            help="Numbers that both sides named last. Without them all first numbers are "
            "shown.",
            show_default=False,
        ),
    ] = None,
    doubles: Annotated[
        tuple[int, int],
        typer.Option(
            metavar="YOURS THEIRS", help="Number of doubles that each side may still name."
        ),
    ] = (2, 2),
    numbers: Numbers = 6,
    json: Json = False,
) -> None:
    """Show who wins a race, in how many turns, and with which numbers.

    The answer is exact. Without --named it shows the result of every first number and its
    best answer.

    \b
    bearoff no-chance race 0,0,1,1,1,1
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
        say(f"and {len(choices) - MOST_SHOWN:,} more, none better; all with --json")


def _verdict(points: int, turns: int) -> str:
    """Say who wins what, and in how many turns of that side."""
    own = (abs(turns) + 1) // 2 if turns > 0 else abs(turns) // 2
    side = "you win" if turns > 0 else "they win"
    return f"{side}{WORTH[abs(points)]} in {own} turn{'s' * (own > 1)}"


def _say_openings(openings: dict[int, dict[int, int]], *, json: bool) -> None:
    """Show what the first numbers lead to."""
    if json:
        say_json({str(x): answers for x, answers in openings.items()})
        return
    names = list(openings)
    winning = [str(x) for x, answers in openings.items() if min(answers.values()) > 0]
    if winning:
        say(f"first numbers that win: {', '.join(winning)}\n")
    else:
        say("every first number loses\n")
    say_table(
        ("first", *(f"answer {y}" for y in names)),
        [
            (str(x), *(_cell(answers.get(y)) for y in names))
            for x, answers in openings.items()
        ],
    )
    say("turns of both sides to the end; in brackets if the second side wins")


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
        int, typer.Option(min=1, max=12, metavar="N", help="Most turns to look ahead.")
    ] = 12,
    positions: Annotated[
        int,
        typer.Option(
            min=1, max=10**9, metavar="N", help="Most positions searched in a turn."
        ),
    ] = 100_000,
    board: Annotated[
        str | None,
        typer.Option(
            metavar="POSITION",
            help="Position of both sides to begin from. Default: the start of the game.",
            show_default=False,
        ),
    ] = None,
    numbers: Numbers = 6,
) -> None:
    """Play against the program.

    A turn names a number and plays it with the number that the other side named last.
    Type a number, then a play such as 8/5 6/5, or its place in the list; ? lists the
    plays, hint says what the program would do, q ends the game.

    \b
    bearoff no-chance play --second --depth 4
    """
    from bearoff.game import Board
    from bearoff.game.no_chance import NoChancePosition

    start = Board.parse(board) if board else Board.start()
    yours, theirs = _first_numbers(numbers, second=second)
    if yours is None:
        return
    pair = (theirs, yours) if second else (yours, theirs)
    position = NoChancePosition.start(*pair, numbers, start.turned if second else start)
    yours_next = not second
    while True:
        after = (
            _your_turn(position, depth, positions)
            if yours_next
            else _programs_turn(position, depth, positions)
        )
        if after is None:
            say("the game ends here")
            return
        if after.lost:
            side = "you win" if yours_next else "the program wins"
            say(f"{side}{WORTH[after.board.points_won]}")
            return
        position, yours_next = after, not yours_next


def _first_numbers(numbers: int, *, second: bool) -> tuple[int | None, int]:
    """Return your first number and the program's; the program's is a fixed choice.

    No search tells first numbers apart at the start of a game, so the program names the
    highest, as first, and the highest that is left, as second.
    """
    if second:
        say(f"the program names {numbers}")
        yours = _ask_number("your first number: ", [*range(1, numbers)])
        return yours, numbers
    yours = _ask_number("your first number: ", [*range(1, numbers + 1)])
    theirs = numbers if yours != numbers else numbers - 1
    if yours is not None:
        say(f"the program names {theirs}")
    return yours, theirs


def _your_turn(
    position: "NoChancePosition", depth: int, positions: int
) -> "NoChancePosition | None":
    """Show the board and ask for a turn; None if you stop."""
    from bearoff.app.board import draw_board
    from bearoff.game import format_play, read_play

    say(draw_board(position.board))
    own, met = position.own, position.met
    left = " and ".join(map(str, position.doubles))
    say(f"you named {own}, they {met}; doubles left: {left}")
    while True:
        number = _ask_number("your number: ", list(position.nameable), hints=True)
        if number is None:
            return None
        if number:
            break
        hint = _found(position, depth, positions)
        say(f"the program would name {hint.number} and play {hint.play}{hint.seen}")
    plays = position.plays(number)
    pair = max(number, met), min(number, met)
    if plays == [position.board]:
        say("no legal play")
        return position.after(number, position.board)
    most = position.numbers
    listed = [format_play(position.board, b, pair, highest=most) for b in plays]
    while True:
        text = _ask("your play: ")
        if text is None or text == "q":
            return None
        if text == "?":
            say_table(("", "play"), [(str(k), p) for k, p in enumerate(listed, start=1)])
            continue
        if text in map(str, range(1, len(plays) + 1)):
            return position.after(number, plays[int(text) - 1])
        try:
            played = read_play(position.board, text, pair, highest=most)
            return position.after(number, played)
        except ValueError as error:
            say(f"{error}; ? lists the plays")


def _programs_turn(
    position: "NoChancePosition", depth: int, positions: int
) -> "NoChancePosition":
    found = _found(position, depth, positions)
    say(f"the program names {found.number} and plays {found.play}{found.seen}")
    return position.after(found.number, found.board)


class _Found(NamedTuple):
    number: int
    board: "Board"
    play: str
    seen: str


def _found(position: "NoChancePosition", depth: int, positions: int) -> _Found:
    """Return what the program would do, in words."""
    from bearoff.game import format_play
    from bearoff.game.no_chance import search_no_chance

    found = search_no_chance(position, depth=depth, positions=positions)
    pair = found.number, position.met
    play = format_play(position.board, found.board, pair, highest=position.numbers)
    seen = f", and sees the end in {abs(found.turns)} turns" if found.turns else ""
    return _Found(found.number, found.board, play, seen)


def _ask_number(prompt: str, allowed: list[int], *, hints: bool = False) -> int | None:
    """Ask until a number that may be named is given.

    None at q or the end of the input; 0 for a hint.
    """
    choices = ", ".join(map(str, allowed))
    while True:
        text = _ask(prompt)
        if text is None or text == "q":
            return None
        if text in map(str, allowed):
            return int(text)
        if hints and text == "hint":
            return 0
        or_hint = ", hint" if hints else ""
        say(f"{text!r} cannot be named; name one of {choices}{or_hint}, or q to end")


def _ask(prompt: str) -> str | None:
    try:
        return input(prompt).strip()
    except EOFError:
        say()
        return None
