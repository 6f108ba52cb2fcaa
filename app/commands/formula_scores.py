"""`bearoff formulas score`: losses of formulas in decisions with exact values."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.options import FormulaFile, Json, PopulationFile, Quiet
from bearoff.app.output import say, say_json, say_table

if TYPE_CHECKING:
    from bearoff.analysis.formulas.rules import WorkedFormula
    from bearoff.analysis.scoring import ValuedDecisions, table
    from bearoff.sim.populations import Population

REFERENCE = "keith"

Populations = Annotated[
    str,
    typer.Option(
        metavar="FOLDER", help="Folder of the populations; see bearoff populations."
    ),
]
Balanced = Annotated[
    bool,
    typer.Option(
        "--balanced",
        help="Give short, middle and long races the same total weight in the score.",
    ),
]


def score_formulas(
    population: PopulationFile,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FORMULA]...",
            help="Names of the doubling formulas to score. Default: all formulas.",
            show_default=False,
        ),
    ] = None,
    file: FormulaFile = None,
    part: Annotated[
        str,
        typer.Option(
            metavar="PART",
            help="Part of the population on which formulas are scored: train, "
            "validation, test or all.",
        ),
    ] = "all",
    balanced: Balanced = False,
    against: Annotated[
        str,
        typer.Option(
            metavar="FORMULA", help="Formula with which all other formulas are compared."
        ),
    ] = REFERENCE,
    per_game: Annotated[
        bool,
        typer.Option(
            "--per-game",
            help="Also show how much a perfect opponent gains per game; takes minutes per "
            "formula.",
        ),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help="Folder to write scores.md and scores.parquet to.",
        ),
    ] = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Score doubling formulas on a population of race decisions.

    A score is a formula's mean loss per decision, in thousandths of a point (EMG). For a
    folder, one table has the scores on all its populations. docs/formulas.md says which
    decisions count.

    \b
    bearoff formulas score --population results/populations --part test
    bearoff formulas score keith isight --population near.parquet
    """
    from bearoff.analysis.scoring import (
        ValuedDecisions,
        games,
        loss_difference,
        mental_cost,
        score_formulas as score,
        table,
        valued_by,
    )
    from bearoff.sim.engine import PassProgress
    from bearoff.sim.populations import open_population

    chosen, reference = chosen_formulas(names or [], file, against)
    if Path(population).is_dir():
        _score_battery(chosen, population, part, output, quiet=quiet, json=json)
        return
    opened = open_population(population)
    decisions = ValuedDecisions.of_population(opened, part)
    if balanced:
        decisions = decisions.balanced()
    progress = PassProgress(show=not quiet)
    scored_once = list({f.name: f for f in [*chosen, reference]}.values())
    losses = {loss.name: loss for loss in score(scored_once, decisions, progress)}
    scored = [
        table.ScoreRow(
            losses[formula.name],
            mental_cost(formula),
            loss_difference(losses[formula.name], losses[reference.name], decisions),
            games.lost_per_game(formula, progress) if per_game else None,
        )
        for formula in chosen
    ]
    scored.sort(key=lambda line: line.loss.total.value)
    starts = games.STARTS_TEXT if per_game else None
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
        valued, folder = valued_by([opened]), Path(output)
        table.write_scores(scored, decisions, against, starts, command, valued, folder)
    if json:
        say_json(
            {
                "population": decisions.name,
                "digest": decisions.digest,
                "visits": float(decisions.weights.sum()),
                "positions": len(decisions),
                "against": against,
                "starts": starts,
                "formulas": [table.score_json(line, decisions) for line in scored],
            }
        )
        return
    show_scores(scored, decisions, against)


def chosen_formulas(
    names: list[str], file: str | None, against: str
) -> "tuple[list[WorkedFormula], WorkedFormula]":
    """Return the requested formulas without duplicates, and the formula named `against`."""
    from bearoff.app.formulas import formula_named, formulas_by_name

    known = formulas_by_name(file)
    chosen = [formula_named(name, known) for name in dict.fromkeys(names or known)]
    return chosen, formula_named(against, known)


def show_scores(
    scored: "list[table.ScoreRow]", decisions: "ValuedDecisions", against: str
) -> None:
    """Print each formula's loss, for each cube action and in total."""
    from bearoff.analysis.outcomes import Gains

    say(
        f"{decisions.name}: {decisions.weights.sum():,.0f} positions, "
        f"{len(decisions):,} different, digest {decisions.digest[:12]}"
    )
    say()
    columns = ["formula", "units", *Gains.ACTIONS, "total", "difference"]
    if any(line.per_game is not None for line in scored):
        columns.append("against perfect")
    rows = []
    for line in scored:
        gap = line.difference
        row = [line.loss.name, str(line.cost.total)]
        row += [f"{1000 * line.loss.actions[a].lost.value:.2f}" for a in Gains.ACTIONS]
        row.append(f"{1000 * line.loss.total.value:.2f}")
        row.append(
            f"{1000 * gap.value:+.1f}±{1000 * gap.error:.1f}" if gap is not None else ""
        )
        if line.per_game is not None:
            row.append(f"{1000 * line.per_game:.1f}")
        rows.append(row)
    say_table(columns, rows)
    say()
    say("Losses are in thousandths of a point per decision.")
    say("Total: loss of the double, redouble and take decision in a position together.")
    say(
        f"Difference: the formula's total loss minus that of {against},\nin the same "
        "positions, ± one standard error."
    )
    if any(line.per_game is not None for line in scored):
        say(
            "Against perfect: mean gain per game of a perfect opponent against the formula."
        )


def open_populations(folder: str) -> "dict[str, Population]":
    """Open the populations (sets of race decisions) on which formulas are tested."""
    from bearoff.analysis.battery import BUILT, POPULATIONS
    from bearoff.analysis.errors import FitError
    from bearoff.sim.populations import FAMILIES, open_population

    paths = {name: Path(folder) / f"{name}.parquet" for name in POPULATIONS}
    if not paths[POPULATIONS[0]].exists():
        raise FitError(
            f"the population {paths[POPULATIONS[0]]} does not exist; run: bearoff "
            f"populations build {' '.join(BUILT)}"
        )
    own = FAMILIES["cubeful-by-NAME"].before_formula
    paths |= {path.stem: path for path in sorted(Path(folder).glob(f"{own}*.parquet"))}
    return {name: open_population(path) for name, path in paths.items() if path.exists()}


def _score_battery(
    chosen: "list[WorkedFormula]",
    folder: str,
    part: str,
    output: str | None,
    *,
    quiet: bool,
    json: bool,
) -> None:
    """Compute each formula's loss on every population (set of decisions) in a folder."""
    from bearoff.analysis.battery import BatteryTable, battery_json, write_battery
    from bearoff.analysis.formulas import found_names
    from bearoff.sim.engine import PassProgress

    progress = PassProgress(show=not quiet)
    table = BatteryTable.of(chosen, open_populations(folder), part, progress)
    if output is not None:
        command = f"bearoff formulas score --population FOLDER --part {part}"
        write_battery(table, found_names(), command, Path(output))
    if json:
        say_json({"populations": table.populations, "formulas": battery_json(table)})
        return
    names = [row.name for row in table.battery.rows]
    for few in (names[:5], names[5:]):
        say_table(
            ("formula", "units", *few),
            [
                (
                    line.name,
                    str(line.cost.total),
                    *(f"{1000 * line.score.lost[name].value:.1f}" for name in few),
                )
                for line in table.lines
            ],
        )
        say()
    for row in table.battery.rows:
        say(f"{row.name}: {row.text}; {row.decisions:,} positions.")
    say("Losses are in thousandths of a point.")
