"""Options that several commands share, as one object."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, get_type_hints

Result = TypeVar("Result")

Command = Callable[..., Result]


def shares(kind: Callable[..., object]) -> Callable[[Command[Result]], Command[Result]]:
    """Return what gives a command ``(given, ...)`` options that others have, too.

    Parameters
    ----------
    kind : callable
        A dataclass or a function whose parameters are annotated as options; the command
        is called with what it returns of them, and its own options come behind.
    """

    def decorate(command: Command[Result]) -> Command[Result]:
        shared = _options(kind)
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
    """Return parameters as typer reads them, by their names and with annotations."""
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
