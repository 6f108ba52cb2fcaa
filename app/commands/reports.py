"""`bearoff analyze` and `chart`: reports and charts of runs of self-play."""

from time import sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bearoff.app.options import Json
from bearoff.app.output import WIDTH, note, say, say_json, say_table
from bearoff.app.progress import waits

if TYPE_CHECKING:
    from bearoff.analysis.outcomes import Calibration, Outcomes, Run
    from bearoff.analysis.reports import Report

_FEW = 12
"""Maximum number of pairs of positions in a run for which all of them are printed."""

_MOST_RACES = 20
"""Maximum number of rolled-out races in the output."""

RunFolder = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="Folder or URI of a run, such as results/quick.",
        show_default=False,
    ),
]

Efficiency = Annotated[
    float,
    typer.Option(
        metavar="X",
        help="Cube efficiency in Janowski's model, from 0 (dead cube) to 1 (fully live "
        "cube).",
    ),
]

RACE_EFFICIENCY = 0.7
"""Cube efficiency in races, copied from `bearoff.RACE_EFFICIENCY`, whose import would slow
down the help."""


def analyze(
    run: RunFolder,
    output: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help="Folder to write to. Default: the folder of the run.",
        ),
    ] = None,
    efficiency: Efficiency = RACE_EFFICIENCY,
    follow: Annotated[
        bool,
        typer.Option("--follow", help="Update the report until all games are played."),
    ] = False,
    json: Json = False,
) -> None:
    """Report on a run of self-play: probabilities, rules, charts.

    The command prints some pairs of positions, each with the simulated win probability, its
    95% interval and the exact value; the report file has all pairs. For games with the
    cube, equities and final cube values are added; for rollouts, equities and cube actions.
    The run may be unfinished.

    \b
    bearoff analyze results/quick
    bearoff analyze s3://bucket/races/quick --to quick
    """
    from bearoff.analysis import open_run

    games, left = 0, False
    while True:
        opened = open_run(run)
        if opened.games > games or not follow:
            _report(run, opened, output, efficiency, json=json)
            games = opened.games
        if opened.complete or not follow:
            return
        if not opened.in_progress:
            if left:  # The reopened run is still unfinished.
                note(f"no process is simulating {run} now; bearoff simulate continues it")
                raise typer.Exit(1)
            left = True
            continue
        left = False
        sleep(FOLLOW_SECONDS)


FOLLOW_SECONDS = 2.0
"""Interval between two updates of the report with --follow, in seconds."""


@waits("writing the report of the run")
def _report(
    run: str, opened: "Run", output: str | None, efficiency: float, *, json: bool
) -> None:
    from bearoff.analysis import write_report
    from bearoff.sim.storage import schema

    if opened.kind in (schema.CUBEFUL, schema.MATCHES):
        _analyze_cubeful(run, output, json=json)
        return
    if opened.kind == schema.ROLLOUTS:
        _analyze_rollouts(run, output, json=json)
        return
    report = write_report(run, output, efficiency=efficiency)
    if json:
        say_json({"run": run, **_rests_on(report.study.run), **_as_json(report)})
        return
    found = report.study
    say(_wrapped(found.run.describe()))
    say()
    _show_pairs(found.outcomes)
    say()
    say(_wrapped(f"The run {found.calibration.verdict}."))
    for shortage in found.shortages:
        say(_wrapped(shortage))
    if found.fits:
        best = found.fits.best_rule
        say()
        say(_wrapped(f"{best.formula.text} {best.wrong}"))
    say()
    charts = (path for path in report.charts if path.stem.startswith("doubling"))
    for path in [path for path in charts if path.suffix == ".png"][:1]:
        say(f"doubling chart: {path}")
    say(f"report:         {report.page}")


@waits("drawing the chart")
def chart(
    run: RunFolder,
    by: Annotated[
        str, typer.Option(metavar="epc|pips", help="Count shown on the axes: epc or pips.")
    ] = "epc",
    output: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="File to write, .png or .svg. Default: doubling-BY.png in the run's "
            "folder.",
        ),
    ] = None,
    efficiency: Efficiency = RACE_EFFICIENCY,
    json: Json = False,
) -> None:
    """Draw the doubling chart of a run of self-play.

    The chart shows the cube action for each count of the roller and each lead.

    \b
    bearoff chart results/quick --by pips --to pips.svg
    """
    from bearoff.analysis import RunError
    from bearoff.analysis.plots import write_doubling_chart

    if output is None:
        if "://" in run:
            raise RunError(f"{run} is not a local folder; specify a file with --to")
        output = f"{run}/doubling-{by}.png"
    path = write_doubling_chart(run, output, by, efficiency=efficiency)
    if json:
        say_json({"run": run, "chart": str(path)})
        return
    say(str(path))


def _analyze_cubeful(run: str, output: str | None, *, json: bool) -> None:
    from bearoff.analysis.reports import (
        action_rows,
        cube_rows,
        pair_table,
        summary_rows,
        tables,
        write_cubeful_report,
    )

    report = write_cubeful_report(run, output)
    outcomes, calibration = report.outcomes, report.calibration
    equity, gain = outcomes.mean_equity(), outcomes.mean_difference()
    if json:
        say_json(
            {
                "run": run,
                **_rests_on(report.run),
                "report": str(report.page),
                "charts": [str(path) for path in report.charts],
                "equity" if outcomes.score is None else "match_chance": equity.value,
                "standard_error": equity.error,
                "gain": gain.value if outcomes.has_rival else None,
                "gain_standard_error": gain.error if outcomes.has_rival else None,
                "cubes": outcomes.share(outcomes.cubes).tolist(),
                "doubles": outcomes.share(outcomes.doubles).tolist(),
                "passes": outcomes.share(outcomes.passes).tolist(),
                "calibration": _calibration_as_json(calibration),
            }
        )
        return
    say(_wrapped(report.run.describe()))
    say()
    say_table(("", "<run"), summary_rows(report.run, outcomes))
    say()
    say_table(("final cube", "games"), cube_rows(outcomes))
    say()
    say_table(("a game", "roller", "opponent"), action_rows(outcomes))
    say()
    head, rows = pair_table(outcomes, tables.spread(outcomes.equity, _FEW))
    say_table((head[0], f"<{head[1]}", *head[3:6]), [[*row[:2], *row[3:6]] for row in rows])
    say()
    say(_wrapped(f"The run {calibration.verdict}."))
    say(f"report: {report.page}")


def _analyze_rollouts(run: str, output: str | None, *, json: bool) -> None:
    from itertools import islice

    from bearoff import Position, Race
    from bearoff.analysis.reports import write_rollout_report

    report = write_rollout_report(run, output)
    outcomes = report.outcomes
    if json:
        say_json(
            {
                "run": run,
                "complete": report.run.complete,
                "report": str(report.page),
                "races": len(outcomes),
                "games": int(outcomes.games.sum()),
                "largest_standard_error": outcomes.largest_error,
                "too_close": int(outcomes.double_too_close.sum()),
            }
        )
        return
    say(_wrapped(report.run.describe()))
    say()
    values, open_to_doubt = outcomes.values, outcomes.double_too_close
    sides = zip(outcomes.roller_counts, outcomes.opponent_counts, strict=True)
    ids = [
        Race(*(Position(tuple(map(int, side))) for side in race)).position_id
        for race in islice(sides, _MOST_RACES)
    ]
    say_table(
        ("race", "wins", "no double", "double/take", "<action"),
        [
            (
                race,
                f"{values['win_probability'][k]:.2%}",
                f"{values['no_double'][k]:+.4f}",
                f"{values['double_take'][k]:+.4f}",
                f"{outcomes.double_action[k]}{' ?' if open_to_doubt[k] else ''}",
            )
            for k, race in enumerate(ids)
        ],
    )
    say(
        "The races are shown as position IDs. The largest standard error of an "
        f"equity\nis {outcomes.largest_error:.4f}."
    )
    if open_to_doubt.any():
        say("'?' marks a cube action that the games played so far do not determine.")
    if len(outcomes) > _MOST_RACES:
        say(
            f"The table shows {_MOST_RACES} of {len(outcomes):,} races; the report "
            "lists all races."
        )
    say()
    say(f"report: {report.page}")


def _rests_on(run: "Run") -> dict[str, Any]:
    """Return whether a run is complete, and its numbers of pairs and games, as JSON."""
    return {"complete": run.complete, "pairs": run.pairs, "games": run.games}


def _show_pairs(outcomes: "Outcomes") -> None:
    """Print the report's pairs of positions, or every second one if they are many."""
    from math import isfinite

    from bearoff.analysis.outcomes import intervals
    from bearoff.analysis.reports import tables

    picked = tables.spread(outcomes.win_probability)
    chosen = outcomes[picked[::-2] if len(picked) > _FEW else picked]
    low, high = intervals.wilson_interval(chosen.wins, chosen.games)
    z = intervals.z_scores(chosen.wins, chosen.games, chosen.expected)
    say_table(
        ("roller", "<opponent", "simulated", "95% interval", "expected", "z"),
        [
            (
                _side(chosen.roller_counts[i], chosen.roller[i]),
                _side(chosen.opponent_counts[i], chosen.opponent[i]),
                intervals.percent(chosen.win_probability[i]),
                f"{intervals.percent(low[i])} to {intervals.percent(high[i])}",
                intervals.percent(chosen.expected[i])
                if isfinite(chosen.expected[i])
                else "unknown",
                f"{z[i]:+.1f}" if isfinite(z[i]) else "",
            )
            for i in range(len(chosen))
        ],
    )
    if len(chosen) < len(outcomes):
        say(
            f"The table shows {len(chosen)} of {len(outcomes):,} pairs of positions, "
            "evenly\nspaced in order of win probability."
        )


def _side(counts: Any, number: int) -> str:
    """Format a position as checkers per point if there is room, otherwise as its number."""
    return ",".join(str(count) for count in counts) if len(counts) <= 6 else str(number)


def _as_json(report: "Report") -> dict[str, Any]:
    found = report.study
    rules = found.fits.rules if found.fits else ()
    chances = found.fits.chances if found.fits else ()
    return {
        "report": str(report.page),
        "charts": [str(path) for path in report.charts],
        "calibration": _calibration_as_json(found.calibration),
        "rules": [rule.formula.text for rule in rules],
        "chances": [chance.formula.text for chance in chances],
    }


def _calibration_as_json(calibration: "Calibration") -> dict[str, Any]:
    judged = calibration.pairs > 0
    return {
        "pairs": calibration.pairs,
        "agrees": calibration.agrees,
        "verdict": calibration.verdict,
        "rms": calibration.rms if judged else None,
        "worst": calibration.worst if judged else None,
    }


def _wrapped(text: str) -> str:
    from textwrap import fill

    return fill(text, WIDTH - 1)
