"""`bearoff simulate` and `bearoff schema`: batches of self-play and their configs."""

from typing import Annotated

import typer

from app.interruption import Interrupted
from app.options import Json
from app.output import say, say_json


def simulate(
    config: Annotated[
        str, typer.Argument(metavar="CONFIG", help="YAML file.", show_default=False)
    ],
    output: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Folder or URI of runs, in place of the config's."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="Workers, in place of the config's."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    json: Json = False,
) -> None:
    """Play the batch of a YAML config and keep its outcomes.

    What an interrupted run has finished is kept; the same command goes on from there.
    The outcomes depend on the config alone, not on workers, order or interruptions.

    \b
    bearoff simulate configs/quick.yaml
    bearoff simulate configs/quick.yaml --output elsewhere --workers 2 --quiet
    """
    from sim.config import BatchConfig, load_config

    import sim

    batch = load_config(config)
    changes = {
        key: value
        for key, value in (("output", output), ("workers", workers))
        if value is not None
    }
    if changes:
        batch = BatchConfig.model_validate({**batch.model_dump(by_alias=True), **changes})
    try:
        summary = sim.run(batch, progress=not quiet)
    except KeyboardInterrupt:
        raise Interrupted(
            "interrupted; the finished blocks are kept: the same command goes on"
        ) from None
    if json:
        say_json(
            {
                "path": str(summary.path),
                "pairs": summary.pairs,
                "games": summary.games,
                "seconds": summary.seconds,
                "resumed_parts": summary.resumed_parts,
            }
        )
        return
    say(
        f"{summary.path}: {summary.pairs:,} pairs, {summary.games:,} games in "
        f"{summary.seconds:.1f} s"
    )
    say(f"next: bearoff analyze {summary.path}")


def schema() -> None:
    """Print the JSON schema of configs, for editors.

    \b
    bearoff schema > configs/schema.json
    """
    from sim.config import BatchConfig

    say_json(BatchConfig.model_json_schema())
