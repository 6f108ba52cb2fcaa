"""Review of matches: races by a fast model, then unclear races, then other decisions."""

import math
import time
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bearoff import BearoffError, Race
from bearoff.analysis.formulas import WorkedFormula
from bearoff.analysis.review.decision import Decision
from bearoff.analysis.review.estimates import DEPTH
from bearoff.analysis.review.judging import (
    RollOut,
    estimated,
    is_clear,
    is_first,
    judged_of,
    rolled_out,
)
from bearoff.game.records import MatchRecord, RecordedDecision, match_decisions
from bearoff.positions import POINTS
from bearoff.runtime import cores

if TYPE_CHECKING:
    from bearoff.analysis.review.estimates import Estimates
    from bearoff.answers import Answer, Judge

_AHEAD = 2
"""Maximum number of unfinished rollouts for each processor core; further rollouts wait."""


@dataclass(frozen=True)
class Review:
    """Evaluated decisions of matches, and error messages for the other decisions.

    Attributes
    ----------
    judged : list of Decision
        Evaluated decisions, in the order in which they were made.
    problems : list of str
        Error message for each unfinished game, and for each decision that could not be
        evaluated.
    left : int
        Number of decisions whose evaluation is only preliminary: unclear decisions in
        races, and decisions during contact that were not searched.
    """

    judged: list[Decision]
    problems: list[str]
    left: int = 0


@dataclass(eq=False)
class _Asked:
    """Decision in a match, with its evaluation so far."""

    match: "_Match"
    decision: RecordedDecision
    answer: "Answer | None" = None
    judged: Decision | None = None
    problem: str = ""
    open: bool = True

    @property
    def race(self) -> Race:
        return self.decision.race

    @property
    def game(self) -> tuple[int, int]:
        return id(self.match), self.decision.moment.game.number

    @property
    def cost(self) -> float:
        return 0.0 if self.judged is None else self.judged.cost


class _Match:
    """Match with its decisions, and the number of decisions without a final evaluation."""

    def __init__(self, record: MatchRecord, *, whole: bool) -> None:
        self.record = record
        decisions, self.problems = match_decisions(record)
        self.asked = [_Asked(self, one) for one in decisions if whole or one.in_race]
        self.left = len(self.asked)

    def review(self) -> Review:
        judged = [one.judged for one in self.asked if one.judged is not None]
        problems = [one.problem for one in self.asked if one.problem]
        left = sum(one.open and one.judged is not None for one in self.asked)
        return Review(judged, self.problems + problems, left)


class Reviewing:
    """Review of matches, in which the evaluations of decisions become final one by one.

    First the fast model answers all decisions in races, so preliminary judgements are
    available early. Races that the model leaves unclear are then solved or rolled out,
    beginning with the decisions that cost most according to the model. Decisions before the
    race are estimated last.

    Parameters
    ----------
    matches : sequence of MatchRecord
        Matches read from files.
    judge : Judge
        Source of equities: tables, races solved at a match score, or the fast model.
    formula : WorkedFormula
        Formula whose cube action is recorded with each decision.
    roll_out : callable, optional
        Function that creates rollouts of races that the fast model leaves unclear. By
        default, the fast model's evaluation is final.
    on_match : callable, optional
        Function called with a match and its review when all its decisions have been
        evaluated.
    estimates : Estimates, optional
        Estimator of decisions during contact; without it, only decisions in races are
        evaluated.
    """

    def __init__(
        self,
        matches: Sequence[MatchRecord],
        judge: "Judge",
        formula: WorkedFormula,
        roll_out: RollOut | None = None,
        on_match: "Callable[[MatchRecord, Review], object]" = lambda match, found: None,
        estimates: "Estimates | None" = None,
    ) -> None:
        self._judge, self._formula, self._roll_out = judge, formula, roll_out
        self._on_match, self._estimates = on_match, estimates
        self._rolled: dict[Race, Answer] = {}  # Key: race of a double and its take.
        self._matches = [_Match(match, whole=estimates is not None) for match in matches]
        self._asked = [one for match in self._matches for one in match.asked]
        self._decided: dict[Race, list[str]] = defaultdict(list)
        for one in self._races:
            if one.decision.decided is not None:
                self._decided[one.race].append(one.decision.decided)

    @property
    def _races(self) -> list[_Asked]:
        return [one for one in self._asked if one.decision.in_race]

    def __len__(self) -> int:
        return len(self._asked)

    @property
    def answered(self) -> int:
        """Number of decisions that have been evaluated or cannot be evaluated."""
        return sum(one.judged is not None or not one.open for one in self._asked)

    def review(self) -> Review:
        """Return the results of the review so far."""
        found = [match.review() for match in self._matches]
        return Review(
            [judged for each in found for judged in each.judged],
            [problem for match in self._matches for problem in match.problems]
            + [one.problem for one in self._asked if one.problem],
            sum(each.left for each in found),
        )

    def by_match(self) -> Iterator[tuple[MatchRecord, Review]]:
        """Yield each match with the results of its review so far."""
        for match in self._matches:
            yield match.record, match.review()

    def costliest(self, count: int) -> list[tuple[Decision, bool]]:
        """Return the costliest decisions, and whether each cost is preliminary."""
        known = [(one.judged, one.open) for one in self._asked if one.judged is not None]
        costly = [(judged, guess) for judged, guess in known if judged.is_mistake or guess]
        costly.sort(key=lambda one: -one[0].cost)
        return [(judged, guess) for judged, guess in costly[:count] if judged.cost > 0]

    def run(
        self,
        seconds: float = math.inf,
        on_guess: Callable[[], object] = lambda: None,
    ) -> Iterator[Decision | None]:
        """Evaluate all decisions; yield each final evaluation, or None if there is none.

        Parameters
        ----------
        seconds : float
            Time limit in seconds. After it, unclear races keep the fast model's answer, and
            decisions during contact are estimated by the net without a search.
        on_guess : callable
            Function called after each answer of the fast model; see `costliest`.
        """
        until = time.monotonic() + seconds
        before: _Asked | None = None
        for one in self._races:
            self._ask(one, self._first)
            on_guess()
            if before is not None and before.open and before.race == one.race:
                # If the judgement of a double is preliminary, so is the judgement of the
                # take.
                one.open |= not one.problem
            before = one
            if not one.open:
                self._done(one)
                yield one.judged
        with ThreadPoolExecutor(cores()) as pool:
            try:
                for several in self._in_turn(pool, until):
                    for one in several:
                        self._done(one)
                        yield one.judged
                for one in self._before_races(pool, until):
                    self._done(one)
                    yield one.judged
            finally:
                pool.shutdown(cancel_futures=True)

    def estimate_rest(self) -> None:
        """Evaluate the remaining decisions during contact, without a search.

        This method is called after `run` was interrupted.
        """
        for one in self._asked:
            waits = one.judged is None and not one.decision.in_race
            if waits and self._estimates is not None:
                self._estimate(one, -math.inf)
                self._done(one)

    def _in_turn(self, pool: ThreadPoolExecutor, until: float) -> Iterator[list[_Asked]]:
        """Solve races in this thread or roll them out in a pool, to refine evaluations."""
        waiting: deque[Future[list[_Asked]]] = deque()
        for several in self._by_cost():
            if self._judge.solving.solves(several[0].race):
                yield self._decide(several, until)
                self._ask_what_is_solved(several[0].game)
                continue
            waiting.append(pool.submit(self._decide, several, until))
            while len(waiting) > _AHEAD * cores() or (waiting and waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _decide(self, several: list[_Asked], until: float) -> list[_Asked]:
        """Make final evaluations, one decision at a time, until the time limit."""
        decided = []
        for one in several:
            if time.monotonic() < until:
                self._ask(one, self._best)
                one.open = False
                decided.append(one)
        return decided

    def _before_races(self, pool: ThreadPoolExecutor, until: float) -> Iterator[_Asked]:
        """Evaluate the decisions during contact by a search, on all processor cores."""
        asked = [one for one in self._asked if not one.decision.in_race]
        if self._estimates is not None and asked:
            # The first estimate may compile code that all estimates use, so it is made
            # alone.
            self._estimate(asked[0], until)
            yield asked[0]
            yield from pool.map(lambda one: self._estimate(one, until), asked[1:])

    def _estimate(self, one: _Asked, until: float) -> _Asked:
        """Evaluate a decision during contact; after the time limit, without a search."""
        assert self._estimates is not None
        in_time = one.decision.kind != "play" or time.monotonic() < until
        depth = DEPTH if in_time else 0
        one.judged = estimated(one.match.record, one.decision, self._estimates, depth)
        one.open = not in_time
        return one

    def _done(self, one: _Asked) -> None:
        """Record a final evaluation; after the last one in a match, call `on_match`."""
        one.answer = None  # This frees the memory of all plays in the answer.
        match = one.match
        match.left -= 1
        if not match.left:
            self._on_match(match.record, match.review())

    def _by_cost(self) -> list[list[_Asked]]:
        """Return groups of decisions without a final evaluation, by decreasing cost.

        Each group starts with the largest race of a game, because solving this race also
        solves the game's other races.
        """
        groups: dict[Hashable, list[_Asked]] = {}  # A take has the same race as its double.
        for one in self._races:
            if one.open:
                key = one.game if self._judge.solving.solves(one.race) else one.race
                groups.setdefault(key, []).append(one)
        return sorted(groups.values(), key=lambda some: -max(one.cost for one in some))

    def _ask_what_is_solved(self, game: tuple[int, int]) -> None:
        """Make the evaluations of a game's races exact, once the races are solved."""
        for one in self._races:
            clear = one.judged is not None and one.judged.method == "model"
            same = clear and one.game == game and self._judge.solving.solves(one.race)
            if same and self._judge.solving.at_hand(one.race) is not None:
                self._ask(one, lambda one: self._judge.answer(one.race))
                one.answer = None

    def _ask(self, one: _Asked, ask: "Callable[[_Asked], Answer]") -> None:
        """Evaluate a decision, or record why this is impossible."""
        match, decision = one.match.record, one.decision
        try:
            one.answer = ask(one)
            one.judged = judged_of(match, decision, one.answer, self._formula)
        except BearoffError as error:
            action = decision.moment.action
            one.problem = f"{match.source}, line {action.line}, no answer: {error}"
            one.judged, one.open = None, False

    def _first(self, one: _Asked) -> "Answer":
        """Return a race's values from a table or the fast model; do not solve the race."""
        judge, race = self._judge, one.race
        if (table := judge.stored(race)) is not None:
            one.open = False
            return judge.answer(race, source=table)
        answer = judge.answer(race, source=judge.model)
        # The fast model's best play may lose 0.07 if a checker is outside the home board,
        # so such a race is solved exactly if possible. With all checkers home, the fast
        # model's best play loses almost nothing.
        own = is_first(one.decision, answer) and not _is_beyond(race)
        one.open = not is_clear(one.decision, answer) or (
            judge.solving.solves(race) and not own
        )
        return answer

    def _best(self, one: _Asked) -> "Answer":
        """Return the best values of a race: exact, rolled out, or from the fast model."""
        judge, race, quick = self._judge, one.race, one.answer
        assert quick is not None
        if judge.solving.solves(race) and judge.holds(race):
            return judge.answer(race)
        if race in self._rolled:
            return self._rolled[race]
        if self._roll_out is None or is_clear(one.decision, quick):
            return quick
        decided = tuple(self._decided[race])
        after = one.decision.after
        answer = rolled_out(judge, race, quick, self._roll_out, after, decided)
        if race.dice is None:
            self._rolled[race] = answer
        return answer


def _is_beyond(race: Race) -> bool:
    return max(race.roller.highest, race.opponent.highest) > POINTS


def review(
    match: MatchRecord,
    judge: "Judge",
    formula: WorkedFormula,
    roll_out: RollOut | None = None,
    estimates: "Estimates | None" = None,
) -> Review:
    """Evaluate the decisions of a match; by default, only decisions in races.

    Returns
    -------
    Review
    """
    reviewing = Reviewing([match], judge, formula, roll_out, estimates=estimates)
    for _ in reviewing.run():
        pass
    return reviewing.review()
