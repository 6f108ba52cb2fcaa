"""Number of games per pair: fixed, or chosen to reach a target standard error."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from bearoff.sim.config.values import Strict, refusal, whole

Games = Annotated[int, Field(ge=1, le=10**12), BeforeValidator(whole)]


class StandardError(Strict):
    """Target standard error of the win probability of each pair of positions."""

    target: float = Field(
        gt=0,
        le=0.5,
        allow_inf_nan=False,
        description="Target standard error of each pair's win probability.",
    )
    at_most: Games = Field(
        default=100_000_000,
        description="Maximum number of games per pair, even if the target is not reached.",
    )


def check_games_or_error(games: int | None, error: StandardError | None) -> None:
    """Check that a batch has either a number of games or a target standard error."""
    if games is None and error is None:
        raise refusal("expected either games or standard_error, got neither")
    if games is not None and error is not None:
        raise refusal("expected either games or standard_error, got both; remove one")
