"""Errors in a batch configuration; all problems are reported with their locations."""

from collections.abc import Iterable
from dataclasses import dataclass

from bearoff import BearoffError
from bearoff.errors import printable

Path = tuple[str | int, ...]
"""Path to a value in a configuration: keys and indices, as in ``("pairs", 0, "grid")``."""

MOST_SHOWN = 40
"""Maximum number of problems listed in the text of a `ConfigError`."""

_LONGEST_VALUE = 60


@dataclass(frozen=True)
class Problem:
    """A problem in a configuration, with its location.

    Attributes
    ----------
    file : str or None
        File name as given by the caller; None for a configuration given in Python.
    line : int or None
        Line number in the file, starting at 1.
    path : str
        Path of the invalid key, such as ``pairs[0].grid.lead``; empty for the whole
        configuration.
    message : str
        Expected value, actual value, and how to fix the problem.

    Examples
    --------
    >>> print(Problem("configs/x.yaml", 3, "games", "expected a whole number, got 'x'"))
    configs/x.yaml:3: games: expected a whole number, got 'x'
    """

    file: str | None
    line: int | None
    path: str
    message: str

    def __str__(self) -> str:
        file = None if self.file is None else printable(self.file)
        place = ":".join(str(part) for part in (file, self.line) if part is not None)
        return ": ".join(part for part in (place, self.path, self.message) if part)


class ConfigError(BearoffError):
    """Error for an invalid configuration.

    Attributes
    ----------
    problems : tuple of Problem
        All problems, in file order.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: p.line or 0))
        lines = [str(problem) for problem in self.problems[:MOST_SHOWN]]
        if len(self.problems) > MOST_SHOWN:
            lines.append(f"... and {len(self.problems) - MOST_SHOWN} more problems")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type["ConfigError"], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)


def format_path(path: Path) -> str:
    """Format the path of a configuration value as text, such as ``pairs[0].grid``.

    Examples
    --------
    >>> format_path(("pairs", 0, "grid", "lead"))
    'pairs[0].grid.lead'
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            key = part if part.isprintable() and len(part) <= 40 else show(part)
            text += f".{key}" if text else key
    return text


def show(value: object) -> str:
    """Format a value for an error message, on one line and shortened if long.

    Examples
    --------
    >>> show("5"), show({"a": 1}), show(10**5000)
    ("'5'", 'a mapping', 'a number of more than 60 digits')
    """
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**_LONGEST_VALUE:
        return f"a number of more than {_LONGEST_VALUE} digits"
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return f"{value[: _LONGEST_VALUE - 20]!r}... ({len(value)} characters)"
    if isinstance(value, str | int | float):
        return repr(value)
    return f"a value of type {type(value).__name__}"
