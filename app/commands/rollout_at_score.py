"""What `bearoff rollout` answers at a score: chances to win the match, and EMG."""

from dataclasses import asdict
from math import hypot
from typing import TYPE_CHECKING, Any

from app.commands import rollout_output as output
from app.commands.score_output import (
    cube_named,
    is_dead,
    no_action,
    say_gammons,
    score_json,
    show_thresholds,
)
from app.output import say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import MatchEquities, MatchThresholds, Race
    from sim.rollouts import Estimate, Goal, MatchRollout, Techniques

TABLE = 6
"""Checkers of a side in the table that is solved for games to stop in."""


def rollout_at_score(
    race: "Race",
    equities: "MatchEquities",
    goal: "Goal",
    techniques: "Techniques",
    *,
    seed: int = 0,
    workers: int | None = None,
    quiet: bool = False,
    json: bool = False,
) -> None:
    """Roll a race out at its score, into a table solved there."""
    from app.progress import RolloutProgress
    from bearoff import match_table, match_thresholds
    from sim.rollouts import match_rollout, on_24_points

    score = race.score
    assert score is not None
    table = None
    if techniques.truncate:
        table = match_table(TABLE, score.away, score.game, equities=equities)
    whole = on_24_points(race)
    most = goal.at_most
    with RolloutProgress(show=not quiet, goal=goal.standard_error, most=most) as progress:
        answer = match_rollout(
            whole,
            goal,
            equities=equities,
            seed=seed,
            techniques=techniques,
            table=table,
            workers=workers or "auto",
            on_progress=progress.update,
        )
    at = match_thresholds(score, race.cube_value, equities)
    if json:
        say_json(_as_json(race, answer, at))
    else:
        _show(race, whole, answer, at)


def _equities(answer: "MatchRollout") -> "dict[str, Estimate | None]":
    """Return the equities by their names in the JSON output."""
    action = answer.action
    return {
        "cubeless": answer.cubeless,
        "no_double": answer.value if action is None else action.no_double,
        "double_take": None if action is None else action.double_take,
    }


def _as_json(race: "Race", answer: "MatchRollout", at: "MatchThresholds") -> dict[str, Any]:
    assert race.score is not None
    action, gain = answer.action, answer.action and answer.action.gain
    emg = _equities(answer)
    return {
        **score_json(race, race.score, answer.equities, at),
        "method": "rollout" if answer.games else "solved",
        "action": action and action.action,
        "too_close": action is not None and action.too_close,
        **{name: e and asdict(answer.chance(e)) for name, e in emg.items()},
        "gain": gain and asdict(answer.lost(gain)),
        "emg": {name: e and asdict(e) for name, e in {**emg, "gain": gain}.items()},
        **{
            name: asdict(getattr(answer, name))
            for name in ("win_probability", *output.CHANCES)
        },
        "games": answer.games,
        "seconds": round(answer.seconds, 3),
        "table_points": answer.table and answer.table.points,
        "table_checkers": answer.table and answer.table.checkers,
    }


def _show(
    race: "Race", whole: "Race", answer: "MatchRollout", at: "MatchThresholds"
) -> None:
    score, action = race.score, answer.action
    assert score is not None
    output.show_race(race, whole, cube_named(race))
    say(f"Score: {score}")
    if action is None:
        say(no_action(race, score))
    elif is_dead(race, score):
        say(f"{output.verdict(action)}; the cube is dead")
    else:
        say(output.verdict(action))
    say()
    _show_outcomes(race, answer)
    say()
    output.show_chances(answer)
    say()
    say_gammons(at)
    if action is not None and not is_dead(race, score):
        say()
        show_thresholds(race, at)
    say()
    say(output.how(answer, f"match equities {answer.equities.name}"))


def _show_outcomes(race: "Race", answer: "MatchRollout") -> None:
    action = answer.action
    double = "redouble" if race.cube == "owned" else "double"

    def row(name: str, estimate: "Estimate") -> tuple[str, ...]:
        chance = answer.chance(estimate)
        return name, f"{chance.value:.2%}{_within(chance)}", *output.cells(estimate)

    if action is None:
        rows = [row("roller wins", answer.value)]
    else:
        passed = answer.chance(type(action.gain)(1.0, 0.0))
        lost = answer.lost(action.gain)
        rows = [
            row(f"no {double}", action.no_double),
            row(f"{double}, take", action.double_take),
            (f"{double}, pass", f"{passed.value:.2%}", "+1.0000", "-", "-"),
            (
                f"gained by the {double}",
                f"{lost.value:+.2%}{_within(lost)}",
                *output.cells(action.gain),
            ),
        ]
    say_table(("outcome", "match", "EMG", "standard error", "systematic"), rows)


def _within(chance: "Estimate") -> str:
    """Write both errors of a chance to win the match as one; nothing where it is exact."""
    error = hypot(chance.standard_error, chance.systematic_error or 0.0)
    return f" ± {error:.2%}" if error else ""
