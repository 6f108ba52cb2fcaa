"""True answers for races with few checkers, by independent solvers that use integers."""

from dataclasses import dataclass

from bearoff import Race
from bearoff.answers import Question
from oracles import match_twin as match, two_sided_reference as money
from oracles.reference import Checkers, checkers_of, successors

DOUBLING = ("no_double_error", "double_take_error")
TAKING = ("double_take_error",)
"""Names of the stated errors that together bound the error of an answer about a take."""

COSTS = {
    "double": "wrong_double",
    "no double": "missed_double",
    "take": "wrong_take",
    "pass": "wrong_pass",
}


@dataclass(frozen=True)
class Truth:
    """True numbers in the answer to a question, and the permitted errors.

    Attributes
    ----------
    numbers : dict of str to float
        True values, by the names in `bearoff.answers.NUMBERS`.
    errors : dict of str to tuple of str
        For each number in the answer, the names of the stated errors whose sum is an upper
        bound on the number's error.
    """

    numbers: dict[str, float]
    errors: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class _Game:
    """Race with true equities of cube actions and plays, from the roller's viewpoint."""

    race: Race

    def sides(self) -> tuple[Checkers, Checkers]:
        return checkers_of(self.race.roller.counts), checkers_of(self.race.opponent.counts)

    def no_double(self) -> float:
        """Return the roller's equity without a double."""
        raise NotImplementedError

    def double_take(self) -> float:
        raise NotImplementedError

    def after(self, roller: Checkers) -> float:
        """Return the roller's equity after a play."""
        raise NotImplementedError

    def has_cube(self) -> bool:
        raise NotImplementedError


class _Money(_Game):
    def _plane(self, own: str) -> str:
        return "jacoby" if own == "centred" and self.race.jacoby else own

    def no_double(self) -> float:
        kept = self._plane(self.race.cube)
        name = kept if kept == "opponent" else f"{kept}_kept"
        return float(getattr(money.exact(*self.sides()), name) / money.ONE)

    def double_take(self) -> float:
        return 2 * money.exact(*self.sides()).opponent / money.ONE

    def after(self, roller: Checkers) -> float:
        theirs = {"owned": "opponent", "opponent": "owned"}
        plane = self._plane(theirs.get(self.race.cube, self.race.cube))
        values = money.exact(self.sides()[1], roller)
        if not roller and plane == "jacoby":
            return 1.0  # Gammons do not count before the cube has been turned.
        return float(-getattr(values, plane) / money.ONE)

    def has_cube(self) -> bool:
        return self.race.cube != "opponent"


class _Match(_Game):
    def _at(self) -> match.At:
        score = self.race.score
        assert score is not None
        return match.At(*score.away, score.game, self.race.cube_value, self.race.cube)

    def _equity(self, chance: int) -> float:
        at = self._at()
        won, lost = at.won(at.cube), at.lost(at.cube)
        return float((2 * chance - won - lost) / (won - lost))

    def no_double(self) -> float:
        return self._equity(match.no_double(self._at(), *self.sides()))

    def double_take(self) -> float:
        return self._equity(match.double_take(self._at(), *self.sides()))

    def after(self, roller: Checkers) -> float:
        other, opponent = self._at().other(), self.sides()[1]
        return self._equity(match.ONE - match.value(other, opponent, roller))

    def has_cube(self) -> bool:
        at = self._at()
        if at.game == "crawford" or at.place == "opponent":
            return False
        return at.cube < max(at.us, at.them)

    def chance(self, equity: float) -> float:
        at = self._at()
        won, lost = at.won(at.cube) / match.ONE, at.lost(at.cube) / match.ONE
        return (won + lost + equity * (won - lost)) / 2


def truth_of(question: Question) -> Truth:
    """Return the true values of a race, of the play made and of the cube decision."""
    race = question.race
    game = _Money(race) if race.score is None else _Match(race)
    numbers: dict[str, float] = {}
    errors: dict[str, tuple[str, ...]] = {}

    def say(name: str, number: float, *by: str) -> None:
        numbers[name], errors[name] = number, by

    equity = kept = game.no_double()
    say("no_double", kept, "no_double_error")
    if game.has_cube():
        taken = game.double_take()
        doubled = min(taken, 1.0)
        equity = max(kept, doubled)
        say("double_take", taken, "double_take_error")
        say("missed_double", max(doubled - kept, 0.0), *DOUBLING)
        say("wrong_double", max(kept - doubled, 0.0), *DOUBLING)
        say("wrong_take", max(taken - 1, 0.0), *TAKING)
        say("wrong_pass", max(1 - taken, 0.0), *TAKING)
        if question.decided is not None:
            say("decided_cost", numbers[COSTS[question.decided]], "decided_error")
    say("equity", equity, "error")
    if isinstance(game, _Match):
        say("match_chance", game.chance(equity), "error")
    chances = money.exact(*game.sides())
    for name, (least, most) in (("won", chances.won), ("lost", chances.lost)):
        # A gammon chance is compared only if all equally good plays have the same chance.
        if most - least <= money.SAME * money.ONE:
            say(f"gammons_{name}", most / money.ONE)
    if race.dice is not None:
        best = max(map(game.after, successors(game.sides()[0], *race.dice)))
        say("best_equity", best, "best_error")
        after = question.after()
        if after is not None:
            cost = best - game.after(checkers_of(after.counts))
            say("played_cost", cost, "played_error")
    return Truth(numbers, errors)
