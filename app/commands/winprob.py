"""`bearoff winprob`: the probability of bearing off first, by three methods."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bearoff.app.options import DEFAULT_CHECKERS, DEFAULT_POINTS
from bearoff.app.output import amount, note, say, say_json, say_table
from bearoff.app.race_answers.asked import Asked, asks_for_chances
from bearoff.app.race_answers.fields import position_json

if TYPE_CHECKING:
    from bearoff import Position, Race
    from bearoff.analysis.outcomes import Run
    from bearoff.answers import Answer


@asks_for_chances
def winprob(
    asked: Asked,
    run: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="Folder or URI of a run with games of this race."),
    ] = None,
    points: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of points of the board that the table covers. Default: that "
            "of the run, otherwise 6.",
        ),
    ] = None,
    checkers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Maximum number of checkers per side. Default: that of the run, "
            "otherwise 15.",
        ),
    ] = None,
) -> None:
    """Show the probability of winning without the cube.

    \b
    optimal       each side maximises its chance of winning
    fewest-rolls  each side minimises its own mean number of rolls;
                  differs from optimal by up to 1.4 percentage points
    simulated     games of the run that --run names, with a 95% interval

    The win probability under optimal play is exact if a table contains the race, or if the
    race is solved within --patience. Otherwise it is estimated by the fast model, or by a
    rollout with --error.

    \b
    bearoff winprob 0,0,0,5,5,5 0,0,0,5,5,5
    """
    from bearoff.app.score_text import note_score

    opened = None
    if run is not None:
        from bearoff.analysis.outcomes import open_run

        opened = open_run(run)
    sized = opened is not None or points is not None or checkers is not None
    if sized:
        size = (
            _first(points, opened.points if opened else None, DEFAULT_POINTS),
            _first(checkers, opened.checkers if opened else None, DEFAULT_CHECKERS),
        )
        race = asked.race_of_size(*size)
    else:
        race = asked.question().race
    note_score(
        race, why="chances to win a game without the cube do not depend on the match score"
    )
    if race.score is None and (race.cube, race.cube_value) != ("centred", 1):
        note(
            "the cube is ignored, because these chances are cubeless; bearoff race "
            "uses the cube"
        )
    race = replace(race, dice=None, score=None, cube="centred", cube_value=1)
    simulated = None if opened is None else _simulated(opened, race)
    fewest_rolls, error = _fewest_rolls(race) or (None, None)
    answer = None
    if race.roller.checkers == DEFAULT_CHECKERS:
        answer = _answer(asked, race, known=fewest_rolls is not None)
    found = {
        "roller": _side(race.roller),
        "opponent": _side(race.opponent),
        **position_json(race.setup),
        "fewest_rolls": fewest_rolls,
        "fewest_rolls_error": error,
        "fewest_rolls_gammons": _fewest_rolls_gammons(race),
        **_of_best_play(answer),
        "simulated": simulated,
    }
    if asked.json:
        say_json(found)
    else:
        _show(race, answer, found)


_DEAD = 1
"""Maximum cube value 1, at which nobody may double."""


def _answer(asked: Asked, race: "Race", *, known: bool) -> "Answer | None":
    """Return the answer under optimal play, or None if it would be an unneeded estimate.

    An estimate is not needed if `known` is true (the probability under fewest-rolls play is
    known) and no option requests an estimate. The fast model and rollouts are loaded only
    if needed, because loading them is slow.
    """
    from bearoff.answers import Question

    longer = asked.error is not None or asked.patience is not None
    wanted = asked.model or longer
    if not longer:  # This is the default estimate, almost as precise as a rollout.
        asked = replace(asked, model=True)
    # If nobody may turn the cube, the fast model's answer is a win probability without the
    # cube.
    dead = replace(race, jacoby=True, beavers=False, cube_limit=_DEAD)
    judge = asked.judge(Question(dead))
    if known and not wanted and not any(table.holds(dead) for table in judge.tables):
        return None
    answer = judge.answer(dead)
    # A rollout requires a cube that can be turned, so the race keeps its cube limit here.
    return answer if asked.model or answer.kind != "model" else judge.answer(race)


def _side(side: "Position") -> dict[str, Any]:
    return {"counts": list(side.counts), "pips": side.pips}


def _of_best_play(answer: "Answer | None") -> dict[str, Any]:
    """Return the win probability under optimal play, under keys that name its source."""
    found: dict[str, Any] = {"optimal_by": None}
    for name in ("optimal", "model"):
        found |= dict.fromkeys((name, f"{name}_error", f"{name}_gammons"))
    if answer is None:
        return found
    name = "model" if answer.kind == "model" else "optimal"
    if name == "optimal":
        found["optimal_by"] = answer.kind
    gammons = answer.gammons_won, answer.gammons_lost
    return found | {
        name: answer.win_probability,
        f"{name}_error": answer.win_probability_error,
        f"{name}_gammons": None if None in gammons else list(gammons),
    }


def _fewest_rolls(race: "Race") -> tuple[float, float] | None:
    """Return the win probability with fewest-rolls play, and its error.

    For checkers outside the home board, return None unless a table of that size is stored.
    """
    from bearoff.app import tables

    if race.roller.points > DEFAULT_POINTS and not tables.is_built(
        race.roller.points, race.roller.checkers
    ):
        return None
    table = tables.one_sided(race.roller.points, race.roller.checkers)
    pair = race.roller.number, race.opponent.number
    return float(table.fewest_rolls_win_probability(*pair)), table.chance_error


def _first(*sizes: int | None) -> int:
    return next(size for size in sizes if size is not None)


def _fewest_rolls_gammons(race: "Race") -> list[float] | None:
    """Return the roller's chances of winning and losing a gammon; None if unknown."""
    from bearoff.one_sided import gammon_chance

    if race.roller.points != DEFAULT_POINTS or race.roller.checkers != DEFAULT_CHECKERS:
        return None
    found = gammon_chance(race.roller.number, race.opponent.number)
    return [float(found.wins), float(found.losses)]


def _simulated(run: "Run", race: "Race") -> dict[str, Any]:
    """Return the simulated win probability of a race in a run, for the JSON output."""
    from bearoff.analysis.errors import RunError

    estimate = run.estimate(race.roller, race.opponent)
    if estimate is None and not run.complete:
        raise RunError(
            f"{run.path} has no games of {race.roller} against {race.opponent} yet; "
            f"{run.pairs:,} of its {run.manifest.pairs:,} pairs are finished, and the same "
            "`bearoff simulate` command continues the run"
        )
    if estimate is None:
        raise RunError(
            f"{run.path} has no games of {race.roller} against {race.opponent}; add the "
            "pair to a config and simulate it, or omit --run"
        )
    found = {**asdict(estimate), "z_score": estimate.z_score}
    del found["fewest_rolls"]
    return {"run": run.path, "players": run.config["players"], **found}


def _show_gammons(race: "Race", answer: "Answer | None", found: dict[str, Any]) -> None:
    if max(race.roller.on_board, race.opponent.on_board) < DEFAULT_CHECKERS:
        say("No gammon is possible: both sides have borne off a checker.")
        return
    simulated = found["simulated"]
    methods = {
        "fewest-rolls": found["fewest_rolls_gammons"],
        "for points": answer and (answer.gammons_won, answer.gammons_lost),
        "simulated": simulated
        and [simulated[f"gammons_{how}"] / simulated["games"] for how in ("won", "lost")],
    }
    rows = [
        (name, *(f"{chance:.4%}" for chance in chances))
        for name, chances in methods.items()
        if chances is not None and None not in chances
    ]
    if rows:
        say_table(("gammon probability", "roller", "opponent"), rows)


_KINDS = {"model": "by the fast model", "rollout": "rolled out"}

_BEFORE_HOME = "rolled out, moving for the fewest rolls until home: error about 0.2%"


def _show(race: "Race", answer: "Answer | None", found: dict[str, Any]) -> None:
    from bearoff.app.board import OPPONENT, ROLLER, draw_race
    from bearoff.positions import POINTS

    say(f" {OPPONENT} opponent: {amount(race.opponent.pips, 'pips')}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:   {amount(race.roller.pips, 'pips')}")
    say()
    rows = []
    if found["fewest_rolls"] is not None:
        rows.append(("fewest-rolls", f"{found['fewest_rolls']:.2%}", "by convolution"))
    if answer is not None:
        digits = 3 if answer.kind == "exact" else 2
        how = _KINDS.get(answer.kind, "exact")
        if (
            answer.kind == "rollout"
            and max(race.roller.highest, race.opponent.highest) > POINTS
        ):
            how = _BEFORE_HOME
        rows.append(("optimal", f"{answer.win_probability:.{digits}%}", how))
    simulated = found["simulated"]
    if simulated:
        from bearoff.analysis.outcomes import percent

        rows.append(
            (
                "simulated",
                percent(simulated["probability"]),
                f"{percent(simulated['low'])} to {percent(simulated['high'])} at "
                f"{simulated['confidence']:.0%} confidence, {simulated['games']:,} games",
            )
        )
        players = simulated["players"]
        if set(players.values()) != {"fewest-rolls"}:
            expected = simulated["expected"]
            rows.append(
                (
                    "expected",
                    "unknown" if expected is None else f"{expected:.2%}",
                    f"of {players['roller']} against {players['opponent']}",
                )
            )
    say_table(("win probability", "roller", "<method"), rows)
    say()
    _show_gammons(race, answer, found)
    if answer is None and race.roller.checkers == DEFAULT_CHECKERS:
        from bearoff.app.tables import how_to_build

        say()
        say("For the probability under optimal play, use --model, --patience 30 or")
        say(how_to_build(race, cube=False))
