"""Costs of the user's decisions in the races of a game, and the best decisions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bearoff import BearoffError, Race
from bearoff.analysis.review import decision_of
from bearoff.answers import Judge
from bearoff.game.records import Moment, decisions_at
from bearoff.game.state import GameState

if TYPE_CHECKING:
    from bearoff.answers import Answer

PATIENCE = 1.0
"""Time limit in seconds for solving a race at a match score during a game."""

SHOWN = 5


class Costs:
    """Costs of the user's decisions in the races of a game, and the best decisions."""

    def __init__(self) -> None:
        self._judge = Judge(patience=PATIENCE)

    def of(self, moment: Moment) -> Iterator[str]:
        """Yield a sentence for each mistake in a race that the user's action contains."""
        for decision in filter(lambda one: one.in_race, decisions_at(moment)):
            answer, exact = self._answer(decision.race)
            if answer is None:
                continue
            judged = decision_of(answer, decision.decided, decision.after)
            if judged.is_seen:
                about = "" if exact else "about "
                lost = f"{judged.cost:.{judged.digits}f}"
                yield f"That costs {about}{lost}; the best choice was {judged.best}."

    def hint(self, state: GameState) -> list[str]:
        """Return the best decisions in a race; empty if there is no exact answer."""
        race = state.race
        if race is None:
            return []
        answer, exact = self._answer(race)
        if answer is None or not exact:
            return []
        if state.dice is None:
            return [f"exactly: {answer.action}"]
        return [
            f"{play.name:24} {play.equity:+8.3f} {-play.cost:+8.3f}"
            for play in answer.plays[:SHOWN]
        ]

    def _answer(self, race: Race) -> "tuple[Answer | None, bool]":
        """Return the answer about a race, or None, and whether the answer is exact."""
        try:
            exact = self._judge.holds(race)
            return self._judge.answer(race), exact
        except BearoffError:
            return None, False
