"""What people decided in the races of the public matches, as a population."""

import sys

from app.output import say
from game.records import parse_match
from research.running import Output, run_program
from sim.engine import PassProgress
from sim.populations import build_people
from tests.public_matches import contents


def main(output: Output = "results/populations") -> None:
    """What people decided in the races of the public matches, as a population.

    `bearoff formulas score` then has a row of it. It needs the two-sided table.

    \b
    python -m research.people
    """
    show = PassProgress()
    matches = [
        parse_match(data, name)
        for name, data in sorted(contents().items())
        if name.endswith(".xg")
    ]
    path = build_people(
        matches,
        output,
        "python -m research.people",
        progress=lambda what, done: show(what, done),
    )
    say(str(path))


if __name__ == "__main__":
    sys.exit(run_program(main))
