"""`bearoff formulas`: the formulas for the head, and how each is worked out."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.commands.formula_scores import score_formulas
from app.commands.formula_search import fit_formulas
from app.options import DEFAULT_CHECKERS, DEFAULT_POINTS, Json, OpponentText, RollerText
from app.output import WIDTH, say, say_json, say_table

if TYPE_CHECKING:
    from analysis.explain import Explanation, Judgement
    from analysis.formulas import WorkedFormula
    from analysis.mental_cost import MentalCost
    from bearoff import Race

File = Annotated[
    str | None,
    typer.Option(metavar="YAML", help="A file of your own formulas besides."),
]

formulas = typer.Typer(
    help="""Doubling formulas for the head: what there is, and how they are worked out.

    Those published, and your own from a YAML file (docs/formulas.md).
    """,
    rich_markup_mode=None,
)


formulas.command("score")(score_formulas)
formulas.command("fit")(fit_formulas)


@formulas.callback(invoke_without_command=True)
def _help_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help())


@formulas.command("list")
def list_formulas(file: File = None, json: Json = False) -> None:
    """List the formulas with what they cost in the head.

    The cost is in units of about a second, for counting both sides and deciding about
    double, redouble and take; docs/mental-cost.md has the rubric.

    \b
    bearoff formulas list
    bearoff formulas list --file my-formulas.yaml
    """
    from textwrap import wrap

    from analysis.formulas import WinFormula
    from analysis.mental_cost import mental_cost

    known = known_formulas(file)
    costs = {name: mental_cost(formula) for name, formula in known.items()}
    if json:
        say_json(
            [
                {
                    "name": name,
                    "source": formula.source,
                    "text": formula.text,
                    "estimates_chance": isinstance(formula, WinFormula),
                    "mental_cost": _cost_as_json(costs[name]),
                }
                for name, formula in known.items()
            ]
        )
        return
    for name, formula in known.items():
        cost = costs[name]
        say(f"{name}: {cost.total} units, {cost.beyond_pips} of them beyond pip counts")
        for line in wrap(f"{formula.text} ({formula.source})", WIDTH - 4):
            say(f"    {line}")
        say()


@formulas.command("explain")
def explain_formula(
    name: Annotated[
        str,
        typer.Argument(
            metavar="FORMULA", help="Name of a formula, as listed.", show_default=False
        ),
    ],
    roller: RollerText,
    opponent: OpponentText = None,
    file: File = None,
    points: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Points that the numbers of a position are for; 6, or all 24 where one "
            "text carries both sides.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Work a formula out for one race, step by step as a player does.

    Beside it the exact answer, and what following the formula costs, if a two-sided
    table that holds the pair is built. Equities are the roller's, before the roll, in
    points at a cube of 1; gammons are not counted.

    \b
    bearoff formulas explain keith 0,2,3,3,4,3 1,1,3,4,3,3
    bearoff formulas explain isight LwAAwC0AAAAAAA --json
    """
    from analysis.explain import explain, judge
    from app.commands.winprob import parse_race
    from app.two_sided import table_for
    from bearoff.notation import is_two_sided

    known = known_formulas(file)
    formula = known.get(name) or refuse_formula(name, tuple(known))
    whole_board = opponent is None and is_two_sided(roller)
    size = points or (24 if whole_board else DEFAULT_POINTS)
    race = shortened(parse_race(roller, opponent, size, DEFAULT_CHECKERS))
    found = explain(formula, race)
    table = table_for(race, cube=True)
    judged = judge(found.verdict, table, race) if table else None
    if json:
        say_json(_as_json(race, found, judged, table.checkers if table else None))
    else:
        _show(race, found, judged)


def known_formulas(file: str | None) -> "dict[str, WorkedFormula]":
    """Return the formulas by name: those published, found here, and of the file."""
    from analysis.formulas import found_names, get, names

    known = {name: get(name) for name in (*names(), *found_names())}
    if file is not None:
        from analysis.formulas.yaml_file import load_formulas

        known |= {formula.name: formula for formula in load_formulas(file)}
    return known


def refuse_formula(name: str, known: tuple[str, ...]) -> "WorkedFormula":
    """Raise the error that there is no such formula, naming the nearest."""
    from difflib import get_close_matches

    from analysis.errors import FormulaError

    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
    shown = name if len(name) <= 40 else f"{name[:40]}..."
    raise FormulaError(f"there is no formula {shown!r}; {hint}")


def shortened(race: "Race") -> "Race":
    """Leave out the points above home where no side has a checker on them."""
    from bearoff import Position, Race

    used = max(race.roller.highest, race.opponent.highest, DEFAULT_POINTS)
    return Race(Position(race.roller.counts[:used]), Position(race.opponent.counts[:used]))


def _cost_as_json(cost: "MentalCost") -> dict[str, Any]:
    return {
        "total": cost.total,
        "beyond_pips": cost.beyond_pips,
        "items": cost.items,
        "numbers": list(cost.numbers),
    }


def _as_json(
    race: "Race",
    found: "Explanation",
    judged: "Judgement | None",
    checkers: int | None,
) -> dict[str, Any]:
    from analysis.mental_cost import mental_cost, units_of

    exact = None
    if judged is not None:
        exact = {
            "table_checkers": checkers,
            "centred": asdict(judged.centred),
            "owned": asdict(judged.owned),
            "costs": {
                "double": judged.double,
                "redouble": judged.redouble,
                "take": judged.take,
            },
        }
    return {
        "formula": found.formula.name,
        "source": found.formula.source,
        "text": found.formula.text,
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "steps": [
            {"words": step.words, "arithmetic": step.arithmetic, "units": units_of(step)}
            for step in found.steps
        ],
        **asdict(found.verdict),
        "win_probability": found.win_probability,
        "mental_cost": _cost_as_json(mental_cost(found.formula)),
        "exact": exact,
    }


def _show(race: "Race", found: "Explanation", judged: "Judgement | None") -> None:
    from textwrap import fill

    from analysis.mental_cost import mental_cost, units_of
    from app.board import OPPONENT, ROLLER, draw_race

    say(f" {OPPONENT} opponent")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller: you")
    say()
    say(fill(f"{found.formula.name}: {found.formula.text}", WIDTH))
    say()
    say_table(
        ("step", "<arithmetic", "units"),
        [
            (fill(step.words, 36), fill(step.arithmetic, 34), str(units_of(step)))
            for step in found.steps
        ],
    )
    say()
    cost = mental_cost(found.formula)
    say(
        f"In the head {cost.total} units, {len(cost.numbers)} of them for numbers known by "
        "heart."
    )
    if found.win_probability is not None:
        say(f"By the formula you win {found.win_probability:.1%}.")
    say()
    if judged is None:
        _show_verdict(race, found)
    else:
        _show_judgement(found, judged)


def _decisions(found: "Explanation") -> list[tuple[str, str]]:
    verdict = found.verdict
    return [
        ("cube in the centre", "double" if verdict.double else "no double"),
        ("your cube", "redouble" if verdict.redouble else "no redouble"),
        ("doubled, the opponent", "takes" if verdict.take else "passes"),
    ]


def _show_verdict(race: "Race", found: "Explanation") -> None:
    from app.two_sided import how_to_build

    say_table(("decision", "<by the formula"), _decisions(found))
    say()
    if race.roller.points == DEFAULT_POINTS:
        say(f"for the exact one: {how_to_build(race, cube=True)}")
    else:
        say("No exact answer is at hand: two-sided tables end at the six point.")


def _show_judgement(found: "Explanation", judged: "Judgement") -> None:
    centred, owned = judged.centred, judged.owned
    takes = centred.double_take <= centred.double_pass
    exact = (
        centred.action.partition(",")[0],
        owned.action.partition(",")[0],
        "takes" if takes else "passes",
    )
    costs = judged.double, judged.redouble, judged.take
    say_table(
        ("decision", "<by the formula", "<exactly", "following it costs"),
        [
            (name, said, right, f"{cost:.4f}" if cost else "nothing")
            for (name, said), right, cost in zip(
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
            ("double, pass", f"{centred.double_pass:+.4f}", f"{owned.double_pass:+.4f}"),
        ],
    )
    say()
    say(f"Without a cube you win {centred.win_probability:.2%}.")
    if centred.too_close or owned.too_close:
        say("A decision is closer than the table's error: either choice is right.")
