"""Grid of pairs of positions, by the roller's pip count or EPC and the roller's lead."""

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from bearoff.sim.config.values import (
    DRAW,
    MOST_PAIRS,
    Draw,
    Span,
    Strict,
    Whole,
    current,
    refusal,
)

MOST_CELLS = 100_000
"""Maximum number of cells in a grid of pairs of positions."""


class PairGrid(Strict):
    """Pairs of positions on a grid of the roller's pip counts (or EPCs) and leads."""

    by: Literal["pips", "epc"] = Field(
        default="pips",
        description=(
            "Whether the grid counts pips or EPC. With pips, a side's positions in a "
            "cell have the same pip count; with epc, their EPCs differ by up to one step."
        ),
    )
    roller: Span = Field(description="Pip counts, or EPCs, of the roller.")
    lead: Span = Field(
        description="Lead of the roller: the opponent's count minus the roller's; negative "
        "if the roller trails."
    )
    per_cell: Whole = Field(
        default=4,
        ge=1,
        le=100_000,
        description="Number of pairs drawn for each cell that has positions.",
    )
    draw: Draw = Field(default="uniform", description=DRAW)

    @field_validator("roller")
    @classmethod
    def _roller_on_the_board(cls, roller: Span, info: ValidationInfo) -> Span:
        _check_whole(roller, info)
        if roller.from_ < 1:
            raise refusal(
                f"the roller's count must start at 1 or more, got {roller.from_:g}"
            )
        table = current().table
        if table and info.data.get("by") == "pips" and roller.to > table.most_pips:
            raise refusal(
                f"the pip count of {table.checkers} checkers on {table.points} points must "
                f"not exceed {table.most_pips}, got {roller.to:g}"
            )
        return roller

    @field_validator("lead")
    @classmethod
    def _cells_in_bounds(cls, lead: Span, info: ValidationInfo) -> Span:
        _check_whole(lead, info)
        roller = info.data.get("roller")
        if roller is None:
            return lead
        if len(roller) * len(lead) > MOST_CELLS:
            raise refusal(
                f"a grid may have at most {MOST_CELLS:,} cells, got {len(roller):,} x "
                f"{len(lead):,}; use larger steps"
            )
        table = current().table
        most = table.most_pips if table and info.data.get("by") == "pips" else 1000
        if not any(1 <= r + d <= most for r in roller.values for d in lead.values):
            raise refusal(
                "all cells of the grid are impossible, because the opponent's count "
                f"(roller plus lead) must be from 1 to {most}"
            )
        return lead

    @field_validator("per_cell")
    @classmethod
    def _pairs_in_bounds(cls, per_cell: int, info: ValidationInfo) -> int:
        if "roller" in info.data and "lead" in info.data:
            cells = len(info.data["roller"]) * len(info.data["lead"])
            if cells * per_cell > MOST_PAIRS:
                raise refusal(
                    f"a grid may contain at most {MOST_PAIRS:,} pairs, got {cells:,} cells "
                    f"with {per_cell:,} pairs each; reduce per_cell, or use larger steps"
                )
        return per_cell

    @property
    def cells(self) -> tuple[tuple[float, float], ...]:
        """Both sides' pip counts or EPCs in each grid cell, including impossible cells.

        Cells are sorted by the roller's pip count (or EPC), and then by the roller's lead.
        """
        return tuple(
            (roller, round(roller + lead, 9))
            for roller in self.roller.values
            for lead in self.lead.values
        )


def _check_whole(span: Span, info: ValidationInfo) -> None:
    if info.data.get("by") == "pips" and not span.is_whole:
        raise refusal(
            f"pip counts must be whole numbers, got the range from {span.from_:g} to "
            f"{span.to:g} in steps of {span.step:g}; round the numbers, or use EPCs (by: "
            "epc)"
        )
