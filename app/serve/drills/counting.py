"""Drills whose answer is a number: pip count, EPC and win probability."""

from abc import abstractmethod
from functools import cache
from random import Random
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bearoff import PIPS_PER_ROLL, POINTS, BearoffError, Race
from bearoff.analysis.formulas import counting
from bearoff.analysis.formulas.writing import Number, Worksheet
from bearoff.app.output import amount
from bearoff.app.serve.drills.asked import (
    LEVELS,
    UNJUDGED,
    Drill,
    DrillQuestion,
    Level,
    Marked,
    SolutionLine,
    board_of,
    largest,
    number_of,
    rank_of,
    ranked,
    third,
)
from bearoff.app.serve.drills.sample import (
    Decisions,
    method_of,
    race_at,
    row_of,
    shipped_sample,
)
from bearoff.app.serve.drills.seeing import formula, hints_of, in_words
from bearoff.app.serve.drills.slips import around, pip_slips
from bearoff.app.serve.drills.solving import lines_of, rule_is
from bearoff.bear_in import bear_in, widen

ESTIMATE = "by-shape"
"""Name of the quick estimate of the EPC that solutions explain."""


DOUBTFUL = 0.2, 0.9
"""Lowest and highest win probability of the roller in questions. Outside this range, the
correct cube action is obvious."""


class NumberDrill(Drill):
    """Drill that asks for a number, such as the pip count, about a race."""

    within: ClassVar[float]
    ask: ClassVar[str]

    @abstractmethod
    def hardness(self, races: Decisions) -> NDArray[np.float64]:
        """Return the difficulty of each race; NaN for a race unsuitable as a question."""

    @abstractmethod
    def truth(self, race: Race) -> float:
        """Return the correct answer to the question about a race."""

    @abstractmethod
    def work(self, race: Race, truth: float) -> list[SolutionLine]:
        """Return the steps of the worked solution for a race."""

    @abstractmethod
    def slips(self, race: Race, truth: float) -> list[float]:
        """Return wrong answers that result from typical mistakes, the likeliest first."""

    @abstractmethod
    def help(self, race: Race) -> list[str]:
        """Return hints for the question about a race."""

    def notes(self, race: Race, truth: float) -> list[str]:
        """Return remarks on the error of a rule of thumb in this race."""
        return []

    def method(self, race: Race) -> str:
        """Return the source of the correct answer for a race."""
        return "exact"

    def draw(self, rng: Random, level: Level) -> str:
        races = shipped_sample().race
        row = rng.choice(third(_order(self), level))
        return race_at(races, row).position_id

    def difficulty(self, rest: str) -> float:
        """Return the rank of a question's race by difficulty, from 0 to 1."""
        row = _known(self.race(rest))
        return UNJUDGED if row is None else rank_of(row, _order(self))

    def again(self, rest: str, times: int) -> str:
        """Return a race of similar difficulty if the user has already seen this answer."""
        if not times:
            return rest
        level = LEVELS[min(int(3 * self.difficulty(rest)), 2)]
        found = self.draw(Random(f"{self.name} {rest} {times}"), level)
        return found if found != rest else self.again(rest, times + len(LEVELS))

    def hints(self, rest: str) -> list[str]:
        return self.help(self.race(rest))

    def race(self, rest: str) -> Race:
        """Parse the race of a question from its position ID."""
        return Race.parse(rest)

    def question(self, rest: str) -> DrillQuestion:
        race = self.race(rest)
        truth = self.truth(race)
        most = largest(self.unit)
        slips = self.slips(race, truth)
        answers = around(truth, slips, self.within, Random(rest), most)
        return DrillQuestion(
            key=self.key(rest),
            kind=self.name,
            title=self.title,
            text=self.ask,
            form="number",
            unit=self.unit,
            within=self.within,
            choices=answers,
            hints=len(self.hints(rest)),
            **board_of(race) | {"cube": None},  # type: ignore[arg-type]
        )

    def mark(self, rest: str, given: str) -> Marked:
        """Mark a numerical answer as correct if its error is at most `within`."""
        number = number_of(given, self.unit)
        race = self.race(rest)
        truth = self.truth(race)
        error = round(number - truth, 2)
        return Marked(
            key=self.key(rest),
            kind=self.name,
            given=f"{number:g}",
            answer=as_shown(truth),
            right=abs(error) <= self.within,
            error=error,
            method=self.method(race),
            notes=self.notes(race, truth),
            steps=self.work(race, truth),
        )


@cache
def _order(drill: NumberDrill) -> tuple[int, ...]:
    hard = drill.hardness(shipped_sample().race)
    known = np.flatnonzero(~np.isnan(hard)).tolist()
    return ranked((float(hard[row]), row) for row in known)


def _known(race: Race) -> int | None:
    try:
        return row_of(shipped_sample().race, race)
    except BearoffError:
        return None  # A question may be about a race outside the sample.


class Pips(NumberDrill):
    """Drill on the pip count of the player on roll."""

    name, title = "pips", "Pip count"
    unit, within = "pips", 0.0
    text = "Count the pips of the side on roll. Harder with more pips."
    ask = "How many pips do you have?"

    def hardness(self, races: Decisions) -> NDArray[np.float64]:
        return np.asarray(races.rollers @ np.arange(1.0, 25.0))

    def truth(self, race: Race) -> float:
        return race.roller.pips

    def slips(self, race: Race, truth: float) -> list[float]:
        """Return wrong pip counts that result from typical counting mistakes."""
        return pip_slips(race.roller)

    def help(self, race: Race) -> list[str]:
        """Return hints: how to count, a partial sum, and the range of the count."""
        counts, low = race.roller.counts, race.roller.pips // 10 * 10
        points = [point for point, n in enumerate(counts, 1) for _ in range(n)]
        half = points[len(points) // 2 :]
        return [
            "Begin with your rearmost point: multiply its checkers by its number, and add "
            "the other points.",
            f"Your rearmost {amount(len(half), 'checkers')}: {amount(sum(half), 'pips')}"
            " in all.",
            f"Your pip count is from {low} to {low + 9}.",
        ]

    def work(self, race: Race, truth: float) -> list[SolutionLine]:
        """Return the steps of the pip count, starting with the rearmost checkers."""
        lines, total = [], 0
        for point in range(race.roller.points, 0, -1):
            count = race.roller.counts[point - 1]
            if count:
                total += count * point
                lines.append(
                    SolutionLine(
                        words=f"{count} on the {point}",
                        arithmetic=f"{count} x {point} = {count * point}, so far {total}",
                    )
                )
        return lines


class Epc(NumberDrill):
    """Drill on the effective pip count of the player on roll."""

    name, title = "epc", "Effective pip count"
    unit, within = "pips", 1.0
    text = (
        "Estimate the EPC of the side on roll, with all checkers home, to within a "
        "pip. Harder where quick rules are less accurate."
    )
    ask = "What is your effective pip count?"

    def hardness(self, races: Decisions) -> NDArray[np.float64]:
        sides = races.rollers[:, :POINTS]
        hard = np.abs(
            counting.get_estimate(ESTIMATE).epc(sides) - bear_in().epc(widen(sides))
        )
        return np.where(races.rollers[:, POINTS:].any(axis=1), np.nan, hard)

    def truth(self, race: Race) -> float:
        """Return the exact EPC, which requires all checkers to be home."""
        if race.roller.highest > POINTS:
            raise BearoffError(
                "a question about EPC requires a side with all checkers home"
            )
        return float(bear_in().epc(widen([race.roller.counts]))[0])

    def slips(self, race: Race, truth: float) -> list[float]:
        """Return four wrong EPCs: a quick estimate, and the pip count plus 8, 0 and 12."""
        pips = race.roller.pips
        return [float(self._estimate(race, Worksheet())), pips + 8, pips, pips + 12]

    def help(self, race: Race) -> list[str]:
        """Return hints: the pip count, board features, and the quick estimate."""
        pips, left = race.roller.pips, sum(race.roller.counts)
        seen = in_words(race.roller, "you")
        return [
            f"You have {amount(pips, 'pips')} on {amount(left, 'checkers')};"
            " add the wastage.",
            f"{seen[0].upper()}{seen[1:]}: gaps, stacks and low checkers waste pips.",
            f"A quick rule says {float(self._estimate(race, Worksheet())):g}.",
        ]

    def _estimate(self, race: Race, sheet: Worksheet) -> Number:
        """Estimate the EPC by a quick rule; each step is written to `sheet`."""
        side = race.roller.counts[:POINTS]
        return counting.get_estimate(ESTIMATE).work(sheet, side, "your")

    def notes(self, race: Race, truth: float) -> list[str]:
        """Return a remark on the error of the quick estimate of the EPC."""
        off = float(self._estimate(race, Worksheet())) - truth
        seen = in_words(race.roller, "you")
        return [rule_is("A quick rule", off, "pips", self.within, seen)]

    def work(self, race: Race, truth: float) -> list[SolutionLine]:
        """Return the steps of two calculations of the exact EPC and of a quick estimate."""
        sheet = Worksheet()
        self._estimate(race, sheet)
        pips = race.roller.pips
        exact = SolutionLine(
            words="exact EPC: pip count plus wastage",
            arithmetic=f"{pips} + {truth - pips:.2f} = {truth:.2f}",
        )
        return [
            exact,
            SolutionLine(
                words="exact EPC: mean number of rolls times 49/6",
                arithmetic=f"{truth / PIPS_PER_ROLL:.3f} x 8.167 = {truth:.2f}",
            ),
            *lines_of(sheet.steps),
        ]


class Chance(NumberDrill):
    """Drill on the roller's win probability without the cube."""

    name, title = "chance", "Chance to win"
    unit, within = "%", 3.0
    text = (
        "Estimate your chance of winning without the cube, before the roll, to within "
        "3%. Harder where a good formula is less accurate."
    )
    ask = "What is your chance of winning, in percent? There is no cube."

    def hardness(self, races: Decisions) -> NDArray[np.float64]:
        said = formula().win_probability(races.rollers, races.opponents)
        low, high = DOUBTFUL
        doubtful = (races.chance >= low) & (races.chance <= high)
        return np.where(doubtful, np.abs(said - races.chance), np.nan)

    def truth(self, race: Race) -> float:
        """Return the roller's win probability in percent, which the sample contains."""
        races = shipped_sample().race
        return 100 * float(races.chance[row_of(races, race)])

    def method(self, race: Race) -> str:
        """Return how the win probability was found: exactly or by a rollout."""
        races = shipped_sample().race
        return method_of(races, row_of(races, race), percent=True)

    def slips(self, race: Race, truth: float) -> list[float]:
        """Return wrong win probabilities in percent, such as the opponent's."""
        said = self._estimate(race, Worksheet())
        return [said, truth + 7, truth - 7, 100 - truth, truth + 12, truth - 12]

    def help(self, race: Race) -> list[str]:
        """Return hints: pip counts, the lead in the formula's count, and board features."""
        sheet = Worksheet()
        counts = formula().count.work(sheet, (race.roller.counts, race.opponent.counts))
        return hints_of(race.roller, race.opponent, formula().name, *map(float, counts))

    def _estimate(self, race: Race, sheet: Worksheet) -> float:
        """Compute the formula's win probability in percent; write the steps to `sheet`."""
        rule = formula()
        counts = rule.count.work(sheet, (race.roller.counts, race.opponent.counts))
        return min(max(float(rule.chance.work(sheet, *counts)), 0.0), 100.0)

    def notes(self, race: Race, truth: float) -> list[str]:
        """Return a remark on the error of the formula's win probability."""
        off = self._estimate(race, Worksheet()) - truth
        seen = in_words(race.roller, "you"), in_words(race.opponent, "the opponent")
        rule = f"The formula {formula().name}"
        return [rule_is(rule, off, "%", self.within, "; ".join(seen))]

    def work(self, race: Race, truth: float) -> list[SolutionLine]:
        sheet = Worksheet()
        self._estimate(race, sheet)
        truly = SolutionLine(words="in truth", arithmetic=f"{truth:.1f}%")
        return [truly, *lines_of(sheet.steps)]


def as_shown(number: float) -> str:
    """Format a number with one decimal place, or none if the decimal is 0."""
    return f"{number:.1f}".removesuffix(".0")
