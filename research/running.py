"""Common code of research programs: options, and a runner that prints short errors."""

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from bearoff.app.main import as_process
from bearoff.app.run import run

Output = Annotated[str, typer.Option("--to", metavar="FOLDER", help="Where to write.")]

Workers = Annotated[
    int | None,
    typer.Option(metavar="N", help="Number of threads; by default one per processor."),
]


Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Random seed.")]


def run_program(main: Callable[..., None], argv: Sequence[str] | None = None) -> int:
    """Run a research program as `bearoff` runs commands, with the same error handling.

    Parameters
    ----------
    main : callable
        Function of the program. Typer reads arguments and options from its parameters, and
        the help from its docstring.
    argv : sequence of str, optional
        Arguments of the program; the default is the arguments of this process.

    Returns
    -------
    int
        Exit code: 0, 1, 2, 130 or 143, as for `bearoff`.
    """
    program = program_of(main)
    name = f"python -m {_module_of(main)}"
    if argv is None:
        as_process(lambda given: run(given, program, name))
    return run(argv, program, name)


def program_of(main: Callable[..., None]) -> typer.Typer:
    """Return a typer application that runs a main function."""
    program = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    )
    program.command()(main)
    return program


def _module_of(main: Callable[..., None]) -> str:
    """Return the name of a main function's module, as used with ``python -m``."""
    module = inspect.getmodule(main)
    spec = getattr(module, "__spec__", None)
    return spec.name if spec else sys.argv[0]
