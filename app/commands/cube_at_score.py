"""What `bearoff cube` answers at a score: chances to win the match, and EMG."""

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.commands.score_output import (
    cube_named,
    is_dead,
    no_action,
    say_gammons,
    score_json,
    show_thresholds,
)
from app.market import market_json, show_market, show_window, window_json
from app.options import DEFAULT_POINTS
from app.output import amount, duration, note, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import MatchActions, MatchTable, MatchThresholds, Race, Score
    from bearoff.cube import DoublingWindow, Market
    from bearoff.match import MatchEquities

LONG, TOO_LONG = 5.0, 900.0
"""Seconds of solving from which the estimate is told first, and that it may not take."""

WHOLE = 6
"""Checkers a side up to which every pair is solved, in tenths of a second."""

_OUTCOMES = ("no_double", "double_take", "double_pass")
_COSTS = ("missed_double", "wrong_double", "wrong_take", "wrong_pass")


@dataclass(frozen=True)
class Answer:
    """What is known of a race at a score.

    Attributes
    ----------
    race, score, table
        What is asked about, and the values that answer.
    value : float
        Chance to win the match, the cube used rightly.
    win_probability : float
        Chance to win the game where nothing else counts.
    thresholds : MatchThresholds
        Of the score.
    actions, market, window
        The roller's decision; None where the roller may not double. The window is known
        where every opponent is.
    """

    race: "Race"
    score: "Score"
    table: "MatchTable"
    value: float
    win_probability: float
    thresholds: "MatchThresholds"
    actions: "MatchActions | None" = None
    market: "Market | None" = None
    window: "DoublingWindow | None" = None

    @classmethod
    def of(cls, race: "Race", score: "Score", table: "MatchTable") -> "Answer":
        """Look a race up in a table of its score."""
        from bearoff import match_actions, match_market, match_thresholds
        from bearoff.match import match_window

        pair = race.roller.number, race.opponent.number
        cube, value = race.cube, race.cube_value
        actions = market = window = None
        if cube != "opponent" and score.has_cube:
            actions = match_actions(table, *pair, value, cube)
            market = match_market(table, *pair, value, cube)
            if table.opponents >= max(race.roller.on_board, race.opponent.on_board):
                window = match_window(table, pair[0], value, cube)
        return cls(
            race,
            score,
            table,
            float(table.value(*pair, value, cube)),
            float(table.win_probability(*pair)),
            match_thresholds(score, value, table.equities),
            actions,
            market,
            window,
        )

    @property
    def no_matter(self) -> bool:
        """Whether doubling and waiting come to the same."""
        a = self.actions
        return a is not None and bool(a.doubles and not a.missed_double)

    def chance(self, name: str) -> float:
        """Return a field of the actions: chances to win the match, or lost."""
        return float(getattr(self.actions, name))

    def emg(self, name: str) -> float:
        """Return the same as normalised equities."""
        if self.actions is not None and name in _COSTS:
            return float(self.actions.emg(self.chance(name)))
        value = self.value if name == "match_chance" else self.chance(name)
        return float(self.table.equities.emg(value, self.score, self.race.cube_value))


def cube_at_score(
    race: "Race", score: "Score", table: "MatchTable", *, plays: bool, json: bool
) -> None:
    """Answer from a table of the score."""
    answer = Answer.of(race, score, table)
    if json:
        found = _as_json(answer)
        say_json({**found, "plays": _plays(answer)} if plays else found)
        return
    _show(answer)
    if plays:
        say()
        _show_plays(_plays(answer))


def solved(race: "Race", score: "Score", equities: "MatchEquities") -> "MatchTable | None":
    """Return the table that is built, or of what the race can come to if that is solved.

    One that takes long says so first, and of one that cannot be a note says why.
    """
    from bearoff import TableError, match_race, match_table
    from bearoff.errors import MissingTableError
    from bearoff.runtime import format_bytes
    from sim.engine import PassProgress

    show = PassProgress()
    slow = False

    def progress(done: float) -> None:
        if slow:
            show("pairs", done)

    points, away, game = race.roller.points, score.away, score.game
    home = points == DEFAULT_POINTS
    size = max(race.roller.on_board, race.opponent.on_board)
    for solve in (False, True)[: 1 + (home and size <= WHOLE)]:
        with suppress(MissingTableError):
            return match_table(
                size, away, game, points=points, solve=solve, equities=equities
            )
    if not home:
        note("a checker stands beyond home: the race is rolled out at the score")
        return None
    try:
        table = match_race(
            race, away, game, equities=equities, opponents=size, progress=progress
        )
    except TableError as error:
        note(f"{error}; so it is rolled out at the score")
        return None
    seconds = table.estimate_seconds(race.cube_value, race.cube)
    takes = f"solving all that the race can come to at {score}: about {duration(seconds)}"
    if seconds >= TOO_LONG:
        note(f"{takes}; so it is rolled out at the score")
        return None
    slow = seconds >= LONG
    if slow:
        disk = table.estimate_disk(race.cube_value, race.cube)
        files = f" and, until it is answered, {format_bytes(disk)} of disk" if disk else ""
        note(f"{takes}{files}; bearoff rollout is faster, and not exact")
        # With all that it rests on, so that what is done is told once.
        table.value(race.roller.number, race.opponent.number, race.cube_value, race.cube)
    return table


def _as_json(answer: Answer) -> dict[str, Any]:
    race, actions = answer.race, answer.actions
    names = (*_OUTCOMES, *_COSTS)
    known = names if actions is not None else ()
    return {
        **score_json(race, answer.score, answer.table.equities, answer.thresholds),
        "method": _method(answer.table),
        "action": None if actions is None else str(actions.names),
        "match_chance": answer.value,
        **dict.fromkeys(names),
        **{name: answer.chance(name) for name in known},
        "emg": {
            "match_chance": answer.emg("match_chance"),
            **dict.fromkeys(names),
            **{name: answer.emg(name) for name in known},
        },
        "error": answer.table.error,
        "too_close": answer.no_matter,
        "win_probability": answer.win_probability,
        "window": window_json(answer.window),
        "market": None if answer.market is None else market_json(answer.market),
    }


def _show(answer: Answer) -> None:
    from app.board import OPPONENT, ROLLER, draw_race

    race, at = answer.race, answer.thresholds
    pips = amount(race.roller.pips, "pips")
    say(f" {OPPONENT} opponent: {amount(race.opponent.pips, 'pips')}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:   {pips}, cube {cube_named(race)}")
    say()
    say(f"Score: {answer.score}")
    say(_verdict(answer))
    say()
    _show_outcomes(answer)
    say()
    say(f"Without the cube the roller wins {answer.win_probability:.2%} of the games.")
    say_gammons(at)
    if answer.market is not None and not is_dead(race, answer.score):
        say()
        show_thresholds(race, at)
        if answer.window is not None:
            say()
            show_window(answer.window, race.cube)
        say()
        show_market(answer.market)
    say()
    how = {
        "solved": "solved on the spot at this score",
        "table": f"the table of {answer.table.checkers} checkers at this score",
    }[_method(answer.table)]
    say(
        f"Exact to {answer.table.error:.0e}: {how}, gammons counted;\n"
        f"match equities {answer.table.equities.name}."
    )


def _method(table: "MatchTable") -> str:
    """Return whether it is a table in the cache or was solved on the spot."""
    return "solved" if table.folder is None else "table"


def _verdict(answer: Answer) -> str:
    """Say the action, and where it makes no difference why."""
    if answer.actions is None:
        return no_action(answer.race, answer.score)
    action = str(answer.actions.names)
    action = f"{action[0].upper()}{action[1:]}"
    if is_dead(answer.race, answer.score):
        return f"{action}: the cube is dead, the roller needs no more than it shows."
    return f"{action} (or not: it comes to the same)" if answer.no_matter else action


def _show_outcomes(answer: Answer) -> None:
    if answer.actions is None:
        both = f"{answer.value:.2%}", f"{answer.emg('match_chance'):+.4f}"
        say_table(("", "match", "EMG"), [("roller wins", *both)])
        return
    double = "redouble" if answer.race.cube == "owned" else "double"
    names = (f"no {double}", f"{double}, take", f"{double}, pass")
    rows = [
        [name, f"{answer.chance(key):.2%}", f"{answer.emg(key):+.4f}"]
        for name, key in zip(names, _OUTCOMES, strict=True)
    ]
    acts = (f"no {double}", double, "take", "pass")
    for row, key, act in zip((0, 0, 1, 2), _COSTS, acts, strict=True):
        if cost := answer.chance(key):
            rows[row] += [act, f"{cost:.2%}", f"{answer.emg(key):.4f}"]
    say_table(
        ("outcome", "match", "EMG", "<wrong action", "match", "EMG"),
        [row + [""] * (6 - len(row)) for row in rows],
    )


def _plays(answer: Answer) -> dict[str, Any]:
    """Return the best play of every roll, without a cube and with it as it is."""
    from bearoff import ROLLS, format_roll, legal_plays

    race = answer.race
    cubes: dict[str, int] = {race.cube: race.cube_value}
    if answer.score.has_cube:
        # Who wins the game with so large a cube has won the match.
        cubes = {"cubeless": 1 << 15, **cubes}
    found: dict[str, Any] = {}
    for name, value in cubes.items():
        pair = race.roller.number, race.opponent.number
        after = answer.table.best_after(*pair, value, race.cube)
        found[name] = {}
        for roll, number in zip(ROLLS, after.tolist(), strict=True):
            plays = legal_plays(race.roller, roll)
            best = next(play for play in plays if play.after.number == number)
            found[name][format_roll(roll)] = {
                "play": str(best),
                "after": list(best.after.counts),
            }
    return found


def _show_plays(plays: dict[str, Any]) -> None:
    usual, cube = plays.values() if len(plays) > 1 else 2 * tuple(plays.values())
    say_table(
        ("roll", "<best play, cubeless", "<where the cube changes it"),
        [
            (roll, best["play"], "" if cube[roll] == best else cube[roll]["play"])
            for roll, best in usual.items()
        ],
    )
