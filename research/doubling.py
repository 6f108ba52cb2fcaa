"""The cube on coins, races of rolls and the bar, exactly."""

import sys

from bearoff.app.output import say
from bearoff.sim.engine import PassProgress
from research.lessons import write_doubling_lesson
from research.running import Output, run_program


def main(output: Output = "results/game") -> None:
    """The cube on coins, races of rolls and the bar, exactly.

    Writes a page and a picture; docs/cube.md#why-double tells what they show.

    \b
    python -m research.doubling
    """
    show = PassProgress()
    for path in write_doubling_lesson(output, progress=lambda done: show("games", done)):
        say(str(path))


if __name__ == "__main__":
    sys.exit(run_program(main))
