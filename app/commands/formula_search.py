"""`bearoff formulas fit`: search for better doubling formulas."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.commands.formula_scores import REFERENCE, open_populations, show_scores
from bearoff.app.options import Json, Quiet
from bearoff.app.output import note, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff.analysis.battery import Battery, BatteryTable
    from bearoff.analysis.scoring import ValuedDecisions
    from bearoff.analysis.search import Objective, SearchOptions
    from bearoff.sim.engine import PassProgress

RESULTS = "results/formulas/cube"

POPULATIONS = "results/populations"


def fit_formulas(
    populations: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of the populations (sets of race decisions); see bearoff "
            "populations. With --run, formulas are tested on these populations "
            f"instead of on held-out pairs of the run. Default: {POPULATIONS}.",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        int,
        typer.Option(
            metavar="N", help="Maximum mental cost, in units of about one second."
        ),
    ] = 94,
    seed: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Seed of the search."),
    ] = 1,
    steps: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Number of changes that the search tries for each mental cost.",
        ),
    ] = 15_000,
    rows: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=100,
            help="Number of decisions in the random sample on which the search tries "
            "formulas.",
        ),
    ] = 50_000,
    pips: Annotated[
        bool,
        typer.Option("--pips", help="Search only formulas that begin with the pip count."),
    ] = False,
    halves: Annotated[
        bool, typer.Option("--halves", help="Also search formulas with half pips.")
    ] = False,
    run: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Run of self-play. Formulas are then fitted to its simulated win "
            "probabilities instead of to the populations, with equities from "
            "Janowski's model.",
        ),
    ] = None,
    efficiency: Annotated[
        float,
        typer.Option(
            metavar="X",
            min=0,
            max=1,
            help="With --run: cube efficiency of Janowski's model, from 0 to 1.",
        ),
    ] = 0.7,
    output: Annotated[
        str,
        typer.Option(
            "--to", metavar="FOLDER", help="Folder to write the formulas and the report to."
        ),
    ] = RESULTS,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Search for formulas that lose the least for their mental cost.

    A population is a set of race decisions in three parts. The search fits formulas on the
    training part, selects the best ones on the validation part, and compares them with
    published formulas on the test part. With --run, formulas are fitted to simulated pairs
    of positions instead. docs/formulas.md explains the search.

    \b
    bearoff formulas fit --budget 71 --to elsewhere
    bearoff formulas fit --run results/quick --steps 2000 --to elsewhere
    """
    from bearoff.analysis.battery import Battery, BatteryTable
    from bearoff.analysis.formulas.rules import ours, published
    from bearoff.analysis.search import (
        FitResult,
        Objective,
        SearchOptions,
        choose,
        write_fit,
    )
    from bearoff.sim.engine import PassProgress

    progress = PassProgress(show=not quiet)
    how = SearchOptions(budget=budget, seed=seed, steps=steps, rows=rows, step=2 - halves)
    if pips:
        how = replace(how, each=(0,), twice=(None,))
    command = (
        f"bearoff formulas fit --budget {budget} --seed {seed} --steps {steps} "
        f"--rows {rows}"
        + (" --pips" if pips else "")
        + (" --halves" if halves else "")
        + (f" --run {Path(run).name} --efficiency {efficiency:g}" if run else "")
    )
    if run is not None and populations is None:
        _fit_to_run(run, efficiency, how, command, Path(output), progress, json=json)
        return
    opened = open_populations(populations or POPULATIONS)
    if run is None:
        home = opened["cubeful"]
        source = f"this laboratory, games with the cube {home.about['digest'][:12]}"
        training, validation = (
            _objective(Battery.of(opened, part)) for part in ("train", "validation")
        )
    else:
        fitted, held = _simulated(run, efficiency)
        training, validation = map(Objective.of_decisions, (fitted, held))
        source = _source(run)
    chosen = choose(training, validation, how, source, progress)
    # All formulas have been chosen, so the test part of the populations may be used now.
    table = BatteryTable.of(
        [*(each.rule for each in chosen), *ours.OURS, *published.PUBLISHED],
        opened,
        "test",
        progress,
    )
    result = FitResult(command=command, chosen=chosen, table=table)
    written = write_fit(result, Path(output))
    for path in written:
        note(f"wrote {path}")
    if json:
        say_json(
            {
                "populations": table.populations,
                "formulas": [
                    {
                        "name": each.rule.name,
                        "text": each.rule.text,
                        "mental_cost": each.cost,
                        "rows": {
                            name: {"value": mean.value, "error": mean.error}
                            for name, mean in table.line(each.rule.name).score.lost.items()
                        },
                    }
                    for each in chosen
                ],
            }
        )
        return
    _show(table, [each.rule.name for each in chosen])
    say()
    say(
        "Losses on the test part of the populations, in thousandths of a point. 'a "
        "game'\nis the loss per game; 'near' is the loss of the double, redouble and "
        "take in\nclose decisions."
    )
    say(f"The formulas are in {Path(output) / 'found.yaml'}.")


def _show(table: "BatteryTable", names: list[str]) -> None:
    rows = []
    for name in names:
        line = table.line(name)
        shown = (line.score.lost[row] for row in ("game", "near"))
        rows.append(
            (
                name,
                str(line.cost.total),
                *(f"{1000 * mean.value:.1f} ± {1000 * mean.error:.1f}" for mean in shown),
            )
        )
    say_table(("formula", "units", "a game", "near"), rows)


def _objective(battery: "Battery") -> "Objective":
    """Return the search's objective: the loss relative to the best published formula."""
    from bearoff.analysis.battery import REFERENCE, score_battery
    from bearoff.analysis.formulas import get
    from bearoff.analysis.search import Objective

    (reference,) = score_battery([get(REFERENCE)], battery)
    return Objective.of_battery(battery, reference)


def _source(run: str) -> str:
    return f"this laboratory, simulated games of the run {Path(run).name}"


def _simulated(run: str, efficiency: float) -> "tuple[ValuedDecisions, ValuedDecisions]":
    """Return decisions of a run of self-play: one set to fit formulas, one held out."""
    from bearoff.analysis.errors import FitError
    from bearoff.analysis.outcomes import Outcomes, open_run
    from bearoff.analysis.scoring import ValuedDecisions

    opened = open_run(run)
    outcomes = Outcomes.of(opened)
    held = outcomes.held_out()
    if held.sum() < 2 or held.all():
        raise FitError(
            f"{run} has too few pairs: {len(held):,}, of which {held.sum():,} are held "
            "out; at least 2 held-out pairs and 1 other pair are needed"
        )
    fitted, kept = (
        replace(
            ValuedDecisions.of_outcomes(outcomes[rows], efficiency),
            name=f"run {opened.name}, {part}",
            digest=opened.manifest.digest,
        )
        for rows, part in ((~held, "fitted pairs"), (held, "held-out pairs"))
    )
    return fitted, kept


def _fit_to_run(
    run: str,
    efficiency: float,
    how: "SearchOptions",
    command: str,
    folder: Path,
    progress: "PassProgress",
    *,
    json: bool,
) -> None:
    """Fit formulas to a run of self-play, and report their losses on held-out pairs."""
    import numpy as np

    from bearoff.analysis.formulas.rules import ours, published
    from bearoff.analysis.scoring import (
        loss_difference,
        mental_cost,
        score_formulas,
        table,
    )
    from bearoff.analysis.search import Objective, choose, write_found

    fitted, held = _simulated(run, efficiency)
    half = np.arange(len(held)) % 2 == 0
    choosing, unseen = held.chosen(half), held.chosen(~half)
    unseen = replace(unseen, name=f"{held.name}, every second")
    objectives = Objective.of_decisions(fitted), Objective.of_decisions(choosing)
    chosen = choose(*objectives, how, _source(run), progress)
    rules = [*(each.rule for each in chosen), *ours.OURS, *published.PUBLISHED]
    losses = {loss.name: loss for loss in score_formulas(rules, unseen, progress)}
    scored = sorted(
        (
            table.ScoreRow(
                losses[rule.name],
                mental_cost(rule),
                loss_difference(losses[rule.name], losses[REFERENCE], unseen),
                None,
            )
            for rule in rules
        ),
        key=lambda line: line.loss.total.value,
    )
    valued = (
        "Simulated win probabilities, with equities from Janowski's model at cube "
        f"efficiency {efficiency:g}."
    )
    written = [
        write_found(chosen, command, f"Run: {unseen.digest}.", folder),
        *table.write_scores(scored, unseen, REFERENCE, None, command, valued, folder),
    ]
    for path in written:
        note(f"wrote {path}")
    if json:
        found = [table.score_json(line, unseen) for line in scored]
        say_json({"run": run, "digest": unseen.digest, "formulas": found})
        return
    show_scores(scored, unseen, REFERENCE)
    say(f"The new formulas are in {folder / 'found.yaml'}; their names begin with lab-.")
