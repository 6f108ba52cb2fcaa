"""`bearoff epc` and `bearoff play`: EPCs of positions, and the best play of a roll."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bearoff.app.options import (
    DEFAULT_CHECKERS,
    DEFAULT_POINTS,
    Checkers,
    Json,
)
from bearoff.app.output import amount, say, say_json, say_table
from bearoff.app.race_answers.asked import Asked, asks_for_plays

if TYPE_CHECKING:
    from bearoff import OneSidedTable, Play, Position

TablePoints = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Number of points of the table. Default: 6, or more if "
        "the position needs them.",
    ),
]


def epc(
    positions: Annotated[
        list[str],
        typer.Argument(
            metavar="POSITION...",
            help="Positions in any notation; if a text has both sides, the roller's is "
            "used.",
            show_default=False,
        ),
    ],
    points: TablePoints = None,
    checkers: Checkers = DEFAULT_CHECKERS,
    json: Json = False,
) -> None:
    """Show effective pip counts (EPC).

    The EPC is the mean number of rolls to bear off times 49/6 pips, if each play minimises
    that mean. Wastage is the EPC minus the pip count, and std is the standard deviation of
    the number of rolls. With checkers outside the home board, the numbers are estimates
    unless --points selects a larger table.

    \b
    bearoff epc 0,0,0,5,5,5
    """
    from bearoff.app.board import draw_side
    from bearoff.app.score_text import note_score

    parsed = [_side_of(text, points, checkers) for text in positions]
    for text in positions:
        note_score(text, "effective pip counts do not depend on the match score")
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
    if error := max(d["epc_error"] for d in described):
        say(
            "With checkers outside the home board, all values are estimates; the error of "
            f"the EPC is about {error:.2f} pips."
        )


@asks_for_plays
def play(asked: Asked, points: TablePoints = None, checkers: Checkers = 15) -> None:
    """Show the best play of a roll, and what other plays cost.

    Give the roll after the position or with --dice. Costs are in points of equity for a
    race between two sides. For one side alone, the best play minimises the mean number of
    rolls, and costs are in pips of EPC.

    \b
    bearoff play 0,0,0,0,1,1 6-4
    bearoff play LwAAwC0AAAAAAA 2-1 --cube owned
    """
    from bearoff import PositionError, RollError, parse_roll
    from bearoff.answers import Question
    from bearoff.app.race_answers.contact import read_any
    from bearoff.app.race_answers.given import given_position
    from bearoff.app.race_answers.one import answer_race
    from bearoff.app.race_answers.text import View
    from bearoff.positions import is_two_sided

    if asked.position is None:
        raise PositionError("a position and a roll are required")
    position, roll = given_position(asked.position), asked.dice
    both = is_two_sided(position)
    # The command's second argument may be the roll or the opponent's position.
    if roll is None and asked.opponent is not None:
        try:
            parse_roll(asked.opponent)
        except RollError:
            if not both:
                raise
        else:
            roll = asked.opponent
            asked = replace(asked, opponent=None)
    both = both or asked.opponent is not None
    asked = replace(asked, position=position, dice=roll)
    if both:
        question = read_any(asked.parts())
        of = question.race if isinstance(question, Question) else question.setup
        if of.dice is None:
            raise RollError(
                "a roll such as 6-4 is required after the position or with --dice"
            )
        answer_race(asked, View())
    elif roll is None:
        raise RollError(f"a roll such as 6-4 is required after the position {position!r}")
    else:
        given = [name for name in _OF_RACES if getattr(asked, name) not in (None, False)]
        if given:
            raise PositionError(
                f"--{given[0].replace('_', '-')} applies only to a race between two sides; "
                f"add the opponent's position after {position!r}"
            )
        _play_alone(position, parse_roll(roll), points, checkers, json=asked.json)


_OF_RACES = (
    "cube",
    "cube_value",
    "score",
    "match",
    "crawford",
    "money",
    "match_equities",
    "jacoby",
    "played",
    "error",
    "model",
)
"""Options that apply only to a race between two sides, not to one side's position alone."""


def _play_alone(
    position: str, dice: tuple[int, int], points: int | None, checkers: int, *, json: bool
) -> None:
    """Rate the plays of a single side by the mean number of rolls left after each."""
    from bearoff import format_roll
    from bearoff.app.board import draw_side

    side = _side_of(position, points, checkers)
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
    """Parse one side's checkers; use 6 points if they are all in the home board."""
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
    """Return a side's EPC and related numbers, and its plays with costs, best first."""
    from bearoff import PositionError, legal_plays, rate_plays
    from bearoff.app import tables

    described = _described(side, solve=solve)
    if not described["epc_error"]:
        table = tables.one_sided(side.points, side.checkers)
        rated = rate_plays(table, side, dice)
        return described, [
            _rated_json(r.play, r.epc_after, r.cost, best=r.best) for r in rated
        ]
    from bearoff.bear_in import bear_in, widen

    if not side.on_board:
        raise PositionError(
            "the position has no checkers left, so there is no roll to play"
        )
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


def _described(side: "Position", *, solve: bool) -> dict[str, Any]:
    """Return a side's EPC and related numbers, from a table or as an estimate."""
    from bearoff.app import tables

    if solve or side.points <= DEFAULT_POINTS:
        return describe(tables.one_sided(side.points, side.checkers), side)
    return _estimated(side)


def _estimated(position: "Position") -> dict[str, Any]:
    from bearoff import PIPS_PER_ROLL
    from bearoff.answers import EPC_ERROR
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
        "epc_error": EPC_ERROR,
    }


def describe(table: "OneSidedTable", position: "Position") -> dict[str, Any]:
    """Return a dictionary of a position's EPC and related numbers for the JSON output."""
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
        "epc_error": 0.0,
    }


def caption(described: dict[str, Any]) -> str:
    """Return a one-line summary of a position: checkers, pips and EPC."""
    return (
        f" {amount(described['checkers'], 'checkers')}, {described['off']} off, "
        f"{amount(described['pips'], 'pips')}, EPC {described['epc']:.3f}"
    )
