"""Exact solutions of the doubling cube for coin games, races of rolls, and bar entry."""

import sys

from bearoff.app.output import say
from bearoff.sim.engine import PassProgress
from research.lessons import write_doubling_lesson
from research.running import Output, run_program


def main(output: Output = "results/game") -> None:
    """Solve the doubling cube exactly in coin games, races of rolls, and bar entry.

    The program writes a page and a chart; docs/cube.md#why-double explains them.

    \b
    python -m research.doubling
    """
    show = PassProgress()
    for path in write_doubling_lesson(output, progress=lambda done: show("games", done)):
        say(str(path))


if __name__ == "__main__":
    sys.exit(run_program(main))
