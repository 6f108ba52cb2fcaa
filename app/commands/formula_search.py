"""`bearoff formulas fit`: search for better formulas."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.commands.formula_scores import Populations, open_populations
from bearoff.app.options import Json, Quiet
from bearoff.app.output import note, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff.analysis.battery import Battery, BatteryTable
    from bearoff.analysis.search import Objective

RESULTS = "results/formulas/cube"


def fit_formulas(
    populations: Populations = "results/populations",
    budget: Annotated[
        int,
        typer.Option(metavar="N", help="Largest mental cost, in units of about a second."),
    ] = 94,
    seed: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Seed of the sample and of the changes tried."
        ),
    ] = 1,
    steps: Annotated[
        int, typer.Option(metavar="N", min=0, help="Number of changes tried for each cost.")
    ] = 15_000,
    rows: Annotated[
        int,
        typer.Option(
            metavar="N", min=100, help="Number of decisions that formulas are tried on."
        ),
    ] = 50_000,
    pips: Annotated[
        bool,
        typer.Option("--pips", help="Search only formulas that begin with the pip count."),
    ] = False,
    halves: Annotated[bool, typer.Option("--halves", help="Allow half pips.")] = False,
    run: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Find and choose on the simulated chances of this run instead, priced by "
            "Janowski's model.",
        ),
    ] = None,
    efficiency: Annotated[
        float,
        typer.Option(
            metavar="X", min=0, max=1, help="With --run: cube efficiency, 0 to 1."
        ),
    ] = 0.7,
    output: Annotated[
        str, typer.Option("--to", metavar="FOLDER", help="Folder to write the findings to.")
    ] = RESULTS,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Search for formulas that lose the least for their mental cost.

    Formulas are searched on the training part of the populations, chosen on the validation
    part, and reported on the test part beside published formulas. docs/formulas.md
    explains the search.

    \b
    bearoff populations build cubeful cubeful-long uniform checkers-5 checkers-10 races
    bearoff formulas fit
    bearoff formulas fit --budget 71 --steps 2000 --to elsewhere
    """
    from bearoff.analysis.battery import Battery, BatteryTable
    from bearoff.analysis.formulas.rules import ours, published
    from bearoff.analysis.search import (
        FitResult,
        Search,
        choose,
        write_fit,
    )
    from bearoff.sim.engine import PassProgress

    opened = open_populations(populations)
    progress = PassProgress(show=not quiet)
    home = opened["cubeful"]
    source = f"this laboratory, games with the cube {home.about['digest'][:12]}"
    how = Search(budget=budget, seed=seed, steps=steps, rows=rows, step=2 - halves)
    if pips:
        how = replace(how, each=(0,), twice=(None,))
    if run is None:
        training, validation = (
            _objective(Battery.of(opened, part)) for part in ("train", "validation")
        )
    else:
        training, validation = _simulated(run, efficiency)
        source = f"this laboratory, simulated games of the run {Path(run).name}"
    chosen = choose(training, validation, how, source, progress)
    # All choices are made by now, so the test part may be used.
    table = BatteryTable.of(
        [*(each.rule for each in chosen), *ours.OURS, *published.PUBLISHED],
        opened,
        "test",
        progress,
    )
    result = FitResult(
        command=f"bearoff formulas fit --budget {budget} --seed {seed} --steps {steps} "
        f"--rows {rows}"
        + (" --pips" if pips else "")
        + (" --halves" if halves else "")
        + (f" --run {Path(run).name} --efficiency {efficiency:g}" if run else ""),
        chosen=chosen,
        table=table,
    )
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
    say("Thousandths of a point lost on the test part: a game, and by the three decisions")
    say(f"of a near position. The formulas stand in {Path(output) / 'found.yaml'}.")


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
    """Weight the test sets by the losses of the best published formula."""
    from bearoff.analysis.battery import REFERENCE, score_battery
    from bearoff.analysis.formulas import get
    from bearoff.analysis.search import Objective

    (reference,) = score_battery([get(REFERENCE)], battery)
    return Objective.of_battery(battery, reference)


def _simulated(run: str, efficiency: float) -> "tuple[Objective, Objective]":
    """Return the pairs of a run to fit to, and the held-out pairs."""
    from bearoff.analysis.outcomes import Outcomes, open_run
    from bearoff.analysis.scoring import PricedDecisions
    from bearoff.analysis.search import Objective

    outcomes = Outcomes.of(open_run(run))
    held = outcomes.held_out()
    training, validation = (
        PricedDecisions.of_outcomes(outcomes[rows], efficiency) for rows in (~held, held)
    )
    return Objective.of_decisions(training), Objective.of_decisions(validation)
