"""All that is reviewed at once: matches and positions, judged and summed."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import islice
from typing import Any

from analysis import formulas
from analysis.review import (
    Judged,
    Reviewing,
    RollOut,
    as_row,
    judge_question,
    totals,
)
from app.library.keeper import Keeper, each_once
from app.library.library import Library
from app.serve.review.reading import questions_of
from bearoff import BearoffError
from bearoff.answers import Judge
from game.records import MatchRecord, RecordError, moments, parse_match

OnDone = Callable[[int, int], object]
Known = Callable[[], dict[str, Any]]


def review_all(
    files: Sequence[tuple[str, str | bytes]],
    positions: str,
    judge: Judge,
    roll_out: RollOut | None,
    most: int,
    on_done: OnDone = lambda done, decisions: None,
    library: Library | None = None,
    on_known: Callable[[Known], object] = lambda known: None,
) -> dict[str, Any]:
    """Judge matches and a list of positions.

    Parameters
    ----------
    files : sequence of (str, str or bytes)
        Names and contents of matches, or texts of lists of positions.
    positions : str
        A list, as `questions_of` reads it.
    judge : Judge
        Who answers.
    roll_out : callable or None
        As of `Reviewing`.
    most : int
        Decisions that are judged at most.
    on_done : callable
        Called with the decisions judged so far, and all.
    library : Library or None
        Where matches are kept as they are done, and lists.
    on_known : callable
        Called once, before all else, with what returns all that is known so far, as this
        function will in the end; that may be called from any thread.

    Returns
    -------
    dict
        Of JSON: ``decisions``, the costliest first, ``totals``, ``problems``, the turns
        that were ``skipped`` because there was contact, and the numbers of what is
        ``kept``.

    Raises
    ------
    BearoffError
        If there is nothing to judge, or too much.
    """
    problems: list[str] = []
    records = []
    asked: list[Any] = []
    try:  # As another program copies them, or a list, a position a line.
        records.append(parse_match(positions, "positions"))
    except BearoffError:
        # No more are read than are judged: a refusal costs little.
        asked += [("positions", *one) for one in islice(questions_of(positions), most + 1)]
    for name, content in files:
        try:
            records.append(parse_match(content, name))
        except BearoffError as error:
            text = content if isinstance(content, str) else ""
            listed = [(name, *one) for one in islice(questions_of(text), most + 1)]
            if all(isinstance(question, str) for *_, question in listed):
                problems.append(str(error))
            else:
                asked += listed
    formula = formulas.get(formulas.RECOMMENDED)
    records, again = each_once(records)
    problems += again
    keeper = Keeper(library)
    reviewing = Reviewing(records, judge, formula, roll_out, keeper.keep)
    total = len(asked) + len(reviewing)
    if total > most:
        raise BearoffError(f"a review has at most {most:,} decisions, got more")
    if not total:
        raise BearoffError(problems[0] if problems else "no decision in a race was found")
    done = 0

    def one_more() -> None:
        nonlocal done
        done += 1
        on_done(done, total)

    judged: list[Judged] = []
    lists: dict[str, list[Judged]] = {}
    skipped = sum(map(_turns_before, records))

    def known() -> dict[str, Any]:
        found = reviewing.review()
        all_problems = [*problems, *found.problems, *keeper.problems]
        answer = _as_json([*found.judged, *judged], all_problems, skipped)
        return answer | {"kept": keeper.numbers}

    on_known(known)
    on_done(0, total)
    for _ in reviewing.run():
        one_more()
    for record, review in reviewing.by_match():
        keeper.keep(record, review)
    for name, line, question in asked:
        try:
            if isinstance(question, str):
                raise BearoffError(question)
            one = judge_question(question, judge, formula, name, line, roll_out)
            lists.setdefault(name, []).append(one)
            judged.append(one)
        except BearoffError as error:
            problems.append(f"{name}, line {line}: {error}")
        one_more()
    for name, some in lists.items():
        keeper.keep_list(name, some)
    return known()


def _turns_before(record: MatchRecord) -> int:
    """Count the turns and answers to doubles that come before the race."""
    turns = 0
    for game in record.games:
        with suppress(RecordError):
            turns += sum(
                moment.race is None and moment.action.kind != "resign"
                for moment in moments(record, game)
            )
    return turns


def _as_json(
    judged: Sequence[Judged], problems: Sequence[str], skipped: int
) -> dict[str, Any]:
    made = [one for one in judged if one.decided]
    summed = totals(made, lambda one: (one.player, one.kind, one.length))
    numbered = sorted(enumerate(judged, start=1), key=lambda one: -one[1].cost)
    return {
        "decisions": [{"number": number} | decision_row(one) for number, one in numbered],
        "totals": [asdict(total) for total in sorted(summed, key=lambda one: one.name)],
        "problems": list(problems),
        "skipped": skipped,
    }


def decision_row(one: Judged) -> dict[str, Any]:
    """Return a decision as JSON has it: what is right, the board, the file's analysis."""
    race = one.race
    return as_row(one) | {
        "mistake": one.is_mistake,
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "cube": race.cube,
        "cube_value": race.cube_value,
        "dice": race.dice,
        "score": None if race.score is None else str(race.score),
        "equities": _named(one.equities),
        "file_equities": _named(() if one.file is None else one.file.equities),
    }


def _named(equities: Sequence[tuple[str, float]]) -> list[dict[str, Any]]:
    return [{"name": name, "equity": equity} for name, equity in equities]
