"""Errors in a batch configuration, each with its location in the file."""

from collections.abc import Iterable
from dataclasses import dataclass

from bearoff import BearoffError
from bearoff.errors import printable

Path = tuple[str | int, ...]
"""Path of a value in a configuration: keys and indices, such as ``("pairs", 0,
"grid")``."""

MOST_SHOWN = 40
"""Maximum number of problems that the text of a `ConfigError` lists."""

_LONGEST_VALUE = 60


@dataclass(frozen=True)
class Problem:
    """Problem in a configuration, with its location in the file.

    Attributes
    ----------
    file : str or None
        File name as the caller has given it; None for a configuration from Python.
    line : int or None
        Line number in the file, counted from 1; None if unknown.
    path : str
        Path of the invalid key, such as ``pairs[0].grid.lead``; empty if the problem
        concerns the whole configuration.
    message : str
        Error message: the expected value, the actual value, and how to solve the problem.

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
    """Raised for an invalid configuration; contains all problems that were found.

    Attributes
    ----------
    problems : tuple of Problem
        All problems of the configuration, in file order.
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
    """Format a value for an error message: on one line, and shortened if it is long.

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
