"""Arguments and options that several commands share."""

import re
from math import inf
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

RARER = "More options"
"""Heading of rarely needed options in the help of a command."""

PositionText = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="Position in any notation; if the text has both sides, the roller's is used.",
        show_default=False,
    ),
]

RollerText = Annotated[
    str,
    typer.Argument(
        metavar="ROLLER",
        help="Position of the side on roll, or a position ID or XGID of both sides.",
        show_default=False,
    ),
]

OpponentText = Annotated[
    str | None,
    typer.Argument(
        metavar="OPPONENT", help="Position of the other side.", show_default=False
    ),
]

CubeWhere = Annotated[
    str | None,
    typer.Option(
        metavar="WHERE",
        help="Owner of the cube: centred (nobody), owned (the roller) or opponent. "
        "Default: as in the XGID or match ID, otherwise centred.",
        show_default=False,
    ),
]

Jacoby = Annotated[
    bool | None,
    typer.Option(
        help="For money play: whether gammons count only after the cube has been turned. "
        "Default: as in the XGID, otherwise they always count.",
        show_default=False,
        rich_help_panel=RARER,
    ),
]

CubeValue = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Value of the cube. Default: as in the XGID or match ID, otherwise 1 (2 in "
        "a match if a side owns the cube). Equities are in EMG: points divided by "
        "this value.",
        show_default=False,
        rich_help_panel=RARER,
    ),
]

ScoreText = Annotated[
    str | None,
    typer.Option(
        "--score",
        metavar="A B",
        help="Match score: points that the roller and the opponent still need (--score 2 "
        "4). With --match: points that they have won. Default: the score of the "
        "XGID or match ID, otherwise money play.",
        show_default=False,
    ),
]

MatchLength = Annotated[
    int | None,
    typer.Option(
        "--match", metavar="N", help="Length of the match in points.", show_default=False
    ),
]

Crawford = Annotated[
    bool | None,
    typer.Option(
        "--crawford/--post-crawford",
        help="If a side needs 1 point to win the match: whether this is the Crawford "
        "game, in which nobody may double, or a game after it.",
        show_default=False,
        rich_help_panel=RARER,
    ),
]

Money = Annotated[
    bool,
    typer.Option(
        "--money",
        help="Answer for money play, even if the XGID or match ID has a score.",
        rich_help_panel=RARER,
    ),
]

Equities = Annotated[
    str | None,
    typer.Option(
        "--match-equities",
        metavar="FILE",
        help="File of a match equity table: GNU Backgammon's XML, or CSV. Default: "
        "Kazaross-XG2.",
        show_default=False,
        rich_help_panel=RARER,
    ),
]


class CommandGroup(TyperGroup):
    """Command group that parses texts and numbers itself, as pydantic is slow to load."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _read_plainly(self.get_params(ctx))
        return super().parse_args(ctx, args)


class PlainCommand(TyperCommand):
    """Command that parses texts and numbers itself, as pydantic is slow to load."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line: arguments, then required options."""
        needed = [
            f"{max(option.opts, key=len)} {option.metavar}"
            for option in self.get_params(ctx)
            if option.required and option.param_type_name == "option"
        ]
        return super().collect_usage_pieces(ctx) + needed

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the help of arguments, options and rarely needed options."""
        sections: dict[str, list[tuple[str, str]]] = {
            heading: [] for heading in ("Arguments", "Options", RARER)
        }
        for one in self.get_params(ctx):
            if record := one.get_help_record(ctx):
                kind = "Arguments" if one.param_type_name == "argument" else "Options"
                sections[getattr(one, "rich_help_panel", None) or kind].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _read_plainly(self.get_params(ctx))
        return super().parse_args(ctx, args)


def _read_plainly(parameters: list[Any]) -> None:
    """Make typer load pydantic only for values that `_Reader` does not parse.

    Loading pydantic takes longer than answering a query.
    """
    for parameter in parameters:
        parameter.get_runtime_param = _Reader(parameter)


class _Reader:
    """Parser of texts and plain numbers; typer parses all other values."""

    def __init__(self, parameter: Any) -> None:
        self._by_typer = parameter.get_runtime_param
        self._kind = parameter.type_descriptor.annotation
        limits = parameter.type_descriptor.parameter_info
        self._low = -inf if limits.min is None else limits.min
        self._high = inf if limits.max is None else limits.max
        self._many = parameter.multiple or parameter.nargs != 1

    def __call__(self) -> "_Reader":
        return self

    def coerce(self, value: Any, **context: Any) -> Any:
        """Convert a value to the type of its parameter; raise an error if it is invalid."""
        if value is None and not self._many:
            return None
        if self._kind is str and type(value) is str:
            return value
        if self._kind == list[str] and value and all(type(one) is str for one in value):
            return list(value)
        if self._kind in _PLAIN and not self._many:
            plain = type(value) is str and re.fullmatch(_PLAIN[self._kind], value, re.ASCII)
            number = self._kind(value) if plain else value
            if type(number) is self._kind and self._low <= number <= self._high:
                return number
        if self._kind is float and type(value) is str and re.fullmatch(_ENDLESS, value):
            raise typer.BadParameter(
                f"{value} is not a finite number; use one such as 0.01"
            )
        return self._by_typer().coerce(value, **context)


_ENDLESS = r"(?i)[+-]?(nan|inf|infinity)"
"""Regular expression of infinite numbers and NaN, which `float` accepts but options reject.
"""

_PLAIN = {int: r"\d{1,15}", float: r"\d{1,15}(\.\d{1,15})?"}
"""Regular expressions of plain numbers, by Python type."""


class ScoreCommand(PlainCommand):
    """Command whose option ``--score`` may have two values, as in ``--score 3 5``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, one_score(args))


def one_score(args: list[str]) -> list[str]:
    """Join the two numbers after ``--score`` into one argument.

    If the second number is not valid in a score, the parser of scores reports the error.

    Examples
    --------
    >>> one_score(["--score", "3", "5", "8887", "8887"])
    ['--score', '3 5', '8887', '8887']
    >>> one_score(["--score=3-away", "5-away"]), one_score(["--score", "2-4", "17"])
    (['--score=3-away 5-away'], ['--score', '2-4', '17'])
    """
    joined: list[str] = []
    for word in args:
        value = (joined or [""])[-1].removeprefix("--score=")
        follows = joined[-2:-1] == ["--score"] or joined[-1:] != [value]
        if follows and _is_points(value) and (_is_points(word) or _is_number(word)):
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


def _is_points(word: str) -> bool:
    return re.fullmatch(r"\d+(-?a(way)?)?", word, re.ASCII) is not None


def _is_number(word: str) -> bool:
    return re.fullmatch(r"\d+(\.\d*)?(e[+-]?\d+)?", word, re.ASCII) is not None


Points = Annotated[
    int,
    typer.Option(metavar="N", help="Number of points of the table, from the ace point."),
]

Checkers = Annotated[
    int, typer.Option(metavar="N", help="Maximum number of checkers per side, up to 15.")
]

Seed = Annotated[
    int,
    typer.Option(
        metavar="N", min=0, max=2**64 - 1, help="Seed of the dice.", rich_help_panel=RARER
    ),
]

Threads = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=1024,
        help="Number of threads. Default: one per processor.",
        rich_help_panel=RARER,
    ),
]

Market = Annotated[
    bool,
    typer.Option(
        "--market",
        help="Also show the doubling window, and how the next two rolls "
        "change the cube decision.",
    ),
]

Rolls = Annotated[
    bool, typer.Option("--rolls", help="Also show the best play of each of the 21 rolls.")
]

Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Show no progress.", rich_help_panel=RARER),
]

FormulaName = Annotated[
    str,
    typer.Argument(
        metavar="FORMULA",
        help="Name of a formula. The command 'bearoff formulas list' shows all names.",
        show_default=False,
    ),
]

FormulaBeside = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Formula whose cube action is shown too. Default: the recommended formula.",
        show_default=False,
    ),
]

FormulaFile = Annotated[
    str | None,
    typer.Option(metavar="YAML", help="File with your own formulas."),
]

PopulationFile = Annotated[
    str,
    typer.Option(
        metavar="PATH",
        help="File of a population; see bearoff populations.",
        show_default=False,
    ),
]

Json = Annotated[
    bool, typer.Option("--json", help="Print JSON for programs instead of text.")
]

DEFAULT_POINTS, DEFAULT_CHECKERS = 6, 15
"""Default numbers of points and of checkers per side, copied from `bearoff.POINTS` and
`bearoff.CHECKERS`, whose import would slow down the help."""
