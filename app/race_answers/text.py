"""Answers about races as text, composed of the parts that a command shows."""

from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from bearoff.app.market import show_market, show_window
from bearoff.app.output import amount, say, say_table
from bearoff.app.race_answers.fields import thresholds_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bearoff import Race
    from bearoff.answers import Answer, Choice, RollAnswer, SideSummary
    from bearoff.positions import Setup
    from bearoff.stakes import Cube, Terms

PLAYS = 8
"""Maximum number of plays in a printed list."""


@dataclass(frozen=True)
class View:
    """Selection of the parts of an answer that a command prints.

    Attributes
    ----------
    dice : bool
        Whether to show the plays of the dice, if the race has dice.
    before : bool
        Whether to show the cube decision before the roll too, if the race has dice.
    market : bool
        Whether to show the effect of the next two rolls, and the doubling window.
    rolls : bool
        Whether to show the best play of each of the 21 rolls.
    board : bool
        Whether to draw the board, with both sides' pip counts and EPCs.
    """

    dice: bool = True
    before: bool = False
    market: bool = False
    rolls: bool = False
    board: bool = True


def show_answer(
    answer: "Answer",
    view: View,
    chosen: "Sequence[Choice]" = (),
    rolls: "Sequence[RollAnswer] | None" = None,
) -> None:
    """Print the parts of an answer that `view` selects."""
    if view.board:
        show_race(answer)
        say()
    for choice in chosen:
        wrong = f"costs {_value(choice.cost)}" if choice.cost else "is correct"
        say(f"{choice.name}: {wrong}{_within(answer, choice)}, equity {choice.equity:+.4f}")
    if chosen:
        say()
    plays = answer.plays
    if plays:
        _show_plays(answer)
        say()
    if not plays or view.before:
        if plays:
            say("Before the roll:")
        _show_before(answer)
        say()
    if rolls is not None:
        _show_rolls(rolls)
        if answer.kind == "rollout":
            say("The 21 rolls are evaluated by the fast model, not rolled out.")
        say()
    if view.market:
        _show_market(answer)
    say(_how(answer))


def answer_text(answer: "Answer") -> str:
    """Return an answer as text, without the best plays of the 21 rolls."""
    written = StringIO()
    market = answer.market is not None
    with redirect_stdout(written):
        show_answer(answer, View(before=bool(answer.plays), market=market))
    return written.getvalue().rstrip("\n")


def quick_text(quick: "Answer") -> str:
    """Return the fast model's answer as a short text of one or two lines."""
    if quick.best_play is not None:
        play = quick.best_play
        within = quick.plays[1].error if len(quick.plays) > 1 else 0.0
        told = f"{play.name} (equity {play.equity:+.2f}"
    elif quick.action is not None:
        within = max(quick.no_double_error, quick.double_take_error or 0.0)
        told = (
            f"{quick.action}{_caution(quick)}\n(waiting {quick.no_double:+.2f}, double "
            f"and take {quick.double_take:+.2f}"
        )
    else:
        within, told = quick.error, f"(equity {quick.equity:+.2f}"
    return f"at once, by the fast model: {told}, rarely off by more than {within:.2f})"


def show_race(answer: "Answer") -> None:
    """Print the board with both sides' pip counts and EPCs, and the cube and score."""
    from bearoff.app.board import OPPONENT, ROLLER, draw_race

    race = answer.race
    say(f" {OPPONENT} opponent: {_counts(answer.opponent)}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:   {_counts(answer.roller)}")
    say(f"{state_text(race.setup)}.")


def _counts(side: "SideSummary") -> str:
    known = f"EPC {side.epc:.2f}"
    if side.epc_error:
        known += f" ± {side.epc_error:.2f}"
    return f"{amount(side.pips, 'pips')}, {known}"


def state_text(setup: "Setup") -> str:
    """Return a text on the cube, the stakes and the dice of a position."""
    where = {"centred": "centred", "owned": "the roller's", "opponent": "the opponent's"}
    parts = [f"Cube {where[setup.cube]}"]
    if setup.cube_value > 1:
        parts[0] += f", at {setup.cube_value}"
    if setup.score is not None:
        parts.append(str(setup.score))
    else:
        rules = " with the Jacoby rule" * setup.jacoby + ", with beavers" * setup.beavers
        parts.append(f"money play{rules}")
    if setup.dice:
        parts.append("{}-{} to play".format(*setup.dice))
    return "; ".join(parts)


def _within(answer: "Answer", choice: "Choice") -> str:
    return "" if answer.kind == "exact" else f" ± {_value(choice.error)}"


def _value(cost: float) -> str:
    return f"{cost:.4f}"


def _show_plays(answer: "Answer") -> None:
    unsure = any(play.kind != "exact" for play in answer.plays)
    say(f"Best play: {answer.plays[0].name}")
    say()
    rows = [
        (
            play.name,
            f"{play.equity:+.4f}",
            "best" if not place else _value(play.cost),
            *((_value(play.error) if play.error else "", play.kind) if unsure else ()),
        )
        for place, play in enumerate(answer.plays[:PLAYS])
    ]
    say_table(("play", "equity", "cost", *(("±", "<by") if unsure else ())), rows)
    left = len(answer.plays) - PLAYS
    if left > 0:
        say(f"{amount(left, 'other plays')} cost more.")


def _show_before(answer: "Answer") -> None:
    if answer.may_double:
        _show_cube(answer)
    else:
        match = answer.match_chance
        chance = "" if match is None else f", {match:.2%} of the match"
        say(f"{_no_action(answer.race)}.\nEquity {answer.equity:+.4f}{chance}.")
    say()
    show_chances(answer)


def _no_action(race: "Race") -> str:
    """Return a sentence that says why the roller may not double."""
    if race.score is not None and not race.score.has_cube:
        return "In the Crawford game nobody may double"
    if race.cube_at_limit:
        return "Nobody may double: the cube is at its limit"
    return "The roller may not double: the opponent owns the cube"


def show_chances(answer: "Answer") -> None:
    """Print both sides' probabilities of a win and of a gammon, without the cube."""
    rows = [("wins", answer.win_probability, 1 - answer.win_probability)]
    if answer.gammons_won is not None and answer.gammons_lost is not None:
        rows.append(("wins a gammon", answer.gammons_won, answer.gammons_lost))
    say_table(
        ("without the cube", "roller", "opponent"),
        [(name, f"{mine:.2%}", f"{theirs:.2%}") for name, mine, theirs in rows],
    )


def _show_cube(answer: "Answer") -> None:
    race, action = answer.race, answer.action
    assert action is not None
    idle = answer.cube_dead and not answer.wrong_double
    say(_IDLE if idle else f"{action[0].upper()}{action[1:]}{_caution(answer)}")
    say()
    unsure, unit = answer.kind != "exact", answer.chance_per_equity
    rows = []
    taken = answer.double_take_error or 0.0
    errors = (answer.no_double_error, answer.values.double_error[0], taken, 0.0, 2 * taken)
    for choice, off in zip(answer.decisions, errors, strict=False):
        match: tuple[str, ...] = ()
        if unit is not None:
            lost = f"{choice.cost * unit:.2%}" if choice.cost else ""
            match = (f"{answer.chance(choice.equity):.2%}", lost)
        cost = _value(choice.cost) if choice.cost else ""
        error = (_value(off) if off else "",) if unsure else ()
        rows.append((choice.name, f"{choice.equity:+.4f}", *error, cost, *match))
    heads = ("decision", "equity", *(("±",) if unsure else ()), "cost")
    say_table((*heads, *(("match", "lost") if unit is not None else ())), rows)
    if not idle and race.score is not None and race.score.away[0] <= race.cube_value:
        idle_for = "The cube is dead" if answer.cube_dead else "Doubling gains nothing"
        say(f"{idle_for}: a win at this cube value already wins the match.")


_IDLE = "The cube is dead: turning it changes nothing"


def _caution(answer: "Answer") -> str:
    """Return a remark if two cube actions are too close to call, or equally good."""
    if answer.too_close:
        return " (too close to call)"
    return " (or not: both are correct)" if answer.values.no_matter[0] else ""


def _show_market(answer: "Answer") -> None:
    if answer.race.score is not None:
        show_thresholds(answer.values.terms, answer.race.cube, live=answer.has_market)
        say()
    if answer.take_points is not None and answer.gammons_won:
        dead, live = answer.take_points
        say(
            f"Take point with these gammon chances: {dead:.1%} with a dead cube,\n"
            f"{live:.1%} with a live cube."
        )
        say()
    if answer.window is not None:
        show_window(answer.window, answer.race.cube)
        say()
    if answer.market is not None:
        show_market(answer.market)
        if answer.kind == "rollout":
            say(
                "The sequences of two rolls are evaluated by the fast model, not "
                "rolled out."
            )
        say()


def show_thresholds(terms: "Terms", cube: "Cube", *, live: bool) -> None:
    """Print gammon values at a match score and, if `live` is true, the cube thresholds.

    The thresholds are the doubling, cash and take points on the last roll and with a fully
    live cube. The thresholds of a race lie between these two.
    """
    at = thresholds_json(terms)
    assert at is not None
    say(
        f"A gammon adds {at['gammon_value']:.0%} to the value of a win, and "
        f"{at['gammon_loss']:.0%} to the\ncost of a loss; both are 50% in money play."
    )
    if not live:
        return
    say()
    double = "redoubling" if cube == "owned" else "doubling"
    takes = {
        name: None if cash is None else 1 - cash
        for name, cash in (("take", at["cash"]), ("live_take", at["live_cash"]))
    }
    points = at | takes
    say_table(
        ("any race at this score", "on the last roll", "with a fully live cube"),
        [
            (f"{name} point", *(_percent(points[key]) for key in (row, f"live_{row}")))
            for name, row in ((double, "double"), ("cash", "cash"), ("take", "take"))
        ],
    )


def _percent(chance: float | None) -> str:
    if chance is None:
        return "-"
    return {0.0: "always", 1.0: "never"}.get(chance, f"{chance:.2%}")


def _show_rolls(rolls: "Sequence[RollAnswer]") -> None:
    from bearoff import format_roll

    say_table(
        ("roll", "<best play", "equity", "luck", "<most wins, if different"),
        [
            (
                format_roll(one.dice),
                one.best.name,
                f"{one.best.equity:+.4f}",
                f"{one.luck:+.4f}",
                "" if one.most_wins == one.best else one.most_wins.name,
            )
            for one in rolls
        ],
    )


_KINDS = {
    "model": "From the fast model; the true errors rarely exceed the stated ones.",
    "rollout": "Rolled out; ± is the root of the sum of the squares of the standard "
    "error\nand the systematic error.",
}


def _how(answer: "Answer") -> str:
    exact = f"Exact to {answer.error:.1e}." if answer.error else "Exact."
    if any(play.kind != "exact" for play in answer.plays):
        exact = (
            "Exact, except for plays rated by the fast model, whose errors rarely "
            "exceed ±.\nFor the best play, ± is how much better another play may be."
        )
    told = _KINDS.get(answer.kind, exact)
    stakes = answer.values.terms.stakes
    if stakes.score is not None:
        unit = answer.chance_per_equity
        told += (
            f"\nEquities and costs are in EMG: 1 is {unit:.2%} of the match by "
            f"{stakes.equities.name}."
        )
    elif answer.race.cube_value > 1:
        told += f"\nEquities and costs are in EMG: 1 is {answer.race.cube_value} points."
    return "\n".join([told, *(f"Not included: {rule}." for rule in answer.left_out)])
