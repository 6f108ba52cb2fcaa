"""Accuracy of published estimates of the effective pip count (EPC), and their cost."""

import sys
from typing import Annotated

import typer

from bearoff.app.output import say
from bearoff.sim.populations import open_population
from research.running import Output, run_program
from research.studies import study_estimates, write_estimates


def main(
    population: Annotated[
        str,
        typer.Option(metavar="PATH", help="Population of games with the cube, at home."),
    ] = "results/populations/cubeful.parquet",
    output: Output = "results/formulas",
) -> None:
    """Measure the accuracy of published EPC estimates, and what using them costs.

    \b
    python -m research.estimates
    """
    games = open_population(population)
    say(str(write_estimates(study_estimates(games), games, output)))


if __name__ == "__main__":
    sys.exit(run_program(main))
