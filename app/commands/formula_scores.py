"""`bearoff formulas score`: what formulas lose on exact decisions."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.options import Json
from app.output import say, say_json, say_table

if TYPE_CHECKING:
    from analysis.decisions import PricedDecisions
    from analysis.formula_table import ScoredFormula
    from analysis.formulas import WorkedFormula

REFERENCE = "keith"

PopulationFile = Annotated[
    str,
    typer.Option(
        metavar="PATH", help="A population; see bearoff populations.", show_default=False
    ),
]
File = Annotated[
    str | None,
    typer.Option(metavar="YAML", help="A file of your own formulas besides."),
]
Balanced = Annotated[
    bool,
    typer.Option(
        "--balanced", help="Let short, middle and long races count the same in all."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]


def score_formulas(
    population: PopulationFile,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FORMULA]...", help="Which; all if none is named.", show_default=False
        ),
    ] = None,
    file: File = None,
    part: Annotated[
        str, typer.Option(metavar="PART", help="train, validation, test, or all.")
    ] = "all",
    balanced: Balanced = False,
    against: Annotated[
        str,
        typer.Option(metavar="FORMULA", help="Compare each with this one."),
    ] = REFERENCE,
    per_game: Annotated[
        bool,
        typer.Option(
            "--per-game",
            help="Also what a perfect opponent gains a game; minutes a formula.",
        ),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Write scores.md and scores.parquet there."),
    ] = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Score formulas on a population of exact decisions.

    Each decision costs what it loses against the right one, in points at a cube of 1;
    shown are thousandths. docs/formula-search.md says which decisions count.

    \b
    bearoff formulas score --population results/populations/races.parquet
    bearoff formulas score keith isight --population near.parquet --part test
    bearoff formulas score --file mine.yaml --population near.parquet
    """
    from analysis.decisions import PricedDecisions
    from analysis.formula_games import STARTS_TEXT, lost_per_game
    from analysis.formula_scores import compared
    from analysis.formula_scores import score_formulas as score
    from analysis.formula_table import ScoredFormula, score_json, write_scores
    from analysis.mental_cost import mental_cost
    from sim.population_file import open_population

    chosen, reference = chosen_formulas(names or [], file, against)
    decisions = PricedDecisions.of_population(open_population(population), part)
    if balanced:
        decisions = decisions.balanced()
    progress = shown_progress(quiet)
    asked = list({f.name: f for f in [*chosen, reference]}.values())
    losses = {loss.name: loss for loss in score(asked, decisions, progress)}
    scored = [
        ScoredFormula(
            losses[formula.name],
            mental_cost(formula),
            compared(losses[formula.name], losses[reference.name], decisions),
            lost_per_game(formula, progress) if per_game else None,
        )
        for formula in chosen
    ]
    scored.sort(key=lambda line: line.loss.together.value)
    starts = STARTS_TEXT if per_game else None
    command = " ".join(
        [
            "bearoff formulas score",
            *(names or []),
            *(["--file", str(file)] if file else []),
            f"--population {Path(population).name}",
            *([f"--part {part}"] if part != "all" else []),
            *(["--balanced"] if balanced else []),
            *([f"--against {against}"] if against != REFERENCE else []),
            *(["--per-game"] if per_game else []),
        ]
    )
    if output is not None:
        write_scores(scored, decisions, against, starts, command, Path(output))
    if json:
        say_json(
            {
                "population": decisions.name,
                "digest": decisions.digest,
                "visits": float(decisions.weights.sum()),
                "positions": len(decisions),
                "against": against,
                "starts": starts,
                "formulas": [score_json(line, decisions) for line in scored],
            }
        )
        return
    _show(scored, decisions, against)


def chosen_formulas(
    names: list[str], file: str | None, against: str
) -> "tuple[list[WorkedFormula], WorkedFormula]":
    """Return the formulas that are named, each once, and the one to compare with.

    All that are known, if none is named.
    """
    from app.commands.formulas import known_formulas, refuse_formula

    known = known_formulas(file)
    wanted = [
        known.get(name) or refuse_formula(name, tuple(known))
        for name in dict.fromkeys(names or known)
    ]
    return wanted, known.get(against) or refuse_formula(against, tuple(known))


def shown_progress(quiet: bool) -> Callable[[str, float], None]:
    """Return what shows progress on stderr, or nothing at all."""
    from app.commands.two_sided_tables import Progress

    return (lambda name, done: None) if quiet else Progress()


def _show(
    scored: "list[ScoredFormula]", decisions: "PricedDecisions", against: str
) -> None:
    from analysis.equity import ACTIONS

    say(
        f"{decisions.name}: {decisions.weights.sum():,.0f} positions met, "
        f"{len(decisions):,} different, digest {decisions.digest[:12]}"
    )
    say()
    columns = ["formula", "units", *ACTIONS, "together", "more"]
    if any(line.per_game is not None for line in scored):
        columns.append("a game")
    rows = []
    for line in scored:
        more = line.difference
        row = [line.loss.name, str(line.cost.total)]
        row += [f"{1000 * line.loss.actions[a].lost.value:.2f}" for a in ACTIONS]
        row.append(f"{1000 * line.loss.together.value:.2f}")
        row.append(
            f"{1000 * more.value:+.1f}±{1000 * more.error:.1f}" if more is not None else ""
        )
        if line.per_game is not None:
            row.append(f"{1000 * line.per_game:.1f}")
        rows.append(row)
    say_table(columns, rows)
    say()
    say("Thousandths of a point lost per decision, and per position by all three;")
    say(f"more: than by {against} on the same positions, with its standard error.")
    if any(line.per_game is not None for line in scored):
        say("A game: what a perfect opponent gains.")
