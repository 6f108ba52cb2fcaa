"""Parsing of questions about any position; estimates for positions with contact."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bearoff.app.output import amount, say, say_json, say_table
from bearoff.app.race_answers.fields import LEFT_OUT, contact_json
from bearoff.errors import BearoffError, ContactError

if TYPE_CHECKING:
    from bearoff.analysis.review import ContactAnswer, ContactQuestion, Decision
    from bearoff.answers import Question
    from bearoff.app.race_answers.asked import Asked
    from bearoff.app.race_answers.text import View

PLAYS = 8
"""Maximum number of plays in a printed list."""


def read_any(parts: Mapping[str, Any]) -> "Question | ContactQuestion":
    """Parse a question about a position, which is a race or has contact.

    Parameters
    ----------
    parts : mapping of str
        Values of the question by name, as `bearoff.answers.read_question` takes them.

    Raises
    ------
    BearoffError
        If the question is not valid.
    """
    from bearoff.answers import read_question

    with suppress(ContactError):
        return read_question(parts)
    # Races do not need the search for positions with contact, which is slow to import.
    from bearoff.analysis.review import read_contact

    return read_contact(parts)


def show_contact(question: "ContactQuestion", asked: "Asked", view: "View") -> None:
    """Estimate the equities in a position with contact, and print the answer.

    The printed text also names the parts of an answer that only races have.

    Raises
    ------
    BearoffError
        If the command line has an option that applies only to races.
    """
    from bearoff.analysis.review import Estimates, answer_contact

    for option, given, only in (
        ("--error", asked.error is not None, "positions are rolled out"),
        ("--model", asked.model, "the fast model answers"),
        ("--match-equities", asked.match_equities is not None, "other tables are used"),
    ):
        if given:
            raise BearoffError(
                f"{only} for races only, but this position has contact; omit {option}"
            )
    answer = answer_contact(question, Estimates())
    if asked.json:
        say_json(contact_json(answer))
    else:
        _show(answer, view)


def _show(answer: "ContactAnswer", view: "View") -> None:
    """Print the board, the plays or the cube decision, and the accuracy of the estimate."""
    from bearoff.app.board import OPPONENT, ROLLER, draw_board
    from bearoff.app.race_answers.text import state_text

    question = answer.question
    board, (own, other) = question.state.board, question.state.board.pips
    say(f" {OPPONENT} opponent: {amount(other, 'pips')}")
    say(draw_board(board))
    say(f" {ROLLER} roller:   {amount(own, 'pips')}")
    say(f"{state_text(question.setup)}.")
    say()
    play, cube = answer.play, answer.cube_decision
    judged = [one for one in (cube, play) if one is not None and one.decided]
    for one in judged:
        wrong = f"costs {_cost(one)} ± {one.error:.{one.digits}f}"
        say(f"{one.done}: {wrong if one.is_seen else 'is correct'}, by an estimate")
        if one.reason:
            say(one.reason)
    if judged:
        say()
    if play is not None:
        say(f"Best play: {play.alternatives[0].name}, by an estimate")
        say()
        _show_alternatives("play", play)
        say()
    if play is None or view.before:
        if play is not None:
            say("Before the roll:")
        if cube is None:
            say(f"{_no_double(answer)}. Estimated equity {answer.equity:+.3f}.")
        else:
            waits, taken = cube.alternatives[:2]
            dead = waits.equity == taken.equity
            idle = "The cube is dead: turning it changes nothing"
            action = idle if dead else f"{cube.best[0].upper()}{cube.best[1:]}"
            say(action if dead else f"{action}, by an estimate")
            say()
            _show_alternatives("decision", cube)
        say()
    say(_how(answer))
    if view.market or view.rolls:
        say(f"Not included: {LEFT_OUT}.")


def _cost(one: "Decision") -> str:
    return f"{one.cost:.{one.digits}f}"


def _show_alternatives(head: str, one: "Decision") -> None:
    """Print the plays or cube actions of a decision, with their equities and costs."""
    least = 0.5 * 10.0**-one.digits
    rows = []
    for each in one.alternatives[: PLAYS if one.kind == "play" else None]:
        cost = each.cost or 0.0
        best = "" if each.cost is None else "best"
        seen = f"{cost:.{one.digits}f}" if cost >= least else best
        rows.append((each.name, f"{each.equity:+.{one.digits}f}", seen))
    say_table((head, "equity", "cost"), rows)
    left = len(one.alternatives) - len(rows)
    if left > 0:
        say(f"{amount(left, 'other plays')} cost more.")


def _no_double(answer: "ContactAnswer") -> str:
    """Return a sentence on why the player on roll may not double."""
    if answer.question.state.crawford:
        return "In the Crawford game nobody may double"
    return "The roller may not double: the opponent owns the cube"


def _how(answer: "ContactAnswer") -> str:
    """Return a text that states an answer's method of estimation, accuracy and unit."""
    from bearoff.analysis.review import MEASURED

    told = "There is contact, so this is an estimate by a search one roll ahead."
    if answer.play is not None:
        told += (
            f"\nThe play rated best loses {MEASURED.play_lost:.4f} on average. The "
            "costs of other\nplays have a root mean square error of "
            f"{MEASURED.play_error:.3f}."
        )
    if answer.play is None:
        told += (
            f"\nThe estimated cube action loses {MEASURED.cube_lost:.4f} on average in "
            "close decisions.\nThe costs have a root mean square error of "
            f"{MEASURED.cube_error:.3f}."
        )
    if answer.play is None:
        told += (
            "\nIf the opponent replies wrongly to a double, the cost is the sum of "
            "both\nplayers' costs."
        )
    value = answer.question.setup.cube_value
    if answer.question.setup.score is not None:
        told += "\nEquities and costs are in EMG: 1 is a single game at this cube value."
    elif value > 1:
        told += f"\nEquities and costs are in EMG: 1 is {value} points."
    return told
