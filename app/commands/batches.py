"""`bearoff simulate`, `combine` and `schema`: batches of self-play."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bearoff.app.interruption import interruptible
from bearoff.app.options import Json, Quiet
from bearoff.app.output import amount, for_shell, say, say_json


def simulate(
    config: Annotated[
        str,
        typer.Argument(
            metavar="CONFIG",
            help="YAML file, or the name of a config that bearoff configs lists.",
            show_default=False,
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help="Folder or URI for the run. Default: the folder in the config.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1024,
            help="Number of workers. Default: the number in the config.",
        ),
    ] = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Simulate the races of a YAML config, and store the outcomes.

    `bearoff configs` lists the configs that come with the program. If a run is
    interrupted, run the same command again to continue. The outcomes depend only on the
    config, not on the number of workers or on interruptions.

    \b
    bearoff simulate quick
    bearoff simulate my.yaml --to elsewhere --workers 2
    """
    from bearoff import sim
    from bearoff.app.examples.shipped import find_example
    from bearoff.errors import printable
    from bearoff.sim.config import ConfigError, Problem, load_config

    changes: dict[str, str | int] = {}
    if output is not None:
        changes["output"] = output
    if workers is not None:
        changes["workers"] = workers
    shipped = find_example(config)
    if config and shipped is None and Path(config).is_dir():
        raise ConfigError([Problem(None, None, "", _why_no_config(config))])
    path, folder = (shipped.path, shipped.folder) if shipped else (config, None)
    batch = load_config(path, (), folder).model_copy(update=changes)
    with interruptible(
        "finished blocks are stored; run the same command again to continue"
    ):
        summary = sim.run(batch, progress=not quiet)
    if json:
        say_json(asdict(summary))
        return
    before = summary.games - summary.games_played
    say(
        f"{printable(summary.path)}: {amount(summary.pairs, 'pairs')}, "
        f"{amount(summary.games, summary.counted)}"
        + (f", {before:,} of these games in earlier runs" if before else "")
        + f"; {summary.seconds:.1f} s"
    )
    elsewhere = " --to FOLDER" if "://" in summary.path else ""
    say(f"next: bearoff analyze {for_shell(summary.path)}{elsewhere}")


def _why_no_config(folder: str) -> str:
    """Return an error message if a folder is given instead of a config."""
    from bearoff.errors import printable
    from bearoff.sim.storage import schema

    name = printable(folder)
    if (Path(folder) / schema.MANIFEST).exists():
        return (
            f"{name} is the folder of a run, not a config; to continue the run, use its "
            f"YAML file; to see the results: bearoff analyze {for_shell(folder)}"
        )
    return (
        f"{name} is a folder, not a config; use a YAML file, or a name that bearoff "
        "configs lists"
    )


def combine(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN", help="Folders or URIs of finished runs.", show_default=False
        ),
    ],
    output: Annotated[
        str,
        typer.Option("--to", metavar="FOLDER", help="Folder or URI of the new run."),
    ],
    json: Json = False,
) -> None:
    """Combine several finished runs of self-play into one.

    The runs may have different seeds and pairs, but must otherwise have the same config. If
    several runs have games of the same pair of positions, these games are added up.

    \b
    bearoff combine results/monday results/tuesday --to results/both
    """
    from bearoff import sim
    from bearoff.errors import printable

    summary = sim.combine(runs, output)
    if json:
        say_json({key: asdict(summary)[key] for key in ("path", "pairs", "games")})
        return
    say(
        f"{printable(summary.path)}: {amount(summary.pairs, 'pairs')}, "
        f"{amount(summary.games, 'games')}"
    )


def schema() -> None:
    """Print the JSON schema of configs, for editors.

    \b
    bearoff schema > configs/batch.schema.json
    """
    from bearoff.sim.config import json_schema

    say_json(json_schema())
