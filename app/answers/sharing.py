"""Options that several commands share, as one object."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, get_type_hints

Command = Callable[..., None]


def shares(kind: type) -> Callable[[Command], Command]:
    """Return what gives a command ``(given, ...)`` the fields of a class as options.

    Parameters
    ----------
    kind : type
        A dataclass whose fields are annotated as options; the command is called with one
        of these, and its own options come behind.
    """

    def decorate(command: Command) -> Command:
        shared = _options(kind)
        parameters = [*shared, *_options(command)[1:]]

        @wraps(command)
        def called(**given: Any) -> None:
            first = kind(**{one.name: given.pop(one.name) for one in shared})
            command(first, **given)

        called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {one.name: one.annotation for one in parameters}
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
