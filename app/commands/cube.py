"""`bearoff cube`: the exact cube action, the cost of errors, and market losers."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.market import market_json, show_market, show_window, window_json
from app.options import (
    DEFAULT_POINTS,
    Crawford,
    CubeValue,
    Equities,
    Jacoby,
    Json,
    MatchLength,
    Money,
    OpponentText,
    RollersCube,
    RollerText,
    ScoreText,
)
from app.output import amount, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import CubeAction, MatchEquities, Race, Score, TwoSidedTable
    from bearoff.cube import DoublingWindow, Market, ValuedPlay
    from bearoff.two_sided import Cube


def cube(
    roller: RollerText,
    opponent: OpponentText = None,
    cube: RollersCube = None,
    cube_value: CubeValue = None,
    score: ScoreText = None,
    match: MatchLength = None,
    crawford: Crawford = None,
    money: Money = False,
    match_equities: Equities = None,
    jacoby: Jacoby = None,
    plays: Annotated[
        bool, typer.Option("--plays", help="Also the best play of every roll.")
    ] = False,
    json: Json = False,
) -> None:
    """The cube action, and what each error costs.

    Exact for money play, from a two-sided table that holds the pair; a loser with all 15
    checkers on the board loses a gammon. Equities are the roller's, before the roll, in
    points at a cube of 1. The market is lost where, after one roll of each side, the
    opponent would pass. bearoff race and bearoff rollout answer where no built table
    holds the race, and bearoff race where the opponent owns the cube.

    At a score the answers are chances to win the match, and normalised equities (EMG),
    from a table built at the score or solved on the spot; what cannot be solved is rolled
    out. The score is --score, or that of an XGID or of GNU Backgammon's position ID and
    match ID, joined by a colon.

    \b
    bearoff tables build --two-sided --checkers 8
    bearoff cube 8,0,0,0,0,0 8,0,0,0,0,0 --cube owned
    bearoff cube LwAAwC0AAAAAAA --plays
    bearoff cube 0,2,2,0,0,0 0,2,2,0,0,0 --score 2 4
    bearoff cube 0,2,2,0,0,0 0,2,2,0,0,0 --match 7 --score 4-3 --cube owned
    """
    from app.race_text import rollers_cube
    from app.score_text import ScoreOptions, before_the_roll
    from bearoff import cube_action, doubling_window, market

    options = ScoreOptions(score, match, crawford, money, cube, cube_value, jacoby)
    race, equities = before_the_roll(roller, opponent, options, match_equities)
    if race.score is not None:
        _at_score(race, race.score, equities, plays=plays, json=json)
        return
    where = rollers_cube(race)
    rule = race.jacoby
    table = _table_of(race)
    action = cube_action(table, race, where, jacoby=rule)
    losers = market(table, race, where, jacoby=rule)
    window = doubling_window(table, table.places.number(race.roller), where, jacoby=rule)
    if json:
        say_json(_as_json(table, race, action, losers, window, plays))
        return
    _show(table, race, action, losers, window)
    if plays:
        say()
        _show_plays(table, race, rule)


def _at_score(
    race: "Race", score: "Score", equities: "MatchEquities", *, plays: bool, json: bool
) -> None:
    """Answer from what can be solved, else by a rollout."""
    from app.commands.cube_at_score import cube_at_score, solved
    from app.commands.rollout_at_score import rollout_at_score
    from bearoff import ScoreError
    from sim.rollouts import Goal, Techniques

    table = solved(race, score, equities)
    if table is not None:
        cube_at_score(race, score, table, plays=plays, json=json)
        return
    if plays:
        raise ScoreError(
            "the best plays of every roll are known of races that are solved; leave "
            "--plays out, or ask bearoff race about one roll with --dice"
        )
    rollout_at_score(race, equities, Goal(0.001, 1_000_000), Techniques(), json=json)


def _table_of(race: "Race") -> "TwoSidedTable":
    from app import tables
    from bearoff import TableError

    table = tables.two_sided(race, cube=True)
    if table is None:
        build = f", or run: {tables.how_to_build(race, cube=True)}"
        raise TableError(
            f"no two-sided table that is built holds {race.roller} against "
            f"{race.opponent} with the cube; bearoff race and bearoff rollout answer it"
            + (build if race.roller.points == DEFAULT_POINTS else "")
        )
    return table


def _as_json(
    table: "TwoSidedTable",
    race: "Race",
    action: "CubeAction",
    losers: "Market",
    window: "DoublingWindow",
    plays: bool,
) -> dict[str, Any]:
    from bearoff import format_roll

    answer = {
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "position_id": race.position_id,
        "table_checkers": table.checkers,
        **asdict(action),
        "window": window_json(window),
        "market": market_json(losers),
    }
    if plays:
        answer["plays"] = {
            name: {
                format_roll(roll): {
                    "play": str(best.play),
                    "after": list(best.play.after.counts),
                    "equity": best.equity,
                }
                for roll, best in _best(table, race, where, action.jacoby).items()
            }
            for name, where in _PLANES.items()
        }
    return answer


_PLANES: "dict[str, Cube | None]" = {
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

    say(f" {OPPONENT} opponent: {amount(race.opponent.pips, 'pips')}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:   {amount(race.roller.pips, 'pips')}, cube {action.cube}")
    say()
    say(f"{action.action[0].upper()}{action.action[1:]}{_caution(action)}")
    say()
    _show_equities(action)
    say()
    say("Without the cube:")
    say_table(
        ("", "roller", "opponent"),
        [
            ("wins", *_shares(action.win_probability, 1 - action.win_probability)),
            ("wins a gammon", *_shares(action.gammons_won, action.gammons_lost)),
        ],
    )
    say(
        f"Take point, with these gammons: {action.dead_take_point:.1%} with a dead cube,\n"
        f"{action.live_take_point:.1%} with a perfectly live one."
    )
    say()
    show_window(window, action.cube)
    say()
    show_market(losers)
    say()
    rule = "with" if action.jacoby else "without"
    say(
        f"Exact to {action.error:.1e}; two-sided table of {table.checkers} checkers, money "
        f"play\n{rule} Jacoby's rule."
    )


def _shares(*chances: float) -> tuple[str, ...]:
    return tuple(f"{chance:.2%}" for chance in chances)


def _caution(action: "CubeAction") -> str:
    return " (or not: equal to within the table's error)" if action.too_close else ""


def _show_equities(action: "CubeAction") -> None:
    double = "redouble" if action.cube == "owned" else "double"
    rows = [
        (f"no {double}", action.no_double, f"no {double}", action.missed_double),
        (f"{double}, take", action.double_take, "take", action.wrong_take),
        (f"{double}, pass", action.double_pass, "pass", action.wrong_pass),
    ]
    if action.wrong_double:
        rows[0] = (*rows[0][:2], double, action.wrong_double)
    say_table(
        ("outcome", "equity", "<wrong action", "error"),
        [
            (name, f"{equity:+.4f}", act if error else "", f"{error:.4f}" if error else "")
            for name, equity, act, error in rows
        ],
    )


def _best(
    table: "TwoSidedTable", race: "Race", where: "Cube | None", jacoby: bool
) -> "dict[tuple[int, int], ValuedPlay]":
    """Return the best plays; Jacoby's rule concerns a cube in the centre."""
    from bearoff import best_plays

    return best_plays(table, race, where, jacoby=jacoby and where == "centred")


def _show_plays(table: "TwoSidedTable", race: "Race", jacoby: bool) -> None:
    from bearoff import ROLLS, format_roll

    best = {name: _best(table, race, where, jacoby) for name, where in _PLANES.items()}
    rows = []
    for roll in ROLLS:
        usual = best["cubeless"][roll].play
        others = [
            f"{name}: {plays[roll].play}"
            for name, plays in best.items()
            if plays[roll].play != usual
        ]
        rows.append((format_roll(roll), str(usual), "\n".join(others)))
    say_table(("roll", "<best play, cubeless", "<where the cube changes it"), rows)
