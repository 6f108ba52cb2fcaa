"""Configuration of the doubling cube, and of both sides' cube strategies."""

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    field_validator,
)

from bearoff.checks import did_you_mean
from bearoff.sim.config.errors import show
from bearoff.sim.config.players import Players
from bearoff.sim.config.values import TAG, Strict, Whole, current, refusal, shown_plain

MOST_VALUE = 1024
"""Maximum initial value of the cube."""


def power_of_two(value: int) -> int:
    """Return the value; raise an error unless it is a power of two."""
    if value & (value - 1):
        raise refusal(
            f"the cube value must be a power of 2 (1, 2, 4, ...) up to {MOST_VALUE:,}, got "
            f"{value}"
        )
    return value


Chance = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), shown_plain]


class Thresholds(Strict):
    """Win probabilities at which a side doubles, redoubles and takes."""

    double: Chance = Field(description="Win probability from which the roller doubles.")
    redouble: Chance = Field(description="Win probability from which the roller redoubles.")
    take: Chance = Field(description="Win probability from which the opponent takes.")


class ThresholdStrategy(Strict):
    """Cube strategy with fixed thresholds for the win probability by fewest-rolls play."""

    thresholds: Thresholds = Field(
        description="Win probabilities at which a side doubles, redoubles and takes."
    )


class JanowskiStrategy(Strict):
    """Cube strategy that follows Janowski's model with a given cube efficiency."""

    janowski: Chance = Field(
        description="Cube efficiency in Janowski's model, from 0 (dead cube) to 1 (live "
        "cube)."
    )


BUILT_IN = ("perfect", "never")
"""Names of the built-in cube strategies."""


def unknown_strategy(name: str, named: Collection[str]) -> str:
    """Return an error message for the name of an unknown cube strategy."""
    names = (*BUILT_IN, *sorted(named))
    return (
        f"unknown cube strategy {show(name)}; choose one of {', '.join(names)}"
        f"{did_you_mean(name, names)}"
    )


def _existing(name: str) -> str:
    named = current().strategies
    if named is not None and name not in (*BUILT_IN, *named):
        raise refusal(unknown_strategy(name, named))
    return name


Name = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_existing)]

_STRATEGY = "cube strategy"
_FORMS = ("thresholds", "janowski")
_STATES = ("centred", "owned", "take")


def _kind(value: Any) -> str:
    keys = value if isinstance(value, Mapping) else getattr(type(value), "model_fields", ())
    forms = [form for form in _FORMS if form in keys]
    if forms:
        return f"{TAG}{forms[0]}"
    return f"{TAG}{'name' if isinstance(value, str) else 'states'}"


def _one_form(value: Any, states: bool) -> Any:
    """Check that a cube strategy is a name, or a mapping with a known set of keys."""
    if isinstance(value, str | Strict):
        return value
    known = (*_FORMS, *_STATES) if states else _FORMS
    if not isinstance(value, dict) or not value:
        raise refusal(
            f"expected a name such as perfect, or a mapping with {' or '.join(_FORMS)}"
            f"{' or centred, owned and take' if states else ''}, got {show(value)}"
        )
    strange = [key for key in value if key not in known]
    if strange:
        raise refusal(
            f"expected one of the keys {', '.join(known)}, got "
            f"{show(strange[0])}{did_you_mean(strange[0], known)}"
        )
    if len(value) > 1 and any(form in value for form in _FORMS):
        raise refusal(
            f"expected only one strategy, got {' and '.join(value)}; keep one of them"
        )
    return value


_Plain = (
    Annotated[Name, Tag(f"{TAG}name")]
    | Annotated[ThresholdStrategy, Tag(f"{TAG}thresholds")]
    | Annotated[JanowskiStrategy, Tag(f"{TAG}janowski")]
)

PlainStrategy = Annotated[
    _Plain,
    Discriminator(_kind),
    BeforeValidator(lambda value: _one_form(value, states=False)),
    Field(json_schema_extra={"format": _STRATEGY}),
]
"""Cube strategy, given by its name, by thresholds or by Janowski's model."""


class StateStrategy(Strict):
    """One side's separate cube strategies for doubling, redoubling and taking."""

    centred: PlainStrategy = Field(description="Strategy for doubling with a centred cube.")
    owned: PlainStrategy = Field(description="Strategy for redoubling.")
    take: PlainStrategy = Field(
        description="Strategy for answering the opponent's doubles."
    )


Strategy = Annotated[
    _Plain | Annotated[StateStrategy, Tag(f"{TAG}states")],
    Discriminator(_kind),
    BeforeValidator(lambda value: _one_form(value, states=True)),
    Field(json_schema_extra={"format": _STRATEGY}),
]
"""Cube strategy of one side: the same for all decisions, or one for each kind of
decision."""


class CubeConfig(Strict):
    """Settings of the doubling cube, and both sides' cube strategies."""

    position: Literal["centred", "roller", "opponent"] = Field(
        default="centred", description="Owner of the cube at the start, or centred."
    )
    value: Whole = Field(
        default=1,
        ge=1,
        le=MOST_VALUE,
        description="Initial value of the cube, a power of 2.",
    )
    jacoby: bool = Field(
        default=False,
        description="Whether gammons count only after the cube has been turned (the Jacoby "
        "rule).",
    )
    roller: Strategy = Field(description="Cube strategy of the roller.")
    opponent: Strategy = Field(description="Cube strategy of the opponent.")
    rival: Strategy | None = Field(
        default=None,
        description=(
            "Cube strategy of a rival, who replaces the roller in the same games with "
            "the same dice. The run stores the mean difference between their results."
        ),
    )

    _power_of_two = field_validator("value")(power_of_two)

    def strategies(self) -> Iterator[tuple[str, Any]]:
        """Yield the path of each cube strategy in the configuration, and the strategy."""
        for side in ("roller", "opponent", "rival"):
            given = getattr(self, side)
            if isinstance(given, StateStrategy):
                for state in _STATES:
                    yield f"cube.{side}.{state}", getattr(given, state)
            elif given is not None:
                yield f"cube.{side}", given

    def names(self) -> tuple[str, ...]:
        """Return the sorted names of the cube strategies that are not built in."""
        named = {given for _, given in self.strategies() if isinstance(given, str)}
        return tuple(sorted(named.difference(BUILT_IN)))


def check_players(cube: CubeConfig | None, players: Players) -> None:
    """Raise an error if the cube settings do not allow one of the players."""
    names = players.roller, players.opponent
    if cube is None and "perfect" in names:
        raise refusal(
            "the player perfect requires the cube; add the key cube, or use the player "
            "optimal"
        )
    if cube is not None and "random-play" in names:
        raise refusal("the player random-play cannot be used with the cube")
