"""`bearoff formulas frontier`: the smallest loss of any formula, by mental cost."""

from pathlib import Path
from typing import Annotated

import typer

from bearoff.app.commands.formula_scores import Populations, open_populations
from bearoff.app.options import Quiet
from bearoff.app.output import note, say, say_table

RESULTS = "results/formulas"


def find_frontier(
    populations: Populations = "results/populations",
    seed: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Seed of the search."),
    ] = 1,
    steps: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Number of changes that the search tries on each starting formula.",
        ),
    ] = 100_000,
    starts: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="Number of starting formulas for each mental cost."
        ),
    ] = 2,
    rows: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=100,
            help="Number of decisions in the random sample on which formulas are fitted.",
        ),
    ] = 30_000,
    output: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help="Folder to write frontier.md and frontier.png to.",
        ),
    ] = RESULTS,
    quiet: Quiet = False,
) -> None:
    """Find the smallest loss of any formula, for each mental cost.

    The search allows any real coefficients in a formula at no extra mental cost. The loss
    of its best formula is therefore a lower bound for formulas with whole numbers. The
    report compares known formulas with this bound, on close decisions with all checkers
    home.

    \b
    bearoff formulas frontier --steps 2000 --to elsewhere
    """
    from bearoff.analysis.battery import POPULATIONS, Battery, BatteryTable
    from bearoff.analysis.formulas.rules import ours, published
    from bearoff.analysis.search import Frontier, Objective, find_bounds, write_frontier
    from bearoff.sim.engine import PassProgress

    opened = open_populations(populations)
    home = {POPULATIONS[0]: opened[POPULATIONS[0]]}
    progress = PassProgress(show=not quiet)
    training, test = (
        Objective.of_rows(Battery.of(home, part), {"near": 1.0})
        for part in ("train", "test")
    )
    bounds = find_bounds(
        (training, test),
        rows=rows,
        steps=steps,
        starts=starts,
        seed=seed,
        progress=progress,
    )
    table = BatteryTable.of([*ours.OURS, *published.PUBLISHED], home, "test")
    command = (
        f"bearoff formulas frontier --seed {seed} --steps {steps} --starts {starts} "
        f"--rows {rows}"
    )
    for path in write_frontier(Frontier(command, bounds, table), Path(output)):
        note(f"wrote {path}")
    say_table(
        ("units", "least loss", "test"),
        [
            (
                "any" if bound is bounds.bounds[-1] else str(bound.budget),
                f"{1000 * bound.training:.1f}",
                f"{1000 * bound.test:.1f}",
            )
            for bound in bounds.bounds
        ],
    )
    say()
    say(
        "A loss is what a formula loses by its double, redouble and take "
        "decisions\ntogether in a close position, in thousandths of a point. The "
        "column 'test' is\nthe loss of the same formula on test data."
    )
