"""No Chance Backgammon in the terminal, against the program."""

from typing import TYPE_CHECKING, NamedTuple

from bearoff.app.output import say, say_table

if TYPE_CHECKING:
    from bearoff.game import Board
    from bearoff.game.no_chance import NoChancePosition

WORTH = {1: "", 2: " a gammon", 3: " a backgammon"}


def play_no_chance(
    start: "Board", numbers: int, depth: int, positions: int, *, second: bool
) -> None:
    """Play a game without dice until it ends or the user stops."""
    from bearoff.game.no_chance import NoChancePosition

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
    """Ask the user which number to name first; return both players' first numbers.

    At the start of a game, no search is deep enough to rate first numbers, so the program
    chooses the highest number available.
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
    """Show the board and ask the user for a number and a play; return None to stop."""
    from bearoff.app.board import draw_board
    from bearoff.game import format_play, read_play

    say(draw_board(position.board))
    own, met = position.own, position.met
    left = " and ".join(map(str, position.doubles))
    say(f"you named {own}, the program {met}; doubles left: {left}")
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
    from bearoff.game import format_play
    from bearoff.game.no_chance import search_no_chance

    found = search_no_chance(position, depth=depth, positions=positions)
    pair = found.number, position.met
    play = format_play(position.board, found.board, pair, highest=position.numbers)
    seen = f", and sees the end in {abs(found.turns)} turns" if found.turns else ""
    return _Found(found.number, found.board, play, seen)


def _ask_number(prompt: str, allowed: list[int], *, hints: bool = False) -> int | None:
    """Ask until the user enters an allowed number.

    Returns None if the user enters q or the input ends, and 0 if the user asks for a hint.
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
