"""Take points at all match scores, and the cost of deciding as in a money game."""

import sys
from typing import Annotated

import typer

from bearoff import build_two_sided_table
from bearoff.analysis import formulas
from bearoff.analysis.formulas.rules import CountRule
from bearoff.app.output import say
from bearoff.sim.engine import PassProgress
from bearoff.sim.populations import open_population
from research import studies
from research.running import Output, run_program


def main(
    checkers: Annotated[
        int, typer.Option(min=1, max=8, metavar="N", help="Maximum checkers per side.")
    ] = 6,
    population: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Population of games with the cube, for a page on formulas; see bearoff "
            "populations.",
            show_default=False,
        ),
    ] = None,
    output: Output = "results/match",
) -> None:
    """Compute take points at all match scores, and the cost of deciding there as for money.

    With a population, the program also computes the cost of using money formulas at match
    scores, and a correction of these formulas. Some scores are then also solved for races
    with two more checkers a side; tables of ten checkers take 0.8 GB of files. The program
    solves every score, builds the two-sided table if it is not stored, and writes pages.

    \b
    python -m research.match --checkers 4
    python -m research.match --population results/populations/cubeful.parquet
    """
    show = PassProgress()
    written = []
    if population is not None:
        names = "keith", "isight", "epc", *formulas.found_names()[-1:]
        rules = [formulas.get(name) for name in names]
        followed = studies.study_match_formulas(
            open_population(population),
            [rule for rule in rules if isinstance(rule, CountRule)],
            checkers,
            progress=lambda done: show("formulas", done),
        )
        written.append(studies.write_formula_study(followed, output))
    build_two_sided_table(checkers)
    found = studies.study_match_play(checkers, progress=lambda done: show("scores", done))
    for path in (*written, *studies.write_match_study(found, output)):
        say(str(path))


if __name__ == "__main__":
    sys.exit(run_program(main))
