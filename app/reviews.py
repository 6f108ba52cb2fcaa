"""Reviews of matches, with the same limits in the command, the web page and MCP tools."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bearoff.app.output import amount

if TYPE_CHECKING:
    from bearoff.analysis.formulas import WorkedFormula
    from bearoff.analysis.review import Decision, Estimates, RollOut
    from bearoff.answers import Judge
    from bearoff.app.position_lists import Listed
    from bearoff.game.records import MatchRecord

PATIENCE = 2.0
"""Time limit in seconds for solving a race at a match score. The limit is the same in the
command, on the web page and in MCP tools, so that their judgements agree."""

MOST_GAMES = 1_000_000
"""Maximum number of games in the rollout of a decision."""


def review_judge(progress: "Callable[[float], None]" = lambda done: None) -> "Judge":
    """Return the object that judges matches, with the tables on this machine."""
    from bearoff.answers import Judge

    return Judge(patience=PATIENCE, progress=progress)


def review_rollouts(error: float, **more: Any) -> "RollOut":
    """Return a function that creates rollouts of decisions without an exact answer."""
    from bearoff.sim.rollouts import Goal, PairedSource

    goal = Goal(error, MOST_GAMES)
    return lambda race, played, decided: PairedSource(race, goal, played, decided, **more)


def judge_lists(
    listed: "Iterable[Listed]",
    judge: "Judge",
    formula: "WorkedFormula",
    roll_out: "RollOut | None",
    estimates: "Estimates | None",
) -> "Iterator[Decision | str]":
    """Judge the positions in lists; yield each judged decision or an error message."""
    from bearoff.analysis.review import judge_question
    from bearoff.errors import BearoffError

    for name, line, question in listed:
        try:
            if isinstance(question, str):
                raise BearoffError(question)
            yield judge_question(question, judge, formula, name, line, roll_out, estimates)
        except BearoffError as error:
            yield f"{name}, line {line}: {error}"


def turns_before_races(record: "MatchRecord") -> int:
    """Count the turns and the replies to doubles that come before the races of a match."""
    from bearoff.game.records import RecordError, moments

    turns = 0
    for game in record.games:
        with suppress(RecordError):
            turns += sum(
                moment.race is None and moment.action.kind != "resign"
                for moment in moments(record, game)
            )
    return turns


def nothing_found(matches: "Sequence[MatchRecord]", *, races_only: bool) -> str:
    """Return a sentence on why a review of matches found no decisions."""
    if not races_only:
        return "no decision was found"
    turns = amount(sum(map(turns_before_races, matches)), "turns")
    return f"no decision in a race was found; {turns} come before a race"
