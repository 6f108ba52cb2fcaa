"""Judgement of all matches and positions in one review, with totals."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from bearoff import BearoffError
from bearoff.analysis import formulas
from bearoff.analysis.review import (
    MEASURED,
    Decision,
    Estimates,
    Reviewing,
    RollOut,
    Total,
    decision_json,
    sides_of,
    totals,
)
from bearoff.answers import Judge
from bearoff.app.library.keeper import Keeper, each_once
from bearoff.app.library.library import Library
from bearoff.app.position_lists import Listed, is_of_match, read_list
from bearoff.app.reviews import (
    PATIENCE,
    judge_lists,
    nothing_found,
    turns_before_races,
)
from bearoff.app.serve.review.models import DecisionOut, ReviewOut
from bearoff.game.records import MatchRecord, parse_match

OnDone = Callable[[int, int], object]


class _Given(NamedTuple):
    """Matches and listed positions to judge, and error messages for unreadable input."""

    records: list[MatchRecord]
    listed: list[Listed]
    problems: list[str]


@dataclass(frozen=True)
class Known:
    """Results of a review so far.

    Attributes
    ----------
    judged : list of Decision
        All decisions that could be evaluated, in order.
    problems : list of str
        Error message for each decision or file that could not be judged, read or stored.
    skipped : int
        Number of turns that were not judged because the sides were still in contact; 0
        unless only races are judged.
    kept : list of int
        Numbers of the matches and lists stored in the library.
    """

    judged: list[Decision]
    problems: list[str]
    skipped: int
    kept: list[int]


def review_all(
    files: Sequence[tuple[str, str | bytes]],
    positions: str,
    judge: Judge,
    roll_out: RollOut | None,
    most: int,
    on_done: OnDone = lambda done, decisions: None,
    library: Library | None = None,
    on_known: Callable[[Callable[[], Known]], object] = lambda known: None,
    *,
    races_only: bool = False,
    deep: bool = False,
) -> Known:
    """Judge the decisions in matches and in a list of positions, and return the results."""
    given = _read(files, positions, most)
    formula = formulas.get(formulas.RECOMMENDED)
    keeper = Keeper(library)
    estimates = None if races_only else Estimates(deep=deep)
    reviewing = Reviewing(given.records, judge, formula, roll_out, keeper.keep, estimates)
    total = len(given.listed) + len(reviewing)
    if total > most:
        raise BearoffError(f"a review may have at most {most:,} decisions, got more")
    skipped = sum(map(turns_before_races, given.records)) if races_only else 0
    if not total:
        none = nothing_found(given.records, races_only=races_only)
        raise BearoffError(given.problems[0] if given.problems else none)
    numbers = count(1)
    judged: list[Decision] = []

    def known() -> Known:
        found = reviewing.review()
        problems = [*given.problems, *found.problems, *keeper.problems]
        return Known([*found.judged, *judged], problems, skipped, keeper.numbers)

    on_known(known)
    on_done(0, total)
    for _ in reviewing.run():
        on_done(next(numbers), total)
    for record, review in reviewing.by_match():
        keeper.keep(record, review)
    for one in judge_lists(given.listed, judge, formula, roll_out, estimates):
        if isinstance(one, str):
            given.problems.append(one)
        else:
            judged.append(one)
        on_done(next(numbers), total)
    keeper.keep_lists(given.listed, judged)
    return known()


def _read(files: Sequence[tuple[str, str | bytes]], positions: str, most: int) -> _Given:
    """Read the matches; read a text that is not a match as a list of positions."""
    problems: list[str] = []
    records = []
    listed: list[Listed] = []
    try:  # The text is either a match, copied from another program, or a list of positions.
        records.append(parse_match(positions, "positions"))
    except BearoffError:
        try:
            listed += [("positions", *one) for one in read_list(positions, most)]
        except BearoffError as error:
            problems.append(str(error))
    for name, content in files:
        try:
            records.append(parse_match(content, name))
        except BearoffError as error:
            if is_of_match(name) or not isinstance(content, str) or not content.strip():
                problems.append(str(error))
                continue
            try:
                listed += [(name, *one) for one in read_list(content, most)]
            except BearoffError as no_list:
                problems.append(f"{error}; {no_list}")
    records, again = each_once(records)
    return _Given(records, listed, problems + again)


def review_out(known: Known, numbers: Collection[int] | None = None) -> ReviewOut:
    """Return the results of a review, with the costliest decisions first."""
    made = [one for one in known.judged if one.decided]
    wanted = range(1, len(known.judged) + 1) if numbers is None else numbers
    rows = [(number, known.judged[number - 1]) for number in wanted]
    rows.sort(key=lambda row: -row[1].cost)
    return ReviewOut(
        decisions=[DecisionOut(number=number, **decision_row(one)) for number, one in rows],
        **sums_of(made),
        estimates=MEASURED,
        problems=known.problems,
        solving_seconds=PATIENCE,
        skipped=known.skipped,
        kept=known.kept,
    )


def sums_of(made: Sequence[Decision]) -> dict[str, list[Total]]:
    """Total the decisions by player, kind and match length, and by file and player."""
    summed = totals(made, lambda one: (one.player, one.kind, one.length))
    return {
        "totals": sorted(summed, key=lambda one: one.name),
        "players": list(totals(made, _by_player)),
        "races": list(totals([one for one in made if one.in_race], _by_player)),
    }


def _by_player(one: Decision) -> tuple[str, str]:
    return one.source, one.player


def decision_row(one: Decision) -> dict[str, Any]:
    """Return a decision as JSON: judgement, position and the match file's analysis."""
    position = one.position
    roller, opponent = sides_of(position)
    return decision_json(one) | {
        "roller": list(roller.counts),
        "opponent": list(opponent.counts),
        "cube": position.cube,
        "cube_value": position.cube_value,
        "dice": position.dice,
        "score": None if position.score is None else str(position.score),
        "file_equities": [
            {"name": name, "equity": equity}
            for name, equity in (() if one.file is None else one.file.equities)
        ],
    }
