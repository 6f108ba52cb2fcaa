"""Command-line options that several commands share, passed to them as one object."""

import inspect
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, TypeVar, get_type_hints

Result = TypeVar("Result")

Command = Callable[..., Result]


def shares(
    kind: Callable[..., object], *, without: Collection[str] = ()
) -> Callable[[Command[Result]], Command[Result]]:
    """Return a decorator that adds shared options, except those in `without`."""

    def decorate(command: Command[Result]) -> Command[Result]:
        shared = [one for one in _options(kind) if one.name not in without]
        parameters = [*shared, *_options(command)[1:]]

        @wraps(command)
        def called(**given: Any) -> Result:
            first = kind(**{one.name: given.pop(one.name) for one in shared})
            return command(first, **given)

        returned = inspect.signature(command).return_annotation
        called.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            parameters, return_annotation=returned
        )
        named = {one.name: one.annotation for one in parameters}
        called.__annotations__ = named | {"return": returned}
        return called

    return decorate


def _options(of: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return a function's parameters with resolved annotations, as typer reads them."""
    hints = get_type_hints(of, include_extras=True)
    return [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=one.default,
            annotation=hints[one.name],
        )
        for one in inspect.signature(of).parameters.values()
    ]
