"""`bearoff print`: charts, tables and cheat sheets to print."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bearoff.app.formulas import formula_named, formulas_by_name
from bearoff.app.options import Equities, FormulaFile, FormulaName, Json, PopulationFile
from bearoff.app.output import note, say, say_json
from bearoff.app.progress import waits

if TYPE_CHECKING:
    from bearoff import Race
    from bearoff.analysis.formulas.rules import CountRule
    from bearoff.analysis.output import pages
    from bearoff.sim.populations import Population

PaperName = Annotated[
    Literal["a4", "letter"], typer.Option("--paper", help="Size of the paper.")
]
Output = Annotated[str, typer.Option("--to", metavar="FOLDER", help="Folder to write to.")]
FormulaAlso = Annotated[
    str | None,
    typer.Option(
        "--formula", metavar="NAME", help="Also draw the limits of this formula as lines."
    ),
]

FOLDER = "."
"""Default output folder: the current folder."""

LAST = 2
"""Maximum number of checkers per side on the sheet of `bearoff print two-checkers`."""

printing = typer.Typer(
    help="""Charts, tables and cheat sheets to print, as PDF and PNG.

Tables are also written as Markdown and CSV. docs/formulas.md explains how to read them.

\b
bearoff print cheat-sheet ladder
""",
    rich_markup_mode=None,
)


@printing.callback(invoke_without_command=True)
def _help_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help())


@printing.command("n-rolls")
@waits("printing n-rolls")
def print_n_rolls(
    paper: PaperName = "a4", output: Output = FOLDER, json: Json = False
) -> None:
    """Print chances and cube actions if each side needs n rolls.

    \b
    bearoff print n-rolls
    """
    from bearoff.analysis.sheets import n_roll_sheet, write_sheet

    _say_written(write_sheet(n_roll_sheet(), output, _paper(paper)), json=json)


@printing.command("two-checkers")
@waits("printing two-checkers")
def print_two_checkers(
    paper: PaperName = "a4", output: Output = FOLDER, json: Json = False
) -> None:
    """Print chances and cube actions of one or two checkers.

    \b
    bearoff print two-checkers --to tables --paper letter
    """
    from bearoff import build_two_sided_table, two_sided_table
    from bearoff.analysis.sheets import two_checker_sheet, write_sheet

    size = _paper(paper)
    build_two_sided_table(LAST)
    sheet = two_checker_sheet(two_sided_table(LAST))
    _say_written(write_sheet(sheet, output, size), json=json)


@printing.command("take-points")
@waits("printing take-points")
def print_take_points(
    match_equities: Equities = None,
    paper: PaperName = "a4",
    output: Output = FOLDER,
    json: Json = False,
) -> None:
    """Print take points and doubling windows at match scores.

    The tables cover all scores up to 9-away. They have take points and doubling windows for
    the last roll and for a live cube, leads for long races, and gammon values.

    \b
    bearoff print take-points
    """
    from bearoff import read_match_equities
    from bearoff.analysis.sheets import take_point_sheet, write_sheet

    table = None if match_equities is None else read_match_equities(match_equities)
    sheet = take_point_sheet(table)
    _say_written(write_sheet(sheet, output, _paper(paper)), json=json)


@printing.command("gold-standard")
@waits("printing gold-standard")
def print_gold_standard(
    population: PopulationFile,
    name: FormulaAlso = None,
    file: FormulaFile = None,
    paper: PaperName = "a4",
    output: Output = FOLDER,
    json: Json = False,
) -> None:
    """Print leads for a double, redouble and take, by count.

    The doubling, redoubling and take points are exact if all checkers are home; in longer
    races, they are from the fast model. Published rules are shown for comparison.

    \b
    bearoff print gold-standard --population results/populations/cubeful.parquet
    """
    from bearoff.analysis.errors import FitError
    from bearoff.analysis.scoring import gold
    from bearoff.analysis.sheets import gold_standard_sheet, write_sheet

    rule = _rule(name, file)
    races = _opened(population)
    by_pips = rule if rule is not None and rule.count.start == "pips" else None
    by_epc = rule if by_pips is None else None
    pips = gold.gold_standard(races, "pips", rule=by_pips)
    epc = gold.gold_standard(races, "epc", rule=by_epc)
    short = [f"{population}: {one.shortage}" for one in (pips, epc) if one.shortage]
    if len(short) == len((pips, epc)):
        raise FitError(short[0])
    for shortage in short:
        note(shortage)
    sheet = gold_standard_sheet(pips, epc)
    _say_written(write_sheet(sheet, output, _paper(paper)), json=json)


@printing.command("chart")
@waits("printing chart")
def print_chart(
    population: PopulationFile,
    by: Annotated[
        str,
        typer.Option(
            metavar="pips|epc|count",
            help="Count on the axes: pips, epc (effective pip count), or count (the "
            "formula's own count).",
        ),
    ] = "pips",
    name: FormulaAlso = None,
    file: FormulaFile = None,
    wastage: Annotated[
        float | None,
        typer.Option(
            metavar="PIPS",
            help="Maximum wastage of each side in pips; positions with more wastage "
            "are left out.",
            show_default=False,
        ),
    ] = None,
    paper: PaperName = "a4",
    output: Output = FOLDER,
    json: Json = False,
) -> None:
    """Draw the doubling chart of a population.

    With --formula, the chart also has the formula's lines for doubling, redoubling and
    taking.

    \b
    bearoff print chart --population cubeful.parquet --formula zare
    """
    from bearoff.analysis.plots import write_exact_chart

    rule, size = _rule(name, file), _paper(paper)
    written = write_exact_chart(
        _opened(population), by, rule, output, wastage=wastage, paper=size
    )
    _say_written(written, json=json)


@printing.command("cheat-sheet")
@waits("printing cheat-sheet")
def print_cheat_sheet(
    name: FormulaName,
    file: FormulaFile = None,
    scores: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="File scores.parquet or battery.parquet from bearoff formulas score.",
        ),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="File of a population from which four examples are drawn.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Seed of the random choice of example races."
        ),
    ] = 1,
    example: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RACE",
            help="Example race, with both sides in one text. Repeat the option for up "
            "to four races.",
        ),
    ] = None,
    paper: PaperName = "a4",
    output: Output = FOLDER,
    json: Json = False,
) -> None:
    """Print a page about one formula, with examples.

    The examples are close decisions, drawn at random from the test part of a population or
    given by --example. Exact answers are added if a two-sided table has the race.

    \b
    bearoff print cheat-sheet keith
    bearoff print cheat-sheet zare --example "0,2,2,3,1,2 0,1,2,4,1,2"
    """
    from bearoff.analysis.scoring import MeasuredLoss
    from bearoff.analysis.sheets import (
        ExampleRaces,
        cheat_sheet,
        draw_examples,
        write_cheat_sheet,
    )
    from bearoff.app import tables

    formula, size = formula_named(name, formulas_by_name(file)), _paper(paper)
    races = ExampleRaces(tuple(_race(text) for text in example or ()))
    if population is not None and not example:
        races = draw_examples(_opened(population), seed)
    measured = MeasuredLoss.read(scores, formula.name) if scores is not None else None
    sheet = cheat_sheet(
        formula,
        lambda race: tables.two_sided(race, cube=True),
        examples=races,
        measured=measured,
    )
    _say_written(write_cheat_sheet(sheet, output, size), json=json)


def _paper(name: str) -> "pages.Paper":
    from bearoff.analysis.output import pages

    return pages.PAPERS[name]


def _opened(path: str) -> "Population":
    from bearoff.sim.populations import open_population

    return open_population(path)


def _rule(name: str | None, file: str | None) -> "CountRule | None":
    """Return a formula by name; raise an error if a chart cannot show its lines."""
    from bearoff.analysis.errors import FormulaError
    from bearoff.analysis.formulas.rules import CountRule

    if name is None:
        return None
    formula = formula_named(name, formulas_by_name(file))
    if not isinstance(formula, CountRule):
        raise FormulaError(
            f"a chart cannot show the formula {name!r}; choose a formula with a count, "
            "and with limits for doubles, redoubles and takes, such as keith"
        )
    return formula


def _race(text: str) -> "Race":
    """Parse a race given as one text, such as an XGID, or as two positions with a space."""
    from bearoff.app.race_text import parse_race
    from bearoff.app.score_text import note_score

    roller, _, opponent = text.strip().partition(" ")
    race = parse_race(roller, opponent.strip() or None)
    note_score(race, "formulas are for money play")
    return race


def _say_written(paths: Sequence[Path], *, json: bool) -> None:
    if json:
        say_json({"written": [str(path) for path in paths]})
        return
    for path in paths:
        say(str(path))
