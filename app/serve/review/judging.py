"""All that is reviewed at once: matches and positions, judged and summed."""

from collections.abc import Callable, Sequence
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
from app.library.keeper import Keeper
from app.library.library import Library
from app.serve.review.reading import questions_of
from bearoff import BearoffError
from bearoff.answers import Judge
from game.records import parse_match, race_decisions

FORMULA = "ladder"
"""What it says of doubles and takes is told beside."""

OnDone = Callable[[int, int], object]


def review_all(
    files: Sequence[tuple[str, str | bytes]],
    positions: str,
    judge: Judge,
    roll_out: RollOut | None,
    most: int,
    on_done: OnDone = lambda done, decisions: None,
    library: Library | None = None,
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

    Returns
    -------
    dict
        Of JSON: ``decisions``, the costliest first, ``totals``, ``problems`` and the
        numbers of what is ``kept``.

    Raises
    ------
    BearoffError
        If there is nothing to judge, or too much.
    """
    problems: list[str] = []
    records = []
    # No more are read than are judged: a refusal costs little.
    asked = [("positions", *one) for one in islice(questions_of(positions), most + 1)]
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
    total = len(asked) + sum(len(race_decisions(record)[0]) for record in records)
    if total > most:
        raise BearoffError(f"a review has at most {most:,} decisions, got more")
    if not total:
        raise BearoffError(problems[0] if problems else "no decision in a race was found")
    done = 0

    def one_more() -> None:
        nonlocal done
        done += 1
        on_done(done, total)

    on_done(0, total)
    formula = formulas.get(FORMULA)
    keeper = Keeper(library)
    reviewing = Reviewing(records, judge, formula, roll_out, keeper.keep)
    for _ in reviewing.run():
        one_more()
    for record, known in reviewing.by_match():
        keeper.keep(record, known)
    found = reviewing.review()
    judged = found.judged
    problems += found.problems
    lists: dict[str, list[Judged]] = {}
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
    return _as_json(judged, problems + keeper.problems) | {"kept": keeper.numbers}


def _as_json(judged: Sequence[Judged], problems: Sequence[str]) -> dict[str, Any]:
    made = [one for one in judged if one.decided]
    summed = totals(made, lambda one: (one.player, one.kind, one.length))
    return {
        "decisions": [_row(one) for one in sorted(judged, key=lambda one: -one.cost)],
        "totals": [asdict(total) for total in sorted(summed, key=lambda one: one.name)],
        "problems": list(problems),
    }


def _row(one: Judged) -> dict[str, Any]:
    race = one.race
    return as_row(one) | {
        "mistake": one.is_mistake,
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "cube": race.cube,
        "cube_value": race.cube_value,
        "dice": race.dice,
        "score": None if race.score is None else str(race.score),
        "equities": [{"name": name, "equity": equity} for name, equity in one.equities],
    }
