"""`bearoff rollout`: any race's chances, equities and cube action, by games."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from app.options import Jacoby, Json, Money, OpponentText, RollersCube, RollerText
from app.output import amount, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import Position, Race
    from sim.rollouts import Estimate, Rollout, RolloutAction


def rollout(
    roller: RollerText,
    opponent: OpponentText = None,
    cube: RollersCube = None,
    money: Money = False,
    jacoby: Jacoby = None,
    error: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            min=0.0,
            max=1.0,
            help="Standard error at which to stop, of every equity; 0 for all the games.",
        ),
    ] = 0.001,
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=10**9,
            help="Most games, rounded up to chunks of 7,776.",
        ),
    ] = 1_000_000,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**64 - 1, help="Seed of the dice.")
    ] = 0,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=1024, help="Threads; one a processor by default."
        ),
    ] = None,
    luck: Annotated[
        bool, typer.Option(help="Take the luck of the rolls out of the results.")
    ] = True,
    first_rolls: Annotated[
        Literal["1", "36", "1296"],
        typer.Option(
            help="Share out evenly: 36 the roller's first throw, 1296 both sides', 1 none."
        ),
    ] = "1296",
    truncate: Annotated[
        bool, typer.Option(help="Stop games where exact values begin.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
    json: Json = False,
) -> None:
    """Roll out a race: checkers on any point, no contact.

    Gives the chances to win, to win a gammon and a backgammon, the equities of doubling
    and waiting, and the cube action, each with its standard error, for money play.
    Of the two-sided tables built with the cube, games stop in the one that holds them
    first; a race that is in it is answered outright. On the way the cube is turned by a
    model, to which the chance of a gammon is added. Any notation of positions will do; of
    checkers on the ace, deuce, ... as many numbers as there are points with checkers.

    \b
    bearoff rollout 0,0,2,3,3,4,2,1 0,1,2,2,3,4,1,1,1
    bearoff rollout "[5,5,6,6,6,7,8,8,9]" "[4,4,5,6,6,6,7,8,10]" --cube owned
    bearoff rollout XGID=---BBCDBA-A-----aaadcbba--:0:0:1:00:0:0:0:0:10 --json
    """
    from app.progress import RolloutProgress
    from app.race_text import parse_race, rollers_cube
    from app.score_text import ScoreOptions, as_asked, note_dice
    from bearoff.errors import ScoreError
    from sim.rollouts import (
        Goal,
        Techniques,
        on_24_points,
        rollout as roll_out,
        truncation_table,
    )

    options = ScoreOptions(money=money, cube=cube, jacoby=jacoby)
    race = as_asked(parse_race(roller, opponent), options)
    if race.score is not None:
        raise ScoreError(
            f"rollouts are for money play, and the position's score is {race.score}; "
            "bearoff cube answers at a score, and --money rolls it out as for money"
        )
    note_dice(race)
    whole = on_24_points(race)
    where = rollers_cube(race)
    rule = race.jacoby
    with RolloutProgress(show=not quiet, goal=error, most=games) as progress:
        answer = roll_out(
            whole,
            Goal(error, games),
            seed=seed,
            techniques=Techniques(luck, int(first_rolls), truncate),
            table=truncation_table(whole) if truncate else None,
            jacoby=rule,
            workers=workers or "auto",
            on_progress=progress.update,
        )
    action = getattr(answer, where)
    if json:
        say_json(_as_json(race, answer, action, rule))
    else:
        _show(race, whole, answer, action, rule)


def _as_json(
    race: "Race", answer: "Rollout", action: "RolloutAction", jacoby: bool
) -> dict[str, Any]:
    return {
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "position_id": race.position_id,
        "jacoby": jacoby,
        **{name: asdict(getattr(answer, name)) for name in ("win_probability", *_CHANCES)},
        "cubeless": asdict(answer.cubeless),
        **asdict(action),
        "games": answer.games,
        "seconds": round(answer.seconds, 3),
        "table_points": answer.table and answer.table.points,
        "table_checkers": answer.table and answer.table.checkers,
    }


_CHANCES = ("gammon_won", "gammon_lost", "backgammon_won", "backgammon_lost")


def _show(
    race: "Race", whole: "Race", answer: "Rollout", action: "RolloutAction", jacoby: bool
) -> None:
    from app.board import OPPONENT, ROLLER, draw_race

    say(f" {OPPONENT} opponent: {_counts(whole.opponent)}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:   {_counts(whole.roller)}, cube {action.cube}")
    say()
    close = ": too close to call at the games played" if action.too_close else ""
    say(f"{action.action[0].upper()}{action.action[1:]}{close}")
    say()
    double = "redouble" if action.cube == "owned" else "double"
    say_table(
        ("outcome", "equity", "standard error"),
        [
            (f"no {double}", *_cells(action.no_double)),
            (f"{double}, take", *_cells(action.double_take)),
            (f"{double}, pass", "+1.0000", "-"),
            (f"gained by the {double}", *_cells(action.gain)),
        ],
    )
    say()
    say("Without the cube:")
    won = answer.win_probability
    lost = replace(won, value=1 - won.value)
    say_table(
        ("", "roller", "opponent"),
        [
            ("wins", *map(_chance, (won, lost))),
            ("wins a gammon", *map(_chance, (answer.gammon_won, answer.gammon_lost))),
            (
                "wins a backgammon",
                *map(_chance, (answer.backgammon_won, answer.backgammon_lost)),
            ),
        ],
    )
    say(_how(answer, jacoby))


def _counts(side: "Position") -> str:
    from bearoff.bear_in import bear_in

    epc = float(bear_in().epc(side.counts))
    return f"{amount(side.pips, 'pips')}, EPC {epc:.2f}"


def _cells(estimate: "Estimate") -> tuple[str, str]:
    return (
        f"{estimate.value:+.4f}",
        "-" if _exact(estimate) else f"{estimate.standard_error:.5f}",
    )


def _exact(estimate: "Estimate") -> bool:
    """Whether every game gives the same, but for what rounding leaves."""
    return estimate.standard_error < 5e-7


def _chance(estimate: "Estimate") -> str:
    within = "" if _exact(estimate) else f" ± {estimate.standard_error:.3%}"
    return f"{estimate.value:.3%}{within}"


def _how(answer: "Rollout", jacoby: bool) -> str:
    rule = f"money play {'with' if jacoby else 'without'} Jacoby's rule"
    if not answer.games:
        return f"Exact: the two-sided table of {answer.table} holds it; {rule}."
    where = f"each into the table of {answer.table}" if answer.table else "each to its end"
    return f"{answer.games:,} games, {where}, in {answer.seconds:.1f} s;\n{rule}."
