"""`bearoff formulas fit`: search for better formulas."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.formula_scores import Balanced, PopulationFile, Quiet
from app.options import Json
from app.output import note, say, say_json, say_table

if TYPE_CHECKING:
    from analysis.scoring import PricedDecisions

RESULTS = "results/formulas"
EPC_BUDGET = 60
AGAINST = "keith-unrounded"


def fit_formulas(
    population: PopulationFile,
    budget: Annotated[
        int, typer.Option(metavar="N", help="Most units of mental cost.")
    ] = 75,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the samples.")] = 1,
    seeds: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=20, help="Searches with samples of their own."
        ),
    ] = 2,
    depth: Annotated[
        int, typer.Option(metavar="N", min=0, max=9, help="Most adjustments.")
    ] = 6,
    rows: Annotated[
        int,
        typer.Option(metavar="N", min=100, help="Decisions that formulas are built on."),
    ] = 8000,
    balanced: Balanced = False,
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
        typer.Option(metavar="X", min=0, max=1, help="With --run: of the cube, 0 to 1."),
    ] = 0.7,
    against: Annotated[
        str, typer.Option(metavar="FORMULA", help="Compare each with this one.")
    ] = AGAINST,
    output: Annotated[
        str, typer.Option(metavar="FOLDER", help="Where the findings go.")
    ] = RESULTS,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Search for formulas that lose the least for their mental cost.

    They are found on the training part of the population, chosen on its validation part
    and reported on its test part, beside the published ones; docs/formula-search.md.

    \b
    bearoff formulas fit --population results/populations/races.parquet
    bearoff formulas fit --population races.parquet --budget 50 --output elsewhere
    """
    from analysis.formulas import get
    from analysis.formulas.counting import estimates, get_estimate
    from analysis.formulas.rules import published
    from analysis.scoring import PricedDecisions
    from analysis.search import (
        FitResult,
        Search,
        Sides,
        choose,
        score_estimates,
        score_held_out,
        search_estimates,
        write_fit,
    )
    from sim.engine import PassProgress
    from sim.populations import open_population

    reference = get(against)
    opened = open_population(population)
    progress = PassProgress(show=not quiet)
    digest = opened.about["digest"]
    source = f"this laboratory, population {opened.about['name']} {digest[:12]}"
    how = Search(budget=budget, seed=seed, depth=depth, rows=rows, refined_rows=5 * rows)
    if run is None:
        training = PricedDecisions.of_population(opened, "train")
        validation = PricedDecisions.of_population(opened, "validation")
    else:
        training, validation = _simulated(run, efficiency)
        source = f"this laboratory, simulated games of the run {Path(run).name}"
    if balanced:
        training, validation = training.balanced(), validation.balanced()
        source += ", balanced"
    chosen = choose(training, validation, how, source, seeds, progress)
    sides = Sides.of(opened, "train")
    found = search_estimates(sides, min(budget, EPC_BUDGET), source, progress)
    # From here on nothing is chosen any more, and the test part may be looked at.
    test = PricedDecisions.of_population(opened, "test")
    if balanced:
        test = test.balanced()
    scored = score_held_out(
        [each.rule for each in chosen], published.PUBLISHED, test, reference, progress
    )
    known = [get_estimate(name) for name in estimates()]
    result = FitResult(
        population=opened.about["name"] + (", balanced" if balanced else ""),
        digest=digest,
        command=f"bearoff formulas fit --population {Path(population).name} --budget "
        f"{budget} --seed {seed} --seeds {seeds} --depth {depth} --rows {rows}"
        + (" --balanced" if balanced else "")
        + (f" --against {against}" if against != AGAINST else "")
        + (f" --run {Path(run).name} --efficiency {efficiency:g}" if run else ""),
        chosen=chosen,
        scored=scored,
        reference=against,
        estimates=score_estimates([*found, *known], Sides.of(opened, "test")),
        found_estimates=frozenset(each.name for each in found),
    )
    written = write_fit(result, Path(output))
    for path in written:
        note(f"wrote {path}")
    lines = [j for j in scored if j.formula.name in result.names]
    if json:
        say_json(
            {
                "population": result.population,
                "digest": digest,
                "formulas": [
                    {
                        "name": j.formula.name,
                        "text": j.formula.text,
                        "mental_cost": j.cost,
                        "lost": j.loss.total.value,
                        "error": j.loss.total.error,
                        "difference": j.difference.value,
                    }
                    for j in lines
                ],
            }
        )
        return
    say_table(
        ("formula", "units", "lost", f"more than {against}"),
        [
            (
                j.formula.name,
                str(j.cost),
                f"{1000 * j.loss.total.value:.2f} ± {1000 * j.loss.total.error:.2f}",
                f"{1000 * j.difference.value:+.2f} ± {1000 * j.difference.error:.2f}",
            )
            for j in lines
        ],
    )
    say()
    say("Thousandths of a point lost per position of the test part, by double, redouble")
    say(f"and take together. The formulas stand in {Path(output) / 'found.yaml'}.")


def _simulated(run: str, efficiency: float) -> "tuple[PricedDecisions, PricedDecisions]":
    """Return the pairs of a run that fits may see, and those held out."""
    from analysis.outcomes import Outcomes, open_run
    from analysis.scoring import PricedDecisions

    outcomes = Outcomes.of(open_run(run))
    held = outcomes.held_out()
    return (
        PricedDecisions.of_outcomes(outcomes[~held], efficiency),
        PricedDecisions.of_outcomes(outcomes[held], efficiency),
    )
