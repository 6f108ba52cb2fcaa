"""`bearoff epc` and `bearoff play`: values of positions from the one-sided table."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.options import (
    DEFAULT_CHECKERS,
    DEFAULT_POINTS,
    Checkers,
    Json,
    PositionText,
)
from app.output import amount, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import OneSidedTable, Play, Position

TablePoints = Annotated[
    int | None,
    typer.Option(metavar="N", help="Points of the table; 6 if the position has no more."),
]


def epc(
    positions: Annotated[
        list[str],
        typer.Argument(
            metavar="POSITION...",
            help="Positions in any notation; of one with both sides, the roller's.",
            show_default=False,
        ),
    ],
    points: TablePoints = None,
    checkers: Checkers = DEFAULT_CHECKERS,
    json: Json = False,
) -> None:
    """Effective pip counts: what each position takes to bear off.

    EPC is the mean number of rolls under fewest-rolls play times 49/6 pips; wastage is
    EPC less the raw pip count; std is the standard deviation of the rolls. Where a checker
    is beyond home they are estimates, unless --points names a table.

    \b
    bearoff epc 8887
    bearoff epc 0,0,0,5,5,5 "[1,1,1,1]" --json
    bearoff epc 0,2,2,2,2,2,2,0,0,0
    bearoff epc 0,2,2,2,2,2,2,0,0,0 --points 10
    """
    from app.board import draw_side
    from app.score_text import note_score

    parsed = [_side_of(text, points, checkers) for text in positions]
    for text in positions:
        note_score(text, "effective pips are the same at all scores")
    described = [_described(side, solve=points is not None) for side in parsed]
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
    if not all(d["exact"] for d in described):
        say(
            "Beyond home EPC, wastage, rolls and std are estimates; against an opponent\n"
            "bearoff race tells the error of EPC."
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
    cube: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help="Rate plays by their equity against the opponent, with the cube centred, "
            "owned or opponent; the position must have both sides.",
            show_default=False,
        ),
    ] = None,
    points: TablePoints = None,
    checkers: Checkers = DEFAULT_CHECKERS,
    json: Json = False,
) -> None:
    """Show the best play of a roll, and what others cost.

    The best play leaves the fewest mean rolls; a cost is in pips of EPC, estimated while
    checkers are beyond the home board. Plays that lead to the same position are listed
    once. With --cube the best play has the highest equity, from a two-sided table or by
    the fast model; bearoff race also rolls plays out.

    \b
    bearoff play 0,0,0,0,1,1 6-4
    bearoff play 8887 33 --json
    bearoff play 0,0,0,2,2,2,0,1 6-2
    bearoff play LwAAwC0AAAAAAA 2-1 --cube centred
    """
    from app.board import draw_side
    from app.score_text import note_score
    from bearoff import format_roll, parse_roll

    dice = parse_roll(roll if roll is not None else _dice_of(position))
    if cube is not None:
        _play_against(position, dice, cube, json=json)
        return
    side = _side_of(position, points, checkers)
    note_score(position, "the best play is that of the fewest mean rolls")
    described, rated = _rated(side, dice, solve=points is not None)
    if json:
        say_json({"position": described, "roll": list(dice), "plays": rated})
        return
    say(draw_side(side))
    say(caption(described))
    say()
    say(f"{format_roll(dice)}: play {rated[0]['play']}")
    say()
    say_table(
        ("play", "<position after", "EPC after", "cost"),
        [
            (
                one["play"],
                ",".join(map(str, one["after"])),
                f"{one['epc_after']:.3f}",
                "best" if one["best"] else f"{one['cost']:.3f}",
            )
            for one in rated
        ],
    )


def _side_of(text: str, points: int | None, checkers: int) -> "Position":
    """Read a side on the home board, or else on as many points as it needs."""
    from bearoff import Position, PositionError

    if points is not None:
        return Position.parse(text, points, checkers)
    try:
        return Position.parse(text, DEFAULT_POINTS, checkers)
    except PositionError:
        side = Position.parse(text, None, checkers)
        if side.highest <= DEFAULT_POINTS:
            raise
        return side


def _rated(
    side: "Position", dice: tuple[int, int], *, solve: bool
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Describe a side and rate its plays: by a table of its size, else by estimates."""
    from app import tables
    from bearoff import PositionError, legal_plays, rate_plays

    described = _described(side, solve=solve)
    if described["exact"]:
        table = tables.one_sided(side.points, side.checkers)
        rated = rate_plays(table, side, dice)
        return described, [
            _rated_json(r.play, r.epc_after, r.cost, best=r.best) for r in rated
        ]
    from bearoff.bear_in import bear_in, widen

    if not side.on_board:
        raise PositionError("all checkers are off: there is no roll to play")
    legal = legal_plays(side, dice)
    left = bear_in().epc(widen([play.after.counts for play in legal])).tolist()
    order = sorted(range(len(legal)), key=lambda i: (left[i], legal[i].after.number))
    rows = [
        _rated_json(legal[i], left[i], left[i] - left[order[0]], best=i == order[0])
        for i in order
    ]
    return described, rows


def _rated_json(
    play: "Play", epc_after: float, cost: float, *, best: bool
) -> dict[str, Any]:
    return {
        "play": str(play),
        "after": list(play.after.counts),
        "after_number": play.after.number,
        "epc_after": epc_after,
        "cost": cost,
        "best": best,
    }


def _play_against(position: str, dice: tuple[int, int], cube: str, *, json: bool) -> None:
    """Rate plays by their equity, as `bearoff race` does without rollouts."""
    from app.answers.one import Asked, answer_race
    from app.score_text import ScoreOptions
    from bearoff import PositionError, format_roll
    from bearoff.positions import is_two_sided

    if not is_two_sided(position):
        raise PositionError(
            "with --cube one text must hold both sides, such as an XGID; of two texts "
            "bearoff race rates the plays, with --dice and --cube"
        )
    asked = Asked(dice=format_roll(dice), model=True, quiet=True, plays_only=True)
    answer_race(position, None, ScoreOptions(cube=cube), asked, json=json)


def _described(side: "Position", *, solve: bool) -> dict[str, Any]:
    """Describe a side by a table of its size where there is one, else by estimates."""
    from app import tables

    if solve or side.points <= DEFAULT_POINTS:
        return describe(tables.one_sided(side.points, side.checkers), side)
    return _estimated(side)


def _estimated(position: "Position") -> dict[str, Any]:
    """Return the values of `describe`, estimated for checkers on any point."""
    from bearoff import PIPS_PER_ROLL
    from bearoff.bear_in import bear_in, widen

    counts = widen(position.counts)
    epc = float(bear_in().epc(counts))
    return {
        "counts": list(position.counts),
        "number": position.number,
        "checkers": position.on_board,
        "off": position.off,
        "pips": position.pips,
        "epc": epc,
        "wastage": epc - position.pips,
        "mean_rolls": epc / PIPS_PER_ROLL,
        "std_rolls": float(bear_in().std_rolls(counts)),
        "exact": False,
    }


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
        "exact": True,
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
