"""What rollouts for money and at a score print alike."""

from dataclasses import replace
from typing import TYPE_CHECKING

from app.output import amount, say, say_table

if TYPE_CHECKING:
    from bearoff import Position, Race
    from sim.rollouts import Estimate, MatchRollout, Rollout, RolloutAction

CHANCES = ("gammon_won", "gammon_lost", "backgammon_won", "backgammon_lost")


def show_race(race: "Race", whole: "Race", cube: str) -> None:
    """Draw the race, its sides' counts, and say where the cube is."""
    from app.board import OPPONENT, ROLLER, draw_race

    say(f" {OPPONENT} opponent: {_counts(whole.opponent)}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:   {_counts(whole.roller)}, cube {cube}")
    say()


def _counts(side: "Position") -> str:
    from bearoff.bear_in import bear_in

    epc = float(bear_in().epc(side.counts))
    return f"{amount(side.pips, 'pips')}, EPC {epc:.2f}"


def verdict(action: "RolloutAction") -> str:
    """Say the action, and whether the games leave it open."""
    close = ": too close to call at the games played" if action.too_close else ""
    return f"{action.action[0].upper()}{action.action[1:]}{close}"


def show_chances(answer: "Rollout | MatchRollout") -> None:
    """Write the chances to win, and to win a gammon and a backgammon."""
    say("Without the cube:")
    won = answer.win_probability
    lost = replace(won, value=1 - won.value)
    say_table(
        ("", "roller", "opponent"),
        [
            ("wins", *map(_chance, (won, lost))),
            ("wins a gammon", *map(_chance, (answer.gammon_won, answer.gammon_lost))),
            (
                "wins a backgammon",
                *map(_chance, (answer.backgammon_won, answer.backgammon_lost)),
            ),
        ],
    )


def cells(estimate: "Estimate") -> tuple[str, str, str]:
    """Write an equity, its standard error and its systematic one."""
    systematic = estimate.systematic_error
    return (
        f"{estimate.value:+.4f}",
        "-" if is_exact(estimate) else f"{estimate.standard_error:.5f}",
        f"{systematic:.4f}" if systematic else "-",
    )


def is_exact(estimate: "Estimate") -> bool:
    """Whether every game gives the same, but for what rounding leaves."""
    return estimate.standard_error < 5e-7


def _chance(estimate: "Estimate") -> str:
    within = "" if is_exact(estimate) else f" ± {estimate.standard_error:.3%}"
    return f"{estimate.value:.3%}{within}"


def how(answer: "Rollout | MatchRollout", rule: str) -> str:
    """Say what the answer is from, and which rule or table it goes by."""
    if not answer.games:
        return f"Exact: the two-sided table of {answer.table} holds it; {rule}."
    where = f"each into the table of {answer.table}" if answer.table else "each to its end"
    return f"{answer.games:,} games, {where}, in {answer.seconds:.1f} s;\n{rule}."
