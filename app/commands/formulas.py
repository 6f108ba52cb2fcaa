"""`bearoff formulas`: list doubling formulas, and explain them step by step."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bearoff.app.commands.formula_frontier import find_frontier
from bearoff.app.commands.formula_scores import score_formulas
from bearoff.app.commands.formula_search import fit_formulas
from bearoff.app.formulas import (
    explanation_as_json,
    formula_named,
    formulas_as_json,
    formulas_by_name,
)
from bearoff.app.options import (
    FormulaFile,
    FormulaName,
    Json,
    OpponentText,
    RollerText,
)
from bearoff.app.output import WIDTH, say, say_json, say_table
from bearoff.app.progress import waits

if TYPE_CHECKING:
    from bearoff import Race, Values
    from bearoff.analysis.scoring import explanation

SOLVING = 3.0
"""Time limit in seconds for solving a race that no table contains."""

formulas = typer.Typer(
    help="""Doubling formulas: list, explain, score, search.

A formula is a rule of thumb for doubling and taking: a published one, or your own in a
YAML file (docs/formulas.md).

\b
bearoff formulas explain keith 0,2,3,3,4,3 1,1,3,4,3,3
""",
    rich_markup_mode=None,
)


formulas.command("score")(score_formulas)
formulas.command("fit")(fit_formulas)
formulas.command("frontier")(find_frontier)


@formulas.callback(invoke_without_command=True)
def _help_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help())


@formulas.command("list")
def list_formulas(file: FormulaFile = None, json: Json = False) -> None:
    """List the formulas with their mental cost.

    A unit of mental cost is about one second of a trained player's work. The cost includes
    counting both sides, and deciding whether to double, redouble and take. docs/formulas.md
    explains the units.

    \b
    bearoff formulas list --file my-formulas.yaml
    """
    from textwrap import wrap

    from bearoff.analysis.formulas import recommended_for
    from bearoff.analysis.scoring import mental_cost

    known = formulas_by_name(file)
    if json:
        say_json(formulas_as_json(known))
        return
    for name, formula in known.items():
        cost = mental_cost(formula)
        recommended = recommended_for(name)
        named = f"{name}, {recommended}" if recommended else name
        say(f"{named}: {cost.total} units, {cost.beyond_pips} of them beyond counting pips")
        for line in wrap(f"{formula.text} ({formula.source})", WIDTH - 4):
            say(f"    {line}")
        say()


@formulas.command("explain")
@waits("computing the steps of the formula")
def explain_formula(
    name: FormulaName,
    roller: RollerText,
    opponent: OpponentText = None,
    file: FormulaFile = None,
    points: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of points of the table to which position numbers belong. "
            "Default: 6.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Work out a formula for one race, step by step.

    If a two-sided table contains the race, or it can be solved in a few seconds, the output
    includes the exact decision, and the cost of each error of the formula in points at a
    cube of 1.

    \b
    bearoff formulas explain keith 0,2,3,3,4,3 1,1,3,4,3,3
    """
    from bearoff import Race
    from bearoff.analysis.scoring import explanation
    from bearoff.answers import Judge
    from bearoff.app.race_text import parse_race
    from bearoff.app.score_text import note_score
    from bearoff.sources import TableSource

    formula = formula_named(name, formulas_by_name(file))
    race = parse_race(roller, opponent, points).on_points()
    note_score(race, "doubling formulas are for money play")
    found = explanation.explain(formula, race)
    source = Judge(patience=SOLVING).source(Race(race.roller, race.opponent))
    table = source.table if isinstance(source, TableSource) else None
    loss = explanation.verdict_loss(found.verdict, table, race) if table else None
    if json:
        held = table.checkers if table and table.folder else None
        say_json(_as_json(race, found, loss, held))
    else:
        _show(race, found, loss)


def _as_json(
    race: "Race",
    found: "explanation.Explanation",
    loss: "explanation.VerdictLoss | None",
    checkers: int | None,
) -> dict[str, Any]:
    exact = None
    if loss is not None:
        exact = {
            "table_checkers": checkers,
            "centred": _numbers(loss.centred),
            "owned": _numbers(loss.owned),
            "costs": {
                "double": loss.double,
                "redouble": loss.redouble,
                "take": loss.take,
            },
        }
    return {**explanation_as_json(race, found), "exact": exact}


def _numbers(values: "Values") -> dict[str, Any]:
    """Return the equities of a pair of positions by name; unknown equities are None."""
    return {name: None if x != x else x for name, x in values.row().items()}


def _show(
    race: "Race", found: "explanation.Explanation", loss: "explanation.VerdictLoss | None"
) -> None:
    from textwrap import fill

    from bearoff.analysis.scoring import mental_cost
    from bearoff.app.board import OPPONENT, ROLLER, draw_race

    say(f" {OPPONENT} opponent")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller: you")
    say()
    say(fill(f"{found.formula.name}: {found.formula.text}", WIDTH))
    say()
    say_table(
        ("step", "<arithmetic", "units"),
        [
            (fill(step.words, 36), fill(step.arithmetic, 34), str(step.units))
            for step in found.steps
        ],
    )
    say()
    cost = mental_cost(found.formula)
    say(
        f"The mental cost is {cost.total} units, {len(cost.numbers)} of them for "
        "memorised numbers."
    )
    say()
    if loss is None:
        _show_verdict(found)
    else:
        _show_loss(found, loss)


def _decisions(found: "explanation.Explanation") -> list[tuple[str, str]]:
    verdict = found.verdict
    return [
        ("cube in the centre", "double" if verdict.double else "no double"),
        ("your cube", "redouble" if verdict.redouble else "no redouble"),
        ("doubled, the opponent", "takes" if verdict.take else "passes"),
    ]


def _show_verdict(found: "explanation.Explanation") -> None:
    say_table(("decision", "<by the formula"), _decisions(found))
    say()
    say("Solving this race would take longer; bearoff race answers it.")


def _show_loss(found: "explanation.Explanation", loss: "explanation.VerdictLoss") -> None:
    from bearoff.stakes import PASS

    centred, owned = loss.centred, loss.owned
    takes = centred.takes
    exact = (
        str(centred.action).partition(",")[0],
        str(owned.action).partition(",")[0],
        "takes" if takes else "passes",
    )
    costs = loss.double, loss.redouble, loss.take
    say_table(
        ("decision", "<by the formula", "<exact", "cost"),
        [
            (name, answer, right, f"{cost:.4f}" if cost else "none")
            for (name, answer), right, cost in zip(
                _decisions(found), exact, costs, strict=True
            )
        ],
    )
    say()
    say_table(
        ("exact equity", "centred", "owned"),
        [
            ("no double", f"{centred.no_double:+.4f}", f"{owned.no_double:+.4f}"),
            ("double, take", f"{centred.double_take:+.4f}", f"{owned.double_take:+.4f}"),
            ("double, pass", f"{PASS:+.4f}", f"{PASS:+.4f}"),
        ],
    )
    say()
    say(f"Without the cube, the roller wins {centred.win_probability:.2%}.")
    if centred.too_close or owned.too_close:
        say(
            "The equities of two cube actions differ by less than the table's "
            "error,\nso either action may be correct."
        )
