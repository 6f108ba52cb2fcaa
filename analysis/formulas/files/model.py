"""Pydantic models of formula files, one for each dataclass that is part of a formula."""

from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.counting import Adjustment, Count, Floor, estimates, features
from bearoff.analysis.formulas.rules import (
    ChanceRule,
    CountRule,
    CountWinRule,
    Line,
    Percent,
    Scale,
    WorkedFormula,
)
from bearoff.sim.config import Strict, errors, refusal, whole

if TYPE_CHECKING:
    FeatureName = str
    StartName = str
else:
    FeatureName = Literal[tuple(features.FEATURES)]
    StartName = Literal[("pips", "epc", *estimates())]


def _halves(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) > 100 or 2 * value != int(2 * value):
            raise refusal(
                f"expected a multiple of 0.5 from -100 to 100, got {errors.show(value)}"
            )
        return float(value)
    return value


Halves = Annotated[float, Field(ge=-100, le=100), BeforeValidator(_halves)]
Small = Annotated[int, Field(ge=0, le=400), BeforeValidator(whole)]
Point = Annotated[int, Field(ge=1, le=24), BeforeValidator(whole)]
Part = Annotated[int, Field(ge=1, le=1000), BeforeValidator(whole)]
Row = Annotated[tuple[Small, Small, Part], Field(strict=False)]


class AdjustmentItem(Strict):
    """Adjustment of a count, as written in a formula file; see `Adjustment`."""

    pips: Halves = Field(
        description="Pips added per occurrence of the feature; negative to subtract."
    )
    feature: FeatureName = Field(description="Name of the board feature that is counted.")
    on: tuple[Point, ...] = Field(
        default=(),
        strict=False,
        description="Points on which the feature is counted; by default all points that "
        "the feature has.",
    )
    beyond: Small = Field(
        default=0, description="Number of checkers on each point that are left out."
    )
    compared: Literal["own", "more", "matched"] = Field(
        default="own",
        description=(
            "Which occurrences of the feature are counted. own: all occurrences of "
            "each side; more: the difference between the sides, for the side that has "
            "more; matched: on each point, only occurrences that the opponent does not "
            "have there."
        ),
    )

    left: Annotated[tuple[Point, Point], Field(strict=False)] | None = Field(
        default=None,
        description="Minimum and maximum number of remaining checkers for which the "
        "adjustment applies.",
    )

    @model_validator(mode="after")
    def _is_an_adjustment(self) -> "AdjustmentItem":
        _built(self.adjustment)
        return self

    def adjustment(self) -> Adjustment:
        return Adjustment(**dict(self))


class FloorItem(Strict):
    """Minimum of a count, as written in a formula file; see `Floor`."""

    per_roll: Halves = Field(
        description="Pips in the minimum count for each roll that the side needs "
        "without doubles, at two checkers per roll."
    )
    plus: Halves = Field(default=0.0, description="Pips added to every minimum count.")
    most: Small | None = Field(
        default=None,
        description="Maximum number of remaining checkers for which the minimum count "
        "applies.",
    )

    @model_validator(mode="after")
    def _is_a_floor(self) -> "FloorItem":
        _built(self.floor)
        return self

    def floor(self) -> Floor:
        return Floor(**dict(self))


class LineItem(Strict):
    """Required lead of a cube rule, as written in a formula file; see `Line`."""

    divisor: Part | None = Field(
        default=None,
        description="Divisor of the roller's count; without a divisor, the required lead "
        "is `offset`.",
    )
    offset: Halves = Field(description="Pips added to the fraction of the roller's count.")
    parts: Part = Field(
        default=1,
        description="Numerator of the fraction, such as 8 with the divisor 100 for 8%.",
    )
    rounded: Literal["no", "down", "up"] = Field(
        default="no", description="Rounding of the fraction to whole pips."
    )
    above: Small = Field(
        default=0,
        description="Count of the roller, in pips, up to which the required lead "
        "contains no fraction of the count.",
    )
    less: Small = Field(
        default=0,
        description="Pips subtracted from the roller's count before the division.",
    )
    most: Small | None = Field(
        default=None,
        description="Maximum value of the fraction of the roller's count, in pips.",
    )

    def line(self) -> Line:
        return Line(**dict(self))


class ChanceItem(Strict):
    """Win percentage as a function of the lead, as written in a formula file."""

    base: Halves = Field(
        description="Win percentage if the lead is the roller's count / divisor."
    )
    per_pip: Halves = Field(description="Percentage points for each pip of lead.")
    divisor: Part | None = Field(
        default=None,
        description="Divisor of the roller's count; the quotient is subtracted from the "
        "lead. By default, nothing is subtracted.",
    )
    double: Halves | None = Field(
        default=None, description="Win percentage from which the roller doubles."
    )
    redouble: Halves | None = Field(
        default=None, description="Win percentage from which the roller redoubles."
    )
    take: Halves | None = Field(
        default=None,
        description="Largest win percentage of the roller at which the opponent takes.",
    )

    def percent(self) -> Percent:
        return Percent(self.base, Fraction(self.per_pip), Line(self.divisor, 0))


_ACTIONS = ("double", "redouble", "take")


class FormulaItem(Strict):
    """Formula, as written in a formula file; see `CountRule`."""

    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$",
        description="Name of the formula.",
        json_schema_extra={
            "patternErrorMessage": "a name of at most 64 lower-case letters, digits, - and "
            "_, beginning with no - or _"
        },
    )
    source: str = Field(default="own", max_length=200, description="Source of the formula.")
    note: str = Field(default="", max_length=500, description="Purpose of the formula.")
    start: StartName = Field(
        default="pips",
        description="Count before adjustments: pips, epc or the name of an EPC estimate.",
    )
    values: tuple[Halves, ...] = Field(
        default=(),
        strict=False,
        max_length=24,
        description="Value of a checker on the ace, deuce, ... point, instead of its pips.",
    )
    each: Halves = Field(
        default=0.0, description="Pips added for every checker without a value of its own."
    )
    twice: Halves | None = Field(
        default=None,
        description="If given, each checker beyond the home board counts twice its pips "
        "plus this number of pips.",
    )
    at_least: FloorItem | None = Field(default=None, description="Minimum count of a side.")
    add: tuple[AdjustmentItem, ...] = Field(
        default=(),
        strict=False,
        description="Adjustments of the count for features of the position.",
    )
    double: LineItem | None = Field(
        default=None, description="Smallest lead with which the roller doubles."
    )
    redouble: LineItem | None = Field(
        default=None, description="Smallest lead with which the roller redoubles."
    )
    take: LineItem | None = Field(
        default=None, description="Largest lead at which the opponent takes."
    )
    passes_ties: bool = Field(
        default=False,
        description="Whether the opponent passes at exactly the largest lead for a take.",
    )
    chance: ChanceItem | None = Field(
        default=None, description="Win percentage of the roller as a function of the lead."
    )
    scale: tuple[Row, ...] = Field(
        default=(),
        strict=False,
        description="Rows of a table for win percentages. Each row has a mean of both "
        "counts, a head start and a spread, all in pips.",
    )

    @field_validator("name")
    @classmethod
    def _is_new(cls, name: str, info: ValidationInfo) -> str:
        # `info.context` contains the names of all known formulas, and of formulas earlier
        # in the file.
        if info.context is not None:
            if name in info.context:
                raise refusal(
                    f"a formula named {name!r} already exists; choose another name"
                )
            info.context.add(name)
        return name

    @field_validator("source", "note")
    @classmethod
    def _in_one_line(cls, text: str) -> str:
        line = " ".join(text.split())
        if not line.isprintable():
            raise refusal(f"expected printable text, got {errors.show(text)}")
        return line

    @model_validator(mode="after")
    def _is_a_count(self) -> "FormulaItem":
        _built(lambda: Count((), self.start, self.values, each=self.each, twice=self.twice))
        return self

    @model_validator(mode="after")
    def _has_one_chance(self) -> "FormulaItem":
        _built(lambda: Scale(self.scale))
        if self.scale and (self.chance or not self.double):
            raise refusal(
                "'scale' requires the keys double, redouble and take, and cannot be "
                "combined with 'chance'"
            )
        return self

    @model_validator(mode="after")
    def _decides_once(self) -> "FormulaItem":
        percents = [getattr(self.chance, action, None) for action in _ACTIONS]
        lines = [getattr(self, action) for action in _ACTIONS]
        complete = [None not in percents, None not in lines]
        if complete.count(True) != 1 or any(v is not None for v in percents) == any(lines):
            raise refusal(
                "expected the keys double, redouble and take, either all as required leads "
                "or all as percentages in 'chance'"
            )
        return self

    @classmethod
    def of(cls, rule: CountRule) -> Self:
        """Convert a formula to its form in a formula file."""
        count, chance = rule.count, None
        percent = getattr(rule, "chance", None)
        if isinstance(percent, Percent):
            chance = {
                "base": percent.base,
                "per_pip": float(percent.per_pip),
                "divisor": percent.line.divisor,
            }
        return cls.model_validate(
            {
                "name": rule.name,
                "source": rule.source,
                "note": rule.note,
                "start": count.start,
                "values": count.values,
                "each": count.each,
                "twice": count.twice,
                "at_least": asdict(count.least) if count.least else None,
                "add": [asdict(each) for each in count.adjustments],
                "double": asdict(rule.double),
                "redouble": asdict(rule.redouble),
                "take": asdict(rule.last_take),
                "passes_ties": rule.passes_ties,
                "chance": chance,
                "scale": percent.rows if isinstance(percent, Scale) else (),
            }
        )

    def rule(self) -> WorkedFormula:
        added = tuple(a.adjustment() for a in self.add)
        least = self.at_least.floor() if self.at_least else None
        count = Count(added, self.start, self.values, least, self.each, self.twice)
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
        fields = self.name, self.source, count, *lines, self.passes_ties, self.note
        found = Scale(self.scale) if self.scale else percent
        return CountWinRule(*fields, chance=found) if found else CountRule(*fields)


class FormulaFile(Strict):
    """Content of a formula file: a list of formulas."""

    formulas: tuple[FormulaItem, ...] = Field(
        strict=False, min_length=1, description="List of formulas."
    )


def _built(build: Any) -> None:
    try:
        build()
    except FormulaError as error:
        raise refusal(str(error)) from error
