"""Answers as JSON, whose fields have the same names in the HTTP API, files and Python."""

from typing import TYPE_CHECKING, Any

from bearoff.app.market import market_json, window_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bearoff.analysis.review import ContactAnswer
    from bearoff.answers import Answer, Choice, RollAnswer, SideSummary
    from bearoff.positions import Setup
    from bearoff.stakes import Terms


def as_json(
    answer: "Answer",
    decided: "Choice | None" = None,
    played: "Choice | None" = None,
    rolls: "Sequence[RollAnswer] | None" = None,
) -> dict[str, Any]:
    """Return an answer about a race as a dictionary for the JSON output."""
    race = answer.race
    return {
        "roller": side_json(race.roller.counts, answer.roller),
        "opponent": side_json(race.opponent.counts, answer.opponent),
        **position_json(race.setup),
        **fields_json(answer, decided, played),
        "decisions": decisions_json(answer.decisions),
        "double_beaver": answer.double_beaver,
        "left_out": list(answer.left_out),
        "match_chance": answer.match_chance,
        "take_points": answer.take_points and list(answer.take_points),
        "plays": [
            {
                "name": one.name,
                "after": list(one.play.after.counts),
                **{name: getattr(one, name) for name in _OF_PLAY},
            }
            for one in answer.plays
        ],
        "market": answer.market and market_json(answer.market),
        "window": window_json(answer.window),
        "thresholds": thresholds_json(answer.values.terms),
        "rolls": None if rolls is None else [_roll_json(one) for one in rolls],
    }


def decisions_json(decisions: "Sequence[Choice]") -> list[dict[str, Any]]:
    """Return the name, equity and cost of each cube action, with the error of the cost."""
    return [
        {"name": one.name, "equity": one.equity, "cost": one.cost, "error": one.error}
        for one in decisions
    ]


def position_json(setup: "Setup") -> dict[str, Any]:
    """Return a position as position ID and XGID, with its cube, score, rules and dice."""
    from bearoff.positions import encode_position_id, format_xgid

    return {
        "position_id": encode_position_id(setup.roller, setup.opponent),
        "xgid": format_xgid(setup),
        "cube": setup.cube,
        "cube_value": setup.cube_value,
        "score": setup.score and str(setup.score),
        "jacoby": setup.jacoby,
        "beavers": setup.beavers,
        "cube_limit": setup.cube_limit,
        "dice": list(setup.dice) if setup.dice else None,
    }


LEFT_OUT = (
    "answers that require a race: market losers, the doubling window and the 21 rolls"
)
"""Parts of an answer that a race has, but a position with contact has not."""


def contact_json(answer: "ContactAnswer") -> dict[str, Any]:
    """Return the estimated equities and decisions in a position with contact, as JSON."""
    from dataclasses import asdict

    from bearoff.analysis.review import MEASURED, UNIT, verdict_json

    play, cube = answer.play, answer.cube_decision
    return {
        **position_json(answer.question.setup),
        "kind": answer.kind,
        "equity": answer.equity,
        "unit": UNIT,
        "play": play and verdict_json(play),
        "cube_decision": cube and verdict_json(cube),
        "estimates": asdict(MEASURED),
        "left_out": [LEFT_OUT],
    }


_OF_PLAY = ("equity", "cost", "error", "equity_error", "wins", "kind")


def fields_json(
    answer: "Answer", decided: "Choice | None", played: "Choice | None"
) -> dict[str, Any]:
    """Return a dictionary of an answer's fields, as listed in `bearoff.answers.FIELDS`."""
    from bearoff.answers import FIELDS

    chosen = {"decided": decided, "played": played}
    found: dict[str, Any] = dict.fromkeys(FIELDS)
    numbers = answer.numbers
    for name in FIELDS:
        if name in numbers:
            found[name] = numbers[name]
            continue
        what, _, number = name.partition("_")
        if what not in chosen:
            found[name] = getattr(answer, name)
        elif (choice := chosen[what]) is not None:
            found[name] = getattr(choice, number)
    best = answer.best_play
    return found | {"action": answer.action, "best_play": best and best.name}


def side_json(counts: tuple[int, ...], side: "SideSummary") -> dict[str, Any]:
    """Return the checkers, pip count, EPC and related numbers of one side."""
    return {
        "counts": list(counts),
        "pips": side.pips,
        "epc": side.epc,
        "epc_error": side.epc_error,
        "std_rolls": side.std_rolls,
        "wastage": side.wastage,
        "mean_rolls": side.mean_rolls,
    }


def thresholds_json(terms: "Terms") -> dict[str, float | None] | None:
    """Return take points, cash points and doubling points at a match score, as JSON."""
    from bearoff import match_thresholds

    if terms.stakes.score is None:
        return None
    at = match_thresholds(terms.stakes.score, terms.cube_value, terms.stakes.equities)
    return {
        "double": at.double,
        "live_double": at.live_double,
        "cash": at.cash,
        "live_cash": at.live_cash,
        "gammon_value": at.gammon_value,
        "gammon_loss": at.gammon_loss,
    }


def _roll_json(one: "RollAnswer") -> dict[str, Any]:
    return {
        "dice": list(one.dice),
        "chance": one.chance,
        "best_play": one.best.name,
        "after": list(one.best.play.after.counts),
        "best_equity": one.best.equity,
        "best_error": one.error,
        "second_play": one.second and one.second.name,
        "second_cost": one.second and one.second.cost,
        "most_wins": one.most_wins.name,
        "win_probability": one.win_probability,
        "luck": one.luck,
        "losing": one.losing,
        "outcomes": one.outcomes,
    }
