"""`bearoff populations`: datasets of race decisions with their values."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from bearoff.app.interruption import interruptible
from bearoff.app.options import DEFAULT_CHECKERS, FormulaBeside, Json, Quiet, Threads
from bearoff.app.output import amount, say, say_json, say_table
from bearoff.app.progress import waits

RESULTS = "results/populations"

Built = Annotated[
    str, typer.Option("--from", metavar="FOLDER", help="Folder of the populations.")
]

populations = typer.Typer(
    help="""Datasets of race decisions on which formulas are scored.

\b
bearoff populations list
bearoff populations build races
bearoff populations build checkers-8 --size 50000 --seed 7
bearoff populations export --to races
""",
    rich_markup_mode=None,
)


@populations.callback(invoke_without_command=True)
def _help_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help())


@populations.command("list")
def list_(folder: Built = RESULTS, json: Json = False) -> None:
    """List all populations, and the ones already built in a folder.

    \b
    bearoff populations list
    """
    from bearoff.sim.populations import FAMILIES, KINDS, read_about
    from bearoff.sim.storage import RunError

    kinds = {**KINDS, **FAMILIES}
    built = []
    for path in sorted(Path(folder).glob("*.parquet")):
        try:
            built.append({**read_about(path), "path": str(path)})
        except RunError:
            continue  # This file is not a population.
    if json:
        named = [
            {"name": name, "text": kind.text, "size": kind.size, "unit": kind.unit}
            for name, kind in kinds.items()
        ]
        say_json({"populations": named, "built": [_as_json(about) for about in built]})
        return
    say_table(
        ("name", "<contents", "size"),
        [(name, k.text, f"{k.size:,} {k.unit}") for name, k in kinds.items()],
    )
    if built:
        say()
        say_table(
            ("built", "decisions", "seed", "size", "<digest"),
            [
                (
                    about["name"],
                    f"{about['decisions']:,}",
                    str(about["seed"]),
                    f"{about['size']:,}",
                    about["digest"][:12],
                )
                for about in built
            ],
        )


@populations.command("build")
def build(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="Names of the populations."),
    ],
    size: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of games or pairs; bearoff populations list says which.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random dice.")] = 1,
    checkers: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Maximum number of checkers per side in the two-sided table; "
            "decisions with more checkers are left out.",
        ),
    ] = DEFAULT_CHECKERS,
    low: Annotated[
        float | None,
        typer.Option(
            metavar="P",
            help="For the population 'near': minimum win probability of the roller.",
        ),
    ] = None,
    high: Annotated[
        float | None,
        typer.Option(
            metavar="P",
            help="For the population 'near': maximum win probability of the roller.",
        ),
    ] = None,
    rollouts: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="For the population long: number of decisions to "
            "roll out, chosen at random.",
        ),
    ] = 0,
    output: Annotated[
        str, typer.Option("--to", metavar="FOLDER", help="Folder to write to.")
    ] = RESULTS,
    workers: Threads = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Build populations, unless they are built already.

    If a build is interrupted, run the same command again to continue.

    \b
    bearoff populations build races near
    bearoff populations build races --size 20000 --to elsewhere
    """
    from bearoff import BearoffError
    from bearoff.app.formulas import formula_named, formulas_by_name
    from bearoff.sim.engine import PassProgress
    from bearoff.sim.populations import build_population, kind_of, population_recipe

    if (low is None) != (high is None):
        raise BearoffError("--low and --high must be used together")
    bounds = None if low is None or high is None else (low, high)
    # An option is rejected if it applies to none of the requested populations (sets of race
    # decisions).
    bounded = any(kind_of(name).bounds for name in names)
    long = "long" in names
    known = formulas_by_name(None)
    followed = {
        name: formula_named(name.removeprefix(before), known)
        for name in names
        if (before := kind_of(name).before_formula)
    }
    # All settings are checked before the first population (a set of race decisions) is
    # built.
    wanted = [
        population_recipe(
            name,
            size=size,
            seed=seed,
            checkers=checkers,
            bounds=bounds if kind_of(name).bounds or not bounded else None,
            rollouts=rollouts if name == "long" or not long else 0,
            formula=followed[name].text if name in followed else None,
        )
        for name in names
    ]
    answers = []
    for each in wanted:
        with interruptible(
            "finished pieces are stored; run the same command again to continue"
        ):
            built = build_population(
                each,
                output,
                workers=workers or "auto",
                progress=PassProgress(show=not quiet),
                strategy=followed.get(each.name),
            )
        answers.append({**_as_json(built.about), "path": str(built.path)})
        if not json:
            _say_built(built.about, built.path, built.seconds)
    if json:
        say_json(answers)


@populations.command("cards")
@waits("drawing cards")
def cards(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="File of a population.", show_default=False),
    ],
    to: Annotated[
        Path,
        typer.Option(metavar="FILE", help=".apkg file to write.", show_default=False),
    ],
    difficulty: Annotated[
        Literal["hard", "medium", "easy"],
        typer.Option(
            help="Cost of a wrong answer: up to 0.05 (hard), 0.15 (medium) or 0.4 points "
            "(easy)."
        ),
    ] = "medium",
    count: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Number of cards.")
    ] = 100,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Seed of the random choice.")
    ] = 0,
    formula: FormulaBeside = None,
) -> None:
    """Write flashcards of race decisions, for Anki.

    The cards have equal numbers of doubles, redoubles and takes. Positions that occur often
    in games are more likely to be drawn.

    \b
    bearoff populations cards results/populations/races.parquet --to medium.apkg
    """
    from bearoff import BearoffError
    from bearoff.analysis.review import card_of, draw_decisions, write_cards
    from bearoff.app.formulas import formula_named, formulas_by_name
    from bearoff.sim.populations import open_population

    if to.suffix.lower() != ".apkg":
        raise BearoffError(f"the file of --to must end in .apkg, got {to}")
    chosen = formula_named(formula, formulas_by_name(None))
    population = open_population(file)
    drawn = draw_decisions(population, chosen, difficulty, count, seed)
    name = f"Races, {difficulty} ({population.about['name']})"
    say(f"{to}: {amount(write_cards(to, map(card_of, drawn), name), 'cards')}")


@populations.command("export")
@waits("writing populations to publish")
def export(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Population files to export. Default: the standard test sets that have "
            "been built.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="Folder to write to.", show_default=False),
    ] = Path("races"),
    part: Annotated[
        Literal["train", "validation", "test", "all"],
        typer.Option(
            help="Part of each population to export: train, validation, test or all."
        ),
    ] = "test",
    folder: Built = RESULTS,
    json: Json = False,
) -> None:
    """Export populations for publication.

    The folder gets Parquet files, their checksums, and a description with the columns,
    units, licence, errors and origin of the data.

    \b
    bearoff populations export --to races
    """
    from bearoff import BearoffError
    from bearoff.analysis.battery import BUILT
    from bearoff.sim.populations import publish_populations

    if not files:
        every = [Path(folder) / f"{name}.parquet" for name in BUILT]
        files = [path for path in every if path.exists()]
    if not files:
        raise BearoffError(
            f"{folder} has no population of the standard test sets; build one with, for "
            "example, bearoff populations build cubeful"
        )
    written = publish_populations(files, to, None if part == "all" else part)
    if json:
        say_json(
            [
                {
                    "path": str(to / each.name),
                    "decisions": each.rows,
                    "bytes": each.size,
                    "sha256": each.sha256,
                }
                for each in written
            ]
        )
        return
    for each in written:
        say(f"{to / each.name}: {amount(each.rows, 'decisions')}, {each.size / 1e6:.1f} MB")
    whole = sum(each.size for each in written) / 1e6
    say(
        f"{to}: description and checksums too; the populations have {whole:.1f} MB in total"
    )


def _say_built(about: dict[str, Any], path: Path, seconds: float) -> None:
    parts = ", ".join(f"{part} {games:,}" for part, games in about["games"].items())
    how = f"{seconds:.1f} s" if seconds else "there already"
    decisions = (
        f"{about['decisions']:,} different decisions that occur {about['visits']:,} times"
    )
    say(f"{path}: {decisions}; {how}")
    say(f"  {'races' if about['unit'] == 'games' else 'pairs'}: {parts}")
    say(f"  digest {about['digest']}")


def _as_json(about: dict[str, Any]) -> dict[str, Any]:
    keys = (
        "name",
        "text",
        "size",
        "unit",
        "seed",
        "points",
        "decisions",
        "visits",
        "games",
        "digest",
        "command",
        "path",
    )
    return {key: about[key] for key in keys if key in about}
