"""`bearoff cube`: the exact cube action, what mistakes cost, and who loses the market."""

from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from app.options import Json, OpponentText, RollersCube, RollerText
from app.output import say, say_json, say_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bearoff import CubeAction, DoublingWindow, Market, Position, Race, TwoSidedTable


def cube(
    roller: RollerText,
    opponent: OpponentText = None,
    cube: RollersCube = None,
    plays: Annotated[
        bool, typer.Option("--plays", help="Also the best play of every roll.")
    ] = False,
    json: Json = False,
) -> None:
    """Whether to double and to take, and what each mistake costs.

    Exact for money play, from a two-sided table that holds the pair; gammons are not
    counted. Equities are the roller's, before the roll, in points at a cube of 1. The
    market is lost where, after one roll of each side, the opponent would pass.

    \b
    bearoff tables build --two-sided --checkers 8
    bearoff cube 8,0,0,0,0,0 8,0,0,0,0,0 --cube owned
    bearoff cube LwAAwC0AAAAAAA --plays
    """
    from app.commands.winprob import parse_race
    from app.options import DEFAULT_CHECKERS, DEFAULT_POINTS
    from app.two_sided import how_to_build, table_for
    from bearoff import TableError, cube_action, doubling_window, market

    race = parse_race(roller, opponent, DEFAULT_POINTS, DEFAULT_CHECKERS)
    table = table_for(race, cube=True)
    if table is None:
        raise TableError(
            f"no two-sided table that is built holds {race.roller} against "
            f"{race.opponent} with the cube; run: {how_to_build(race, cube=True)}"
        )
    where = cube or cube_of(roller)
    action = cube_action(table, race, where)
    losers = market(table, race, where)
    window = doubling_window(table, race.roller.number, where)
    if json:
        say_json(_as_json(table, race, action, losers, window, plays))
        return
    _show(table, race, action, losers, window)
    if plays:
        say()
        _show_plays(table, race)


def cube_of(text: str) -> Literal["centred", "owned"]:
    """Return where an XGID says the cube is; centred in any other notation."""
    from bearoff import PositionError
    from bearoff.xgid import Xgid

    if ":" not in text:
        return "centred"
    xgid = Xgid.parse(text.strip())
    if xgid.match_length:
        raise PositionError(
            f"the XGID {text!r} is of a match to {xgid.match_length}; cube actions are for "
            "money play, with match length 0 or --cube"
        )
    if xgid.cube_owner == -xgid.turn:
        raise PositionError(
            f"the opponent owns the cube in {text!r}: the roller may not double; --cube "
            "puts it elsewhere"
        )
    return "owned" if xgid.cube_owner else "centred"


def _as_json(
    table: "TwoSidedTable",
    race: "Race",
    action: "CubeAction",
    losers: "Market",
    window: "DoublingWindow",
    plays: bool,
) -> dict[str, Any]:
    from bearoff import ROLLS, best_plays, format_roll
    from bearoff.gammon import gammon_chance
    from bearoff.market_losers import OUTCOMES

    gammons = gammon_chance(race.roller.number, race.opponent.number)
    answer = {
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "position_id": race.position_id,
        "table_checkers": table.checkers,
        **asdict(action),
        "gammon_wins": float(gammons.wins),
        "gammon_losses": float(gammons.losses),
        "window": {
            name: None if isnan(edge) else edge for name, edge in asdict(window).items()
        },
        "market": {
            "losing_probability": losers.losing_probability,
            "too_close": bool(losers.too_close.any()),
            "probabilities": losers.probabilities,
            "sequences": {
                format_roll(own): {
                    format_roll(reply): OUTCOMES[outcome]
                    for reply, outcome in zip(ROLLS, row, strict=True)
                }
                for own, row in zip(ROLLS, losers.outcomes, strict=True)
            },
        },
    }
    if plays:
        answer["plays"] = {
            name: {
                format_roll(roll): {
                    "play": str(best.play),
                    "after": list(best.play.after.counts),
                    "equity": best.equity,
                }
                for roll, best in best_plays(table, race, where).items()
            }
            for name, where in _PLANES.items()
        }
    return answer


_PLANES: dict[str, Literal["owned", "centred", "opponent"] | None] = {
    "cubeless": None,
    "centred": "centred",
    "owned": "owned",
    "opponent": "opponent",
}


def _show(
    table: "TwoSidedTable",
    race: "Race",
    action: "CubeAction",
    losers: "Market",
    window: "DoublingWindow",
) -> None:
    from app.board import OPPONENT, ROLLER, draw_race

    say(f" {OPPONENT} opponent: {_pips(race.opponent)}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:   {_pips(race.roller)}, the cube {_WHERE[action.cube]}")
    say()
    say(f"{action.action[0].upper()}{action.action[1:]}{_caution(action)}")
    say()
    _show_equities(action)
    say()
    say(
        f"Without the cube the roller wins {action.win_probability:.2%}, the opponent "
        f"{1 - action.win_probability:.2%};\nto take he needs "
        f"{action.dead_take_point:.0%} if the cube is dead, {action.live_take_point:.0%} "
        "if it is perfectly live."
    )
    say()
    _show_window(action, window)
    say()
    _show_market(losers)
    say()
    say(
        f"Exact to {action.error:.1e}; two-sided table of {table.checkers} checkers, money "
        f"play,\n{_gammons(race)}"
    )


def _gammons(race: "Race") -> str:
    """Say what is left out by not counting gammons."""
    from bearoff.gammon import gammon_chance

    if race.roller.off and race.opponent.off:
        return "gammons not counted: none is possible."
    found = gammon_chance(race.roller.number, race.opponent.number)
    return (
        "gammons not counted: between fewest-rolls players the roller wins one with\n"
        f"chance {found.wins:.2g}, the opponent with {found.losses:.2g} (docs/gammons.md)."
    )


def _pips(side: "Position") -> str:
    return f"{side.pips} pip{'' if side.pips == 1 else 's'}"


_WHERE = {"centred": "in the centre", "owned": "his"}


def _show_window(action: "CubeAction", window: "DoublingWindow") -> None:
    double = "redouble" if action.cube == "owned" else "double"
    rows = [
        (f"{double} from", window.first_double),
        (f"no {double} up to", window.last_no_double),
        ("pass from", window.first_pass),
        ("take up to", window.last_take),
    ]
    say_table(
        ("this roller against all opponents", "wins"),
        [(name, "-" if isnan(edge) else f"{edge:.2%}") for name, edge in rows],
    )


def _caution(action: "CubeAction") -> str:
    return " (or not: equal to within the table's error)" if action.too_close else ""


def _show_equities(action: "CubeAction") -> None:
    double = "redouble" if action.cube == "owned" else "double"
    rows = [
        (f"no {double}", action.no_double, "roller, not doubling", action.missed_double),
        (f"{double}, take", action.double_take, "opponent, taking", action.wrong_take),
        (f"{double}, pass", action.double_pass, "opponent, passing", action.wrong_pass),
    ]
    if action.wrong_double:
        rows[0] = (*rows[0][:2], "roller, doubling", action.wrong_double)
    say_table(
        ("outcome", "equity", "<a mistake of", "costs"),
        [
            (name, f"{equity:+.4f}", who if cost else "", f"{cost:.4f}" if cost else "")
            for name, equity, who, cost in rows
        ],
    )


def _show_market(losers: "Market") -> None:
    from bearoff import ROLLS, format_roll

    say(
        f"If he waits, the next two rolls lose his market {losers.losing_probability:.2%} "
        "of the time."
    )
    say_table(
        ("after both rolled", "chance"),
        [(name, f"{p:.2%}") for name, p in losers.probabilities.items() if p],
    )
    say()
    alike: dict[bytes, list[int]] = {}
    for own, row in enumerate(losers.losing):
        alike.setdefault(row.tobytes(), []).append(own)
    say_table(
        ("his roll", "<replies that lose the market"),
        [
            (
                _wrapped([format_roll(ROLLS[own]) for own in rolls], 8),
                _wrapped(_replies(losers.losing[rolls[0]]), 9),
            )
            for rolls in alike.values()
        ],
    )


def _replies(losing: "NDArray[np.bool_]") -> list[str]:
    """Name the replies that lose the market, or those that do not if they are fewer."""
    from bearoff import ROLLS, format_roll

    if losing.all() or not losing.any():
        return ["all" if losing.all() else "none"]
    few = losing.sum() <= len(ROLLS) // 2
    named = [format_roll(r) for r, loses in zip(ROLLS, losing, strict=True) if loses == few]
    return named if few else ["all but", *named]


def _wrapped(words: list[str], most: int) -> str:
    """Words in lines of at most so many."""
    lines = [words[start : start + most] for start in range(0, len(words), most)]
    return "\n".join(" ".join(line) for line in lines)


def _show_plays(table: "TwoSidedTable", race: "Race") -> None:
    from bearoff import ROLLS, best_plays, format_roll

    best = {name: best_plays(table, race, where) for name, where in _PLANES.items()}
    rows = []
    for roll in ROLLS:
        usual = best["cubeless"][roll].play
        others = [
            f"{name}: {plays[roll].play}"
            for name, plays in best.items()
            if plays[roll].play != usual
        ]
        rows.append((format_roll(roll), str(usual), "\n".join(others)))
    say_table(("roll", "<best play without a cube", "<another with the cube"), rows)
