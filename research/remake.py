"""Program that recreates results/formulas: populations, search, scores and paper."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bearoff.analysis.formulas import found_names
from bearoff.app.output import say
from research.running import run_program
from research.steps import Step, run_steps

RECORD = Path("results/formulas/.steps")
"""File that records the completed steps on this machine, with their durations."""

POPULATIONS = "results/populations"
EVERY = f"{POPULATIONS}/*.parquet"
JUDGE = f"{POPULATIONS}/judge"
"""Folder of the populations for the final scores, which were used neither in a search nor
to choose a formula."""

FRESH = f"--seed 20261124 --to {JUDGE}"
GAMES = f"{POPULATIONS}/cubeful.parquet"
FORMULAS = "results/formulas"
USUAL = ("keith", "isight")
"""Published formulas with which games are also played."""


def all_steps() -> list[Step]:
    """Return all steps in an order in which every input exists before it is read."""
    ours = found_names()
    return [
        _step("tables build --two-sided"),
        _step("populations build cubeful"),
        _step("populations build cubeful-long --size 22000"),
        _step("populations build uniform checkers-5 checkers-10 --size 40000"),
        _step("populations build races --size 60000"),
        _step(f"populations build cubeful --size 80000 {FRESH}"),
        _step(f"populations build cubeful-long --size 4400 {FRESH}"),
        _step(f"populations build uniform checkers-5 checkers-10 --size 8000 {FRESH}"),
        _step(f"populations build races --size 12000 {FRESH}"),
        *(
            _step(f"populations build cubeful-by-{name} --size 20000 {FRESH}")
            for name in (*ours, *USUAL)
        ),
        Step("research.people", ("--to", JUDGE), (), (f"{JUDGE}/people.parquet",)),
        _step("formulas fit", EVERY, writes=("cube/found.md",)),
        _step("formulas frontier", EVERY, writes=("frontier.md",)),
        _step(
            f"formulas score --population {JUDGE} --to {FORMULAS}/cube",
            f"{JUDGE}/*.parquet",
            writes=("cube/battery.md",),
        ),
        _step(
            f"formulas score --population {GAMES} --part test --to {FORMULAS}",
            GAMES,
            writes=("scores.md", "scores.parquet"),
        ),
        Step("research.estimates", (), (GAMES,), (f"{FORMULAS}/estimates.md",)),
        *(
            _step(
                f"print chart --population {GAMES} --by {by} --formula {name}",
                GAMES,
                writes=(f"doubling-{by}-{name}.pdf",),
            )
            for by, name in (("pips", "8-9-12"), ("epc", "epc"), ("count", ours[-1]))
        ),
        _step(
            f"print gold-standard --population {GAMES}", GAMES, writes=("gold-standard.md",)
        ),
        _step("print n-rolls", writes=("n-rolls.md",)),
        _step("print two-checkers", writes=("two-checkers.md",)),
        *(
            _step(
                f"print cheat-sheet {name} --population {GAMES} "
                f"--scores {FORMULAS}/cube/battery.parquet",
                GAMES,
                f"{FORMULAS}/cube/battery.parquet",
                writes=(f"cheat-sheet-{name}.pdf",),
            )
            for name in ours
        ),
        Step(
            "research.typeset",
            (),
            tuple(f"results/**/*.{ending}" for ending in ("md", "parquet", "json")),
            ("results/paper.pdf",),
        ),
    ]


def _step(words: str, *reads: str, writes: tuple[str, ...] = ()) -> Step:
    where = ["--to", FORMULAS] if words.startswith("print ") else []
    return Step(
        "bearoff",
        (*words.split(), *map(str, where)),
        reads,
        tuple(f"{FORMULAS}/{name}" for name in writes),
    )


def main(
    again: Annotated[bool, typer.Option("--again", help="Repeat completed steps.")] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Show the steps and run none.")
    ] = False,
) -> None:
    """Remake all of results/formulas from scratch, and the paper.

    A completed step is skipped if its command, its inputs and the code of `analysis` are
    unchanged, so the same command continues after a stop. The program prints how long each
    step took last time on this machine, and how long it takes now.

    \b
    python -m research.remake
    """
    steps = all_steps()
    if show:
        for step in steps:
            say(step.name)
        return
    run_steps(steps, RECORD, again=again)


if __name__ == "__main__":
    sys.exit(run_program(main))
