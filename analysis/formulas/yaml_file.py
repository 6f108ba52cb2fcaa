"""Formulas from a YAML file: the fields of the family, judged as a whole."""

import os
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from analysis.errors import FormulaError
from analysis.formulas.adjustment import Adjustment
from analysis.formulas.base import WorkedFormula
from analysis.formulas.count import Count
from analysis.formulas.floor import Floor
from analysis.formulas.lead import Line
from analysis.formulas.ours import OURS
from analysis.formulas.percent import ChanceRule, Percent
from analysis.formulas.published import PUBLISHED
from analysis.formulas.rule import CountRule, CountWinRule
from sim.config_errors import ConfigError, Problem, format_path, show
from sim.config_problems import problems_of, tidy_schema
from sim.config_values import Strict, refusal, whole
from sim.yaml_source import YamlSource, read_yaml_file


def _halves(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) > 100 or 2 * value != int(2 * value):
            raise refusal(
                f"expected a whole or half number from -100 to 100, got {show(value)}"
            )
        return float(value)
    return value


Halves = Annotated[float, Field(ge=-100, le=100), BeforeValidator(_halves)]
Small = Annotated[int, Field(ge=0, le=400), BeforeValidator(whole)]
Point = Annotated[int, Field(ge=1, le=24), BeforeValidator(whole)]
Part = Annotated[int, Field(ge=1, le=1000), BeforeValidator(whole)]


class Added(Strict):
    """Pips for each of something; see `Adjustment`."""

    pips: Halves = Field(description="For each; negative to take off.")
    feature: Literal[
        "checkers",
        "outside",
        "crossovers",
        "gaps",
        "covered",
        "tallest",
        "rolls",
        "odd",
        "inner",
    ] = Field(description="What is counted.")
    on: tuple[Point, ...] = Field(
        default=(), strict=False, description="On these points; else where it is usual."
    )
    beyond: Small = Field(default=0, description="So many checkers a point are free.")
    compared: Literal["own", "more", "matched"] = Field(
        default="own", description="Own ones, more than the opponent, or point by point."
    )

    @model_validator(mode="after")
    def _is_an_adjustment(self) -> "Added":
        _built(self.adjustment)
        return self

    def adjustment(self) -> Adjustment:
        """Return what it says."""
        return Adjustment(self.pips, self.feature, self.on, self.beyond, self.compared)


class Least(Strict):
    """The least that a side counts; see `Floor`."""

    per_roll: Halves = Field(description="Pips for each two checkers, an odd one for two.")
    plus: Halves = Field(default=0.0, description="Pips besides.")

    @model_validator(mode="after")
    def _is_a_floor(self) -> "Least":
        _built(self.floor)
        return self

    def floor(self) -> Floor:
        """Return what it says."""
        return Floor(self.per_roll, self.plus)


class Lines(Strict):
    """One line; see `Line`."""

    offset: Halves = Field(description="Pips, added to the share.")
    divisor: Part | None = Field(
        default=None, description="Of the roller's count; no share if it is left out."
    )
    parts: Part = Field(default=1, description="How many such parts.")
    rounded: Literal["no", "down", "up"] = Field(default="no", description="The share.")
    above: Small = Field(default=0, description="No share of a count up to this.")
    less: Small = Field(default=0, description="Taken off before dividing.")

    def line(self) -> Line:
        """Return what it says."""
        return Line(**self.model_dump())


class Chance(Strict):
    """A chance in percent, see `Percent`, and perhaps the percentages to double at."""

    base: Halves = Field(description="Percent at a lead equal to the share.")
    per_pip: Halves = Field(description="Percent for each pip of lead.")
    divisor: Part | None = Field(
        default=None, description="Of the roller's count; no share if it is left out."
    )
    double: Halves | None = Field(default=None, description="Double from this percentage.")
    redouble: Halves | None = Field(default=None, description="Redouble from this one.")
    take: Halves | None = Field(default=None, description="Take up to this one.")

    def percent(self) -> Percent:
        """Return the percentage."""
        return Percent(self.base, Fraction(self.per_pip), Line(self.divisor, 0))


_ACTIONS = ("double", "redouble", "take")


class FormulaItem(Strict):
    """A formula of the family; see `CountRule`."""

    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$",
        description="What it is called up by.",
        json_schema_extra={
            "patternErrorMessage": "a name of at most 64 lower-case letters, digits, - and "
            "_, beginning with no - or _"
        },
    )
    source: str = Field(default="own", max_length=200, description="Where it is from.")
    note: str = Field(default="", max_length=500, description="What it is meant for.")
    start: Literal[
        "pips", "epc", "by-shape", "flat", "low-wastage", "n-roll", "stack-and-stragglers"
    ] = Field(default="pips", description="Count that is adjusted.")
    values: tuple[Halves, ...] = Field(
        default=(),
        strict=False,
        max_length=24,
        description="What a checker on ace, deuce, ... counts instead of its pips.",
    )
    at_least: Least | None = Field(default=None, description="What a side counts at least.")
    add: tuple[Added, ...] = Field(
        default=(), strict=False, description="What is added to it."
    )
    double: Lines | None = Field(default=None, description="Double from this lead on.")
    redouble: Lines | None = Field(default=None, description="Redouble from this one.")
    take: Lines | None = Field(default=None, description="The last take is at this lead.")
    passes_ties: bool = Field(default=False, description="Whether he passes just there.")
    chance: Chance | None = Field(default=None, description="The roller's, in percent.")

    @model_validator(mode="after")
    def _is_a_count(self) -> "FormulaItem":
        _built(lambda: Count((), self.start, self.values))
        return self

    @model_validator(mode="after")
    def _decides_once(self) -> "FormulaItem":
        percents = [getattr(self.chance, action, None) for action in _ACTIONS]
        lines = [getattr(self, action) for action in _ACTIONS]
        complete = [None not in percents, None not in lines]
        if complete.count(True) != 1 or any(v is not None for v in percents) == any(lines):
            raise refusal(
                "expected double, redouble and take, all three of them as lines or all "
                "three as percentages in 'chance'"
            )
        return self

    def rule(self) -> WorkedFormula:
        """Return the formula."""
        added = tuple(a.adjustment() for a in self.add)
        least = self.at_least.floor() if self.at_least else None
        count = Count(added, self.start, self.values, least)
        percent = self.chance.percent() if self.chance else None
        if not (self.double and self.redouble and self.take):
            assert self.chance is not None
            assert percent is not None
            double, redouble, take = (
                float(getattr(self.chance, action)) for action in _ACTIONS
            )
            return ChanceRule(
                self.name, self.source, count, percent, double, redouble, take, self.note
            )
        lines = self.double.line(), self.redouble.line(), self.take.line()
        said = self.name, self.source, count, *lines, self.passes_ties, self.note
        if percent is None:
            return CountRule(*said)
        return CountWinRule(*said, chance=percent)


class FormulaFile(Strict):
    """A file of formulas."""

    formulas: tuple[FormulaItem, ...] = Field(
        strict=False, min_length=1, description="Each with its fields."
    )


def load_formulas(path: str | os.PathLike[str]) -> tuple[WorkedFormula, ...]:
    """Read the formulas of a YAML file.

    Raises
    ------
    ConfigError
        Naming every problem of the file with its line.
    """
    source = read_yaml_file(path)
    file = os.fspath(path)
    if not isinstance(source.value, dict):
        message = (
            f"expected a mapping with the key formulas, got {show(source.value)}; begin "
            "with 'formulas:'"
        )
        raise ConfigError([*source.problems, Problem(file, 1, "", message)])
    try:
        read = FormulaFile.model_validate(source.value)
    except ValidationError as error:
        schema: dict[str, Any] = tidy_schema(FormulaFile.model_json_schema())
        found = problems_of(error, source, file, schema)
        raise ConfigError([*source.problems, *found]) from None
    problems = [*source.problems, *_repeated(read, source, file)]
    if problems:
        raise ConfigError(problems)
    return tuple(item.rule() for item in read.formulas)


def _repeated(read: FormulaFile, source: YamlSource, file: str) -> list[Problem]:
    """Names that two formulas would share."""
    taken = {formula.name for formula in (*PUBLISHED, *OURS)}
    problems = []
    for place, item in enumerate(read.formulas):
        path = ("formulas", place, "name")
        if item.name in taken:
            message = f"there is a formula {item.name!r} already; give it another name"
            problems.append(Problem(file, source.lines[path], format_path(path), message))
        taken.add(item.name)
    return problems


def _built(build: Any) -> None:
    """Let what a dataclass refuses be told of like everything else."""
    try:
        build()
    except FormulaError as error:
        raise refusal(str(error)) from error
