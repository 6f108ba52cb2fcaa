"""Number of games per pair: a fixed number, or enough for a given precision."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from bearoff.sim.config.values import Strict, refusal, whole

Games = Annotated[int, Field(ge=1, le=10**12), BeforeValidator(whole)]


class StandardError(Strict):
    """Play each pair until its win probability has this standard error."""

    target: float = Field(
        gt=0,
        le=0.5,
        allow_inf_nan=False,
        description="Standard error of each pair's win probability.",
    )
    at_most: Games = Field(
        default=100_000_000,
        description="Most games of a pair, even if the target is not reached.",
    )


def check_games_or_error(games: int | None, error: StandardError | None) -> None:
    """Raise an error unless exactly one of the two is given."""
    if games is None and error is None:
        raise refusal("expected games or standard_error, got neither")
    if games is not None and error is not None:
        raise refusal("expected either games or standard_error, got both; remove one")
