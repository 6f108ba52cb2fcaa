"""`bearoff configs`: list, show and copy the configurations shipped with the program."""

from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.options import Json
from bearoff.app.output import for_shell, say, say_json

if TYPE_CHECKING:
    from pathlib import Path

    from bearoff.app.examples.shipped import ShippedConfig


def configs(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="Name of the config to show. Default: list all configs.",
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="New file for a copy of the config that you can change.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the configs that come with the program, or show one.

    `bearoff simulate NAME` runs a config as it is. Write a copy with --to if you want to
    change it.

    \b
    bearoff configs quick
    bearoff configs quick --to my.yaml
    """
    from bearoff.app.examples.shipped import example, examples
    from bearoff.sim.config import ConfigError, Problem

    if name is None:
        if to is not None:
            raise ConfigError(
                [
                    Problem(
                        None,
                        None,
                        "",
                        "--to copies a single config; add its name, such as bearoff "
                        "configs quick --to my.yaml",
                    )
                ]
            )
        _list([_as_json(one) for one in examples()], json=json)
        return
    one = example(name)
    if to is not None:
        written = [str(path) for path in _copy(one, to)]
        if json:
            say_json({"written": written})
            return
        for path in written:
            say(path)
        say(f"next: bearoff simulate {for_shell(to)}")
    elif json:
        say_json({**_as_json(one), "yaml": one.text})
    else:
        say(one.text.rstrip())


def _as_json(one: "ShippedConfig") -> dict[str, str]:
    return {"name": one.name, "description": one.description, "takes": one.takes}


def _list(found: list[dict[str, str]], *, json: bool) -> None:
    if json:
        say_json(found)
        return
    from textwrap import fill

    from bearoff.app.output import WIDTH

    for one in found:
        say(one["name"])
        what = one["description"].rstrip(".")
        text = f"{what[:1].upper()}{what[1:]}. {one['takes']}"
        say(fill(text, WIDTH - 1, initial_indent="    ", subsequent_indent="    "))


def _copy(one: "ShippedConfig", to: str) -> "list[Path]":
    """Copy a config and its files of position pairs; return the paths of the copies."""
    from pathlib import Path

    from bearoff.errors import printable
    from bearoff.sim.config import ConfigError, Problem
    from bearoff.storage import write_atomic

    target = Path(to)
    copies = {target: one.path} | {target.with_name(path.name): path for path in one.data}
    for path in copies:
        if path.exists():
            message = "a file with this name already exists; choose another name"
            raise ConfigError([Problem(printable(str(path)), None, "", message)])
    for path, source in copies.items():
        write_atomic(path, source.read_bytes())
    return list(copies)
