"""`bearoff study`: statistics of whole tables, and how exact the models are."""

from typing import Annotated, Literal

import typer

from app.options import DEFAULT_CHECKERS, Checkers
from app.output import say

Output = Annotated[str, typer.Option(metavar="FOLDER", help="Where to write.")]

Workers = Annotated[
    int | None, typer.Option(metavar="N", help="Threads; one a processor if not given.")
]

RESULTS = "results/two-sided"

study = typer.Typer(
    help="""Study tables and models; the results are pages and pictures.

    Build two-sided tables first: bearoff tables build --two-sided.
    """,
    rich_markup_mode=None,
)


@study.callback(invoke_without_command=True)
def _help_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help())


@study.command("two-sided")
def two_sided(
    checkers: Checkers = DEFAULT_CHECKERS,
    output: Output = RESULTS,
    workers: Workers = None,
) -> None:
    """How far fewest-rolls play is from the best.

    Compares every pair. Writes a page with the largest differences of the win probability
    and the costliest fewest-rolls plays, a picture, and a Parquet file of the numbers by
    checkers.

    \b
    bearoff study two-sided --checkers 8
    """
    from bearoff.runtime import cores
    from research.studies import study_two_sided, write_two_sided_study
    from sim.engine import PassProgress

    show = PassProgress()
    found = study_two_sided(
        checkers,
        workers=workers or cores(),
        progress=lambda done: show("pairs", done),
    )
    for path in write_two_sided_study(found, output):
        say(str(path))


@study.command("gammons")
def gammons(
    output: Output = RESULTS,
    workers: Workers = None,
) -> None:
    """What gammons are worth.

    Reads every pair of the two-sided table of 15 checkers in which one can be lost, and
    writes a page.

    \b
    bearoff study gammons
    """
    from bearoff import two_sided_table
    from bearoff.runtime import cores
    from research.studies import study_gammons, write_gammon_study
    from sim.engine import PassProgress

    show = PassProgress()
    found = study_gammons(
        two_sided_table(),
        workers=workers or cores(),
        progress=lambda done: show("pairs", done),
    )
    say(str(write_gammon_study(found, output)))


@study.command("match")
def match(
    checkers: Annotated[
        int, typer.Option(min=1, max=8, metavar="N", help="Most checkers of each side.")
    ] = 6,
    population: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Games with the cube, for a page on formulas; see bearoff populations.",
            show_default=False,
        ),
    ] = None,
    output: Output = "results/match",
) -> None:
    """Take points at all scores, and what money's advice costs.

    With a population also what formulas lose that are followed there, and a correction;
    at some scores in races of two checkers more, those of ten in 0.8 GB of files.
    Solves every score, and builds the two-sided table unless it is stored; writes pages.

    \b
    bearoff study match --checkers 4
    bearoff study match --population results/populations/cubeful.parquet
    """
    from analysis import formulas
    from analysis.formulas.rules import CountRule
    from bearoff import build_two_sided_table
    from research import studies
    from sim.engine import PassProgress
    from sim.populations import open_population

    show = PassProgress()
    written = []
    if population is not None:
        names = "keith", "isight", "epc", *formulas.found_names()[-1:]
        rules = [formulas.get(name) for name in names]
        followed = studies.study_match_formulas(
            open_population(population),
            [rule for rule in rules if isinstance(rule, CountRule)],
            checkers,
            progress=lambda done: show("formulas", done),
        )
        written.append(studies.write_formula_study(followed, output))
    build_two_sided_table(checkers)
    found = studies.study_match_play(checkers, progress=lambda done: show("scores", done))
    for path in (*written, *studies.write_match_study(found, output)):
        say(str(path))


@study.command("doubling")
def doubling(output: Output = "results/game") -> None:
    """The cube on coins, races of rolls and the bar, exactly.

    Writes a page and a picture; docs/doubling.md tells what they show.

    \b
    bearoff study doubling
    """
    from research.lessons import write_doubling_lesson
    from sim.engine import PassProgress

    show = PassProgress()
    for path in write_doubling_lesson(output, progress=lambda done: show("games", done)):
        say(str(path))


@study.command("no-chance")
def no_chance(
    checkers: Annotated[
        int, typer.Option(min=1, max=10, metavar="N", help="Most checkers of each side.")
    ] = 6,
    output: Output = "results/game",
) -> None:
    """First numbers that win races of No Chance Backgammon.

    Solves all races of up to so many checkers; ten take 10.4 GB and a quarter of an hour.

    \b
    bearoff study no-chance --checkers 4
    """
    from research.lessons import write_no_chance_page
    from sim.engine import PassProgress

    show = PassProgress()
    path = write_no_chance_page(
        output, checkers=checkers, progress=lambda done: show("races", done)
    )
    say(str(path))


@study.command("race-model")
def race_model(
    checkers: Checkers = DEFAULT_CHECKERS,
    output: Output = "results/race-model",
    sides: Annotated[
        int, typer.Option(min=2, metavar="N", help="Rollers and opponents of each cell.")
    ] = 200,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the draws.")] = 1,
) -> None:
    """How far the fast model of a race is from exact values.

    Draws pairs in bands of EPC and writes a page of errors and a picture. The table must
    be built with the cube.

    \b
    bearoff study race-model --checkers 8
    """
    from research.studies import study_race_model, write_race_model_study
    from sim.engine import PassProgress

    show = PassProgress()
    found = study_race_model(
        checkers, sides=sides, seed=seed, progress=lambda done: show("pairs", done)
    )
    for path in write_race_model_study(found, output):
        say(str(path))


@study.command("rollouts")
def rollouts(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run of rollouts.")],
    against: Annotated[
        Literal["table", "model"],
        typer.Option(help="Exact values of a two-sided table, or the fast model."),
    ] = "table",
    checkers: Checkers = DEFAULT_CHECKERS,
    output: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to write; results/agreement or results/race-model by default.",
        ),
    ] = None,
) -> None:
    """How rollouts agree with a table, or the model with them.

    Writes a page of differences beside the rollouts' standard errors, and against a
    table a picture. The table must be built with the cube.

    \b
    bearoff simulate configs/rollouts-in-home.yaml
    bearoff study rollouts results/rollouts-in-home
    bearoff simulate configs/rollouts-long.yaml
    bearoff study rollouts results/rollouts-long --against model
    """
    from analysis import open_run
    from analysis.reports import write_agreement, write_model_errors
    from bearoff import two_sided_table
    from sim.storage import schema

    if against == "model":
        say(str(write_model_errors(run, output or "results/race-model")))
        return
    open_run(run).require(schema.ROLLOUTS)  # Before the table is opened.
    table = two_sided_table(checkers)
    for path in write_agreement(run, table, output or "results/agreement"):
        say(str(path))


@study.command("bear-in")
def bear_in(
    sides: Annotated[
        int, typer.Option(metavar="N", min=100, help="Starts of each kind.")
    ] = 20_000,
    points: Annotated[
        int, typer.Option(metavar="N", min=7, max=12, help="Of the exact table.")
    ] = 10,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the dice.")] = 1,
    output: Output = "results/long-races",
) -> None:
    """How good the bear-in model is beyond the home board.

    Compares its values and plays with the exact one-sided table, which is built unless
    it is stored, and with games from the whole board; writes a page.

    \b
    bearoff study bear-in --sides 2000
    """
    from research.studies import study_bear_in, write_bear_in_study
    from sim.engine import PassProgress

    show = PassProgress()
    found = study_bear_in(sides, points, seed, progress=lambda done: show("studied", done))
    say(str(write_bear_in_study(found, output)))
