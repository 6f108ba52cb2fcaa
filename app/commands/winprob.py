"""`bearoff winprob`: the probability to bear off first, by three methods."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.options import DEFAULT_CHECKERS, DEFAULT_POINTS, Json, OpponentText, RollerText
from app.output import say, say_json, say_table

if TYPE_CHECKING:
    from analysis.outcomes import Run
    from bearoff import Race


def winprob(
    roller: RollerText,
    opponent: OpponentText = None,
    run: Annotated[
        str | None,
        typer.Option(
            metavar="RUN", help="Folder or URI of a run that has played the pair."
        ),
    ] = None,
    points: Annotated[
        int | None,
        typer.Option(metavar="N", help="Points of the table; the run's, or 6."),
    ] = None,
    checkers: Annotated[
        int | None,
        typer.Option(metavar="N", help="Checkers of a side; the run's, or 15."),
    ] = None,
    json: Json = False,
) -> None:
    """Win probability of the side on roll, before the roll.

    Up to three values are shown. Fewest-rolls: both sides minimise their own mean
    rolls, and the two distributions of rolls are convolved. Simulated: wins by games of
    a run, with an interval; it converges to the first if fewest-rolls players played.
    Optimal: each side maximises its chance; exact, and shown if a two-sided table that
    holds the pair is built. Fewest-rolls differs from it by up to 1.4%. Beside each
    stand the probabilities of a gammon, of both sides; those of the two-sided table are
    of play for points.

    \b
    bearoff winprob 0,0,0,5,5,5 0,0,0,5,5,5
    bearoff winprob LwAAwC0AAAAAAA
    bearoff winprob 54188 54188 --run results/quick --json
    """
    from app import tables
    from app.commands.positions import describe
    from app.race_text import parse_race
    from app.score_text import note_score

    opened = None
    if run is not None:
        from analysis.outcomes import open_run

        opened = open_run(run)
    race = parse_race(
        roller,
        opponent,
        _first(points, opened.points if opened else None, DEFAULT_POINTS),
        _first(checkers, opened.checkers if opened else None, DEFAULT_CHECKERS),
    )
    note_score(race, why="chances to win a game are the same at all scores")
    simulated = None if opened is None else _simulated(opened, race)
    table = tables.one_sided(race.roller.points, race.roller.checkers)
    fewest_rolls = float(
        table.fewest_rolls_win_probability(race.roller.number, race.opponent.number)
    )
    answer = {
        "roller": describe(table, race.roller),
        "opponent": describe(table, race.opponent),
        "position_id": race.position_id,
        "fewest_rolls": fewest_rolls,
        "fewest_rolls_gammons": _fewest_rolls_gammons(race),
        "optimal": _optimal(race),
        "simulated": simulated,
    }
    if json:
        say_json(answer)
    else:
        _show(race, answer)


def _first(*sizes: int | None) -> int:
    return next(size for size in sizes if size is not None)


def _fewest_rolls_gammons(race: "Race") -> list[float] | None:
    """Probabilities that the roller wins and loses a gammon; None if nobody knows them."""
    from bearoff.one_sided import gammon_chance

    if race.roller.points != DEFAULT_POINTS or race.roller.checkers != DEFAULT_CHECKERS:
        return None
    found = gammon_chance(race.roller.number, race.opponent.number)
    return [float(found.wins), float(found.losses)]


def _optimal(race: "Race") -> dict[str, Any] | None:
    """Look the race up in a two-sided table; return the keys of the JSON output."""
    from app import tables

    table = tables.two_sided(race, cube=False)
    if table is None:
        return None
    pair = table.places.number(race.roller), table.places.number(race.opponent)
    known = not table.places.has_full or "gammons_won" in table.planes
    won, lost = table.gammon_probability(*pair) if known else (None, None)
    return {
        "probability": float(table.win_probability(*pair)),
        "error": table.error("cubeless"),
        "gammons": None if won is None or lost is None else [float(won), float(lost)],
        "table_checkers": table.checkers,
    }


def _simulated(run: "Run", race: "Race") -> dict[str, Any]:
    """Look the race up in the run; return the keys of the JSON output."""
    from analysis.errors import RunError

    estimate = run.estimate(race.roller, race.opponent)
    if estimate is None and not run.complete:
        raise RunError(
            f"{run.path} has no games of {race.roller} against {race.opponent} yet: "
            f"{run.pairs:,} of {run.manifest.pairs:,} pairs are played; the same "
            "`bearoff simulate` continues"
        )
    if estimate is None:
        raise RunError(
            f"{run.path} has no games of {race.roller} against {race.opponent}; list the "
            "pair in a config and simulate it, or omit --run"
        )
    found = {**asdict(estimate), "z_score": estimate.z_score}
    del found["fewest_rolls"]
    return {"run": run.path, "players": run.config["players"], **found}


def _show_gammons(race: "Race", answer: dict[str, Any]) -> None:
    """Write the probabilities of gammons that each method gives."""
    if max(race.roller.on_board, race.opponent.on_board) < DEFAULT_CHECKERS:
        say("No gammon is possible: both sides have borne off.")
        return
    simulated, optimal = answer["simulated"], answer["optimal"]
    methods = {
        "fewest-rolls": answer["fewest_rolls_gammons"],
        "for points": optimal and optimal["gammons"],
        "simulated": simulated
        and [simulated[f"gammons_{how}"] / simulated["games"] for how in ("won", "lost")],
    }
    rows = [
        (name, *(f"{chance:.4%}" for chance in chances))
        for name, chances in methods.items()
        if chances is not None
    ]
    if rows:
        say_table(("gammon probability", "roller", "opponent"), rows)


def _show(race: "Race", answer: dict[str, Any]) -> None:
    from app.board import OPPONENT, ROLLER, draw_race
    from app.commands.positions import caption

    say(f" {OPPONENT} opponent:{caption(answer['opponent'])}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:  {caption(answer['roller'])}")
    say()
    rows = [("fewest-rolls", f"{answer['fewest_rolls']:.2%}", "by convolution")]
    optimal = answer["optimal"]
    if optimal:
        rows.append(
            (
                "optimal",
                f"{optimal['probability']:.3%}",
                f"exact to {optimal['error']:.1e}, table of {optimal['table_checkers']} "
                "checkers",
            )
        )
    simulated = answer["simulated"]
    if simulated:
        rows.append(
            (
                "simulated",
                f"{simulated['probability']:.2%}",
                f"{simulated['low']:.2%} to {simulated['high']:.2%} at "
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
    _show_gammons(race, answer)
    if not optimal and race.roller.points == DEFAULT_POINTS:
        from app.tables import how_to_build

        say()
        say(f"for the optimal value: {how_to_build(race, cube=False)}")
