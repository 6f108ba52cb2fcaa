"""Output of `bearoff rollout` as text and JSON."""

from dataclasses import asdict, replace
from math import hypot
from typing import TYPE_CHECKING, Any

from bearoff.app.output import amount, say, say_table
from bearoff.app.race_answers.fields import thresholds_json
from bearoff.app.race_answers.text import show_thresholds

if TYPE_CHECKING:
    from bearoff import Position, Race
    from bearoff.sim.rollouts import Estimate, Rollout

_CHANCES = (
    "win_probability",
    "gammon_won",
    "gammon_lost",
    "backgammon_won",
    "backgammon_lost",
)


def as_json(race: "Race", answer: "Rollout") -> dict[str, Any]:
    """Return the results of a rollout as a dictionary for the JSON output.

    Equities are in EMG. At a match score, ``match_chances`` has the match-winning chances
    under the same names; for money they are null.
    """
    stakes, action = answer.terms.stakes, answer.action
    equities = {
        "cubeless": answer.cubeless,
        "no_double": answer.value,
        "double_take": action and action.double_take,
    }
    gain = action and action.gain
    chances = None
    if stakes.score is not None:
        chances = {name: e and asdict(answer.chance(e)) for name, e in equities.items()}
        chances["gain"] = gain and asdict(answer.lost(gain))
    return {
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "position_id": race.position_id,
        "score": race.score and str(race.score),
        "match_equities": None if stakes.score is None else stakes.equities.name,
        "jacoby": race.jacoby,
        "cube": race.cube,
        "cube_value": race.cube_value,
        "action": action and action.action,
        "too_close": action is not None and action.too_close,
        **{name: e and asdict(e) for name, e in (*equities.items(), ("gain", gain))},
        "match_chances": chances,
        **{name: asdict(getattr(answer, name)) for name in _CHANCES},
        "thresholds": thresholds_json(answer.terms),
        "games": answer.games,
        "seconds": round(answer.seconds, 3),
        "table_points": answer.table and answer.table.points,
        "table_checkers": answer.table and answer.table.checkers,
    }


def show(race: "Race", whole: "Race", answer: "Rollout") -> None:
    """Print the results of a rollout; `whole` is the same race on a board of 24 points."""
    _show_race(race, whole)
    say(_verdict(race, answer))
    say()
    _show_outcomes(answer)
    say()
    _show_chances(answer)
    say()
    if race.score is not None:
        live = answer.action is not None and answer.terms.can_gain(_owner(answer))
        show_thresholds(answer.terms, answer.cube, live=live)
        say()
    say(_how(answer))


def _show_race(race: "Race", whole: "Race") -> None:
    """Draw the race with both sides' counts and the cube."""
    from bearoff.app.board import OPPONENT, ROLLER, draw_race

    say(f" {OPPONENT} opponent: {_counts(whole.opponent)}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:   {_counts(whole.roller)}, cube {_cube_named(race)}")
    say()
    if race.score is not None:
        say(f"Score: {race.score}")


def _counts(side: "Position") -> str:
    from bearoff.bear_in import bear_in

    epc = float(bear_in().epc(side.counts))
    return f"{amount(side.pips, 'pips')}, EPC {epc:.2f}"


def _cube_named(race: "Race") -> str:
    """Describe the cube's owner and, at a match score, the cube value after a double."""
    if race.score is None or race.cube == "centred":
        return "the opponent's" if race.cube == "opponent" else race.cube
    if race.cube == "owned":
        return f"owned at {race.cube_value}"
    return f"at {race.cube_value}, the opponent's"


def _verdict(race: "Race", answer: "Rollout") -> str:
    """Describe the cube action and how certain it is, or say why there is no decision."""
    action = answer.action
    if action is None:
        if race.cube == "opponent":
            return "No double: the opponent owns the cube."
        return "No double: in the Crawford game nobody may turn the cube."
    close = ": too close to call after the games played" if action.too_close else ""
    idle = ""
    if answer.terms.cube_dead(_owner(answer)):
        idle = "; the cube is dead"
    elif not answer.terms.can_gain(_owner(answer)):
        idle = "; doubling gains nothing"
    return f"{action.action[0].upper()}{action.action[1:]}{close}{idle}"


def _owner(answer: "Rollout") -> int:
    from bearoff.stakes import CubeOwner

    return CubeOwner.of(answer.cube)


def _show_outcomes(answer: "Rollout") -> None:
    """Print equities with their errors and, at a match score, match-winning chances."""
    at_score = answer.terms.stakes.score is not None
    headings = ("match", "EMG") if at_score else ("equity",)
    say_table(
        ("outcome", *headings, "standard error", "systematic"), _rows(answer, at_score)
    )


def _rows(answer: "Rollout", at_score: bool) -> list[tuple[str, ...]]:
    def row(name: str, estimate: "Estimate") -> tuple[str, ...]:
        chance = answer.chance(estimate)
        match = (f"{chance.value:.2%}{_within(chance)}",) if at_score else ()
        return name, *match, *_cells(estimate)

    action = answer.action
    if action is None:
        return [row("roller wins" if at_score else "no double", answer.value)]
    double = "redouble" if action.cube == "owned" else "double"
    passed = answer.chance(replace(action.gain, value=1.0))
    lost = answer.lost(action.gain)
    return [
        row(f"no {double}", action.no_double),
        row(f"{double}, take", action.double_take),
        (
            f"{double}, pass",
            *((f"{passed.value:.2%}",) if at_score else ()),
            "+1.0000",
            "-",
            "-",
        ),
        (
            f"gain by the {double}",
            *((f"{lost.value:+.2%}{_within(lost)}",) if at_score else ()),
            *_cells(action.gain),
        ),
    ]


def _within(chance: "Estimate") -> str:
    """Format the combined error of a match-winning chance; empty if it is exact."""
    error = hypot(chance.standard_error, chance.systematic_error or 0.0)
    return f" ± {error:.2%}" if error else ""


def _cells(estimate: "Estimate") -> tuple[str, str, str]:
    """Format an equity, its standard error and its systematic error."""
    systematic = estimate.systematic_error
    return (
        f"{estimate.value:+.4f}",
        "-" if _is_exact(estimate) else f"{estimate.standard_error:.5f}",
        f"{systematic:.4f}" if systematic else "-",
    )


def _is_exact(estimate: "Estimate") -> bool:
    """Return whether the standard error of an estimate is 0, except for rounding."""
    return estimate.standard_error < 5e-7


def _show_chances(answer: "Rollout") -> None:
    """Print the probabilities of winning, and of winning a gammon or backgammon."""
    say("Without the cube:")
    won = answer.win_probability
    lost = replace(won, value=1 - won.value)
    rows = (
        ("wins", won, lost),
        ("wins a gammon", answer.gammon_won, answer.gammon_lost),
        ("wins a backgammon", answer.backgammon_won, answer.backgammon_lost),
    )
    say_table(
        ("", "roller", "opponent"),
        [(name, _chance(mine), _chance(theirs)) for name, mine, theirs in rows],
    )


def _chance(estimate: "Estimate") -> str:
    within = "" if _is_exact(estimate) else f" ± {estimate.standard_error:.3%}"
    return f"{estimate.value:.3%}{within}"


def _how(answer: "Rollout") -> str:
    """Return how a race was evaluated, and the Jacoby rule or the match equity table."""
    stakes = answer.terms.stakes
    if stakes.score is None:
        rule = f"money play {'with' if stakes.jacoby else 'without'} the Jacoby rule"
    else:
        rule = f"match equities {stakes.equities.name}"
    if not answer.games:
        return f"Exact, from the two-sided table of {answer.table}; {rule}."
    where = (
        f"until a race is in the table of {answer.table}" if answer.table else "to the end"
    )
    return f"{answer.games:,} games, played {where}, in {answer.seconds:.1f} s;\n{rule}."
