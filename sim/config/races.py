"""Races in a configuration: pairs of positions without contact."""

from typing import Any

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from bearoff import BearoffError, Race
from bearoff.positions import is_two_sided
from bearoff.sim.config.errors import show
from bearoff.sim.config.values import PositionValue, Strict, current, refusal

BOARD = 24
"""Number of points on a backgammon board."""


def in_contact(roller: int, opponent: int) -> str:
    """Return an error message if the rearmost checkers are in contact; otherwise ""."""
    if roller + opponent <= BOARD:
        return ""
    return (
        f"a race has no contact, but the sides' farthest checkers stand on points {roller} "
        f"and {opponent}, more than {BOARD} together"
    )


def _check_sides(data: dict[str, Any]) -> None:
    """Raise an error if the text for one side describes both sides."""
    for key in ("roller", "opponent"):
        text = data.get(key)
        if isinstance(text, str) and is_two_sided(text):
            raise refusal(
                f"{show(text)} describes both sides; use the key 'race:' for it, instead "
                "of roller and opponent",
                key=key,
            )


class ListedRace(Strict):
    """Race in a configuration: `roller` and `opponent`, or both positions as `race`."""

    roller: PositionValue = Field(
        description="Position of the side on roll, in any notation."
    )
    opponent: PositionValue = Field(
        description="Position of the opponent, on their own points."
    )

    @model_validator(mode="after")
    def _has_no_contact(self) -> "ListedRace":
        # With an invalid table size, the positions could not be parsed, so contact cannot
        # be checked.
        if current().table is not None:
            contact = in_contact(self.roller.highest, self.opponent.highest)
            if contact:
                raise refusal(contact)
        return self

    @property
    def race(self) -> Race:
        return Race(self.roller, self.opponent)

    @model_validator(mode="before")
    @classmethod
    def _take_apart(cls, data: Any) -> Any:
        if isinstance(data, Race):
            return {"roller": data.roller, "opponent": data.opponent}
        if not isinstance(data, dict):
            return data
        if "race" not in data:
            _check_sides(data)
            return data
        if len(data) > 1:
            raise refusal("expected either race, or roller and opponent, got both")
        table, text = current().table, data["race"]
        if table is None:
            return {"roller": None, "opponent": None}  # not parsed
        if isinstance(text, Race):
            return {"roller": text.roller, "opponent": text.opponent}
        if not isinstance(text, str):
            raise refusal(
                f"expected an XGID or a position ID, got {show(text)}",
                key="race",
            )
        try:
            race = Race.parse(text, table.points, table.checkers)
        except BearoffError as error:
            raise refusal(str(error), key="race") from error
        if race.score is not None:
            raise refusal(
                f"all races of a batch must have the same score, but {show(text)} is at "
                f"{race.score}; specify the score under 'match:', and the sides as roller "
                "and opponent",
                key="race",
            )
        for side in (race.roller, race.opponent):
            if not side.on_board:
                raise refusal(
                    f"the game is over in {show(text)}, because a side has no checkers "
                    "left on the board",
                    key="race",
                )
        return {"roller": race.roller, "opponent": race.opponent}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        described = handler.resolve_ref_schema(handler(schema))
        race = {"type": "string", "minLength": 1, "maxLength": 200}
        race["description"] = "Both sides, as a GNU Backgammon position ID or an XGID."
        described["properties"]["race"] = race
        del described["required"]
        described["oneOf"] = [
            {"required": ["roller", "opponent"], "not": {"required": ["race"]}},
            {"required": ["race"], "maxProperties": 1},
        ]
        return described
