"""Program that measures the loss if people misread the project's printed race formulas."""

import sys
from pathlib import Path

from bearoff.analysis.battery import HOME, LONG
from bearoff.analysis.formulas import found_names, get
from bearoff.app.output import say
from bearoff.sim.populations import open_population
from research.running import Output, Seed, run_program
from research.studies import write_readings


def main(
    populations: Output = "results/populations",
    output: Output = "results/formulas",
    seed: Seed = 1,
) -> None:
    """Measure what it costs to misread the printed text of the project's race formulas.

    A simulated player who knows only the printed text makes cube decisions, as the text is
    meant and with each misreading. The program writes a page with the cost of each
    misreading.

    \b
    python -m research.readings
    """
    opened = {
        name: open_population(Path(populations) / f"{name}.parquet")
        for name in (HOME, LONG)
    }
    ours = {name: get(name) for name in found_names()}
    say(str(write_readings(ours, opened, output, seed=seed)))


if __name__ == "__main__":
    sys.exit(run_program(main))
