"""`bearoff epc` and `bearoff play`: values of positions from the one-sided table."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.options import (
    DEFAULT_CHECKERS,
    DEFAULT_POINTS,
    Checkers,
    Json,
    Points,
    PositionText,
)
from app.output import amount, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import OneSidedTable, Position


def epc(
    positions: Annotated[
        list[str],
        typer.Argument(
            metavar="POSITION...",
            help="Positions in any notation; of one with both sides, the roller's.",
            show_default=False,
        ),
    ],
    points: Points = DEFAULT_POINTS,
    checkers: Checkers = DEFAULT_CHECKERS,
    json: Json = False,
) -> None:
    """Effective pip counts: what each position takes to bear off.

    EPC is the mean number of rolls under fewest-rolls play times 49/6 pips; wastage is
    EPC less the raw pip count; std is the standard deviation of the rolls.

    \b
    bearoff epc 8887
    bearoff epc 0,0,0,5,5,5 "[1,1,1,1]" --json
    bearoff epc 0,2,2,2,2,2,2,0,0,0 --points 10
    """
    from app import tables
    from app.board import draw_side
    from app.score_text import note_score
    from bearoff import Position

    parsed = [Position.parse(text, points, checkers) for text in positions]
    for text in positions:
        note_score(text, "effective pips are the same at all scores")
    table = tables.one_sided(points, checkers)
    described = [describe(table, position) for position in parsed]
    if json:
        say_json(described)
        return
    if len(parsed) == 1:
        say(draw_side(parsed[0]))
        say()
    say_table(
        ("position", "number", "off", "pips", "EPC", "wastage", "rolls", "std"),
        [
            (
                str(position),
                str(d["number"]),
                str(d["off"]),
                str(d["pips"]),
                f"{d['epc']:.3f}",
                f"{d['wastage']:.3f}",
                f"{d['mean_rolls']:.4f}",
                f"{d['std_rolls']:.4f}",
            )
            for position, d in zip(parsed, described, strict=True)
        ],
    )


def play(
    position: PositionText,
    roll: Annotated[
        str | None,
        typer.Argument(
            metavar="ROLL",
            help="Two dice, such as 6-4; not needed where the position carries them.",
            show_default=False,
        ),
    ] = None,
    points: Points = DEFAULT_POINTS,
    checkers: Checkers = DEFAULT_CHECKERS,
    json: Json = False,
) -> None:
    """The best play of a roll, and what every other one costs.

    The best play leaves the fewest mean rolls; a cost is in pips of EPC. Plays that
    lead to the same position are listed once.

    \b
    bearoff play 0,0,0,0,1,1 6-4
    bearoff play 8887 33 --json
    """
    from app import tables
    from app.board import draw_side
    from app.score_text import note_score
    from bearoff import Position, format_roll, parse_roll, rate_plays

    side = Position.parse(position, points, checkers)
    note_score(position, "the best play is that of the fewest mean rolls")
    dice = parse_roll(roll if roll is not None else _dice_of(position))
    table = tables.one_sided(points, checkers)
    described = describe(table, side)
    rated = rate_plays(table, side, dice)
    if json:
        say_json(
            {
                "position": described,
                "roll": list(dice),
                "plays": [
                    {
                        "play": str(r.play),
                        "after": list(r.play.after.counts),
                        "after_number": r.play.after.number,
                        "epc_after": r.epc_after,
                        "cost": r.cost,
                        "best": r.best,
                    }
                    for r in rated
                ],
            }
        )
        return
    say(draw_side(side))
    say(caption(described))
    say()
    say(f"{format_roll(dice)}: play {rated[0].play}")
    say()
    say_table(
        ("play", "<position after", "EPC after", "cost"),
        [
            (
                str(r.play),
                str(r.play.after),
                f"{r.epc_after:.3f}",
                "best" if r.best else f"{r.cost:.3f}",
            )
            for r in rated
        ],
    )


def describe(table: "OneSidedTable", position: "Position") -> dict[str, Any]:
    """Return the values of `position` with the keys of the JSON output."""
    from bearoff import PIPS_PER_ROLL

    number = position.number
    effective = float(table.mean_rolls_of(number) * PIPS_PER_ROLL)
    return {
        "counts": list(position.counts),
        "number": number,
        "checkers": position.on_board,
        "off": position.off,
        "pips": position.pips,
        "epc": effective,
        "wastage": effective - position.pips,
        "mean_rolls": float(table.mean_rolls_of(number)),
        "std_rolls": float(table.std_rolls_of(number)),
    }


def caption(described: dict[str, Any]) -> str:
    """Sum up in one line what `describe` returned."""
    return (
        f" {amount(described['checkers'], 'checkers')}, {described['off']} off, "
        f"{amount(described['pips'], 'pips')}, EPC {described['epc']:.3f}"
    )


def _dice_of(position: str) -> str:
    """Return the dice that a text of both sides carries."""
    from bearoff import Race, RollError, format_roll
    from bearoff.positions import is_two_sided

    dice = Race.parse(position).dice if is_two_sided(position) else None
    if dice is None:
        raise RollError(f"a roll such as 6-4 must follow the position {position!r}")
    return format_roll(dice)
